// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Expanders emit every loop around a transform or a line, and the stage `fold` makes them loops of passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "planner/backend/cpu/fold.h"
#include "planner/program/print.h"
#include "tests/planner/complex_definition.h"
#include "tests/planner/made_program.h"
#include "wisdom/error.h"

namespace ulpfft::test {
namespace {

// The lines of a program's body.
std::string body_of(const Program& program) {
  const std::string text = print_program(program);
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string word = text.substr(at, text.find(' ', at) - at);
    const bool is_listed = std::string_view("wtr").find(word[0]) != std::string_view::npos &&
                           std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (word == "scheme" || word == "may" || is_listed) begin = text.find('\n', at) + 1;
  }
  return text.substr(begin);
}

struct Folded {
  const char *problem, *recipe, *before, *after;
};
constexpr Folded kFolded[] = {
    // Loops that step evenly are one.
    {"16*3x5 f32 in_strides=2", "f32:n16",
     R"(15 times: in +128, out +128 bytes  parallel
  n16 whole  in[4 p] -> out[2 p]  p<16
)",
     R"(n16 whole  in[4 p + 32 a] -> out[2 p + 32 a]  p<16 a<15       parallel
)"},
    {"4*3x5 f32 batch_strides=40,8,100,20", "f32:n4",
     R"(15 times: in +64, out +160 bytes  parallel
  n4 whole  in[2 p] -> out[2 p]  p<4
)",
     R"(n4 whole  in[2 p + 16 a] -> out[2 p + 40 a]  p<4 a<15        parallel
)"},
    // At both ends.
    {"4*3x5 f32 batch_strides=40,8,200,20", "f32:n4",
     R"(3 times: in +320, out +1600 bytes  parallel
  5 times: in +64, out +160 bytes  parallel
    n4 whole  in[2 p] -> out[2 p]  p<4
)",
     R"(n4 whole  in[2 p + 16 l + 80 a] -> out[2 p + 40 l + 400 a]  p<4 l<5 a<3     parallel
)"},
    // The fourth loop stays.
    {"4*2x3x5x7 f64 batch_strides=5000,9,1000,10,200,11,8,4", "f64:n4",
     R"(2 times: in +80000, out +3200 bytes  parallel
  3 times: in +144, out +176 bytes  parallel
    5 times: in +16000, out +128 bytes  parallel
      7 times: in +160, out +64 bytes  parallel
        n4 whole  in[2 p] -> out[2 p]  p<4
)",
     R"(2 times: in +80000, out +3200 bytes  parallel
  n4 whole  in[2 p + 20 l + 18 a + 2000 b] -> out[2 p + 8 l + 22 a + 16 b]  p<4 l<7 a<3 b<5 parallel
)"},
    // Loops around several passes stay, and strides count reals of each array.
    {"8x8x8*5x2 f64->f32", "f64:rank(n8; n8; n8)",
     R"(10 times: in +8192, out +4096 bytes  parallel  8192 private bytes
  take w0
  64 times: in +128, w0 +128 bytes  parallel
    n8 whole    in[2 p] -> w0[2 p]   p<8
  8 times: w0 +1024 bytes  parallel
    8 times: w0 +16 bytes  parallel
      n8 whole  w0[16 p] in place    p<8
  64 times: w0 +16 bytes  parallel
    n8 whole    w0[128 p] in place   p<8
  8 times: w0 +1024, out +512 bytes  parallel
    8 times: w0 +128, out +64 bytes  parallel
      encode    w0[2 p] -> out[2 p]  p<8
  release w0
)",
     R"(10 times: in +8192, out +4096 bytes  parallel  8192 private bytes
  take w0
  n8 whole  in[2 p + 16 a] -> w0[2 p + 16 a]   p<8 a<64        parallel
  n8 whole  w0[16 p + 2 l + 128 a] in place    p<8 l<8 a<8     parallel
  n8 whole  w0[128 p + 2 a] in place           p<8 a<64        parallel
  encode    w0[2 p + 16 a] -> out[2 p + 16 a]  p<8 a<64        parallel
  release w0
)"},
    // Panels stay.
    {"16*33 f32", "f32:cols(p1; n16)",
     R"(2 times in panels: in +2048, out +2048 bytes  parallel
  n16 columns  in[2 p + 32 l] -> out[2 p + 32 l]  p<16 l<16
n16 columns    in[2 p + 1024] -> out[2 p + 1024]  p<16
)",
     R"(2 times in panels: in +2048, out +2048 bytes  parallel
  n16 columns  in[2 p + 32 l] -> out[2 p + 32 l]  p<16 l<16
n16 columns    in[2 p + 1024] -> out[2 p + 1024]  p<16
)"},
    // A pass with a loop of its own has it inside.
    {"r2c 45*3 f64", "f64:real(9x5; n5)",
     R"(take w0
take w1
3 times: in +360, w0 +1280 bytes  parallel
  5 times: in +8, w0 +8 bytes  parallel
    r2c9 of lines  in[5 p] -> w0[32 p | im +16]             p<9
3 times: w0 +1280, w1 +400 bytes  parallel
  pointwise        w0[p + 32 a | im +16] -> w1[2 p + 10 a]  p<5 a<5         table t0, parallel
15 times: w1 +80, w0 +80 bytes  parallel
  n5 whole         w1[2 p] -> w0[2 p]                       p<5
3 times: w0 +400, out +368 bytes  parallel
  join_rows        w0[2 p] -> out[2 p]                      p<45            every 9 points a row, rows 10 apart
release w0
)",
     R"(take w0
take w1
r2c9 of lines  in[5 p + l + 45 a] -> w0[32 p + l + 160 a | im +16]     p<9 l<5 a<3     parallel
pointwise      w0[p + 160 a + 32 b | im +16] -> w1[2 p + 50 a + 10 b]  p<5 a<3 b<5     table t0, parallel
n5 whole       w1[2 p + 10 a] -> w0[2 p + 10 a]                        p<5 a<15        parallel
join_rows      w0[2 p + 50 a] -> out[2 p + 46 a]                       p<45 a<3        every 9 points a row, rows 10 apart, parallel
release w0
)"},
};

TEST(Fold, MakesLoopsOfPasses) {
  for (const Folded& one : kFolded) {
    const Asked problem = asked(one.problem, one.recipe, "ref");
    EXPECT_EQ(body_of(made_after(problem, "place")), one.before) << problem.name;
    EXPECT_EQ(body_of(made_after(problem, "fold")), one.after) << problem.name;
  }
}

TEST(Fold, LeavesLoopsThatAPassCannotRun) {
  const Program sound = made_after(asked("16*3 f32", "f32:n16", "ref"), "place");
  const std::function<void(Loop&)> changes[] = {
      [](Loop& loop) { loop.numbered = true; },
      [](Loop& loop) { loop.parallel = false; },
      [](Loop& loop) { loop.panels = true; },
      [](Loop& loop) { loop.moves.add(ArrayId::kExponents, 4); },
      [](Loop& loop) { loop.body.push_back(Item(Take{ArrayId::kFirstWork})); },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    Program program = sound;
    ASSERT_NE(program.body.front().loop(), nullptr);
    changes[i](*program.body.front().loop());
    const std::string before = print_program(program);
    fold(program);
    EXPECT_EQ(print_program(program), before) << "change " << i;
  }
  Program program = sound;
  program.body.front().loop()->moves.add(ArrayId::kExponents, 0);
  fold(program);
  EXPECT_EQ(loops_in(program.body), 0U);
}

// ---- what holds of all

constexpr struct {
  const char *problem, *recipe;
} kAny[] = {
    {"16*3x5 f32 in_strides=2", "f32:n16"},
    {"8x6x5*4 f64 inverse", "f64:rank(n8; n6; n5)"},
    {"4x3*6 f32 threads=2", "f32:rank(n4; n3)"},
    {"64*9 f32", "f32:dit(8 8)"},
    {"16*33 f64 inplace", "f64:cols(p2; n16)"},
    {"1024*2 f32", "f32:four(32x32 p8; n32; n32)"},
    {"20x12*3 f64->f32", "f64:rank(cols(p5; dit(5 4)); dit(4 3))"},
    {"512*5 f16->f32", "f32:dit(16 8 4 decode)"},
    {"r2c 45*7 f64", "f64:real(9x5; n5)"},
    {"r2c 30*12 f32", "f32:real(30; n15)"},
    {"c2r 5x6x8*2 f32", "f32:rank(n5; n6; n8)"},
    {"r2r 8x12*5 f64 kinds=dct3,dst4 scale=ortho", "f64:rank(n8; r2r(12; n6))"},
    {"r2r 15*9 f64 kinds=dct1", "f64:r2r(15; n14)"},
};

template <typename Visit>
void for_any(const Visit& visit) {
  std::size_t programs = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;
    for (const auto& [problem, recipe] : kAny) {
      const Asked one = asked(problem, recipe, target.table.target);
      try {
        visit(one);
        ++programs;
      } catch (const PlanError& error) {
        EXPECT_NE(std::string_view(target.table.backend), "ref") << one.name << ": " << error.message;
      }
    }
  }
  EXPECT_GE(programs, std::size(kAny));
}

TEST(Fold, KeepsResults) {
  for_any([](const Asked& one) {
    const bool is_complex = one.problem.kind == Kind::kC2C || one.problem.kind == Kind::kCzt;
    if (!is_complex || !reason_not_interpreted(made(one), one.problem).empty()) return;
    const Numbers in = random_numbers(static_cast<std::size_t>(transform_points(one.problem) * batch_count(one.problem)));
    EXPECT_EQ(interpreted(made_after(one, "place"), one.problem, in, {}), interpreted(made_after(one, "fold"), one.problem, in, {}))
        << one.name;
  });
}

bool is_transform(PassKind kind) {
  return kind == PassKind::kWhole || kind == PassKind::kWholeTwo || kind == PassKind::kPacked || kind == PassKind::kReal;
}

TEST(Fold, TakesAllLoopsFromExpanders) {
  for_any([](const Asked& one) {
    Program program = made_after(one, "expand");
    each_pass(program.body, [&](Pass& pass) {
      const Operands& args = pass.args;
      const bool counts_rows = pass.table >= 0 && args.axes[0].table_stride != 0;  // those of a line in rows
      if (is_transform(pass.codelet->kind)) {
        EXPECT_EQ(args.axes[0].count * args.axes[1].count * args.lanes, 1) << one.name << ", pass " << pass.use;
      } else if (!has_body(pass.codelet->kind) && std::holds_alternative<Compute>(pass.op) && !counts_rows) {
        EXPECT_EQ(args.axes[0].count * args.axes[1].count, 1) << one.name << ", pass " << pass.use;
      }
    });
  });
}

// What a pass computes in one execution, as the loops around it and its own say.
TEST(Fold, KeepsWhatIsComputedAndCountsItsCalls) {
  for_any([](const Asked& one) {
    const auto positions = [](const Program& program) {
      std::vector<std::int64_t> counts(program.passes.size());
      std::vector<const Loop*> around;
      visit_passes(program.body, around, [&](const Pass& pass, const std::vector<const Loop*>& loops) {
        std::int64_t calls = 1;
        for (const Loop* loop : loops) calls *= loop->count;
        EXPECT_EQ(program.passes[pass.use].calls, calls) << "pass " << pass.use;
        const bool counts_transforms = is_transform(pass.codelet->kind);
        counts[pass.use] = calls * pass.args.axes[0].count * pass.args.axes[1].count * (counts_transforms ? pass.args.lanes : 1);
      });
      return counts;
    };
    EXPECT_EQ(positions(made_after(one, "place")), positions(made(one))) << one.name;
  });
}

}  // namespace
}  // namespace ulpfft::test

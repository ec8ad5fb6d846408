// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Faults of programs are found: those of views by the result or the verifier, those of structure, places and shares by the verifier.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "planner/lower/pipeline.h"
#include "planner/program/check.h"
#include "planner/program/print.h"
#include "tests/planner/complex_definition.h"
#include "tests/planner/made_program.h"

namespace ulpfft::test {
namespace {

// What could be wrong in one view.
constexpr std::int64_t View::*kFields[] = {&View::offset,    &View::point_stride, &View::lane_stride,
                                           &View::im_offset, &View::wrap,         &View::number_stride};

TEST(Mutants, OfViewsAreFoundWhereTheTextShowsThem) {
  const Asked bases[] = {asked("1000 f32 centered", "f32:dit(8 5 / 5 5)", "ref"),
                         asked("96*2 f64", "f64:dit(6 4 4)", "ref"),
                         asked("240 f64 centered", "f64:four(16x15 p5; n16; dit(5 3))", "ref"),
                         asked("20x12 f32 inplace", "f32:rank(cols(p5; dit(5 4)); dit(4 3))", "ref"),
                         asked("23 f32", "f32:rader(23; dit(8 8))", "ref"),
                         asked("31 f64 split", "f64:bluestein(31; 64; dit(8 8))", "ref"),
                         asked("256 f32", "f32:four(16x16 p8 |f16; n16; dit(4 4))", "ref"),
                         asked("32x64 f32", "f32:rank(|bf16; cols(p16; n32); dit(8 8))", "ref")};
  std::size_t mutants = 0;
  for (const Asked& base : bases) {
    const Program sound = made(base);
    const std::string text = print_program(sound);
    for (std::size_t number = 0; number < sound.passes.size(); ++number) {
      for (const bool output : {false, true}) {
        for (const auto field : kFields) {
          Program mutant = sound;
          each_pass(mutant.body, [&](Pass& pass) {
            if (pass.use != number) return;
            // The stride between outputs of a first pass only says whether they lie side by side. One point has the row 0.
            if (pass.codelet->kind == PassKind::kFirst && output && field == &View::lane_stride) return;
            if (pass.codelet->kind == PassKind::kGather && pass.args.lanes == 1 && field == &View::point_stride) return;
            View& view = output ? pass.args.out : pass.args.in;
            if (field == &View::number_stride && view.number_stride == 0) return;  // of narrow arrays under numbered loops
            view.*field += 2;
          });
          const std::string mutant_text = print_program(mutant);
          if (mutant_text == text) continue;
          ++mutants;
          EXPECT_TRUE(!check_program(mutant, &base.problem).empty() || !computes_the_transform(mutant, base.problem))
              << base.name << "\n"
              << mutant_text;
        }
      }
    }
  }
  EXPECT_GT(mutants, 200U);
}

// The first item of a kind, wherever it is.
template <typename T>
std::pair<std::vector<Item>*, std::size_t> find_item(std::vector<Item>& body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (std::holds_alternative<T>(body[i])) return {&body, i};
    if (body[i].loop() == nullptr) continue;
    if (const auto found = find_item<T>(body[i].loop()->body); found.first != nullptr) return found;
  }
  return {nullptr, 0};
}

struct Mutant {
  const char* what;
  const char* stage;
  std::function<void(Program&)> change;
  const char* fault;  // words of the sentence
};

TEST(Mutants, OfStructureAreFoundByTheVerifier) {
  const Asked base = asked("1000*3 f32", "f32:dit(8 5 5 5)", "ref");
  const auto loop_of = [](Program& program) -> Loop& { return *program.body[0].loop(); };
  const auto passes_of = [](Loop& loop) {
    std::vector<std::size_t> passes;
    for (std::size_t i = 0; i < loop.body.size(); ++i) {
      if (loop.body[i].pass() != nullptr) passes.push_back(i);
    }
    return passes;
  };
  const Mutant mutants[] = {
      {"a Take is missing", "expand",
       [&](Program& p) {
         const auto [body, at] = find_item<Take>(p.body);
         body->erase(body->begin() + static_cast<std::ptrdiff_t>(at));
       },
       "not taken"},
      {"the first two passes change places", "expand",
       [&](Program& p) {
         Loop& loop = loop_of(p);
         std::swap(loop.body[passes_of(loop)[0]], loop.body[passes_of(loop)[1]]);
       },
       "nothing has written"},
      {"the last pass is missing", "expand",
       [&](Program& p) {
         Loop& loop = loop_of(p);
         loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(passes_of(loop).back()));
       },
       "never written"},
      {"the array of all iterations is one", "expand",
       [&](Program& p) {
         const auto [body, at] = find_item<Take>(p.body);
         const Item take = (*body)[at];
         body->erase(body->begin() + static_cast<std::ptrdiff_t>(at));
         p.body.insert(p.body.begin(), take);
       },
       "another iteration"},
      {"a loop leaves the output where it is", "expand",
       [&](Program& p) {
         for (auto& [array, by] : loop_of(p).moves) by = array == ArrayId::kOut ? 0 : by;
       },
       "another iteration"},
      {"a work array is too short", "expand", [](Program& p) { p.arrays[0].reals -= 2; }, "outside the array"},
      {"a table does not exist", "expand", [&](Program& p) { p.tables.clear(); }, "does not exist"},
      {"an array begins before the workspace", "place", [](Program& p) { p.arrays[0].offset = -16; }, "beyond the workspace"},
      {"the workspace is too small", "share", [](Program& p) { p.workspace_bytes -= 64; }, "beyond the workspace"},
  };
  for (const Mutant& mutant : mutants) {
    Program program = made_after(base, mutant.stage);
    ASSERT_EQ(check_program(program, &base.problem), "");
    mutant.change(program);
    EXPECT_NE(check_program(program, &base.problem).find(mutant.fault), std::string::npos)
        << mutant.what << ": " << check_program(program, &base.problem);
  }
}

TEST(Mutants, OfPlacesAndSharesAreFoundByTheVerifier) {
  const Asked base = asked("256*2 f32", "f32:four(16x16 p4; n16; dit(4 4))", "ref");
  Program program = made_after(base, "place");
  ASSERT_EQ(check_program(program, &base.problem), "");
  Program overlapping = program;
  overlapping.arrays[1].offset = overlapping.arrays[0].offset + 8;
  EXPECT_NE(check_program(overlapping, &base.problem).find("overlaps"), std::string::npos);
  Program one_slot = program;
  one_slot.arrays[1].slot = one_slot.arrays[0].slot;
  EXPECT_NE(check_program(one_slot, &base.problem).find("slot"), std::string::npos);

  // Groups of a dit come one after another: what the first group of all blocks writes, a loop over blocks reads.
  const Asked grouped = asked("64 f32", "f32:dit(4 4 / 4)", "ref");
  Program sequential = made_after(grouped, "share");
  ASSERT_EQ(check_program(sequential, &grouped.problem), "");
  Loop loop;
  loop.count = 2;
  loop.parallel = false;
  loop.body = sequential.body;
  sequential.body = {loop};
  EXPECT_EQ(check_program(sequential, &grouped.problem), "") << "to do it twice is no fault";
  sequential.body[0].loop()->parallel = true;
  EXPECT_NE(check_program(sequential, &grouped.problem).find("another iteration"), std::string::npos)
      << check_program(sequential, &grouped.problem);
}

}  // namespace
}  // namespace ulpfft::test

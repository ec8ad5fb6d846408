// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Faults of how narrow ends are converted are found, by the result or by the verifier.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
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

// A copy of what `shared` points to, which takes its place.
template <typename T>
T& own(std::shared_ptr<const T>& shared) {
  auto copy = std::make_shared<T>(*shared);
  T& mutable_copy = *copy;
  shared = std::move(copy);
  return mutable_copy;
}

struct NarrowMutant {
  const char* what;
  std::function<bool(Program&, Pass&)> change;  // false: the pass has nothing of the kind
  bool of_numbers = false;                      // it shows in a second iteration of a numbered loop
};

// Fields that are 0 are not in use, but for the beginning of an array.
bool add_to(std::int64_t& field, std::int64_t by = 1) {
  if (field == 0) return false;
  field += by;
  return true;
}

NarrowMutant of_panel(const char* what, bool output, std::function<bool(StagedPanel&)> change, bool of_numbers) {
  return {what, [output, change](Program&, Pass& pass) {
            auto* const staged = std::get_if<StagedPass>(&pass.op);
            if (staged == nullptr) return false;
            auto& panel = (output ? staged->out : staged->in).panel;
            return panel != nullptr && change(own(panel));
          },
          of_numbers};
}
NarrowMutant of_line(const char* what, std::function<bool(StagedLine&)> change) {
  return {what, [change](Program&, Pass& pass) {
            auto* const staged = std::get_if<StagedPass>(&pass.op);
            return staged != nullptr && staged->in.line != nullptr && change(own(staged->in.line));
          }};
}
NarrowMutant of_group(const char* what, std::function<bool(StoredRows&)> change) {
  return {what, [change](Program& program, Pass& pass) {
            auto* const group = std::get_if<ConvertGroup>(&pass.op);
            if (group == nullptr) return false;
            auto copy = std::make_shared<StoredRows>(*group->rows);
            if (!change(*copy)) return false;
            group->rows = copy.get();
            program.stored_rows.push_back(std::move(copy));
            return true;
          }};
}
NarrowMutant of_blocks(const char* what, std::function<bool(BlockRows&)> change) {
  return {what, [change](Program& program, Pass& pass) {
            auto* const compute = std::get_if<Compute>(&pass.op);
            if (compute == nullptr || compute->blocks == nullptr) return false;
            auto copy = std::make_shared<BlockRows>(*compute->blocks);
            if (!change(*copy)) return false;
            compute->blocks = copy.get();
            program.block_rows.push_back(std::move(copy));
            return true;
          }};
}

std::vector<NarrowMutant> narrow_mutants() {
  std::vector<NarrowMutant> mutants;
  for (const bool output : {false, true}) {
    const auto add = [&](const char* what, std::function<bool(StagedPanel&)> change, bool of_numbers = false) {
      mutants.push_back(of_panel(what, output, std::move(change), of_numbers));
    };
    add("a panel begins a byte later", [](StagedPanel& p) { return ++p.origin.codes, true; });
    add("its scales begin a byte later", [](StagedPanel& p) {
      return p.array.storage.scale != nullptr && (++p.origin.scales, true);
    });
    add("the next panel is a byte further", [](StagedPanel& p) { return add_to(p.number.codes); }, true);
    add("the next panel's scales are a byte further", [](StagedPanel& p) { return add_to(p.number.scales); }, true);
    add("the next position is a byte further", [](StagedPanel& p) { return add_to(p.step.codes); });
    add("the next position's scales are a byte further", [](StagedPanel& p) { return add_to(p.step.scales); });
    add("the next point is a byte further", [](StagedPanel& p) { return add_to(p.point.codes); });
    add("the next point's scales are a byte further", [](StagedPanel& p) { return add_to(p.point.scales); });
    add("it has more to skip", [](StagedPanel& p) { return add_to(p.skip, 2); });
    add("its tile is read elsewhere", [](StagedPanel& p) { return add_to(p.tile_offset, 2); });
  }
  const auto wraps = [](const char* what, std::int64_t NarrowPlace::*field) {
    return NarrowMutant{what, [field](Program&, Pass& pass) {
                          auto* const staged = std::get_if<StagedPass>(&pass.op);
                          if (staged == nullptr || staged->in.panel == nullptr) return false;
                          if (pass.args.in.wrap_point >= staged->in.panel->radix) return false;
                          return add_to(own(staged->in.panel).wrap.*field);
                        }};
  };
  mutants.push_back(wraps("a panel wraps a byte further", &NarrowPlace::codes));
  mutants.push_back(wraps("its scales wrap a byte further", &NarrowPlace::scales));
  mutants.push_back(of_panel("it converts what it looks at, or the other way round", true,
                             [](StagedPanel& p) { return p.array.user && (p.looks = !p.looks, true); }, false));
  mutants.push_back(of_line("a line begins a point later", [](StagedLine& l) { return ++l.begin, true; }));
  mutants.push_back(of_line("columns are a point further", [](StagedLine& l) { return add_to(l.columns); }));
  mutants.push_back(of_line("it wraps a point later", [](StagedLine& l) { return l.wrap_point < l.radix && (++l.wrap_point, true); }));
  mutants.push_back(of_line("it wraps a point further", [](StagedLine& l) { return l.wrap_point < l.radix && (++l.points, true); }));
  mutants.push_back(of_line("a tile has a column less", [](StagedLine& l) { return l.tiles > 1 && (--l.chunk, true); }));
  mutants.push_back(of_group("a group begins a byte later", [](StoredRows& r) { return ++r.origin.codes, true; }));
  mutants.push_back(of_group("scales of a group begin a byte later", [](StoredRows& r) {
    return r.storage.scale != nullptr && (++r.origin.scales, true);
  }));
  mutants.push_back(of_group("rows are further apart", [](StoredRows& r) {
    return (r.transforms > 1 || r.transform_points > r.row_points) && add_to(r.row_step, 2);
  }));
  mutants.push_back(of_group("rows of codes are further apart", [](StoredRows& r) {
    return r.loops.back().count > 1 && add_to(r.loops.back().step.codes);
  }));
  mutants.push_back(of_group("rows of scales are further apart", [](StoredRows& r) {
    return r.loops.back().count > 1 && add_to(r.loops.back().step.scales);
  }));
  mutants.push_back(of_group("codes are further apart", [](StoredRows& r) { return r.code_stride > 1 && (++r.code_stride, true); }));
  mutants.push_back(of_group("a piece is shorter", [](StoredRows& r) { return r.pieces > 1 && (r.piece_points /= 2, true); }));
  mutants.push_back(of_group("a line lies a point further", [](StoredRows& r) { return add_to(r.shift); }));
  mutants.push_back(of_group("planes are further apart", [](StoredRows& r) { return r.im_offset != 1 && (++r.im_offset, true); }));
  mutants.push_back(of_group("exponents are those of another", [](StoredRows& r) { return ++r.exponent_offset, true; }));
  mutants.push_back(of_group("a prescale is not undone", [](StoredRows& r) {
    return r.prescale_target != 0 && (r.undo_offset += 4, true);
  }));
  mutants.push_back(of_blocks("scales of a row begin a byte later", [](BlockRows& b) { return ++b.scale_offset, true; }));
  mutants.push_back(of_blocks("blocks are twice as long", [](BlockRows& b) { return ++b.shift, true; }));
  return mutants;
}

TEST(Mutants, OfConversionsAreFound) {
  const std::string best = registered_targets()[0].table.target;
  const Asked bases[] = {asked("50*12 mxint8 centered", "f32:dit(10 5)", "ref"),
                         asked("60*3 e2m3 split inverse", "f32:dit(15 4)", "ref"),
                         asked("100*5 mxfp4_e2m1:b8 prescale=amax", "f32:dit(10 10)", "ref"),
                         asked("9*10 f16->f64 in_strides=30 out_strides=10 batch_strides=3,1", "f64:n9", "ref"),
                         asked("600*2 mxfp6_e2m3 prescale=amax centered", "f32:dit(15 8 5)", "ref"),
                         asked("512 mxfp4_e2m1:b8 centered", "f32:four(16x32 p8; n16; dit(8 4))", "ref"),
                         asked("240 f32 centered", "f32:four(15x16 p5 |mxint8; dit(5 3); n16)", "ref"),
                         asked("480*2 f32", "f32:four(20x24 p16 stream |mxint8:b8; dit(5 4); dit(6 4))", "ref"),
                         asked("24x48 mxint8:b16 inverse", "f32:rank(|mxint8:b16; cols(p16 stream; dit(6 4)); dit(8 6 stream))", "ref"),
                         asked("1024 mxint8 centered", "f32:dit(16 8 8)", best),
                         asked("512*3 mxfp8_e4m3->f32", "f32:dit(16 8 4 decode)", best)};
  std::size_t mutants = 0, by_verifier = 0;
  for (const Asked& base : bases) {
    const Program sound = made(base);
    ASSERT_TRUE(computes_the_transform(sound, base.problem)) << base.name;
    std::set<std::size_t> numbered;
    std::vector<const Loop*> around;
    visit_passes(sound.body, around, [&](const Pass& pass, const std::vector<const Loop*>& loops) {
      const auto counts = [](const Loop* loop) { return loop->numbered && loop->count > 1; };
      if (std::any_of(loops.begin(), loops.end(), counts)) numbered.insert(pass.use);
    });
    for (std::size_t number = 0; number < sound.passes.size(); ++number) {
      for (const NarrowMutant& one : narrow_mutants()) {
        if (one.of_numbers && numbered.count(number) == 0) continue;
        Program mutant = sound;
        bool changed = false;
        each_pass(mutant.body, [&](Pass& pass) { changed = (pass.use == number && one.change(mutant, pass)) || changed; });
        if (!changed) continue;
        ++mutants;
        const bool is_fault = !check_program(mutant, &base.problem).empty();
        by_verifier += is_fault ? 1 : 0;
        EXPECT_TRUE(is_fault || !computes_the_transform(mutant, base.problem))
            << one.what << ", pass " << number << " of " << base.name << "\n"
            << print_program(mutant);
      }
    }
  }
  EXPECT_GT(mutants, 100U);
  EXPECT_GT(3 * by_verifier, mutants) << mutants;  // the others move numbers of work arrays, exponents, or what a tile holds
}

}  // namespace
}  // namespace ulpfft::test

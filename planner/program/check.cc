// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/check.h"

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "codelets/registry.h"
#include "planner/program/butterflies.h"
#include "planner/program/caller_memory.h"
#include "planner/program/narrow_runs.h"
#include "planner/program/print.h"
#include "planner/system/poll.h"

namespace ulpfft {
namespace {

struct Fault {
  std::string sentence;
};

[[noreturn]] void fail(const std::string& sentence) { throw Fault{sentence}; }

// ---- what needs no run

class Structure {
 public:
  explicit Structure(const Program& program) : program_(program), real_(static_cast<std::int64_t>(real_bytes(program.compute))) {}

  void check() { check_body(program_.body); }

 private:
  void check_body(const std::vector<Item>& body) {
    for (const Item& item : body) {
      if (const Pass* pass = item.pass()) {
        check_pass(*pass);
      } else if (const Loop* loop = item.loop()) {
        if (loop->when == When::kIfExponents) check_search(*loop);
        if (loop->count < 1) fail("A loop runs " + std::to_string(loop->count) + " times.");
        check_body(loop->body);
      } else if (const Take* take = std::get_if<Take>(&item)) {
        check_take(take->array);
      } else {
        const ArrayId first = std::get<Release>(item).first;
        std::erase_if(live_, [&](ArrayId id) { return id >= first; });
      }
    }
  }

  void check_pass(const Pass& pass) {
    if (pass.codelet == nullptr) fail("A pass has no codelet.");
    const std::string name = name_of(*pass.codelet);
    if (pass.table >= static_cast<int>(program_.tables.size()))
      fail("A pass, " + name + ", reads table t" + std::to_string(pass.table) + ", which does not exist.");
    if (pass.rows >= static_cast<int>(program_.rows.size()))
      fail("A pass, " + name + ", reads rows r" + std::to_string(pass.rows) + ", which do not exist.");
    if (pass.use >= program_.passes.size()) fail("A pass, " + name + ", has no use.");
  }

  void check_search(const Loop& loop) const {
    const Pass* const first = loop.body.empty() ? nullptr : loop.body.front().pass();
    if (first == nullptr || !std::holds_alternative<FindExponent>(first->op))
      fail("A loop that runs where the output has exponents does not begin by finding them.");
  }

  const Array& array(ArrayId id) const {
    const auto index = static_cast<std::size_t>(id) - static_cast<std::size_t>(ArrayId::kFirstWork);
    if (!is_work(id) || index >= program_.arrays.size()) fail("An array is taken that the program does not have.");
    return program_.arrays[index];
  }

  // Placed arrays that live at once lie apart.
  void check_take(ArrayId id) {
    const Array& taken = array(id);
    if (program_.workspace_bytes != 0) {
      const auto end = [&](const Array& one) { return one.offset + one.reals; };
      if (taken.offset < 0 || end(taken) * real_ > static_cast<std::int64_t>(program_.workspace_bytes))
        fail(name_of(id) + " reaches beyond the workspace.");
      for (const ArrayId other : live_) {
        const Array& one = array(other);
        if (taken.offset < end(one) && one.offset < end(taken)) fail(name_of(id) + " overlaps " + name_of(other) + ", which lives.");
        if (taken.slot == one.slot) fail(name_of(id) + " has the slot of " + name_of(other) + ", which lives.");
      }
    }
    live_.push_back(id);
  }

  const Program& program_;
  const std::int64_t real_;
  std::vector<ArrayId> live_;
};

// ---- the run

class Run {
 public:
  Run(const Program& program, const Problem* problem)
      : program_(program),
        real_(static_cast<std::int64_t>(real_bytes(program.compute))),
        moved_(first_work() + program.arrays.size()) {
    work_.resize(program.arrays.size());
    if (problem != nullptr) caller_ = std::make_unique<CallerMemory>(program, *problem);
  }

  void run() {
    run_body(program_.body);
    if (caller_ == nullptr || program_.passes.empty()) return;
    if (const std::string sentence = caller_->unwritten(); !sentence.empty()) fail(sentence);
  }

 private:
  static constexpr std::size_t first_work() { return static_cast<std::size_t>(ArrayId::kFirstWork); }
  static std::size_t index_of(ArrayId id) { return static_cast<std::size_t>(id); }

  static bool is_caller(ArrayId id) { return id == ArrayId::kIn || id == ArrayId::kOut; }
  // Null: the array is not looked at.
  const CallerMemory::Touched* side_of(ArrayId id) const {
    if (caller_ == nullptr || !is_caller(id)) return nullptr;
    const CallerMemory::Touched& side = caller_->side(id == ArrayId::kOut);
    return side.numbers[0] == nullptr ? nullptr : &side;
  }

  // ---- arrays as passes see them

  // Null: it is not looked at.
  CheckedMemory* memory_of(ArrayId id, int part) {
    if (const CallerMemory::Touched* side = side_of(id); side != nullptr && !side->has_codes) return side->numbers[part].get();
    if (!is_work(id)) return nullptr;
    require_live(id);
    return work_[index_of(id) - first_work()].get();
  }

  void require_live(ArrayId id) const {
    if (!is_work(id)) return;
    const std::size_t index = index_of(id) - first_work();
    if (index >= work_.size()) fail(where_ + " uses an array that the program does not have.");
    if (work_[index] == nullptr) fail(where_ + " uses " + name_of(id) + ", which is not taken or no longer lives.");
  }

  // How far loops have moved a view on, in reals.
  std::int64_t shift_of(const View& view) const {
    const ArrayId id = view.array;
    if (narrow_rows(program_, id) != nullptr) return number_ * view.number_stride;
    const CallerMemory::Touched* const side = side_of(id);
    return moved_[index_of(id)] / (side != nullptr ? side->unit : real_);
  }

  [[noreturn]] void refuse(AccessFault fault, bool writes, ArrayId id, std::int64_t at) const {
    const std::string place = name_of(id) + "[" + std::to_string(at) + "]", does = where_ + (writes ? " writes " : " reads ") + place;
    switch (fault) {
      case AccessFault::kOutside: fail(does + ", outside the array.");
      case AccessFault::kGap: fail(does + ", which is no element of the array.");
      case AccessFault::kUnwritten: fail(does + ", which nothing has written.");
      case AccessFault::kOverwritten: fail(does + ", which was written over by way of another array.");
      default: fail(does + ", which another iteration of a parallel loop touches.");
    }
  }

  // `exchanges`: View::swap does, where it is set.
  void touch(const View& view, const Number& number, bool writes, bool exchanges = true) {
    if (is_caller(view.array) && !(view.array == ArrayId::kOut ? program_.out : program_.in).format.empty()) {
      touch_code(view, number.re, writes);
      return touch_code(view, number.im, writes);
    }
    const bool split = view.layout == Layout::kSplit;
    const std::int64_t shift = shift_of(view);
    for (int i = 0; i < (number.im == kNoPart ? 1 : 2); ++i) {
      const int part = split ? (i == 0) == (exchanges && view.swap) : 0;
      CheckedMemory* const memory = memory_of(view.array, part);
      if (memory == nullptr) return;
      const std::int64_t at = (i == 0 ? number.re : number.im) + shift;
      const AccessFault fault = writes ? memory->write(at, view.array, levels_) : memory->read(at, view.array, levels_);
      if (fault != AccessFault::kNone) refuse(fault, writes, view.array, at);
    }
  }

  void access(CheckedMemory& memory, ArrayId id, std::int64_t at, bool writes) {
    const AccessFault fault = writes ? memory.write(at, id, levels_) : memory.read(at, id, levels_);
    if (fault != AccessFault::kNone) refuse(fault, writes, id, at);
  }

  // A codelet that converts reads or writes this code.
  void touch_code(const View& view, std::int64_t code, bool writes) {
    const CallerMemory::Touched* const side = side_of(view.array);
    if (side == nullptr) return;
    NarrowReal real;
    real.bit = code * side->storage.element->bits;
    if (blocks_ != nullptr && !writes) {
      const std::int64_t behind = code - view.offset;
      real.scale = blocks_->scale_offset + behind / blocks_->row_bytes * blocks_->row_scale_bytes;
      real.scale += behind % blocks_->row_bytes >> blocks_->shift;
    }
    touch_run(view.array, {0, {real}, 0}, {}, writes);
  }

  // Codes and scales of the caller, `at` bytes on from where loops have moved.
  void touch_run(ArrayId id, const NarrowRun& run, const NarrowPlace& at, bool writes) {
    const CallerMemory::Touched* const side = side_of(id);
    if (side == nullptr || !side->has_codes) return;
    const ArrayId scales = id == ArrayId::kOut ? ArrayId::kOutScales : ArrayId::kInScales;
    const std::int64_t codes_at = 8 * (moved_[index_of(id)] + at.codes), scales_at = moved_[index_of(scales)] + at.scales;
    CheckedMemory& numbers = *side->numbers[run.part];
    std::int64_t block = kNoScale;
    for (const NarrowReal& real : run.reals) {
      access(numbers, id, (real.bit + codes_at) / side->unit, writes);
      if (real.scale != block) access(*side->scales[run.part], id, (block = real.scale) + scales_at, writes);
    }
    for (std::int64_t bit = run.end; writes && bit % 8 != 0; ++bit) {
      const std::int64_t place = (bit + codes_at) / side->unit;
      if (!numbers.is_outside(place) && numbers.is_written(place, id)) refuse(AccessFault::kOverwritten, true, id, place);
    }
  }

  // Whole vectors reach there. What is written so is nobody's number.
  void touch_along(const View& view, const Number& number, bool writes) {
    CheckedMemory* const memory = memory_of(view.array, 0);
    if (memory == nullptr) return;
    for (const std::int64_t real : {number.re, number.im}) {
      const std::int64_t at = real + shift_of(view);
      if (memory->is_outside(at)) refuse(AccessFault::kOutside, writes, view.array, at);
      if (!writes) continue;
      if (const AccessFault fault = memory->write(at, view.array, levels_); fault != AccessFault::kNone)
        refuse(fault, true, view.array, at);
      memory->set_unwritten(at);
    }
  }

  // ---- passes

  struct Looks {
    bool in = true, out = true;
  };

  void run_codelet(const Pass& pass, const Looks& looks) {
    const PassRow& row = row_of(pass.codelet->kind);
    if (pass.args.in.swap && row.in.swap == PassSwap::kNone) fail(where_ + " swaps its input, which this kind of pass does not.");
    if (pass.args.out.swap && row.out.swap == PassSwap::kNone) fail(where_ + " swaps its output, which this kind of pass does not.");
    const std::vector<std::uint32_t>* const rows = rows_of(pass);
    const bool parallel = pass.parallel && looks.in && looks.out;
    if (parallel) levels_.push_back({iterations_ + 1, 0});
    for (std::int64_t position = 0; position < pass.args.axes[0].count; ++position) {
      if (parallel) levels_.back().now = ++iterations_;
      visit_groups(program_, pass, rows, position, [&](const Group& group) { touch_group(pass, looks, group); });
    }
    if (parallel) levels_.pop_back();
  }

  void touch_group(const Pass& pass, const Looks& looks, const Group& group) {
    const View &in = pass.args.in, &out = pass.args.out;
    const bool exchanges = !is_of_real_transform(pass.codelet->kind) && !is_of_r2r_transform(pass.codelet->kind);
    if (looks.in) {
      for (const Butterfly& butterfly : group.butterflies) {
        for (const Number& number : butterfly.in) touch(in, number, false, exchanges);
      }
      for (const Number& number : group.read_along) touch_along(in, number, false);
    }
    if (!looks.out) return;
    for (const Number& number : group.written_along) touch_along(out, number, true);
    for (const Butterfly& butterfly : group.butterflies) {
      for (const Number& number : butterfly.out) touch(out, number, true, exchanges);
      for (const auto& [point, number] : butterfly.again) touch(out, number, true);
    }
  }

  const std::vector<std::uint32_t>* rows_of(const Pass& pass) {
    if (pass.rows < 0) return nullptr;
    auto [known, is_new] = rows_.try_emplace(pass.rows);
    if (is_new) known->second = make_row_list(program_.rows[static_cast<std::size_t>(pass.rows)], poll_);
    return &known->second;
  }

  void run_pass(const Compute& op, const Pass& pass) {
    blocks_ = op.blocks;
    run_codelet(pass, {op.line == nullptr, true});
  }

  // A narrow array of the workspace is addressed as if it held reals, one of the caller as its codes lie.
  void run_pass(const StagedPass& op, const Pass& pass) {
    for (const StagedEnd* end : {&op.in, &op.out}) {
      if (end->panel == nullptr) continue;
      require_live(end->codes);
      require_live(end->tile);
    }
    if (op.in.line != nullptr) {
      for (std::int64_t tile = 0; tile < pass.extent; ++tile)
        visit_tile_runs(*op.in.line, tile, [&](const NarrowRun& run) { touch_run(ArrayId::kIn, run, {}, false); });
    }
    if (op.in.panel != nullptr && is_caller(op.in.codes)) touch_panel(op.in, pass, false);
    run_codelet(pass, {op.in.line == nullptr, true});
    if (op.out.panel != nullptr && is_caller(op.out.codes) && !op.out.panel->looks) touch_panel(op.out, pass, true);
  }

  void touch_panel(const StagedEnd& end, const Pass& pass, bool writes) {
    const StagedPanel& panel = *end.panel;
    const bool rows = is_conversion(pass.codelet->kind);
    const std::int64_t positions = rows ? panel.chunk : pass.args.axes[writes ? 1 : 0].count;
    for (std::int64_t a = 0; a < positions; ++a) {
      for (std::int64_t j = 0; j < (rows ? 1 : panel.radix); ++j) {
        const NarrowPlace at = panel_place(panel, writes ? pass.args.out : pass.args.in, a, j);
        const std::int64_t codes = panel.array.codes(panel.skip + 2 * pass.args.lanes);
        touch_run(end.codes, run_of_row(panel.array.storage, at, codes, 0), panel.number * number_, writes);
      }
    }
  }

  // `numbers` interleaved numbers of an array from a real on.
  void touch_dense(ArrayId id, std::int64_t from, std::int64_t numbers, bool reads, bool writes) {
    View view;
    view.array = id;
    for (std::int64_t i = 0; i < numbers; ++i) {
      const Number number{from + 2 * i, from + 2 * i + 1};
      if (reads) touch(view, number, false);
      if (writes) touch(view, number, true);
    }
  }

  void run_pass(const ConvertGroup& op, const Pass& pass) {
    using Work = ConvertGroup::Work;
    const StoredRows& rows = *op.rows;
    const ArrayId work = rows.output ? pass.args.in.array : pass.args.out.array;
    require_live(work);
    if (op.work == Work::kApplyExponents || op.work == Work::kChooseExponents || op.work == Work::kFitKept) return touch_group(rows, work);
    const bool finds = op.work == Work::kFindPrescale, decodes = op.work == Work::kDecode;
    const auto touch_both = [&](const NarrowRun& run) {
      touch_run(rows.output ? ArrayId::kOut : ArrayId::kIn, run, {}, rows.output);
      for (const NarrowReal& real : run.reals) {
        if (!finds) access(*memory_of(work, 0), work, real.real + moved_[index_of(work)] / real_, decodes);
      }
    };
    levels_.push_back({iterations_ + 1, 0});
    for (std::int64_t unit = 0; unit < (finds ? rows.pieces : pass.extent); ++unit) {
      levels_.back().now = ++iterations_;
      if (op.work == Work::kEncodeKept) visit_kept_runs(rows, unit, touch_both);
      else visit_stored_runs(rows, unit, touch_both);
    }
    levels_.pop_back();
  }

  // The reals of a group, which are multiplied.
  void touch_group(const StoredRows& rows, ArrayId work) {
    View view;
    view.array = work;
    for (std::int64_t i = 0; i < rows.transforms * rows.transform_points; ++i) {
      std::int64_t re = rows.work_offset + i / rows.row_points * rows.row_step + i % rows.row_points * rows.element_reals;
      if (rows.im_offset != 1) re = rows.work_offset + i;
      const Number number{re, rows.element_reals == 1 ? kNoPart : re + rows.im_offset};
      touch(view, number, false);
      touch(view, number, true);
    }
  }

  void run_pass(const RoundStage& op, const Pass& pass) {
    const RoundedStage& stage = *op.stage;
    const View& work = pass.args.in;
    for (const bool writes : {false, true}) {
      for (const std::int64_t column : stage.columns) {
        for (std::int64_t row = 0; row * stage.row_points < stage.points; ++row) {
          for (const RoundedStage::Place& place : stage.places) {
            const std::int64_t at = work.offset + column + row * stage.row_stride + place.offset;
            touch(work, {at, at + work.im_offset}, writes);
          }
        }
      }
    }
  }

  void run_pass(const FindExponent&, const Pass&) {}

  void run_pass(const Spectrum&, const Pass& pass) {
    for (std::int64_t a = 0; a < pass.extent; ++a) {
      touch_dense(pass.args.in.array, pass.args.in.offset + a * pass.args.axes[0].in_stride, pass.args.lanes, true, true);
    }
  }

  void run_pass(const MxProducts& op, const Pass& pass) {
    const View &in = pass.args.in, &out = pass.args.out;
    const std::int64_t numbers = op.radix * op.butterflies;
    for (std::int64_t i = 0; i < numbers; ++i) {
      const std::int64_t re = in.offset + i * (in.planar ? 1 : 2);
      const Number number{re, in.layout == Layout::kSplit ? re : re + in.im_offset};
      touch(in, number, false);
    }
    touch_dense(out.array, out.offset, numbers, false, true);
  }

  void run_pass(const SplitProducts& op, const Pass& pass) {
    const std::int64_t lines = pass.args.axes[op.finds_norms ? 0 : 1].count;
    const auto touch_lines = [&](const View& view, std::int64_t step, bool writes) {
      for (std::int64_t line = 0; line < lines; ++line) {
        for (std::int64_t i = 0; i < op.points; ++i) {
          const std::int64_t re = view.offset + line * step + i * view.point_stride + (i >= view.wrap_point ? view.wrap : 0);
          touch(view, {re, view.layout == Layout::kSplit ? re : re + view.im_offset}, writes);
        }
      }
    };
    const auto touch_norms = [&](std::int64_t at, std::int64_t of_line, bool writes) {
      View norms;
      norms.array = op.norms;
      for (std::int64_t i = 0; i < lines * of_line; ++i) touch(norms, {at + i, at + i}, writes);
    };
    touch_lines(pass.args.in, pass.args.axes[op.finds_norms ? 0 : 1].in_stride, false);
    touch_norms(op.norms_in, op.norms_read, false);
    if (!op.finds_norms) touch_lines(pass.args.out, pass.args.axes[1].out_stride, true);
    touch_norms(op.norms_out, op.norms_written, true);
  }

  // Transforms of a launch run at the same time; each reads all that it writes before.
  void run_pass(const Launch& op, const Pass& pass) {
    levels_.push_back({iterations_ + 1, 0});
    const auto place = [&](const LaunchEnd& end, std::int64_t j) { return (j + end.shift) % pass.extent * end.point_stride; };
    const auto run = [&](const auto& self, std::size_t i, std::int64_t in, std::int64_t out) -> void {
      if (i == op.loops.size()) {
        levels_.back().now = ++iterations_;
        for (std::int64_t j = 0; j < pass.extent; ++j) touch_dense(op.in.array, 2 * (in + place(op.in, j)), 1, true, false);
        for (std::int64_t j = 0; j < pass.extent; ++j) touch_dense(op.out.array, 2 * (out + place(op.out, j)), 1, false, true);
        return;
      }
      const LaunchLoop& loop = op.loops[i];
      for (std::int64_t k = 0; k < loop.count; ++k) self(self, i + 1, in + k * loop.in_stride, out + k * loop.out_stride);
    };
    run(run, 0, op.in.offset, op.out.offset);
    levels_.pop_back();
  }

  // ---- the body

  void run_body(const std::vector<Item>& body) {
    for (const Item& item : body) {
      if (const Pass* pass = item.pass()) {
        where_ = "Pass " + std::to_string(pass->use) + ", " + name_of(*pass->codelet) + ",";
        require_live(pass->args.in.array);
        require_live(pass->args.out.array);
        std::visit([&](const auto& op) { run_pass(op, *pass); }, pass->op);
      } else if (const Loop* loop = item.loop()) {
        run_loop(*loop);
      } else if (const Take* take = std::get_if<Take>(&item)) {
        this->take(take->array);
      } else {
        for (std::size_t i = index_of(std::get<Release>(item).first) - first_work(); i < work_.size(); ++i) work_[i] = nullptr;
      }
    }
  }

  void take(ArrayId id) {
    const std::size_t index = index_of(id) - first_work();
    const std::int64_t reals = addressed_reals(program_.arrays[index], program_.compute);
    work_[index] = std::make_shared<CheckedMemory>(0, reals, levels_.size());
    moved_[index_of(id)] = 0;
    const CallerMemory::Touched* const out = side_of(ArrayId::kOut);
    if (!program_.work_may_be_out || index != 0 || out == nullptr || out->has_codes) return;
    const std::shared_ptr<CheckedMemory>& numbers = out->numbers[0];
    if (numbers->is_outside(0) || numbers->is_outside(reals - 1)) fail("The output is shorter than w0, which it may serve as.");
    work_[index] = numbers;
  }

  void run_loop(const Loop& loop) {
    const std::vector<std::int64_t> before = moved_;
    const std::int64_t number_before = number_;
    if (loop.parallel) levels_.push_back({iterations_ + 1, 0});
    for (std::int64_t i = 0; i < loop.count; ++i) {
      if (loop.numbered) number_ = i;
      if (loop.parallel) levels_.back().now = ++iterations_;
      run_body(loop.body);
      for (const auto& [array, bytes] : loop.moves) moved_[index_of(array)] += bytes;
    }
    if (loop.parallel) levels_.pop_back();
    moved_ = before;
    number_ = number_before;
    // What an iteration takes ends with it.
    for (const Item& item : loop.body) {
      if (const Take* take = std::get_if<Take>(&item)) work_[index_of(take->array) - first_work()] = nullptr;
    }
  }

  const Program& program_;
  const std::int64_t real_;
  std::unique_ptr<CallerMemory> caller_;             // null: no problem is given
  const BlockRows* blocks_ = nullptr;                // of the pass at hand
  std::vector<std::shared_ptr<CheckedMemory>> work_;  // null: it does not live
  std::vector<std::int64_t> moved_;                   // bytes that loops have moved each array on, by ArrayId
  std::int64_t number_ = 0;                           // of the iteration of the innermost numbered loop
  std::vector<ParallelLevel> levels_;
  std::uint32_t iterations_ = 0;
  std::string where_;
  std::map<int, std::vector<std::uint32_t>> rows_;
  Poll poll_;
};

// Reals that passes touch and arrays hold.
double size_of(const Program& program) {
  double size = 0;
  for (const PassUse& use : program.passes) {
    size += 4.0 * static_cast<double>(use.butterflies) * use.codelet->body->radix *
            (use.codelet->second != nullptr ? use.codelet->second->radix : 1);
  }
  for (const Array& array : program.arrays) size += static_cast<double>(array.reals);
  return size;
}

}  // namespace

std::string check_program(const Program& program, const Problem* problem) {
  try {
    Structure(program).check();
    if (size_of(program) <= static_cast<double>(kMostChecked)) Run(program, problem).run();
  } catch (const Fault& fault) {
    return fault.sentence;
  }
  return "";
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/check.h"

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "codelets/registry.h"
#include "planner/convert/array_shape.h"
#include "planner/program/butterflies.h"
#include "planner/program/memory.h"
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

// Of the caller's arrays, those that are looked at.
struct CallerArrays {
  bool in = false, out = false;
  std::int64_t in_bytes = 1, out_bytes = 1;  // of a real
};

class Run {
 public:
  Run(const Program& program, const Problem* problem)
      : program_(program),
        problem_(problem),
        real_(static_cast<std::int64_t>(real_bytes(program.compute))),
        moved_(first_work() + program.arrays.size()) {
    work_.resize(program.arrays.size());
    if (problem != nullptr) add_caller();
  }

  void run() {
    run_body(program_.body);
    if (caller_.out && !program_.passes.empty()) check_output();
  }

 private:
  static constexpr std::size_t first_work() { return static_cast<std::size_t>(ArrayId::kFirstWork); }
  static std::size_t index_of(ArrayId id) { return static_cast<std::size_t>(id); }

  // ---- the caller's arrays

  // Wide ones that no group conversion reads or writes. Launches address narrow numbers one by one as well.
  bool is_looked_at(const Problem& problem, bool output) const {
    bool launches = false;
    std::vector<const Loop*> around;
    visit_passes(program_.body, around, [&](const Pass& pass, const std::vector<const Loop*>&) {
      launches = std::holds_alternative<Launch>(pass.op);
    });
    const auto is_of_side = [&](const auto& rows) { return rows->output == output; };
    if (std::any_of(program_.stored_rows.begin(), program_.stored_rows.end(), is_of_side)) return false;
    return problem.prescale_kind == PrescaleKind::kNone && (launches || is_wide(output ? problem.storage_out : problem.storage_in));
  }

  static std::int64_t stored_bytes(const std::string& storage) {
    if (is_wide(storage)) return static_cast<std::int64_t>(storage_real_bytes(storage));
    return find_format(formats(), storage)->bits / 8;
  }

  void add_caller() {
    const bool in_place = problem_->placement == Placement::kInPlace;
    caller_.in = is_looked_at(*problem_, false);
    caller_.out = is_looked_at(*problem_, true);
    if (caller_.in) caller_.in_bytes = stored_bytes(problem_->storage_in);
    if (caller_.out) caller_.out_bytes = stored_bytes(problem_->storage_out);
    if (in_place && (problem_->storage_in != problem_->storage_out)) caller_ = {};
    if (caller_.in) add_array(false, ArrayId::kIn);
    if (caller_.out && in_place) {
      for (int part = 0; part < 2; ++part) out_[part] = in_[part];
    } else if (caller_.out) {
      add_array(true, ArrayId::kOut);
    }
  }

  // Visits the first real of every element of an array, of one part.
  template <typename Visit>
  void each_element(bool output, const Visit& visit) const {
    const std::int64_t unit = array_shape(*problem_, output).element_reals();
    std::vector<const Dimension*> dims;
    for (const Dimension& d : problem_->batch) dims.push_back(&d);
    for (const Dimension& d : problem_->dims) dims.push_back(&d);
    const auto walk = [&](const auto& self, std::size_t d, std::int64_t at) -> void {
      if (d == dims.size()) return visit(at);
      const std::int64_t stride = unit * (output ? dims[d]->out_stride : dims[d]->in_stride);
      const std::int64_t length = stored_length(*problem_, *dims[d], output);
      for (std::int64_t i = 0; i < length; ++i) self(self, d + 1, at + i * stride);
    };
    walk(walk, 0, 0);
  }

  // An input in place has room for the output, whose rows may be longer.
  void add_array(bool output, ArrayId id) {
    const bool both = problem_->placement == Placement::kInPlace;
    std::int64_t low = 0, high = 0;
    for (const bool side : {false, true}) {
      if (side != output && !both) continue;
      each_element(side, [&](std::int64_t at) {
        low = std::min(low, at);
        high = std::max(high, at);
      });
    }
    const ArrayShape shape = array_shape(*problem_, output);
    for (int part = 0; part < shape.parts(); ++part) {
      auto memory = std::make_shared<CheckedMemory>(low, high - low + 2, 0);
      memory->set_gaps();
      if (output || both) each_real(true, [&](std::int64_t real) { memory->set_unwritten(real); });
      if (!output) each_real(false, [&](std::int64_t real) { memory->set_owner(real, id); });
      (output ? out_ : in_)[part] = std::move(memory);
    }
  }

  // Visits every real of an array, of one part.
  template <typename Visit>
  void each_real(bool output, const Visit& visit) const {
    const std::int64_t unit = array_shape(*problem_, output).element_reals();
    each_element(output, [&](std::int64_t at) {
      for (std::int64_t real = at; real < at + unit; ++real) visit(real);
    });
  }

  void check_output() {
    const int parts = array_shape(*problem_, true).parts();
    each_real(true, [&](std::int64_t real) {
      for (int part = 0; part < parts; ++part) {
        if (!out_[part]->is_written(real, ArrayId::kOut)) fail("out[" + std::to_string(real) + "] is never written.");
      }
    });
  }

  // ---- arrays as passes see them

  // Null: it is not looked at.
  CheckedMemory* memory_of(ArrayId id, int part) {
    if (id == ArrayId::kIn) return caller_.in ? in_[part].get() : nullptr;
    if (id == ArrayId::kOut) return caller_.out ? out_[part].get() : nullptr;
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
    const std::int64_t bytes = id == ArrayId::kIn ? caller_.in_bytes : id == ArrayId::kOut ? caller_.out_bytes : real_;
    return moved_[index_of(id)] / bytes;
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

  // A narrow array of the caller is not looked at, wherever the processor converts it; one of the workspace is addressed as if it held reals.
  void run_pass(const Compute& op, const Pass& pass) { run_codelet(pass, {op.line == nullptr, true}); }
  void run_pass(const StagedPass& op, const Pass& pass) {
    for (const StagedEnd* end : {&op.in, &op.out}) {
      if (end->panel == nullptr) continue;
      require_live(end->codes);
      require_live(end->tile);
    }
    run_codelet(pass, {op.in.line == nullptr, true});
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
    if (op.work == Work::kFindPrescale) return;
    const std::int64_t numbers = rows.transforms * rows.transform_points;
    if (rows.im_offset == 1) {
      const bool reads = op.work != Work::kDecode,
                 writes = op.work == Work::kDecode || op.work == Work::kApplyExponents || op.work == Work::kChooseExponents;
      View view;
      view.array = work;
      for (std::int64_t i = 0; i < numbers; ++i) {
        const std::int64_t re = rows.work_offset + i / rows.row_points * rows.row_step + i % rows.row_points * rows.element_reals;
        const Number number{re, rows.element_reals == 1 ? kNoPart : re + 1};
        if (reads) touch(view, number, false);
        if (writes) touch(view, number, true);
      }
      return;
    }
    View planes;
    planes.array = work;
    for (std::int64_t i = 0; i < numbers; ++i) touch(planes, {rows.work_offset + i, rows.work_offset + i + rows.im_offset}, false);
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
    if (!program_.work_may_be_out || index != 0 || !caller_.out) return;
    if (out_[0]->is_outside(0) || out_[0]->is_outside(reals - 1)) fail("The output is shorter than w0, which it may serve as.");
    work_[index] = out_[0];
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
  const Problem* const problem_;
  const std::int64_t real_;
  CallerArrays caller_;
  std::shared_ptr<CheckedMemory> in_[2], out_[2];    // by part; in place they are the same
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

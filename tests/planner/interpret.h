// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Runs a program by what its passes mean: sums by the definition, in f64, with no codelet and no table of the library. Arrays have names.
//
// What is undefined is NaN: work arrays when they are taken, and what whole vectors hold beside their numbers.
// Narrow arrays   are codes and scales at their bits and bytes, and nothing is rounded (interpret_memory.h). Passes convert as they say:
//                 by a codelet, a tile, a line or a group.
// Exponents       of inputs are given, those of outputs are the largest magnitude of a real. A prescale makes the largest real 1.
// mx and split    compute like wide schemes: products are not rounded, and norms are not looked at.
// Before store    a program that names a narrow array as if it held reals is not run: std::out_of_range.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner/program/butterflies.h"
#include "planner/program/narrow_runs.h"
#include "wisdom/problem.h"
#include "tests/planner/interpret_memory.h"
#include "tests/planner/interpret_tables.h"

namespace ulpfft::test {

class Interpreter {
 public:
  Interpreter(const Program& program, const Problem& problem);

  // ---- before it runs

  // One part of an array of the caller, or factors, from its lowest real on, which is `low`.
  void set(ArrayId id, int part, std::int64_t low, std::vector<double> reals) { array(id).reals[part] = {low, std::move(reals)}; }
  // The bits of one part of an array of codes, or of scales.
  BitMemory& bits(ArrayId id, int part) { return same(id).bits[part]; }
  // In place.
  void set_output_to_input() { in_place_ = true; }
  // A factor for each transform; none: the execution has no exponents.
  void set_exponents(bool output, std::vector<double> factors) { exponents_[output ? 1 : 0] = std::move(factors); }

  void run() { run_body(program_.body); }

  // ---- before and after

  double& real_at(ArrayId id, int part, std::int64_t at) { return same(id).reals[part].at(at); }
  double exponent_at(std::int64_t transform) const { return exponents_[1].at(static_cast<std::size_t>(transform)); }

 private:
  struct Memory {
    RealMemory reals[2];  // by part
    BitMemory bits[2];
  };

  Memory& array(ArrayId id) { return arrays_.at(static_cast<std::size_t>(id)); }
  // The array whose memory it is.
  Memory& same(ArrayId id) {
    if (in_place_ && id == ArrayId::kOut) id = ArrayId::kIn;
    if (in_place_ && id == ArrayId::kOutScales) id = ArrayId::kInScales;
    return array(id);
  }
  std::int64_t moved(ArrayId id) const { return moved_.at(static_cast<std::size_t>(id)); }
  std::int64_t moved_reals(ArrayId id) const {
    return moved(id) / (id == ArrayId::kIn ? unit_[0] : id == ArrayId::kOut ? unit_[1] : real_);
  }
  // A tile on the stack; there is one at a time.
  ArrayId stack_tile() const { return static_cast<ArrayId>(arrays_.size() - 1); }

  double& part_of(const View& view, const Number& number, bool im);
  Complex load(const View& view, const Number& number);
  void store(const View& view, const Number& number, Complex value);

  Complex twiddle(const Pass& pass, const Butterfly& butterfly, std::int64_t j) const;
  std::vector<Complex> outputs(const Pass& pass, const Butterfly& butterfly, std::vector<Complex> values);
  void run_codelet(const Pass& pass, std::int64_t position);
  void run_group(const Pass& pass, const Group& group);
  void run_body(const std::vector<Item>& body);
  void run_loop(const Loop& loop);
  void take(ArrayId id);

  // ---- passes

  void run_pass(const Compute& op, const Pass& pass);
  void run_pass(const StagedPass& op, const Pass& pass);
  void run_pass(const ConvertGroup& op, const Pass& pass);
  void run_pass(const RoundStage& op, const Pass& pass);
  void run_pass(const Spectrum& op, const Pass& pass);
  void run_pass(const FindExponent&, const Pass&) { found() = 0; }
  void run_pass(const MxProducts& op, const Pass& pass);
  void run_pass(const SplitProducts& op, const Pass& pass);
  void run_pass(const Launch& op, const Pass& pass);

  // ---- narrow arrays (interpret_narrow.cc)

  // Where the codes of an array lie, in the units of its storage.
  struct Codes {
    ArrayId codes, scales;
    const Storage* storage;
    NarrowPlace moved;  // by loops and their numbers
  };
  Codes caller_codes(const Storage& storage, bool output) const;
  Codes panel_codes(const StagedEnd& end) const;
  double decoded(const Codes& from, int part, const NarrowReal& real);
  void decode(const Codes& from, const NarrowRun& run, ArrayId to, double factor);
  void encode(const Codes& to, const NarrowRun& run, ArrayId from);
  double load_code(const Pass& pass, const View& view, std::int64_t code);
  void store_code(const View& view, std::int64_t code, double value);
  bool converts(const Pass& pass, bool output) const;

  void run_rows(const StagedPass& op, const Pass& pass);
  void run_line(const StagedEnd& end, const Pass& pass);
  void run_from_panel(const StagedPass& op, const Pass& pass);
  void run_to_end(const StagedPass& op, const Pass& pass, std::int64_t position);
  void encode_rows(const StagedEnd& end, const NarrowPlace& at, const std::vector<std::int64_t>& reals, std::int64_t count);
  void scale_rows(const StagedEnd& end, std::int64_t first, std::int64_t reals, double factor);
  void look(const StagedEnd& end, std::int64_t first, std::int64_t reals);

  void apply_window(const StoredRows& rows, const std::vector<double>& window, ArrayId work, std::int64_t unit);
  void apply_exponents(const StoredRows& rows, ArrayId work, std::int64_t transform);
  void choose_exponents(const StoredRows& rows, std::vector<std::int64_t> reals, ArrayId work, std::int64_t transform);
  void square(ArrayId id, std::int64_t from, std::int64_t to);
  std::vector<std::int64_t> reals_of(const StoredRows& rows, std::int64_t transform) const;
  double largest(const std::vector<std::int64_t>& reals, ArrayId work);
  void multiply(const std::vector<std::int64_t>& reals, ArrayId work, double factor);
  double& undo(const StoredRows& rows, ArrayId work, std::int64_t transform);
  bool has_exponents(bool output) const { return !exponents_[output ? 1 : 0].empty(); }
  double& exponent(bool output, std::int64_t transform);
  // The exponent of the transform at hand, which a search looks for.
  double& found() { return exponent(true, 0); }

  const Program& program_;
  const std::int64_t real_;
  std::int64_t unit_[2];             // bytes of a real of input and output
  std::vector<Memory> arrays_;       // by ArrayId; the last is the tile on the stack
  std::vector<std::int64_t> moved_;  // bytes, likewise
  bool in_place_ = false;
  std::int64_t number_ = 0;
  std::vector<double> exponents_[2];
  std::map<std::pair<ArrayId, std::int64_t>, double> undo_;  // by work array and byte
  OtherFactors factors_;
  MeantTables tables_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_H_

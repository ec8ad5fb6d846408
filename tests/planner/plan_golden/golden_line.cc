// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/plan_golden/golden_line.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "codelets/registry.h"
#include "planner/api/request.h"
#include "planner/backend/cpu/execution.h"
#include "planner/cost/estimate.h"
#include "planner/judge/stored_array.h"
#include "planner/plan/plan.h"
#include "planner/scheme/scheme_of.h"
#include "planner/search/search.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "wisdom/error.h"

namespace ulpfft::test {
namespace {

// One thread does the parts of all, one after the other.
class Alone : public Team {
 public:
  int size() const override { return kMaxThreads; }
  void run(int count, Work work, void* data) noexcept override {
    for (int i = 0; i < count; ++i) work(data, i);
  }
};

const RegisteredTarget* find_target(const std::string& name) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.target == name && !target.table.codelets.empty()) return &target;
  }
  return nullptr;
}

// Those this processor can run whose results are those of `wanted`, itself first if it is one of them.
std::vector<const CodeletTable*> runnable(const CodeletTable& wanted) {
  std::vector<const CodeletTable*> tables;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || target.table.has_fma != wanted.has_fma) continue;
    tables.insert(std::string_view(target.table.target) == wanted.target ? tables.begin() : tables.end(), &target.table);
  }
  return tables;
}

std::string refusal_of(const PlanError& error) { return std::to_string(error.status) + " " + error.field + ": " + error.message; }

// The arrays of a case in an arena. Interleaved arrays are one, which both parts name.
struct Arrays {
  ArrayAddress in, out;
  ChainOperation chain;
};

// What does not fit its window would be taken for another array.
void require_fits(double bytes) {
  if (bytes > static_cast<double>(Places::kWindow / 2))
    throw std::logic_error("an array of this case needs a larger window (places.h)");
}

Arrays arrays_of(const GoldenCase& one, const Arena& arena) {
  for (const bool output : {false, true}) {
    const Extent extent = side_of(one.problem, output).codes;
    require_fits(static_cast<double>(extent.high - extent.low));
  }
  const bool split = one.problem.layout == ArrayLayout::kSplit;
  const auto address = [&](bool output) {
    using enum Arena::Area;
    const bool is_out = output && one.problem.placement == Placement::kOutOfPlace;
    const bool scaled = side_of(one.problem, output).storage.scale != nullptr;
    ArrayAddress array;
    array.data[0] = arena.at(is_out ? kOut : kIn);
    array.data[1] = split ? arena.at(is_out ? kOutIm : kInIm) : array.data[0];
    if (scaled) array.scales[0] = arena.at(is_out ? kOutScales : kInScales);
    if (scaled) array.scales[1] = split ? arena.at(is_out ? kOutScalesIm : kInScalesIm) : array.scales[0];
    if (output ? one.out_exponents : one.in_exponents)
      array.exponents = static_cast<std::int32_t*>(arena.at(output ? kOutExponents : kInExponents));
    return array;
  };
  Arrays arrays{address(false), address(true), {}};
  if (one.problem.chain == "mul") arrays.chain.factors = arena.at(Arena::kFactors);
  return arrays;
}

// ---- execution with numbers

// Exact in both wide formats.
double next_real(Random& random) { return static_cast<double>(random.between(-(1 << 20), 1 << 20)) * 0x1p-20; }

template <typename T>
void fill_reals(Random& random, void* reals, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) static_cast<T*>(reals)[i] = static_cast<T>(next_real(random));
}

// Multiplies by powers of two that follow from the index: exact, and another one for each point and transform.
template <typename T>
void scale_tile(void*, const ulpfft_tile* tile) {
  for (std::int64_t r = 0; r < tile->rows; ++r) {
    for (std::int64_t c = 0; c < tile->columns; ++c) {
      const std::int64_t index = tile->index + r * tile->row_step + c + tile->transform;
      T* const value = static_cast<T*>(tile->values) + 2 * (r * tile->row_stride + c);
      for (int part = 0; part < 2; ++part) value[part] *= index % 3 == 0 ? T(2) : index % 3 == 1 ? T(1) : T(0.5);
    }
  }
}

void fill_arrays(const GoldenCase& one, bool is_f64, Arrays& arrays) {
  const Problem& problem = one.problem;
  const std::int64_t points = transform_points(problem), transforms = batch_count(problem);
  Random random(20261122);
  const StoredArray in(problem, false, arrays.in);
  std::vector<std::complex<double>> values(static_cast<std::size_t>(points));
  for (std::int64_t t = 0; t < transforms; ++t) {
    for (std::complex<double>& value : values) {
      const double re = next_real(random);
      value = {re, next_real(random)};
    }
    store_transform(problem, false, in, t, values);
    if (one.in_exponents) arrays.in.exponents[t] = static_cast<std::int32_t>(t % 5 - 2);
  }
  if (problem.chain == "user") arrays.chain.apply = is_f64 ? &scale_tile<double> : &scale_tile<float>;
  if (problem.chain != "mul") return;
  void* const factors = const_cast<void*>(arrays.chain.factors);
  is_f64 ? fill_reals<double>(random, factors, 2 * points) : fill_reals<float>(random, factors, 2 * points);
}

// All bytes that an array may touch, gaps included.
void add_array(Digest& digest, const Side& shape, const ArrayAddress& array) {
  const auto add = [&](const void* address, const Extent& extent) {
    const char* const begin = static_cast<const char*>(address) + extent.low;
    digest.add(std::string_view(begin, static_cast<std::size_t>(extent.high - extent.low)));
  };
  for (int part = 0; part < (shape.split ? 2 : 1); ++part) {
    add(array.data[part], shape.codes);
    if (shape.storage.scale != nullptr) add(array.scales[part], shape.scales);
  }
}

std::string count_text(double count) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", count);
  return text;
}

// ---- steps as text

void print_plan(const CompiledPlan& plan, Recorder& recorder, Lines& lines) {
  lines.word(scheme_of_compute(plan.compute));
  lines.number("threads", plan.threads);
  lines.bits("tables", plan.table_bytes);
  lines.flag("bare", plan.bare);
  lines.flag("direct", plan.direct);
  lines.flag("direct_fused", plan.direct_fused != nullptr);
  lines.flag("tiled", plan.tiled.run != nullptr);
  lines.flag("streams", plan.streams);
  lines.flag("decodes", plan.decodes);
  lines.flag("encodes", plan.encodes);
  lines.flag("work_may_be_out", plan.work_may_be_out);
  if (plan.prescale_target != 0) lines.bits("prescale", plan.prescale_target);
  for (const std::string& why : {plan.decodes_not, plan.encodes_not}) lines.flag(why, !why.empty());
  for (const std::string& form : plan.idle_forms) lines.word(form);
  lines.end();
  for (const Step& step : plan.steps) recorder.print_step(step, lines);
  if (plan.with_exponents == nullptr) return;
  lines.word("with exponents:");
  lines.end();
  print_plan(*plan.with_exponents, recorder, lines);
}

}  // namespace

// ---- lines

std::string GoldenLine::print() const {
  if (!refused.empty()) return "refused " + refused;
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : " ") + (column.empty() ? "-" : column);
  return text;
}

GoldenLine GoldenLine::parse(std::string_view text) {
  GoldenLine line;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size(); ++column) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word(text.substr(at, end - at));
    at = end + 1;
    if (column == 1 && line.columns[0] == "refused") {
      line.columns[0].clear();
      line.refused = word;
      return line;
    }
    if (column == kColumns) break;
    if (word != "-") line.columns[column] = word;
  }
  if (column != kColumns)
    throw std::runtime_error("a line of the golden has not " + std::to_string(kColumns) + " columns: " + std::string(text));
  return line;
}

std::string GoldenLine::differences(const GoldenLine& other) const {
  if (!refused.empty() || !other.refused.empty()) return refused == other.refused ? "" : "refused";
  std::string names;
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (columns[i] == other.columns[i] || columns[i].empty() || other.columns[i].empty()) continue;
    (names += names.empty() ? "" : ", ") += kNames[i];
  }
  return names;
}

bool fetches_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_is("amd") && !__builtin_cpu_is("amdfam19h");
#else
  return false;
#endif
}

// ---- making them

bool GoldenMaker::has_target(const std::string& name) { return find_target(name) != nullptr; }

GoldenMaker::Machine& GoldenMaker::machine(const std::string& target) {
  std::unique_ptr<Machine>& made = machines_[target];
  if (made == nullptr) made = std::make_unique<Machine>(find_target(target)->table);
  return *made;
}

GoldenMaker::Made GoldenMaker::choose(const GoldenCase& one, const Machine& machine) const {
  const Problem& problem = one.problem;
  Made made;
  if (one.recipe.empty()) {
    SearchOptions options;
    options.effort = Effort::kEstimate;
    options.memory = MemoryLimit::none();
    options.costs = &machine.costs;
    options.team = std::make_shared<Alone>();
    options.deterministic = one.deterministic;
    options.clock = [] { return 0.0; };  // nothing is ever late
    const Candidate candidate = estimated_recipe(problem, machine.codelets, options);
    made = {candidate.recipe, candidate.predicted_seconds};
    if (problem.chain.empty()) return made;
  } else {
    made.recipe = parse_recipe(one.recipe);
  }
  TableCache cache;
  const Program outline = make_program(problem, made.recipe, {machine.codelets, problem.threads}, cache);
  made.estimate = estimate_seconds(outline, machine.codelets, &machine.costs);
  return made;
}

void GoldenMaker::trace(const GoldenCase& one, const Made& made, Machine& machine, Lines& steps, Lines& calls, GoldenLine& line) {
  Recorder& recorder = machine.recorder;
  TableCache cache;
  recorder.tables() = {};
  // From here on: filters of convolutions are transformed by plans, too.
  recorder.begin(calls, arena_.places(), cache);
  std::unique_ptr<Executable> executable = build_plan(one.problem, made.recipe, {recorder.table(), one.problem.threads}, cache);
  CompiledPlan& compiled = static_cast<CpuExecutable&>(*executable).compiled;
  recorder.replace_others(compiled);
  recorder.tables().add(compiled);
  recorder.tables().add(cache);
  steps.word(print_recipe(made.recipe));
  steps.bits("digest", recipe_digest(one.problem, made.recipe, compiled));
  steps.end();
  print_plan(compiled, recorder, steps);
  line.columns[GoldenLine::kWorkspace] = std::to_string(compiled.workspace_bytes);
  line.columns[GoldenLine::kOperations] =
      count_text(compiled.adds) + "/" + count_text(compiled.muls) + "/" + count_text(compiled.fmas);
  line.columns[GoldenLine::kError] = hex(std::bit_cast<std::uint64_t>(compiled.predicted_error));

  const auto plan = make_plan(one.problem, made.recipe, recorder.table(), std::move(executable), std::make_shared<Alone>());
  Arrays arrays = arrays_of(one, arena_);
  if (one.problem.chain == "user") arrays.chain.apply = &Recorder::record_tile;
  arrays.chain.user = &recorder;
  require_fits(static_cast<double>(plan->facts->workspace_bytes));
  recorder.begin(calls, arena_.places(), cache);
  Counts counts;
  const int status =
      run_arrays(*plan, arrays.in, arrays.out, arena_.at(Arena::kWork), &counts, plan->chain ? &arrays.chain : nullptr);
  recorder.end();
  if (status != ULPFFT_OK) throw std::logic_error("the recorded plan fails: " + std::to_string(status));
  line.columns[GoldenLine::kBrief] = std::to_string(recorder.brief());
  arena_.clear();
}

std::string GoldenMaker::hash(const GoldenCase& one, const Recipe& recipe, const CodeletTable& codelets) {
  TableCache cache;
  std::unique_ptr<Executable> executable = build_plan(one.problem, recipe, {codelets, one.problem.threads}, cache);
  const auto plan = make_plan(one.problem, recipe, codelets, std::move(executable), std::make_shared<Alone>());
  Arrays arrays = arrays_of(one, arena_);
  fill_arrays(one, real_bytes(plan->facts->compute) == 8, arrays);
  Counts counts;
  const int status = run_arrays(*plan, arrays.in, arrays.out, nullptr, &counts, plan->chain ? &arrays.chain : nullptr);
  if (status != ULPFFT_OK) throw std::logic_error("the plan fails: " + std::to_string(status));
  Digest digest;
  add_array(digest, plan->out_shape, arrays.out);
  if (one.out_exponents)
    digest.add_values(std::span<const std::int32_t>(arrays.out.exponents, static_cast<std::size_t>(batch_count(one.problem))));
  digest.add(static_cast<std::uint64_t>(counts.saturated));
  digest.add(static_cast<std::uint64_t>(counts.underflowed));
  arena_.clear();
  return hex(digest.value());
}

std::string GoldenMaker::hash_of_any(const GoldenCase& one, const Recipe& recipe, const CodeletTable& wanted) {
  const std::vector<const CodeletTable*> tables = runnable(wanted);
  std::string first;
  for (std::size_t i = 0; i < (full_run() ? tables.size() : std::min<std::size_t>(1, tables.size())); ++i) {
    const std::string one_hash = hash(one, recipe, *tables[i]);
    if (i == 0) first = one_hash;
    if (one_hash != first) return first + "," + tables[i]->target + ":" + one_hash;
  }
  return first;
}

GoldenLine GoldenMaker::make(const GoldenCase& given, std::string* text) {
  GoldenLine line;
  Lines steps(text != nullptr), calls(text != nullptr);
  try {
    GoldenCase one = given;
    complete(one.problem);
    Machine& target = machine(one.target);
    const Made made = choose(one, target);
    trace(one, made, target, steps, calls, line);
    line.columns[GoldenLine::kSteps] = hex(steps.digest());
    line.columns[GoldenLine::kTrace] = hex(calls.digest());
    line.columns[GoldenLine::kEstimate] = hex(std::bit_cast<std::uint64_t>(made.estimate));
    line.columns[GoldenLine::kHash] = hash_of_any(one, made.recipe, target.codelets);
    if (text != nullptr) *text = steps.text() + "trace:\n" + calls.text();
  } catch (const PlanError& error) {
    Digest digest;
    digest.add(refusal_of(error));
    line = {};
    line.refused = hex(digest.value());
    if (text != nullptr) *text = "refused: " + refusal_of(error) + "\n";
    arena_.clear();
  }
  return line;
}

}  // namespace ulpfft::test

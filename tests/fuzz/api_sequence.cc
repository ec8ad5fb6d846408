// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a sequence of calls: contexts, plans by text, struct and recipe, wisdom whole and damaged, executions between guard pages.
// Whatever came before, a plan that was made gives the exact transform, and nothing is written outside its arrays.
#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::int64_t kPoints = 600;
constexpr int kCalls = 40;

struct MadePlan {
  PlanPtr plan;
  Case problem;
  bool by_case = false;  // else of a text of the fuzzer, whose arrays are not known
};

struct State {
  std::array<ContextPtr, 2> contexts;  // null: the default context
  std::array<MadePlan, 4> plans;
  std::string wisdom;
};

void require_sound(ulpfft_status status, const char* call) {
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, std::string(call) + ": " + std::to_string(status) + " " + ulpfft_last_error());
  if (status != ULPFFT_OK) require(*ulpfft_last_error() != '\0', std::string(call) + " failed without a sentence");
}

Case make_case(Bytes& bytes) {
  Case problem;
  std::int64_t points = 1;
  const auto add = [&](std::vector<Dim>& dims, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const std::int64_t length = 1 + bytes.below(static_cast<unsigned>(std::min<std::int64_t>(256, kPoints / points)));
      dims.push_back({length, 1, 1});
      points *= length;
    }
  };
  const unsigned shape = bytes.byte();
  add(problem.dims, 1 + (shape & 3U) % 3);
  add(problem.batch, (shape >> 2U & 3U) % 3);
  if ((shape & 16U) != 0 && problem.dims.size() == 1) {
    problem.dims[0].length = std::min<std::int64_t>(kPoints / (points / problem.dims[0].length), 2 * problem.dims[0].length);
  }
  const unsigned flags = bytes.byte();
  problem.f64 = (flags & 1U) != 0;
  problem.split = (flags & 2U) != 0;
  problem.in_place = (flags & 4U) != 0;
  problem.converts = (shape & 32U) != 0 && !problem.in_place;
  if ((shape & 64U) != 0) problem.scheme = (shape & 128U) != 0 ? "f64" : "f32";
  problem.backward = (flags & 8U) != 0;
  problem.centered = (flags & 16U) != 0;
  problem.scale_kind = static_cast<int>(flags >> 5U & 3U);
  problem.scale_value = problem.scale_kind == ULPFFT_SCALE_VALUE ? 0.375 : 1.0;
  set_dense(problem);
  if ((flags & 128U) == 0) return problem;
  for (std::int64_t Dim::*stride : {&Dim::in_stride, &Dim::out_stride}) {
    std::int64_t extent = 1;
    for (std::vector<Dim>* dims : {&problem.dims, &problem.batch}) {
      for (auto dim = dims->rbegin(); dim != dims->rend(); ++dim) {
        const unsigned gap = bytes.byte();
        const std::int64_t step = extent + gap % 4;
        (*dim).*stride = (gap & 128U) != 0 ? -step : step;
        extent += (dim->length - 1) * step;
      }
    }
  }
  if (problem.in_place) {
    for (std::vector<Dim>* dims : {&problem.dims, &problem.batch}) {
      for (Dim& dim : *dims) dim.out_stride = dim.in_stride;
    }
  }
  return problem;
}

std::string case_text(const Case& problem, Bytes& bytes) {
  std::string text = text_of(problem);
  const unsigned more = bytes.byte();
  if ((more & 3U) == 1) text += " threads=" + std::to_string(1 + (more >> 4U & 3U));
  if ((more & 12U) == 4) text += (more & 16U) != 0 ? " max_error=0.01" : " max_error=1e-12";
  return text;
}

// Whether the numbers of a text's first word, all of which make arrays and tables large, stay small.
bool is_small(const std::string& text) {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      ++i;
      continue;
    }
    std::int64_t number = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && number <= kPoints; ++i) number = 10 * number + (text[i] - '0');
    if (number > kPoints) return false;
    product *= std::max<std::int64_t>(1, number);
    if (product > 64 * kPoints) return false;
  }
  return true;
}

ulpfft_plan_options options_of(Bytes& bytes) {
  auto options = sized<ulpfft_plan_options>();
  const unsigned choice = bytes.byte();
  options.effort = choice < 128 ? ULPFFT_ESTIMATE : static_cast<int>(choice % 8) - 1;
  options.time_limit_seconds = 1e-4;
  options.flags = (choice & 64U) != 0 ? ULPFFT_DETERMINISTIC : 0;
  options.error_level = (choice & 32U) != 0 ? ULPFFT_ERROR_SAMPLED : ULPFFT_ERROR_PREDICTED;
  return options;
}

void keep(State& state, Bytes& bytes, ulpfft_status status, ulpfft_plan* plan, const Case* problem, const char* call) {
  require_sound(status, call);
  require((status == ULPFFT_OK) == (plan != nullptr), std::string(call) + ": a plan and a failure, or neither");
  MadePlan& slot = state.plans[bytes.below(4)];
  slot = {PlanPtr(plan), problem != nullptr ? *problem : Case{}, problem != nullptr};
}

// Recipes of other problems go by rader or bluestein where the bound counts on a smooth length, and by any scheme.
double bound_of(const MadePlan& made) {
  Case problem = made.problem;
  problem.scheme = recipe_of(made.plan.get()).substr(0, 3);
  return 16 * result_bound(problem);
}

template <typename S, typename T>
void execute(const MadePlan& made, Bytes& bytes) {
  const unsigned choice = bytes.byte();
  RunOptions options;
  options.flush = (choice & 1U) != 0 ? Flush::kStart : Flush::kEnd;
  options.shift = (choice >> 1U & 15U) * sizeof(double);
  options.by_arrays = (choice & 32U) != 0;
  options.own_workspace = (choice & 64U) != 0;
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(made.problem)), choice);
  const auto result = run_case<S, T>(made.plan.get(), made.problem, data, options);
  const std::string which = text_of(made.problem) + ", recipe " + recipe_of(made.plan.get());
  require(result.trouble.empty(), which + ": " + result.trouble);
  const double error = relative_l2<T>(result.out, exact_result(made.problem, widen(data)));
  require(error <= bound_of(made), which + ": error " + std::to_string(error));
}

// Wisdom as an accident or an attacker leaves it.
void damage(std::string& text, Bytes& bytes) {
  if (text.empty()) return;
  const auto place = [&] { return static_cast<std::size_t>(bytes.byte() << 8U | bytes.byte()) % text.size(); };
  switch (bytes.below(4)) {
    case 0: text[place()] = static_cast<char>(bytes.byte()); return;
    case 1: text.resize(place()); return;
    case 2: text.insert(place(), bytes.text()); return;
    default: break;
  }
  // The recipes and digests of two entries change places.
  const std::string name = "\"recipe\": ";
  const std::string end = ", \"seconds\"";
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t stop = text.find(end, at);
    if (stop == std::string::npos) break;
    parts.emplace_back(at, stop - at);
  }
  if (parts.size() < 2) return;
  auto first = parts[bytes.byte() % parts.size()];
  auto second = parts[bytes.byte() % parts.size()];
  if (first.first == second.first) return;
  if (first.first > second.first) std::swap(first, second);
  const std::string a = text.substr(first.first, first.second);
  const std::string b = text.substr(second.first, second.second);
  text.replace(second.first, second.second, a);
  text.replace(first.first, first.second, b);
}

// A struct with any numbers in it. Its pointers are null or hold as many numbers as any rank could ask for.
void plan_of_numbers(State& state, ulpfft_context* context, Bytes& bytes) {
  std::array<std::array<std::int64_t, 8>, 6> arrays{};
  for (auto& array : arrays) {
    for (unsigned i = 0, count = bytes.below(4); i < count; ++i) array[i] = bytes.number();
  }
  std::int64_t product = 1;
  for (const std::size_t lengths : {0U, 3U}) {
    for (const std::int64_t length : arrays[lengths]) {
      if (length > 1 && (length > kPoints || (product *= length) > kPoints)) return;
    }
  }
  const unsigned given = bytes.byte();
  const auto pointer = [&](std::size_t i) { return (given >> i & 1U) != 0 ? arrays[i].data() : nullptr; };
  const std::array<std::string, 4> names{bytes.text(), bytes.text(), bytes.text(), bytes.text()};
  const auto name = [&](std::size_t i) { return names[i].empty() ? nullptr : names[i].c_str(); };
  auto problem = sized<ulpfft_problem>();
  problem.kind = static_cast<int>(bytes.below(6)) - 1;
  problem.rank = static_cast<int>(bytes.below(12)) - 1;
  problem.lengths = pointer(0);
  problem.in_strides = pointer(1);
  problem.out_strides = pointer(2);
  problem.batch_rank = static_cast<int>(bytes.below(12)) - 1;
  problem.batch_lengths = pointer(3);
  problem.batch_in_strides = pointer(4);
  problem.batch_out_strides = pointer(5);
  problem.storage_in = name(0);
  problem.storage_out = name(1);
  problem.scheme = name(2);
  problem.backend = name(3);
  problem.layout = static_cast<int>(bytes.below(4)) - 1;
  problem.placement = static_cast<int>(bytes.below(4)) - 1;
  problem.direction = static_cast<int>(bytes.below(4)) - 1;
  problem.centered = static_cast<int>(bytes.below(2));
  problem.scale_kind = static_cast<int>(bytes.below(6)) - 1;
  problem.scale_value = static_cast<double>(bytes.number());
  problem.max_error = static_cast<double>(bytes.below(4)) - 1;
  problem.threads = static_cast<int>(bytes.below(8)) - 1;
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;  // measuring would make arrays as large as the strides ask for
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_create(context, &problem, &options, &plan);
  keep(state, bytes, status, plan, nullptr, "plan_create");
}

void import_into(ulpfft_context* context, const std::string& text) {
  const std::string before = take(ulpfft_wisdom_export_string(context));
  auto report = sized<ulpfft_import_report>();
  const ulpfft_status status = ulpfft_wisdom_import_string(context, text.data(), text.size(), &report);
  require_sound(status, "import");
  take(report.details);
  const std::string after = take(ulpfft_wisdom_export_string(context));
  require(!after.empty(), "wisdom that cannot be exported");
  if (status != ULPFFT_OK) require(after == before, "a refused import changed the wisdom");
}

void ask(const MadePlan& made, Bytes& bytes) {
  const ulpfft_plan* plan = made.plan.get();
  if (plan == nullptr) return;
  require(!recipe_of(plan).empty() && !take(ulpfft_plan_problem(plan)).empty(), "a plan without texts");
  require(ulpfft_plan_error(plan) >= 0 && ulpfft_plan_seconds(plan) >= 0 && ulpfft_plan_planning_seconds(plan) >= 0, "a negative fact");
  require(ulpfft_plan_threads(plan) >= 1 && ulpfft_plan_threads(plan) <= 256, "threads: " + std::to_string(ulpfft_plan_threads(plan)));
  const int level = ulpfft_plan_error_level(plan);
  require(level >= ULPFFT_ERROR_PREDICTED && level <= ULPFFT_ERROR_FULL, "error level " + std::to_string(level));
  require(ulpfft_plan_from_wisdom(plan) == 0 || ulpfft_plan_from_wisdom(plan) == 1, "from_wisdom");
  auto candidate = sized<ulpfft_candidate>();
  const std::size_t index = bytes.byte();
  const ulpfft_status status = ulpfft_plan_candidate_get(plan, index, &candidate);
  require((status == ULPFFT_OK) == (index < ulpfft_plan_candidate_count(plan)), "candidates beyond their count");
  if (!made.by_case || bytes.below(4) != 0) return;
  require(!take(ulpfft_plan_describe(plan)).empty(), "describe: " + std::string(ulpfft_last_error()));
  auto error = sized<ulpfft_error_report>();
  const ulpfft_status measured = ulpfft_plan_measure_error(plan, static_cast<int>(bytes.below(4)), &error);
  require_sound(measured, "measure_error");
  if (measured != ULPFFT_OK) return;
  require(error.outputs > 0 && error.relative_l2 >= 0 && error.relative_l2 <= bound_of(made), "measured error " + std::to_string(error.relative_l2));
}

void look_around(ulpfft_context* context, Bytes& bytes) {
  auto entry = sized<ulpfft_wisdom_entry>();
  const std::size_t index = bytes.byte();
  const ulpfft_status status = ulpfft_wisdom_get(context, index, &entry);
  require((status == ULPFFT_OK) == (index < ulpfft_wisdom_count(context)), "entries beyond their count");
  auto target = sized<ulpfft_target>();
  require_sound(ulpfft_target_get(bytes.byte(), &target), "target_get");
  auto codelet = sized<ulpfft_codelet>();
  require_sound(ulpfft_codelet_get(bytes.below(8), static_cast<std::size_t>(bytes.number()), &codelet), "codelet_get");
  auto format = sized<ulpfft_format>();
  require_sound(ulpfft_format_get(bytes.byte(), &format), "format_get");
  auto error = sized<ulpfft_error>();
  ulpfft_last_error_get(&error);
  require(error.message != nullptr && error.field != nullptr && error.text_begin <= error.text_end, "the last error");
}

void call(State& state, Bytes& bytes) {
  ContextPtr& slot = state.contexts[bytes.below(2)];
  ulpfft_context* context = slot.get();
  ulpfft_plan* plan = nullptr;
  switch (bytes.below(14)) {
    case 0: {
      auto target = sized<ulpfft_target>();
      auto options = sized<ulpfft_context_options>();
      if (ulpfft_target_get(bytes.below(8), &target) == ULPFFT_OK) options.target = target.name;
      options.threads = static_cast<int>(bytes.below(4));
      ulpfft_context* made = nullptr;
      const ulpfft_status status = ulpfft_context_create(&options, &made);
      require_sound(status, "context_create");
      slot.reset(made);
      return;
    }
    case 1: slot.reset(); return;
    case 2:
    case 3: {
      const Case problem = make_case(bytes);
      const std::string text = case_text(problem, bytes);
      const auto options = options_of(bytes);
      const ulpfft_status status = ulpfft_plan_parse_options(context, text.c_str(), &options, &plan);
      return keep(state, bytes, status, plan, &problem, text.c_str());
    }
    case 4: {
      const std::string text = bytes.text();
      if (!is_small(text)) return;
      auto options = sized<ulpfft_plan_options>();
      options.effort = ULPFFT_ESTIMATE;
      const ulpfft_status status = ulpfft_plan_parse_options(context, text.c_str(), &options, &plan);
      return keep(state, bytes, status, plan, nullptr, "plan_parse");
    }
    case 5: {
      const Case problem = make_case(bytes);
      const std::string recipe = bytes.text();
      if (!is_small(recipe)) return;
      const ulpfft_status status = ulpfft_plan_from_recipe(context, text_of(problem).c_str(), recipe.c_str(), &plan);
      return keep(state, bytes, status, plan, &problem, "plan_from_recipe");
    }
    case 6: {
      // The recipe of a plan for a problem of the same lengths, but other strides, batch and flags.
      const MadePlan& other = state.plans[bytes.below(4)];
      if (other.plan == nullptr) return;
      Case problem = make_case(bytes);
      if (other.by_case && bytes.below(4) != 0) {
        problem.dims = other.problem.dims;
        problem.batch.clear();
        problem.f64 = other.problem.f64;
        problem.converts = false;
        set_dense(problem);
      }
      const std::string recipe = recipe_of(other.plan.get());
      const ulpfft_status status = ulpfft_plan_from_recipe(context, text_of(problem).c_str(), recipe.c_str(), &plan);
      return keep(state, bytes, status, plan, &problem, recipe.c_str());
    }
    case 7: return plan_of_numbers(state, context, bytes);
    case 8: {
      const MadePlan& made = state.plans[bytes.below(4)];
      if (made.plan == nullptr || !made.by_case) return;
      return with_storage(made.problem, [&]<typename S, typename T>() { execute<S, T>(made, bytes); });
    }
    case 9: state.wisdom = take(ulpfft_wisdom_export_string(context)); return;
    case 10: {
      for (unsigned count = bytes.below(4); count > 0; --count) damage(state.wisdom, bytes);
      return import_into(context, state.wisdom);
    }
    case 11:
      if (bytes.below(4) == 0) require_sound(ulpfft_wisdom_forget(context), "forget");
      return look_around(context, bytes);
    case 12: return ask(state.plans[bytes.below(4)], bytes);
    default: state.plans[bytes.below(4)] = {}; return;
  }
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::State state;
  (void)ulpfft_wisdom_forget(nullptr);  // what an input finds must not depend on the inputs before it
  for (int i = 0; i < ulpfft::fuzz::kCalls && !bytes.done(); ++i) ulpfft::fuzz::call(state, bytes);
  return 0;
}

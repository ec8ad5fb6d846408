// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans through the C interface: problems in, handles out, execution.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "planner/api/context.h"
#include "planner/api/create.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/plan/plan.h"
#include "planner/scheme/scheme.h"

using namespace ulpfft;

namespace {

// Refuses a recipe whose scheme is another one than the problem asks for.
void require_scheme(const std::string& asked, const Recipe& recipe) {
  if (asked.empty() || asked == recipe.scheme) return;
  if (const Scheme scheme = scheme_named(asked); scheme.any && scheme_named(recipe.scheme).family == scheme.family) return;
  scheme_named(recipe.scheme);  // throws for names that are no scheme
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "scheme", "The problem has scheme = " + asked + ", the recipe computes in " + recipe.scheme +
                  ": give a recipe that begins with " + asked + ":, or leave scheme out of the problem.");
}

constexpr const char* kNotInPlace = "The plan is in place: input and output must be the same array.";

constexpr const char* kPartsAreDestroyed =
    "Parts of the input overlap, but with destroy_input they may be overwritten. Give each an array of its own.";

bool overlaps(const void* a, const Extent& ea, const void* b, const Extent& eb) {
  const auto pa = reinterpret_cast<std::intptr_t>(a);
  const auto pb = reinterpret_cast<std::intptr_t>(b);
  return pa + ea.low < pb + eb.high && pb + eb.low < pa + ea.high;
}

// Finds the check that a call failed, and sets the last error.
[[gnu::noinline]] ulpfft_status refuse_arrays(const ulpfft_plan* plan, const void* in, const void* out, const char* in_field,
                                              const char* out_field) noexcept {
  if (plan == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "plan is null.");
  if (in == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, in_field, "The input array is null.");
  if (out == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field, "The output array is null.");
  const auto misaligned = [](const void* p, std::uintptr_t mask) { return (reinterpret_cast<std::uintptr_t>(p) & mask) != 0; };
  if (misaligned(in, plan->in_alignment_mask)) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, in_field,
                          "The input array is not aligned to a real element of its storage format.");
  }
  if (misaligned(out, plan->out_alignment_mask)) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field,
                          "The output array is not aligned to a real element of its storage format.");
  }
  if (plan->in_place) return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field, kNotInPlace);
  return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field,
                        "Input and output overlap, but the plan is out of place. "
                        "Use separate arrays, or plan in place and pass one array twice.");
}

bool separate(const ulpfft_plan& plan, const void* in, const void* out) {
  return reinterpret_cast<std::uintptr_t>(out) - reinterpret_cast<std::uintptr_t>(in) - plan.overlap_low >= plan.overlap_range;
}

bool acceptable(const ulpfft_plan& plan, const void* in, const void* out, std::uintptr_t in_mask, std::uintptr_t out_mask) {
  if (in == nullptr || out == nullptr) return false;
  if (((reinterpret_cast<std::uintptr_t>(in) & in_mask) | (reinterpret_cast<std::uintptr_t>(out) & out_mask)) != 0) return false;
  return separate(plan, in, out);
}
bool acceptable(const ulpfft_plan& plan, const void* in, const void* out) {
  return acceptable(plan, in, out, plan.in_alignment_mask, plan.out_alignment_mask);
}

ulpfft_status refuse_chain() noexcept {
  return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "The plan is a chain, which needs an operation: call ulpfft_execute_chain.");
}

[[gnu::noinline]] ulpfft_status refuse_execute(const ulpfft_plan* plan, const void* in, const void* out) noexcept {
  if (plan != nullptr && plan->chain) return refuse_chain();
  if (plan != nullptr && plan->split && acceptable(*plan, in, out)) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "The plan is for split arrays: call ulpfft_execute_arrays.");
  }
  if (plan != nullptr && (plan->in_shape.storage.scale != nullptr || plan->out_shape.storage.scale != nullptr)) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan",
                          "The plan has storage in blocks, whose scales are arrays of their own: call ulpfft_execute_arrays.");
  }
  return refuse_arrays(plan, in, out, "in", "out");
}

// The structs of programs that were built with an earlier header have fewer counts.
bool wants_saturated(const ulpfft_array& out) noexcept {
  return out.size >= offsetof(ulpfft_array, underflowed) && out.saturated != nullptr;
}
bool wants_underflowed(const ulpfft_array& out) noexcept { return out.size >= sizeof(ulpfft_array) && out.underflowed != nullptr; }
void set_counts(const ulpfft_array& out, const Counts& counts) noexcept {
  if (wants_saturated(out)) *out.saturated = counts.saturated;
  if (wants_underflowed(out)) *out.underflowed = counts.underflowed;
}

Counts wanted_counts(const ulpfft_array& out) noexcept { return {wants_saturated(out) ? 0 : -1, wants_underflowed(out) ? 0 : -1}; }

// A piece of memory of a call, and the field that an error names.
struct Piece {
  const char* begin;
  std::int64_t bytes;
  const char* field;
};

constexpr const char* kNoExponents =
    "Only narrow formats, and transforms with a prescale, have exponents; f32 and f64 hold every result: leave them null.";

// The pieces of one array; kMost at most.
struct Pieces {
  static constexpr int kMost = 5;
  Piece list[kMost];
  int count = 0;
};

// Checks one array of an execution with narrow storage, and finds its pieces.
ulpfft_status check_narrow_array(const ulpfft_plan& plan, const ulpfft_array& array, bool output, Pieces& pieces) noexcept {
  const Side& shape = output ? plan.out_shape : plan.in_shape;
  static constexpr const char* kData[2][2] = {{"in.data[0]", "in.data[1]"}, {"out.data[0]", "out.data[1]"}};
  static constexpr const char* kScales[2][2] = {{"in.scales[0]", "in.scales[1]"}, {"out.scales[0]", "out.scales[1]"}};
  const auto add = [&pieces](const void* base, const Extent& extent, const char* field) {
    pieces.list[pieces.count++] = {static_cast<const char*>(base) + extent.low, extent.high - extent.low, field};
  };
  const bool has_scales = shape.storage.scale != nullptr;
  for (int part = 0; part < 2; ++part) {
    const bool used = part < shape.parts();
    const char* const data_field = kData[output ? 1 : 0][part];
    const char* const scales_field = kScales[output ? 1 : 0][part];
    if (used) {
      if (array.data[part] == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, data_field, "The array is null.");
      if (reinterpret_cast<std::uintptr_t>(array.data[part]) % static_cast<std::uintptr_t>(shape.alignment) != 0) {
        return set_last_error(ULPFFT_INVALID_ARGUMENT, data_field, "The array is not aligned to a code of its storage format.");
      }
      add(array.data[part], shape.codes, data_field);
    }
    if (used && has_scales) {
      if (array.scales[part] == nullptr) {
        return set_last_error(ULPFFT_INVALID_ARGUMENT, scales_field,
                              "The scales are null, but this storage is in blocks: "
                              "ulpfft_format_layout() tells how many bytes of scales there are.");
      }
      add(array.scales[part], shape.scales, scales_field);
    } else if (array.scales[part] != nullptr) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, scales_field, "This storage or layout has no scales there: leave them null.");
    }
  }
  const char* const field = output ? "out.exponents" : "in.exponents";
  if (array.exponents == nullptr) return ULPFFT_OK;
  if (shape.wide && plan.facts->prescale_target == 0) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, field, kNoExponents);
  }
  if (reinterpret_cast<std::uintptr_t>(array.exponents) % alignof(std::int32_t) != 0) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, field, "exponents are not aligned to int32_t.");
  }
  add(array.exponents, {0, plan.transforms * static_cast<std::int64_t>(sizeof(std::int32_t))}, field);
  return ULPFFT_OK;
}

bool meet(const Piece& a, const Piece& b) { return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes; }

// Checks a call's own workspace, which must not overlap the arrays.
ulpfft_status check_workspace(const ulpfft_plan& plan, const ulpfft_array& in, const ulpfft_array& out, const void* workspace) noexcept {
  if (reinterpret_cast<std::uintptr_t>(workspace) % kBufferAlignment != 0) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "workspace", "workspace is not aligned to 64 bytes.");
  }
  const Extent whole{0, static_cast<std::int64_t>(plan.facts->workspace_bytes)};
  const auto holds = [&](const void* data, const Extent& extent) { return data != nullptr && overlaps(workspace, whole, data, extent); };
  const auto holds_part = [&](const ulpfft_array& array, const Side& shape, int part) {
    return part < shape.parts() && (holds(array.data[part], shape.codes) || holds(array.scales[part], shape.scales));
  };
  for (int part = 0; part < 2 && whole.high > 0; ++part) {
    if (holds_part(in, plan.in_shape, part) || holds_part(out, plan.out_shape, part)) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, "workspace", "workspace overlaps an array of the call.");
    }
  }
  return ULPFFT_OK;
}

// Checks the arguments that ulpfft_execute_arrays() and ulpfft_execute_chain() share.
ulpfft_status check_call(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out, const void* workspace) noexcept {
  if (plan == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "plan is null.");
  if (in == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "in", "in is null.");
  if (out == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "out", "out is null.");
  for (const ulpfft_array* array : {in, out}) {
    if (is_published_size<ulpfft_array>(array->size)) continue;
    return set_last_error(ULPFFT_INVALID_ARGUMENT, array == in ? "in.size" : "out.size",
                          "The size of an array is not that of its struct: set it with sizeof.");
  }
  return workspace == nullptr ? ULPFFT_OK : check_workspace(*plan, *in, *out, workspace);
}

// Checks the arguments of execute_narrow().
ulpfft_status check_narrow_call(const ulpfft_plan& plan, const ulpfft_array& in, const ulpfft_array& out,
                                const ChainOperation* chain) noexcept {
  Pieces from, to;
  if (const ulpfft_status status = check_narrow_array(plan, in, false, from); status != ULPFFT_OK) return status;
  if (const ulpfft_status status = check_narrow_array(plan, out, true, to); status != ULPFFT_OK) return status;
  for (int i = 0; plan.problem.destroy_input && i < from.count; ++i) {
    for (int j = 0; j < i; ++j) {
      if (!meet(from.list[i], from.list[j])) continue;
      return set_last_error(ULPFFT_INVALID_ARGUMENT, from.list[i].field, kPartsAreDestroyed);
    }
  }
  for (int i = 0; i < to.count; ++i) {
    for (int j = 0; j < i; ++j) {
      if (meet(to.list[i], to.list[j])) return set_last_error(ULPFFT_INVALID_ARGUMENT, to.list[i].field, "Parts of the output overlap.");
    }
    for (int j = 0; j < from.count; ++j) {
      // Plans in place have the same piece twice, whose sides may have different lengths. Exponents may be the same array, because they are
      // read before they are written.
      const bool same = i == j && from.list[j].begin == to.list[i].begin && plan.in_place;
      const bool exponents = in.exponents != nullptr && in.exponents == out.exponents && i + 1 == to.count && j + 1 == from.count;
      if (same || exponents || !meet(to.list[i], from.list[j])) continue;
      return set_last_error(ULPFFT_INVALID_ARGUMENT, to.list[i].field,
                            "Input and output overlap. Use separate arrays, or plan in place and pass one array twice.");
    }
  }
  if (plan.in_place) {
    for (int i = 0; i < from.count; ++i) {
      const bool exponents = in.exponents != nullptr && i + 1 == from.count;
      if (!exponents && (i >= to.count || from.list[i].begin != to.list[i].begin)) {
        return set_last_error(ULPFFT_INVALID_ARGUMENT, to.list[i < to.count ? i : 0].field, kNotInPlace);
      }
    }
  }
  if (chain != nullptr && chain->factors != nullptr) {
    const std::int64_t bytes = spectrum_points(plan.problem) * 2 * static_cast<std::int64_t>(real_bytes(plan.facts->compute));
    const Piece factors{static_cast<const char*>(chain->factors), bytes, "operation.factors"};
    for (int i = 0; i < to.count; ++i) {
      if (meet(to.list[i], factors)) return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.factors", "The factors overlap the output.");
    }
  }
  return ULPFFT_OK;
}

// Whether a call has codes and scales only, out of place, and all of its arguments are right. It
// saves short transforms the time of check_narrow_call().
bool are_plain_blocks(const ulpfft_plan& plan, const ulpfft_array& in, const ulpfft_array& out) noexcept {
  const Side& from = plan.in_shape;
  const Side& to = plan.out_shape;
  if (plan.split || plan.in_place || plan.problem.destroy_input || in.exponents != nullptr || out.exponents != nullptr) return false;
  if (in.scales[1] != nullptr || out.scales[1] != nullptr) return false;
  if ((in.scales[0] != nullptr) != (from.storage.scale != nullptr)) return false;
  if ((out.scales[0] != nullptr) != (to.storage.scale != nullptr)) return false;
  if (!acceptable(plan, in.data[0], out.data[0])) return false;
  const auto apart = [](const void* a, const Extent& of_a, const void* b, const Extent& of_b) {
    return !meet({static_cast<const char*>(a) + of_a.low, of_a.high - of_a.low, nullptr},
                 {static_cast<const char*>(b) + of_b.low, of_b.high - of_b.low, nullptr});
  };
  if (in.scales[0] != nullptr && !apart(in.scales[0], from.scales, out.data[0], to.codes)) return false;
  if (out.scales[0] == nullptr) return true;
  return apart(out.scales[0], to.scales, out.data[0], to.codes) && apart(out.scales[0], to.scales, in.data[0], from.codes) &&
         (in.scales[0] == nullptr || apart(out.scales[0], to.scales, in.scales[0], from.scales));
}

// Executes a plan with narrow storage or a chain.
ulpfft_status execute_narrow(const ulpfft_plan& plan, const ulpfft_array& in, const ulpfft_array& out, void* workspace,
                             const ChainOperation* chain = nullptr) noexcept {
  if (chain != nullptr || !are_plain_blocks(plan, in, out)) {
    if (const ulpfft_status status = check_narrow_call(plan, in, out, chain); status != ULPFFT_OK) return status;
  }
  const int in_second = plan.in_shape.parts() - 1, out_second = plan.out_shape.parts() - 1;
  Counts counts = wanted_counts(out);
  const ArrayAddress from{{in.data[0], in.data[in_second]}, {in.scales[0], in.scales[in_second]}, in.exponents};
  const ArrayAddress to{{out.data[0], out.data[out_second]}, {out.scales[0], out.scales[out_second]}, out.exponents};
  const auto status = static_cast<ulpfft_status>(run_arrays(plan, from, to, workspace, &counts, chain));
  if (status == ULPFFT_OK) set_counts(out, counts);
  return status;
}

char* text_of(const ulpfft_plan* plan, std::string (*make)(const ulpfft_plan&)) {
  char* text = nullptr;
  guard([&] {
    require_pointer(plan, "plan");
    text = copy_text(make(*plan));
    if (text == nullptr) throw std::bad_alloc();
  });
  return text;
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_plan_create(ulpfft_context* context, const ulpfft_problem* problem, const ulpfft_plan_options* options,
                                 ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem, "problem");
    *plan = create_plan(context_of(context), problem_from_c(*problem), request_from_c(options)).release();
  });
}

ulpfft_status ulpfft_plan_parse(ulpfft_context* context, const char* problem_text, ulpfft_plan** plan) {
  return ulpfft_plan_parse_options(context, problem_text, nullptr, plan);
}

ulpfft_status ulpfft_plan_parse_options(ulpfft_context* context, const char* problem_text, const ulpfft_plan_options* options,
                                        ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem_text, "problem_text");
    const PlanRequest request = request_from_c(options);
    Problem problem = parse_problem(problem_text);
    *plan = with_text_range(problem_text, [&] { return create_plan(context_of(context), std::move(problem), request); }).release();
  });
}

ulpfft_status ulpfft_plan_from_recipe(ulpfft_context* context, const char* problem_text, const char* recipe_text, ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem_text, "problem_text");
    require_pointer(recipe_text, "recipe_text");
    Problem problem = parse_problem(problem_text);
    const std::string asked = problem.scheme;
    with_text_range(problem_text, [&] {
      complete(problem);
      return 0;
    });
    const Recipe recipe = parse_recipe(recipe_text);
    require_scheme(asked, recipe);
    *plan = plan_from_recipe(context_of(context), problem, recipe).release();
  });
}

void ulpfft_plan_destroy(ulpfft_plan* plan) { delete plan; }

ulpfft_status ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out) {
  if (plan == nullptr || !acceptable(*plan, in, out, plan->in_execute_mask, plan->out_execute_mask)) [[unlikely]] {
    return refuse_execute(plan, in, out);
  }
  return static_cast<ulpfft_status>(plan->run(*plan, const_cast<void*>(in), const_cast<void*>(in), out, out, nullptr));
}

ulpfft_status ulpfft_execute_on(const ulpfft_plan* plan, void* stream, const void* in, void* out, void* workspace) {
  if (plan == nullptr || !acceptable(*plan, in, out, plan->in_execute_mask, plan->out_execute_mask)) return refuse_execute(plan, in, out);
  void* const from = const_cast<void*>(in);
  if (workspace != nullptr) {
    const ulpfft_array in_array{sizeof in_array, {from, nullptr}, {}, nullptr, nullptr, nullptr};
    const ulpfft_array out_array{sizeof out_array, {out, nullptr}, {}, nullptr, nullptr, nullptr};
    if (const ulpfft_status status = check_workspace(*plan, in_array, out_array, workspace); status != ULPFFT_OK) return status;
  }
  if (plan->run_on_stream != nullptr) {
    return static_cast<ulpfft_status>(plan->run_on_stream(*plan->executable, stream, from, out, workspace));
  }
  if (stream != nullptr) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "stream", "The plan is for the processor, which has no streams: pass NULL as stream.");
  }
  return static_cast<ulpfft_status>(plan->run(*plan, from, from, out, out, workspace));
}

ulpfft_status ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out, void* workspace) {
  if (const ulpfft_status status = check_call(plan, in, out, workspace); status != ULPFFT_OK) return status;
  if (plan->chain) return refuse_chain();
  if (plan->narrow) {
    // A call with two arrays and nothing else, all of them right, saves small transforms the time of execute_narrow().
    const bool bare = in->exponents == nullptr && out->exponents == nullptr && in->scales[0] == nullptr && in->scales[1] == nullptr &&
                      out->scales[0] == nullptr && out->scales[1] == nullptr && workspace == nullptr;
    if (!bare || !acceptable(*plan, in->data[0], out->data[0], plan->in_execute_mask, plan->out_execute_mask)) {
      return execute_narrow(*plan, *in, *out, workspace);
    }
    Counts counts = wanted_counts(*out);
    const int status = plan->counts ? plan->run(*plan, in->data[0], in->data[0], out->data[0], &counts.saturated, nullptr)
                                    : run_arrays(*plan, {{in->data[0], in->data[0]}, {}, nullptr},
                                                 {{out->data[0], out->data[0]}, {}, nullptr}, nullptr, &counts);
    if (status == ULPFFT_OK) set_counts(*out, counts);
    return static_cast<ulpfft_status>(status);
  }
  for (const ulpfft_array* array : {in, out}) {
    if (array->scales[0] != nullptr || array->scales[1] != nullptr) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, array == in ? "in.scales" : "out.scales",
                            "Only block formats have scales: leave them null.");
    }
    if (array->exponents != nullptr) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, array == in ? "in.exponents" : "out.exponents", kNoExponents);
    }
  }
  set_counts(*out, {});
  static constexpr const char* kInData[] = {"in.data[0]", "in.data[1]"};
  static constexpr const char* kOutData[] = {"out.data[0]", "out.data[1]"};
  // A side of real numbers is one array even if the other side is split.
  const int in_second = plan->in_shape.parts() - 1, out_second = plan->out_shape.parts() - 1;
  const auto refuse = [&](int i, int o) { return refuse_arrays(plan, in->data[i], out->data[o], kInData[i], kOutData[o]); };
  if (!acceptable(*plan, in->data[0], out->data[0])) return refuse(0, 0);
  if (plan->split) {
    if (!acceptable(*plan, in->data[in_second], out->data[out_second])) return refuse(in_second, out_second);
    if (in_second == 1 && plan->problem.destroy_input && overlaps(in->data[0], plan->in_extent, in->data[1], plan->in_extent)) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, "in.data[1]", kPartsAreDestroyed);
    }
    if (out_second == 1 && overlaps(out->data[0], plan->out_extent, out->data[1], plan->out_extent)) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, "out.data[1]", "The output's re and im arrays overlap.");
    }
    if (!plan->in_place && !separate(*plan, in->data[0], out->data[out_second])) return refuse(0, out_second);
    if (!plan->in_place && !separate(*plan, in->data[in_second], out->data[0])) return refuse(in_second, 0);
  }
  return static_cast<ulpfft_status>(plan->run(*plan, in->data[0], in->data[in_second], out->data[0], out->data[out_second], workspace));
}

ulpfft_status ulpfft_execute_chain(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out,
                                   const ulpfft_operation* operation, void* workspace) {
  if (const ulpfft_status status = check_call(plan, in, out, workspace); status != ULPFFT_OK) return status;
  if (!plan->chain) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan",
                          "The plan is no chain: call ulpfft_execute, or plan a problem with chain=mul or chain=user.");
  }
  if (operation == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation", "operation is null.");
  if (!is_published_size<ulpfft_operation>(operation->size)) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.size", "operation.size is less than sizeof(ulpfft_operation).");
  }
  const bool multiplies = plan->problem.chain == "mul";
  if (multiplies && operation->factors == nullptr) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.factors", "factors is null, but the chain multiplies by them (chain=mul).");
  }
  if (reinterpret_cast<std::uintptr_t>(operation->factors) % real_bytes(plan->facts->compute) != 0) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.factors", "factors are not aligned to a real of the plan's arithmetic.");
  }
  if (!multiplies && operation->apply == nullptr) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.apply", "apply is null, but the chain calls it (chain=user).");
  }
  if (multiplies && operation->apply != nullptr) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.apply",
                          "The chain multiplies (chain=mul) and calls nothing: leave apply null, or plan with chain=user.");
  }
  if (!multiplies && operation->factors != nullptr) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "operation.factors",
                          "The chain calls apply (chain=user) and has no factors: leave them null, or plan with chain=mul.");
  }
  ChainOperation chain;
  chain.factors = operation->factors;
  chain.apply = operation->apply;
  chain.user = operation->user;
  return execute_narrow(*plan, *in, *out, workspace, &chain);
}

size_t ulpfft_plan_workspace_bytes(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->facts->workspace_bytes; }
double ulpfft_plan_error(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->error; }
double ulpfft_plan_seconds(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->seconds; }
int ulpfft_plan_from_wisdom(const ulpfft_plan* plan) { return plan != nullptr && plan->from_wisdom ? 1 : 0; }
int ulpfft_plan_threads(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->facts->threads; }
int ulpfft_plan_error_level(const ulpfft_plan* plan) { return plan == nullptr ? 0 : static_cast<int>(plan->error_level); }
double ulpfft_plan_planning_seconds(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->planning_seconds; }
size_t ulpfft_plan_candidate_count(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->candidates.size(); }

char* ulpfft_plan_describe(const ulpfft_plan* plan) { return text_of(plan, &describe); }
char* ulpfft_plan_explain(const ulpfft_plan* plan) { return text_of(plan, &explain); }
char* ulpfft_plan_problem(const ulpfft_plan* plan) {
  return text_of(plan, [](const ulpfft_plan& p) { return print_problem(p.problem); });
}
char* ulpfft_plan_recipe(const ulpfft_plan* plan) {
  return text_of(plan, [](const ulpfft_plan& p) { return print_recipe(p.recipe); });
}

ulpfft_status ulpfft_plan_hash(const ulpfft_plan* plan, uint64_t* hash) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_pointer(hash, "hash");
    *hash = hash_of_fixed_input(*plan);
  });
}

ulpfft_status ulpfft_plan_operation_counts(const ulpfft_plan* plan, ulpfft_operation_counts* counts) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_pointer(counts, "counts");
    require_size(*counts, "counts.size");
    counts->adds = plan->facts->adds;
    counts->muls = plan->facts->muls;
    counts->fmas = plan->facts->fmas;
  });
}

ulpfft_status ulpfft_plan_candidate_get(const ulpfft_plan* plan, size_t index, ulpfft_candidate* candidate) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_pointer(candidate, "candidate");
    require_size(*candidate, "candidate.size");
    if (index >= plan->candidates.size()) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "index",
                      "index is " + std::to_string(index) + ", there are " + std::to_string(plan->candidates.size()) + " candidates.");
    }
    const Candidate& from = plan->candidates[index];
    const std::string recipe = print_recipe(from.recipe);  // refuses texts beyond kMaxRecipeText
    static_assert(sizeof candidate->recipe > kMaxRecipeText);
    ulpfft_candidate to{};
    std::memcpy(to.recipe, recipe.c_str(), recipe.size() + 1);
    to.seconds = from.seconds;
    to.spread = from.spread;
    // A model that orders recipes is no prediction of a time.
    if (plan->executable->backend.predicted_seconds == nullptr) to.predicted_seconds = from.predicted_seconds;
    from.kind.copy(to.kind, sizeof to.kind - 1);
    to.threads = from.threads;
    to.error = from.error;
    to.size = candidate->size;
    std::memcpy(candidate, &to, std::min(to.size, sizeof to));
  });
}

}  // extern "C"

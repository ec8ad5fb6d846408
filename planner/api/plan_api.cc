// Plans through the C interface: problems in, handles out, execution.
#include <cfloat>
#include <cmath>
#include <cstring>

#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "planner/plan.h"
#include "planner/search.h"
#include "wisdom/problem_text.h"

using namespace ulpfft;

namespace {

template <typename E>
E checked_enum(int value, int last, const char* field) {
  if (value < 0 || value > last) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                    std::string(field) + " is " + std::to_string(value) + ", expected 0.." + std::to_string(last) + ".");
  }
  return static_cast<E>(value);
}

std::vector<Dimension> read_dimensions(int count, int least, const char* count_field, const std::int64_t* lengths, const char* lengths_field) {
  if (count < least || count > kMaxRank) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, count_field,
                    std::string(count_field) + " is " + std::to_string(count) + ", expected " + std::to_string(least) + ".." +
                        std::to_string(kMaxRank) + ".");
  }
  if (count > 0) require_pointer(lengths, lengths_field);
  std::vector<Dimension> dims(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i].length = lengths[i];
  return dims;
}

Problem problem_from_c(const ulpfft_problem& in) {
  require_size(in.size, sizeof(ulpfft_problem), "problem.size");
  Problem out;
  out.kind = checked_enum<Kind>(in.kind, ULPFFT_R2R, "kind");
  out.dims = read_dimensions(in.rank, 1, "rank", in.lengths, "lengths");
  out.batch = read_dimensions(in.batch_rank, 0, "batch_rank", in.batch_lengths, "batch_lengths");
  for (std::size_t i = 0; i < out.dims.size() + out.batch.size(); ++i) {
    const bool is_batch = i >= out.dims.size();
    const std::size_t at = is_batch ? i - out.dims.size() : i;
    const Dimension& d = is_batch ? out.batch[at] : out.dims[at];
    if (d.length < 1) {
      const std::string field = std::string(is_batch ? "batch_lengths[" : "lengths[") + std::to_string(at) + "]";
      throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is " + std::to_string(d.length) + ", expected at least 1.");
    }
  }
  set_dense_strides(out);
  for (std::size_t i = 0; i < out.dims.size(); ++i) {
    if (in.in_strides != nullptr) out.dims[i].in_stride = in.in_strides[i];
    if (in.out_strides != nullptr) out.dims[i].out_stride = in.out_strides[i];
  }
  for (std::size_t i = 0; i < out.batch.size(); ++i) {
    if (in.batch_in_strides != nullptr) out.batch[i].in_stride = in.batch_in_strides[i];
    if (in.batch_out_strides != nullptr) out.batch[i].out_stride = in.batch_out_strides[i];
  }
  out.storage_in = in.storage_in != nullptr ? in.storage_in : "f32";
  out.storage_out = in.storage_out != nullptr ? in.storage_out : out.storage_in;
  out.scheme = in.scheme != nullptr ? in.scheme : "";
  out.backend = in.backend != nullptr ? in.backend : "";
  out.layout = checked_enum<ArrayLayout>(in.layout, ULPFFT_SPLIT, "layout");
  out.placement = checked_enum<Placement>(in.placement, ULPFFT_IN_PLACE, "placement");
  out.direction = checked_enum<Direction>(in.direction, ULPFFT_BACKWARD, "direction");
  out.centered = in.centered != 0;
  out.scale_kind = checked_enum<ScaleKind>(in.scale_kind, ULPFFT_SCALE_VALUE, "scale_kind");
  if (out.scale_kind == ScaleKind::kValue) out.scale_value = in.scale_value;
  out.max_error = in.max_error;
  out.threads = in.threads == 0 ? 1 : in.threads;
  out.intermediate = in.intermediate != nullptr ? in.intermediate : "";
  if (in.user_operation != nullptr) {
    throw PlanError(ULPFFT_UNSUPPORTED, "user_operation", "User operations are reserved for a later version: leave user_operation null.");
  }
  return out;
}

// Fills what the text or struct left open and refuses formats this build does not have.
void complete(Problem& problem) {
  check(problem);
  for (const auto& [name, field] : {std::pair(&problem.storage_in, "storage_in"), std::pair(&problem.storage_out, "storage_out")}) {
    bool known = false;
    std::string names;
    for (const FormatInfo& format : formats()) {
      known = known || *name == format.name;
      names += (names.empty() ? "" : ", ") + std::string(format.name);
    }
    if (!known) throw PlanError(ULPFFT_UNKNOWN_NAME, field, "There is no format '" + *name + "'; this build has " + names + ".");
  }
  compute_type_of_scheme(scheme_of(problem));
  if (scheme_of(problem) == "f32") {
    const double scale = scale_factor(problem);
    if (!(std::abs(scale) <= FLT_MAX) || static_cast<float>(scale) == 0.0F) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, problem.scale_kind == ScaleKind::kValue ? "scale_value" : "scale_kind",
                      "The scale is zero or infinite in f32, the arithmetic of this problem.");
    }
  }
  // Strides of lengths 1 mean nothing and may be anything: dense ones, so that equal problems share a key.
  Problem dense = problem;
  set_dense_strides(dense);
  const auto settle = [](std::vector<Dimension>& dims, const std::vector<Dimension>& from) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].length == 1) dims[i] = from[i];
    }
  };
  settle(problem.dims, dense.dims);
  settle(problem.batch, dense.batch);
  // The default has one spelling, too.
  if (problem.scheme == problem.storage_in) problem.scheme.clear();
}

// Errors about a field of a problem that came as text point at its words.
template <typename Body>
auto with_text_range(std::string_view text, const Body& body) {
  try {
    return body();
  } catch (PlanError& error) {
    if (error.text_begin == error.text_end) {
      const auto [begin, end] = field_range(text, error.field);
      error.text_begin = begin;
      error.text_end = end;
    }
    throw;
  }
}

SearchOptions search_options(const ulpfft_plan_options* options) {
  SearchOptions out;
  if (options == nullptr) return out;
  require_size(options->size, sizeof(ulpfft_plan_options), "options.size");
  switch (options->effort) {
    case 0: case ULPFFT_MEASURE: out.effort = Effort::kMeasure; break;
    case ULPFFT_ESTIMATE: out.effort = Effort::kEstimate; break;
    default:
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "effort",
                      "effort is " + std::to_string(options->effort) + ", expected ULPFFT_ESTIMATE (1) or ULPFFT_MEASURE (2).");
  }
  if (!std::isfinite(options->time_limit_seconds) || options->time_limit_seconds < 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "time_limit_seconds", "time_limit_seconds must be finite and not negative.");
  }
  if (options->time_limit_seconds > 0) out.time_limit_seconds = options->time_limit_seconds;
  if (options->progress != nullptr) {
    out.progress = [progress = options->progress, user = options->progress_user](double fraction, const std::string& what) {
      return progress(user, fraction, what.c_str()) == 0;
    };
  }
  return out;
}

std::unique_ptr<ulpfft_plan> plan_from_entry(const Problem& problem, const Entry& entry, const CodeletTable& codelets) {
  TableCache cache;
  const Recipe recipe = parse_recipe(entry.recipe);
  std::unique_ptr<ulpfft_plan> plan = make_plan(problem, recipe, codelets, build_plan(problem, recipe, codelets, cache));
  if (recipe_digest(plan->compiled) != entry.digest) return nullptr;  // timed with other codelets
  plan->seconds = entry.seconds;
  plan->spread = entry.spread;
  plan->from_wisdom = true;
  plan->candidates = {{recipe, 0, entry.seconds, entry.spread, "wisdom", entry.threads, entry.error}};
  return plan;
}

std::unique_ptr<ulpfft_plan> create(ulpfft_context& context, Problem problem, const SearchOptions& options) {
  complete(problem);
  const RegisteredTarget& target = target_of(context, problem.backend);
  const std::string key = problem_key(problem);
  const std::string effort = options.effort == Effort::kMeasure ? "measure" : "estimate";
  // A problem that names another backend has it in its key, so the machine of the context serves it too.
  const std::string& machine = context.machine;
  if (const std::optional<Entry> entry = context.store.find(key, machine, effort)) {
    try {
      if (std::unique_ptr<ulpfft_plan> plan = plan_from_entry(problem, *entry, target.table)) return plan;
    } catch (const PlanError&) {
      // A recipe that does not fit this build: wisdom is a hint, so search as if it were not there.
    }
  }
  std::unique_ptr<ulpfft_plan> plan = search_plan(problem, target.table, options);
  if (options.effort == Effort::kMeasure) {
    Entry entry;
    entry.problem_key = key;
    entry.machine = machine;
    entry.recipe = print_recipe(plan->recipe);
    entry.digest = recipe_digest(plan->compiled);
    entry.seconds = plan->seconds;
    entry.spread = plan->spread;
    entry.error = plan->error;
    entry.effort = effort;
    entry.library_version = ulpfft_version();
    try {
      context.store.remember(std::move(entry));
    } catch (const std::exception&) {
      // A plan that cannot be remembered is still a plan.
    }
  }
  return plan;
}

bool overlaps(const void* a, const Extent& ea, const void* b, const Extent& eb) {
  const auto pa = reinterpret_cast<std::intptr_t>(a);
  const auto pb = reinterpret_cast<std::intptr_t>(b);
  return pa + ea.low < pb + eb.high && pb + eb.low < pa + ea.high;
}

// The checks of a call failed: finds out which and says so.
[[gnu::noinline]] ulpfft_status refuse_arrays(const ulpfft_plan* plan, const void* in, const void* out, const char* in_field, const char* out_field) noexcept {
  if (plan == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "plan is null.");
  if (in == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, in_field, "The input array is null.");
  if (out == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field, "The output array is null.");
  const auto misaligned = [](const void* p, std::uintptr_t mask) { return (reinterpret_cast<std::uintptr_t>(p) & mask) != 0; };
  if (misaligned(in, plan->in_alignment_mask)) return set_last_error(ULPFFT_INVALID_ARGUMENT, in_field, "The input array is not aligned to a real element of its storage format.");
  if (misaligned(out, plan->out_alignment_mask)) return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field, "The output array is not aligned to a real element of its storage format.");
  if (plan->in_place) return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field, "The plan is in place: input and output must be the same array.");
  return set_last_error(ULPFFT_INVALID_ARGUMENT, out_field,
                        "Input and output overlap, but the plan is out of place. Use separate arrays, or plan in place and pass one array twice.");
}

bool separate(const ulpfft_plan& plan, const void* in, const void* out) {
  return reinterpret_cast<std::uintptr_t>(out) - reinterpret_cast<std::uintptr_t>(in) - plan.overlap_low >= plan.overlap_range;
}

bool acceptable(const ulpfft_plan& plan, const void* in, const void* out) {
  if (in == nullptr || out == nullptr) return false;
  if (((reinterpret_cast<std::uintptr_t>(in) & plan.in_alignment_mask) | (reinterpret_cast<std::uintptr_t>(out) & plan.out_alignment_mask)) != 0) return false;
  return plan.in_place ? in == out : separate(plan, in, out);
}

ulpfft_status finish(ulpfft_status status) noexcept {
  if (status == ULPFFT_NO_MEMORY) return set_last_error(status, "workspace", "Not enough memory for the workspace of one more thread.");
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

ulpfft_status ulpfft_plan_create(ulpfft_context* context, const ulpfft_problem* problem, const ulpfft_plan_options* options, ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem, "problem");
    *plan = create(context_of(context), problem_from_c(*problem), search_options(options)).release();
  });
}

ulpfft_status ulpfft_plan_parse(ulpfft_context* context, const char* problem_text, ulpfft_plan** plan) {
  return ulpfft_plan_parse_options(context, problem_text, nullptr, plan);
}

ulpfft_status ulpfft_plan_parse_options(ulpfft_context* context, const char* problem_text, const ulpfft_plan_options* options, ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem_text, "problem_text");
    const SearchOptions search = search_options(options);
    Problem problem = parse_problem(problem_text);
    *plan = with_text_range(problem_text, [&] { return create(context_of(context), std::move(problem), search); }).release();
  });
}

ulpfft_status ulpfft_plan_from_recipe(ulpfft_context* context, const char* problem_text, const char* recipe_text, ulpfft_plan** plan) {
  return guard([&] {
    require_pointer(plan, "plan");
    *plan = nullptr;
    require_pointer(problem_text, "problem_text");
    require_pointer(recipe_text, "recipe_text");
    Problem problem = parse_problem(problem_text);
    with_text_range(problem_text, [&] {
      complete(problem);
      return 0;
    });
    const Recipe recipe = parse_recipe(recipe_text);
    const CodeletTable& codelets = target_of(context_of(context), problem.backend).table;
    TableCache cache;
    std::unique_ptr<ulpfft_plan> made = make_plan(problem, recipe, codelets, build_plan(problem, recipe, codelets, cache));
    made->candidates = {{recipe, 0, 0, 0}};
    *plan = made.release();
  });
}

void ulpfft_plan_destroy(ulpfft_plan* plan) { delete plan; }

ulpfft_status ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out) {
  if (plan == nullptr || !acceptable(*plan, in, out)) [[unlikely]] return refuse_arrays(plan, in, out, "in", "out");
  if (plan->split) [[unlikely]] {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "The plan is for split arrays: call ulpfft_execute_arrays.");
  }
  return finish(plan->run(*plan, const_cast<void*>(in), const_cast<void*>(in), out, out, nullptr));
}

ulpfft_status ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out, void* workspace) {
  if (plan == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "plan", "plan is null.");
  if (in == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "in", "in is null.");
  if (out == nullptr) return set_last_error(ULPFFT_INVALID_ARGUMENT, "out", "out is null.");
  if (in->size < sizeof(ulpfft_array)) return set_last_error(ULPFFT_INVALID_ARGUMENT, "in.size", "in.size is less than sizeof(ulpfft_array).");
  if (out->size < sizeof(ulpfft_array)) return set_last_error(ULPFFT_INVALID_ARGUMENT, "out.size", "out.size is less than sizeof(ulpfft_array).");
  if (reinterpret_cast<std::uintptr_t>(workspace) % kBufferAlignment != 0) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, "workspace", "workspace is not aligned to 64 bytes.");
  }
  for (const ulpfft_array* array : {in, out}) {
    if (array->scales[0] != nullptr || array->scales[1] != nullptr) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, array == in ? "in.scales" : "out.scales",
                            "scales are reserved for block formats: leave them null.");
    }
    if (array->exponents != nullptr) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, array == in ? "in.exponents" : "out.exponents",
                            "exponents are reserved for narrow formats: leave them null.");
    }
  }
  const bool split = plan->split;
  if (!acceptable(*plan, in->data[0], out->data[0])) return refuse_arrays(plan, in->data[0], out->data[0], "in.data[0]", "out.data[0]");
  if (split) {
    if (!acceptable(*plan, in->data[1], out->data[1])) return refuse_arrays(plan, in->data[1], out->data[1], "in.data[1]", "out.data[1]");
    if (overlaps(out->data[0], plan->out_extent, out->data[1], plan->out_extent)) {
      return set_last_error(ULPFFT_INVALID_ARGUMENT, "out.data[1]", "The output's re and im arrays overlap.");
    }
    if (!plan->in_place && !separate(*plan, in->data[0], out->data[1])) {
      return refuse_arrays(plan, in->data[0], out->data[1], "in.data[0]", "out.data[1]");
    }
    if (!plan->in_place && !separate(*plan, in->data[1], out->data[0])) {
      return refuse_arrays(plan, in->data[1], out->data[0], "in.data[1]", "out.data[0]");
    }
  }
  return finish(plan->run(*plan, in->data[0], in->data[split ? 1 : 0], out->data[0], out->data[split ? 1 : 0], workspace));
}

size_t ulpfft_plan_workspace_bytes(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->compiled.workspace_bytes; }
double ulpfft_plan_error(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->error; }
double ulpfft_plan_seconds(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->seconds; }
int ulpfft_plan_from_wisdom(const ulpfft_plan* plan) { return plan != nullptr && plan->from_wisdom ? 1 : 0; }
size_t ulpfft_plan_candidate_count(const ulpfft_plan* plan) { return plan == nullptr ? 0 : plan->candidates.size(); }

char* ulpfft_plan_describe(const ulpfft_plan* plan) { return text_of(plan, &describe); }
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

ulpfft_status ulpfft_plan_candidate_get(const ulpfft_plan* plan, size_t index, ulpfft_candidate* candidate) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_pointer(candidate, "candidate");
    require_size(candidate->size, sizeof(ulpfft_candidate), "candidate.size");
    if (index >= plan->candidates.size()) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "index",
                      "index is " + std::to_string(index) + ", there are " + std::to_string(plan->candidates.size()) + " candidates.");
    }
    const Candidate& from = plan->candidates[index];
    const std::string recipe = print_recipe(from.recipe);  // refuses texts beyond kMaxRecipeText
    static_assert(sizeof candidate->recipe > kMaxRecipeText);
    std::memcpy(candidate->recipe, recipe.c_str(), recipe.size() + 1);
    candidate->seconds = from.seconds;
    candidate->spread = from.spread;
    candidate->predicted_seconds = from.predicted_seconds;
  });
}

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/context.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/api/guard.h"
#include "planner/lower/build_plan.h"
#include "planner/table/narrower_codelets.h"
#include "wisdom/default_files.h"
#include "wisdom/file.h"
#include "wisdom/machine.h"
#include "wisdom/words.h"

ulpfft_context::ulpfft_context(const ulpfft::RegisteredTarget& chosen, std::shared_ptr<ulpfft::Team> executing)
    : target(chosen), machine(ulpfft::machine_slug(chosen.table.target)), team(std::move(executing)) {}

namespace ulpfft {

namespace {

// The default context. It is made without a lock, as in codelets/registry.cc, and destroyed with its threads when the library is unloaded.
struct Holder {
  std::atomic<ulpfft_context*> context{nullptr};
  ~Holder() { delete context.load(); }
};
constinit Holder standard_context;

}  // namespace

ulpfft_context& context_of(ulpfft_context* context) {
  if (context != nullptr) return *context;
  ulpfft_context* known = standard_context.context.load(std::memory_order_acquire);
  if (known == nullptr) {
    auto made = make_context({});
    if (standard_context.context.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) known = made.release();
  }
  return *known;
}

std::unique_ptr<ulpfft_context> make_context(const ulpfft_context_options& options) {
  if (options.threads < 0 || options.threads > kMaxThreads) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "threads",
                    "threads is " + std::to_string(options.threads) + ", expected 1.." + std::to_string(kMaxThreads) +
                        ", or 0 for one per CPU.");
  }
  const int threads = options.threads != 0 ? options.threads : std::min(available_cpus(), kMaxThreads);
  auto context = std::make_unique<ulpfft_context>(
      choose_target(options.target),
      options.parallel_for != nullptr ? make_hooked_team(threads, options.parallel_for, options.parallel_user) : make_pool(threads));
  context->max_memory = static_cast<double>(options.max_memory);
  return context;
}

MemoryLimit memory_limit(const ulpfft_context& context, const Backend& backend, double max_memory) {
  const bool one = context.max_memory == 0 || max_memory == 0;
  const double least = one ? std::max(context.max_memory, max_memory) : std::min(context.max_memory, max_memory);
  return backend.memory.is_host() ? MemoryLimit(least) : MemoryLimit::none(least);
}

const RegisteredTarget& choose_target(const char* name) {
  std::string known;
  std::vector<std::string_view> names;
  for (const RegisteredTarget& target : registered_targets()) {
    if (name == nullptr && target.available) return target;
    if (name != nullptr && std::string(name) == target.table.target) {
      if (target.available) return target;
      throw PlanError(ULPFFT_UNAVAILABLE, "target", std::string("Target ") + name + " is not available: " + target.reason + ".");
    }
    names.emplace_back(target.table.target);
    known += (known.empty() ? "" : ", ") + shown_target(names.back());
  }
  const std::string_view asked = name != nullptr ? name : "";
  const std::string meant = asked.starts_with("avx512") ? " Did you mean 'avx3'?" : did_you_mean(asked, names);
  throw PlanError(ULPFFT_UNKNOWN_NAME, "target",
                  "There is no target " + in_quotes(asked) + (meant.empty() ? "; this build has " : "." + meant + " This build has ") +
                      known + ".");
}

const CodeletTable& codelets_for(const ulpfft_context& context, const Problem& problem) {
  const std::string& backend = problem.backend;
  if (backend.empty() || backend == context.target.table.backend) return context.target.table;
  for (const Backend* const one : backends()) {
    if (one->codelets == nullptr || !serves(*one, backend)) continue;
    one->check(problem);
    return one->codelets();
  }
  bool vectors = false;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available && backend == target.table.backend) return target.table;
    vectors = vectors || (target.available && std::string("hwy") == target.table.backend);
  }
  const std::string here = vectors ? "hwy, ref and cuda." : "ref and cuda.";
  if (backend == "hwy") {
    throw PlanError(ULPFFT_UNAVAILABLE, "backend", "Backend hwy has no target that is part of this build and runs here; there is " + here);
  }
  throw PlanError(ULPFFT_UNKNOWN_NAME, "backend", "There is no backend '" + backend + "' here; this build has " + here);
}

ImportPolicy import_policy(const ulpfft_context& context) {
  ImportPolicy policy;
  policy.machines = {context.machine};
  // One cache serves all entries, so that shared codelets are found once. Its tables stay empty, and it is cleared before it grows large.
  auto cache = std::make_shared<TableCache>();
  cache->for_digests = true;
  policy.digest = [&context, cache](const Problem& problem, const Recipe& recipe,
                                    const std::string& narrower) -> std::optional<std::uint64_t> {
    constexpr std::size_t kMostTables = 1000;
    if (cache->mx.size() > kMostTables || cache->codelets.size() > kMostTables) {
      cache->mx.clear();
      cache->codelets.clear();
    }
    // Strides decide which passes move and pack numbers. Whether elements coincide does not, and hostile strides would make it take long.
    check_but_for_coincidence(problem);
    require_addressable(problem);
    const CodeletTable* codelets = &codelets_for(context, problem);
    if (!narrower.empty()) codelets = narrower_codelets(*codelets, narrower);
    if (codelets == nullptr) return std::nullopt;
    return recipe_digest(problem, recipe, make_program(problem, recipe, *codelets, *cache));
  };
  return policy;
}

}  // namespace ulpfft

using namespace ulpfft;

namespace {

// The store has changed by now, so this does not fail. Details are null where memory is short.
void fill_report(const ImportReport& from, ulpfft_import_report* to) noexcept {
  if (to == nullptr) return;
  to->accepted = from.accepted;
  to->stale = from.stale;
  to->foreign = from.foreign;
  to->malformed = from.malformed;
  std::size_t length = 0;
  for (const std::string& line : from.details) length += line.size() + 1;
  to->details = static_cast<char*>(std::malloc(length + 1));
  if (to->details == nullptr) return;
  char* end = to->details;
  for (const std::string& line : from.details) {
    end = std::copy(line.begin(), line.end(), end);
    *end++ = '\n';
  }
  *end = '\0';
}

void require_report(const ulpfft_import_report* report) {
  if (report != nullptr) require_size(*report, "report.size");
}

template <std::size_t N>
void copy_field(char (&to)[N], const std::string& from) {
  const std::size_t length = std::min(from.size(), N - 1);
  from.copy(to, length);
  to[length] = '\0';
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_context_create(const ulpfft_context_options* options, ulpfft_context** context) {
  return guard([&] {
    require_pointer(context, "context");
    *context = nullptr;
    *context = make_context(options != nullptr ? read_sized(*options, "options.size") : ulpfft_context_options{}).release();
  });
}

void ulpfft_context_destroy(ulpfft_context* context) { delete context; }

ulpfft_status ulpfft_wisdom_import_file(ulpfft_context* context, const char* path, ulpfft_import_report* report) {
  return guard([&] {
    require_pointer(path, "path");
    require_report(report);
    ulpfft_context& target = context_of(context);
    fill_report(import_wisdom_file(target.store, path, import_policy(target)), report);
  });
}

ulpfft_status ulpfft_wisdom_import_string(ulpfft_context* context, const char* text, size_t length, ulpfft_import_report* report) {
  return guard([&] {
    require_pointer(text, "text");
    require_report(report);
    ulpfft_context& target = context_of(context);
    fill_report(import_wisdom(target.store, std::string_view(text, length), import_policy(target)), report);
  });
}

ulpfft_status ulpfft_wisdom_export_file(ulpfft_context* context, const char* path) {
  return guard([&] {
    require_pointer(path, "path");
    ulpfft_context& source = context_of(context);
    save_wisdom_file(source.store, path, import_policy(source));
  });
}

const char* ulpfft_wisdom_user_path(void) {
  thread_local std::string path;
  path.clear();
  guard([&] { path = user_wisdom_path(); });
  return path.c_str();
}

const char* ulpfft_wisdom_system_path(void) { return system_wisdom_path(); }

ulpfft_status ulpfft_wisdom_import_default(ulpfft_context* context, ulpfft_import_report* report) {
  return guard([&] {
    require_report(report);
    ulpfft_context& target = context_of(context);
    fill_report(import_default_wisdom(target.store, {system_wisdom_path(), user_wisdom_path()}, import_policy(target)), report);
  });
}

ulpfft_status ulpfft_wisdom_export_default(ulpfft_context* context) {
  return guard([&] {
    ulpfft_context& source = context_of(context);
    save_default_wisdom(source.store, user_wisdom_path(), import_policy(source));
  });
}

char* ulpfft_wisdom_export_string(ulpfft_context* context) {
  char* text = nullptr;
  guard([&] {
    text = copy_text(export_wisdom(context_of(context).store));
    if (text == nullptr) throw std::bad_alloc();
  });
  return text;
}

size_t ulpfft_wisdom_count(ulpfft_context* context) {
  size_t count = 0;
  guard([&] { count = context_of(context).store.size(); });
  return count;
}

ulpfft_status ulpfft_wisdom_forget(ulpfft_context* context) {
  return guard([&] { context_of(context).store.forget(); });
}

ulpfft_status ulpfft_wisdom_get(ulpfft_context* context, size_t index, ulpfft_wisdom_entry* entry) {
  return guard([&] {
    require_pointer(entry, "entry");
    require_size(*entry, "entry.size");
    const ulpfft_context& source = context_of(context);
    const std::optional<Entry> found = source.store.entry(index);
    if (!found) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "index",
                      "index is " + std::to_string(index) + ", there are " + std::to_string(source.store.size()) + " entries.");
    }
    copy_field(entry->problem, found->problem_key);
    copy_field(entry->machine, found->machine);
    copy_field(entry->recipe, found->recipe);
    copy_field(entry->effort, found->effort);
    entry->seconds = found->seconds;
    entry->spread = found->spread;
    entry->error = found->error;
    entry->usable = found->machine == source.machine ? 1 : 0;
    if (entry->size >= sizeof(ulpfft_wisdom_entry)) {
      entry->threads = found->threads;
      copy_field(entry->error_level, found->error_level);
    }
  });
}

const char* ulpfft_machine(ulpfft_context* context) {
  const char* name = "";
  guard([&] { name = context_of(context).machine.c_str(); });
  return name;
}

}  // extern "C"

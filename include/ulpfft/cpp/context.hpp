// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The maker of plans, and the keeper of wisdom.
#ifndef ULPFFT_CPP_CONTEXT_HPP_
#define ULPFFT_CPP_CONTEXT_HPP_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/plan.hpp"
#include "ulpfft/cpp/problem.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

// What an import of wisdom did with each entry.
struct ImportReport {
  std::size_t accepted = 0;   // usable here
  std::size_t stale = 0;      // made by codelets this build no longer has: kept out
  std::size_t foreign = 0;    // another machine or version: kept for export, not used
  std::size_t malformed = 0;  // an entry with a bad field: dropped
  std::string details;        // one line per entry not accepted, with its reason
};

struct WisdomEntry {
  std::string problem;
  std::string machine;
  std::string recipe;
  double seconds = 0.0;
  double spread = 0.0;
  double error = 0.0;
  std::string effort;
  bool usable = false;  // of this machine and its codelets
  int threads = 1;
  std::string error_level = {};  // "predicted", "sampled", "full"
};

struct ContextOptions {
  std::string target = {};  // "avx3", "avx2", "sse4", ... or "ref"; empty: the best of this machine
  int threads = 0;          // that execute plans, the calling one among them, 1 to 256; 0: one per CPU this process may use
  // Replaces the library's threads: calls work(data, i) for every i in 0..count-1 on any threads and returns when all have returned;
  // must not throw. Lives as long as the context and its plans.
  void (*parallel_for)(void* user, int count, void (*work)(void* data, int index), void* data) = nullptr;
  void* parallel_user = nullptr;
  std::uint64_t max_memory = 0;  // of each plan, as PlanOptions has it; 0: what the process may use
};

// Wisdom, the codelets of one target and planning defaults. Starts without wisdom. Any thread may use it at any time.
class Context {
 public:
  Context() : Context(ContextOptions{}) {}
  explicit Context(const ContextOptions& options) {
    ulpfft_context_options given{};
    given.size = sizeof given;
    given.target = options.target.empty() ? nullptr : options.target.c_str();
    given.threads = options.threads;
    given.parallel_for = options.parallel_for;
    given.parallel_user = options.parallel_user;
    given.max_memory = options.max_memory;
    ulpfft_context* made = nullptr;
    detail::check(ulpfft_context_create(&given, &made));
    context_.reset(made);
  }
  // The process-wide context, made on first use; shared with C callers that pass NULL.
  static Context& process_wide() {
    static Context shared{ProcessWide{}};
    return shared;
  }

  // Makes a plan, choosing a recipe from wisdom, by timing or by estimate. Never touches the caller's arrays, but
  // reads options.judge.
  [[nodiscard]] Plan plan(const Problem& problem, const PlanOptions& options = {}) {
    return detail::with_problem(problem, [&](const ulpfft_problem& given) {
      return finish(options, [&](const ulpfft_plan_options* c_options, ulpfft_plan** made) {
        return ulpfft_plan_create(handle(), &given, c_options, made);
      });
    });
  }

  // Bytes of a problem and of the plan that an estimate would make, before any of them is taken.
  [[nodiscard]] Memory predict_memory(const Problem& problem) {
    return detail::with_problem(problem, [&](const ulpfft_problem& given) {
      return detail::read_memory([&](ulpfft_memory* to) { return ulpfft_predict_memory(handle(), &given, to); });
    });
  }
  [[nodiscard]] Memory predict_memory(const std::string& problem) {
    return detail::read_memory([&](ulpfft_memory* to) { return ulpfft_predict_memory_text(handle(), problem.c_str(), to); });
  }

  // As plan, but returns the error. Still throws what the progress callback throws.
  Result<Plan> try_plan(const Problem& problem, const PlanOptions& options = {}) {
    try {
      return plan(problem, options);
    } catch (const Error& failure) {
      return failure;
    }
  }

  // Makes a plan from a problem text, e.g. "256x256*8 f32 inverse centered scale=ortho" (ulpfft.h, ulpfft_plan_parse).
  [[nodiscard]] Plan parse(const std::string& problem_text, const PlanOptions& options = {}) {
    return finish(options, [&](const ulpfft_plan_options* c_options, ulpfft_plan** made) {
      return ulpfft_plan_parse_options(handle(), problem_text.c_str(), c_options, made);
    });
  }

  // Makes a plan from a problem text by a recipe text, e.g. "f32:dit(16 8 8 4)"; nothing is searched or remembered.
  [[nodiscard]] Plan from_recipe(const std::string& problem_text, const std::string& recipe_text) {
    ulpfft_plan* made = nullptr;
    detail::check(ulpfft_plan_from_recipe(handle(), problem_text.c_str(), recipe_text.c_str(), &made));
    return Plan(made);
  }

  // All or nothing: a file or text that is not wisdom changes nothing and throws. Wisdom can cost speed, never correctness.
  ImportReport import_wisdom(const std::string& path) {
    return import([&](ulpfft_import_report* report) { return ulpfft_wisdom_import_file(handle(), path.c_str(), report); });
  }
  ImportReport import_wisdom_text(std::string_view text) {
    return import([&](ulpfft_import_report* report) {
      return ulpfft_wisdom_import_string(handle(), text.data(), text.size(), report);
    });
  }
  // Merges with what the file already holds, and replaces it atomically.
  void export_wisdom(const std::string& path) { detail::check(ulpfft_wisdom_export_file(handle(), path.c_str())); }
  std::string export_wisdom_text() { return detail::take(ulpfft_wisdom_export_string(handle())); }
  void forget_wisdom() { detail::check(ulpfft_wisdom_forget(handle())); }
  std::vector<WisdomEntry> wisdom() {
    std::vector<WisdomEntry> list(ulpfft_wisdom_count(handle()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      ulpfft_wisdom_entry entry{};
      entry.size = sizeof entry;
      detail::check(ulpfft_wisdom_get(handle(), i, &entry));
      list[i] = {entry.problem, entry.machine, entry.recipe, entry.seconds,
                 entry.spread,  entry.error,   entry.effort, entry.usable != 0, entry.threads, entry.error_level};
    }
    return list;
  }
  // The user's and the system's files, e.g. ~/.cache/ulpfft/wisdom.json (ulpfft.h, ulpfft_wisdom_user_path).
  ImportReport import_default_wisdom() {
    return import([&](ulpfft_import_report* report) { return ulpfft_wisdom_import_default(handle(), report); });
  }
  void export_default_wisdom() { detail::check(ulpfft_wisdom_export_default(handle())); }
  // Times every codelet for about so many seconds (0: 2), so that estimates know this machine; kept with wisdom.
  void calibrate(double seconds = 0.0) { detail::check(ulpfft_calibrate(handle(), seconds)); }
  bool is_calibrated() { return ulpfft_is_calibrated(handle()) != 0; }
  // This machine's name in wisdom, e.g. "x86.25.17.avx3".
  std::string machine() { return ulpfft_machine(handle()); }
  // For the C interface; still owned by this object. Null for the process-wide context.
  ulpfft_context* get() const noexcept { return context_.get(); }

 private:
  struct ProcessWide {};
  struct Destroy {
    void operator()(ulpfft_context* owned) const noexcept { ulpfft_context_destroy(owned); }
  };
  struct Progress {
    const PlanOptions* options;
    std::exception_ptr thrown;
  };

  explicit Context(ProcessWide) : process_wide_(true) {}

  ulpfft_context* handle() const {
    if (context_ == nullptr && !process_wide_) throw Error(Status::kInvalidArgument, "context", "This context was moved from.");
    return context_.get();
  }

  static int on_progress(void* user, double fraction, const char* what) {
    Progress& progress = *static_cast<Progress*>(user);
    try {
      return progress.options->progress(fraction, what ? what : "") ? 0 : 1;
    } catch (...) {
      progress.thrown = std::current_exception();
      return 1;
    }
  }

  template <typename Make>
  static Plan finish(const PlanOptions& options, const Make& make) {
    Progress progress{&options, nullptr};
    ulpfft_plan_options given{};
    given.size = sizeof given;
    given.effort = static_cast<int>(options.effort);
    given.time_limit_seconds = options.time_limit_seconds;
    given.progress = options.progress ? &on_progress : nullptr;
    given.progress_user = &progress;
    given.flags = options.deterministic ? ULPFFT_DETERMINISTIC : 0;
    given.error_level = static_cast<int>(options.error_level);
    given.judge = options.judge;
    given.max_memory = options.max_memory;
    ulpfft_plan* made = nullptr;
    const ulpfft_status status = make(&given, &made);
    if (progress.thrown) {
      ulpfft_plan_destroy(made);
      std::rethrow_exception(progress.thrown);
    }
    detail::check(status);
    return Plan(made);
  }

  template <typename Read>
  static ImportReport import(const Read& read) {
    ulpfft_import_report report{};
    report.size = sizeof report;
    const ulpfft_status status = read(&report);
    std::string details = report.details ? detail::take(report.details) : std::string();
    detail::check(status);
    return {report.accepted, report.stale, report.foreign, report.malformed, std::move(details)};
  }

  std::unique_ptr<ulpfft_context, Destroy> context_;
  bool process_wide_ = false;
};

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_CONTEXT_HPP_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/planner.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "bindings/fftw3/flags.h"
#include "bindings/fftw3/record.h"
#include "bindings/fftw3/wishes.h"

namespace ulpfft::fftw3 {

namespace {

constexpr std::size_t kMostEntries = 1024;
constexpr std::uint64_t kMostBytes = 256'000'000;
constexpr int kMostThreads = 256;  // that ulpfft takes

std::shared_ptr<ulpfft_context> make_context(const ulpfft_context_options* options) {
  ulpfft_context* made = nullptr;
  if (ulpfft_context_create(options, &made) != ULPFFT_OK) throw std::bad_alloc();
  return {made, ulpfft_context_destroy};
}

std::string text_of_wisdom(ulpfft_context* context) {
  char* const text = ulpfft_wisdom_export_string(context);
  const std::string copy = text != nullptr ? text : "";
  ulpfft_string_free(text);
  return copy;
}

// Takes the wisdom of the file that the environment names; there need not be one yet. Returns the text of all wisdom then, "" without such
// a file.
std::string import_wished(ulpfft_context* context) {
  const std::string& path = wishes().wisdom;
  if (path.empty() || access(path.c_str(), F_OK) != 0) return "";
  if (ulpfft_wisdom_import_file(context, path.c_str(), nullptr) != ULPFFT_OK) complain(ulpfft_last_error());
  return text_of_wisdom(context);
}

struct Job {
  void (*work)(void*, int);
  void* data;
  int index;
};

void* run_job(char* job) {
  const Job& the = *reinterpret_cast<const Job*>(job);
  the.work(the.data, the.index);
  return nullptr;
}

void run_by_loop(void* user, int count, void (*work)(void*, int), void* data) {
  const Loop& loop = *static_cast<const Loop*>(user);
  Job jobs[kMostThreads];
  for (int first = 0; first < count; first += kMostThreads) {
    const int some = std::min(count - first, kMostThreads);
    for (int i = 0; i < some; ++i) jobs[i] = {work, data, first + i};
    loop.run(run_job, reinterpret_cast<char*>(jobs), sizeof(Job), some, loop.data);
  }
}

// A first timing of ulpfft takes up to a millisecond: within less nothing is measured. Negative: no limit.
constexpr double kShortestMeasuring = 1e-3;

int effort_of(unsigned flags, double time_limit) {
  if ((flags & kEstimate) != 0 || (time_limit >= 0 && time_limit < kShortestMeasuring)) return ULPFFT_ESTIMATE;
  if ((flags & kExhaustive) != 0) return ULPFFT_EXHAUSTIVE;
  return (flags & kPatient) != 0 ? ULPFFT_PATIENT : ULPFFT_MEASURE;
}

// What ulpfft is asked to keep within. A first timing and the tables of a plan come on top.
double asked_seconds(double time_limit) {
  constexpr double kOnTop = 2e-3;
  return time_limit <= 0 ? 0 : std::max(time_limit - kOnTop, time_limit / 3);
}

}  // namespace

std::shared_ptr<Transform> TransformCache::find(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

std::shared_ptr<Transform> TransformCache::insert(std::string key, std::shared_ptr<Transform> transform, Entries& dropped) {
  if (std::shared_ptr<Transform> there = find(key); there != nullptr) return there;
  if (transform->bytes() > kMostBytes) return transform;
  entries_.emplace_front(std::move(key), transform);
  by_key_.emplace(entries_.front().first, entries_.begin());
  // Transforms grow when they meet other arrays, so their bytes are summed up anew.
  std::uint64_t bytes = 0;
  for (const auto& entry : entries_) bytes += entry.second->bytes();
  while (entries_.size() > kMostEntries || bytes > kMostBytes) {
    bytes -= std::min(bytes, entries_.back().second->bytes());
    by_key_.erase(entries_.back().first);
    dropped.splice(dropped.end(), entries_, std::prev(entries_.end()));
  }
  return transform;
}

TransformCache::Entries TransformCache::take_all() {
  by_key_.clear();
  return std::exchange(entries_, {});
}

// Never destroyed, so that functions called while a program ends find it.
Planner& Planner::get() {
  static Planner& planner = *new Planner;
  return planner;
}

Planner::Planner() { pthread_atfork(lock_for_fork, unlock_after_fork, begin_as_child); }

// Made before there are threads, so that a child of fork() never finds it half made.
[[gnu::constructor]] static void make_planner() { Planner::get(); }

[[gnu::destructor]] static void keep_wisdom_at_exit() { Planner::get().keep_wisdom(); }

void Planner::lock_for_fork() {
  get().mutex_.lock();
  lock_records();
}
void Planner::unlock_after_fork() {
  unlock_records();
  get().mutex_.unlock();
}
void Planner::begin_as_child() {
  forget_counts();
  unlock_after_fork();
}

std::shared_ptr<ulpfft_context> Planner::context_locked() {
  if (context_ == nullptr) {
    context_ = make_context(nullptr);
    kept_wisdom_ = import_wished(context_.get());
  }
  return context_;
}

std::shared_ptr<ulpfft_context> Planner::context() {
  const std::lock_guard lock(mutex_);
  return context_locked();
}

void Planner::set_loop(ParallelLoop loop, void* data) {
  const std::shared_ptr<ulpfft_context> before = context();
  ulpfft_context_options options = ULPFFT_CONTEXT_OPTIONS_INIT;
  if (loop != nullptr) {
    options.parallel_for = run_by_loop;
    const std::lock_guard lock(mutex_);
    options.parallel_user = &loops_.emplace_back(Loop{loop, data});
    options.threads = kMostThreads;
  }
  const std::shared_ptr<ulpfft_context> after = make_context(&options);
  if (char* const wisdom = ulpfft_wisdom_export_string(before.get()); wisdom != nullptr) {
    // What cannot be taken is lost speed only.
    static_cast<void>(ulpfft_wisdom_import_string(after.get(), wisdom, std::string_view(wisdom).size(), nullptr) == ULPFFT_OK);
    ulpfft_string_free(wisdom);
  }
  {
    const std::lock_guard lock(mutex_);
    context_ = after;
  }
  empty_cache();
}

void Planner::set_threads(int threads) {
  const std::lock_guard lock(mutex_);
  threads_ = std::max(threads, 1);
}

int Planner::threads() {
  const std::lock_guard lock(mutex_);
  return threads_;
}

void Planner::set_time_limit(double seconds) {
  const std::lock_guard lock(mutex_);
  time_limit_ = seconds >= 0 ? seconds : -1;  // NaN: none
}

void Planner::empty_cache() {
  std::unique_lock lock(mutex_);
  const auto dropped = cache_.take_all();
  lock.unlock();
}

void Planner::keep_wisdom() {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<ulpfft_context> kept = context_;
  const std::string before = kept_wisdom_;
  lock.unlock();
  const std::string& path = wishes().wisdom;
  if (kept == nullptr || path.empty() || ulpfft_wisdom_count(kept.get()) == 0 || text_of_wisdom(kept.get()) == before) return;
  if (ulpfft_wisdom_export_file(kept.get(), path.c_str()) != ULPFFT_OK) complain(ulpfft_last_error());
}

void Planner::forget_wisdom() {
  keep_wisdom();
  const std::shared_ptr<ulpfft_context> forgetful = context();
  static_cast<void>(ulpfft_wisdom_forget(forgetful.get()) == ULPFFT_OK);
  std::string now = import_wished(forgetful.get());
  {
    const std::lock_guard lock(mutex_);
    kept_wisdom_ = std::move(now);
  }
  empty_cache();
}

void Planner::reset() {
  forget_wisdom();
  {
    const std::lock_guard lock(mutex_);
    threads_ = 1;
    time_limit_ = -1;
  }
  empty_cache();
}

std::shared_ptr<Transform> Planner::transform(const Problem& given, const Occasion& occasion, unsigned flags) {
  const Problem problem = simplified(given);
  Settings settings;
  Search search;
  std::string key = bytes_of(problem);
  const auto add = [&](auto number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  add(occasion.form * 4 + occasion.in_place * 2 + occasion.unknown);
  {
    const std::lock_guard lock(mutex_);
    settings.context = context_locked();
    settings.threads = wishes().threads != 0 ? wishes().threads : std::min(threads_, kMostThreads);
    search.effort = effort_of(flags, time_limit_);
    search.seconds = asked_seconds(time_limit_);
    add(settings.threads);
    add(time_limit_);
    add(flags & ~kWisdomOnly & ~(kEstimate | kPatient | kExhaustive));
    // Plans of more effort count as wisdom.
    const bool wisdom_only = (flags & kWisdomOnly) != 0;
    for (int effort = search.effort; effort <= (wisdom_only ? static_cast<int>(ULPFFT_EXHAUSTIVE) : search.effort); ++effort) {
      if (std::shared_ptr<Transform> known = cache_.find(key + static_cast<char>(effort)); known != nullptr) return known;
    }
    key += static_cast<char>(search.effort);
    if (wisdom_only) search = {ULPFFT_WISDOM_ONLY, 0};
  }
  const bool destroys = problem.kind == kC2R && problem.dims.size() > 1;
  settings.destroy_input = (flags & kPreserveInput) == 0 && (destroys || (flags & kDestroyInput) != 0);
  std::shared_ptr<Transform> made = Transform::make(problem, settings, search, occasion);
  if (made == nullptr) return nullptr;
  TransformCache::Entries dropped;
  const std::lock_guard lock(mutex_);
  return cache_.insert(std::move(key), std::move(made), dropped);
}

}  // namespace ulpfft::fftw3

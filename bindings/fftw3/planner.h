// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a library of FFTW's interface keeps between calls: a context with its wisdom, the settings of FFTW's planner, and a cache
// of transforms, so that planning the same again costs microseconds. One object for each library.
//
// Cache    at most 1,024 transforms or 256 MB of tables and workspaces; the ones used longest ago leave first. Its key holds the
// problem, the
//          form and placement of the arrays, flags, threads and time limit. Plans keep their transform when it leaves.
// Threads  all functions may be called at any time. The lock is held for short, never while a plan is made, and across fork().
#ifndef ULPFFT_BINDINGS_FFTW3_PLANNER_H_
#define ULPFFT_BINDINGS_FFTW3_PLANNER_H_

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bindings/fftw3/problem.h"
#include "bindings/fftw3/transform.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::fftw3 {

class TransformCache {
 public:
  using Entries = std::list<std::pair<std::string, std::shared_ptr<Transform>>>;

  std::shared_ptr<Transform> find(std::string_view key);
  // What is there under this key already stays, and is returned. What leaves goes to `dropped`, to be destroyed without the lock.
  std::shared_ptr<Transform> insert(std::string key, std::shared_ptr<Transform> transform, Entries& dropped);
  Entries take_all();

 private:
  Entries entries_;  // used last first
  std::unordered_map<std::string_view, Entries::iterator> by_key_;
};

// FFTW's loop: parallel_loop(work, jobs, size of a job, number of jobs, data) calls work(job) for all, and returns when all have
// returned.
using ParallelLoop = void (*)(void* (*work)(char*), char* jobs, std::size_t job_bytes, int count, void* data);

// A caller's loop.
struct Loop {
  ParallelLoop run;
  void* data;
};

class Planner {
 public:
  static Planner& get();

  // Null where there is no such transform; ulpfft_last_error() tells why. Throws std::bad_alloc.
  std::shared_ptr<Transform> transform(const Problem& problem, const Occasion& occasion, unsigned flags);

  std::shared_ptr<ulpfft_context> context();
  // Later transforms are planned and run by this loop; null: by threads of ulpfft. Wisdom moves along.
  void set_loop(ParallelLoop loop, void* data);
  void set_threads(int threads);
  int threads();
  void set_time_limit(double seconds);
  // After a change of wisdom: what was planned without it is planned anew.
  void empty_cache();
  // No wisdom but that of the file that the environment names.
  void forget_wisdom();
  // Adds wisdom to that file, unless all of it came from there.
  void keep_wisdom();
  // Settings as in a new process, and no wisdom.
  void reset();

 private:
  Planner();
  std::shared_ptr<ulpfft_context> context_locked();

  static void lock_for_fork();
  static void unlock_after_fork();
  static void begin_as_child();

  std::mutex mutex_;
  std::shared_ptr<ulpfft_context> context_;
  int threads_ = 1;
  double time_limit_ = -1;
  std::string kept_wisdom_;  // as text, when it was last read from the file that the environment names
  std::list<Loop> loops_;  // all of the process, because plans outlive the setting
  TransformCache cache_;
};

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_PLANNER_H_

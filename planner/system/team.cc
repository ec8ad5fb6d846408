// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/system/team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <new>
#include <thread>
#include <utility>

#include "wisdom/cancellation.h"
#include "wisdom/fork.h"

namespace ulpfft {
namespace {

// How long a thread waits awake before it sleeps. Waking a sleeper takes 5 to 50 us, which shorter executions in a row should not pay.
constexpr std::chrono::microseconds kSpin{20};

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when `value` is no longer `old`.
void wait_while(const std::atomic<int>& value, int old, bool spin) {
  if (spin) {
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
      for (int i = 0; i < 32; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause_briefly();
      }
    } while (std::chrono::steady_clock::now() < end);
  }
  value.wait(old, std::memory_order_acquire);
}

void run_alone(int count, Team::Work work, void* data) {
  for (int i = 0; i < count; ++i) work(data, i);
}

// The threads of a pool, and the work they share.
//
// A round is one call of Team::run. `ticket_` holds its number and the count of indices that no thread has taken yet. A thread that
// decreases it by a compare-and-exchange owns one index of exactly that round, however long ago it read the number. So no thread waits for
// another one that wakes late and finds no index left. Only owners of an index read the description of the work, and it is not written
// before all of them are done.
class Crew {
 public:
  Crew(int workers, bool spin) : generation_(fork_generation()), spin_(spin) {
    // Signals go to the caller's threads, except the ones that a thread raises itself.
    sigset_t all, before;
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started_ < workers && pthread_create(&threads_[started_], nullptr, &Crew::main, this) == 0) ++started_;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  ~Crew() {
    if (!is_here()) return;  // these threads do not exist in a child process
    const CancellationOff off;  // joining is a cancellation point
    stopping_.store(true, std::memory_order_relaxed);
    announce(started_);
    for (int i = 0; i < started_; ++i) pthread_join(threads_[i], nullptr);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  bool is_here() const { return generation_ == fork_generation(); }

  // One thread at a time calls it.
  void run(int count, Team::Work work, void* data) {
    if (started_ == 0) return run_alone(count, work, data);
    work_ = work;
    data_ = data;
    count_ = count;
    std::fegetenv(&environment_);
    unfinished_.store(count, std::memory_order_relaxed);
    const std::uint64_t round = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
    // The caller takes the first index, so that with two threads each has the same part, and the same memory, in every round.
    ticket_.store(round << 32 | static_cast<std::uint32_t>(count - 1), std::memory_order_release);
    announce(std::min(count - 1, started_));
    work(data, 0);
    finish(1);
    take_part(false);
    for (int left; (left = unfinished_.load(std::memory_order_acquire)) != 0;) wait_while(unfinished_, left, spin_);
  }

 private:
  // Claims indices and does their work until no index is left.
  void take_part(bool worker) {
    bool settled = !worker;
    int done = 0;
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    std::uint64_t round = ticket >> 32;
    while (true) {
      const auto left = static_cast<std::uint32_t>(ticket);
      if (left == 0 || ticket >> 32 != round) {
        finish(done);
        if (left == 0) return;
        done = 0;
        round = ticket >> 32;
        settled = !worker;
        continue;
      }
      if (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
      // Workers round and flush like the calling thread, because results must not depend on which thread computes them.
      if (!settled) std::fesetenv(&environment_);
      settled = true;
      work_(data_, count_ - static_cast<int>(left));
      ++done;
      ticket = ticket_.load(std::memory_order_acquire);
    }
  }

  void finish(int done) {
    if (done != 0 && unfinished_.fetch_sub(done, std::memory_order_acq_rel) == done) unfinished_.notify_one();
  }

  void announce(int workers) {
    signal_.fetch_add(1, std::memory_order_release);
    if (workers == started_) {
      signal_.notify_all();
    } else {
      for (int i = 0; i < workers; ++i) signal_.notify_one();
    }
  }

  static void* main(void* self) {
    Crew& crew = *static_cast<Crew*>(self);
    for (int seen = 0; true;) {
      crew.take_part(true);
      wait_while(crew.signal_, seen, crew.spin_);
      seen = crew.signal_.load(std::memory_order_acquire);
      if (crew.stopping_.load(std::memory_order_relaxed)) return nullptr;
    }
  }

  const std::uint32_t generation_;
  const bool spin_;
  int started_ = 0;
  pthread_t threads_[kMaxThreads];
  Team::Work work_ = nullptr;
  void* data_ = nullptr;
  int count_ = 0;
  std::fenv_t environment_{};
  std::atomic<bool> stopping_{false};
  alignas(64) std::atomic<std::uint64_t> ticket_{0};  // round * 2^32 + indices left
  alignas(64) std::atomic<int> unfinished_{0};        // indices whose work has not returned
  alignas(64) std::atomic<int> signal_{0};            // changes when there is work
};

class Pool final : public Team {
 public:
  explicit Pool(int threads) : size_(std::clamp(threads, 1, kMaxThreads)), spin_(size_ <= available_cpus()) {}
  ~Pool() override { delete crew_; }

  int size() const override { return size_; }

  void run(int count, Work work, void* data) noexcept override {
    if (count <= 1 || size_ == 1 || !take()) return run_alone(count, work, data);
    if (crew_ != nullptr && !crew_->is_here()) delete std::exchange(crew_, nullptr);
    if (crew_ == nullptr) crew_ = new (std::nothrow) Crew(size_ - 1, spin_);
    if (crew_ != nullptr) {
      crew_->run(count, work, data);
    } else {
      run_alone(count, work, data);
    }
    holder_.store(0, std::memory_order_release);
  }

 private:
  // Takes the pool; false while another thread of this process has it. A thread that had it when this process was forked does not count.
  bool take() {
    const std::uint64_t mine = std::uint64_t{fork_generation()} + 1;
    std::uint64_t holder = holder_.load(std::memory_order_relaxed);
    return holder != mine && holder_.compare_exchange_strong(holder, mine, std::memory_order_acquire, std::memory_order_relaxed);
  }

  const int size_;
  const bool spin_;
  std::atomic<std::uint64_t> holder_{0};  // 0: free; else 1 + the fork generation in which the pool was taken
  Crew* crew_ = nullptr;                  // only the holder uses it
};

class HookedTeam final : public Team {
 public:
  using ParallelFor = void (*)(void* user, int count, Work work, void* data);
  HookedTeam(int threads, ParallelFor parallel_for, void* user) : size_(threads), parallel_for_(parallel_for), user_(user) {}

  int size() const override { return size_; }
  void run(int count, Work work, void* data) noexcept override {
    if (count <= 1) return run_alone(count, work, data);
    parallel_for_(user_, count, work, data);
  }

 private:
  const int size_;
  const ParallelFor parallel_for_;
  void* const user_;
};

}  // namespace

int available_cpus() {
#ifdef __linux__
  // The kernel refuses sets smaller than its own.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(capacity));
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::shared_ptr<Team> make_pool(int threads) { return std::make_shared<Pool>(threads); }

std::shared_ptr<Team> make_hooked_team(int threads, void (*parallel_for)(void* user, int count, Team::Work work, void* data), void* user) {
  return std::make_shared<HookedTeam>(threads, parallel_for, user);
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Threads that execute plans: the library's own, or whatever the caller's parallel_for uses.
//
// run() may be called from any thread. A team that is busy with another execution lets the calling thread do all the work itself:
// results do not depend on who computes what, so nobody waits.
#ifndef ULPFFT_PLANNER_SYSTEM_TEAM_H_
#define ULPFFT_PLANNER_SYSTEM_TEAM_H_

#include <memory>

namespace ulpfft {

class Team {
 public:
  using Work = void (*)(void* data, int index);

  virtual ~Team() = default;
  // Threads that can work at once, the caller among them.
  virtual int size() const = 0;
  // Calls work(data, i) once for every i in 0..count-1; returns when all calls have returned. `work` does not throw.
  virtual void run(int count, Work work, void* data) noexcept = 0;
};

inline constexpr int kMaxThreads = 256;

// CPUs this process may use; at least 1.
int available_cpus();
// std::threads started when first needed; when they cannot be started, the calling thread does their part. After fork() the child
// starts threads of its own.
std::shared_ptr<Team> make_pool(int threads);
// The caller's parallel_for (see ulpfft_context_options).
std::shared_ptr<Team> make_hooked_team(int threads, void (*parallel_for)(void* user, int count, Team::Work work, void* data), void* user);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_TEAM_H_

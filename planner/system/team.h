// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Threads that execute plans: the library's own, or the threads of the caller's parallel_for.
//
// run() may be called from any thread. If the team is busy with another execution, the calling thread does all the work itself. Results do
// not depend on which thread computes which part, so no thread waits for the team.
#ifndef ULPFFT_PLANNER_SYSTEM_TEAM_H_
#define ULPFFT_PLANNER_SYSTEM_TEAM_H_

#include <memory>

namespace ulpfft {

class Team {
 public:
  using Work = void (*)(void* data, int index);

  virtual ~Team() = default;
  // How many threads can work at once, including the caller.
  virtual int size() const = 0;
  // Calls work(data, i) once for every i in 0..count-1; returns when all calls have returned. `work` does not throw.
  virtual void run(int count, Work work, void* data) noexcept = 0;
};

inline constexpr int kMaxThreads = 256;

// How many CPUs this process may use; at least 1.
int available_cpus();
// A team of the library's own threads, which start when they are first needed. If they cannot be started, the calling thread does their
// part. After fork() the child starts threads of its own.
std::shared_ptr<Team> make_pool(int threads);
// A team that calls the caller's parallel_for (see ulpfft_context_options).
std::shared_ptr<Team> make_hooked_team(int threads, void (*parallel_for)(void* user, int count, Team::Work work, void* data), void* user);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_TEAM_H_

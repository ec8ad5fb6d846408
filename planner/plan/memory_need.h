// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many bytes a problem and a plan take, told before any of them is taken, and how many this process may use.
//
// Units   bytes, as double where a sum may be beyond 2^63.
// Source  /proc/self/cgroup and the files it names (cgroups 1 and 2), getrlimit (RLIMIT_AS, RLIMIT_DATA), the pages of the machine. They are
//         read anew at each call: limits change while a process runs.
#ifndef ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_
#define ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "wisdom/problem.h"

namespace ulpfft {

struct PlanFacts;

// The smallest of the machine's memory, of the limits of the cgroups this process is in, and of its own resource limits.
double memory_of_process();

// "512 bytes", "3.25 GiB".
std::string show_bytes(double bytes);

// Of one array of the caller, codes and scales.
double bytes_of_array(const Problem& problem, bool output);
// Of input and output; once in place.
double bytes_of_arrays(const Problem& problem);

// Fewer bytes than any plan for this problem takes as tables and workspace together; 0 where arrays and caches are small. In microseconds.
double least_bytes_of_plan(const Problem& problem);

// Throws PlanError (ULPFFT_NO_MEMORY, "lengths") for arrays that no process can address.
void require_addressable(const Problem& problem);

// Tables and one workspace of a plan, and what its tables take for a while as they are filled.
double bytes_of_plan(const PlanFacts& plan);

// What a plan may take: tables and workspace what the caller says (0: nothing), and with the problem's arrays what the process may use.
class MemoryLimit {
 public:
  explicit MemoryLimit(double of_caller = 0) : of_caller_(of_caller) {}
  static MemoryLimit none() {
    MemoryLimit limit;
    limit.of_process_ = INFINITY;
    return limit;
  }

  // Throw PlanError (ULPFFT_NO_MEMORY; "max_memory" where the caller's limit is at fault, else "lengths") with all the numbers.
  void check(const Problem& problem) const;
  void check(const Problem& problem, const PlanFacts& plan) const;
  bool allows(const Problem& problem, const PlanFacts& plan) const;

 private:
  bool allows(const Problem& problem, double bytes) const;
  [[noreturn]] void refuse(const Problem& problem, double bytes, const std::string& need) const;

  double of_caller_;
  mutable double of_process_ = 0;  // read when it first matters
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_

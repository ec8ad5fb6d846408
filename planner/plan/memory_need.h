// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many bytes a problem and a plan will take, and how many this process may use.
//
// Units   bytes, as double where a sum may be beyond 2^63.
// Source  /proc/self/cgroup and the files it names (cgroups 1 and 2), getrlimit (RLIMIT_AS, RLIMIT_DATA), the pages of the machine. They
//         are read anew at each call, because limits change while a process runs.
#ifndef ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_
#define ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "wisdom/problem.h"

namespace ulpfft {

struct PlanFacts;

// The least of the machine's memory, the limits of the cgroups that this process is in, and its own resource limits.
double memory_of_process();

// "512 bytes", "3.25 GiB".
std::string show_bytes(double bytes);

// Bytes of codes and scales of one array of the caller.
double bytes_of_array(const Problem& problem, bool output);
// Bytes of input and output together; the larger of the two in place.
double bytes_of_arrays(const Problem& problem);

// A lower bound of the bytes that tables and workspace of any plan for this problem take; 0 for lengths up to 2^22. It takes microseconds.
double least_bytes_of_plan(const Problem& problem);

// Throws PlanError (ULPFFT_NO_MEMORY, "lengths") for arrays that no process can address.
void require_addressable(const Problem& problem);

// Throws PlanError (ULPFFT_NO_MEMORY, "plan") for work on arrays of the library that take more than this process may use.
void require_memory_of_process(double bytes, const std::string& work);

// Bytes of the tables and one workspace of a plan, and of the memory that is taken while its tables are filled.
double bytes_of_plan(const PlanFacts& plan);

// The memory that a plan may take. The caller's limit (0: none) is for tables and workspace, that of the problem for the workspace alone.
// The limit of the process is for tables, workspace and the problem's arrays together.
class MemoryLimit {
 public:
  explicit MemoryLimit(double of_caller = 0) : of_caller_(of_caller) {}
  // Without the limit of the process.
  static MemoryLimit none(double of_caller = 0) {
    MemoryLimit limit(of_caller);
    limit.of_process_ = INFINITY;
    return limit;
  }

  // Bytes of the caller's limit; infinite where there is none.
  double of_caller() const { return of_caller_ > 0 ? of_caller_ : INFINITY; }

  // Throws PlanError (ULPFFT_NO_MEMORY; "max_workspace" or "max_memory" where that limit is at fault, else "lengths") with all the numbers.
  void check(const Problem& problem) const;
  void check(const Problem& problem, const PlanFacts& plan) const;
  bool allows(const Problem& problem, const PlanFacts& plan) const;

 private:
  bool allows(const Problem& problem, double bytes) const;
  [[noreturn]] void refuse(const Problem& problem, double bytes, const std::string& need) const;

  double of_caller_;
  mutable double of_process_ = 0;  // it is read when it is first needed
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLAN_MEMORY_NEED_H_

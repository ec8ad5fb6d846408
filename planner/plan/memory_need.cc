// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/plan/memory_need.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "planner/convert/side.h"
#include "planner/program/plan_facts.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/twiddle_table.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// No plan of fewer bytes is refused by a process that could load this library.
constexpr double kAlwaysAllowed = 64e6;
// Linux gives a process addresses of 2^47 bytes on x86-64 (on request 2^56, with five levels of tables), and of 2^52 on Arm. Offsets and
// counts of a plan are at most 2^10 times its arrays' bytes, so that they stay below 2^63.
constexpr double kAddressable = 0x1p52;

double pages_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<double>(pages) * static_cast<double>(bytes) : INFINITY;
}

double resource_limit(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
  return static_cast<double>(limit.rlim_cur);
}

// The limit in a file. "max", and a file that cannot be read, are no limit.
double number_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return INFINITY;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0' && value > 0 ? value : INFINITY;
}

// The least limit of a group and of all groups around it.
double least_up_the_tree(const std::string& root, std::string group, const char* file) {
  double least = INFINITY;
  while (true) {
    least = std::min(least, number_in(root + group + "/" + file));
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos || group.size() <= 1) return std::min(least, number_in(root + "/" + file));
    group.resize(slash);
  }
}

double cgroup_limit() {
  std::ifstream groups("/proc/self/cgroup");
  double least = INFINITY;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, least_up_the_tree("/sys/fs/cgroup", group, "memory.max"));
    if ((',' + controllers + ',').find(",memory,") != std::string::npos) {
      least = std::min(least, least_up_the_tree("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

double memory_of_process() {
  return std::min({pages_of_machine(), cgroup_limit(), resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA)});
}

std::string show_bytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, kUnits[unit]);
  return text;
}

double bytes_of_array(const Problem& problem, bool output) {
  const Side shape = side_of(problem, output);
  const double codes = static_cast<double>(shape.codes.high) - static_cast<double>(shape.codes.low);
  const double scales = static_cast<double>(shape.scales.high) - static_cast<double>(shape.scales.low);
  return (codes + scales) * shape.parts();
}

double bytes_of_arrays(const Problem& problem) {
  const double in = bytes_of_array(problem, false), out = bytes_of_array(problem, true);
  return problem.placement == Placement::kInPlace ? std::max(in, out) : in + out;
}

// A length beyond the caches is transformed as a matrix of its own points, by a convolution, whose filter alone is longer, or by passes
// that have a twiddle factor for at least 9 of 10 points. If the problem or its error limit allows a narrow matrix, the matrix takes at
// least a byte a point: two numbers of 4 bits. An even last length of real numbers is transformed as complex numbers of half that length.
double least_bytes_of_plan(const Problem& problem) {
  constexpr std::int64_t kLong = std::int64_t{1} << 22;
  constexpr double kLeastShare = 0.9;
  const bool may_be_narrow = !problem.intermediate.empty() || problem.max_error > 0;
  const double point = may_be_narrow ? 1 : kLeastShare * 2 * static_cast<double>(real_bytes(compute_type_of_scheme(scheme_of(problem))));
  double least = 0;
  for (const Dimension& d : problem.dims) {
    const bool halved = problem.kind != Kind::kC2C && problem.kind != Kind::kCzt && &d == &problem.dims.back() && d.length % 2 == 0;
    const std::int64_t length = halved ? d.length / 2 : d.length;
    if (length > kLong) least = std::max(least, static_cast<double>(length) * point);
  }
  return least;
}

double bytes_of_plan(const PlanFacts& plan) { return plan.table_bytes + plan.making_bytes + static_cast<double>(plan.workspace_bytes); }

bool MemoryLimit::allows(const Problem& problem, double bytes) const {
  if (of_caller_ > 0 && bytes > of_caller_) return false;
  const double all = bytes + bytes_of_arrays(problem);
  if (all <= kAlwaysAllowed) return true;
  if (of_process_ == 0) of_process_ = memory_of_process();
  return all <= of_process_;
}

static bool exceeds_workspace(const Problem& problem, const PlanFacts& plan) {
  return problem.max_workspace > 0 && plan.workspace_bytes > static_cast<std::size_t>(problem.max_workspace);
}

bool MemoryLimit::allows(const Problem& problem, const PlanFacts& plan) const {
  return !exceeds_workspace(problem, plan) && allows(problem, bytes_of_plan(plan));
}

void MemoryLimit::refuse(const Problem& problem, double bytes, const std::string& need) const {
  const bool callers = of_caller_ > 0 && bytes > of_caller_;
  const std::string limit =
      callers ? "max_memory allows the plan " + show_bytes(of_caller_) : "this process may use " + show_bytes(of_process_);
  throw PlanError(ULPFFT_NO_MEMORY, callers ? "max_memory" : "lengths",
                  "The problem needs " + show_bytes(bytes_of_arrays(problem)) + " of arrays, and its plan " + need + "; " + limit + ".");
}

void require_addressable(const Problem& problem) {
  const double arrays = bytes_of_arrays(problem);
  if (arrays <= kAddressable) return;
  throw PlanError(ULPFFT_NO_MEMORY, "lengths",
                  "The problem needs " + show_bytes(arrays) + " of arrays, more than the " + show_bytes(kAddressable) +
                      " that a process can address.");
}

void require_memory_of_process(double bytes, const std::string& work) {
  if (bytes <= kAlwaysAllowed) return;
  const double limit = memory_of_process();
  if (bytes <= limit) return;
  throw PlanError(ULPFFT_NO_MEMORY, "plan", work + " needs " + show_bytes(bytes) + "; this process may use " + show_bytes(limit) + ".");
}

void MemoryLimit::check(const Problem& problem) const {
  require_addressable(problem);
  const double least = least_bytes_of_plan(problem);
  if (!allows(problem, least)) refuse(problem, least, least > 0 ? "at least " + show_bytes(least) + " of tables and workspace" : "more");
}

void MemoryLimit::check(const Problem& problem, const PlanFacts& plan) const {
  if (allows(problem, plan)) return;
  if (exceeds_workspace(problem, plan)) {
    throw PlanError(ULPFFT_NO_MEMORY, "max_workspace",
                    "A plan of the problem works in " + std::to_string(plan.workspace_bytes) + " bytes, but max_workspace is " +
                        std::to_string(problem.max_workspace) + ".");
  }
  refuse(problem, bytes_of_plan(plan),
         show_bytes(plan.table_bytes) + " of tables, " + show_bytes(static_cast<double>(plan.workspace_bytes)) + " of workspace and " +
             show_bytes(plan.making_bytes) + " while tables are made");
}

}  // namespace ulpfft

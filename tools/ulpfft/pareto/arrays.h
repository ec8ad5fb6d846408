// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays that rows of all storages share, and plans that run on them.
#ifndef ULPFFT_TOOLS_ULPFFT_PARETO_ARRAYS_H_
#define ULPFFT_TOOLS_ULPFFT_PARETO_ARRAYS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/pareto/rows.h"

namespace ulpfft_tool::pareto {

// Codes and scales of all transforms of a problem, on one side.
double array_bytes(const ProblemParts& problem, const std::string& storage, bool output);

// All zeros, which in most formats are zeros: times do not depend on values, nor do transforms in place make them grow.
class SharedArrays {
 public:
  // Room for one more pair of storages; before the first use.
  void reserve(const ProblemParts& problem, const std::string& in, const std::string& out, const std::vector<std::int64_t>& batch);
  // As an execution takes it. Both sides are one array in place.
  ulpfft_array array(const ProblemParts& problem, const std::string& storage, bool output);

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Part {
    std::size_t bytes = 0;
    std::unique_ptr<std::byte, Free> memory;
  };
  void* address(Part& part);
  std::array<Part, 8> parts_;  // codes and scales, of each part, of each side
};

class PlanContender : public bench::Contender {
 public:
  PlanContender(ulpfft::Plan plan, const ProblemParts& problem, const std::string& in, const std::string& out, SharedArrays& arrays)
      : plan_(std::move(plan)), in_(arrays.array(problem, in, false)), out_(arrays.array(problem, out, true)) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) ulpfft::detail::check(ulpfft_execute_arrays(plan_.get(), &in_, &out_, nullptr));
  }

 private:
  ulpfft::Plan plan_;
  ulpfft_array in_;
  ulpfft_array out_;
};

}  // namespace ulpfft_tool::pareto

#endif  // ULPFFT_TOOLS_ULPFFT_PARETO_ARRAYS_H_

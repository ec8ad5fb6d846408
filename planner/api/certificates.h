// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors that this process has measured for error limits. Each is measured once.
//
// Identity  the recipe and the problem without its limit and its thread count. Bits, and so errors, depend on no more.
// Threads   every function may be called at any time.
#ifndef ULPFFT_PLANNER_API_CERTIFICATES_H_
#define ULPFFT_PLANNER_API_CERTIFICATES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "planner/search/error_limit.h"
#include "wisdom/fork.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

class Certificates {
 public:
  std::optional<Certificate> find(const Problem& problem, const Recipe& recipe) const;
  // All certificates are forgotten before one more than kMost is put.
  void put(const Problem& problem, const Recipe& recipe, const Certificate& certificate);

 private:
  static constexpr std::size_t kMost = 4096;
  mutable ForkSafeMutex mutex_;
  std::unordered_map<std::string, Certificate> known_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CERTIFICATES_H_

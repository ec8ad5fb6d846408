// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A file of numbers as the input array of a problem, for plans to be judged on.
#ifndef ULPFFT_TOOLS_ULPFFT_JUDGE_H_
#define ULPFFT_TOOLS_ULPFFT_JUDGE_H_

#include <complex>
#include <string>
#include <vector>

#include "tools/ulpfft/narrow_file.h"
#include "tools/ulpfft/problem_parts.h"

namespace ulpfft_tool {

class JudgeArray {
 public:
  // Rounds the numbers once where the problem's storage has fewer digits. Throws Failure where the file does not have the numbers of the
  // problem, UsageError for a problem whose array is not dense and interleaved.
  JudgeArray(const std::string& path, const std::string& given, const ProblemParts& problem);
  JudgeArray(const JudgeArray&) = delete;
  JudgeArray& operator=(const JudgeArray&) = delete;
  const ulpfft_array& array() const { return array_; }

 private:
  void take_narrow(const std::string& path, NarrowArray array, const ProblemParts& problem);
  void read_reals(const std::string& path, const ProblemParts& problem);
  void read_numbers(const std::string& path, const StorageFacts& storage, const ProblemParts& problem);

  Numbers numbers_;
  Reals reals_;  // where the problem's input is real
  NarrowArray narrow_;
  ulpfft_array array_{};
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_JUDGE_H_

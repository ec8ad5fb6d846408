// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A problem text in its parts, and words that a command does not take.
#ifndef ULPFFT_TOOLS_ULPFFT_PROBLEM_PARTS_H_
#define ULPFFT_TOOLS_ULPFFT_PROBLEM_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool {

struct ProblemParts {
  std::string kind = "c2c";
  std::vector<std::int64_t> shape;  // of the lengths
  std::vector<std::int64_t> batch;
  std::string storage_in;

  // Whether the numbers of the input are real, and its lengths: n/2 + 1 for the last one of a spectrum of n real numbers.
  bool has_real_input() const { return kind == "r2c" || kind == "r2r"; }
  bool is_r2r() const { return kind == "r2r"; }
  std::vector<std::int64_t> input_shape() const;
  std::int64_t input_points() const;
  std::int64_t transforms() const;
};
// `canonical`: as the library prints it.
ProblemParts read_parts(const std::string& canonical);

// UsageError, which shows the word at fault, where one of `given` begins with one of these names; also of words that say what is so anyway.
void refuse_words(const std::string& given, const std::vector<std::string>& names, const std::string& why);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_PROBLEM_PARTS_H_

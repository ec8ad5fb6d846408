// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What `ulpfft transform` did: for people, as JSON, or as the few lines that --quiet leaves.
#ifndef ULPFFT_TOOLS_ULPFFT_TRANSFORM_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_TRANSFORM_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/narrow_file.h"

namespace ulpfft_tool {

struct TransformReport {
  std::string input, output;
  std::vector<std::string> files;   // written
  std::vector<std::int64_t> shape;  // of the output
  std::string kind = "c2c";         // of the problem
  std::string problem, recipe;
  std::string file_format;          // what the input held
  StorageFacts in_format, out_format;
  std::size_t transforms = 1;
  double planning_seconds = 0;
  double seconds = 0;               // of the execution
  double error = 0;                 // predicted
  std::string precision;            // what to say of --precision
  std::int64_t input_saturated = 0;
  std::int64_t saturated = 0;       // as the plan counts: numbers of a narrow result, or operations of a rounded scheme
  std::int64_t underflowed = 0;
  std::int64_t dropped_bytes = 0;   // of a partial transform
  bool multiplied = false;
  std::vector<std::int32_t> exponents;  // of the transforms; empty: none were asked for

  std::size_t real_numbers() const;
  bool is_rounded() const { return recipe.starts_with("rounded:"); }
  bool stores_between() const { return recipe.find('|') != std::string::npos; }
  bool all_in_range() const { return input_saturated == 0 && (out_format.wide || saturated == 0); }
  bool many_underflowed() const;
};

std::string transform_text(const TransformReport& report);
std::string transform_json(const TransformReport& report);
// Lines about what went wrong: "" when all is well. Blocks may saturate by their scale rule; elements should not.
std::string transform_warnings(const TransformReport& report);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_TRANSFORM_REPORT_H_

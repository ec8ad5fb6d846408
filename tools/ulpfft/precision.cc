// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/precision.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr std::string_view kWord = " precision=";

}  // namespace

std::string scheme_of_precision(const std::string& mode) {
  // The library knows the modes: a recipe begins with its scheme.
  try {
    const std::string recipe = ulpfft::Context().parse("2 f32 precision=" + mode, {.effort = ulpfft::Effort::kEstimate}).recipe();
    return recipe.substr(0, recipe.rfind(':'));
  } catch (const ulpfft::Error& error) {
    throw UsageError(error.message(), mode, 0, mode.size());
  }
}

std::string with_schemes(const std::string& problem) {
  const std::size_t at = problem.find(kWord);
  if (at == problem.npos) return problem;
  const std::size_t begin = at + kWord.size(), end = std::min(problem.find(' ', begin), problem.size());
  const std::string mode = problem.substr(begin, end - begin);
  return problem.substr(0, at) + " scheme=" + scheme_of_precision(mode) + problem.substr(end);
}

void name_schemes(const std::string& mode, std::vector<std::string>& problems) {
  if (mode.empty()) return;
  const std::string word = " scheme=" + scheme_of_precision(mode);
  for (std::string& problem : problems) {
    const std::size_t at = problem.find(" scheme=");
    if (at != problem.npos) {
      throw UsageError("--precision and scheme= both name the arithmetic: leave one of them out.", problem, at + 1,
                       std::min(problem.find(' ', at + 1), problem.size()));
    }
    problem += word;
  }
}

std::string precision_warning(const std::string& mode) {
  if (mode != "ozaki_hq") return "";
  return "ozaki_hq splits the matrix in two parts, whose error it has whatever the data: 1e-6 to 3e-6 where a radix is above 4, not the "
         "2e-9 that is claimed elsewhere. scheme split:bf16x3 takes as many products and errs by 1e-7.";
}

std::string precision_text(const std::string& mode, const ulpfft::Plan& plan) {
  std::string text = "Precision " + mode + " is the scheme " + scheme_of_precision(mode) + ": its error here is " +
                     show_error(plan.measure_error().relative_l2) + ", measured on random data.\n";
  if (const std::string warning = precision_warning(mode); !warning.empty()) text += "Warning: " + warning + "\n";
  return text;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Any bytes as a problem: refused with the word at fault, or printed so that it reads back the same; check() decides quickly.
#include <string_view>

#include "tests/fuzz/require.h"
#include "wisdom/error.h"
#include "wisdom/problem.h"
#include "wisdom/problem_text.h"

namespace ulpfft::fuzz {
namespace {

void require_sound(const PlanError& error, std::size_t size) {
  require(is_one_line(error.message), "a message that is not a line of text");
  require(!error.field.empty(), "an error without a field: " + error.message);
  require(error.text_begin <= error.text_end && error.text_end <= size, "a range outside the text: " + error.message);
}

void run(std::string_view text) {
  Problem problem;
  try {
    problem = parse_problem(text);
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_INVALID_TEXT, "status " + std::to_string(error.status) + ": " + error.message);
    require_sound(error, text.size());
    return;
  }
  std::string printed;
  try {
    printed = print_problem(problem);
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_UNSUPPORTED, "not printed: " + error.message);  // longer in full than as it was given
    return;
  }
  require(parse_problem(printed) == problem, "reads back as another problem: " + printed);
  const std::string key = problem_key(problem);
  require(problem_key(parse_problem(key)) == key, "a key that is not its own key: " + key);
  try {
    check(problem);
    require(transform_points(problem) >= 1 && batch_count(problem) >= 1, "an accepted problem without points: " + printed);
    require(problem.max_error >= 0 && problem.threads >= 1 && problem.threads <= kMaxProblemThreads, "out of range: " + printed);
    require(scale_factor(problem) != 0, "an accepted scale of zero: " + printed);
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_INVALID_ARGUMENT || error.status == ULPFFT_UNSUPPORTED, "check: " + error.message);
    require_sound(error, text.size());
    const TextRange range = field_range(text, error.field);
    require(range.begin <= range.end && range.end <= text.size(), "the range of " + error.field);
  }
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

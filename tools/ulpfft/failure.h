// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How work of the tool fails, and how a word at fault is shown: exceptions, which main.cc prints to stderr and turns into the exit status.
#ifndef ULPFFT_TOOLS_ULPFFT_FAILURE_H_
#define ULPFFT_TOOLS_ULPFFT_FAILURE_H_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tools/ulpfft/target_names.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

enum ExitStatus { kSuccess = 0, kFailure = 1, kUsage = 2 };

// Work that could not be done, e.g. a file that cannot be read.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A word of the command line that is wrong (kUsage), or that asks for what cannot be had (kFailure). `text` is the argument, [begin, end)
// its bytes at fault.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& message, std::string argument, std::size_t first, std::size_t last, ExitStatus status = kUsage)
      : std::runtime_error(message), text_(std::move(argument)), begin_(first), end_(last), status_(status) {}
  ExitStatus status() const { return status_; }
  const std::string& text() const { return text_; }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

 private:
  std::string text_;
  std::size_t begin_;
  std::size_t end_;
  ExitStatus status_;
};

// Whether the library refuses what a text asks for, such as an error limit that no recipe keeps, rather than how it is written.
inline bool cannot_be_had(const ulpfft::Error& error) {
  return error.status() == ulpfft::Status::kUnsupported || error.status() == ulpfft::Status::kNoMemory ||
         error.status() == ulpfft::Status::kUnavailable;
}

// The bytes [first, second) of a problem text that say a field of the problem, e.g. "lengths[1]" or "storage_in"; empty if none
// do.
std::pair<std::size_t, std::size_t> find_field(std::string_view problem_text, std::string_view field);

// Runs `work`, which reads `text`; an error about a word of it becomes a UsageError that can show the word. `own_field` is the
// field that means the text as a whole: "problem", whose words have fields of their own, or "recipe".
template <typename Work>
auto with_text(const std::string& text, std::string_view own_field, const Work& work) {
  try {
    return work();
  } catch (const ulpfft::Error& error) {
    const bool is_problem = own_field == "problem";
    const bool is_scheme_of_recipe = !is_problem && error.field() == "scheme" && error.text_end() == 0;
    if (is_problem ? error.field() == "recipe" : error.field() != own_field && !is_scheme_of_recipe) throw;
    std::pair word(error.text_begin(), error.text_end());
    const bool at_end = word.first == text.size();  // a text that ends too early is shown at its end
    if (word.first >= word.second && !at_end) {
      word = is_problem ? find_field(text, error.field())
                        : std::pair(std::size_t{0}, is_scheme_of_recipe ? text.find(':') : text.size());
      if (word.first >= word.second) throw;
    }
    throw UsageError(error.message(), text, word.first, word.second, cannot_be_had(error) ? kFailure : kUsage);
  }
}

// A context for an instruction set named on the command line; "" is the best of this machine.
inline ulpfft::Context open_context(const std::string& target) {
  try {
    return ulpfft::Context(ulpfft::ContextOptions{.target = own_target_name(target)});
  } catch (const ulpfft::Error& error) {
    if (target.empty()) throw;
    throw UsageError(error.message(), target, 0, target.size());
  }
}

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FAILURE_H_

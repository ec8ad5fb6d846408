// The parts every command shares: how one is added, how it fails, how a word at fault is shown.
//
// A command is a function that adds itself to the application; its callback does the work and prints to stdout. Failures are
// exceptions; main.cc prints them to stderr and turns them into the exit status.
#ifndef ULPFFT_TOOLS_ULPFFT_COMMAND_H_
#define ULPFFT_TOOLS_ULPFFT_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

enum ExitStatus { kSuccess = 0, kFailure = 1, kUsage = 2 };

// Work that could not be done, e.g. a file that cannot be read.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A word of the command line that is wrong. `text` is the argument, [begin, end) its bytes at fault.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& message, std::string argument, std::size_t first, std::size_t last)
      : std::runtime_error(message), text_(std::move(argument)), begin_(first), end_(last) {}
  const std::string& text() const { return text_; }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

 private:
  std::string text_;
  std::size_t begin_;
  std::size_t end_;
};

// Runs `work`, which reads `text`; an error with a range in that text becomes a UsageError that can show it. Errors about
// another field than `field` pass through, unless `field` is empty.
template <typename Work>
auto with_text(const std::string& text, std::string_view field, const Work& work) {
  try {
    return work();
  } catch (const ulpfft::Error& error) {
    const bool ours = field.empty() || error.field() == field;
    if (!ours || error.text_begin() >= error.text_end()) throw;
    throw UsageError(error.message(), text, error.text_begin(), error.text_end());
  }
}

// A context for an instruction set named on the command line; "" is the best of this machine.
inline ulpfft::Context open_context(const std::string& target) {
  try {
    return ulpfft::Context(ulpfft::ContextOptions{.target = target});
  } catch (const ulpfft::Error& error) {
    if (target.empty()) throw;
    throw UsageError(error.message(), target, 0, target.size());
  }
}

void add_info(CLI::App& app);
void add_plan(CLI::App& app);
void add_transform(CLI::App& app);
void add_wisdom(CLI::App& app);
void add_formats(CLI::App& app);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_COMMAND_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The command line as it was typed: which of its words is wrong, and what was probably meant.
#ifndef ULPFFT_TOOLS_ULPFFT_COMMAND_LINE_H_
#define ULPFFT_TOOLS_ULPFFT_COMMAND_LINE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"

namespace ulpfft_tool {

// The command line as one text, and where in it each word lies.
struct CommandLine {
  explicit CommandLine(const std::vector<std::string>& words);
  struct Word {
    std::string word;
    std::size_t begin;
  };
  std::string text;
  std::vector<Word> words;
};

// Throws UsageError for a word that is no command where one must stand, and where one is missing. Commands may have commands.
void require_known_command(const CLI::App& app, const CommandLine& line);

// Prints what the parser complains about, with the word of the command line at fault underlined, and the option that was probably meant.
ExitStatus explain(const CLI::ParseError& error, const CLI::App& app, const CommandLine& line);

// What the tool says to no words at all: every command in a line.
std::string list_of_commands(const CLI::App& app);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_COMMAND_LINE_H_

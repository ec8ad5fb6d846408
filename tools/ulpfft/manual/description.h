// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A program's commands and options as plain values, which manual pages and completions are written from.
#ifndef ULPFFT_TOOLS_ULPFFT_MANUAL_DESCRIPTION_H_
#define ULPFFT_TOOLS_ULPFFT_MANUAL_DESCRIPTION_H_

#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

struct Argument {
  std::vector<std::string> names;    // "-o", "--output", as the line has them; one without dashes of a positional argument
  std::string text;
  std::string value;                 // what it takes: "FILE", "FORMAT", "FLOAT", ...; "" of a flag
  std::string preset;                // its value where nothing is given
  std::vector<std::string> choices;  // the only values that are possible, where they are known
  bool may_lack_value = false;
  bool is_repeated = false;
  bool is_required = false;
};

struct Command {
  std::vector<std::string> words;  // that call it, the program first
  std::string text;
  std::vector<Argument> positionals;
  std::vector<Argument> options;
  std::vector<Command> commands;
  std::string footer;

  std::string name(char between) const;  // the words, joined: "ulpfft-mri-recon" of '-'
};

// The tool, as its command-line parser was told.
Command describe_tool();

// What a usage text says that has a line "  COMMAND --option VALUE ARGUMENTS...   text" for each command.
Command read_usage(const std::string& program, const std::string& text, std::string_view usage);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MANUAL_DESCRIPTION_H_

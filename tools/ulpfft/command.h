// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The commands. Each is a function that adds itself to the application; its callback does the work and prints to stdout. What else its file
// has lies in a namespace of its own, because the files are joined: CLI11 takes seconds to compile. Other files include failure.h.
#ifndef ULPFFT_TOOLS_ULPFFT_COMMAND_H_
#define ULPFFT_TOOLS_ULPFFT_COMMAND_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {

void add_info(CLI::App& app);
void add_plan(CLI::App& app);
void add_transform(CLI::App& app);
void add_wisdom(CLI::App& app);
void add_formats(CLI::App& app);
void add_convert(CLI::App& app);
void add_accuracy(CLI::App& app);
void add_bench(CLI::App& app);
void add_mri(CLI::App& app);
void add_psd(CLI::App& app);
void add_stft(CLI::App& app);
void add_filter(CLI::App& app);
void add_run(CLI::App& app, std::vector<std::string> program);  // the words behind "--"

// Writes "--json=-" where bench has --json with no file behind it. What follows it is a file unless it begins a problem or an option.
void name_standard_output(std::vector<std::string>& words);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_COMMAND_H_

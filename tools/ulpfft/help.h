// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The help of CLI11 in lines that fit: of the terminal (COLUMNS where that is set), of 100 letters where there is none.
#ifndef ULPFFT_TOOLS_ULPFFT_HELP_H_
#define ULPFFT_TOOLS_ULPFFT_HELP_H_

#include <CLI/CLI.hpp>
#include <string>

namespace ulpfft_tool {

class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_HELP_H_

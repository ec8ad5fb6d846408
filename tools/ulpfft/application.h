// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The application: every command with its options, before a word is read. What runs, helps, completes and stands in manual pages is this.
#ifndef ULPFFT_TOOLS_ULPFFT_APPLICATION_H_
#define ULPFFT_TOOLS_ULPFFT_APPLICATION_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace ulpfft_tool {

// `program`: the words behind the two dashes of `run`.
std::unique_ptr<CLI::App> make_application(const std::vector<std::string>& program);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_APPLICATION_H_

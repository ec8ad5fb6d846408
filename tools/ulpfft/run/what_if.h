// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The formats that a run is asked about, in words of the command line.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_WHAT_IF_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_WHAT_IF_H_

#include <string>
#include <vector>

namespace ulpfft_tool {

// A SPEC, e.g. "storage=f16" or "f16 scheme=rounded:f16", as bindings/what_if reads it: the library's words, the storage as
// storage=F. UsageError, which shows the word, where no transform could be asked so.
std::string read_spec(const std::string& text);

// Joins the words behind each --what-if up to the next option to one, so that a SPEC needs no quotes.
void join_specs(std::vector<std::string>& words);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_WHAT_IF_H_

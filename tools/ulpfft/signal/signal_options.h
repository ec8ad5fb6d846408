// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Options that psd, stft and filter share: what the input is, and its rows.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_SIGNAL_OPTIONS_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_SIGNAL_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/signal/source.h"

namespace ulpfft_tool::signals {

struct InputOptions {
  SourceRequest source;
  double rate = 0;  // 0: as the file says, or unknown
  int threads = 2;

  std::optional<double> rate_of(const SourceFacts& facts) const { return rate > 0 ? rate : facts.rate; }
};

struct RowOptions {
  std::int64_t length = 4096, hop = 0;  // 0: half of the length
  std::string window = "hann";
  std::int64_t hop_or_half() const { return hop > 0 ? hop : (length + 1) / 2; }
};

void add_input_options(CLI::App& command, InputOptions& options);
void add_row_options(CLI::App& command, RowOptions& options);

// Throws UsageError where an output is the input.
void refuse_own_input(const std::string& input, const std::string& output);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_SIGNAL_OPTIONS_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/signal_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/signal/containers.h"
#include "tools/ulpfft/signal/quantity.h"

namespace ulpfft_tool::signals {

void add_input_options(CLI::App& command, InputOptions& options) {
  command
      .add_option("IN", options.source.path,
                  "Samples: NAME.cu8, .cs8, .cs16, .cf32 (complex), .s16, .f32 (real) and so on, NAME.wav, NAME.sigmf-meta, "
                  "NAME.npy of one axis, or - for the "
                  "standard input. FIFOs are read as they come")
      ->required();
  command
      .add_option("--raw", options.source.raw,
                  "Type of samples without a header, where the name of IN does not say it: cs8, cu8, cs16, cf32, s16, f32, ..., "
                  "or as SigMF has it, e.g. ci16_be")
      ->type_name("TYPE");
  command.add_option("--channel", options.source.channel,
                     "Of several channels: which, from 1; or iq where two are the parts of complex samples");
  command.add_flag("--drop-partial", options.source.drop_partial,
                   "Take a file whose last sample is not complete, or that is shorter than its header says");
  command.add_option("--rate", options.rate, "Samples a second, e.g. 2.4M or 48k. WAV and SigMF say their own")
      ->transform(CLI::Validator(quantity(Allowed::kAboveZero, "samples a second, a number above 0 such as 2.4M or 48k"), ""))
      ->type_name("HZ");
  command
      .add_option("--threads", options.threads,
                  "1: all on one; 2: reading and conversion beside the transforms; more: for each long transform")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
}

void add_row_options(CLI::App& command, RowOptions& options) {
  command.add_option("--length", options.length, "Samples of a row, e.g. 4096 or 4k (k = 1024)")
      ->transform(CLI::Validator(whole_number(std::int64_t{1} << 24, "samples of a row"), ""))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--hop", options.hop, "Samples from row to row; without it half of the length")
      ->transform(CLI::Validator(whole_number(std::int64_t{1} << 30, "samples from row to row"), ""))
      ->type_name("N");
  command
      .add_option("--window", options.window,
                  "hann, hamming, blackman, blackmanharris, nuttall, flattop, boxcar, kaiser:B or gauss:S, periodic unless "
                  "':symmetric' stands behind it, as "
                  "scipy.signal has them; or a file (.npy, .txt) with a factor for each sample of a row")
      ->type_name("WINDOW")
      ->capture_default_str();
}

void refuse_own_input(const std::string& input, const std::string& output) {
  if (output.empty() || output == "-" || input == "-") return;
  std::vector<std::string> read = {input};
  if (is_sigmf(input)) {
    const std::string stem = input.substr(0, input.rfind('.'));
    read = {stem + ".sigmf-meta", stem + ".sigmf-data"};
  }
  std::error_code failure;
  const auto is_output = [&](const std::string& path) { return std::filesystem::equivalent(path, output, failure); };
  if (std::none_of(read.begin(), read.end(), is_output)) return;
  throw UsageError("The output would replace the input while it is read: give it another name.", output, 0, output.size());
}

}  // namespace ulpfft_tool::signals

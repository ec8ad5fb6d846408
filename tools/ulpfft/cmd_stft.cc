// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft stft: short-time spectra of a signal of any length, as rows of a .npy file.
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/json_object.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/signal/pump.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/signal/signal_options.h"
#include "tools/ulpfft/signal/spectrum.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace stft_command {

using namespace signals;

struct Options {
  InputOptions input;
  RowOptions rows;
  std::string output, numbers = "complex", padding, phase = "start";
  bool centered = false, json = false, quiet = false;
};

constexpr std::size_t kHeaderBytes = 128;  // of any number of rows

// A stream of codes has no 0 beyond the ends where no code is 0, as of cu8.
Blocks held_by_blocks(const SampleType& type) { return type.middle == 0 ? blocks_of(type) : Blocks::kWidened; }

ulpfft_stream_options options_of_stream(const Options& options, const SampleType& type, const Window& window) {
  ulpfft_stream_options to = ULPFFT_STREAM_OPTIONS_INIT;
  to.kind = ULPFFT_STREAM_STFT;
  to.storage = type.is_wide() ? "f64" : "f32";
  to.samples = held_by_blocks(type) == Blocks::kAsTheyAre ? type.storage() : nullptr;
  to.complex_samples = type.is_complex ? 1 : 0;
  to.threads = std::max(options.input.threads - 1, 1);
  to.length = options.rows.length;
  to.hop = options.rows.hop_or_half();
  to.window_factors = window.factors.data();
  to.window_count = static_cast<std::int64_t>(window.factors.size());
  to.centered = options.centered ? 1 : 0;
  const std::string padding = !options.padding.empty() ? options.padding : options.centered ? "zero" : "none";
  to.padding = padding == "none" ? ULPFFT_PADDING_NONE : padding == "zero" ? ULPFFT_PADDING_ZERO : ULPFFT_PADDING_REFLECT;
  to.phase = options.phase == "middle" ? ULPFFT_PHASE_MIDDLE : ULPFFT_PHASE_START;
  to.output = options.numbers == "complex" ? ULPFFT_STREAM_SPECTRUM
              : options.numbers == "power" ? ULPFFT_STREAM_POWER
                                           : ULPFFT_STREAM_MAGNITUDE;
  return to;
}

void check_padding(const Options& options) {
  const auto wrong = [](const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); };
  if (options.centered && options.padding == "none")
    wrong("Centered rows reach beyond the signal: --padding zero or reflect says what is there.", "none");
  if (!options.centered && options.padding == "reflect") wrong("--padding reflect is for --centered rows alone.", "reflect");
}

void report(const Options& options, const SourceFacts& facts, std::int64_t samples, std::int64_t rows, std::int64_t bins,
            double seconds, const std::string& at_end) {
  const bool whole_rows = options.padding.empty() ? !options.centered : options.padding == "none";
  const RowCount count = whole_rows ? count_rows(samples, options.rows.length, options.rows.hop_or_half()) : RowCount{rows, 0, 0};
  if (!at_end.empty()) std::fprintf(stderr, "%s: %s\n", facts.path.c_str(), at_end.c_str());
  if (options.json) {
    JsonObject json;
    json.add("input", facts.path).add("output", options.output).add("type", facts.type.name).add("samples", samples);
    json.add("shape", std::vector<std::int64_t>{rows, bins}).add("numbers", options.numbers).add("left_over", count.left_over);
    std::fputs(json.add("between_rows", count.between).add("seconds", seconds).text().c_str(), stdout);
  } else if (!options.quiet) {
    std::printf("%s: %s, %s numbers, from %s samples\n  left out   %s samples at the end, %s between rows\n",
                options.output.c_str(), show_lengths({rows, bins}).c_str(), options.numbers.c_str(),
                show_count(static_cast<double>(samples)).c_str(), show_count(static_cast<double>(count.left_over)).c_str(),
                show_count(static_cast<double>(count.between)).c_str());
  }
}

void run(const Options& options) {
  check_padding(options);
  if (!options.output.ends_with(".npy"))
    throw UsageError("Rows of spectra are written to a .npy file.", options.output, 0, options.output.size());
  require_folder_of(options.output);
  refuse_own_input(options.input.source.path, options.output);
  const auto begun = std::chrono::steady_clock::now();
  Source source(options.input.source);
  const SampleType& type = source.facts().type;
  Window window = make_window(options.rows.window, options.rows.length);
  for (double& factor : window.factors) factor /= held_by_blocks(type) == Blocks::kAsTheyAre ? 1 : type.full_scale;
  OutputFile file(options.output);
  file.write(std::string(kHeaderBytes, ' '));
  std::int64_t rows = 0;
  std::size_t row_bytes = 0;
  StreamFeed feed(options_of_stream(options, type, window), [&](const void* items, std::int64_t count) {
    rows += count;
    file.write(std::span(static_cast<const std::byte*>(items), static_cast<std::size_t>(count) * row_bytes));
  });
  row_bytes = feed.facts().item_bytes;
  const std::int64_t samples = pump(source, held_by_blocks(type), options.input.threads, options.quiet ? "" : "reading",
                                    [&](const void* numbers, std::int64_t count) { feed.push(numbers, count); });
  feed.finish();
  if (rows == 0) {
    throw Failure(source.facts().path + ": data: there are " + show_count(static_cast<double>(samples)) +
                  " samples, and a row takes " + show_count(static_cast<double>(options.rows.length)) +
                  ": choose a shorter --length, or --padding zero.");
  }
  const std::int64_t bins = feed.facts().item_numbers;
  const std::string descr =
      std::string(options.numbers == "complex" ? "<c" : "<f") + std::to_string(row_bytes / static_cast<std::size_t>(bins));
  file.write_again(0, npy_header(descr, false, {rows, bins}, kHeaderBytes));
  file.finish();
  file.commit();
  report(options, source.facts(), samples, rows, bins,
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(), source.said_at_end());
}

}  // namespace stft_command
}  // namespace

void add_stft(CLI::App& app) {
  using namespace stft_command;
  CLI::App* command = app.add_subcommand("stft", "Short-time spectra of a signal of any length");
  const auto options = std::make_shared<Options>();
  add_input_options(*command, options->input);
  command
      ->add_option("OUT", options->output, "NAME.npy: a row for each time, a column for each frequency. Replaced when complete")
      ->required();
  add_row_options(*command, options->rows);
  const auto choice = [&](const std::string& name, std::string& value, const std::string& text,
                          const std::vector<std::string>& names) {
    return command->add_option(name, value, text)->check(one_of(names), in_braces(names));
  };
  choice("--output", options->numbers, "What a row has: complex numbers, their power, or their magnitude",
         {"complex", "power", "magnitude"})
      ->capture_default_str();
  command->add_flag("--centered", options->centered, "Sample p hop is the middle of row p, not its first");
  choice("--padding", options->padding,
         "What is beyond the ends: none, so that rows lie in the signal; zero; or reflect, mirrored. Without it none, of "
         "centered rows zero",
         {"none", "zero", "reflect"});
  choice("--phase", options->phase,
         "Where phases count from: the start of a row (phase_shift=None of scipy.signal.ShortTimeFFT) or its middle (0)",
         {"start", "middle"})
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print as JSON: shape, samples, what was left out, seconds");
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
  command->footer(
      "Row p is sum_j w[j] x[p hop + j] exp(-2 pi i j k / length), with full scale as 1. Real samples have bins 0 to length/2, "
      "complex ones 0 to length-1.\n"
      "\n"
      "Examples:\n"
      "  ulpfft stft voice.wav rows.npy --length 1024 --hop 256 --centered\n"
      "  ulpfft stft capture.cs16 power.npy --output power --window blackmanharris\n"
      "  ulpfft stft - rows.npy --raw f32 --length 512 < samples.f32\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft filter: a signal of any length through a filter of taps, which come from a file or from a design.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/json_object.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/signal/design.h"
#include "tools/ulpfft/signal/pump.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/signal/signal_options.h"
#include "tools/ulpfft/signal/window.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace filter_command {

using namespace signals;

struct Options {
  InputOptions input;
  std::string output, raw_out, taps, bandpass, latency, mode = "same";
  double lowpass = 0, highpass = 0, transition = 0, attenuation = 60;
  bool json = false, quiet = false;
};

[[noreturn]] void wrong(const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); }

struct Taps {
  std::vector<double> reals;
  bool is_complex = false;
  std::int64_t count() const { return static_cast<std::int64_t>(reals.size()) / (is_complex ? 2 : 1); }
};

// The edges as parts of the rate.
Band read_band(const Options& options, const SourceFacts& facts) {
  const std::optional<double> rate = options.input.rate_of(facts);
  const bool with_low = options.highpass > 0 || !options.bandpass.empty(),
             with_high = options.lowpass > 0 || !options.bandpass.empty();
  const std::string name = options.lowpass > 0 ? "--lowpass" : options.highpass > 0 ? "--highpass" : "--bandpass";
  if (!rate) wrong(name + " takes a frequency in Hz, so --rate is needed: how many samples a second there are.", name);
  Band band{options.highpass / *rate, with_high ? options.lowpass / *rate : 0.5, 0, options.attenuation, false};
  if (!options.bandpass.empty()) {
    const std::size_t colon = options.bandpass.find(':');
    const std::optional<double> low =
        colon == options.bandpass.npos ? std::nullopt : read_quantity(options.bandpass.substr(0, colon));
    const std::optional<double> high =
        colon == options.bandpass.npos ? std::nullopt : read_quantity(options.bandpass.substr(colon + 1));
    if (!low || !high || *low >= *high)
      wrong("--bandpass takes two frequencies, the lower one first, e.g. 300:3k.", options.bandpass);
    band.low = *low / *rate, band.high = *high / *rate;
    band.complex_taps = facts.type.is_complex;
  }
  const std::string word = options.bandpass.empty() ? name : options.bandpass;
  const double least = band.complex_taps ? -0.5 : 0;
  if ((with_low && band.low <= least) || (with_high && band.high >= 0.5) || (!with_high && band.low >= 0.5)) {
    wrong("The edges of " + name + " lie between " + show_frequency(least * *rate, true) + " and " +
              show_frequency(0.5 * *rate, true) + ", half of the rate.",
          word);
  }
  const double room = std::min({with_low ? band.low - least : 1.0, with_high ? 0.5 - band.high : 0.5 - band.low,
                                band.high - band.low, with_low ? 1.0 : band.high});
  band.transition = options.transition > 0 ? options.transition / *rate : 0.2 * room;
  if (band.transition > 2 * room) {
    wrong("--transition is " + show_frequency(band.transition * *rate, true) + ", and " + show_frequency(2 * room * *rate, true) +
              " have room at the edges of " + name + ".",
          "--transition");
  }
  if (band.attenuation > kMostAttenuation)
    wrong("--attenuation is at most " + show_number(kMostAttenuation) + " dB: f64 has no finer taps.", "--attenuation");
  if (count_taps(band) > kMostTaps) {
    wrong("A filter has at most " + show_count(static_cast<double>(kMostTaps)) +
              " taps, and this one would have more: choose a wider --transition, now " +
              show_frequency(band.transition * *rate, true) + ".",
          "--transition");
  }
  return band;
}

Taps make_taps(const Options& options, const SourceFacts& facts) {
  const int given = (options.taps.empty() ? 0 : 1) + (options.lowpass > 0 ? 1 : 0) + (options.highpass > 0 ? 1 : 0) +
                    (options.bandpass.empty() ? 0 : 1);
  if (given != 1) {
    const std::string word = given == 0 ? "filter" : "--taps";
    wrong("Name one filter: --taps FILE, --lowpass HZ, --highpass HZ or --bandpass LOW:HIGH.", word);
  }
  if (options.taps.empty()) {
    const Band band = read_band(options, facts);
    return {design_taps(band), band.complex_taps};
  }
  const FileNumbers numbers = read_numbers_of(options.taps);
  if (numbers.count() == 0) throw Failure(options.taps + ": data: there are no taps.");
  return {numbers.reals, numbers.is_complex};
}

// The type of what is written: --raw-out, else by the name of OUT, else that of IN. Its numbers are complex where they have to
// be.
SampleType output_type(const Options& options, const SampleType& in, bool is_complex) {
  std::optional<SampleType> type =
      options.raw_out.empty() ? type_by_extension(options.output) : find_sample_type(options.raw_out);
  if (!options.raw_out.empty() && !type)
    wrong("--raw-out takes a type of samples, and '" + options.raw_out + "' is none. There are " + sample_type_names() + ".",
          options.raw_out);
  if (type && type->is_complex != is_complex) {
    wrong("The results are " + std::string(is_complex ? "complex" : "real") + ", and " + type->name + " is a type of " +
              (is_complex ? "real" : "complex") + " samples.",
          options.raw_out.empty() ? options.output : options.raw_out);
  }
  if (type) return *type;
  SampleType same = in;
  if (is_complex && !in.is_complex) same.is_complex = true, same.name = "c" + in.name;
  return same;
}

// Where results go: a file, in WAV where its name says so, or the standard output.
class Sink {
 public:
  Sink(const std::string& path, const SampleType& type, double rate)
      : path_(path), type_(type), rate_(rate), is_wav_(path.ends_with(".wav")) {
    if (is_wav_ && type.kind == 'u' && type.bits == 8) type_.middle = type_.full_scale = 128;
    const bool fits =
        type_.kind == 'f' ? !type_.big_endian : (type_.kind == 'i' ? !type_.big_endian && type_.bits > 8 : type_.bits == 8);
    if (is_wav_ && !fits) wrong("A .wav file has no samples of " + type.name + ": say e.g. --raw-out s16.", path);
    if (is_wav_ && !(rate_ >= 1 && rate_ < 0x1p32 - 1))
      wrong("A .wav file has a rate of 1 to 2^32 - 2 samples a second, and this is " + show_number(rate_) + ".", path);
    if (path == "-") return;
    file_.emplace(path);
    if (is_wav_) file_->write(wav_header(type_, channels(), rate_, 0));
  }
  const SampleType& type() const { return type_; }
  void write(const void* numbers, std::int64_t samples) {
    const std::int64_t reals = samples * static_cast<std::int64_t>(type_.parts());
    bytes_.resize(static_cast<std::size_t>(reals) * type_.real_bytes());
    saturated_ += narrow(type_, numbers, reals, bytes_);
    written_ += static_cast<std::uint64_t>(bytes_.size());
    if (file_) return file_->write(bytes_);
    for (std::span<const std::byte> left = bytes_; !left.empty();) {
      const ssize_t put = ::write(STDOUT_FILENO, left.data(), left.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) throw Failure(std::string("The standard output: writing failed: ") + std::strerror(errno) + ".");
      left = left.subspan(static_cast<std::size_t>(put));
    }
  }
  void finish() {
    if (!file_) return;
    if (is_wav_ && written_ % 2 == 1) file_->write(std::string_view("\0", 1));
    if (is_wav_) file_->write_again(0, wav_header(type_, channels(), rate_, written_));
    file_->finish();
    file_->commit();
  }
  std::int64_t saturated() const { return saturated_; }

 private:
  int channels() const { return static_cast<int>(type_.parts()); }
  std::string path_;
  SampleType type_;
  double rate_;
  bool is_wav_;
  std::optional<OutputFile> file_;
  std::vector<std::byte> bytes_;
  std::int64_t saturated_ = 0;
  std::uint64_t written_ = 0;
};

ulpfft_stream_options options_of_stream(const Options& options, const SampleType& type, const Taps& taps, const void* numbers) {
  ulpfft_stream_options to = ULPFFT_STREAM_OPTIONS_INIT;
  to.kind = ULPFFT_STREAM_FILTER;
  to.storage = type.is_wide() ? "f64" : "f32";
  to.complex_samples = type.is_complex ? 1 : 0;
  to.threads = std::max(options.input.threads - 1, 1);
  to.taps = numbers;
  to.tap_count = taps.count();
  to.complex_taps = taps.is_complex ? 1 : 0;
  if (options.latency.empty()) return to;
  if (options.latency == "none") {
    to.max_latency = ULPFFT_LATENCY_NONE;
    return to;
  }
  const std::optional<double> latency = read_quantity(options.latency);
  if (!latency || *latency < 1 || *latency > 1e9) wrong("--latency takes a number of samples from 1, or none.", options.latency);
  to.max_latency = static_cast<std::int64_t>(*latency);
  return to;
}

struct Outcome {
  std::int64_t samples = 0, written = 0;
  double seconds = 0;
};

void tell(const Options& options, const SourceFacts& facts, const Taps& taps, const StreamFeed& feed, const Sink& sink,
          const Outcome& outcome, const std::string& at_end) {
  if (!at_end.empty()) std::fprintf(stderr, "%s: %s\n", facts.path.c_str(), at_end.c_str());
  std::FILE* to = options.output == "-" ? stderr : stdout;
  if (options.json) {
    JsonObject json;
    json.add("input", facts.path).add("output", options.output).add("type", facts.type.name).add("output_type", sink.type().name);
    json.add("samples", outcome.samples)
        .add("written", outcome.written)
        .add("saturated", sink.saturated())
        .add("taps", taps.count());
    json.add("latency", feed.facts().latency)
        .add("error", feed.facts().error)
        .add("stream_bytes", static_cast<std::int64_t>(feed.facts().bytes));
    std::fputs(json.add("seconds", outcome.seconds).text().c_str(), to);
  } else if (!options.quiet) {
    std::fprintf(to, "%s: %s samples, %s\n  filter     %s taps, latency %s samples, error %s\n  saturated  ",
                 options.output == "-" ? "standard output" : options.output.c_str(),
                 show_count(static_cast<double>(outcome.written)).c_str(), sink.type().name.c_str(),
                 show_count(static_cast<double>(taps.count())).c_str(),
                 show_count(static_cast<double>(feed.facts().latency)).c_str(), show_error(feed.facts().error).c_str());
    std::fprintf(to, sink.saturated() == 0 ? "no value was clipped\n" : "%lld real numbers lay beyond the largest value\n",
                 static_cast<long long>(sink.saturated()));
  } else if (sink.saturated() > 0) {
    std::fprintf(stderr, "%s: %lld real numbers saturated\n", options.output.c_str(), static_cast<long long>(sink.saturated()));
  }
}

void run(const Options& options) {
  for (const char* const end : {".npy", ".sigmf-meta", ".sigmf-data", ".sigmf"}) {
    if (options.output.ends_with(end))
      wrong("Samples are written in WAV or without a header, and not in " + std::string(end) + ": give OUT another name.", options.output);
  }
  if (options.output != "-") require_folder_of(options.output);
  refuse_own_input(options.input.source.path, options.output);
  const auto begun = std::chrono::steady_clock::now();
  Source source(options.input.source);
  const SampleType& type = source.facts().type;
  Taps taps = make_taps(options, source.facts());
  Sink sink(options.output, output_type(options, type, type.is_complex || taps.is_complex),
            options.input.rate_of(source.facts()).value_or(48000));
  const double gain = sink.type().full_scale / type.full_scale;  // from numbers of one type to those of the other
  std::vector<float> floats;
  std::vector<double> doubles = taps.reals;
  for (double& tap : doubles) tap *= gain;
  if (!type.is_wide()) floats.assign(doubles.begin(), doubles.end());
  const bool same = options.mode == "same";
  Outcome outcome;
  std::int64_t to_skip = same ? (taps.count() - 1) / 2 : 0, most = same ? 0 : std::int64_t{1} << 62;
  std::size_t item_bytes = 0;
  // `narrow` reads f64 where the type that is written is wide.
  const auto write = [&](const void* items, std::int64_t count) {
    const auto* from = static_cast<const std::byte*>(items);
    const std::int64_t skipped = std::min(to_skip, count);
    to_skip -= skipped;
    const std::int64_t now = std::min(count - skipped, most - outcome.written);
    if (now <= 0) return;
    outcome.written += now;
    const std::byte* first = from + static_cast<std::size_t>(skipped) * item_bytes;
    const auto reals = static_cast<std::size_t>(now) * sink.type().parts();
    if (type.is_wide() == sink.type().is_wide()) return sink.write(first, now);
    if (type.is_wide()) {
      std::vector<float> numbers(reals);
      std::copy_n(reinterpret_cast<const double*>(first), reals, numbers.begin());
      return sink.write(numbers.data(), now);
    }
    std::vector<double> numbers(reals);
    std::copy_n(reinterpret_cast<const float*>(first), reals, numbers.begin());
    sink.write(numbers.data(), now);
  };
  StreamFeed feed(
      options_of_stream(options, type, taps, type.is_wide() ? static_cast<const void*>(doubles.data()) : floats.data()), write);
  item_bytes = feed.facts().item_bytes;
  pump(source, Blocks::kWidened, options.input.threads, options.quiet ? "" : "filtering",
       [&](const void* numbers, std::int64_t count) {
         outcome.samples += count;
         if (same) most = outcome.samples;
         feed.push(numbers, count);
       });
  feed.finish();
  sink.finish();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  tell(options, source.facts(), taps, feed, sink, outcome, source.said_at_end());
}

void add_design(CLI::App& command, Options& options) {
  const auto frequency = [&](const std::string& name, double& value, const std::string& text) {
    command.add_option(name, value, text)
        ->transform(CLI::Validator(quantity(Allowed::kAboveZero, "a frequency above 0, e.g. 3k"), ""))
        ->type_name("HZ");
  };
  frequency("--lowpass", options.lowpass, "Design: pass frequencies up to this one, of complex samples on both sides of 0");
  frequency("--highpass", options.highpass, "Design: pass those above");
  command
      .add_option("--bandpass", options.bandpass,
                  "Design: pass those between two, e.g. 300:3k; of complex samples on one side of 0, e.g. -50k:-10k")
      ->type_name("LOW:HIGH");
  frequency("--transition", options.transition,
            "From what passes to what does not, the edge in its middle; without it a fifth of the room there is");
  command
      .add_option("--attenuation", options.attenuation,
                  "dB that what does not pass is weaker by, at least nearly (Kaiser's formula)")
      ->transform(CLI::Validator(quantity(Allowed::kAboveZero, "a number of dB above 0"), ""))
      ->type_name("DB")
      ->capture_default_str();
}

}  // namespace filter_command
}  // namespace

void add_filter(CLI::App& app) {
  using namespace filter_command;
  CLI::App* command = app.add_subcommand("filter", "Filter a signal of any length");
  const auto options = std::make_shared<Options>();
  add_input_options(*command, options->input);
  command
      ->add_option("OUT", options->output,
                   "File to write, in WAV where it ends in .wav, else without a header, or - for the standard output. Replaced "
                   "when complete")
      ->required();
  command
      ->add_option("--taps", options->taps,
                   "File with the taps: a text with one a line (two of complex ones), .npy, .f32, .cf32, ...")
      ->type_name("FILE");
  add_design(*command, *options);
  command
      ->add_option("--mode", options->mode,
                   "same: as many samples as IN has, those of a filter with linear phase not delayed; full: with what comes "
                   "before and after, as scipy.signal.convolve")
      ->check(one_of({"same", "full"}), "{same,full}")
      ->capture_default_str();
  command
      ->add_option("--latency", options->latency,
                   "Samples that a result may wait for others, or none; without it what is fastest")
      ->type_name("N");
  command
      ->add_option(
          "--raw-out", options->raw_out,
          "Type of the samples written; without it by the name of OUT, else that of IN. Rounded and saturated, which is counted")
      ->type_name("TYPE");
  command->add_flag("--json", options->json, "Print as JSON: samples, taps, latency, what saturated, seconds");
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
  command->footer(
      "Examples:\n"
      "  ulpfft filter capture.cu8 narrow.cf32 --rate 2.4M --lowpass 100k\n"
      "  ulpfft filter voice.wav clear.wav --bandpass 300:3400 --attenuation 80\n"
      "  ulpfft filter room.wav wet.wav --taps echo.npy --mode full --raw-out f32\n"
      "  ulpfft filter - - --raw s16 --rate 48k --lowpass 4k --latency 512 < in.s16 > out.s16\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft psd: power spectra of signals of any length.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/interruption.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/signal/psd_report.h"
#include "tools/ulpfft/signal/pump.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/signal/signal_options.h"
#include "tools/ulpfft/signal/watch.h"

namespace ulpfft_tool {
namespace {
namespace psd_command {

using namespace signals;
using Clock = std::chrono::steady_clock;

struct Options {
  InputOptions input;
  RowOptions rows;
  std::string average = "mean", scaling = "spectrum", crop = "0", baseline, csv, format = "bins", png, html;
  double center = 0, interval = 0;
  bool center_given = false;
  int peaks = 5;
  bool in_decibels = false, json = false, quiet = false, watch = false;
};

[[noreturn]] void wrong(const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); }

Averaging read_averaging(const std::string& text) {
  Averaging averaging{ULPFFT_AVERAGE_MEAN, 0, text};
  if (text == "mean") return averaging;
  averaging.kind = text == "max" ? ULPFFT_AVERAGE_MAX : ULPFFT_AVERAGE_MIN;
  if (text == "max" || text == "min") return averaging;
  averaging.kind = ULPFFT_AVERAGE_EXPONENTIAL;
  constexpr std::string_view kName = "ewma:";
  const char* const end = text.data() + text.size();
  const bool named = text.starts_with(kName);
  const auto [stop, failure] = std::from_chars(named ? text.data() + kName.size() : end, end, averaging.weight);
  if (named && failure == std::errc{} && stop == end && averaging.weight > 0 && averaging.weight <= 1) return averaging;
  wrong(
      "--average takes mean, max, min or ewma:X, an exponential average in which a new row has the weight X, above 0 and at most "
      "1." +
          did_you_mean(text, {"mean", "max", "min"}),
      text);
}

double read_fraction(const std::string& text) {
  const bool percent = text.ends_with('%');
  const std::string digits = text.substr(0, text.size() - (percent ? 1 : 0));
  double value = 0;
  const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  value /= percent ? 100 : 1;
  if (failure == std::errc{} && stop == digits.data() + digits.size() && value >= 0 && value < 1) return value;
  wrong("--crop takes the part of the bins to leave out, from 0 to less than 100%, e.g. 20% or 0.2.", text);
}

PsdSettings settings_of(const Options& options, const SourceFacts& facts) {
  PsdSettings settings;
  settings.length = options.rows.length;
  settings.hop = options.rows.hop_or_half();
  settings.window = make_window(options.rows.window, settings.length);
  settings.averaging = read_averaging(options.average);
  settings.density = options.scaling == "density";
  settings.rate = options.input.rate_of(facts);
  settings.center = options.center_given ? options.center : facts.center.value_or(0);
  settings.crop = read_fraction(options.crop);
  settings.threads = options.input.threads;
  if (options.center_given && !facts.type.is_complex) {
    wrong("--center is the frequency of the middle of complex samples; those of " + facts.path + " are real, from 0 Hz.",
          "--center");
  }
  if (options.center_given && !settings.rate)
    wrong("--center needs --rate: without it frequencies are cycles per sample.", "--center");
  return settings;
}

// Lines of rtl_power, one for every interval, as they come.
class IntervalLines {
 public:
  IntervalLines(const Options& options, const PsdSettings& settings, const SpectrumAxis& axis, double begin)
      : settings_(settings), axis_(axis), sum_(settings.averaging), begin_(begin) {
    const double rows = options.interval * *settings.rate / static_cast<double>(settings.hop);
    rows_ = options.interval > 0 ? std::max<std::int64_t>(std::llround(std::min(rows, 1e15)), 1) : 0;
    if (rows_ > 64) rows_ = rows_ / 16 * 16;  // whole items of several rows
    if (options.csv != "-") file_.emplace(options.csv);
  }
  std::int64_t rows() const { return rows_; }  // of an interval; 0: all
  void add(std::span<const double> powers, std::int64_t rows) {
    sum_.add(powers, rows);
    if (rows_ > 0 && sum_.rows() >= rows_) write();
  }
  void finish() {
    write();
    if (!file_) return;
    file_->finish();
    file_->commit();
  }

 private:
  void write() {
    if (sum_.rows() == 0) return;
    const std::int64_t samples = (sum_.rows() - 1) * settings_.hop + settings_.length;
    const double begin = begin_ + static_cast<double>(written_rows_ * settings_.hop) / *settings_.rate;
    const std::string line = rtl_power_line(begin, axis_, samples, sum_.powers());
    written_rows_ += sum_.rows();
    sum_.clear();
    if (file_) return file_->write(line);
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
  }

  PsdSettings settings_;
  SpectrumAxis axis_;
  SpectrumSum sum_;
  double begin_;
  std::int64_t rows_ = 0, written_rows_ = 0;
  std::optional<OutputFile> file_;
};

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
  file.commit();
}

double begin_of_signal(const SourceFacts& facts, double rate) {
  if (facts.begin) return *facts.begin;
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return facts.samples < 0 ? now : facts.changed - static_cast<double>(facts.samples) / rate;
}

// The whole of the work. Everything but the constructor may be called from the thread of an interruption as well, under the
// mutex.
class Job {
 public:
  explicit Job(const Options& options)
      : options_(options),
        source_(options.input.source),
        settings_(settings_of(options, source_.facts())),
        axis_(axis_of(settings_, source_.facts().type)),
        sum_(settings_.averaging),
        waterfall_(axis_.bins, settings_.averaging.kind) {
    if (!options.baseline.empty()) baseline_ = read_baseline(options.baseline, axis_);
    if (options.watch) watch_.emplace(settings_, axis_, decibel_unit(settings_, !baseline_.empty()));
    if (options.format == "rtl_power") {
      if (!settings_.rate) wrong("Lines of rtl_power have frequencies in Hz: say --rate.", "rtl_power");
      lines_.emplace(options, settings_, axis_, begin_of_signal(source_.facts(), *settings_.rate));
    }
    powers_.resize(axis_.bins);
    rows_of_item_ = choose_rows();
    const auto before = Clock::now();
    feed_.emplace(stream_options(settings_, source_.facts().type, rows_of_item_),
                  [this](const void* items, std::int64_t count) { take(items, count); });
    plan_seconds_ = std::chrono::duration<double>(Clock::now() - before).count();
  }

  void run() {
    const bool shows_bar = !options_.watch && !options_.quiet;
    pump(source_, blocks_of(source_.facts().type), options_.input.threads, shows_bar ? "reading" : "",
         [this](const void* numbers, std::int64_t samples) {
           const std::lock_guard lock(mutex_);
           samples_ += samples;
           feed_->push(numbers, samples);
         });
    const std::lock_guard lock(mutex_);
    finish("");
  }

  // The results of what came so far; the lock is kept, because the process ends.
  void interrupt() {
    mutex_.lock();
    if (!finished_) finish("Interrupted: these are the results of the samples read so far. ");
  }

 private:
  // Single rows where time is shown, else many, so that the work for an item does not count. Whether the size of the input is
  // known decides nothing: results of a pipe and of a file have the same bits.
  std::int64_t choose_rows() const {
    const bool shows_time = options_.watch || !options_.png.empty() || !options_.html.empty();
    std::int64_t rows = shows_time ? 1 : 64;
    if (lines_ && lines_->rows() > 0) {
      while (lines_->rows() % rows != 0) --rows;
    }
    return rows;
  }

  void take(const void* items, std::int64_t count) {
    const SampleType& type = source_.facts().type;
    const auto* item = static_cast<const std::byte*>(items);
    for (std::int64_t i = 0; i < count; ++i, item += feed_->facts().item_bytes) {
      powers_of_item(axis_, type, item, powers_);
      for (std::size_t k = 0; k < baseline_.size(); ++k) powers_[k] /= baseline_[k];
      const std::int64_t known = count_rows(samples_, settings_.length, settings_.hop).rows;
      const std::int64_t rows = std::min(rows_of_item_, known - sum_.rows());
      sum_.add(powers_, rows);
      if (!options_.png.empty() || !options_.html.empty()) waterfall_.add(powers_);
      if (watch_) watch_->add(powers_, rows);
      if (lines_) lines_->add(powers_, rows);
    }
  }

  void finish(const std::string& first_words) {
    finished_ = true;
    feed_->finish();
    if (sum_.rows() == 0) {
      throw Failure(source_.facts().path + ": data: there are " + show_count(static_cast<double>(samples_)) +
                    " samples, and a row takes " + show_count(static_cast<double>(settings_.length)) +
                    ": choose a shorter --length.");
    }
    if (watch_) watch_->draw();
    PsdReport report = make_report();
    report.said_at_end = first_words + source_.said_at_end();
    write_results(report);
  }

  PsdReport make_report() const {
    PsdReport report;
    report.source = source_.facts();
    report.settings = settings_;
    report.axis = axis_;
    report.samples = samples_;
    report.count = count_rows(samples_, settings_.length, settings_.hop);
    report.powers = sum_.powers();
    report.baseline = !baseline_.empty();
    report.floor = median_of(report.powers);
    report.peaks = find_peaks(settings_.window, !settings_.density && !report.baseline, axis_, report.powers,
                              static_cast<std::size_t>(options_.peaks));
    report.plan_seconds = plan_seconds_;
    report.stream_bytes = feed_->facts().bytes;
    report.rounding_floor = feed_->rounding_floor();
    report.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    return report;
  }

  void write_results(const PsdReport& report) {
    if (lines_) {
      lines_->finish();
    } else if (options_.csv == "-") {
      std::fputs(psd_csv(report, options_.in_decibels).c_str(), stdout);
    } else if (!options_.csv.empty()) {
      const std::string text = psd_csv(report, options_.in_decibels);
      write_file(options_.csv, std::as_bytes(std::span(text)));
    }
    if (!options_.png.empty()) {
      const Grid grid = waterfall_.grid(1024, 720);
      const std::vector<std::uint8_t> png = waterfall_png(grid, levels_of(grid), {axis_, report.duration(), report.unit()});
      write_file(options_.png, std::as_bytes(std::span(png)));
    }
    if (!options_.html.empty()) {
      const std::string page = psd_page(report, waterfall_);
      write_file(options_.html, std::as_bytes(std::span(page)));
    }
    if (!report.said_at_end.empty()) std::fprintf(stderr, "%s: %s\n", report.source.path.c_str(), report.said_at_end.c_str());
    std::FILE* to = options_.csv == "-" ? stderr : stdout;
    if (options_.json) {
      std::fputs(psd_json(report).c_str(), to);
    } else if (!options_.quiet) {
      std::fputs(psd_text(report).c_str(), to);
    } else if (report.count.left_over > 0 || report.count.between > 0) {
      std::fprintf(stderr, "%s: %lld samples are in no row\n", report.source.path.c_str(),
                   static_cast<long long>(report.count.left_over + report.count.between));
    }
  }

  const Options& options_;
  Clock::time_point begun_ = Clock::now();
  Source source_;
  PsdSettings settings_;
  SpectrumAxis axis_;
  SpectrumSum sum_;
  Waterfall waterfall_;
  std::vector<double> baseline_, powers_;
  std::optional<Watch> watch_;
  std::optional<IntervalLines> lines_;
  std::int64_t rows_of_item_ = 1, samples_ = 0;
  double plan_seconds_ = 0;
  std::optional<StreamFeed> feed_;
  std::mutex mutex_;
  bool finished_ = false;
};

void run(Options options) {
  if (options.format == "rtl_power" && options.csv.empty()) options.csv = "-";
  if (options.interval > 0 && options.format != "rtl_power")
    wrong("--interval is the time of a line of --format rtl_power.", "--interval");
  if (options.watch && options.csv == "-") wrong("--watch and --csv - both write to the standard output: name a file.", "--csv");
  if (options.json && options.csv == "-") wrong("--json and --csv - both write to the standard output: name a file.", "--csv");
  if (options.in_decibels && options.csv.empty())
    wrong("--db is how --csv writes powers; what is printed and drawn is in dB always.", "--db");
  std::vector<std::string> written;
  for (const std::string& path : {options.csv, options.png, options.html}) {
    if (!path.empty() && std::find(written.begin(), written.end(), path) != written.end())
      wrong("Two results would be written to this file: give each a name of its own.", path);
    written.push_back(path);
    if (path != "-") require_folder_of(path);
    refuse_own_input(options.input.source.path, path);
  }
  std::optional<Job> job;  // before what an interruption calls, and so there as long as that is
  std::atomic<Job*> made = nullptr;
  const KeptOnInterrupt kept([&made] {
    if (Job* const begun = made.load()) begun->interrupt();
  });
  job.emplace(options);  // after it: threads of the library inherit that Ctrl-C is not for them
  made = &*job;
  job->run();
}

void add_results(CLI::App& command, Options& options) {
  command.add_option("--csv", options.csv, "Write the spectrum to this file, or with - to the standard output: frequency, power")
      ->type_name("FILE");
  command
      .add_option("--format", options.format,
                  "Of --csv: bins, a line each; or rtl_power, a line for an interval: date, time, Hz low, Hz high, Hz step, "
                  "samples, dB, dB, ...")
      ->check(one_of({"bins", "rtl_power"}), "{bins,rtl_power}")
      ->capture_default_str();
  command.add_option("--interval", options.interval, "Of --format rtl_power: seconds of a line, nearly; without it all are one")
      ->transform(CLI::Validator(quantity(Allowed::kAboveZero, "seconds, a number above 0"), ""))
      ->type_name("SECONDS");
  command.add_flag("--db", options.in_decibels, "Decibels in --csv, not powers");
  command.add_option("--png", options.png, "Draw a waterfall with axes and a scale of colours to this .png file")
      ->type_name("FILE");
  command.add_option("--html", options.html, "Write a page with the spectrum and the waterfall to this file")->type_name("FILE");
  command.add_flag("--watch", options.watch, "Draw a spectrum as text on the terminal while samples come");
  command.add_option("--peaks", options.peaks, "How many to tell at most, of those 10 dB over the floor")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print as JSON: samples, rows, what was left out, floor, peaks");
  command.add_flag("--quiet", options.quiet, "Print nothing when all is well");
}

}  // namespace psd_command
}  // namespace

void add_psd(CLI::App& app) {
  using namespace psd_command;
  CLI::App* command = app.add_subcommand("psd", "Power spectrum and waterfall of a signal of any length");
  const auto options = std::make_shared<Options>();
  add_input_options(*command, options->input);
  CLI::Option* center =
      command
          ->add_option("--center", options->center,
                       "Frequency of the middle of complex samples, e.g. 100M: axes then show what was received")
          ->transform(CLI::Validator(quantity(Allowed::kAny, "a frequency such as 100M or 433.92M"), ""))
          ->type_name("HZ");
  add_row_options(*command, options->rows);
  command->add_option("--average", options->average, "Of powers: mean, max, min, or ewma:X with the weight X of a new row")
      ->type_name("AVERAGE")
      ->capture_default_str();
  command
      ->add_option("--scaling", options->scaling,
                   "spectrum: a tone of amplitude A in the middle of a bin shows A^2, real ones A^2 / 2; density: noise, per Hz, "
                   "as scipy.signal.welch has them")
      ->check(one_of({"spectrum", "density"}), "{spectrum,density}")
      ->capture_default_str();
  command
      ->add_option(
          "--crop", options->crop,
          "Part of the bins to leave out, e.g. 20%: of complex samples half at either end, of real ones at the upper end")
      ->type_name("PART")
      ->capture_default_str();
  command
      ->add_option("--baseline", options->baseline,
                   "Divide by the powers in this file, which --csv wrote: dB are then those over it")
      ->type_name("FILE");
  add_results(*command, *options);
  command->footer(
      "Full scale is 1: 32768 of 16-bit samples, 128 of signed and 127.5 of unsigned ones of 8 bits. 0 dBFS is the power of a "
      "complex tone at full scale; a real sine at full scale has half of that power. Rows lie in the signal; samples in none are "
      "counted. Ctrl-C ends the reading, and results of what came are written.\n"
      "\n"
      "Examples:\n"
      "  ulpfft psd capture.cu8 --rate 2.4M --center 100M\n"
      "  ulpfft psd capture.sigmf-meta --png waterfall.png --html page.html\n"
      "  ulpfft psd voice.wav --length 1024 --hop 256 --scaling density --csv spectrum.csv --db\n"
      "  ulpfft psd - --raw cu8 --rate 2.4M --watch < capture.cu8\n"
      "  ulpfft psd capture.cs16 --rate 10M --crop 20% --format rtl_power --interval 1 --csv -\n");
  command->callback([options, center] {
    options->center_given = center->count() > 0;
    run(*options);
  });
}

}  // namespace ulpfft_tool

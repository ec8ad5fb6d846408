// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft accuracy: errors, measured: against length, beside gates and FFTW; of formats, schemes and twiddle forms, beside published claims.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/accuracy/report.h"
#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/precision.h"
#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace accuracy_command {

struct Options {
  std::vector<std::string> problems;
  std::vector<std::string> studies;
  std::string precision;
  std::string storage = "both";
  std::string level = "full";
  std::string effort = "estimate";
  std::string target;
  std::string html;
  std::string csv;
  std::string golden;
  std::int64_t longest = 65537;
  double gate = 1.0;
  bool quick = false;
  bool json = false;
  bool no_fftw = false;
  bool longest_given = false;

  bool has(std::string_view study) const { return std::find(studies.begin(), studies.end(), study) != studies.end(); }
};

constexpr std::int64_t kQuickLongest = 4096;

// Powers of two; smooth lengths, odd ones and squares of small primes among them; primes, and composites of a prime above 13.
std::vector<std::int64_t> default_lengths(std::int64_t longest) {
  std::vector<std::int64_t> list;
  for (std::int64_t n = 2; n <= 65536; n *= 2) list.push_back(n);
  for (const std::int64_t n :
       {3,    5,    6,    7,    9,    10,    11,    12,    13,    15, 24, 25, 49, 60, 100, 120, 121,  169,  360,  625,   1000,
        1001, 1080, 2187, 3125, 4725, 10000, 15625, 44100, 59049, 17, 19, 31, 34, 67, 101, 257, 1009, 2018, 4099, 10007, 65537}) {
    list.push_back(n);
  }
  std::erase_if(list, [longest](std::int64_t n) { return n > longest; });
  std::sort(list.begin(), list.end());
  return list;
}

// Every kind of r2r has fewer and shorter lengths, because there are many. Types 1 also have lengths with extensions of powers of two.
void add_r2r_lengths(std::int64_t longest, const std::string& only, std::vector<std::string>& problems) {
  for (const std::string kind : {"r2hc", "hc2r", "dht", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"}) {
    const std::int64_t more = kind == "dct1" ? 1 : kind == "dst1" ? -1 : 0;
    std::vector<std::int64_t> list = {3, 5, 9, 12, 15, 49, 60, 100, 105, 101, 1000, 2187};
    for (std::int64_t n = 4; n <= 4096; n *= 4) list.push_back(n + more);
    for (const char* storage : {"f32", "f64"}) {
      if (only != "both" && only != storage) continue;
      for (const std::int64_t n : list) {
        if (n <= longest) problems.push_back("r2r " + std::to_string(n) + " " + storage + " kinds=" + kind);
      }
    }
  }
}

// One bar over all that is to be done, each part by about the time it takes.
class Parts {
 public:
  explicit Parts(double weight) : weight_(weight) {}
  std::function<void(double, const std::string&)> next(double weight) {
    begin_ = end_;
    end_ += weight / weight_;
    return [this](double fraction, const std::string& what) { bar_.show(begin_ + (end_ - begin_) * fraction, what); };
  }

 private:
  ProgressBar bar_{"measuring"};
  double weight_, begin_ = 0, end_ = 0;
};

AccuracyReport measure_all(const Options& options) {
  AccuracyReport report;
  report.version = ulpfft::version();
  report.processor = processor_name();
  report.date = today();
  const std::int64_t longest = options.quick && !options.longest_given ? kQuickLongest : options.longest;
  std::vector<std::string> problems = options.problems;
  const bool chosen = problems.empty();
  const auto add_lengths = [&](const std::string& kind) {
    for (const char* storage : {"f32", "f64"}) {
      if (options.storage != "both" && options.storage != storage) continue;
      for (const std::int64_t n : default_lengths(longest)) problems.push_back(kind + std::to_string(n) + " " + storage);
    }
  };
  if (options.has("lengths")) add_lengths("");
  if (options.has("reals")) {
    for (const char* kind : {"r2c ", "c2r "}) add_lengths(kind);
    add_r2r_lengths(longest, options.storage, problems);
  }
  const RowOptions row_options{options.gate, options.level == "full", options.effort == "measure", options.target, !options.no_fftw};
  Lab lab(options.target);
  if (options.has("golden") || options.has("formats")) report.golden = read_golden(options.golden, lab);

  struct Study {
    const char* name;
    double weight;
    std::vector<Figure> (*measure)(Lab&, const StudyOptions&);
  };
  const Study studies[] = {{"predictions", 4, study_predictions}, {"forms", 4, study_forms},   {"overflow", 2, study_overflow},
                           {"bounds", 1, study_bounds},           {"sine", 0.1, study_sine},   {"blocks", 3, study_blocks},
                           {"chain", 0.3, study_chain},           {"split", 4, study_split}, {"chains", 3, study_chains}};
  double weight = 0.1 + (problems.empty() ? 0 : 2) + (options.has("golden") ? 3 : 0) + (options.has("formats") ? 5 : 0);
  for (const Study& study : studies) weight += options.has(study.name) ? study.weight : 0;
  Parts parts(weight);
  StudyOptions study_options{static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(longest))), options.quick, {}};

  const auto add = [&](std::vector<Figure> figures) {
    report.figures.insert(report.figures.end(), std::make_move_iterator(figures.begin()), std::make_move_iterator(figures.end()));
  };
  report.lengths = measure_rows(problems, chosen, row_options, parts.next(2));
  report.machine = report.lengths.machine;
  add(row_figures(report.lengths));
  if (options.has("formats")) {
    study_options.progress = parts.next(5);
    add(study_formats(lab, study_options, report.golden));
  }
  if (options.has("golden")) {
    measure_golden(report.golden, lab, longest, parts.next(3));
    add(golden_figures(report.golden));
  } else {
    report.golden = {};
  }
  for (const Study& study : studies) {
    if (!options.has(study.name)) continue;
    study_options.progress = parts.next(study.weight);
    add(study.measure(lab, study_options));
  }
  return report;
}

void run(Options options) {
  if (options.studies.empty() && options.problems.empty()) {
    for (const StudyText& study : kStudies) options.studies.push_back(study.name);
  }
  if (!options.golden.empty() && !options.has("golden")) {
    throw UsageError("--golden is a table that the study golden compares with, which is not asked for: add --study golden.", options.golden,
                     0, options.golden.size());
  }
  const bool studies_need_length = std::any_of(options.studies.begin(), options.studies.end(),
                                               [](const std::string& study) { return study != "lengths" && study != "reals" && study != "sine"; });
  if (studies_need_length && options.longest < kShortestStudy) {
    const std::string given = std::to_string(options.longest);
    throw UsageError("--longest is " + given + ", but studies other than lengths, reals and sine begin at transforms of " +
                         std::to_string(kShortestStudy) + ": give that or more, or --study lengths.",
                     given, 0, given.size());
  }
  require_folder_of(options.csv);
  std::optional<OutputFile> page;  // a name that cannot be written costs no time
  if (!options.html.empty()) page.emplace(options.html);
  if (!options.csv.empty()) {
    std::error_code failed, ignored;
    std::filesystem::create_directory(options.csv, failed);
    if (!std::filesystem::is_directory(options.csv, ignored))
      throw Failure("The folder '" + options.csv + "' cannot be made" + (failed ? ": " + failed.message() : "") + ".");
  }
  const AccuracyReport report = measure_all(options);
  std::cout << (options.json ? accuracy_json(report) : accuracy_text(report)) << std::flush;
  if (!options.csv.empty()) write_csv_folder(report, options.csv);
  if (page) {
    page->write(std::string_view(accuracy_page(report)));
    page->finish();
    page->commit();
  }
  if (report.failures() > 0) throw Failure(report.failure_text());
}

}  // namespace accuracy_command
}  // namespace

void add_accuracy(CLI::App& app) {
  using namespace accuracy_command;
  CLI::App* command =
      app.add_subcommand("accuracy", "Measure rounding errors of lengths and formats, and compare with FFTW");
  const auto options = std::make_shared<Options>();
  std::vector<std::string> names;
  for (const StudyText& study : kStudies) names.push_back(study.name);
  command->add_option("PROBLEM", options->problems, "Problems to measure, e.g. 1000 f32 64k f64; no quotes are needed");
  command->add_option("--study", options->studies, "What to measure, several by commas; without PROBLEM: all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(names), in_braces(names));
  command->add_option("--storage", options->storage, "Of the studies lengths and reals")
      ->check(one_of({"f32", "f64", "both"}), "{f32,f64,both}")
      ->capture_default_str();
  command->add_option("--precision", options->precision, "Of the problems named here: a mode of trnfft as the name of a scheme, see ulpfft transform --help");
  const CLI::Option* longest = command->add_option("--longest", options->longest, "Longest transform of all studies, e.g. 2^16 or 64k")
                                   ->transform(read_length)
                                   ->check(CLI::Range(std::int64_t{2}, std::int64_t{1} << 20))
                                   ->capture_default_str();
  command->add_flag("--quick", options->quick, "Transforms up to 4096, fewer block formats");
  command->add_option("--level", options->level, "full: every output of 2^14 or one transform; sampled: about a second each at most")
      ->check(one_of({"sampled", "full"}), "{sampled,full}")
      ->capture_default_str();
  command->add_option("--gate", options->gate, "Largest k of lengths without a prime factor above 13; others have twice as much, "
                                                       "cosine and sine transforms 1.5 times, their types 1 twice")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--golden", options->golden, "Table of the study golden, instead of the one built in (tests/golden/accuracy.json)");
  command->add_option("--effort", options->effort, "How the recipes are chosen")
      ->check(one_of({"estimate", "measure"}), "{estimate,measure}")
      ->capture_default_str();
  command->add_option("--target", options->target, "Instruction set, e.g. avx3 (AVX-512), or ref; see ulpfft info")->type_name("TARGET");
  command->add_flag("--no-fftw", options->no_fftw, "Leave FFTW out");
  command->add_flag("--json", options->json, "Print as JSON");
  command->add_option("--csv", options->csv, "Write a CSV file for every figure into this folder")->type_name("FOLDER");
  command->add_option("--html", options->html, "Write a page with every figure and table");
  command->footer(
      "k is the error over u sqrt(log2 n). Narrow storage, and schemes other than f32 and f64, are held to 1.5 times the error predicted: "
      "k is the error over that, and less than 0.25 is a fault as well. The exit status is 1 when one "
      "is outside its gate, or not as the golden table expects.\n\nExamples:\n"
      "  ulpfft accuracy --html accuracy.html\n  ulpfft accuracy --study forms,overflow\n  ulpfft accuracy 256x256 f32 centered 1024 "
      "f32 scheme=rounded:f16\n");
  command->callback([options, longest] {
    options->longest_given = longest->count() > 0;
    options->problems = read_problems(options->problems);
    name_schemes(options->precision, options->problems);
    if (const std::string warning = precision_warning(options->precision); !warning.empty()) std::cerr << "Warning: " << warning << "\n";
    run(*options);
  });
}

}  // namespace ulpfft_tool

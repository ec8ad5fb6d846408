// ulpfft accuracy: the error of transforms against their length, measured, beside the gates and beside FFTW.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/accuracy/fftw_error.h"
#include "tools/ulpfft/accuracy/report.h"
#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> problems;
  std::string storage = "both";
  std::string level = "full";
  std::string effort = "estimate";
  std::string target;
  std::string html;
  std::int64_t longest = 65537;
  double gate = 1.0;
  bool json = false;
  bool no_fftw = false;
};

// Powers of two; smooth lengths, odd ones and squares of small primes among them; primes, and composites of a prime above 13.
std::vector<std::int64_t> default_lengths(std::int64_t longest) {
  std::vector<std::int64_t> list;
  for (std::int64_t n = 2; n <= 65536; n *= 2) list.push_back(n);
  for (const std::int64_t n : {3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 24, 25, 49, 60, 100, 120, 121, 169, 360, 625, 1000, 1001, 1080, 2187, 3125,
                               4725, 10000, 15625, 44100, 59049,
                               17, 19, 31, 34, 67, 101, 257, 1009, 2018, 4099, 10007, 65537}) {
    list.push_back(n);
  }
  std::erase_if(list, [longest](std::int64_t n) { return n > longest; });
  std::sort(list.begin(), list.end());
  return list;
}

bool is_smooth(std::int64_t n) {
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

double unit_roundoff(std::string_view format) { return format == "f32" ? 0x1p-24 : 0x1p-53; }

bool is_narrow(std::string_view format) { return format != "f32" && format != "f64"; }
// The error of a narrow result is that of its format, which the plan states: a measured one is held to it.
constexpr double kNarrowGate = 1.5;

// What k and its gate need to know of a problem text: [c2c] LENGTHS[*BATCH] STORAGE[->STORAGE] words.
void read_problem(std::string_view text, double gate, AccuracyRow& row) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!words.empty() && words[0].front() > '9') words.erase(words.begin());
  if (words.size() < 2) throw Failure("'" + std::string(text) + "' is no problem.");
  std::string_view lengths = words[0].substr(0, words[0].find('*'));
  while (!lengths.empty()) {
    std::int64_t length = 1;
    const char* end = std::from_chars(lengths.data(), lengths.data() + lengths.size(), length).ptr;
    row.n *= length;
    row.smooth = row.smooth && is_smooth(length);
    lengths.remove_prefix(std::min(static_cast<std::size_t>(end - lengths.data()) + 1, lengths.size()));
  }
  const std::size_t arrow = words[1].find("->");
  const std::string_view in = words[1].substr(0, arrow);
  const std::string_view out = arrow == words[1].npos ? in : words[1].substr(arrow + 2);
  std::string_view arithmetic = in == "f64" ? in : out;
  for (const std::string_view word : words) {
    if (word.starts_with("scheme=")) arithmetic = word.substr(7);
  }
  if (is_narrow(out)) {
    row.format = out;
    row.gate = kNarrowGate;
    return;
  }
  const double u = unit_roundoff(arithmetic);
  row.format = std::string(unit_roundoff(out) > u ? out : arithmetic);
  row.gate = gate * (row.smooth ? 1.0 : 2.0);
  row.limit = row.gate * u * std::sqrt(std::log2(static_cast<double>(row.n)));
  // Rounded once at an end: at most u, and 0.41 u in the mean.
  if (unit_roundoff(out) > u || unit_roundoff(in) < u) row.limit += std::max(unit_roundoff(out), u);
}

class Meter {
 public:
  explicit Meter(const Options& options) : options_(options), context_(open_context(options.target)) {
    if (!options.no_fftw) fftw_ = FftwLibrary::system();
  }
  ulpfft::Context& context() { return context_; }
  std::string peer() const { return fftw_.narrow.version.empty() ? fftw_.wide.version : fftw_.narrow.version; }

  // Of a length that the tool chose, a refusal is a result; a problem that the user wrote has to be right.
  AccuracyRow measure(const std::string& problem, bool chosen) {
    AccuracyRow row;
    row.problem = problem;
    try {
      measure_plan(problem, row);
    } catch (const ulpfft::Error& error) {
      if (!chosen) throw;
      row = {};
      row.problem = problem;
      read_problem(problem, options_.gate, row);
      row.reason = error.message();
      return row;
    }
    const bool comparable = problem == std::to_string(row.n) + " " + row.format && row.n > 1;
    if (comparable && row.format == "f32" && fftw_.narrow.plan != nullptr) row.peer_error = fftw_error<float>(fftw_.narrow, row.n);
    if (comparable && row.format == "f64" && fftw_.wide.plan != nullptr) row.peer_error = fftw_error<double>(fftw_.wide, row.n);
    return row;
  }

 private:
  void measure_plan(const std::string& problem, AccuracyRow& row) {
    ulpfft::PlanOptions plan_options;
    plan_options.effort = options_.effort == "estimate" ? ulpfft::Effort::kEstimate : ulpfft::Effort::kMeasure;
    const ulpfft::Plan plan = with_text(problem, "problem", [&] { return context_.parse(problem, plan_options); });
    read_problem(plan.problem(), options_.gate, row);
    row.recipe = plan.recipe();
    ulpfft_error_report report{};
    report.size = sizeof report;
    const int level = options_.level == "full" ? ULPFFT_ERROR_FULL : ULPFFT_ERROR_SAMPLED;
    ulpfft::detail::check(ulpfft_plan_measure_error(plan.get(), level, &report));
    row.error = report.relative_l2;
    row.largest = report.relative_largest;
    row.outputs = report.outputs;
    row.full = report.level == ULPFFT_ERROR_FULL;
    if (is_narrow(row.format)) {
      row.k = row.error / plan.error();
      row.limit = kNarrowGate * plan.error();
      return;
    }
    if (row.n > 1) row.k = row.error / (unit_roundoff(row.format) * std::sqrt(std::log2(static_cast<double>(row.n))));
  }

  const Options& options_;
  ulpfft::Context context_;
  FftwLibrary fftw_;
};

AccuracyReport measure_all(const Options& options) {
  std::vector<std::string> problems = options.problems;
  const bool chosen = problems.empty();
  if (chosen) {
    for (const char* storage : {"f32", "f64"}) {
      if (options.storage != "both" && options.storage != storage) continue;
      for (const std::int64_t n : default_lengths(options.longest)) problems.push_back(std::to_string(n) + " " + storage);
    }
  }
  Meter meter(options);
  AccuracyReport report{ulpfft::version(), meter.context().machine(), processor_name(), today(), meter.peer(), {}, {}};
  ProgressBar bar("measuring");
  for (std::size_t i = 0; i < problems.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(problems.size()), problems[i]);
    report.rows.push_back(meter.measure(problems[i], chosen));
  }
  report.ratios = peer_ratios(report.rows);
  return report;
}

Json json_of(const AccuracyReport& report) {
  Json result = {{"version", report.version}, {"machine", report.machine}, {"processor", report.processor}, {"date", report.date},
                 {"fftw", report.peer},       {"failures", report.failures()}, {"powers_of_two", Json::array()}, {"rows", Json::array()}};
  for (const PeerRatio& ratio : report.ratios) {
    result["powers_of_two"].push_back({{"format", ratio.format}, {"ratio_mean", ratio.mean}, {"ratio_largest", ratio.largest}, {"largest_at", ratio.at}});
  }
  for (const AccuracyRow& row : report.rows) {
    Json entry = {{"problem", row.problem}, {"n", row.n}, {"format", row.format}};
    if (!row.reason.empty()) {
      entry["reason"] = row.reason;
    } else {
      entry.update({{"recipe", row.recipe}, {"error", row.error}, {"largest", row.largest}, {"k", row.k}, {"gate", row.gate}, {"passes", row.passes()},
                    {"outputs", row.outputs}, {"level", row.full ? "full" : "sampled"}});
      if (row.peer_error > 0) entry["fftw_error"] = row.peer_error;
    }
    result["rows"].push_back(std::move(entry));
  }
  return result;
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

void print_text(const AccuracyReport& report) {
  std::vector<std::string> headings = {"problem", ">error", ">largest", ">k", ">gate", ">outputs"};
  if (!report.peer.empty()) headings.insert(headings.end(), {">FFTW", ">ratio"});
  headings.push_back("recipe");
  Table table(headings);
  for (const AccuracyRow& row : report.rows) {
    std::vector<std::string> cells = {row.problem};
    if (!row.reason.empty()) {
      cells.resize(headings.size() - 1, "-");
      cells.push_back(row.reason);
    } else {
      cells.insert(cells.end(), {show_error(row.error), show_error(row.largest), rounded(row.k), rounded(row.gate) + (row.passes() ? "" : " !"),
                                 std::to_string(row.outputs) + (row.full ? "" : " sampled")});
      if (!report.peer.empty()) {
        cells.push_back(row.peer_error > 0 ? show_error(row.peer_error) : "-");
        cells.push_back(row.peer_error > 0 ? rounded(row.error / row.peer_error) : "-");
      }
      cells.push_back(row.recipe);
    }
    table.add(cells);
  }
  std::cout << report.machine << ", " << report.date << ". Relative L2 errors; k = error / (u sqrt(log2 n)), of narrow results error / error predicted.\n\n" << table.text();
  if (!report.ratios.empty()) std::cout << "\n";
  for (const PeerRatio& ratio : report.ratios) {
    std::cout << ratio.format << ", powers of two: error over that of " << report.peer << ", geometric mean " << rounded(ratio.mean) << ", largest "
              << rounded(ratio.largest) << " at n = " << ratio.at << ".\n";
  }
}

void run(const Options& options) {
  std::optional<OutputFile> page;  // a name that cannot be written costs no time
  if (!options.html.empty()) page.emplace(options.html);
  const AccuracyReport report = measure_all(options);
  if (options.json) {
    std::cout << json_of(report).dump(2) << "\n";
  } else {
    print_text(report);
  }
  if (page) {
    page->write(std::string_view(accuracy_page(report)));
    page->finish();
    page->commit();
  }
  if (const std::size_t failures = report.failures(); failures > 0) {
    throw Failure(std::to_string(failures) + " of " + std::to_string(report.rows.size()) + " errors are above their gate.");
  }
}

}  // namespace

void add_accuracy(CLI::App& app) {
  CLI::App* command = app.add_subcommand("accuracy", "Measure errors against length, beside their gates and FFTW");
  const auto options = std::make_shared<Options>();
  command->add_option("PROBLEM", options->problems, "Problems to measure; without them, lengths from 2 to 65537");
  command->add_option("--storage", options->storage, "Of the lengths measured without PROBLEM")->check(CLI::IsMember({"f32", "f64", "both"}))->capture_default_str();
  command->add_option("--longest", options->longest, "Longest of them")->check(CLI::Range(std::int64_t{2}, std::int64_t{1} << 20))->capture_default_str();
  command->add_option("--level", options->level, "full: every output of 2^14 or one transform; sampled: about a second each at most")
      ->check(CLI::IsMember({"sampled", "full"}))
      ->capture_default_str();
  command->add_option("--gate", options->gate, "Largest k of lengths without a prime factor above 13; others have twice as much")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--effort", options->effort, "How the recipes are chosen")->check(CLI::IsMember({"estimate", "measure"}))->capture_default_str();
  command->add_option("--target", options->target, "Instruction set, or ref; see ulpfft info");
  command->add_flag("--no-fftw", options->no_fftw, "Leave FFTW out");
  command->add_flag("--json", options->json, "Print as JSON");
  command->add_option("--html", options->html, "Write a page with plots");
  command->footer(
      "k is the error over u sqrt(log2 n); of results in narrow storage, over the error predicted. The exit status is 1 when one is above its gate.\n\nExamples:\n"
      "  ulpfft accuracy --html accuracy.html\n  ulpfft accuracy \"256x256 f32 centered\" \"1000003 f64\"\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft bench: how fast, beside other libraries, beside what the machine can do, beside a table of goals.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/bench/conversions.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/gate.h"
#include "tools/ulpfft/bench/machine.h"
#include "tools/ulpfft/bench/measure.h"
#include "tools/ulpfft/bench/narrow.h"
#include "tools/ulpfft/bench/page.h"
#include "tools/ulpfft/bench/peer.h"
#include "tools/ulpfft/bench/peer_list.h"
#include "tools/ulpfft/bench/report.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/interruption.h"
#include "tools/ulpfft/narrow_file.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/precision.h"
#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/target_names.h"
#include "tools/ulpfft/text.h"
#include "tools/ulpfft/words_elsewhere.h"

namespace ulpfft_tool {
namespace {
namespace bench_command {

using namespace bench;

struct Options {
  std::vector<std::string> problems;
  std::vector<std::string> suites;
  std::string precision;
  std::vector<std::string> peers;
  std::vector<std::string> formats;
  std::string storage = "both";
  std::string effort = "measure";
  std::string peer_effort = "measure";
  double peer_limit = 0;
  double seconds = 0.5;
  std::string target;
  std::string wisdom;
  std::string json;
  std::string csv;
  std::string html;
  std::string gate;
  bool full = false;
  bool machine = false;
};

constexpr double kMachineSeconds = 0.3;
constexpr double kMachineAloneSeconds = 2.0;

const std::vector<std::pair<std::string, int>>& efforts() {
  static const std::vector<std::pair<std::string, int>> table = {{"estimate", ULPFFT_ESTIMATE},
                                                                 {"measure", ULPFFT_MEASURE},
                                                                 {"patient", ULPFFT_PATIENT},
                                                                 {"exhaustive", ULPFFT_EXHAUSTIVE}};
  return table;
}

// Problems that are measured together, under one heading.
struct Group {
  std::string suite;
  std::string band;
  std::vector<std::string> problems;
  bool narrow = false;  // narrow storage or mx arithmetic, beside f32
};

bool asks_for(const Options& options, const Band& band) {
  return std::any_of(options.suites.begin(), options.suites.end(), [&](const std::string& suite) { return suite == "all" || suite == band.suite; });
}

std::vector<Group> groups_of(const Options& options) {
  std::vector<Group> groups;
  if (!options.problems.empty()) groups.push_back({std::string(kProblems), std::string(kProblems), options.problems});
  const std::vector<std::string_view> suites = suite_names();
  for (const std::string& suite : options.suites) {
    if (suite == "all" || suite == kConvertSuite || std::find(suites.begin(), suites.end(), suite) != suites.end()) continue;
    std::vector<std::string> known(suites.begin(), suites.end());
    known.insert(known.end(), {"all", std::string(kConvertSuite)});
    throw UsageError("'" + suite + "' is not a suite." + did_you_mean(suite, known) + " There are " + listed(known) + ".", suite, 0, suite.size());
  }
  for (const Band& band : bands()) {
    if (!asks_for(options, band)) continue;
    Group group{std::string(band.suite), std::string(band.name), {}, !band.storages.empty()};
    for (const std::string_view storage : band.storages) {
      const std::string_view format = format_of(storage);
      if (!options.formats.empty() && std::find(options.formats.begin(), options.formats.end(), format) == options.formats.end()) continue;
      for (std::string& problem : problems_of(band, storage, options.full)) group.problems.push_back(std::move(problem));
    }
    for (const char* storage : {"f32", "f64"}) {
      if (group.narrow) break;
      if (options.storage != "both" && options.storage != storage) continue;
      for (std::string& problem : problems_of(band, storage, options.full)) group.problems.push_back(std::move(problem));
    }
    if (!group.problems.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

// What --format may choose from, beside conversions.
std::vector<std::string_view> narrow_formats_of(const Options& options) {
  std::vector<std::string_view> formats;
  for (const Band& band : bands()) {
    for (const std::string_view storage : asks_for(options, band) ? band.storages : std::vector<std::string_view>()) {
      const std::string_view format = format_of(storage);
      if (std::find(formats.begin(), formats.end(), format) == formats.end()) formats.push_back(format);
    }
  }
  return formats;
}

Settings settings_of(const Options& options) {
  Settings settings;
  settings.target = options.target;
  for (const auto& [name, effort] : efforts()) {
    if (name == options.effort) settings.efforts.ours = effort;
  }
  settings.efforts.theirs = options.peer_effort == "estimate"  ? PeerEffort::kEstimate
                            : options.peer_effort == "patient" ? PeerEffort::kPatient
                                                               : PeerEffort::kMeasure;
  settings.efforts.their_limit = options.peer_limit;
  settings.seconds = options.seconds;
  return settings;
}

constexpr std::string_view kStandardOutput = "-";

// With JSON on the standard output the tables for people go to the standard error.
class StandardOutput {
 public:
  explicit StandardOutput(bool is_json) : buffer_(std::cout.rdbuf()) {
    if (is_json) std::cout.rdbuf(std::cerr.rdbuf());
  }
  ~StandardOutput() { std::cout.rdbuf(buffer_); }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  void write(const std::string& text) const { std::ostream(buffer_) << text << std::flush; }

 private:
  std::streambuf* buffer_;
};

// A file that is opened before the work, so that a name that cannot be written costs no time.
class Destination {
 public:
  explicit Destination(const std::string& path) : path_(path) {
    if (!path.empty() && path != kStandardOutput) file_.emplace(path);
  }
  template <typename Make>
  void write(const Make& make) {
    if (!file_) return;
    file_->write(std::string_view(make()));
    file_->finish();
    file_->commit();
    std::cout << "wrote " << path_ << "\n";
  }

 private:
  std::string path_;
  std::optional<OutputFile> file_;
};

// What is measured, and by whom.
struct Work {
  const Options& options;
  std::vector<Group> groups;
  std::vector<std::unique_ptr<Peer>> peers;
  ulpfft::Context context;

  void import_wisdom() {
    if (options.wisdom.empty() || !is_there(options.wisdom)) return;
    context.import_wisdom(options.wisdom);
    for (const std::unique_ptr<Peer>& peer : peers) peer->import_wisdom(options.wisdom);
  }
  void export_wisdom() {
    if (options.wisdom.empty()) return;
    context.export_wisdom(options.wisdom);
    for (const std::unique_ptr<Peer>& peer : peers) peer->export_wisdom(options.wisdom);
  }
  std::size_t problems() const {
    std::size_t count = 0;
    for (const Group& group : groups) count += group.problems.size();
    return count;
  }
};

// The report, which grows under a lock: what is there can be written when the work is interrupted.
struct Growing {
  Report report;
  std::mutex lock;
};

// Said before the work, since the planning of another library can take most of the time.
std::string planning_forecast(const Work& work) {
  const Efforts efforts = settings_of(work.options).efforts;
  std::string text;
  for (const std::unique_ptr<Peer>& peer : work.peers) {
    double seconds = 0;
    for (const Group& group : work.groups) {
      if (group.narrow && !peer->is_ulpfft()) continue;
      for (const std::string& problem : group.problems) seconds += peer->plans() * peer->planning_seconds(read_facts(problem), efforts);
    }
    if (seconds < 1) continue;
    const std::string time = seconds < 90 ? std::to_string(std::lround(seconds)) + " s" : std::to_string(std::lround(seconds / 60)) + " min";
    text += "Planning by " + peer->name() + (peer->is_ulpfft() ? " takes at most " : " takes about ") + time;
    if (!peer->is_ulpfft())
      text += ": it plans each problem " + std::to_string(peer->plans()) +
              " times. --peer-effort estimate or --peer-limit SECONDS shortens that";
    text += ".\n";
  }
  return text + (text.empty() ? "" : "Ctrl-C keeps what is measured by then.\n\n");
}

bool is_threaded(const std::string& problem) { return read_facts(problem).threads > 1; }

Columns columns_of(const Group& group, const std::vector<std::unique_ptr<Peer>>& peers) {
  Columns columns;
  columns.problem_width = group.band.size();
  for (const std::string& problem : group.problems) columns.problem_width = std::max(columns.problem_width, problem.size());
  if (std::any_of(group.problems.begin(), group.problems.end(), is_threaded)) columns.peers.emplace_back(kOneThread);
  if (group.narrow) columns.peers.emplace_back(group.problems.front().find(" f64 ") == std::string::npos ? kWide : kWider);
  std::size_t opponents = 0, longest = std::string_view("best").size();
  for (const std::unique_ptr<Peer>& peer : peers) {
    if (group.narrow && !peer->is_ulpfft()) continue;
    columns.peers.push_back(peer->name());
    if (peer->is_ulpfft()) continue;
    ++opponents;
    longest = std::max(longest, peer->name().size());
  }
  if (opponents > 1) columns.best_width = longest;
  return columns;
}

void measure_all(Work& work, Growing& growing) {
  const Settings settings = settings_of(work.options);
  const Report& report = growing.report;
  const std::vector<std::unique_ptr<Peer>>& peers = work.peers;
  work.import_wisdom();
  for (const Group& group : work.groups) {
    Columns columns = columns_of(group, peers);
    std::cout << heading(group.band, columns) << std::flush;
    for (const std::string& problem : group.problems) {
      Row row = group.narrow
                    ? measure_narrow(work.context, settings, report.machine, peers, group.suite, group.band, problem)
                    : measure(work.context, settings, report.machine, peers, group.suite, group.band, problem, is_threaded(problem));
      const std::lock_guard guard(growing.lock);
      growing.report.rows.push_back(std::move(row));
      std::cout << line_of(report.rows.back(), columns) << std::flush;
    }
    std::cout << "\n";
    work.export_wisdom();
  }
}

// The status of the gate: throws when a goal is short, or none was measured.
void print_gate(const Options& options, const std::vector<Verdict>& verdicts) {
  std::cout << "\nGoals of " << options.gate << "\n" << verdicts_text(verdicts);
  using bench::Outcome;
  const auto count = [&](Outcome outcome) {
    return std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.outcome == outcome; });
  };
  std::cout << count(Outcome::kPass) << " pass, " << count(Outcome::kShort) << " short, " << count(Outcome::kNotRun) << " not run\n" << std::flush;
  if (count(Outcome::kShort) > 0) throw Failure("Goals of " + options.gate + " that are short: " + std::to_string(count(Outcome::kShort)) + ".");
  if (count(Outcome::kPass) == 0) throw Failure("None of the goals in " + options.gate + " was measured.");
}

bool converts(const Options& options) { return std::find(options.suites.begin(), options.suites.end(), kConvertSuite) != options.suites.end(); }

void measure_conversions(const Options& options, Growing& growing) {
  ulpfft_context_options wanted{};
  wanted.size = sizeof wanted;
  wanted.target = options.target.empty() ? nullptr : options.target.c_str();
  ulpfft_context* made = nullptr;
  ulpfft::detail::check(ulpfft_context_create(&wanted, &made));
  const std::unique_ptr<ulpfft_context, decltype(&ulpfft_context_destroy)> context(made, &ulpfft_context_destroy);
  std::cout << conversions_heading() << std::flush;
  for (const std::string& format : convertible(options.formats)) {
    for (const std::size_t beyond : {std::size_t{0}, growing.report.machine.copies.back().bytes}) {
      for (const bool encode : {true, false}) {
        ConversionRow row = measure_conversion(context.get(), format, encode, beyond, options.seconds);
        const std::lock_guard guard(growing.lock);
        growing.report.conversions.push_back(std::move(row));
        std::cout << line_of(growing.report.conversions.back()) << std::flush;
      }
    }
  }
  std::cout << "\n";
}

void require_formats_of_suites(const Options& options) {
  for (const std::string& format : options.formats) {
    if (storage_facts(format, format).wide) throw UsageError("A conversion is between f32 and a narrow format.", format, 0, format.size());
    if (converts(options)) continue;
    const std::vector<std::string_view> known = narrow_formats_of(options);
    if (known.empty()) throw UsageError("--format belongs to --suite convert, storage, mx or split.", format, 0, format.size());
    if (std::find(known.begin(), known.end(), format) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    throw UsageError("The suite has no '" + format + "'; it has " + listed(names) + ".", format, 0, format.size());
  }
}

void refuse_combinations(const Options& options, const std::vector<Group>& groups) {
  if (!groups.empty()) return;
  if (!options.machine && !converts(options)) {
    throw UsageError("Name problems, e.g. 1024 f32, or a suite, e.g. --suite c2c, or ask for --machine.", "ulpfft bench", 7, 12);
  }
  if (!options.csv.empty()) throw UsageError("--csv has a line for each transform, and there is none; --json and --html have the rest.", "--csv", 0, 5);
  if (!options.peers.empty()) throw UsageError("--vs compares transforms, and there is none.", "--vs", 0, 4);
}

Report begun_report(Work& work) {
  const Options& options = work.options;
  Report report;
  report.version = ulpfft::version();
  report.machine_name = work.context.machine();
  report.date = today();
  report.effort = options.effort;
  report.peer_effort = options.peer_effort;
  report.seconds = options.seconds;
  report.problems = work.problems();
  for (const std::unique_ptr<Peer>& peer : work.peers) report.peers.push_back({peer->name(), peer->version(), peer->is_ulpfft()});
  const Pin pin;
  double largest = options.machine || converts(options) ? std::numeric_limits<double>::infinity() : 0;
  for (const Group& group : work.groups) {
    for (const std::string& problem : group.problems) largest = std::max(largest, read_facts(problem).bytes_touched());
  }
  report.machine = measure_machine(work.groups.empty() ? kMachineAloneSeconds : std::min(kMachineSeconds, options.seconds), largest);
  return report;
}

// Where the report goes. Names that cannot be written cost no time.
struct Destinations {
  explicit Destinations(const Options& options)
      : standard(options.json == kStandardOutput), json(options.json), csv(options.csv), html(options.html) {
    for (const std::string& path : {options.csv, options.html}) {
      if (path == kStandardOutput) throw UsageError("Only --json goes to the standard output.", path, 0, path.size());
    }
    to_standard_output = options.json == kStandardOutput;
  }
  void write(const Report& report) {
    if (to_standard_output) standard.write(json_text(report));
    json.write([&] { return json_text(report); });
    csv.write([&] { return csv_text(report); });
    html.write([&] { return page_text(report); });
  }
  StandardOutput standard;
  bool to_standard_output = false;
  Destination json, csv, html;
};

void finish(const std::vector<Goal>& goals, Report& report, Destinations& destinations) {
  report.means = means_of(report.rows);
  report.verdicts = judge(goals, report.means);
  if (!report.means.empty()) std::cout << means_text(report) << "\n";
  if (report.problems > 0) std::cout << conditions(report) << "\n";
  destinations.write(report);
}

void run(Options options) {
  name_schemes(options.precision, options.problems);
  if (const std::string warning = precision_warning(options.precision); !warning.empty()) std::cerr << "Warning: " << warning << "\n";
  std::vector<Group> groups = groups_of(options);
  require_formats_of_suites(options);
  refuse_combinations(options, groups);
  const std::vector<Goal> goals = options.gate.empty() ? std::vector<Goal>() : read_goals(options.gate);
  std::vector<std::unique_ptr<Peer>> peers = load_peers(options.peers, options.target);
  for (const std::string& problem : options.problems) check_problem(settings_of(options), problem);
  require_folder_of(options.wisdom);
  Destinations destinations(options);
  Work work{options, std::move(groups), std::move(peers), open_context(options.target)};
  std::cout << planning_forecast(work) << std::flush;

  Growing growing;
  {
    const KeptOnInterrupt kept([&] {
      const std::lock_guard guard(growing.lock);
      if (growing.report.rows.empty() && growing.report.conversions.empty()) return;
      growing.report.interrupted = true;
      std::cout << "\n";
      finish(goals, growing.report, destinations);
      work.export_wisdom();
    });
    Report begun = begun_report(work);
    {
      const std::lock_guard guard(growing.lock);
      growing.report = std::move(begun);
    }
    if (options.machine) std::cout << machine_text(growing.report.machine) << (work.groups.empty() ? "" : "\n") << std::flush;
    if (converts(options)) measure_conversions(options, growing);
    measure_all(work, growing);
  }
  finish(goals, growing.report, destinations);
  if (!options.gate.empty()) print_gate(options, growing.report.verdicts);
}

std::string check_seconds(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  const bool good = !text.empty() && *end == '\0' && seconds >= 0.0 && seconds <= 86400.0;
  return good ? std::string() : "'" + text + "' is not a number from 0 to 86400";
}

}  // namespace bench_command
}  // namespace

void add_bench(CLI::App& app) {
  using namespace bench_command;
  CLI::App* command = app.add_subcommand("bench", "Measure speed and error, beside other libraries and beside what the machine can do");
  const auto options = std::make_shared<Options>();
  command->add_option("PROBLEM", options->problems, "What to measure, e.g. 1024 f32 4096*512 i16:f32 threads=2; no quotes are needed");
  const auto repeated = [&](const char* name, std::vector<std::string>& values, const char* text) {
    return command->add_option(name, values, text)->allow_extra_args(false)->take_all();
  };
  repeated("--suite", options->suites, "c2c, batch, rank2, sizes, r2c (c2r as well), r2r (DCT and DST), threads, storage (narrow, beside f32), mx (arithmetic of MX blocks, beside f32), split (sums of narrow products, beside f32 or f64) or all of them; or convert: "
           "f32 to and from narrow storage, beside a copy; may be given several times");
  repeated("--format", options->formats, "With --suite convert, storage, mx or split: only this format, e.g. mxfp8_e4m3; may be given several times")
      ->transform(with_own_format_names)
      ->type_name("FORMAT");
  repeated(
      "--vs", options->peers,
      "What to compare with: libraries with the FFTW3 interface, fftw (Debian's), FILE or NAME=FILE, of several the best of each row, too; "
      "another build of ulpfft, NAME=FILE; or ulpfft itself on another instruction set, target:NAME. Several with commas or several times");
  command->add_option("--precision", options->precision, "Of the problems named here: a mode of trnfft as the name of a scheme, see ulpfft transform --help");
  command->add_flag("--full", options->full, "The large problems of a suite too: 2^21 to 2^24 points");
  command->add_option("--storage", options->storage, "Restrict suites to one storage")
      ->transform(with_own_format_names)
      ->type_name("FORMAT")
      ->check(one_of({"f32", "f64", "both"}), "{f32,f64,both}")
      ->capture_default_str();
  std::vector<std::string> names;
  for (const auto& [name, effort] : efforts()) names.push_back(name);
  command->add_option("--effort", options->effort, "How hard ulpfft plans")->check(one_of(names), in_braces(names))->capture_default_str();
  command->add_option("--peer-effort", options->peer_effort, "How hard peers plan, three times each")
      ->check(one_of({"estimate", "measure", "patient"}), "{estimate,measure,patient}")
      ->capture_default_str();
  command->add_option("--peer-limit", options->peer_limit, "Seconds that one planning of a peer may take; 0: any")->check(check_seconds);
  command->add_option("--seconds", options->seconds, "Seconds of timing for one problem; nine rounds are always timed")
      ->check(check_seconds)
      ->capture_default_str();
  command->add_option("--target", options->target, "Instruction set, e.g. avx3 (AVX-512); see ulpfft info. Without it, the best of this machine")->type_name("TARGET");
  command->add_option("--wisdom", options->wisdom, "Read remembered plans from this file, and add the new ones");
  command->add_option(
      "--json", options->json,
      "Write everything as JSON to this file; without a file, or as -, to the standard output, and the tables to the standard error");
  command->add_option("--csv", options->csv, "Write a line per problem and peer to this file");
  command->add_option("--html", options->html, "Write a page with plots and tables to this file");
  command->add_option("--gate", options->gate, "Compare with the goals in this file; the exit status is 1 when one is short");
  command->add_flag("--machine", options->machine, "Show what one core can multiply, add and copy");
  command->footer(
      "Examples:\n"
      "  ulpfft bench 1024 f32 1000x1000 f64 inverse --vs fftw\n"
      "  ulpfft bench --suite c2c --storage f32 --vs fftw,mkl=/opt/mkl/lib/libmkl_rt.so.2 --html c2c.html\n"
      "  ulpfft bench --suite c2c --vs fftw,target:avx2\n"
      "  ulpfft bench r2c 1000 f32 --suite r2c --vs fftw\n"
      "  ulpfft bench --suite sizes --vs old=/opt/old/lib/libulpfft.so\n"
      "  ulpfft bench --suite all --full --vs fftw --vs target:avx2 --gate tests/bench/goals.json --wisdom plans.json\n"
      "  ulpfft bench --suite convert --format f16 --format mxfp8_e4m3\n"
      "  ulpfft bench --suite storage --full --format f16\n"
      "  ulpfft bench --suite mx --target avx2 --gate tests/bench/goals.json\n"
      "  ulpfft bench --machine\n"
      "\n"
      "Ctrl-C keeps what is measured by then: the table, the files and the wisdom.\n");
  command->callback([options] {
    options->problems = read_problems(options->problems);
    options->target = own_target_name(options->target);
    run(*options);
  });
}

void name_standard_output(std::vector<std::string>& words) {
  using namespace bench_command;
  const auto json = std::find(words.begin(), words.end(), "--json");
  if (json == words.end()) return;
  const auto next = json + 1;
  const bool named = next != words.end() && *next == kStandardOutput;
  const bool begins_problem =
      next != words.end() && !next->empty() && ((next->front() >= '0' && next->front() <= '9') || is_kind_word(*next));
  const bool is_file = next != words.end() && !named && !begins_problem && !next->starts_with('-');
  if (is_file) return;
  if (named) words.erase(next);
  *json = "--json=" + std::string(kStandardOutput);
}

}  // namespace ulpfft_tool

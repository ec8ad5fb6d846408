// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/fftw_seconds.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/fftw_peer.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/fftw.h"

namespace ulpfft_tool {
namespace {

constexpr double kPlanningSeconds = 2, kAllSeconds = 60, kTimingSeconds = 0.2;

// Lines that the child writes: a word, a tab, the index of a problem and another tab, and a text.
constexpr const char* kLibrary = "library";
constexpr const char* kSeconds = "seconds";
constexpr const char* kRefused = "refused";
constexpr const char* kRemark = "remark";

void tell(std::FILE* to, const char* what, std::size_t index, const std::string& text) {
  std::fprintf(to, "%s\t%zu\t%s\n", what, index, text.c_str());
  std::fflush(to);
}

void time_problem(const bench::Peer& peer, const bench::Efforts& efforts, const std::string& problem, std::size_t index,
                  std::FILE* to) {
  if (problem.find(" and ") != problem.npos) return tell(to, kRefused, index, "it takes ulpfft several transforms");
  const bench::Facts facts = bench::read_facts(problem);
  if (const std::string reason = peer.refusal(facts); !reason.empty()) return tell(to, kRefused, index, reason);
  const bench::Arrays arrays(facts);
  const bench::PeerPlan plan = peer.plan(facts, arrays, efforts);
  if (plan.contender == nullptr) return tell(to, kRefused, index, plan.reason);
  const bench::TurnSettings settings{
      .budget_seconds = kTimingSeconds, .refresh = [&] { arrays.refresh(); }, .one_thread = facts.threads == 1};
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.9g", bench::quick_seconds(*plan.contender, settings));
  tell(to, kSeconds, index, seconds);
}

void time_problems(const std::vector<std::string>& problems, const std::string& effort, std::FILE* to) {
  std::string fault;
  FftwLibrary library = FftwLibrary::system(&fault);
  if (library.narrow.plan == nullptr && library.wide.plan == nullptr)
    return tell(to, kRemark, 0, "FFTW is not there to be timed: " + fault);
  for (const FftwFunctions* functions : {&library.wide, &library.narrow}) {
    if (functions->version.find("ulpfft") != std::string::npos)
      return tell(to, kRemark, 0, "FFTW is not timed: the loader finds " + functions->file + ", which is ulpfft's.");
  }
  tell(to, kLibrary, 0, library.version() + ", " + effort);
  const std::unique_ptr<bench::Peer> peer = bench::fftw_peer("fftw", std::move(library));
  bench::Efforts efforts;
  efforts.theirs = effort == "estimate"  ? bench::PeerEffort::kEstimate
                   : effort == "patient" ? bench::PeerEffort::kPatient
                                         : bench::PeerEffort::kMeasure;
  efforts.their_limit = kPlanningSeconds;
  const double begin = bench::wall_seconds();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (bench::wall_seconds() - begin > kAllSeconds)
      return tell(to, kRemark, i,
                  "FFTW was not timed for " + std::to_string(problems.size() - i) + " problems: a minute had passed.");
    try {
      time_problem(*peer, efforts, problems[i], i, to);
    } catch (const std::bad_alloc&) {
      tell(to, kRefused, i, "there is not enough memory for its arrays");
    }
  }
}

[[noreturn]] void be_child(const std::vector<std::string>& problems, const std::string& effort, int to) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  std::FILE* const stream = fdopen(to, "w");
  try {
    if (stream != nullptr) time_problems(problems, effort, stream);
  } catch (const std::exception& error) {
    tell(stream, kRemark, 0, std::string("FFTW was not timed further: ") + error.what());
  }
  _exit(0);
}

void read_line(const std::string& line, const std::vector<std::string>& problems, FftwTimes& times) {
  const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
  if (second == line.npos) return;
  const std::string what = line.substr(0, first), text = line.substr(second + 1);
  const std::size_t index = std::strtoull(line.c_str() + first + 1, nullptr, 10);
  if (what == kLibrary) times.library = text;
  if (what == kRemark) times.remark = text;
  if (what == kSeconds && index < problems.size()) times.seconds[problems[index]] = std::strtod(text.c_str(), nullptr);
  if (what == kRefused && index < problems.size()) times.refused[problems[index]] = text;
}

}  // namespace

FftwTimes measure_fftw(const std::vector<std::string>& given, const std::string& effort) {
  std::vector<std::string> problems;
  for (const std::string& problem : given) {
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  }
  FftwTimes times;
  int ends[2];
  std::fflush(nullptr);
  const pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) {
    times.remark = std::string("FFTW is not timed: no process can be started: ") + std::strerror(errno) + ".";
    return times;
  }
  if (child == 0) be_child(problems, effort, ends[1]);
  close(ends[1]);
  std::string line;
  std::FILE* const from = fdopen(ends[0], "r");
  for (int c; from != nullptr && (c = std::fgetc(from)) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    read_line(line, problems, times);
    line.clear();
  }
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  if (from != nullptr) std::fclose(from);
  if (WIFSIGNALED(how))
    times.remark = std::string("FFTW was not timed further: its process was ended (") + strsignal(WTERMSIG(how)) + ").";
  return times;
}

}  // namespace ulpfft_tool

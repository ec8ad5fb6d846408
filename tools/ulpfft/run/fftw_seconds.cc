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

// From problem `first` on, until a minute after `begin`.
void time_problems(const std::vector<std::string>& problems, std::size_t first, double begin, const std::string& effort,
                   std::FILE* to) {
  std::string fault;
  FftwLibrary library = FftwLibrary::system(&fault);
  if (library.narrow.plan == nullptr && library.wide.plan == nullptr)
    return tell(to, kRemark, 0, "FFTW is not there to be timed: " + fault);
  tell(to, kLibrary, 0, library.version() + ", " + effort);
  const std::unique_ptr<bench::Peer> peer = bench::fftw_peer("fftw", std::move(library));
  bench::Efforts efforts;
  efforts.theirs = effort == "estimate"  ? bench::PeerEffort::kEstimate
                   : effort == "patient" ? bench::PeerEffort::kPatient
                                         : bench::PeerEffort::kMeasure;
  efforts.their_limit = kPlanningSeconds;
  for (std::size_t i = first; i < problems.size(); ++i) {
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

// What waitpid() tells of a child that does `work`, whose lines are read; -1 where no process can be started.
template <typename Work, typename Read>
int run_child(const Work& work, const Read& read) {
  int ends[2];
  std::fflush(nullptr);
  const pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) return -1;
  if (child == 0) {
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    if (std::FILE* const to = fdopen(ends[1], "w"); to != nullptr) work(to);
    _exit(0);
  }
  close(ends[1]);
  std::string line;
  std::FILE* const from = fdopen(ends[0], "r");
  for (int c; from != nullptr && (c = std::fgetc(from)) != EOF;) {
    if (c != '\n') line += static_cast<char>(c);
    if (c != '\n') continue;
    read(line);
    line.clear();
  }
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  if (from != nullptr) std::fclose(from);
  return how;
}

// Whether a fault of the process ended it, rather than somebody who wants to see the report.
bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT;
}

}  // namespace

FftwTimes measure_fftw(const std::vector<std::string>& given, const std::string& effort) {
  std::vector<std::string> problems;
  for (const std::string& problem : given) {
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  }
  FftwTimes times;
  const double begin = bench::wall_seconds();
  for (std::size_t next = 0; next < problems.size();) {
    const auto work = [&](std::FILE* to) {
      try {
        time_problems(problems, next, begin, effort, to);
      } catch (const std::exception& error) {
        tell(to, kRemark, 0, std::string("FFTW was not timed further: ") + error.what());
      }
    };
    const int how = run_child(work, [&](const std::string& line) { read_line(line, problems, times); });
    const std::string ended =
        how != -1 && WIFSIGNALED(how) ? std::string("its process was ended (") + strsignal(WTERMSIG(how)) + ")" : "";
    if (how == -1) times.remark = std::string("FFTW is not timed: no process can be started: ") + std::strerror(errno) + ".";
    if (!ended.empty() && !is_fault(WTERMSIG(how))) times.remark = "FFTW was not timed further: " + ended + ".";
    if (ended.empty() || !is_fault(WTERMSIG(how))) break;
    // The others are timed by another process.
    while (next < problems.size() && times.seconds.count(problems[next]) + times.refused.count(problems[next]) > 0) ++next;
    if (next < problems.size()) times.refused[problems[next++]] = ended;
  }
  return times;
}

}  // namespace ulpfft_tool

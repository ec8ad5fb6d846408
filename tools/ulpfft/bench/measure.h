// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One problem measured: ours, and every peer that does the same work, by turns on the same arrays.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_MEASURE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_MEASURE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/bench/machine.h"
#include "tools/ulpfft/bench/peer.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

struct PeerResult {
  std::string peer;
  bool is_ulpfft = false;  // on another instruction set or one thread, of another build, in f32: no other library
  std::string reason;  // why it is not compared; "" if it is
  double seconds = 0;
  double spread = 0;
  double ratio = 0;  // its time over ours: the median over the rounds
  double ratio_spread = 0;
  double error = 0;  // relative L2; 0: not known
  double planning_seconds = 0;
  std::string recipe;  // of ulpfft; "" of other libraries
};

struct Row {
  std::string suite;
  std::string band;
  std::string problem;
  std::string storage;
  std::int64_t size = 0;    // n: product of the lengths
  std::int64_t points = 0;  // of all transforms
  int threads = 1;       // at most, as the problem says
  int threads_used = 0;  // by the plan; 0: there is none
  std::string reason;  // why it was not measured; "" if it was
  std::string recipe;
  bool from_wisdom = false;
  double seconds = 0;
  double spread = 0;
  double gflops = 0;   // Facts::nominal_flops() / seconds
  double of_peak = 0;  // fraction of the multiply-adds that so many cores can do; 0: not known
  double of_copy = 0;  // (bytes in + bytes out) / seconds over the speed of a copy of arrays as large; 0: not known
  double copy_gain = 0;  // against one thread: a copy of the arrays by one thread over that by so many; 0: not measured
  double error = 0;
  double planning_seconds = 0;
  double estimate_seconds = 0;  // planning by estimate in a context without wisdom; 0: not measured
  int rounds = 0;
  int cpu = -1;  // the one it was kept on; -1: on any
  std::vector<PeerResult> peers;
};

struct Settings {
  std::string target;
  Efforts efforts;
  double seconds = 0.5;  // timing of one problem
};

// The times of a peer, round by round, and ours in the same rounds: sets seconds, ratio and their spreads.
void take_times(const std::vector<double>& theirs, const std::vector<double>& ours, PeerResult& result);

// Problems that a user names are checked first: one that is wrong in itself is an error of usage, one that this version cannot
// plan becomes a row with its reason.
void check_problem(const Settings& settings, const std::string& problem);

// against_one_thread: the same problem on one thread is a peer, the first.
Row measure(ulpfft::Context& context, const Settings& settings, const Machine& machine, const std::vector<std::unique_ptr<Peer>>& peers,
            std::string_view suite, std::string_view band, const std::string& problem, bool against_one_thread);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_MEASURE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The best of several other libraries in a row: the one that takes the least time for the problem.
//
// Peers that are ulpfft (another instruction set, another build, one thread, f32 storage) are no opponents, and never the best.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_BEST_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_BEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/bench/measure.h"

namespace ulpfft_tool::bench {

inline constexpr std::string_view kBest = "best";  // the peer that stands for it in means and goals

// Null where no other library did the problem.
const PeerResult* best_of(const Row& row);

// Names of the other libraries that were asked, in order.
std::vector<std::string> opponents_of(const std::vector<Row>& rows);

// Beside one other library it would repeat what stands there already.
bool shows_best(const std::vector<Row>& rows);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_BEST_H_

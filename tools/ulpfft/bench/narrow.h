// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A transform with narrow storage beside the same one with f32 storage, or one in mx arithmetic beside the same one in f32, by turns.
//
// Peers that are other instruction sets and other builds of ulpfft, on the same codes; what they give is compared with ours.
//
// Rows     as other problems give them: `of_copy` is (bytes in + bytes out, scales too) a second over the speed of a copy of arrays as
//          large, the peer is "f32", its ratio the time with f32 storage and arithmetic over ours: above 1 narrow storage pays.
// Numbers  complex normal, scaled so that neither end saturates. One thread, dense out of place; both plans by the same effort.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_NARROW_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_NARROW_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/bench/machine.h"
#include "tools/ulpfft/bench/measure.h"
#include "tools/ulpfft/bench/peer.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

Row measure_narrow(ulpfft::Context& context, const Settings& settings, const Machine& machine,
                   const std::vector<std::unique_ptr<Peer>>& peers, std::string_view suite, std::string_view band,
                   const std::string& problem);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_NARROW_H_

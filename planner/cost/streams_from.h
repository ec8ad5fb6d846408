// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From how many bytes of arrays on nodes are proposed as streaming. Measurements time the best recipe both ways, estimates do not.
#ifndef ULPFFT_PLANNER_COST_STREAMS_FROM_H_
#define ULPFFT_PLANNER_COST_STREAMS_FROM_H_

namespace ulpfft {

// The defaults are those of the shipped costs (Zen 5, 1 MiB of L2, 32 MiB of L3).
struct StreamsFrom {
  double batch = 1 << 20;  // of transforms that fit L2: the output of one is not read again
  double four = 16 << 20;  // the first sweep leaves its output to the second, which finds it in L3 if there is room
};

// Those of this processor.
StreamsFrom streams_from_here();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_STREAMS_FROM_H_

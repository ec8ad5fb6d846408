// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The peers that the command line names.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PEER_LIST_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PEER_LIST_H_

#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/bench/peer.h"

namespace ulpfft_tool::bench {

// Of each word one or several peers, with commas between them:
//   fftw         Debian's two libraries
//   NAME=FILE    a library with the FFTW3 interface, or another build of ulpfft. Where the file is named like libfftw3f.so or libfftw3.so, the
//                other one beside it is the same peer's other precision
//   FILE         the same, named as its file
//   target:NAME  the tool's own library on that instruction set
// `target`: the instruction set that plans of other builds are made for; "" for the best. No two peers have one name. Throws UsageError.
std::vector<std::unique_ptr<Peer>> load_peers(const std::vector<std::string>& words, const std::string& target);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PEER_LIST_H_

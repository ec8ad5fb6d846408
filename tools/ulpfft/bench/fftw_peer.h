// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Another library with the FFTW3 interface as a peer. Its c2r may overwrite the input, as is its custom; that of ulpfft keeps it.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_FFTW_PEER_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_FFTW_PEER_H_

#include <memory>
#include <string>

#include "tools/ulpfft/bench/peer.h"
#include "tools/ulpfft/fftw.h"

namespace ulpfft_tool::bench {

std::unique_ptr<Peer> fftw_peer(std::string name, FftwLibrary library);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_FFTW_PEER_H_

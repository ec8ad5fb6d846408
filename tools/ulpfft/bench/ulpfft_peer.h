// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Peers that are ulpfft: the library of the tool on another instruction set, and another build of it from a file, e.g. an older one.
//
// Symbols  A build exports the names that the library of the tool exports, and those are in the global scope. RTLD_DEEPBIND lets the build
//          find its own names first, also where it calls its own interface; RTLD_LOCAL hides them from everybody else. Without the former
//          an old build calls functions of the new one. A namespace of its own (dlmopen) would bring a second C library, whose heap and
//          threads the first does not know. A file that is the tool's own library is the same library once more, with a context of its own.
// Version  A build of another minor version may have another interface (ulpfft.h) and is refused.
// Wisdom   A build neither reads nor writes it: each measures its own recipes.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PEER_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PEER_H_

#include <memory>
#include <string>

#include "tools/ulpfft/bench/peer.h"

namespace ulpfft_tool::bench {

// `target`: an instruction set.
std::unique_ptr<Peer> target_peer(std::string name, const std::string& target);

// Whether the file holds the name of ulpfft's interface. This is asked before it is loaded, since a build is loaded in a way of its own.
bool may_be_ulpfft(const std::string& file);
// Null where the file is no build of ulpfft: it uses the interface, at most. `target`: "" for the best. Throws UsageError.
std::unique_ptr<Peer> build_peer(std::string name, const std::string& file, const std::string& target);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PEER_H_

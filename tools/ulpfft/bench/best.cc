// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/best.h"

#include <algorithm>

namespace ulpfft_tool::bench {

const PeerResult* best_of(const Row& row) {
  const PeerResult* best = nullptr;
  for (const PeerResult& result : row.peers) {
    if (result.is_ulpfft || !(result.ratio > 0)) continue;
    if (best == nullptr || result.ratio < best->ratio) best = &result;
  }
  return best;
}

std::vector<std::string> opponents_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    for (const PeerResult& result : row.peers) {
      if (!result.is_ulpfft && std::find(names.begin(), names.end(), result.peer) == names.end()) names.push_back(result.peer);
    }
  }
  return names;
}

bool shows_best(const std::vector<Row>& rows) { return opponents_of(rows).size() > 1; }

}  // namespace ulpfft_tool::bench

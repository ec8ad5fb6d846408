// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// All roots of unity of one order: sums by the definition of a transform need each of them many times.
#ifndef ULPFFT_GENFFT_PASS_ROOTS_H_
#define ULPFFT_GENFFT_PASS_ROOTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/contract/unit_root.h"

namespace ulpfft::genfft {

class Roots {
 public:
  explicit Roots(std::uint64_t n) {
    for (std::uint64_t k = 0; k < n; ++k) roots_.push_back(unit_root(k, n));
  }
  // unit_root(k, n)
  const UnitRoot& operator[](std::uint64_t k) const { return roots_[static_cast<std::size_t>(k % roots_.size())]; }

 private:
  std::vector<UnitRoot> roots_;
};

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_ROOTS_H_

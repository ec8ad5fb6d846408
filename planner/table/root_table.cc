// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/root_table.h"

#include <numeric>

namespace ulpfft {
namespace {

constexpr std::int64_t kWorkOfARoot = 8;  // a root takes the time of this many values of a table

UnitRoot multiply(const UnitRoot& a, const UnitRoot& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

}  // namespace

RootTable::RootTable(std::int64_t n, Poll& poll) : n_(n), units_(std::lcm(n, std::int64_t{8})), unit_(units_ / n) {
  // Only multiples of gcd(unit_, units_ / 4) occur, but filling all units keeps the index arithmetic trivial. An odd n takes n entries.
  const std::int64_t last = units_ / 8;
  constexpr std::int64_t kLongest = std::int64_t{1} << 17;
  if (last > kLongest) {
    fine_ = 1;
    while (fine_ * fine_ < last) fine_ *= 2;
    const auto add = [&](std::vector<UnitRoot>& roots, std::int64_t u) {
      poll.count(kWorkOfARoot);
      roots.push_back(unit_root(static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(units_)));
    };
    for (std::int64_t f = 0; f < fine_; ++f) add(fine_roots_, f);
    for (std::int64_t c = 0; c <= last; c += fine_) add(octant_, c);
    return;
  }
  octant_.resize(static_cast<std::size_t>(last) + 1);
  constexpr std::int64_t kFine = 64;
  std::vector<UnitRoot> fine;
  for (std::int64_t f = 0; f < std::min(kFine, last + 1); ++f) {
    fine.push_back(unit_root(static_cast<std::uint64_t>(f), static_cast<std::uint64_t>(units_)));
  }
  for (std::int64_t coarse = 0; coarse <= last; coarse += kFine) {
    const UnitRoot base = unit_root(static_cast<std::uint64_t>(coarse), static_cast<std::uint64_t>(units_));
    octant_[static_cast<std::size_t>(coarse)] = base;
    poll.count(kFine);
    for (std::int64_t f = 1; f < kFine && coarse + f <= last; ++f) {
      octant_[static_cast<std::size_t>(coarse + f)] = multiply(base, fine[static_cast<std::size_t>(f)]);
    }
  }
  // The parts of the last entry of the octant are exactly equal.
  octant_[static_cast<std::size_t>(last)] = unit_root(1, 8);
}

UnitRoot RootTable::product(std::int64_t u) const {
  if (u == units_ / 8) return unit_root(1, 8);  // its parts are exactly equal
  const UnitRoot& coarse = octant_[static_cast<std::size_t>(u / fine_)];
  const std::int64_t f = u % fine_;
  return f == 0 ? coarse : multiply(coarse, fine_roots_[static_cast<std::size_t>(f)]);
}

}  // namespace ulpfft

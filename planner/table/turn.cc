// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/turn.h"

#include <cmath>

namespace ulpfft {
namespace {

constexpr int kTurnBits = 128, kRootBits = 40;  // unit_root() takes parts of 2^40

}  // namespace

Turn turn_of(double turns) {
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(turns), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
  const int shift = kTurnBits + exponent - 53;  // of the digits
  Turn angle = 0;
  if (shift >= 0) {
    angle = shift < kTurnBits ? static_cast<Turn>(digits) << shift : 0;
  } else if (shift >= -53) {
    angle = ((static_cast<Turn>(digits) >> (-shift - 1)) + 1) >> 1;  // rounded to nearest
  }
  return turns < 0 ? -angle : angle;
}

UnitRoot unit_root_of(Turn angle) {
  constexpr int kRest = kTurnBits - kRootBits;
  const Turn nearest = angle + (static_cast<Turn>(1) << (kRest - 1));
  const auto k = static_cast<std::uint64_t>(nearest >> kRest);
  const UnitRoot root = unit_root(k, std::uint64_t{1} << kRootBits);
  const Turn rest = angle - (static_cast<Turn>(k) << kRest);  // within half a part of 2^40, of either sign
  if (rest == 0) return root;
  const bool negative = rest >> (kTurnBits - 1) != 0;
  const Turn magnitude = negative ? -rest : rest;
  const auto high = static_cast<double>(static_cast<std::uint64_t>(magnitude >> 64));
  const auto low = static_cast<double>(static_cast<std::uint64_t>(magnitude));
  constexpr DoubleDouble kTwoPi{0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
  // The low part has 53 of its 64 bits: 2^-117 of a turn.
  const DoubleDouble part = two_sum(std::ldexp(high, -64), std::ldexp(low, -kTurnBits));
  const DoubleDouble x = part * (negative ? -kTwoPi : kTwoPi);
  // exp(-i x) of |x| < 2^-38: terms from x^4 on are below 2^-150.
  const DoubleDouble square = x * x;
  const DoubleDouble c = square * DoubleDouble(-0.5);
  const DoubleDouble s = x - x * square / DoubleDouble(6.0);
  return {root.re + (root.re * c + root.im * s), root.im + (root.im * c - root.re * s)};
}

ZoomTurns::ZoomTurns(const Zoom& zoom, std::int64_t inputs) : start(turn_of(zoom.start)), half_step(turn_of(zoom.step / 2)) {
  if (zoom.step != 0) return;
  const auto points = static_cast<Turn>(zoom.points != 0 ? zoom.points : inputs);
  half_step = ((static_cast<Turn>(1) << (kTurnBits - 1)) + points / 2) / points;  // half of 2^128 / points
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes between half a transform and that of twice as many reals, in double-double, against the oracle's transforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Exact = ulpfft::test::DoubleDouble;      // the oracle's
using Reference = ulpfft::DoubleDouble;        // the library's

ComplexDD root(std::int64_t k, std::int64_t n) { return circle_point(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n)); }

ComplexDD exact(std::complex<double> value) { return {Exact(value.real()), Exact(value.imag())}; }
ComplexDD exact(const Reference* value) { return {two_sum(value[0].hi, value[0].lo), two_sum(value[1].hi, value[1].lo)}; }

void append(std::vector<Reference>& reals, const ComplexDD& value) {
  reals.emplace_back(value.re.hi, value.re.lo);
  reals.emplace_back(value.im.hi, value.im.lo);
}

// A line of interleaved numbers through a codelet, out of place.
template <typename T>
void run_line(const CodeletInfo& codelet, std::int64_t lanes, const void* table, const T* in, T* out) {
  PassArgs args;
  args.in.point_stride = args.out.point_stride = 2;
  args.out.slot = Slot::kOut;
  args.lanes = lanes;
  args.table = table;
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)].re = const_cast<T*>(in);
  buffers.slot[static_cast<int>(Slot::kOut)].re = out;
  codelet.run(args, buffers, 0, 1);
}

double largest_distance(const std::vector<Reference>& got, const std::vector<ComplexDD>& expected) {
  double most = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const ComplexDD difference = exact(&got[2 * k]) - expected[k];
    most = std::max({most, std::abs(difference.re.value()), std::abs(difference.im.value())});
  }
  return most;
}

// Both passes are a few operations of double-double, 2^-102 each, on numbers of at most 2 sqrt(n) and the oracle's error.
TEST(RealPassesInDoubleDouble, TurnTheHalfTransformIntoTheRealOneAndBack) {
  const CodeletTable& table = registered_targets().back().table;
  const CodeletInfo* const untangle = find(table, PassKind::kUntangle, ComputeType::kDoubleDouble);
  const CodeletInfo* const tangle = find(table, PassKind::kTangle, ComputeType::kDoubleDouble);
  ASSERT_TRUE(untangle != nullptr && tangle != nullptr);
  for (std::int64_t h = 1; h <= 40; ++h) {
    const auto signal = random_signal<double>(static_cast<std::size_t>(h), static_cast<std::uint64_t>(h));
    std::vector<ComplexDD> numbers, reals, z(signal.size()), x(2 * signal.size());
    for (const auto& value : signal) {
      numbers.push_back(exact(value));
      reals.push_back({Exact(value.real()), Exact(0.0)});
      reals.push_back({Exact(value.imag()), Exact(0.0)});
    }
    oracle_for(h)->forward(numbers.data(), 1, z.data());
    oracle_for(2 * h)->forward(reals.data(), 1, x.data());
    x.resize(static_cast<std::size_t>(h) + 1);
    std::vector<Reference> halves, whole, from_z, from_x, to_x(2 * x.size()), to_z(2 * z.size());
    for (std::int64_t k = 0; k <= h / 2; ++k) {
      append(whole, root(k, 2 * h));
      append(halves, Exact(0.5) * root(k, 2 * h));
    }
    for (const ComplexDD& value : z) append(from_z, value);
    for (const ComplexDD& value : x) append(from_x, value);
    run_line(*untangle, h, halves.data(), from_z.data(), to_x.data());
    run_line(*tangle, h, whole.data(), from_x.data(), to_z.data());
    std::vector<ComplexDD> twice;
    for (const ComplexDD& value : z) twice.push_back(Exact(2.0) * value);
    EXPECT_LE(largest_distance(to_x, x), 1e-29 * static_cast<double>(h)) << h;
    EXPECT_LE(largest_distance(to_z, twice), 1e-29 * static_cast<double>(h)) << h;
  }
}

}  // namespace
}  // namespace ulpfft::test

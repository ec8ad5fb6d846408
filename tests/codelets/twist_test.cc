// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The pass between the two sweeps of a four-step transform, on every target: against a plain loop, bit for bit, between guard pages; and
// the error it claims.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/compare.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

class Twists : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!registered_targets()[GetParam()].available) GTEST_SKIP() << registered_targets()[GetParam()].reason;
  }
  const CodeletTable& table() const { return registered_targets()[GetParam()].table; }
};

// (x, y) (c, s) as the contract has it: one rounding for the first products, one for the sums where there is FMA.
template <typename T>
std::complex<T> product(std::complex<T> a, std::complex<T> b, bool fma) {
  const T x = a.real(), y = a.imag(), c = b.real(), s = b.imag();
  if (fma) return {std::fma(-y, s, x * c), std::fma(y, c, x * s)};
  return {x * c - y * s, x * s + y * c};
}

template <typename T>
bool same(std::complex<T> a, std::complex<T> b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// A panel in the lane order of a vector's columns, multiplied by two table factors a point, stored by rows or in blocks.
template <typename T>
void check_twist(const CodeletTable& table, std::int64_t columns, std::int64_t rows, std::int64_t split, std::int64_t block, Flush flush) {
  const CodeletInfo* const codelet = find(table, PassKind::kTwist, kCompute<T>);
  ASSERT_NE(codelet, nullptr);
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  const std::int64_t vectors = (columns + w - 1) / w;
  const std::int64_t pitch = 2 * w * vectors;
  const std::int64_t pairs = split + (rows + split - 1) / split;
  const std::int64_t stretch = columns + 2;  // elements between rows where they are not blocks
  Random random(static_cast<std::uint64_t>(columns * 1000 + rows * 10 + split + block));
  GuardedBuffer panel(static_cast<std::size_t>(rows * pitch) * sizeof(T), flush);
  // Vectors of tables are aligned.
  GuardedBuffer factors((static_cast<std::size_t>(vectors * pairs * 2 * w) * sizeof(T) + 63) / 64 * 64, Flush::kStart);
  const auto blocks = (rows + block - 1) / block;
  const std::int64_t elements = block > 1 ? blocks * block * columns : (rows - 1) * stretch + columns;
  GuardedBuffer to(static_cast<std::size_t>(elements) * sizeof(std::complex<T>), flush);
  std::vector<std::uint8_t> used(static_cast<std::size_t>(elements), 0);
  for (std::int64_t i = 0; i < rows * pitch; ++i) panel.as<T>()[i] = static_cast<T>(random.normal());
  for (std::int64_t i = 0; i < vectors * pairs * 2 * w; ++i) factors.as<T>()[i] = static_cast<T>(random.normal());
  PassArgs args;
  args.in.slot = Slot::kWork1;
  args.in.planar = true;
  args.in.im_offset = w;
  args.in.lane_stride = 2;
  args.in.point_stride = pitch;
  args.out.slot = Slot::kWork0;
  args.lanes = columns;
  args.table = factors.data();
  if (block > 1) {
    args.twist = {rows, block, 2 * block * columns, split};
    args.out.point_stride = 2;
    args.out.lane_stride = 2 * block;
  } else {
    args.twist = {rows, rows, 0, split};
    args.out.point_stride = 2 * stretch;
    args.out.lane_stride = 2;
  }
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kWork1)] = {panel.data(), nullptr};
  buffers.slot[static_cast<int>(Slot::kWork0)] = {to.data(), nullptr};
  codelet->run(args, buffers, 0, 1);
  const std::string where = std::string(table.target) + (sizeof(T) == 4 ? " f32 " : " f64 ") + std::to_string(columns) + " columns, " + std::to_string(rows) +
                            " rows, split " + std::to_string(split) + ", block " + std::to_string(block);
  for (std::int64_t c = 0; c < columns; ++c) {
    std::int64_t lane = 0;
    while (index_of_lane(static_cast<int>(lane), w, 16 / static_cast<int>(sizeof(T))) != c % w) ++lane;
    const T* const set = factors.as<T>() + c / w * pairs * 2 * w;
    for (std::int64_t k = 0; k < rows; ++k) {
      const T* const re = panel.as<T>() + k * pitch + c / w * 2 * w + lane;
      const auto factor = [&](std::int64_t pair) { return std::complex<T>(set[pair * 2 * w + lane], set[pair * 2 * w + w + lane]); };
      const auto expected = product({re[0], re[w]}, product(factor(k % split), factor(split + k / split), table.has_fma), table.has_fma);
      const std::int64_t at = block > 1 ? k / block * block * columns + c * block + k % block : k * stretch + c;
      used[static_cast<std::size_t>(at)] = 1;
      ASSERT_TRUE(same(to.as<std::complex<T>>()[at], expected)) << where << ": row " << k << ", column " << c;
    }
  }
  ASSERT_FALSE(to.first_touched_gap(used, sizeof(std::complex<T>)).has_value()) << where << ": wrote outside its elements";
}

template <typename T>
void check_twists(const CodeletTable& table) {
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  for (std::int64_t columns = 1; columns <= 2 * w + 1; ++columns) {
    for (const std::int64_t rows : {1, 2, 3, 8, 17, 32, 37}) {
      for (const std::int64_t block : {1, 2, 4, 7, 8, 16, 32}) {
        check_twist<T>(table, columns, rows, rows % 2 == 0 ? 16 : 4, block, block % 2 == 0 ? Flush::kEnd : Flush::kStart);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(Twists, AreTwoProductsInF32) { check_twists<float>(table()); }
TEST_P(Twists, AreTwoProductsInF64) { check_twists<double>(table()); }

// The error a pass claims is the one it has, on random normal data and tables of correctly rounded roots.
template <typename T>
void check_claim(const CodeletTable& table) {
  const std::int64_t points = 1 << 16;
  const auto data = random_signal<T>(static_cast<std::size_t>(points), 17);
  Random random(18);
  const auto rounded = [](const ComplexDD& w) { return std::complex<T>(static_cast<T>(w.re.value()), static_cast<T>(w.im.value())); };
  const CodeletInfo* const codelet = find(table, PassKind::kTwist, kCompute<T>);
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  const std::int64_t rows = 256, split = 16, pairs = 32;
  ErrorSum sum;
  for (std::int64_t at = 0; at < points; at += rows * w) {
    std::vector<ComplexDD> roots(static_cast<std::size_t>(pairs * w));
    GuardedBuffer factors(static_cast<std::size_t>(2 * pairs * w) * sizeof(T), Flush::kStart);
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        const ComplexDD root = circle_point(static_cast<std::uint64_t>(random.below(1U << 20U)), 1U << 20U);
        roots[static_cast<std::size_t>(pair * w + lane)] = root;
        factors.as<T>()[pair * 2 * w + lane] = rounded(root).real();
        factors.as<T>()[pair * 2 * w + w + lane] = rounded(root).imag();
      }
    }
    std::vector<T> panel(static_cast<std::size_t>(rows * 2 * w));
    std::vector<std::complex<T>> out(static_cast<std::size_t>(rows * w));
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        panel[static_cast<std::size_t>(k * 2 * w + lane)] = data[static_cast<std::size_t>(at + k * w + lane)].real();
        panel[static_cast<std::size_t>(k * 2 * w + w + lane)] = data[static_cast<std::size_t>(at + k * w + lane)].imag();
      }
    }
    PassArgs args;
    args.in.im_offset = w;
    args.in.planar = true;
    args.in.lane_stride = 2;
    args.in.point_stride = 2 * w;
    args.out.slot = Slot::kOut;
    args.out.lane_stride = 2;
    args.out.point_stride = 2 * w;
    args.twist = {rows, rows, 0, split};
    args.lanes = w;
    args.table = factors.data();
    Buffers buffers{};
    buffers.slot[static_cast<int>(Slot::kIn)].re = panel.data();
    buffers.slot[static_cast<int>(Slot::kOut)].re = out.data();
    codelet->run(args, buffers, 0, 1);
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        const auto x = data[static_cast<std::size_t>(at + k * w + lane)];
        const ComplexDD factor = roots[static_cast<std::size_t>(k % split * w + lane)] * roots[static_cast<std::size_t>((split + k / split) * w + lane)];
        sum.add(out[static_cast<std::size_t>(k * w + index_of_lane(static_cast<int>(lane), w, 16 / static_cast<int>(sizeof(T))))],
                factor * ComplexDD{static_cast<double>(x.real()), static_cast<double>(x.imag())});
      }
    }
  }
  const double measured = sum.relative_l2() / Storage<T>::kUnitRoundoff;
  testing::Test::RecordProperty(sizeof(T) == 4 ? "twist_f32" : "twist_f64", std::to_string(measured));
  EXPECT_NEAR(measured, codelet->body->f32.rms, 0.1 * codelet->body->f32.rms) << table.target << " twist";
}

TEST_P(Twists, ErrAsMuchAsTheyClaim) {
  if (!table().has_fma) return;
  check_claim<float>(table());
  check_claim<double>(table());
}

std::string target_name(const testing::TestParamInfo<std::size_t>& info) { return registered_targets()[info.param].table.target; }
INSTANTIATE_TEST_SUITE_P(On, Twists, testing::Range(std::size_t{0}, registered_targets().size()), target_name);

}  // namespace
}  // namespace ulpfft::test

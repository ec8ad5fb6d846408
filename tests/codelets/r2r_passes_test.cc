// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of r2r transforms, each alone, on every target: the bits of the reference, for every length and both directions of a line,
// between guard pages; and the errors they claim, against the same pass in double-double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Exact = ulpfft::DoubleDouble;

constexpr PassKind kKinds[] = {PassKind::kMoveReals, PassKind::kPick,   PassKind::kSplitOdds,  PassKind::kJoinOdds,
                               PassKind::kFold,      PassKind::kUnfold, PassKind::kSplitPairs, PassKind::kJoinPairs};

struct Case {
  PassKind kind;
  std::int64_t n = 2;
  std::int64_t in_stride = 1, out_stride = 1;
  bool in_swap = false, out_swap = false;
  double scale = 1;
  std::int64_t lines = 1;
};

std::string text_of(const Case& c) {
  return "kind " + std::to_string(static_cast<int>(c.kind)) + " n " + std::to_string(c.n) + " strides " + std::to_string(c.in_stride) + " " +
         std::to_string(c.out_stride) + (c.in_swap ? " in" : "") + (c.out_swap ? " out" : "") + " scale " + std::to_string(c.scale);
}

bool has_scale(PassKind kind) { return kind != PassKind::kJoinOdds && kind != PassKind::kFold && kind != PassKind::kJoinPairs; }

// Roots of unity in the table of a pass: of kFold as dct2 has them, of kUnfold as dct3.
template <typename T>
std::vector<T> table_of(const Case& c) {
  std::vector<T> values;
  const auto add = [&](std::int64_t k, std::int64_t n, double share) {
    const UnitRoot root = unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
    values.push_back(round_to<T>(root.re * Exact(share)));
    values.push_back(round_to<T>(root.im * Exact(share)));
  };
  const std::int64_t h = c.n / 2;
  if (c.kind == PassKind::kFold || c.kind == PassKind::kUnfold) {
    const bool folds = c.kind == PassKind::kFold;
    for (std::int64_t k = 0; k <= h / 2; ++k) add(k, c.n, folds ? 0.5 : 1);
    for (std::int64_t k = 0; k <= h / 2; ++k) add(k, 4 * c.n, folds ? 2 : 1);
    for (std::int64_t k = 0; k <= h / 2; ++k) add(h - k, 4 * c.n, folds ? 2 : 1);
  } else if (c.kind == PassKind::kPick) {
    values = {T(0.0), T(2.0), T(-2.0), round_to<T>(sqrt(Exact(2.0)))};
  } else {
    for (std::int64_t j = 0; j < h; ++j) add(8 * j + 1, 16 * c.n, 1);
  }
  return values;
}

// Lines of the output; those of both sides lie `pitch` reals apart, from `margin` reals on.
template <typename T>
std::vector<T> run(const CodeletTable& table, const Case& c, const std::vector<T>& in, bool guarded) {
  const std::int64_t in_reals = (c.n - 1) * std::abs(c.in_stride) + 1, out_reals = (c.n - 1) * std::abs(c.out_stride) + 1;
  const std::vector<T> factors = table_of<T>(c);
  std::vector<std::uint32_t> rows;
  for (std::int64_t j = 0; j < c.n; ++j) rows.push_back(static_cast<std::uint32_t>(4 * (c.n - 1 - j) + j % 4));
  PassArgs args;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  args.in.point_stride = c.in_stride;
  args.out.point_stride = c.out_stride;
  args.in.offset = c.in_stride < 0 ? in_reals - 1 : 0;
  args.out.offset = c.out_stride < 0 ? out_reals - 1 : 0;
  args.in.swap = c.in_swap;
  args.out.swap = c.out_swap;
  args.scale = c.scale;
  args.lanes = c.n;
  args.axes[0] = {c.lines, in_reals, out_reals, 0};
  args.table = factors.data();
  args.rows = rows.data();
  GuardedBuffer from(static_cast<std::size_t>(in_reals * c.lines) * sizeof(T), guarded ? Flush::kStart : Flush::kEnd);
  GuardedBuffer to(static_cast<std::size_t>(out_reals * c.lines) * sizeof(T), guarded ? Flush::kStart : Flush::kEnd);
  for (std::int64_t i = 0; i < in_reals * c.lines; ++i) from.template as<T>()[i] = in[static_cast<std::size_t>(i)];
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)].re = from.data();
  buffers.slot[static_cast<int>(Slot::kOut)].re = to.data();
  find(table, c.kind, kCompute<T>)->run(args, buffers, 0, c.lines);
  std::vector<std::uint8_t> used(static_cast<std::size_t>(out_reals * c.lines), 0);
  std::vector<T> out;
  for (std::int64_t line = 0; line < c.lines; ++line) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      const std::int64_t at = line * out_reals + args.out.offset + j * c.out_stride;
      used[static_cast<std::size_t>(at)] = 1;
      out.push_back(to.template as<T>()[at]);
    }
  }
  EXPECT_FALSE(to.first_touched_gap(used, sizeof(T)).has_value()) << text_of(c);
  return out;
}

std::vector<double> normal_reals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> reals(count);
  for (double& real : reals) real = random.normal();
  return reals;
}

template <typename To, typename From>
std::vector<To> as(const std::vector<From>& reals) {
  std::vector<To> values;
  for (const From real : reals) values.push_back(static_cast<To>(real));
  return values;
}

Case random_case(PassKind kind, std::int64_t n, Random& random) {
  Case c{kind, n};
  const bool any_strides = kind == PassKind::kMoveReals || kind == PassKind::kPick;
  const auto stride = [&](bool backwards) {
    const std::int64_t step = any_strides && random.chance(0.5) ? random.between(1, 5) : 1;
    return (any_strides || backwards) && random.chance(0.5) ? -step : step;
  };
  c.in_stride = stride(kind == PassKind::kUnfold);
  c.out_stride = stride(kind == PassKind::kFold);
  const bool swaps = !any_strides && random.chance(0.5), at_in = kind == PassKind::kSplitOdds || kind == PassKind::kUnfold || kind == PassKind::kSplitPairs;
  c.in_swap = swaps && at_in;
  c.out_swap = swaps && !at_in;
  if (has_scale(kind) && random.chance(0.5)) c.scale = 0.3;
  c.lines = random.between(1, 3);
  return c;
}

class R2rPasses : public testing::TestWithParam<std::size_t> {
 protected:
  const CodeletTable& table() const { return registered_targets()[GetParam()].table; }
  bool is_here() const { return registered_targets()[GetParam()].available && !table().codelets.empty(); }
};

// Of a target without FMA the bits are others; each of a few operations is then off by a rounding.
template <typename T>
void compare(const CodeletTable& table, const CodeletTable& reference, const Case& c, Random& random) {
  const std::int64_t span = (c.n - 1) * std::abs(c.in_stride) + 1;
  const auto in = as<T>(normal_reals(static_cast<std::size_t>(span * c.lines), random.next()));
  const std::vector<T> got = run(table, c, in, random.chance(0.5)), expected = run(reference, c, in, false);
  if (table.has_fma) {
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)), 0) << table.target << " " << text_of(c);
    return;
  }
  const T bound = static_cast<T>(sizeof(T) == 4 ? 1e-5 : 1e-14);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], bound) << table.target << " " << text_of(c) << " " << i;
}

TEST_P(R2rPasses, HaveTheBitsOfTheReferenceForEveryLength) {
  if (!is_here()) GTEST_SKIP() << "not on this machine";
  const CodeletTable& reference = registered_targets().back().table;
  Random random(20261133);
  for (std::int64_t n = 1; n <= 200; ++n) {
    for (const PassKind kind : kKinds) {
      const bool any_length = kind <= PassKind::kJoinOdds;
      if (n % 2 == 1 && !any_length) continue;
      for (int i = 0; i < 4; ++i) {
        const Case c = random_case(kind, n, random);
        compare<float>(table(), reference, c, random);
        compare<double>(table(), reference, c, random);
      }
    }
  }
}

// ---- errors

// The error a pass claims is the one it has, on random normal data and correctly rounded roots.
template <typename T>
void check_claim(const CodeletTable& table, PassKind kind) {
  const Case c{kind, 1 << 16};
  const auto in = as<T>(normal_reals(1 << 16, 18));
  const std::vector<T> got = run(table, c, in, false);
  const std::vector<Exact> exact = run(registered_targets().back().table, c, as<Exact>(in), false);
  double error = 0, signal = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Exact difference = Exact(static_cast<double>(got[i])) - exact[i];
    error += difference.hi * difference.hi;
    signal += exact[i].hi * exact[i].hi;
  }
  const double measured = std::sqrt(error / signal) / (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);
  const CodeletInfo& codelet = *find(table, kind, kCompute<T>);
  testing::Test::RecordProperty(std::string(codelet.body->name) + (sizeof(T) == 4 ? "_f32" : "_f64"), std::to_string(measured));
  EXPECT_NEAR(measured, codelet.body->f32.rms, 0.1 * codelet.body->f32.rms) << table.target << " " << codelet.body->name;
}

TEST_P(R2rPasses, ErrAsMuchAsTheyClaim) {
  if (!is_here() || !table().has_fma) GTEST_SKIP() << "not on this machine, or without FMA";
  for (const PassKind kind : kKinds) {
    if (kind == PassKind::kPick) continue;  // its constant of the ends is rounded, its other factors are exact
    check_claim<float>(table(), kind);
    check_claim<double>(table(), kind);
  }
}

std::string target_name(const testing::TestParamInfo<std::size_t>& info) { return registered_targets()[info.param].table.target; }
INSTANTIATE_TEST_SUITE_P(On, R2rPasses, testing::Range(std::size_t{0}, registered_targets().size()), target_name);

}  // namespace
}  // namespace ulpfft::test

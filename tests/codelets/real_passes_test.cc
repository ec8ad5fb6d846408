// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of real transforms, each alone, on every target: against a plain loop, bit for bit, for every length and every way an edge can
// be, between guard pages; in double-double against the oracle's transforms; and the errors they claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
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

constexpr PassKind kKinds[] = {PassKind::kUntangle, PassKind::kTangle, PassKind::kFromReals, PassKind::kToReals,
                               PassKind::kHalf,     PassKind::kMirror, PassKind::kSplitRows, PassKind::kJoinRows};
constexpr std::int64_t kRow = 5;  // PassArgs::row

bool has_table(PassKind kind) { return kind == PassKind::kUntangle || kind == PassKind::kTangle; }
bool scales(PassKind kind) { return kind == PassKind::kTangle || kind == PassKind::kFromReals || kind == PassKind::kMirror; }
std::int64_t points_of(PassKind kind, bool output, std::int64_t lanes) {
  if (kind == (output ? PassKind::kUntangle : PassKind::kTangle)) return lanes + 1;
  if (kind == (output ? PassKind::kSplitRows : PassKind::kJoinRows)) return (kRow + 1) / 2 * (lanes / kRow);
  const PassKind half = output ? PassKind::kJoinRows : PassKind::kSplitRows;
  return kind == half || (kind == PassKind::kMirror && !output) ? (lanes + 1) / 2 : lanes;
}

// How the points of an end lie. kPlanes: im of all points after re of all, in one array.
enum class Placement : std::uint8_t { kAdjacent, kStrided, kPlanes, kSplit };
constexpr Placement kPlacements[] = {Placement::kAdjacent, Placement::kStrided, Placement::kPlanes, Placement::kSplit};

// One end in guarded memory: lines of numbers, or of reals.
template <typename T>
class Side {
 public:
  Side(std::int64_t points, std::int64_t lines, Placement placement, bool is_real, Flush flush, Random& random)
      : lines_(lines), is_real_(is_real), split_(placement == Placement::kSplit && !is_real) {
    const bool pairs = !is_real && (placement == Placement::kAdjacent || placement == Placement::kStrided);
    const std::int64_t stride = placement == Placement::kAdjacent ? 1 : random.between(2, 5);
    point_stride_ = pairs ? 2 * stride : stride;
    line_stride_ = points * point_stride_ + random.between(0, 3);
    const std::int64_t reach = (lines - 1) * line_stride_ + (points - 1) * point_stride_ + 1;
    im_offset_ = is_real || split_ ? 7 : pairs ? 1 : reach + random.between(0, 3);  // 7: of no meaning
    const std::int64_t reals = is_real || split_ ? reach : reach + im_offset_;
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      data_[part] = std::make_unique<GuardedBuffer>(static_cast<std::size_t>(reals) * sizeof(T), flush);
      used_[part].resize(static_cast<std::size_t>(reals), 0);
    }
  }

  T& real(std::int64_t line, std::int64_t j, int part) { return data_[split_ ? part : 0]->template as<T>()[at(line, j, part)]; }
  void mark(std::int64_t line, std::int64_t j) {
    for (int part = 0; part < (is_real_ ? 1 : 2); ++part) used_[split_ ? part : 0][static_cast<std::size_t>(at(line, j, part))] = 1;
  }
  bool gap_touched() const {
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      if (data_[part]->first_touched_gap(used_[part], sizeof(T)).has_value()) return true;
    }
    return false;
  }

  SlotAddress address() { return {data_[0]->data(), split_ ? data_[1]->data() : nullptr}; }
  Edge edge(Slot slot, bool conjugates) const {
    Edge edge;
    edge.slot = slot;
    edge.layout = split_ ? Layout::kSplit : Layout::kPaired;
    edge.swap = conjugates;
    edge.im_offset = im_offset_;
    edge.point_stride = point_stride_;
    return edge;
  }
  std::int64_t line_stride() const { return line_stride_; }
  std::int64_t lines() const { return lines_; }

 private:
  std::int64_t at(std::int64_t line, std::int64_t j, int part) const {
    return line * line_stride_ + j * point_stride_ + (part == 1 && !split_ ? im_offset_ : 0);
  }
  std::int64_t lines_, point_stride_ = 1, line_stride_ = 0, im_offset_ = 0;
  bool is_real_, split_;
  std::unique_ptr<GuardedBuffer> data_[2];
  std::vector<std::uint8_t> used_[2];
};

template <typename T>
using Line = std::vector<std::complex<T>>;

// a b + c, rounded once where there is FMA.
template <typename T>
T fused(T a, T b, T c, bool fma) {
  return fma ? std::fma(a, b, c) : a * b + c;
}

struct Case {
  PassKind kind;
  std::int64_t lanes;
  Placement in, out;
  bool in_place;
  bool conjugates;
  double scale;
  std::int64_t lines;
};

// X of Z. The table holds halves.
template <typename T>
Line<T> untangled(const Line<T>& z, const Line<T>& table, const Case& c, bool fma) {
  const std::size_t h = z.size();
  Line<T> x(h + 1);
  const T half(0.5), sign = c.conjugates ? T(-1) : T(1);
  x[0] = z[0].real() + z[0].imag();
  x[h] = z[0].real() - z[0].imag();
  for (std::size_t k = 1; 2 * k < h; ++k) {
    const auto a = z[k], b = std::conj(z[h - k]), sum = a + b, difference = a - b, w = table[k];
    const T p_re = fused(difference.imag(), w.real(), difference.real() * w.imag(), fma);
    const T p_im = fused(-difference.real(), w.real(), difference.imag() * w.imag(), fma);
    x[k] = {fused(half, sum.real(), p_re, fma), sign * fused(half, sum.imag(), p_im, fma)};
    x[h - k] = {fused(half, sum.real(), -p_re, fma), sign * fused(-half, sum.imag(), p_im, fma)};
  }
  if (h % 2 == 0) x[h / 2] = {z[h / 2].real(), sign * -z[h / 2].imag()};
  return x;
}

// 2 Z of X.
template <typename T>
Line<T> tangled(Line<T> x, const Line<T>& table, const Case& c, bool fma) {
  const std::size_t h = x.size() - 1;
  const T scale = static_cast<T>(c.scale), im_scale = c.conjugates ? -scale : scale;
  for (auto& value : x) value = {value.real() * scale, value.imag() * im_scale};
  Line<T> z(h);
  z[0] = {x[0].real() + x[h].real(), x[0].real() - x[h].real()};
  for (std::size_t k = 1; 2 * k < h; ++k) {
    const auto a = x[k], b = std::conj(x[h - k]), sum = a + b, difference = a - b, w = table[k];
    const T t_re = fused(-difference.imag(), w.real(), difference.real() * w.imag(), fma);
    const T t_im = fused(difference.real(), w.real(), difference.imag() * w.imag(), fma);
    z[k] = {sum.real() + t_re, sum.imag() + t_im};
    z[h - k] = {sum.real() - t_re, t_im - sum.imag()};
  }
  if (h % 2 == 0) z[h / 2] = {2 * x[h / 2].real(), -2 * x[h / 2].imag()};
  return z;
}

// Rows of a line whose first half is `in`, and back.
template <typename T>
Line<T> rearranged(const Line<T>& in, const Case& c) {
  const auto n = static_cast<std::size_t>(c.lanes), points = n / kRow;
  const bool splits = c.kind == PassKind::kSplitRows;
  const auto conjugate = [](std::complex<T> x, bool wanted) { return wanted ? std::conj(x) : x; };
  Line<T> out(splits ? (kRow + 1) / 2 * points : n / 2 + 1);
  for (std::size_t q = 0; 2 * q < kRow; ++q) {
    for (std::size_t k = 0; k < points; ++k) {
      const std::size_t i = kRow * k + q, at = q * points + k;
      const bool mirrored = 2 * i > n;
      if (splits) out[at] = conjugate(in[mirrored ? n - i : i], mirrored != c.conjugates);
      else if (q != 0 || !mirrored) out[mirrored ? n - i : i] = conjugate(in[at], mirrored != c.conjugates);
    }
  }
  out[0].imag(T(0));
  return out;
}

// The other kinds move numbers. im of a real is 0.
template <typename T>
Line<T> moved(const Line<T>& in, const Case& c) {
  Line<T> out;
  const T scale = scales(c.kind) ? static_cast<T>(c.scale) : T(1), im_scale = c.conjugates ? -scale : scale;
  for (const auto& value : in) out.emplace_back(value.real() * scale, value.imag() * im_scale);
  if (c.kind == PassKind::kFromReals || c.kind == PassKind::kToReals) {
    for (auto& value : out) value.imag(T(0));
    return out;
  }
  out[0].imag(T(0));
  const std::size_t stored = in.size();
  if (c.kind == PassKind::kMirror) {
    for (std::size_t k = stored - 1; k > 0; --k) out.push_back(std::conj(out[k]));
  }
  return out;
}

template <typename T>
Line<T> expected_of(const Line<T>& in, const Line<T>& table, const Case& c, bool fma) {
  if (c.kind == PassKind::kUntangle) return untangled(in, table, c, fma);
  if (c.kind == PassKind::kSplitRows || c.kind == PassKind::kJoinRows) return rearranged(in, c);
  return c.kind == PassKind::kTangle ? tangled(in, table, c, fma) : moved(in, c);
}

std::string text_of(const CodeletTable& table, const CodeletInfo& codelet, const Case& c) {
  return std::string(table.target) + " " + codelet.body->name + (codelet.compute == ComputeType::kF32 ? " f32, " : " f64, ") +
         std::to_string(c.lanes) + " points in " + std::to_string(c.lines) + " lines, placements " +
         std::to_string(static_cast<int>(c.in)) + " and " + std::to_string(static_cast<int>(c.out)) +
         (c.in_place ? ", in place" : "") + (c.conjugates ? ", conjugated" : "") + ", scale " + std::to_string(c.scale);
}

// Parts that the result does not depend on become NaN.
template <typename T>
void hide_what_is_not_read(Side<T>& in, const Case& c, std::int64_t line) {
  constexpr T kNothing = std::numeric_limits<T>::quiet_NaN();
  if (c.kind == PassKind::kTangle || c.kind == PassKind::kMirror || c.kind == PassKind::kHalf) in.real(line, 0, 1) = kNothing;
  if (c.kind == PassKind::kTangle) in.real(line, c.lanes, 1) = kNothing;
}

template <typename T>
void check_case(const CodeletTable& table, const Case& c, Flush flush, std::uint64_t seed) {
  const CodeletInfo* const codelet = find(table, c.kind, kCompute<T>);
  ASSERT_NE(codelet, nullptr) << table.target;
  Random random(seed);
  const std::int64_t in_points = points_of(c.kind, false, c.lanes), out_points = points_of(c.kind, true, c.lanes);
  Side<T> out(c.in_place ? c.lanes + 1 : out_points, c.lines, c.out, c.kind == PassKind::kToReals, flush, random);
  Side<T> apart(in_points, c.lines, c.in, c.kind == PassKind::kFromReals, flush, random);
  Side<T>& in = c.in_place ? out : apart;
  GuardedBuffer values(static_cast<std::size_t>(c.lanes / 2 + 1) * sizeof(std::complex<T>));
  const Line<T> factors = random_signal<T>(static_cast<std::size_t>(c.lanes / 2 + 1), seed + 1);
  std::copy(factors.begin(), factors.end(), values.as<std::complex<T>>());
  std::vector<Line<T>> lines;
  for (std::int64_t line = 0; line < c.lines; ++line) {
    lines.push_back(random_signal<T>(static_cast<std::size_t>(in_points), seed + 2 + static_cast<std::uint64_t>(line)));
    for (std::int64_t j = 0; j < in_points; ++j) {
      in.mark(line, j);
      in.real(line, j, 0) = lines.back()[static_cast<std::size_t>(j)].real();
      if (c.kind != PassKind::kFromReals) in.real(line, j, 1) = lines.back()[static_cast<std::size_t>(j)].imag();
    }
    hide_what_is_not_read(in, c, line);
  }

  const bool reads_conjugated = c.kind == PassKind::kTangle || c.kind == PassKind::kMirror || c.kind == PassKind::kSplitRows;
  PassArgs args;
  args.in = in.edge(c.in_place ? Slot::kOut : Slot::kIn, c.conjugates && reads_conjugated);
  args.out = out.edge(Slot::kOut, c.conjugates && !reads_conjugated);
  args.axes[0] = {c.lines, in.line_stride(), out.line_stride(), 0};
  args.lanes = c.lanes;
  args.row = kRow;
  args.row_stride = c.lanes / kRow * (c.kind == PassKind::kJoinRows ? args.in : args.out).point_stride;
  args.scale = c.scale;
  args.table = has_table(c.kind) ? values.data() : nullptr;
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)] = apart.address();
  buffers.slot[static_cast<int>(Slot::kOut)] = out.address();
  // In two slices, as threads would.
  codelet->run(args, buffers, 0, c.lines / 2);
  codelet->run(args, buffers, c.lines / 2, c.lines - c.lines / 2);

  const int parts = c.kind == PassKind::kToReals ? 1 : 2;
  for (std::int64_t line = 0; line < c.lines; ++line) {
    const Line<T> expected = expected_of(lines[static_cast<std::size_t>(line)], factors, c, table.has_fma);
    ASSERT_EQ(static_cast<std::int64_t>(expected.size()), out_points);
    for (std::int64_t j = 0; j < out_points; ++j) {
      out.mark(line, j);
      const std::complex<T> value = expected[static_cast<std::size_t>(j)];
      const T both[] = {value.real(), value.imag()};
      for (int part = 0; part < parts; ++part) {
        ASSERT_EQ(std::memcmp(&out.real(line, j, part), &both[part], sizeof(T)), 0)
            << text_of(table, *codelet, c) << ": part " << part << " of point " << j << " of line " << line << " is "
            << out.real(line, j, part) << " instead of " << both[part];
      }
    }
  }
  ASSERT_FALSE(apart.gap_touched() || out.gap_touched()) << text_of(table, *codelet, c) << ": wrote outside its elements";
}

template <typename T>
void check_kind(const CodeletTable& table, PassKind kind, std::int64_t h) {
  const auto own = static_cast<std::uint64_t>(kind) * 100000 + static_cast<std::uint64_t>(h) * 20;
  const bool may_conjugate = kind != PassKind::kFromReals && kind != PassKind::kToReals;
  const auto check = [&](Placement in, Placement out, bool in_place, std::uint64_t seed) {
    Random random(seed);
    const double scale = random.chance(0.3) ? 0.3125 : random.chance(0.2) ? -1.75 : 1.0;
    const bool conjugates = may_conjugate && random.chance(0.4);
    const std::int64_t lines = h < 100 && random.chance(0.4) ? 3 : 1;
    const bool in_rows = kind == PassKind::kSplitRows || kind == PassKind::kJoinRows;
    const std::int64_t lanes = in_rows ? kRow * (h | 1) : kind == PassKind::kMirror ? 2 * h - 1 : h;
    const Case c{kind, lanes, in, out, in_place, conjugates, scales(kind) ? scale : 1.0, lines};
    check_case<T>(table, c, random.chance(0.4) ? Flush::kStart : Flush::kEnd, seed);
  };
  std::uint64_t seed = own;
  for (const Placement in : kPlacements) {
    for (const Placement out : kPlacements) {
      check(in, out, false, ++seed);
      if (testing::Test::HasFatalFailure()) return;
    }
    if (has_table(kind)) check(in, in, true, ++seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

class RealPasses : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!registered_targets()[GetParam()].available) GTEST_SKIP() << registered_targets()[GetParam()].reason;
  }
  const CodeletTable& table() const { return registered_targets()[GetParam()].table; }
  template <typename T>
  void check_all() const {
    for (const PassKind kind : kKinds) {
      for (std::int64_t h = 1; h <= 70; ++h) check_kind<T>(table(), kind, h);
      for (const std::int64_t h : {127, 128, 257, 1000, 4096, 4099}) check_kind<T>(table(), kind, h);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(RealPasses, ComputeWhatAPlainLoopDoesInF32) { check_all<float>(); }
TEST_P(RealPasses, ComputeWhatAPlainLoopDoesInF64) { check_all<double>(); }

// ---- against transforms

using Exact = ulpfft::test::DoubleDouble;      // the oracle's
using Reference = ulpfft::DoubleDouble;        // the library's

ComplexDD root(std::int64_t k, std::int64_t n) { return circle_point(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n)); }

template <typename T>
ComplexDD exact(std::complex<T> value) {
  return {Exact(static_cast<double>(value.real())), Exact(static_cast<double>(value.imag()))};
}
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

// ---- errors

// The error a pass claims is the one it has, on random normal data and correctly rounded roots.
template <typename T>
void check_claims(const CodeletTable& table, PassKind kind) {
  const CodeletInfo* const codelet = find(table, kind, kCompute<T>);
  ASSERT_NE(codelet, nullptr);
  const std::int64_t h = 1 << 16;
  const bool untangles = kind == PassKind::kUntangle;
  Line<T> data = random_signal<T>(static_cast<std::size_t>(points_of(kind, false, h)), 17);
  Line<T> factors, out(static_cast<std::size_t>(points_of(kind, true, h)));
  for (std::int64_t k = 0; k <= h / 2; ++k) {
    const ComplexDD w = root(k, 2 * h);
    const T share = untangles ? T(0.5) : T(1);
    factors.emplace_back(static_cast<T>(w.re.value()) * share, static_cast<T>(w.im.value()) * share);
  }
  run_line(*codelet, h, factors.data(), reinterpret_cast<const T*>(data.data()), reinterpret_cast<T*>(out.data()));
  ErrorSum sum;
  for (std::int64_t k = 1; k < h; ++k) {
    const ComplexDD a = exact(data[static_cast<std::size_t>(k)]), mirror = exact(data[static_cast<std::size_t>(h - k)]);
    const ComplexDD b{mirror.re, -mirror.im}, w = root(k, 2 * h);
    // 2 X = a + b - i w (a - b), 2 Z = a + b + i conj(w) (a - b).
    const ComplexDD twice = a + b + ComplexDD{w.im, untangles ? -w.re : w.re} * (a - b);
    sum.add(out[static_cast<std::size_t>(k)], Exact(untangles ? 0.5 : 1.0) * twice);
  }
  const double measured = sum.relative_l2() / Storage<T>::kUnitRoundoff;
  testing::Test::RecordProperty(std::string(codelet->body->name) + (sizeof(T) == 4 ? "_f32" : "_f64"), std::to_string(measured));
  EXPECT_NEAR(measured, codelet->body->f32.rms, 0.1 * codelet->body->f32.rms) << table.target << " " << codelet->body->name;
}

TEST_P(RealPasses, ErrAsMuchAsTheyClaimInF32) {
  if (!table().has_fma) return;
  check_claims<float>(table(), PassKind::kUntangle);
  check_claims<float>(table(), PassKind::kTangle);
}
TEST_P(RealPasses, ErrAsMuchAsTheyClaimInF64) {
  if (!table().has_fma) return;
  check_claims<double>(table(), PassKind::kUntangle);
  check_claims<double>(table(), PassKind::kTangle);
}

std::string target_name(const testing::TestParamInfo<std::size_t>& info) { return registered_targets()[info.param].table.target; }
INSTANTIATE_TEST_SUITE_P(On, RealPasses, testing::Range(std::size_t{0}, registered_targets().size()), target_name);

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets of real transforms, each alone, on every target: against the definition in double-double, with the error they claim, and with
// the same bits for every number of lines and every way an end can be, between guard pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/compare.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using enum RealTransform;

std::string where(const RegisteredTarget& target, const CodeletInfo& codelet) {
  return std::string(target.table.target) + ' ' + codelet.body->name + (codelet.compute == ComputeType::kF32 ? " f32" : " f64");
}

// How the lines of an end lie. kSplit: the parts of numbers have arrays of their own; kHalf: the order of R2HC.
enum class Way : std::uint8_t { kRows, kColumns, kGaps, kSplitRows, kSplitColumns, kHalfRows, kHalfColumns };
constexpr Way kWays[] = {Way::kRows,         Way::kColumns,  Way::kGaps,       Way::kSplitRows,
                         Way::kSplitColumns, Way::kHalfRows, Way::kHalfColumns};
bool is_split(Way way) { return way == Way::kSplitRows || way == Way::kSplitColumns; }
bool is_half(Way way) { return way == Way::kHalfRows || way == Way::kHalfColumns; }
std::string at_way(const std::string& place, std::int64_t lines, Way way) {
  return place + ", lines " + std::to_string(lines) + ", way " + std::to_string(static_cast<int>(way));
}

// One end in guarded memory; a line is a list of points.
template <typename T>
class End {
 public:
  End(int n, bool is_complex, std::int64_t lines, Way way) : n_(n), is_complex_(is_complex), way_(way) {
    const std::int64_t points = is_complex && !is_half(way) ? half_points(n) : n;
    const std::int64_t unit = is_complex && !is_split(way) && !is_half(way) ? 2 : 1;
    const bool columns = way == Way::kColumns || way == Way::kSplitColumns || way == Way::kHalfColumns;
    edge.point_stride = columns ? unit * lines : unit;
    step = columns ? unit : unit * points;
    if (way == Way::kGaps) {
      edge.point_stride = 3 * unit;
      step = 3 * unit * points + 1;
      edge.im_offset = 2;
    }
    edge.layout = is_complex && is_split(way) ? Layout::kSplit : Layout::kPaired;
    edge.half_complex = is_complex && is_half(way);
    const std::int64_t reals = (points - 1) * edge.point_stride + (lines - 1) * step + (unit == 2 ? edge.im_offset : 0) + 1;
    for (std::size_t part = 0; part < (edge.layout == Layout::kSplit ? 2U : 1U); ++part) {
      data_[part] = std::make_unique<GuardedBuffer>(static_cast<std::size_t>(reals) * sizeof(T));
      used_[part].resize(static_cast<std::size_t>(reals), 0);
    }
  }

  // Whether im of a point has a place; it is 0 where it has none.
  bool has_im(int k) const { return is_complex_ && !(is_half(way_) && is_real_point(k, n_)); }
  T& part(std::int64_t line, int k, int part) {
    const bool second = part == 1 && edge.layout == Layout::kSplit;
    return data_[second ? 1 : 0]->template as<T>()[at(line, k, part)];
  }
  void mark(std::int64_t line, int k) {
    used_[0][static_cast<std::size_t>(at(line, k, 0))] = 1;
    if (has_im(k)) used_[is_split(way_) ? 1 : 0][static_cast<std::size_t>(at(line, k, 1))] = 1;
  }
  bool gap_touched() const {
    return data_[0]->first_touched_gap(used_[0], sizeof(T)).has_value() ||
           (data_[1] != nullptr && data_[1]->first_touched_gap(used_[1], sizeof(T)).has_value());
  }
  SlotAddress address() { return {data_[0]->data(), data_[1] == nullptr ? nullptr : data_[1]->data()}; }

  Edge edge;
  std::int64_t step = 0;  // between lines

 private:
  std::size_t at(std::int64_t line, int k, int part) const {
    if (part == 1 && is_half(way_)) return static_cast<std::size_t>(line * step + (n_ - k) * edge.point_stride);
    return static_cast<std::size_t>(line * step + k * edge.point_stride + (part == 1 && !is_split(way_) ? edge.im_offset : 0));
  }
  int n_;
  bool is_complex_;
  Way way_;
  std::unique_ptr<GuardedBuffer> data_[2];
  std::vector<std::uint8_t> used_[2];
};

template <typename T>
using Lines = std::vector<std::vector<std::complex<T>>>;

struct How {
  Way in = Way::kRows, out = Way::kRows;
  bool swap_in = false, swap_out = false;
  double scale = 1.0;
  bool in_lanes = false;   // the lines are lanes instead of positions
  std::int64_t run = 0;    // so many lines are lanes, and the runs positions
  bool in_middle = false;  // of axes[1]
};

template <typename T>
Lines<T> run(const CodeletInfo& codelet, const Lines<T>& data, const How& how, const std::string& place) {
  const BodyFacts& body = *codelet.body;
  const auto lines = static_cast<std::int64_t>(data.size());
  End<T> from(body.radix, has_complex_input(body.transform), lines, how.in);
  End<T> to(body.radix, has_complex_output(body.transform), lines, how.out);
  for (std::int64_t l = 0; l < lines; ++l) {
    for (int k = 0; k < input_points(body.transform, body.radix); ++k) {
      const std::complex<T> value = data[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)];
      from.part(l, k, 0) = value.real();
      if (from.has_im(k)) from.part(l, k, 1) = value.imag();
    }
    for (int k = 0; k < output_points(body.transform, body.radix); ++k) to.mark(l, k);
  }
  PassArgs args;
  args.in = from.edge;
  args.out = to.edge;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  args.in.swap = how.swap_in;
  args.out.swap = how.swap_out;
  args.scale = how.scale;
  if (how.in_lanes || how.run > 0) {
    const std::int64_t run = how.run > 0 ? how.run : lines;
    args.axes[how.in_middle ? 1 : 0] = {lines / run, run * from.step, run * to.step, 0};
    args.lanes = run;
    args.in.lane_stride = from.step;
    args.out.lane_stride = to.step;
  } else {
    args.axes[0] = {lines, from.step, to.step, 0};
  }
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)] = from.address();
  buffers.slot[static_cast<int>(Slot::kOut)] = to.address();
  codelet.run(args, buffers, 0, args.axes[0].count);
  EXPECT_FALSE(to.gap_touched()) << place << " wrote outside its elements";
  Lines<T> result(data.size());
  for (std::int64_t l = 0; l < lines; ++l) {
    for (int k = 0; k < output_points(body.transform, body.radix); ++k) {
      result[static_cast<std::size_t>(l)].emplace_back(to.part(l, k, 0), to.has_im(k) ? to.part(l, k, 1) : T(0));
    }
  }
  return result;
}

// Reals have im = 0. What c2r does not read of its input is NaN.
template <typename T>
Lines<T> random_lines(const BodyFacts& body, std::int64_t lines) {
  Lines<T> data;
  for (std::int64_t l = 0; l < lines; ++l) {
    const auto points = static_cast<std::size_t>(input_points(body.transform, body.radix));
    data.push_back(random_signal<T>(points, static_cast<std::uint64_t>(100 * lines + l)));
    for (std::size_t k = 0; k < data.back().size(); ++k) {
      if (!has_complex_input(body.transform)) data.back()[k].imag(0);
      else if (is_real_point(static_cast<int>(k), body.radix)) data.back()[k].imag(std::numeric_limits<T>::quiet_NaN());
    }
  }
  return data;
}

template <typename T>
bool same_bits(const Lines<T>& a, const Lines<T>& b) {
  for (std::size_t l = 0; l < a.size(); ++l) {
    if (first_difference<std::complex<T>>(a[l], b[l]).has_value()) return false;
  }
  return a.size() == b.size();
}

// ---- the definition: real_transform.h

DoubleDouble cosine(int k, int n) { return circle_point(static_cast<std::uint64_t>(k % n), static_cast<std::uint64_t>(n)).re; }
DoubleDouble sine(int k, int n) { return -circle_point(static_cast<std::uint64_t>(k % n), static_cast<std::uint64_t>(n)).im; }

// What input j is multiplied by in output k, as a complex number of which a transform of reals to reals takes re.
ComplexDD coefficient(RealTransform transform, int n, int j, int k) {
  const DoubleDouble one(1.0), two(2.0), sign(k % 2 == 0 ? 1.0 : -1.0), zero(0.0);
  switch (transform) {
    case kR2C: return {cosine(j * k, n), -sine(j * k, n)};
    case kC2R: return {(is_real_point(j, n) ? one : two) * cosine(j * k, n), (is_real_point(j, n) ? one : two) * sine(j * k, n)};
    case kDHT: return {cosine(j * k, n) + sine(j * k, n), zero};
    case kRedft00: return {j == 0 ? one : j == n - 1 ? sign : two * cosine(j * k, 2 * (n - 1)), zero};
    case kRedft10: return {two * cosine((2 * j + 1) * k, 4 * n), zero};
    case kRedft01: return {j == 0 ? one : two * cosine(j * (2 * k + 1), 4 * n), zero};
    case kRedft11: return {two * cosine((2 * j + 1) * (2 * k + 1), 8 * n), zero};
    case kRodft00: return {two * sine((j + 1) * (k + 1), 2 * (n + 1)), zero};
    case kRodft10: return {two * sine((2 * j + 1) * (k + 1), 4 * n), zero};
    case kRodft01: return {j == n - 1 ? sign : two * sine((j + 1) * (2 * k + 1), 4 * n), zero};
    case kRodft11: return {two * sine((2 * j + 1) * (2 * k + 1), 8 * n), zero};
    default: ADD_FAILURE() << "a transform without a body"; return {zero, zero};
  }
}

// By output, then by input.
const std::vector<std::vector<ComplexDD>>& matrix(RealTransform transform, int n) {
  static std::map<std::pair<RealTransform, int>, std::vector<std::vector<ComplexDD>>> known;
  auto& rows = known[{transform, n}];
  for (int k = static_cast<int>(rows.size()); k < output_points(transform, n); ++k) {
    rows.emplace_back();
    for (int j = 0; j < input_points(transform, n); ++j) rows.back().push_back(coefficient(transform, n, j, k));
  }
  return rows;
}

template <typename T>
std::vector<ComplexDD> definition(RealTransform transform, int n, const std::vector<std::complex<T>>& x) {
  std::vector<ComplexDD> y(static_cast<std::size_t>(output_points(transform, n)), ComplexDD{DoubleDouble(0.0), DoubleDouble(0.0)});
  for (std::size_t k = 0; k < y.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const ComplexDD& c = matrix(transform, n)[k][j];
      const DoubleDouble re(static_cast<double>(x[j].real()));
      y[k].re = y[k].re + re * c.re;
      if (has_complex_output(transform)) y[k].im = y[k].im + re * c.im;
      if (has_complex_input(transform) && !is_real_point(static_cast<int>(j), n))
        y[k].re = y[k].re - DoubleDouble(static_cast<double>(x[j].imag())) * c.im;
    }
    if (has_complex_output(transform) && is_real_point(static_cast<int>(k), n)) y[k].im = DoubleDouble(0.0);
  }
  return y;
}

// Calls visit(target, codelet) for every codelet of kReal; returns how many there were.
template <typename Visit>
std::size_t each_real_codelet(const Visit& visit) {
  std::size_t count = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const CodeletInfo& codelet : target.table.codelets) {
      if (codelet.kind != PassKind::kReal || codelet.compute > ComputeType::kF64) continue;
      ++count;
      if (codelet.compute == ComputeType::kF32) visit(target, codelet, float());
      if (codelet.compute == ComputeType::kF64) visit(target, codelet, double());
    }
  }
  return count;
}

std::int64_t width(const RegisteredTarget& target, const CodeletInfo& codelet) {
  return codelet.compute == ComputeType::kF32 ? target.table.lanes_f32 : target.table.lanes_f64;
}

bool has_vectors_with_fma() {
  const auto targets = registered_targets();
  return std::any_of(targets.begin(), targets.end(), [](const RegisteredTarget& target) {
    return std::string(target.table.backend) == "hwy" && target.available && target.table.has_fma;
  });
}

// The claim is measured with FMA.
TEST(RealBodies, ComputeTheirDefinitionWithTheErrorTheyClaim) {
  const std::size_t checked = each_real_codelet([](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const BodyFacts& body = *codelet.body;
    const std::int64_t lines = 2048 / output_points(body.transform, body.radix) + 5;
    const Lines<T> data = random_lines<T>(body, lines);
    const Lines<T> result = run<T>(codelet, data, {}, where(target, codelet));
    ErrorSum sum;
    for (std::size_t l = 0; l < data.size(); ++l) {
      const std::vector<ComplexDD> expected = definition(body.transform, body.radix, data[l]);
      for (std::size_t k = 0; k < expected.size(); ++k) sum.add(result[l][k], expected[k]);
    }
    const double claimed = (codelet.compute == ComputeType::kF32 ? body.f32 : body.f64).rms * Storage<T>::kUnitRoundoff;
    if (target.table.has_fma) {
      EXPECT_NEAR(sum.relative_l2(), claimed, 0.12 * claimed) << where(target, codelet);
    } else {
      EXPECT_LE(sum.relative_l2(), 1.6 * claimed) << where(target, codelet) << " (without FMA)";
    }
  });
  EXPECT_GE(checked, 100U);
}

// Two reals of a pair without FMA round more often; the same bits are asked of what has it.
TEST(RealBodies, HaveTheBitsOfTheReferenceWhereThereIsFma) {
  const CodeletTable& reference = registered_targets().back().table;
  std::size_t compared = 0;
  each_real_codelet([&](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    if (!target.table.has_fma || std::string(target.table.target) == reference.target) return;
    const auto other = std::find_if(reference.codelets.begin(), reference.codelets.end(), [&](const CodeletInfo& info) {
      return info.kind == PassKind::kReal && info.compute == codelet.compute && info.body == codelet.body;
    });
    ASSERT_NE(other, reference.codelets.end()) << where(target, codelet);
    const Lines<T> data = random_lines<T>(*codelet.body, 2 * width(target, codelet) + 3);
    for (const How& how : {How{}, How{.scale = 0.3}, How{.swap_in = true, .swap_out = true, .scale = 3}}) {
      EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, how, ""), run<T>(*other, data, how, "")))
          << where(target, codelet) << " scale " << how.scale;
    }
    ++compared;
  });
  EXPECT_EQ(compared > 0, has_vectors_with_fma());
}

TEST(RealBodies, HaveOneResultForEveryWayAndNumberOfLines) {
  Sampler cases(3);
  each_real_codelet([&cases](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const std::int64_t w = width(target, codelet);
    std::vector<std::int64_t> counts{1, 3};
    if (w > 2) counts.insert(counts.end(), {w - 1, 2 * w + w / 2 + 1});
    if (w > 2 && codelet.body->radix == 4) counts.push_back(16 * 1024 / static_cast<std::int64_t>(sizeof(T)) + 1);  // more than tiles hold
    for (const std::int64_t lines : counts) {
      if (!cases.next()) continue;
      const Lines<T> data = random_lines<T>(*codelet.body, lines);
      const Lines<T> plain = run<T>(codelet, data, {}, where(target, codelet));
      const Lines<T> scaled = run<T>(codelet, data, {.scale = 0.3}, where(target, codelet));
      for (const Way way : kWays) {
        const std::string place = at_way(where(target, codelet), lines, way);
        EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, {.in = way, .out = way, .in_lanes = true}, place), plain)) << place;
        EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, {.in = way, .scale = 0.3}, place), scaled)) << place << " at the input, scaled";
        EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, {.out = way, .scale = 0.3}, place), scaled)) << place << " at the output, scaled";
      }
    }
  });
}

TEST(RealBodies, HaveOneResultForLinesInRuns) {
  Sampler cases(3);
  each_real_codelet([&cases](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const std::int64_t w = width(target, codelet);
    std::vector<std::int64_t> runs{2, 3, 5};
    if (w > 2) runs.insert(runs.end(), {w / 2, w - 1});
    const std::int64_t tile = codelet.body->radix == 4 ? 16 * 1024 / static_cast<std::int64_t>(sizeof(T)) : 0;  // more than tiles hold
    for (const std::int64_t run_lines : runs) {
      if (!cases.next()) continue;
      const std::int64_t lines = (tile / run_lines + 7) * run_lines;
      const Lines<T> data = random_lines<T>(*codelet.body, lines);
      for (How how : {How{}, How{.swap_in = true, .swap_out = true, .scale = 0.3}}) {
        const Lines<T> expected = run<T>(codelet, data, how, where(target, codelet));
        for (const Way way : kWays) {
          how.in = how.out = way;
          how.run = run_lines;
          const std::string place = at_way(where(target, codelet), run_lines, way) + " in runs";
          EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, how, place), expected)) << place;
          how.in_middle = !how.in_middle;
          EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, how, place), expected)) << place;
        }
      }
    }
  });
}

// Negations are exact: an end with swap has the bits of one whose data were changed beforehand or are changed afterwards.
template <typename T>
Lines<T> swapped(Lines<T> lines, const BodyFacts& body, bool is_complex) {
  for (auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (is_complex && !is_real_point(static_cast<int>(k), body.radix)) line[k].imag(-line[k].imag());
      if (!is_complex && k % 2 != 0) line[k].real(-line[k].real());
    }
  }
  return lines;
}

TEST(RealBodies, ChangeSignsWhereAnEndIsSwapped) {
  each_real_codelet([](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const BodyFacts& body = *codelet.body;
    for (const std::int64_t lines : {std::int64_t{1}, width(target, codelet) + 1}) {
      const Lines<T> data = random_lines<T>(body, lines);
      const Lines<T> in = run<T>(codelet, swapped(data, body, has_complex_input(body.transform)), {}, "");
      const Lines<T> both = swapped(in, body, has_complex_output(body.transform));
      for (const Way way : kWays) {
        const std::string place = at_way(where(target, codelet), lines, way);
        EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, {.in = way, .swap_in = true}, place), in)) << place;
        EXPECT_TRUE(same_bits<T>(run<T>(codelet, data, {.in = way, .out = way, .swap_in = true, .swap_out = true}, place), both)) << place;
      }
    }
  });
}

// An end runs from its last real to its first.
template <typename T>
std::vector<T> reversed_run(const CodeletInfo& codelet, const std::vector<T>& x, bool swap_in, bool reverse_in, bool swap_out,
                            bool reverse_out) {
  const std::int64_t n = codelet.body->radix;
  std::vector<T> from = x, to(x.size());
  PassArgs args;
  const auto set = [n](Edge& edge, Slot slot, bool swap, bool reverses) {
    edge.slot = slot;
    edge.swap = swap;
    edge.offset = reverses ? n - 1 : 0;
    edge.point_stride = reverses ? -1 : 1;
  };
  set(args.in, Slot::kIn, swap_in, reverse_in);
  set(args.out, Slot::kOut, swap_out, reverse_out);
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)] = {from.data(), nullptr};
  buffers.slot[static_cast<int>(Slot::kOut)] = {to.data(), nullptr};
  codelet.run(args, buffers, 0, 1);
  return to;
}

TEST(RealBodies, OfCosinesComputeSinesByTheirEnds) {
  std::size_t checked = 0;
  each_real_codelet([&](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const BodyFacts& body = *codelet.body;
    if (body.transform < kRedft10 || body.transform > kRedft11) return;
    const RealTransform sine = body.transform == kRedft10 ? kRodft10 : body.transform == kRedft01 ? kRodft01 : kRodft11;
    const std::vector<std::complex<T>> data = random_lines<T>(body, 1)[0];
    std::vector<T> x;
    for (const auto& value : data) x.push_back(value.real());
    const bool second = sine == kRodft10;
    const std::vector<T> y = reversed_run<T>(codelet, x, second, !second, !second, second);
    std::vector<std::complex<T>> got(y.begin(), y.end());
    EXPECT_LE(relative_l2<T>(got, definition(sine, body.radix, data)), theorem_bound<T>(8 * body.radix)) << where(target, codelet);
    ++checked;
  });
  EXPECT_GE(checked, 20U);
}

template <typename T>
void check_in_place(const RegisteredTarget& target, const CodeletInfo& codelet) {
  const BodyFacts& body = *codelet.body;
  const std::int64_t n = body.radix, step = n + 2, lines = 2 * width(target, codelet) + 1;
  const Lines<T> data = random_lines<T>(body, lines);
  const Lines<T> expected = run<T>(codelet, data, {}, "");
  const int in_unit = has_complex_input(body.transform) ? 2 : 1, out_unit = has_complex_output(body.transform) ? 2 : 1;
  std::vector<T> array(static_cast<std::size_t>(lines * step));
  for (std::int64_t l = 0; l < lines; ++l) {
    for (std::size_t k = 0; k < data[0].size(); ++k) {
      T* const at = array.data() + l * step + in_unit * static_cast<std::int64_t>(k);
      at[0] = data[static_cast<std::size_t>(l)][k].real();
      if (in_unit == 2) at[1] = data[static_cast<std::size_t>(l)][k].imag();
    }
  }
  PassArgs args;
  args.in.point_stride = in_unit;
  args.out.point_stride = out_unit;
  args.axes[0] = {lines, step, step, 0};
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)] = {array.data(), nullptr};
  args.out.slot = Slot::kIn;
  codelet.run(args, buffers, 0, lines);
  Lines<T> result(data.size());
  for (std::int64_t l = 0; l < lines; ++l) {
    for (std::size_t k = 0; k < expected[0].size(); ++k) {
      const T* const at = array.data() + l * step + out_unit * static_cast<std::int64_t>(k);
      result[static_cast<std::size_t>(l)].emplace_back(at[0], out_unit == 2 ? at[1] : T(0));
    }
  }
  EXPECT_TRUE(same_bits<T>(result, expected)) << where(target, codelet) << " in place";
}

TEST(RealBodies, MayWriteWhereTheyRead) {
  each_real_codelet([](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    check_in_place<decltype(zero)>(target, codelet);
  });
}

TEST(RealBodies, CalledDirectlyHaveTheSameBits) {
  std::size_t called = 0;
  each_real_codelet([&](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    if (codelet.direct == nullptr) return;
    ++called;
    const BodyFacts& body = *codelet.body;
    const Lines<T> data = random_lines<T>(body, 1);
    End<T> from(body.radix, has_complex_input(body.transform), 1, Way::kRows);
    End<T> to(body.radix, has_complex_output(body.transform), 1, Way::kRows);
    for (int k = 0; k < input_points(body.transform, body.radix); ++k) {
      from.part(0, k, 0) = data[0][static_cast<std::size_t>(k)].real();
      if (from.has_im(k)) from.part(0, k, 1) = data[0][static_cast<std::size_t>(k)].imag();
    }
    void *const in = from.address().re, *const out = to.address().re;
    EXPECT_EQ(codelet.direct({codelet.direct, nullptr}, in, in, out, out, nullptr), 0);
    Lines<T> result(1);
    for (int k = 0; k < output_points(body.transform, body.radix); ++k) {
      to.mark(0, k);
      result[0].emplace_back(to.part(0, k, 0), to.has_im(k) ? to.part(0, k, 1) : T(0));
    }
    EXPECT_FALSE(to.gap_touched()) << where(target, codelet);
    EXPECT_TRUE(same_bits<T>(result, run<T>(codelet, data, {}, ""))) << where(target, codelet);
  });
  EXPECT_EQ(called > 0, has_vectors_with_fma());
}

// With a table: signs at one end of the cosines, and the other one backwards.
TEST(RealBodies, CalledDirectlyAreSinesAsWell) {
  std::size_t called = 0;
  each_real_codelet([&](const RegisteredTarget& target, const CodeletInfo& codelet, auto zero) {
    using T = decltype(zero);
    const RealTransform transform = codelet.body->transform;
    const bool is_type_2 = transform == RealTransform::kRedft10;
    if (codelet.direct == nullptr || (!is_type_2 && transform != RealTransform::kRedft01 && transform != RealTransform::kRedft11)) return;
    ++called;
    const auto n = static_cast<std::size_t>(codelet.body->radix);
    const Lines<T> data = random_lines<T>(*codelet.body, 1);
    std::vector<T> in(n), turned(n), out(n), expected(n);
    const auto negated = [](std::size_t j, T x) { return j % 2 == 1 ? -x : x; };
    for (std::size_t j = 0; j < n; ++j) {
      in[j] = data[0][j].real();
      if (is_type_2) turned[j] = negated(j, in[j]);
      else turned[n - 1 - j] = in[j];
    }
    codelet.direct({codelet.direct, nullptr}, turned.data(), turned.data(), expected.data(), expected.data(), nullptr);
    codelet.direct({codelet.direct, &n}, in.data(), in.data(), out.data(), out.data(), nullptr);
    for (std::size_t k = 0; k < n; ++k) {
      const T sine = is_type_2 ? expected[n - 1 - k] : negated(k, expected[k]);
      EXPECT_EQ(std::memcmp(&sine, &out[k], sizeof(T)), 0) << where(target, codelet) << " " << k;
    }
    codelet.direct({codelet.direct, &n}, in.data(), in.data(), in.data(), in.data(), nullptr);
    EXPECT_EQ(in, out) << where(target, codelet) << " in place";
  });
  EXPECT_EQ(called > 0, has_vectors_with_fma());
}

}  // namespace
}  // namespace ulpfft::test

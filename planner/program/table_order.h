// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Tables of a program, by their meaning. Link fills them; facts count their bytes without that.
#ifndef ULPFFT_PLANNER_PROGRAM_TABLE_ORDER_H_
#define ULPFFT_PLANNER_PROGRAM_TABLE_ORDER_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "planner/table/line_table.h"
#include "planner/table/r2r_table.h"
#include "planner/table/twiddle_table.h"
#include "planner/table/window_table.h"
#include "wisdom/recipe.h"
#include "wisdom/zoom.h"

namespace ulpfft {

// w^(k1 j2) of a matrix of n1 rows and n2 columns, column after column.
struct LineTwiddles {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t kept = 1;  // columns that the table has
  bool operator==(const LineTwiddles&) const = default;
};

// exp(-pi i j^2 / n).
struct Chirp {
  std::int64_t n = 1;
  bool operator==(const Chirp&) const = default;
};

// The factors of the inputs of a chirp transform, or those of its outputs.
struct ZoomChirp {
  Zoom zoom;
  std::int64_t inputs = 1;
  bool output = false;
  std::int64_t count() const { return output && zoom.points != 0 ? zoom.points : inputs; }
  bool operator==(const ZoomChirp&) const = default;
};

// The spectrum of a filter of m points for a line of n. `child`: by which it is transformed where that is done in f64; else null.
struct FilterSpectrum {
  enum class Kind : std::uint8_t { kRader, kBluestein, kZoom };
  Kind kind = Kind::kRader;
  std::int64_t n = 1;
  std::int64_t m = 1;
  Zoom zoom = {};  // kZoom
  std::shared_ptr<const Node> child = {};
  std::int64_t outputs() const { return zoom.points != 0 ? zoom.points : n; }
  friend bool operator==(const FilterSpectrum& a, const FilterSpectrum& b) {
    return a.kind == b.kind && a.n == b.n && a.m == b.m && a.zoom == b.zoom &&
           (a.child == b.child || (a.child && b.child && *a.child == *b.child));
  }
};

// w^k, k = 0 .. n/4, of a real transform of even n; halved: of kUntangle, which takes half of each value.
struct RealTwiddles {
  std::int64_t n = 2;
  bool halved = false;
  const FormatInfo* element = nullptr;  // of a rounded scheme
  bool operator==(const RealTwiddles&) const = default;
};

using TableOrder = std::variant<TwiddleRequest, TwistRequest, LineTwiddles, Chirp, ZoomChirp, FilterSpectrum, RealTwiddles, FoldTwiddles,
                                PairTwiddles, PickFactors, WindowFactors>;

// Told without making it.
double bytes_of_table(const TableOrder& order, ComputeType compute);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_TABLE_ORDER_H_

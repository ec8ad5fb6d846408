// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// kReal: bodies of real transforms over the lines of a pass.
//
// A vector holds one real of W lines. Lines whose neighbours are adjacent reals are read and written where they lie; others, and those that
// are scaled or change signs, go through tiles of W lines, by transposes where their own reals are adjacent. Of runs of adjacent lines that
// are shorter than W, several fill a tile. As many tiles as fit L1 are filled, then transformed, then emptied: a vector that is loaded soon
// after its parts were stored would wait for them. Rows of short bodies, and one or two lines, run on scalar lanes where the body has a
// form for that. See real_ends.h for rows and parts.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/body_constant.h"
#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/real_ends.h"
#include "codelets/hwy/chunks-inl.h"

#if defined(ULPFFT_CODELETS_HWY_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_REAL_INL_H_
#undef ULPFFT_CODELETS_HWY_REAL_INL_H_
#else
#define ULPFFT_CODELETS_HWY_REAL_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// ---- ports: what a body loads without im has none, what it stores without im has 0 there

template <class D>
struct RealIn {
  using T = hn::TFromD<D>;
  const T* re;
  const T* im;
  std::int64_t stride;
  HWY_INLINE hn::Vec<D> load(int j) const { return hn::LoadU(D(), re + j * stride); }
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    x = hn::LoadU(D(), re + j * stride);
    y = hn::LoadU(D(), im + j * stride);
  }
};
// kZeros: numbers without im are stored as such.
template <class D, bool kZeros>
struct RealOut {
  using T = hn::TFromD<D>;
  T* re;
  T* im;
  std::int64_t stride;
  HWY_INLINE void store(int j, hn::Vec<D> x) const {
    hn::StoreU(x, D(), re + j * stride);
    if constexpr (kZeros) hn::StoreU(hn::Zero(D()), D(), im + j * stride);
  }
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    hn::StoreU(x, D(), re + j * stride);
    hn::StoreU(y, D(), im + j * stride);
  }
};

// ---- bodies

// Transforms a vector of lines.
template <class T, class Body>
HWY_NOINLINE void real_lanes(const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride) {
  using D = hn::ScalableTag<T>;
  const RealIn<D> in{static_cast<const T*>(re), static_cast<const T*>(im), stride};
  RealOut<D, has_complex_output(Body::kTransform)> out{static_cast<T*>(out_re), static_cast<T*>(out_im), out_stride};
  const NoTable none;
  Body::run(D(), in, none, out);
}

// One line of kN adjacent reals from its end, or in order with the reals of odd index negated: of sines, by cosines (kReal in codelet.h).
template <class D, int kN, bool kBackwards>
struct SinesIn {
  const hn::TFromD<D>* re;
  HWY_INLINE hn::Vec<D> load(int j) const {
    const auto x = hn::LoadU(D(), re + (kBackwards ? kN - 1 - j : j));
    return !kBackwards && j % 2 != 0 ? hn::Neg(x) : x;
  }
};
template <class D, int kN, bool kBackwards>
struct SinesOut {
  hn::TFromD<D>* re;
  HWY_INLINE void store(int j, hn::Vec<D> x) const {
    hn::StoreU(!kBackwards && j % 2 != 0 ? hn::Neg(x) : x, D(), re + (kBackwards ? kN - 1 - j : j));
  }
};

constexpr bool has_sines(RealTransform t) {
  return t == RealTransform::kRedft10 || t == RealTransform::kRedft01 || t == RealTransform::kRedft11;
}

// Adjacent reals and numbers. A call with a table is that of the sines of the same type.
template <class T, class Body>
int real_direct(const DirectCall& call, void* from, void*, void* to, void*, void*) {
  using D = hn::CappedTag<T, 1>;
  constexpr int kIn = has_complex_input(Body::kTransform) ? 2 : 1, kOut = has_complex_output(Body::kTransform) ? 2 : 1;
  const T* const p = static_cast<const T*>(from);
  T* const q = static_cast<T*>(to);
  if constexpr (has_sines(Body::kTransform)) {
    if (call.table != nullptr) {
      constexpr bool kIsType2 = Body::kTransform == RealTransform::kRedft10;
      const SinesIn<D, Body::kRadix, !kIsType2> in{p};
      SinesOut<D, Body::kRadix, kIsType2> out{q};
      const NoTable none;
      Body::run(D(), in, none, out);
      return 0;
    }
  }
  const RealIn<D> in{p, p + 1, kIn};
  RealOut<D, kOut == 2> out{q, q + 1, kOut};
  const NoTable none;
  Body::run(D(), in, none, out);
  return 0;
}

// ---- between lines and tiles

// `to` becomes the transpose of `from`, `rows` by `columns`, both at least V; `stride`: between rows, in reals. Blocks of V by V, the last
// ones over those before them where V does not divide.
template <class T, int kV>
HWY_INLINE void transpose_reals(const T* from, std::int64_t stride, T* to, std::int64_t to_stride, int rows, int columns, T scale) {
  const hn::CappedTag<T, kV> d;
  using D = hn::CappedTag<T, kV>;
  for (int r = 0; r < rows; r += kV) {
    const int row = std::min(r, rows - kV);
    for (int c = 0; c < columns; c += kV) {
      const int column = std::min(c, columns - kV);
      const T* const p = from + row * stride + column;
      T* const q = to + column * to_stride + row;
#if ULPFFT_HWY_SIZELESS
      HWY_ALIGN T scaled[kV * kV];
      for (int l = 0; l < kV; ++l) hn::Store(hn::Mul(hn::LoadU(d, p + l * stride), hn::Set(d, scale)), d, scaled + l * kV);
      transpose_memory(D(), [&](int l) HWY_ATTR { return scaled + l * kV; }, [&](int l) HWY_ATTR { return q + l * to_stride; });
#else
      hn::Vec<D> v[kV];
      HWY_UNROLL(16)
      for (int l = 0; l < kV; ++l) v[l] = hn::Mul(hn::LoadU(d, p + l * stride), hn::Set(d, scale));
      transpose(d, v);
      HWY_UNROLL(16)
      for (int l = 0; l < kV; ++l) hn::StoreU(v[l], d, q + l * to_stride);
#endif
    }
  }
}

// By the largest blocks that fit, and what is left by smaller ones where that is at most half a block.
template <class T, int kV>
HWY_NOINLINE void transpose_reals_by(const T* from, std::int64_t stride, T* to, std::int64_t to_stride, int rows, int columns, T scale) {
  if constexpr (kV == 1) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) to[c * to_stride + r] = from[r * stride + c] * scale;
    }
  } else {
    if (std::min(rows, columns) < kV) return transpose_reals_by<T, kV / 2>(from, stride, to, to_stride, rows, columns, scale);
    const int more_rows = 2 * (rows % kV) > kV ? 0 : rows % kV, more_columns = 2 * (columns % kV) > kV ? 0 : columns % kV;
    const int whole_rows = rows - more_rows, whole_columns = columns - more_columns;
    transpose_reals<T, kV>(from, stride, to, to_stride, whole_rows, whole_columns, scale);
    if (more_rows > 0) {
      transpose_reals_by<T, kV / 2>(from + whole_rows * stride, stride, to + whole_rows, to_stride, more_rows, columns, scale);
    }
    if (more_columns > 0) {
      T* const rest = to + whole_columns * to_stride;
      transpose_reals_by<T, kV / 2>(from + whole_columns, stride, rest, to_stride, whole_rows, more_columns, scale);
    }
  }
}
template <class T>
HWY_NOINLINE void transpose_any(const T* from, std::int64_t stride, T* to, std::int64_t to_stride, int rows, int columns, T scale) {
  transpose_reals_by<T, lanes_of<hn::ScalableTag<T>>()>(from, stride, to, to_stride, rows, columns, scale);
}

enum class RealWay : std::uint8_t {
  kInPlace,   // the body reads or writes the lines themselves: not in the order of R2HC, where im that is 0 has no place
  kRows,      // the reals of a line are adjacent, or its interleaved numbers
  kTwoRows,   // re and im of a line are rows of their own
  kNumbers,   // numbers of neighbouring lines are adjacent and interleaved
  kReals,     // reals of neighbouring lines are adjacent
  kAny,
};

// How chunks of whole vectors pass an end. `plain`: nothing is scaled.
template <class T>
RealWay way_of(const Edge& edge, const RealEnd<T>& end, std::int64_t step, bool plain) {
  const std::int64_t stride = end.parts[0].stride;
  const bool interleaved = end.is_complex && edge.layout == Layout::kPaired && edge.im_offset == 1 && !edge.half_complex;
  if (step == 1) return plain && !edge.swap && !edge.half_complex ? RealWay::kInPlace : RealWay::kReals;
  if (interleaved && step == 2) return RealWay::kNumbers;
  if (stride == 1 && !end.is_complex) return RealWay::kRows;
  if (interleaved && stride == 2) return RealWay::kRows;
  return end.is_complex && stride == 1 && end.parts[1].stride == 1 ? RealWay::kTwoRows : RealWay::kAny;
}

template <class T>
void negate_rows(T* tile, const RealPart<T>& part, int n) {
  if (!part.negated && !part.alternates) return;
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  for (int j = part.first; j < part.first + part.count; ++j) {
    if (!part.negates(j) || (part.row == 1 && is_real_point(j, n))) continue;
    T* const row = tile + (j * part.row_step + part.row) * kW;
    hn::Store(hn::Neg(hn::Load(d, row)), d, row);
  }
}

// One line is broadcast: a vector that is loaded from narrower stores would wait for them.
template <class T>
HWY_NOINLINE void fill_real_tile(T* tile, const RealEnd<T>& end, RealWay way, std::int64_t step, int lanes, T scale, int n) {
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  const auto factor = hn::Set(d, scale);
  const RealPart<T>&re = end.parts[0], &im = end.parts[1];
  if (lanes == 1) {
    for (const RealPart<T>& part : end.parts) {
      for (int j = part.first; j < part.first + part.count; ++j) {
        hn::Store(hn::Set(d, part.at[j * part.stride] * (part.negates(j) ? -scale : scale)), d, tile + (j * part.row_step + part.row) * kW);
      }
    }
    return;
  }
  if (lanes < kW) std::fill(tile, tile + end.rows * kW, T(0));
  const bool whole = lanes == kW;
  if (way == RealWay::kRows) {
    transpose_any<T>(re.at, step, tile, kW, lanes, end.rows, scale);
  } else if (way == RealWay::kTwoRows) {
    transpose_any<T>(re.at, step, tile, 2 * kW, lanes, re.count, scale);
    transpose_any<T>(im.at, step, tile + kW, 2 * kW, lanes, im.count, scale);
  } else if (way == RealWay::kNumbers && whole) {
    for (int j = 0; j < re.count; ++j) {
      hn::Vec<hn::ScalableTag<T>> x, y;
      hn::LoadInterleaved2(d, re.at + j * re.stride, x, y);
      hn::Store(hn::Mul(x, factor), d, tile + 2 * j * kW);
      hn::Store(hn::Mul(y, factor), d, tile + (2 * j + 1) * kW);
    }
  } else if (way == RealWay::kReals && whole) {
    for (const RealPart<T>& part : end.parts) {
      for (int j = part.first; j < part.first + part.count; ++j) {
        hn::Store(hn::Mul(hn::LoadU(d, part.at + j * part.stride), factor), d, tile + (j * part.row_step + part.row) * kW);
      }
    }
  } else {
    for (const RealPart<T>& part : end.parts) fill_real_rows<T>(tile, kW, part, step, lanes, scale);
    return;
  }
  for (const RealPart<T>& part : end.parts) negate_rows(tile, part, n);
}

template <class T>
HWY_NOINLINE void empty_real_tile(T* tile, const RealEnd<T>& end, RealWay way, std::int64_t step, int lanes, int n) {
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  const RealPart<T>&re = end.parts[0], &im = end.parts[1];
  const bool whole = lanes == kW;
  const bool transposes = lanes > 1 && (way == RealWay::kRows || way == RealWay::kTwoRows);
  if (!transposes && !(whole && (way == RealWay::kNumbers || way == RealWay::kReals))) {
    for (const RealPart<T>& part : end.parts) empty_real_rows<T>(tile, kW, part, step, lanes, n);
    return;
  }
  for (const RealPart<T>& part : end.parts) negate_rows(tile, part, n);
  if (way == RealWay::kRows) {
    transpose_any<T>(tile, kW, re.at, step, end.rows, lanes, T(1));
  } else if (way == RealWay::kTwoRows) {
    transpose_any<T>(tile, 2 * kW, re.at, step, re.count, lanes, T(1));
    transpose_any<T>(tile + kW, 2 * kW, im.at, step, im.count, lanes, T(1));
  } else if (way == RealWay::kNumbers) {
    for (int j = 0; j < re.count; ++j) {
      hn::StoreInterleaved2(hn::Load(d, tile + 2 * j * kW), hn::Load(d, tile + (2 * j + 1) * kW), d, re.at + j * re.stride);
    }
  } else {
    for (const RealPart<T>& part : end.parts) {
      for (int j = part.first; j < part.first + part.count; ++j) {
        hn::StoreU(hn::Load(d, tile + (j * part.row_step + part.row) * kW), d, part.at + j * part.stride);
      }
    }
  }
}

// Runs of adjacent lines, each shorter than a vector.
struct LineRuns {
  std::int64_t count;
  std::int64_t in_step, out_step;  // between runs
  int lines;
};

// A run whose lines begin `by` reals on, and the lanes of a tile from `tile` on. By the longest vectors that a run fills, the last of which
// begins early enough to be whole.
template <class T, int kV>
HWY_NOINLINE void fill_run(T* tile, const RealEnd<T>& end, std::int64_t by, int lines, T scale) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  if constexpr (kV > 1) {
    if (lines < kV) return fill_run<T, kV / 2>(tile, end, by, lines, scale);
  }
  const hn::CappedTag<T, kV> d;
  const int last = lines - kV;
  for (const RealPart<T>& part : end.parts) {
    const T* from = part.at + by + part.first * part.stride;
    T* row = tile + (part.first * part.row_step + part.row) * kW;
    for (int j = part.first; j < part.first + part.count; ++j, from += part.stride, row += part.row_step * kW) {
      const auto factor = hn::Set(d, part.negates(j) ? -scale : scale);
      hn::StoreU(hn::Mul(hn::LoadU(d, from), factor), d, row);
      if (last > 0) hn::StoreU(hn::Mul(hn::LoadU(d, from + last), factor), d, row + last);
    }
  }
}
template <class T, int kV>
HWY_NOINLINE void empty_run(const T* tile, const RealEnd<T>& end, std::int64_t by, int lines, int n) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  if constexpr (kV > 1) {
    if (lines < kV) return empty_run<T, kV / 2>(tile, end, by, lines, n);
  }
  const hn::CappedTag<T, kV> d;
  const int last = lines - kV;
  for (const RealPart<T>& part : end.parts) {
    T* to = part.at + by + part.first * part.stride;
    const T* row = tile + (part.first * part.row_step + part.row) * kW;
    for (int j = part.first; j < part.first + part.count; ++j, to += part.stride, row += part.row_step * kW) {
      const bool negates = part.negates(j) && !(part.row == 1 && is_real_point(j, n));
      const auto move = [&](int at) HWY_ATTR {
        const auto v = hn::LoadU(d, row + at);
        hn::StoreU(negates ? hn::Neg(v) : v, d, to + at);
      };
      move(0);
      if (last > 0) move(last);
    }
  }
}

// ---- the loops of a pass, once for all bodies

struct RealShape {
  int n;
  RealTransform transform;
};

// What lies at a line that begins `by` reals on.
template <class T>
RealEnd<T> moved(RealEnd<T> end, std::int64_t by) {
  end.parts[0].at += by;
  end.parts[1].at += by;
  return end;
}

constexpr int kRealTileBytes = 16 << 10;

// Lines by way of vectors.
template <class T>
class RealPass {
 public:
  RealPass(const PassArgs& args, const Buffers& buffers, RealShape shape, WholeFn body, const RealLoops& loops)
      : shape_(shape),
        body_(body),
        from_(real_end<T>(args.in, parts_of<T>(args.in, buffers), shape.n, has_complex_input(shape.transform))),
        to_(real_end<T>(args.out, parts_of<T>(args.out, buffers), shape.n, has_complex_output(shape.transform))),
        in_step_(loops.in_step),
        out_step_(loops.out_step),
        scale_(static_cast<T>(args.scale)),
        in_way_(way_of(args.in, from_, in_step_, args.scale == 1.0)),
        out_way_(way_of(args.out, to_, out_step_, true)) {}

  // Lines from those that begin so many reals after the first ones.
  void lines(std::int64_t i, std::int64_t o, std::int64_t count) {
    constexpr std::int64_t kW = lanes_of<hn::ScalableTag<T>>();
    const int most = kRealTileBytes / static_cast<int>(sizeof(T) * kW) / rows();
    while (count > 0) {
      const int chunks = static_cast<int>(std::min<std::int64_t>(most, vectors_of(count, static_cast<int>(kW))));
      const std::int64_t done = std::min<std::int64_t>(count, chunks * kW);
      group(i, o, done);
      i += done * in_step_, o += done * out_step_, count -= done;
    }
  }

  // Several runs fill a vector.
  void runs(std::int64_t i, std::int64_t o, const LineRuns& runs) {
    constexpr int kW = lanes_of<hn::ScalableTag<T>>();
    const std::int64_t per = kW / runs.lines, reals = static_cast<std::int64_t>(rows()) * kW;
    const std::int64_t most = kRealTileBytes / static_cast<int>(sizeof(T)) / reals * per;
    for (std::int64_t done = 0; done < runs.count; done += most) {
      const std::int64_t count = std::min(most, runs.count - done);
      const auto each = [&](const auto& visit) HWY_ATTR {
        T* tile = tiles_;
        for (std::int64_t r = 0; r < count; r += per, tile += reals) {
          for (std::int64_t k = r; k < std::min(r + per, count); ++k) visit(tile + (k - r) * runs.lines, done + k);
        }
      };
      if (count % per != 0 || per * runs.lines != kW) std::fill(tiles_, tiles_ + (count + per - 1) / per * reals, T(0));
      each([&](T* tile, std::int64_t k) HWY_ATTR { fill_run<T, kW / 2>(tile, from_, i + k * runs.in_step, runs.lines, scale_); });
      for (std::int64_t r = 0; r < count; r += per) transform_tile(tiles_ + r / per * reals);
      each([&](T* tile, std::int64_t k) HWY_ATTR { empty_run<T, kW / 2>(tile, to_, o + k * runs.out_step, runs.lines, shape_.n); });
    }
  }

 private:
  int rows() const { return std::max(from_.rows, to_.rows); }

  void transform_tile(T* tile) {
    run_body(points_of(tile, from_.is_complex), points_of(tile, to_.is_complex));
  }

  // Rows of so many lines, from the first real on. Transposes read and write several rows by turns, which memory does not foresee.
  static void fetch_rows(const RealEnd<T>& end, RealWay way, std::int64_t step, std::int64_t by, int lanes, bool writes) {
    if (way != RealWay::kRows) return;
    const char* row = reinterpret_cast<const char*>(end.parts[0].at + by);
    for (int l = 0; l < lanes; ++l, row += step * static_cast<std::int64_t>(sizeof(T))) {
      for (int at = 0; at < end.rows * static_cast<int>(sizeof(T)); at += 64) {
        if (writes) __builtin_prefetch(row + at, 1, 3);
        else __builtin_prefetch(row + at, 0, 3);
      }
    }
  }

  // Lines that fit the tiles.
  void group(std::int64_t i, std::int64_t o, std::int64_t lines) {
    constexpr int kW = lanes_of<hn::ScalableTag<T>>();
    const std::int64_t reals = static_cast<std::int64_t>(rows()) * kW;
    const auto each = [&](const auto& visit) HWY_ATTR {
      T* tile = tiles_;
      for (std::int64_t l = 0; l < lines; l += kW, tile += reals) visit(tile, l, static_cast<int>(std::min<std::int64_t>(kW, lines - l)));
    };
    each([&](T* tile, std::int64_t l, int lanes) HWY_ATTR {
      fetch_rows(from_, in_way_, in_step_, i + (l + lines) * in_step_, lanes, false);
      fetch_rows(to_, out_way_, out_step_, o + l * out_step_, lanes, true);
      if (in_way_ == RealWay::kInPlace && lanes == kW) return;
      fill_real_tile<T>(tile, moved(from_, i + l * in_step_), in_way_, in_step_, lanes, scale_, shape_.n);
    });
    each([&](T* tile, std::int64_t l, int lanes) HWY_ATTR {
      const bool reads = in_way_ == RealWay::kInPlace && lanes == kW, writes = out_way_ == RealWay::kInPlace && lanes == kW;
      run_body(reads ? points_of(from_, i + l * in_step_) : points_of(tile, from_.is_complex),
               writes ? points_of(to_, o + l * out_step_) : points_of(tile, to_.is_complex));
    });
    each([&](T* tile, std::int64_t l, int lanes) HWY_ATTR {
      if (out_way_ == RealWay::kInPlace && lanes == kW) return;
      empty_real_tile<T>(tile, moved(to_, o + l * out_step_), out_way_, out_step_, lanes, shape_.n);
    });
  }

  // Where a body finds its points: at an end, or in a tile.
  struct Points {
    T* re;
    T* im;
    std::int64_t stride;
  };
  static Points points_of(const RealEnd<T>& end, std::int64_t by) {
    return {end.parts[0].at + by, end.parts[1].at + by, end.parts[0].stride};
  }
  static Points points_of(T* tile, bool is_complex) {
    constexpr int kW = lanes_of<hn::ScalableTag<T>>();
    return {tile, tile + kW, (is_complex ? 2 : 1) * kW};
  }
  void run_body(const Points& in, const Points& out) const { body_(in.re, in.im, in.stride, out.re, out.im, out.stride); }

  const RealShape shape_;
  const WholeFn body_;
  const RealEnd<T> from_, to_;
  const std::int64_t in_step_, out_step_;
  const T scale_;
  const RealWay in_way_, out_way_;
  HWY_ALIGN T tiles_[kRealTileBytes / sizeof(T)];
};

// Calls visit(in offset, out offset, lines) for every position of the outer loops.
template <class Visit>
HWY_INLINE void each_group_of_lines(const PassArgs& args, const RealLoops& loops, std::int64_t first, const Visit& visit) {
  for (std::int64_t a0 = first; a0 < first + loops.outer; ++a0) {
    for (std::int64_t a1 = 0; a1 < loops.middle; ++a1) {
      visit(a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride, a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride);
    }
  }
}

template <class T>
HWY_NOINLINE void real_vectors(const PassArgs& args, const Buffers& buffers, std::int64_t first, const RealLoops& loops, RealShape shape,
                               WholeFn body) {
  RealPass<T> pass(args, buffers, shape, body, loops);
  if (loops.in_step == 1 && loops.out_step == 1 && loops.lines < lanes_of<hn::ScalableTag<T>>()) {
    const int lines = static_cast<int>(loops.lines);
    const Axis &outer = args.axes[0], &middle = args.axes[1];
    if (loops.middle == 1) {
      return pass.runs(first * outer.in_stride, first * outer.out_stride, {loops.outer, outer.in_stride, outer.out_stride, lines});
    }
    for (std::int64_t a0 = first; a0 < first + loops.outer; ++a0) {
      pass.runs(a0 * outer.in_stride, a0 * outer.out_stride, {middle.count, middle.in_stride, middle.out_stride, lines});
    }
    return;
  }
  each_group_of_lines(args, loops, first, [&](std::int64_t i, std::int64_t o) HWY_ATTR { pass.lines(i, o, loops.lines); });
}

inline bool is_direct(const Edge& edge, bool is_complex) {
  if (edge.swap) return false;
  return is_complex ? edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2 && !edge.half_complex
                    : edge.point_stride == 1;
}

// By whole vectors, the last of which begins early enough to be whole; reals that are no vector one by one.
template <class T>
HWY_INLINE void scale_reals(const T* from, T* to, int count, T scale) {
  const hn::CappedTag<T, 4> d;
  constexpr int kW = lanes_of<hn::CappedTag<T, 4>>();
  if (count < kW) {
    for (int i = 0; i < count; ++i) to[i] = from[i] * scale;
    return;
  }
  for (int i = 0; i < count; i += kW) {
    const int at = std::min(i, count - kW);
    hn::StoreU(hn::Mul(hn::LoadU(d, from + at), hn::Set(d, scale)), d, to + at);
  }
}

// Rows of short bodies run on scalar lanes: transposes would take longer. 64 rows in L1, AVX-512, time of scalar lanes over that of
// vectors: 16 reals f32 1.1, 32 reals f32 1.74; 16 reals f64 0.63, 32 reals f64 0.85.
constexpr std::int64_t kFewLines = 2;
constexpr int kScalarReals = 256;  // of a vector of lines
// DCT-II between reals, likewise: 4 reals f32 0.89, f64 0.58; 6 reals 0.73, 0.50; 8 reals 1.65, 1.08; 16 reals 3.06, 1.65.
constexpr int kScalarCosines = 7;

constexpr bool rows_are_scalar(RealShape shape, int lanes) {
  const bool is_complex = has_complex_input(shape.transform) || has_complex_output(shape.transform);
  return is_complex ? shape.n * lanes <= kScalarReals : shape.n <= kScalarCosines;
}

template <class T>
HWY_NOINLINE void real_lines(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, RealShape shape,
                             WholeFn body, DirectCall::Run direct) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  const RealLoops loops = real_loops(args, count);
  const bool complex_in = has_complex_input(shape.transform);
  const bool scalar = direct != nullptr && (loops.lines <= kFewLines || rows_are_scalar(shape, kW)) &&
                      is_direct(args.in, complex_in) && is_direct(args.out, has_complex_output(shape.transform));
  if (!scalar) return real_vectors<T>(args, buffers, first, loops, shape, body);
  T* const from = parts_of<T>(args.in, buffers).re;
  T* const to = parts_of<T>(args.out, buffers).re;
  each_group_of_lines(args, loops, first, [&](std::int64_t i, std::int64_t o) HWY_ATTR {
    T *p = from + i, *q = to + o;
    for (std::int64_t l = 0; l < loops.lines; ++l, p += loops.in_step, q += loops.out_step) {
      if (HWY_UNLIKELY(args.scale != 1.0)) {
        T scaled[kMostReals + 2];
        scale_reals(p, scaled, complex_in ? 2 * half_points(shape.n) : shape.n, static_cast<T>(args.scale));
        direct({nullptr, nullptr}, scaled, scaled, q, q, nullptr);
      } else {
        direct({nullptr, nullptr}, p, p, q, q, nullptr);
      }
    }
  });
}

// ---- what a table points to

// Bodies that have scalar lanes, for plans that are nothing else: of cosines those of short lines. Their sines are in the same function.
constexpr int kMostDirectCosines = 16, kMostDirectType4 = 8;

template <class Body>
constexpr bool has_direct() {
  if (!ULPFFT_HWY_FMA) return false;
  constexpr RealTransform t = Body::kTransform;
  if (t == RealTransform::kRedft11) return Body::kRadix <= kMostDirectType4;
  if (t == RealTransform::kRedft10 || t == RealTransform::kRedft01) return Body::kRadix <= kMostDirectCosines;
  return t == RealTransform::kR2C || t == RealTransform::kC2R;
}

template <class T, class Body>
void real_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static_assert(Body::kRadix <= kMostReals);
  DirectCall::Run direct = nullptr;
  if constexpr (has_direct<Body>()) direct = &real_direct<T, Body>;
  real_lines<T>(args, buffers, first, count, {Body::kRadix, Body::kTransform}, &real_lanes<T, Body>, direct);
}

// Data, because the calls that make a table take as much text as short bodies.
struct RealFunctions {
  PassFn run;
  WholeFn lanes;
  DirectCall::Run direct;
};

template <class T, class Body>
constexpr RealFunctions real_functions() {
  RealFunctions functions{&real_pass<T, Body>, &real_lanes<T, Body>, nullptr};
  if constexpr (has_direct<Body>()) functions.direct = &real_direct<T, Body>;
  return functions;
}

inline HWY_NOINLINE void add_real_functions(CodeletSink& sink, ComputeType compute, const BodyFacts& body, const RealFunctions& functions) {
  sink.add(PassKind::kReal, compute, body, functions.run, functions.lanes, functions.direct);
}

template <class T, class Body>
void add_real(CodeletSink& sink, const BodyFacts& body) {
  static constexpr RealFunctions kFunctions = real_functions<T, Body>();
  add_real_functions(sink, kComputeTypeOf<T>, body, kFunctions);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle

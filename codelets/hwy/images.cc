// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Images of reals, once per instruction set: the rows of several images are transposed into a tile, which their bodies transform a vector
// at a time; the result is transposed into another tile for the bodies of the columns, and leaves in rows.
//
// A vector that is loaded soon after its parts were stored waits for them. So each step goes over all images of the tiles.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/real_images.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/images.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/real-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Targets without FMA, of processors from before 2013, take two passes: one would gain less there, for 7 KB.
#if ULPFFT_HWY_SIMD && ULPFFT_HWY_FMA

// Matrices in memory: `stride` reals between the rows of one, `step` to the next one.
template <class T>
struct Matrices {
  T* at;
  std::int64_t stride, step;
};

// Smaller blocks are not worth a loop of their own.
constexpr int kLeastBlock = 4;

// `count` matrices of `rows` by `columns` become their transposes, times the scale.
template <class T, int kV = lanes_of<hn::ScalableTag<T>>()>
HWY_NOINLINE void transpose_matrices(Matrices<const T> from, Matrices<T> to, int rows, int columns, std::int64_t count, T scale) {
  if constexpr (kV >= kLeastBlock) {
    if (std::min(rows, columns) < kV) return transpose_matrices<T, kV / 2>(from, to, rows, columns, count, scale);
    if (rows % kV == 0 && columns % kV == 0) {
      for (; count > 0; --count, from.at += from.step, to.at += to.step) {
        transpose_reals<T, kV>(from.at, from.stride, to.at, to.stride, rows, columns, scale);
      }
      return;
    }
  }
  for (; count > 0; --count, from.at += from.step, to.at += to.step) {
    transpose_reals_by<T, kV>(from.at, from.stride, to.at, to.stride, rows, columns, scale);
  }
}

// By the longest vectors that a row fills, the last of which begins early enough to be whole.
template <class T, int kV = lanes_of<hn::ScalableTag<T>>()>
HWY_NOINLINE void copy_matrices(Matrices<const T> from, Matrices<T> to, int rows, int columns, std::int64_t count) {
  if constexpr (kV > 1) {
    if (columns < kV) return copy_matrices<T, kV / 2>(from, to, rows, columns, count);
  }
  const hn::CappedTag<T, kV> d;
  for (; count > 0; --count, from.at += from.step, to.at += to.step) {
    const T* row = from.at;
    T* place = to.at;
    for (int r = 0; r < rows; ++r, row += from.stride, place += to.stride) {
      for (int c = 0; c < columns; c += kV) {
        const int at = std::min(c, columns - kV);
        hn::StoreU(hn::LoadU(d, row + at), d, place + at);
      }
    }
  }
}

// Goes through the rows of images and fetches some at a time. Steps read and write several rows by turns, which memory does not foresee.
template <class T, bool kWrites>
class RowsAhead {
 public:
  RowsAhead(Matrices<const T> images, int rows, int columns)
      : image_(images), row_(images.at), rows_(rows), left_(rows), columns_(columns),
        dense_(images.stride == columns && images.step == rows * images.stride) {}

  HWY_NOINLINE void fetch(int rows) {
    if (dense_) {
      fetch_reals(static_cast<std::int64_t>(rows) * columns_);
      row_ += static_cast<std::int64_t>(rows) * columns_;
      return;
    }
    for (; rows > 0; --rows) {
      fetch_reals(columns_);
      row_ += image_.stride;
      if (--left_ > 0) continue;
      row_ = image_.at += image_.step;
      left_ = rows_;
    }
  }

 private:
  void fetch_reals(std::int64_t reals) const {
    const char* const from = reinterpret_cast<const char*>(row_);
    const std::int64_t bytes = reals * static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + at, kWrites ? 1 : 0, 3);
  }

  Matrices<const T> image_;
  const T* row_;
  const int rows_;
  int left_;
  const int columns_;
  const bool dense_;
};

template <class T>
class Images {
 public:
  Images(const PassArgs& args, const Buffers& buffers)
      : pass_(context_of<ImagePass>(args)),
        n0_(pass_.columns.n),
        n1_(pass_.rows.n),
        from_{parts_of<T>(args.in, buffers).re, args.in.point_stride, args.axes[0].in_stride},
        to_{parts_of<T>(args.out, buffers).re, args.out.point_stride, args.axes[0].out_stride},
        scale_(static_cast<T>(args.scale)),
        fetches_(args.ahead.fetches) {}

  // Groups fill half of the tiles, so that the rows read and written beside them stay in L1.
  void run(std::int64_t first, std::int64_t count) {
    std::int64_t most = std::clamp<std::int64_t>(kReals / 2 / (n0_ * n1_), 1, count);
    while (most > 1 && !images_fit(most, n0_, n1_, kW, sizeof(T))) --most;
    for (const std::int64_t end = first + count; first < end; first += most) group(first, std::min(most, end - first));
  }

 private:
  static constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  static constexpr std::int64_t kReals = kImageTileBytes / sizeof(T);
  static constexpr std::int64_t whole_vectors(std::int64_t reals) { return (reals + kW - 1) / kW * kW; }

  // A row of a tile holds a real of each row of `images`, then one of each column.
  void group(std::int64_t first, std::int64_t images) {
    const std::int64_t pitch1 = whole_vectors(images * n0_), pitch0 = whole_vectors(images * n1_);
    const Matrices<const T> from{from_.at + first * from_.step, from_.stride, from_.step};
    const Matrices<T> to{to_.at + first * to_.step, to_.stride, to_.step};
    if (pitch1 != images * n0_) std::fill(loaded_, loaded_ + n1_ * pitch1, T(0));
    if (from.step == n0_ * from.stride) {
      transpose_matrices<T>(from, {loaded_, pitch1, 0}, static_cast<int>(images) * n0_, n1_, 1, scale_);
    } else {
      transpose_matrices<T>(from, {loaded_, pitch1, n0_}, n0_, n1_, images, scale_);
    }
    change(loaded_, pitch1, n1_, pass_.rows.negates_in, pass_.rows.first_in, pass_.rows.last_in);
    RowsAhead<T, false> read_next({from.at + images * from.step, from.stride, from.step}, n0_, n1_);
    RowsAhead<T, true> written({to.at, to.stride, to.step}, n0_, n1_);
    for (std::int64_t l = 0; l < pitch1; l += kW) {
      if (fetches_) {
        read_next.fetch(kW);
        written.fetch(kW);
      }
      transform(pass_.rows, loaded_ + l, pitch1, done_ + l, pitch1);
    }
    change(done_, pitch1, n1_, pass_.rows.negates_out, pass_.rows.first_out, pass_.rows.last_out);

    if (pitch0 != images * n1_) std::fill(loaded_, loaded_ + n0_ * pitch0, T(0));
    transpose_matrices<T>({done_, pitch1, n0_}, {loaded_, pitch0, n1_}, n1_, n0_, images, T(1));
    const ImageLines& columns = pass_.columns;
    change(loaded_, pitch0, n0_, columns.negates_in, columns.first_in, columns.last_in);
    // Where vectors end with the rows of images, nothing is between the bodies and the output.
    if (n1_ % kW == 0 && !columns.negates_out && columns.first_out == 1 && columns.last_out == 1) {
      for (std::int64_t i = 0; i < images; ++i) {
        for (int c = 0; c < n1_; c += kW) transform(columns, loaded_ + i * n1_ + c, pitch0, to.at + i * to.step + c, to.stride);
      }
      return;
    }
    for (std::int64_t l = 0; l < pitch0; l += kW) transform(columns, loaded_ + l, pitch0, done_ + l, pitch0);
    change(done_, pitch0, n0_, columns.negates_out, columns.first_out, columns.last_out);
    copy_matrices<T>({done_, pitch0, n1_}, to, n0_, n1_, images);
  }

  // One vector of lines.
  static HWY_NOINLINE void transform(const ImageLines& lines, const T* from, std::int64_t stride, T* to, std::int64_t out_stride) {
    const std::int64_t last = lines.n - 1;
    if (lines.backwards_in) from += last * stride, stride = -stride;
    if (lines.backwards_out) to += last * out_stride, out_stride = -out_stride;
    lines.body(from, from, stride, to, to, out_stride);
  }

  static HWY_NOINLINE void change(T* tile, std::int64_t pitch, int n, bool negates, double first, double last) {
    const auto multiply = [&](int j, T factor) HWY_ATTR {
      const hn::ScalableTag<T> d;
      T* const row = tile + j * pitch;
      for (std::int64_t l = 0; l < pitch; l += kW) hn::StoreU(hn::Mul(hn::LoadU(d, row + l), hn::Set(d, factor)), d, row + l);
    };
    for (int j = 1; negates && j < n; j += 2) multiply(j, T(-1));
    if (first != 1) multiply(0, static_cast<T>(first));
    if (last != 1) multiply(n - 1, static_cast<T>(last));
  }

  const ImagePass& pass_;
  const int n0_, n1_;
  const Matrices<const T> from_;
  const Matrices<T> to_;
  const T scale_;
  const bool fetches_;
  HWY_ALIGN T loaded_[kReals];
  HWY_ALIGN T done_[kReals];
};

template <class T>
void image_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  Images<T>(args, buffers).run(first, count);
}

void find_image_pass(bool is_f32, PassFn& found) { found = is_f32 ? &image_pass<float> : &image_pass<double>; }

#else

void find_image_pass(bool, PassFn&) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

PassFn hwy_image_pass(std::int64_t target, bool is_f32);
PassFn hwy_image_pass(std::int64_t target, bool is_f32) {
  PassFn found = nullptr;
  ULPFFT_HWY_SWITCH(target, find_image_pass(is_f32, found))
  return found;
}

}  // namespace ulpfft
#endif

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rows of numbers times a window, once per instruction set.
#include "codelets/contract/window.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/window.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// What lies beside what in the numbers; results of planes are numbers. The last: with factors of rows alone.
enum class WindowShape { kReals, kNumbers, kPlanes, kEvenReals };

// Each lane twice, in the order of a vector of numbers and the next.
template <class D>
HWY_INLINE void twice(D d, hn::Vec<D> w, hn::Vec<D>& first, hn::Vec<D>& second) {
  const auto lanes = to_lane_order(d, w);
  interleave(d, lanes, lanes, first, second);
}

// The vectors of kRows rows, 1 or 4, that have the same factors; returns the first element that is left. Numbers that lie where results do
// are loaded before these are stored.
template <WindowShape kShape, int kRows, class T>
HWY_INLINE std::int64_t window_vectors(const WindowArgs& args, const T* from, const T* im, const T* of_row, T* to) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* const factors = static_cast<const T*>(args.factors);
  const std::int64_t step = args.row_bytes / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t to_step = args.to_row_bytes / static_cast<std::int64_t>(sizeof(T));
  const auto row = hn::Set(d, of_row != nullptr ? *of_row : T(1));
  std::int64_t j = 0;
  for (; j + lanes <= args.points; j += lanes) {
    hn::Vec<decltype(d)> w = row, first = row, second = row;
    if constexpr (kShape != WindowShape::kEvenReals) {
      w = hn::LoadU(d, factors + j);
      if (of_row != nullptr) w = hn::Mul(row, w);
    }
    if constexpr (kShape == WindowShape::kNumbers) twice(d, w, first, second);
    const auto multiply = [&](std::int64_t r) HWY_ATTR {
      const T* const x = from + r * step;
      T* const y = to + r * to_step;
      if constexpr (kShape == WindowShape::kReals || kShape == WindowShape::kEvenReals) {
        hn::StoreU(hn::Mul(hn::LoadU(d, x + j), w), d, y + j);
      } else {
        hn::Vec<decltype(d)> a, b;
        if constexpr (kShape == WindowShape::kPlanes) {
          const auto re = hn::Mul(hn::LoadU(d, x + j), w), other = hn::Mul(hn::LoadU(d, im + r * step + j), w);
          interleave(d, to_lane_order(d, re), to_lane_order(d, other), a, b);
        } else {
          a = hn::Mul(first, hn::LoadU(d, x + 2 * j));
          b = hn::Mul(second, hn::LoadU(d, x + 2 * j + lanes));
        }
        hn::StoreU(a, d, y + 2 * j);
        hn::StoreU(b, d, y + 2 * j + lanes);
      }
    };
    multiply(0);
    if constexpr (kRows == 4) multiply(1), multiply(2), multiply(3);
  }
  return j;
}

template <WindowShape kShape, class T>
void window_each_row(const WindowArgs& args) {
  visit_window_rows<T>(args, [&](const T* from, const T* im, const T* of_row, T* to) {
    window_elements<T>(args, window_vectors<kShape, 1>(args, from, im, of_row, to), from, im, of_row, to);
  });
}

template <WindowShape kShape, class T>
void window_rows(const WindowArgs& args) {
  constexpr int kTogether = 4;  // rows, if they are short: longer ones are read faster in their order
  constexpr std::int64_t kShortRow = 1024;
  if (args.row_factors != nullptr || args.rows < kTogether || args.points * args.each * static_cast<std::int64_t>(sizeof(T)) > kShortRow)
    return window_each_row<kShape, T>(args);
  WindowArgs four = args;
  four.rows = kTogether;
  for (std::int64_t rows = args.rows; rows > 0; rows -= kTogether) {
    if (rows < kTogether) {
      four.rows = rows;
      return window_each_row<kShape, T>(four);
    }
    const T *const from = static_cast<const T*>(four.numbers), *const im = static_cast<const T*>(four.im);
    const std::int64_t left = window_vectors<kShape, kTogether, T>(four, from, im, nullptr, static_cast<T*>(four.to));
    if (left < args.points) {
      visit_window_rows<T>(four, [&](const T* x, const T* y, const T*, T* to) { window_elements<T>(args, left, x, y, nullptr, to); });
    }
    four.numbers = static_cast<const char*>(four.numbers) + kTogether * args.row_bytes;
    if (im != nullptr) four.im = static_cast<const char*>(four.im) + kTogether * args.row_bytes;
    four.to = static_cast<char*>(four.to) + kTogether * args.to_row_bytes;
  }
}

template <class T>
void window(const WindowArgs& args) {
  if (args.factors == nullptr) return window_rows<WindowShape::kEvenReals, T>(args);
  if (args.im != nullptr) return window_rows<WindowShape::kPlanes, T>(args);
  return args.each == 1 ? window_rows<WindowShape::kReals, T>(args) : window_rows<WindowShape::kNumbers, T>(args);
}

void find_window(bool is_f32, WindowFn& found) { found = is_f32 ? &window<float> : &window<double>; }

#else

void find_window(bool, WindowFn&) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

WindowFn hwy_window(std::int64_t target, bool is_f32);
WindowFn hwy_window(std::int64_t target, bool is_f32) {
  WindowFn found = nullptr;
  ULPFFT_HWY_SWITCH(target, find_window(is_f32, found))
  return found;
}

}  // namespace ulpfft
#endif

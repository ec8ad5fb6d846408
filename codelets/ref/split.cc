// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The stages of split passes, number by number.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/split_pass.h"

namespace ulpfft::ref {
namespace {

template <typename T>
void largest(const SplitPass& pass, const T* numbers, std::int64_t width, T* of_columns) {
  const std::int64_t w = split_columns(pass.radix);
  std::fill_n(of_columns, width, T(0));
  for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
    for (std::int64_t c = 0; c < width; ++c) of_columns[c] = larger_magnitude(of_columns[c], std::abs(numbers[row * w + c]));
  }
}

void split(const SplitPass& pass, const float* numbers, const float* norms, const float* inverse, std::int64_t width, float* parts) {
  const SplitElement& e = pass.element;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
    for (std::int64_t c = 0; c < width; ++c) {
      const float x = numbers[row * w + c];
      float rest = x;
      if (norms != nullptr) rest = pass.scheme.arbitrary ? x / norms[c] : x * inverse[c];
      float weight = 1;
      for (int i = 0; i < pass.scheme.parts; ++i) {
        float part = 0;
        if (i == 1 && pass.scheme.arbitrary && norms != nullptr) rest = (x - norms[c] * parts[row * w + c]) / norms[c] * e.grow;
        part = take_part(e, rest);
        parts[i * part_stride + row * w + c] = part * weight;
        weight *= e.shrink;
      }
    }
  }
}

void multiply(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, float* outputs) {
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  for (std::int64_t q = 0; q < std::min<std::int64_t>(kSplitOutputs, pass.radix - block * kSplitOutputs); ++q) {
    for (std::int64_t c = 0; c < width; ++c) {
      float re = 0, im = 0;
      for (int p = 0; p < pass.product_count; ++p) {
        const float* const x = parts + pass.products[p].data * part_stride + c;
        const float* const m = split_matrix(pass, pass.products[p], block * kSplitOutputs + q);
        for (std::int64_t begin = 0; begin < pass.radix; begin += kSplitBlock) {
          float block_re = 0, block_im = 0;
          for (std::int64_t k = begin; k < std::min(pass.radix, begin + kSplitBlock); ++k) {
            const float x_re = x[2 * k * w], x_im = x[(2 * k + 1) * w];
            const float w_re = m[2 * kSplitOutputs * k], w_im = m[2 * kSplitOutputs * k + kSplitOutputs];
            block_re += x_re * w_re;
            block_re -= x_im * w_im;
            block_im += x_re * w_im;
            block_im += x_im * w_re;
          }
          re += block_re;
          im += block_im;
        }
      }
      outputs[2 * q * w + c] = re;
      outputs[(2 * q + 1) * w + c] = im;
    }
  }
}

void slice(const SplitPass& pass, const double* numbers, const double*, const double* inverse, std::int64_t width, float* parts) {
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  float digits[kMostSplitParts];
  for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
    for (std::int64_t c = 0; c < width; ++c) {
      take_slices(numbers[row * w + c], inverse[c], pass.scheme.parts, digits);
      for (int i = 0; i < pass.scheme.parts; ++i) parts[i * part_stride + row * w + c] = digits[i];
    }
  }
}

void multiply_slices(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, double* outputs) {
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  for (std::int64_t q = 0; q < std::min<std::int64_t>(kSplitOutputs, pass.radix - block * kSplitOutputs); ++q) {
    for (std::int64_t c = 0; c < width; ++c) {
      double re = 0, im = 0;
      for (int p = 0; p < pass.product_count; ++p) {
        const SplitProduct& product = pass.products[p];
        const float* const x = parts + product.data * part_stride + c;
        const float* const m = split_matrix(pass, product, block * kSplitOutputs + q);
        float sum_re = 0, sum_im = 0;
        for (std::int64_t k = 0; k < pass.radix; ++k) {
          const float x_re = x[2 * k * w], x_im = x[(2 * k + 1) * w];
          const float w_re = m[2 * kSplitOutputs * k], w_im = m[2 * kSplitOutputs * k + kSplitOutputs];
          sum_re += x_re * w_re;
          sum_re -= x_im * w_im;
          sum_im += x_re * w_im;
          sum_im += x_im * w_re;
        }
        const double weight = std::ldexp(1.0, -8 * (product.data + product.matrix));
        re += static_cast<double>(sum_re) * weight;
        im += static_cast<double>(sum_im) * weight;
      }
      outputs[2 * q * w + c] = re;
      outputs[(2 * q + 1) * w + c] = im;
    }
  }
}

template <typename T>
void finish(const SplitPass& pass, T* output, const T* factors, std::int64_t q, const SplitPlaces* places, std::int64_t width,
            T* of_columns) {
  T* const im = output + split_columns(pass.radix);
  const std::int64_t first = places != nullptr ? places->first + q * pass.length : 0;
  const T* const twiddles_re = static_cast<const T*>(pass.twiddles_re) + first;
  const T* const twiddles_im = static_cast<const T*>(pass.twiddles_im) + first;
  for (std::int64_t c = 0; c < width; ++c) {
    T x = output[c], y = im[c];
    if (factors != nullptr) {
      x *= factors[c];
      y *= factors[c];
    }
    if (places != nullptr) {
      const T a = twiddles_re[places->at[c]], b = twiddles_im[places->at[c]];
      const T re = x * a - y * b;
      y = x * b + y * a;
      x = re;
    }
    output[c] = x;
    im[c] = y;
    if (of_columns != nullptr) of_columns[c] = larger_magnitude(of_columns[c], larger_magnitude(std::abs(x), std::abs(y)));
  }
}

template <typename T>
void load(const T* re, const T* im, std::int64_t count, T scale, T* to_re, T* to_im) {
  for (std::int64_t i = 0; i < count; ++i) {
    to_re[i] = re[2 * i] * scale;
    to_im[i] = im[2 * i] * scale;
  }
}
template <typename T>
void store(const T* from_re, const T* from_im, std::int64_t count, T* re, T* im) {
  for (std::int64_t i = 0; i < count; ++i) {
    re[2 * i] = from_re[i];
    im[2 * i] = from_im[i];
  }
}
template <typename T>
void store_columns(const T* outputs, std::int64_t row, std::int64_t outputs_of_block, std::int64_t count, std::int64_t stride, T* to) {
  for (std::int64_t c = 0; c < count; ++c) {
    for (std::int64_t q = 0; q < outputs_of_block; ++q) to[c * stride + q] = outputs[q * row + c];
  }
}
template <typename T>
T largest_of(const T* reals, std::int64_t count) {
  T largest = 0;
  for (std::int64_t i = 0; i < count; ++i) largest = larger_magnitude(largest, std::abs(reals[i]));
  return largest;
}

void split_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static constexpr SplitStages<float> kStages{1, &largest<float>, &split, &multiply, nullptr, &finish<float>,
                                               &load<float>, &store<float>, &store_columns<float>, &largest_of<float>, nullptr};
  run_split_pass(args, buffers, first, count, kStages);
}
void slice_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static constexpr SplitStages<double> kStages{1, &largest<double>, &slice, &multiply_slices, nullptr, &finish<double>,
                                                &load<double>, &store<double>, &store_columns<double>, &largest_of<double>, nullptr};
  run_split_pass(args, buffers, first, count, kStages);
}

}  // namespace

void collect_split(CodeletSink& sink) {
  sink.split_pass = &split_pass;
  sink.slice_pass = &slice_pass;
}

}  // namespace ulpfft::ref

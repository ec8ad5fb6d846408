// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/hermitian.h"

#include <array>
#include <complex>
#include <cstddef>

namespace ulpfft_python {
namespace {

// to[i] for first <= i < n, from the mirrored row.
template <typename Complex>
void fill_row(Complex* to, const Complex* from, std::int64_t n, AxisRole role) {
  if (role == AxisRole::kBatch) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = std::conj(from[i]);
    return;
  }
  if (role == AxisRole::kMirrored) to[0] = std::conj(from[0]);
  const std::int64_t first = role == AxisRole::kHalved ? n / 2 + 1 : 1;
  for (std::int64_t i = first; i < n; ++i) to[i] = std::conj(from[n - i]);
}

}  // namespace

template <typename Real>
void fill_other_half(Real* spectrum, std::span<const std::int64_t> shape, std::span<const AxisRole> roles) {
  auto* const numbers = reinterpret_cast<std::complex<Real>*>(spectrum);
  const std::size_t outer = shape.size() - 1;
  std::array<std::int64_t, 64> index{}, strides{};
  std::int64_t stride = shape[outer];
  for (std::size_t axis = outer; axis-- > 0; stride *= shape[axis]) strides[axis] = stride;
  for (std::size_t axis = 0; axis < outer; ++axis) {
    if (roles[axis] == AxisRole::kHalved) index[axis] = shape[axis] / 2 + 1;
    if (index[axis] >= shape[axis]) return;
  }
  for (;;) {
    std::int64_t to = 0, from = 0;
    for (std::size_t axis = 0; axis < outer; ++axis) {
      to += index[axis] * strides[axis];
      const bool same = roles[axis] == AxisRole::kBatch || index[axis] == 0;
      from += (same ? index[axis] : shape[axis] - index[axis]) * strides[axis];
    }
    fill_row(numbers + to, numbers + from, shape[outer], roles[outer]);
    std::size_t axis = outer;
    for (; axis > 0; --axis) {
      if (++index[axis - 1] < shape[axis - 1]) break;
      index[axis - 1] = roles[axis - 1] == AxisRole::kHalved ? shape[axis - 1] / 2 + 1 : 0;
    }
    if (axis == 0) return;
  }
}

template void fill_other_half(float*, std::span<const std::int64_t>, std::span<const AxisRole>);
template void fill_other_half(double*, std::span<const std::int64_t>, std::span<const AxisRole>);

}  // namespace ulpfft_python

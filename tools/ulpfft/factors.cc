// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/factors.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <variant>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

std::vector<std::int64_t> without_last_ones(std::vector<std::int64_t> shape, std::size_t least) {
  while (shape.size() > least && shape.back() == 1) shape.pop_back();
  return shape;
}

// Strides of the factors along the axes of the array.
std::vector<std::int64_t> strides_along(const std::string& path, const Array& factors, const std::vector<std::int64_t>& shape,
                                        std::vector<std::size_t> axes) {
  std::sort(axes.begin(), axes.end());
  std::vector<std::int64_t> of_axes;                      // the transformed lengths alone
  std::vector<std::int64_t> of_all(shape.size(), 1);      // with 1 along all others
  for (const std::size_t axis : axes) {
    of_axes.push_back(shape[axis]);
    of_all[axis] = shape[axis];
  }
  const std::vector<std::int64_t> strides = factors.strides();
  std::vector<std::int64_t> along(shape.size(), 0);
  if (without_last_ones(factors.shape, 1) == without_last_ones(of_all, 1)) {
    for (const std::size_t axis : axes) along[axis] = axis < strides.size() ? strides[axis] : 0;
  } else if (without_last_ones(factors.shape, of_axes.size()) == of_axes) {
    for (std::size_t i = 0; i < axes.size(); ++i) along[axes[i]] = strides[i];
  } else {
    refuse(path, "shape", "the factors have the shape " + show_lengths(factors.shape) + "; a spectrum has " + show_lengths(of_axes) +
                              ", one number for each of its points.");
  }
  return along;
}

template <typename Real, typename From>
std::vector<std::complex<Real>> gathered(const std::string& path, const std::vector<std::complex<From>>& numbers, const std::vector<std::int64_t>& shape,
                                         const std::vector<std::int64_t>& along, const std::vector<std::size_t>& lengths) {
  std::vector<std::complex<Real>> result;
  result.reserve(numbers.size());
  std::vector<std::int64_t> index(lengths.size(), 0);
  for (bool more = true; more;) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) at += index[i] * along[lengths[i]];
    const std::complex<From> value = numbers[static_cast<std::size_t>(at)];
    const std::complex<Real> factor(static_cast<Real>(value.real()), static_cast<Real>(value.imag()));
    if (!std::isfinite(factor.real()) || !std::isfinite(factor.imag())) {
      refuse(path, "number " + std::to_string(at), sizeof(Real) < sizeof(From) ? "it is not finite in f32, in which the plan computes." : "it is not finite.");
    }
    result.push_back(factor);
    more = false;
    for (std::size_t i = lengths.size(); i-- > 0 && !more;) {
      more = ++index[i] < shape[lengths[i]];
      if (!more) index[i] = 0;
    }
  }
  return result;
}

}  // namespace

Numbers read_factors(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<std::size_t>& axes,
                     const std::vector<std::size_t>& lengths, bool as_double) {
  const Array factors = read_array(path);
  const std::vector<std::int64_t> along = strides_along(path, factors, shape, axes);
  return std::visit(
      [&](const auto& numbers) -> Numbers {
        if (as_double) return gathered<double>(path, numbers, shape, along, lengths);
        return gathered<float>(path, numbers, shape, along, lengths);
      },
      factors.data);
}

}  // namespace ulpfft_tool

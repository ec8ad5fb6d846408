// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/ulpfft/r2r_sums.h"

namespace ulpfft_tool::bench {
namespace {

constexpr double kMostPoints = 1 << 24;       // 32 bytes each, several times
constexpr double kMostOperations = 1e9;       // of one input, all its outputs
constexpr double kMostDirectOperations = 3e8;  // of one input, some of its outputs

using Complex = LongSums::Complex;

// Number `at` of an array of real or of complex ones.
Complex number(const std::vector<double>& array, std::int64_t at, bool is_real, bool conjugate) {
  if (is_real) return {static_cast<long double>(array[static_cast<std::size_t>(at)]), 0};
  const auto re = static_cast<long double>(array[static_cast<std::size_t>(2 * at)]);
  const auto im = static_cast<long double>(array[static_cast<std::size_t>(2 * at + 1)]);
  return {re, conjugate ? -im : im};
}

Complex exchanged(const Complex& value) { return {value.imag(), value.real()}; }

}  // namespace

double ErrorSum::relative_l2() const { return difference == 0 ? 0 : static_cast<double>(std::sqrt(difference / norm)); }

Reference::Reference(const Facts& facts, std::int64_t wanted) : facts_(facts), wanted_(wanted) {
  const auto n = static_cast<double>(facts.size());
  if (facts.storage_in != facts.storage_out || n > kMostPoints || (facts.is_r2r() && !facts.has_kinds())) return;
  double cost = 0;
  std::vector<LongSums> sums;
  for (std::size_t d = 0; d < facts.lengths.size(); ++d) {
    const Axis& axis = facts.lengths[d];
    sums.emplace_back(facts.is_r2r() ? extended_length(facts.r2r_kinds[d], axis.n) : axis.n);
    cost += sums.back().cost() * n / static_cast<double>(axis.n);
  }
  if (cost > kMostOperations) {
    if (facts.lengths.size() > 1 || facts.is_r2r()) return;
    some_ = static_cast<int>(kMostDirectOperations / n);
  }
  sums_ = std::move(sums);
  const std::int64_t batch = facts.points() / facts.size();
  const std::int64_t each = some_ > 0 ? some_ : facts.size();
  const std::int64_t most = std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostOperations / (some_ > 0 ? kMostDirectOperations : cost)));
  const std::int64_t count = std::clamp<std::int64_t>((wanted + each - 1) / each, 1, std::min(batch, most));
  for (std::int64_t i = 0; i < count; ++i) transforms_.push_back(i * batch / count);
}

std::int64_t Reference::outputs() const { return static_cast<std::int64_t>(transforms_.size()) * (some_ > 0 ? some_ : facts_.size()); }

std::int64_t Reference::inputs() const { return some_ > 0 ? 1 : (wanted_ + outputs() - 1) / outputs(); }

std::int64_t Reference::batch_offset(std::int64_t transform, std::int64_t Axis::*stride) const {
  std::int64_t at = 0;
  for (std::size_t i = facts_.batch.size(); i-- > 0;) {
    at += transform % facts_.batch[i].n * (facts_.batch[i].*stride);
    transform /= facts_.batch[i].n;
  }
  return at;
}

Reference::Place Reference::place(std::int64_t index, std::int64_t Axis::*stored, std::int64_t Axis::*stride) const {
  const Axis& last = facts_.lengths.back();
  const bool is_half = facts_.is_real() && !(stored == &Axis::in_n ? facts_.in_is_real() : facts_.out_is_real());
  Place found{0, index % last.n >= last.*stored};
  for (std::size_t i = facts_.lengths.size(); i-- > 0;) {
    const Axis& axis = facts_.lengths[i];
    const std::int64_t k = found.is_conjugate ? (axis.n - index % axis.n) % axis.n : index % axis.n;
    const bool is_shifted = facts_.centered && !(is_half && &axis == &last);
    found.offset += (is_shifted ? (k + axis.n / 2) % axis.n : k) * (axis.*stride);
    index /= axis.n;
  }
  return found;
}

// Transforms of positive sign are those of negative sign with re and im exchanged at both ends.
std::vector<LongSums::Complex> Reference::read(const std::vector<double>& input, std::int64_t transform) const {
  const std::int64_t start = static_cast<std::int64_t>(facts_.in_extent().origin) + batch_offset(transform, &Axis::in_stride);
  std::vector<Complex> x;
  x.reserve(static_cast<std::size_t>(facts_.size()));
  for (std::int64_t j = 0; j < facts_.size(); ++j) {
    const Place from = place(j, &Axis::in_n, &Axis::in_stride);
    const Complex value = number(input, start + from.offset, facts_.in_is_real(), from.is_conjugate);
    x.push_back(facts_.has_positive_sign() ? exchanged(value) : value);
  }
  return x;
}

void Reference::transform_axes(std::vector<Complex>& x) const {
  std::vector<Complex> line, transformed;
  if (sums_.size() == 1 && !facts_.is_r2r()) {
    transformed.resize(x.size());
    sums_[0].all(x.data(), transformed.data());
    x.swap(transformed);
    return;
  }
  std::size_t inner = x.size();
  for (std::size_t d = 0; d < sums_.size(); ++d) {
    const auto n = static_cast<std::size_t>(facts_.lengths[d].n);
    const std::size_t block = inner;
    inner /= n;
    line.resize(n);
    transformed.resize(n);
    for (std::size_t begin = 0; begin < x.size(); begin += block) {
      for (std::size_t i = begin; i < begin + inner; ++i) {
        for (std::size_t j = 0; j < n; ++j) line[j] = x[i + j * inner];
        if (facts_.is_r2r()) {
          transformed = r2r_line(facts_.r2r_kinds[d], sums_[d], line, facts_.scale == "ortho");
        } else {
          sums_[d].all(line.data(), transformed.data());
        }
        for (std::size_t j = 0; j < n; ++j) x[i + j * inner] = transformed[j];
      }
    }
  }
}

void Reference::expect(const Arrays& arrays, std::uint64_t seed) {
  const std::vector<double> input = arrays.input();
  expected_.clear();
  for (const std::int64_t transform : transforms_) {
    Expected expected{transform, {}, read(input, transform)};
    if (some_ > 0) {
      const std::vector<LongSums::Output> some = sums_[0].some(expected.values, some_, seed + static_cast<std::uint64_t>(transform));
      expected.values.clear();
      for (const LongSums::Output& output : some) {
        expected.indices.push_back(static_cast<std::int64_t>(output.index));
        expected.values.push_back(output.value);
      }
    } else {
      transform_axes(expected.values);
    }
    expected_.push_back(std::move(expected));
  }
}

void Reference::compare(const std::vector<double>& output, ErrorSum& sum) const {
  const auto scale = static_cast<long double>(facts_.scale_factor());
  for (const Expected& expected : expected_) {
    const std::int64_t start = static_cast<std::int64_t>(facts_.out_extent().origin) + batch_offset(expected.transform, &Axis::out_stride);
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      const std::int64_t k = expected.indices.empty() ? static_cast<std::int64_t>(i) : expected.indices[i];
      const Place to = place(k, &Axis::out_n, &Axis::out_stride);
      const Complex value = number(output, start + to.offset, facts_.out_is_real(), to.is_conjugate);
      const Complex exact = scale * expected.values[i];
      sum.difference += std::norm((facts_.has_positive_sign() ? exchanged(value) : value) - exact);
      sum.norm += std::norm(exact);
    }
  }
}

}  // namespace ulpfft_tool::bench

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/oracle.h"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <utility>

namespace ulpfft::test {
namespace {

constexpr int kTaylorTerms = 15;  // x^29 / 29! < 1e-33 at pi / 4

// 1 / k!, k = 0 .. 2 * kTaylorTerms
std::array<DoubleDouble, 2 * kTaylorTerms + 1> inverse_factorials() {
  std::array<DoubleDouble, 2 * kTaylorTerms + 1> table;
  table[0] = 1.0;
  for (std::size_t k = 1; k < table.size(); ++k) table[k] = table[k - 1] / DoubleDouble(static_cast<double>(k));
  return table;
}

// cos and sin of 0 <= angle <= pi / 4.
ComplexDD cosine_and_sine(DoubleDouble angle) {
  static const auto kInverse = inverse_factorials();
  const DoubleDouble square = -(angle * angle);
  DoubleDouble cosine = kInverse[2 * kTaylorTerms];
  DoubleDouble sine = kInverse[2 * kTaylorTerms - 1];
  for (int term = kTaylorTerms - 1; term >= 0; --term) cosine = cosine * square + kInverse[static_cast<std::size_t>(2 * term)];
  for (int term = kTaylorTerms - 2; term >= 0; --term) sine = sine * square + kInverse[static_cast<std::size_t>(2 * term + 1)];
  return {cosine, sine * angle};
}

// Exact: an integer below 2^106.
DoubleDouble from_integer(std::uint64_t value) {
  const std::uint64_t high = value >> 32U << 32U;
  return two_sum(static_cast<double>(high), static_cast<double>(value - high));
}

std::vector<std::int64_t> split(std::int64_t n) {
  std::vector<std::int64_t> radices;
  while (n % 4 == 0) {
    radices.push_back(4);
    n /= 4;
  }
  for (std::int64_t prime = 2; prime * prime <= n; ++prime) {
    while (n % prime == 0) {
      radices.push_back(prime);
      n /= prime;
    }
  }
  if (n > 1) radices.push_back(n);
  return radices;
}

}  // namespace

ComplexDD circle_point(std::uint64_t k, std::uint64_t n) {
  constexpr DoubleDouble kHalfPi{1.5707963267948966, 6.123233995736766e-17};
  // angle = p / q quarter turns
  k %= n;
  const bool lower_half = k > n - k;  // sine changes sign
  if (lower_half) k = n - k;
  std::uint64_t p = 4 * k;
  const bool left_half = p > n;  // cosine changes sign
  if (left_half) p = 2 * n - p;
  const bool steep = p > n - p;  // beyond the first octant: exchange
  if (steep) p = n - p;
  ComplexDD point = cosine_and_sine(kHalfPi * (from_integer(p) / from_integer(n)));
  if (steep) std::swap(point.re, point.im);
  if (left_half) point.re = -point.re;
  if (!lower_half) point.im = -point.im;
  return point;
}

// A transform of prime length as a convolution: j k = (j^2 + k^2 - (k - j)^2) / 2. L. I. Bluestein, 1970.
class Chirp {
 public:
  explicit Chirp(std::int64_t n) : m_(padded(n)), inner_(m_), chirp_(static_cast<std::size_t>(n)) {
    const auto turn = static_cast<std::uint64_t>(2 * n);
    for (std::uint64_t j = 0; j < chirp_.size(); ++j) chirp_[j] = circle_point(j * j % turn, turn);
    std::vector<ComplexDD> filter(static_cast<std::size_t>(m_));
    for (std::size_t j = 0; j < chirp_.size(); ++j) {
      const ComplexDD conjugate{chirp_[j].re, -chirp_[j].im};
      filter[j] = conjugate;
      if (j > 0) filter[filter.size() - j] = conjugate;
    }
    spectrum_.resize(filter.size());
    inner_.forward(filter.data(), 1, spectrum_.data());
    const DoubleDouble by_length(1.0 / static_cast<double>(m_));  // exact: a power of two
    for (ComplexDD& value : spectrum_) value = by_length * value;
  }

  void transform(ComplexDD* points) const {
    std::vector<ComplexDD> a(spectrum_.size()), b(spectrum_.size());
    for (std::size_t j = 0; j < chirp_.size(); ++j) a[j] = points[j] * chirp_[j];
    inner_.forward(a.data(), 1, b.data());
    for (std::size_t k = 0; k < b.size(); ++k) {
      const ComplexDD product = b[k] * spectrum_[k];
      b[k] = {product.im, product.re};  // back is forward with the parts exchanged
    }
    inner_.forward(b.data(), 1, a.data());
    for (std::size_t k = 0; k < chirp_.size(); ++k) points[k] = ComplexDD{a[k].im, a[k].re} * chirp_[k];
  }

 private:
  static std::int64_t padded(std::int64_t n) {
    std::int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    return m;
  }
  std::int64_t m_;
  Oracle inner_;
  std::vector<ComplexDD> chirp_;
  std::vector<ComplexDD> spectrum_;
};

Oracle::Oracle(std::int64_t n) : length_(n), radices_(split(n)), roots_(static_cast<std::size_t>(n)) {
  const auto count = static_cast<std::uint64_t>(n);
  for (std::uint64_t k = 0; 2 * k <= count; ++k) {
    const ComplexDD root = circle_point(k, count);
    roots_[k] = root;
    if (k != 0) roots_[count - k] = {root.re, -root.im};
  }
  for (const std::int64_t radix : radices_) {
    if (radix > kLongestNaive) chirps_.try_emplace(radix, std::make_shared<const Chirp>(radix));
  }
}

void Oracle::forward(const ComplexDD* in, std::ptrdiff_t stride, ComplexDD* out) const {
  transform(in, stride, out, length_, 0);
}

void Oracle::transform(const ComplexDD* in, std::ptrdiff_t stride, ComplexDD* out, std::int64_t n, std::size_t level) const {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const std::int64_t radix = radices_[level];
  const std::int64_t part = n / radix;
  for (std::int64_t j = 0; j < radix; ++j) transform(in + j * stride, stride * radix, out + j * part, part, level + 1);
  combine(out, n, radix);
}

// radix sub-transforms of length n / radix, one after another in `out`, become the transform of length n.
void Oracle::combine(ComplexDD* out, std::int64_t n, std::int64_t radix) const {
  const std::int64_t part = n / radix;
  const std::int64_t step = length_ / n;  // roots_[step * i] = exp(-2 pi i / n)^i
  if (radix == 2 || radix == 4) {
    for (std::int64_t k = 0; k < part; ++k) {
      const ComplexDD x0 = out[k];
      const ComplexDD x1 = roots_[static_cast<std::size_t>(step * k)] * out[k + part];
      if (radix == 2) {
        out[k] = x0 + x1;
        out[k + part] = x0 - x1;
        continue;
      }
      const ComplexDD x2 = roots_[static_cast<std::size_t>(2 * step * k)] * out[k + 2 * part];
      const ComplexDD x3 = roots_[static_cast<std::size_t>(3 * step * k)] * out[k + 3 * part];
      const ComplexDD even_sum = x0 + x2;
      const ComplexDD even_difference = x0 - x2;
      const ComplexDD odd_sum = x1 + x3;
      const ComplexDD odd_difference = x1 - x3;
      const ComplexDD turned{odd_difference.im, -odd_difference.re};  // times -i
      out[k] = even_sum + odd_sum;
      out[k + part] = even_difference + turned;
      out[k + 2 * part] = even_sum - odd_sum;
      out[k + 3 * part] = even_difference - turned;
    }
    return;
  }
  if (radix > kLongestNaive) {
    const Chirp& chirp = *chirps_.at(radix);
    std::vector<ComplexDD> points(static_cast<std::size_t>(radix));
    for (std::int64_t k = 0; k < part; ++k) {
      for (std::int64_t j = 0; j < radix; ++j) points[static_cast<std::size_t>(j)] = roots_[static_cast<std::size_t>(step * j * k)] * out[k + j * part];
      chirp.transform(points.data());
      for (std::int64_t q = 0; q < radix; ++q) out[k + q * part] = points[static_cast<std::size_t>(q)];
    }
    return;
  }
  // Odd prime: by definition, points j and radix - j taken together.
  const std::int64_t half = radix / 2;
  const std::int64_t turn = length_ / radix;  // roots_[turn * i] = exp(-2 pi i / radix)^i
  std::vector<ComplexDD> sums(static_cast<std::size_t>(half));
  std::vector<ComplexDD> differences(static_cast<std::size_t>(half));
  for (std::int64_t k = 0; k < part; ++k) {
    const ComplexDD first = out[k];
    ComplexDD total = first;
    for (std::int64_t j = 1; j <= half; ++j) {
      const ComplexDD a = roots_[static_cast<std::size_t>(step * j * k)] * out[k + j * part];
      const ComplexDD b = roots_[static_cast<std::size_t>(step * (radix - j) * k)] * out[k + (radix - j) * part];
      sums[static_cast<std::size_t>(j - 1)] = a + b;
      differences[static_cast<std::size_t>(j - 1)] = a - b;
      total = total + sums[static_cast<std::size_t>(j - 1)];
    }
    out[k] = total;
    for (std::int64_t q = 1; q <= half; ++q) {
      ComplexDD even = first;
      ComplexDD odd{};  // sum of sines times differences; enters times i
      for (std::int64_t j = 1; j <= half; ++j) {
        const ComplexDD& root = roots_[static_cast<std::size_t>(j * q % radix * turn)];
        even = even + root.re * sums[static_cast<std::size_t>(j - 1)];
        odd = odd + root.im * differences[static_cast<std::size_t>(j - 1)];
      }
      const ComplexDD turned{-odd.im, odd.re};
      out[k + q * part] = even + turned;
      out[k + (radix - q) * part] = even - turned;
    }
  }
}

std::shared_ptr<const Oracle> oracle_for(std::int64_t n) {
  static std::mutex mutex;
  static std::list<std::shared_ptr<const Oracle>> recent;  // newest first
  constexpr std::size_t kKept = 8;
  const std::lock_guard lock(mutex);
  const auto found = std::find_if(recent.begin(), recent.end(), [n](const auto& oracle) { return oracle->length() == n; });
  if (found != recent.end()) {
    recent.splice(recent.begin(), recent, found);
  } else {
    recent.push_front(std::make_shared<const Oracle>(n));
    if (recent.size() > kKept) recent.pop_back();
  }
  return recent.front();
}

void transform_dimension(std::vector<ComplexDD>& data, std::span<const std::int64_t> shape, std::size_t dimension) {
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= shape[d];
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::int64_t n = shape[dimension];
  const auto oracle = oracle_for(n);
  std::vector<ComplexDD> line(static_cast<std::size_t>(n));
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < inner; ++i) {
      ComplexDD* start = data.data() + o * n * inner + i;
      oracle->forward(start, inner, line.data());
      for (std::int64_t k = 0; k < n; ++k) start[k * inner] = line[static_cast<std::size_t>(k)];
    }
  }
}

std::vector<ComplexDD> naive_dft(std::span<const ComplexDD> in) {
  const std::size_t n = in.size();
  std::vector<ComplexDD> roots(n);
  for (std::size_t k = 0; k < n; ++k) roots[k] = circle_point(k, n);
  std::vector<ComplexDD> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) out[k] = out[k] + roots[j * k % n] * in[j];
  }
  return out;
}

}  // namespace ulpfft::test

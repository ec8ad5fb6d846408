// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/algorithm/real.h"

#include <stdexcept>
#include <utility>

#include "codelets/contract/unit_root.h"
#include "genfft/algorithm/dft.h"
#include "genfft/pass/simplify.h"
#include "genfft/pass/transpose.h"

namespace ulpfft::genfft {
namespace {

// A body under construction: reals in, what a definition says out.
class Builder {
 public:
  Builder(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants)
      : body_{.spec = spec, .dag = Dag(constants), .table = {}}, n_(spec.radix) {
    body_.dag.stores.resize(at(output_points(spec.transform, n_)));
  }

  // By way of complex transforms, whose arithmetic needs a body of their length for its inputs; there are none.
  Points transform(const Points& x) {
    Arithmetic m(body_);
    return dft(m, x);
  }
  Complex rotated(const Complex& a, std::int64_t k, std::int64_t n) {
    Arithmetic m(body_);
    return m.rotate(a, k, n);
  }
  // Times 2 exp(-2 pi i k / n); the 2 costs nothing, because no part of the root is 0 or 1.
  Complex rotated_twice(const Complex& a, int k, int n) {
    const UnitRoot w = unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
    const DoubleDouble re = DoubleDouble(2.0) * w.re, im = DoubleDouble(2.0) * w.im;
    const NodeId rr = dag().mul(re, a.re.node), ii = dag().mul(im, a.im.node);
    const NodeId ri = dag().mul(re, a.im.node), ir = dag().mul(im, a.re.node);
    const NodeId real_part = dag().sub(rr, ii);
    return number(real_part, dag().add(ri, ir));
  }

  Dag& dag() { return body_.dag; }
  int n() const { return n_; }
  NodeId zero() { return body_.dag.constant(DoubleDouble()); }
  Complex number(NodeId re, NodeId im) { return {.re = {re, {}}, .im = {im, {}}}; }
  Complex real(NodeId re) { return number(re, zero()); }
  NodeId x(int j) { return body_.dag.load(j, 0); }
  NodeId twice(NodeId a) { return body_.dag.mul(DoubleDouble(2.0), a); }
  NodeId half(NodeId a) { return body_.dag.mul(DoubleDouble(0.5), a); }
  void store(int k, const Complex& a) { body_.dag.stores[at(k)] = {a.re.node, a.im.node}; }
  void store(int k, NodeId a) { body_.dag.stores[at(k)] = {a, zero()}; }
  Body take() { return std::move(body_); }

 private:
  Body body_;
  int n_;
};

// X_0 .. X_(n-1) of reals.
Points transform_of_reals(Builder& b) {
  Points x;
  for (int j = 0; j < b.n(); ++j) x.push_back(b.real(b.x(j)));
  return b.transform(x);
}

void r2c(Builder& b, bool doubles) {
  const Points y = transform_of_reals(b);
  for (int k = 0; k < half_points(b.n()); ++k) {
    const Complex& a = y[at(k)];
    const bool once = !doubles || is_real_point(k, b.n());
    b.store(k, once ? a : b.number(b.twice(a.re.node), b.twice(a.im.node)));
  }
}

// The sign of exp is that of a forward transform of conjugates.
void c2r(Builder& b) {
  Points x(at(b.n()));
  for (int k = 0; k < half_points(b.n()); ++k) {
    if (is_real_point(k, b.n())) {
      x[at(k)] = b.real(b.x(k));
      continue;
    }
    const NodeId re = b.x(k), im = b.dag().load(k, 1);
    x[at(k)] = b.number(re, b.dag().neg(im));
    x[at(b.n() - k)] = b.number(re, im);
  }
  const Points y = b.transform(x);
  for (int j = 0; j < b.n(); ++j) b.store(j, y[at(j)].re.node);
}

void hartley(Builder& b) {
  const Points y = transform_of_reals(b);
  for (int k = 0; k < b.n(); ++k) b.store(k, b.dag().sub(y[at(k)].re.node, y[at(k)].im.node));
}

// DCT-II; `first_once`: its first output once instead of twice, as the transpose of DCT-III has it.
void dct2_by_rotation(Builder& b, bool first_once) {
  const int n = b.n();
  Points x(at(n));
  for (int j = 0; j < n; ++j) x[at(j % 2 == 0 ? j / 2 : n - 1 - j / 2)] = b.real(b.x(j));
  const Points y = b.transform(x);
  b.store(0, first_once ? y[0].re.node : b.twice(y[0].re.node));
  for (int k = 1; k < n; ++k) {
    b.store(k, b.rotated_twice(y[at(k)], k, 4 * n).re.node);
  }
}

void dct2_by_extension(Builder& b, bool first_once) {
  const int n = b.n();
  Points x(at(4 * n), b.real(b.zero()));
  for (int j = 0; j < n; ++j) x[at(2 * j + 1)] = x[at(4 * n - 2 * j - 1)] = b.real(b.x(j));
  const Points y = b.transform(x);
  for (int k = 0; k < n; ++k) b.store(k, k == 0 && first_once ? b.half(y[0].re.node) : y[at(k)].re.node);
}

// 2 x sums of the definition are the sums over both signs of k, and so is the transform of the extension by four.
void dct4_by_extension(Builder& b) {
  const int n = b.n();
  Points x(at(8 * n), b.real(b.zero()));
  for (int j = 0; j < n; ++j) {
    const Complex plus = b.real(b.x(j)), minus = b.real(b.dag().neg(b.x(j)));
    x[at(2 * j + 1)] = x[at(8 * n - 2 * j - 1)] = plus;
    x[at(4 * n - 2 * j - 1)] = x[at(4 * n + 2 * j + 1)] = minus;
  }
  const Points y = b.transform(x);
  for (int k = 0; k < n; ++k) b.store(k, b.half(y[at(2 * k + 1)].re.node));
}

// Of even n: (x_2j + i x_(n-1-2j)) 2 w^(4j+1), w = exp(-2 pi i / 8n), as complex numbers of a transform of length n / 2; its points times
// w^(4k) have X_2k as re and X_(n-1-2k) as -im.
void dct4_by_rotation(Builder& b) {
  const int n = b.n();
  Points x;
  for (int j = 0; j < n / 2; ++j) x.push_back(b.rotated_twice(b.number(b.x(2 * j), b.x(n - 1 - 2 * j)), 4 * j + 1, 8 * n));
  const Points y = b.transform(x);
  for (int k = 0; k < n / 2; ++k) {
    const Complex a = b.rotated(y[at(k)], k, 2 * n);
    b.store(2 * k, a.re.node);
    b.store(n - 1 - 2 * k, b.dag().neg(a.im.node));
  }
}

void dct1(Builder& b) {
  const int n = b.n();
  Points x(at(2 * (n - 1)));
  for (int j = 0; j < n; ++j) x[at(j)] = x[at((2 * (n - 1) - j) % (2 * (n - 1)))] = b.real(b.x(j));
  const Points y = b.transform(x);
  for (int k = 0; k < n; ++k) b.store(k, y[at(k)].re.node);
}

void dst1(Builder& b) {
  const int n = b.n();
  Points x(at(2 * (n + 1)), b.real(b.zero()));
  for (int j = 0; j < n; ++j) {
    x[at(j + 1)] = b.real(b.x(j));
    x[at(2 * n + 1 - j)] = b.real(b.dag().neg(b.x(j)));
  }
  const Points y = b.transform(x);
  for (int k = 0; k < n; ++k) b.store(k, b.dag().neg(y[at(k + 1)].im.node));
}

template <class Build>
Body built(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants, const Build& build) {
  Builder b(spec, constants);
  build(b);
  return b.take();
}

// The transpose of a body of another transform of the same length.
template <class Build>
Body transposed(const BodySpec& spec, RealTransform of, const std::shared_ptr<ConstantPool>& constants, const Build& build) {
  BodySpec other = spec;
  other.transform = of;
  Body body = built(other, constants, build);
  body.dag = transpose(simplify(body.dag));
  body.spec = spec;
  return body;
}

}  // namespace

std::vector<Body> make_real_bodies(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants) {
  const auto direct = [&](const auto& build) { return built(spec, constants, build); };
  using enum RealTransform;
  switch (spec.transform) {
    case kR2C: return {direct([](Builder& b) { r2c(b, false); })};
    case kC2R: return {transposed(spec, kR2C, constants, [](Builder& b) { r2c(b, true); }), direct(c2r)};
    case kDHT: return {direct(hartley)};
    case kRedft10:
      return {direct([](Builder& b) { dct2_by_rotation(b, false); }), direct([](Builder& b) { dct2_by_extension(b, false); })};
    case kRedft01:
      return {transposed(spec, kRedft10, constants, [](Builder& b) { dct2_by_rotation(b, true); }),
              transposed(spec, kRedft10, constants, [](Builder& b) { dct2_by_extension(b, true); })};
    case kRedft11: {
      std::vector<Body> ways;
      ways.push_back(direct(dct4_by_extension));
      if (spec.radix % 2 == 0) ways.push_back(direct(dct4_by_rotation));
      return ways;
    }
    case kRedft00: return {direct(dct1)};
    case kRodft00: return {direct(dst1)};
    default: throw std::invalid_argument("real: no algorithm for " + spec.name);
  }
}

}  // namespace ulpfft::genfft

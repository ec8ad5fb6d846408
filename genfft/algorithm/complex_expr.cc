// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/algorithm/complex_expr.h"

#include <bit>
#include <stdexcept>

#include "codelets/contract/unit_root.h"

namespace ulpfft::genfft {
namespace {

bool same_term(const TableTerm& a, const TableTerm& b) {
  return a.kind == b.kind && a.j == b.j && a.primed == b.primed && a.over_j == b.over_j && a.over_primed == b.over_primed &&
         a.sqrt_half == b.sqrt_half;
}

}  // namespace

Arithmetic::Arithmetic(Body& body)
    : body_(body),
      dag_(body.dag),
      fold_scales_(selects_path(body.spec.form) && std::has_single_bit(static_cast<unsigned>(body.spec.radix))),
      loaded_(static_cast<std::size_t>(body.spec.radix)) {
  // Tables of (re, im) have one fixed order; dual-select tables grow in order of use.
  if (body.spec.form == TwiddleForm::kStandard || body.spec.form == TwiddleForm::kChained) {
    for (int j = 1; j < body.spec.radix; ++j) {
      table(TableTerm::Kind::kRe, j);
      table(TableTerm::Kind::kIm, j);
    }
  }
}

NodeId Arithmetic::table(const TableTerm& term) {
  std::size_t index = 0;
  while (index < body_.table.size() && !same_term(body_.table[index], term)) ++index;
  if (index == body_.table.size()) body_.table.push_back(term);
  return dag_.table(static_cast<int>(index));
}

NodeId Arithmetic::table(TableTerm::Kind kind, int j) {
  TableTerm term;
  term.kind = kind;
  term.j = static_cast<std::uint8_t>(j);
  return table(term);
}

// Here and below every node has a name before another reads it: ties go to the node made first (fuse_fma), and in which order a
// compiler makes two arguments of one call is its own choice.
Complex Arithmetic::standard_product(int j) {
  const NodeId wr = table(TableTerm::Kind::kRe, j);
  const NodeId wi = table(TableTerm::Kind::kIm, j);
  const NodeId xr = dag_.load(j, 0);
  const NodeId xi = dag_.load(j, 1);
  const NodeId ii = dag_.mul(wi, xi);
  const NodeId rr = dag_.mul(wr, xr);
  const NodeId re = dag_.sub(rr, ii);
  const NodeId ir = dag_.mul(wi, xr);
  const NodeId ri = dag_.mul(wr, xi);
  return {.re = {re, {}}, .im = {dag_.add(ri, ir), {}}};
}

// The port has exchanged re and im on the sine path, so both paths read p = (m' (b_r - t b_i), m (b_i + t b_r)).
Complex Arithmetic::dual_select_product(int j) {
  const NodeId ratio = table(TableTerm::Kind::kRatio, j);
  const NodeId xr = dag_.load(j, 0);
  const NodeId xi = dag_.load(j, 1);
  return {.re = {dag_.sub(xr, dag_.mul(ratio, xi)), {.j = j, .primed = true}},
          .im = {dag_.add(xi, dag_.mul(ratio, xr)), {.j = j, .primed = false}}};
}

Complex Arithmetic::loaded(const Complex& a) {
  if (a.input < 0) return a;
  Complex& value = loaded_[static_cast<std::size_t>(a.input)];
  if (value.re.node != kNoNode) return value;
  if (a.input == 0 || body_.spec.form == TwiddleForm::kNone) {
    value = {.re = {dag_.load(a.input, 0), {}}, .im = {dag_.load(a.input, 1), {}}};
  } else if (selects_path(body_.spec.form)) {
    value = dual_select_product(a.input);
    if (!fold_scales_) value = {.re = plain(value.re), .im = plain(value.im)};
  } else {
    value = standard_product(a.input);
  }
  return value;
}

NodeId Arithmetic::scale_value(const ScaleSymbol& scale, const ScaleSymbol& over) {
  TableTerm term;
  if (scale.j == over.j && scale.sqrt_half == over.sqrt_half) {
    // The same magnitude: the quotient is a sign.
    return table(TableTerm::Kind::kSign, scale.j);
  }
  if (over.sqrt_half && !scale.sqrt_half) throw std::logic_error("dual-select: a quotient of scales exceeds sqrt(2)");
  term.kind = TableTerm::Kind::kScale;
  term.j = static_cast<std::uint8_t>(scale.j);
  term.primed = scale.primed;
  term.over_j = static_cast<std::uint8_t>(over.j);
  term.over_primed = over.primed;
  term.sqrt_half = scale.sqrt_half && !over.sqrt_half;
  return table(term);
}

Scaled Arithmetic::plain(const Scaled& a) {
  if (a.scale.j == 0) return a;
  return {dag_.mul(scale_value(a.scale, {}), a.node), {}};
}

Complex Arithmetic::plain(const Complex& a) {
  const Complex value = loaded(a);
  return {.re = plain(value.re), .im = plain(value.im)};
}

Scaled Arithmetic::add(const Scaled& a, const Scaled& b, bool subtract) {
  const auto sum = [&](NodeId x, NodeId y) { return subtract ? dag_.sub(x, y) : dag_.add(x, y); };
  if (a.scale == b.scale) return {sum(a.node, b.node), a.scale};
  // Never divide by the number 1: its partner would lose the fold.
  if (b.scale.j == 0) return {sum(dag_.mul(scale_value(a.scale, {}), a.node), b.node), {}};
  return {sum(a.node, dag_.mul(scale_value(b.scale, a.scale), b.node)), a.scale};
}

Complex Arithmetic::add(const Complex& x, const Complex& y) {
  const Complex a = loaded(x);
  const Complex b = loaded(y);
  return {.re = add(a.re, b.re, false), .im = add(a.im, b.im, false)};
}

Complex Arithmetic::sub(const Complex& x, const Complex& y) {
  const Complex a = loaded(x);
  const Complex b = loaded(y);
  return {.re = add(a.re, b.re, true), .im = add(a.im, b.im, true)};
}

std::pair<Complex, Complex> Arithmetic::butterfly(const Complex& x, const Complex& y) {
  if (body_.spec.form == TwiddleForm::kChained && y.input > 0) {
    const Complex a = loaded(x);
    const NodeId wr = table(TableTerm::Kind::kRe, y.input);
    const NodeId wi = table(TableTerm::Kind::kIm, y.input);
    const NodeId xr = dag_.load(y.input, 0);
    const NodeId xi = dag_.load(y.input, 1);
    const NodeId ii = dag_.mul(wi, xi);
    const NodeId rr = dag_.mul(wr, xr);
    const NodeId sr = dag_.sub(dag_.add(a.re.node, rr), ii);
    const NodeId ir = dag_.mul(wi, xr);
    const NodeId ri = dag_.mul(wr, xi);
    const NodeId si = dag_.add(dag_.add(a.im.node, ri), ir);
    const DoubleDouble two(2.0);
    return {{.re = {sr, {}}, .im = {si, {}}},
            {.re = {dag_.sub(dag_.mul(two, a.re.node), sr), {}}, .im = {dag_.sub(dag_.mul(two, a.im.node), si), {}}}};
  }
  return {add(x, y), sub(x, y)};
}

Complex Arithmetic::scale(DoubleDouble factor, const Complex& a) {
  const Complex value = plain(a);
  return {.re = {dag_.mul(factor, value.re.node), {}}, .im = {dag_.mul(factor, value.im.node), {}}};
}

Complex Arithmetic::times_i(const Complex& a) {
  const Complex value = loaded(a);
  return {.re = {dag_.neg(value.im.node), value.im.scale}, .im = value.re};
}

Complex Arithmetic::times_minus_i(const Complex& a) {
  const Complex value = loaded(a);
  return {.re = value.im, .im = {dag_.neg(value.re.node), value.re.scale}};
}

// Times (1 - i) / sqrt 2 (clockwise) or (1 + i) / sqrt 2.
Complex Arithmetic::rotate_eighth(const Complex& a, bool clockwise) {
  const Complex v = loaded(a);
  // Magnitudes differ, or carry the factor already: nothing to fold into.
  if (v.re.scale.j == 0 || v.re.scale.j != v.im.scale.j || v.re.scale.sqrt_half || v.im.scale.sqrt_half) {
    const Complex p = plain(v);
    const Scaled sum = add(p.re, p.im, false);
    const Scaled difference = clockwise ? add(p.im, p.re, true) : add(p.re, p.im, true);
    const Complex turned = clockwise ? Complex{.re = sum, .im = difference} : Complex{.re = difference, .im = sum};
    return scale(unit_root(1, 8).re, turned);
  }
  Complex turned = clockwise ? Complex{.re = add(v.re, v.im, false), .im = add(v.im, v.re, true)}
                             : Complex{.re = add(v.re, v.im, true), .im = add(v.im, v.re, false)};
  turned.re.scale.sqrt_half = true;
  turned.im.scale.sqrt_half = true;
  return turned;
}

Complex Arithmetic::rotate(const Complex& a, std::int64_t k, std::int64_t n) {
  k %= n;
  if (k < 0) k += n;
  if (k == 0) return a;
  if (8 * k % n == 0) {
    switch (8 * k / n) {
      case 1: return rotate_eighth(a, true);
      case 2: return times_minus_i(a);
      case 3: return times_minus_i(rotate_eighth(a, true));
      case 4: return times_i(times_i(a));
      case 5: return times_i(rotate_eighth(a, false));
      case 6: return times_i(a);
      default: return rotate_eighth(a, false);
    }
  }
  const Complex v = plain(a);
  const UnitRoot w = unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
  const NodeId ii = dag_.mul(w.im, v.im.node);
  const NodeId rr = dag_.mul(w.re, v.re.node);
  const NodeId re = dag_.sub(rr, ii);
  const NodeId ir = dag_.mul(w.im, v.re.node);
  const NodeId ri = dag_.mul(w.re, v.im.node);
  return {.re = {re, {}}, .im = {dag_.add(ri, ir), {}}};
}

void Arithmetic::store(int point, const Complex& a) {
  const Complex value = plain(a);
  body_.dag.stores[static_cast<std::size_t>(point)] = {value.re.node, value.im.node};
}

}  // namespace ulpfft::genfft

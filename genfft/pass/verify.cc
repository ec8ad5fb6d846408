// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/verify.h"

#include <optional>
#include <random>
#include <string>

#include "codelets/contract/unit_root.h"
#include "genfft/pass/naive_real.h"
#include "genfft/pass/roots.h"

namespace ulpfft::genfft {
namespace {

using Exact = ComplexValue<DoubleDouble>;

constexpr double kTolerance = 0x1p-94;

// Sum of twelve uniforms: near enough to normal, and exact on every machine.
class Normal {
 public:
  double operator()() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine_() >> 40) * 0x1p-24;
    return sum;
  }

 private:
  std::mt19937_64 engine_{20};
};

struct Twiddle {
  std::uint64_t k;
  std::uint64_t n;
};

std::vector<Twiddle> twiddles(const BodySpec& spec) {
  if (spec.form == TwiddleForm::kNone) return {{0, 1}};
  const std::uint64_t radix = static_cast<std::uint64_t>(spec.radix);
  std::vector<Twiddle> list;
  // Every region of k of a pass: k < n / r, n / r coarse enough that all octants of k, 2k, ... are met.
  const std::uint64_t columns = 37;
  for (std::uint64_t k = 0; k < columns; ++k) list.push_back({k, radix * columns});
  list.push_back({1234567, (std::uint64_t{1} << 30) * radix});
  return list;
}

std::vector<Exact> naive(const Roots& roots, const std::vector<Exact>& x, const Twiddle& t) {
  const std::uint64_t r = x.size();
  std::vector<UnitRoot> twiddle;
  for (std::uint64_t j = 0; j < r; ++j) twiddle.push_back(unit_root(t.k * j, t.n));
  std::vector<Exact> y(x.size());
  for (std::uint64_t q = 0; q < r; ++q) {
    for (std::uint64_t j = 0; j < r; ++j) {
      const UnitRoot& a = roots[j * q];
      const UnitRoot& b = twiddle[j];
      const DoubleDouble re = a.re * b.re - a.im * b.im;
      const DoubleDouble im = a.re * b.im + a.im * b.re;
      y[q].re += x[j].re * re - x[j].im * im;
      y[q].im += x[j].re * im + x[j].im * re;
    }
  }
  return y;
}

// The transform of a body by its definition.
class Definition {
 public:
  explicit Definition(const BodySpec& spec) {
    if (spec.transform == RealTransform::kNone) {
      complex_.emplace(static_cast<std::uint64_t>(spec.radix));
    } else {
      real_.emplace(spec.transform, spec.radix);
    }
  }
  std::vector<Exact> operator()(const std::vector<Exact>& x, const Twiddle& t) const { return real_ ? (*real_)(x) : naive(*complex_, x, t); }

 private:
  std::optional<Roots> complex_;
  std::optional<NaiveReal> real_;
};

// What the port hands the body: re and im exchanged on the sine path.
template <class T>
std::vector<ComplexValue<T>> ported(std::vector<ComplexValue<T>> x, const BodySpec& spec, const Twiddle& t) {
  if (!selects_path(spec.form)) return x;
  for (std::size_t j = 1; j < x.size(); ++j) {
    if (select_path(spec.form, unit_root(t.k * j, t.n)).sine_path) std::swap(x[j].re, x[j].im);
  }
  return x;
}

template <class T>
std::vector<T> table_values(const Body& body, const Twiddle& t) {
  std::vector<T> values;
  for (const TableTerm& term : body.table) values.push_back(round_to<T>(table_value(term, t.k, t.n, body.spec.form)));
  return values;
}

struct Squares {
  DoubleDouble error;
  DoubleDouble norm;
  DoubleDouble gained;  // inner product of the error and the exact result
  double relative() const { return std::sqrt(error.hi / norm.hi); }
};

template <class T>
Squares compare(const Body& body, const Definition& definition, const std::vector<Exact>& x, const Twiddle& t) {
  std::vector<ComplexValue<T>> loads;
  for (const Exact& value : x) loads.push_back({round_to<T>(value.re), round_to<T>(value.im)});
  loads = ported(std::move(loads), body.spec, t);
  const std::vector<T> table = table_values<T>(body, t);
  const auto y = evaluate<T>(body.dag, loads, table);
  const std::vector<Exact> exact = definition(x, t);
  Squares sum;
  for (std::size_t q = 0; q < exact.size(); ++q) {
    const DoubleDouble re = DoubleDouble(y[q].re) - exact[q].re;
    const DoubleDouble im = DoubleDouble(y[q].im) - exact[q].im;
    sum.error += re * re + im * im;
    sum.norm += exact[q].re * exact[q].re + exact[q].im * exact[q].im;
    sum.gained += re * exact[q].re + im * exact[q].im;
  }
  return sum;
}

// Of more digits than an f64 has. What a real transform does not read of its input is 0.
std::vector<Exact> random_input(Normal& normal, const BodySpec& spec) {
  const auto part = [&normal] {
    const double high = normal(), middle = normal() * 0x1p-20, low = normal() * 0x1p-40;  // last digits 2^-24, 2^-44, 2^-64
    return DoubleDouble(high) + DoubleDouble(middle) + DoubleDouble(low);
  };
  std::vector<Exact> x;
  const bool is_complex = spec.transform == RealTransform::kNone || has_complex_input(spec.transform);
  for (int j = 0; j < input_points(spec.transform, spec.radix); ++j) {
    const DoubleDouble re = part();
    const bool has_im = is_complex && (spec.transform == RealTransform::kNone || !is_real_point(j, spec.radix));
    const DoubleDouble im = has_im ? part() : DoubleDouble();
    x.push_back({re, im});
  }
  return x;
}

}  // namespace

DoubleDouble table_value(const TableTerm& term, std::uint64_t k, std::uint64_t n, TwiddleForm form) {
  const auto select = [&](std::uint64_t index) { return select_path(form, unit_root(index, n)); };
  const auto scale = [&](int j, bool primed) {
    if (j == 0) return DoubleDouble(1.0);
    const DualSelect w = select(k * static_cast<std::uint64_t>(j));
    return primed && w.sine_path ? -w.scale : w.scale;
  };
  const std::uint64_t kj = k * term.j;
  switch (term.kind) {
    case TableTerm::Kind::kRe: return unit_root(kj, n).re;
    case TableTerm::Kind::kIm: return unit_root(kj, n).im;
    case TableTerm::Kind::kRatio: return select(kj).ratio;
    case TableTerm::Kind::kSign: return DoubleDouble(select(kj).sine_path ? -1.0 : 1.0);
    case TableTerm::Kind::kScale: break;
  }
  const DoubleDouble quotient = scale(term.j, term.primed) / scale(term.over_j, term.over_primed);
  return term.sqrt_half ? quotient * unit_root(1, 8).re : quotient;
}

void verify(const Body& body) {
  Normal normal;
  const Definition definition(body.spec);
  for (const Twiddle& t : twiddles(body.spec)) {
    const int trials = body.spec.form == TwiddleForm::kNone ? 4 : 1;
    for (int trial = 0; trial < trials; ++trial) {
      const double error = compare<DoubleDouble>(body, definition, random_input(normal, body.spec), t).relative();
      if (!(error <= kTolerance)) {
        throw WrongBody(body.spec.name + ": relative error " + std::to_string(error) +
                        " against the naive transform, k = " + std::to_string(t.k) + ", n = " + std::to_string(t.n));
      }
    }
  }
}

void verify_order(const Body& body, const std::vector<Statement>& statements) {
  const Dag& dag = body.dag;
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  const auto require = [&](bool holds, const char* what, int index) {
    if (!holds) throw WrongBody(body.spec.name + ": " + what + " " + std::to_string(index));
  };
  const int points = output_points(body.spec.transform, body.spec.radix);
  require(static_cast<int>(dag.stores.size()) == points, "has a number of outputs that is not", points);
  std::vector<bool> loaded(at(input_points(body.spec.transform, body.spec.radix)));
  std::vector<bool> stored(dag.stores.size());
  std::vector<bool> fetched(body.table.size());
  std::vector<bool> computed(at(dag.size()));
  const auto there = [&](NodeId id) {
    const Node& node = dag[id];
    switch (node.op) {
      case Op::kConstant: return true;
      case Op::kLoad: return loaded[at(node.a)] == true;
      case Op::kTable: return fetched[at(node.a)] == true;
      default: return computed[at(id)] == true;
    }
  };
  int stores = 0;
  for (const Statement& s : statements) {
    switch (s.kind) {
      case Statement::Kind::kLoad:
        require(!loaded[at(s.index)], "loads twice point", s.index);
        require(stores == 0, "stores before it loads point", s.index);
        loaded[at(s.index)] = true;
        break;
      case Statement::Kind::kTable: fetched[at(s.index)] = true; break;
      case Statement::Kind::kCompute:
        for_each_operand(dag[s.index], [&](NodeId operand) { require(there(operand), "is out of order at node", s.index); });
        computed[at(s.index)] = true;
        break;
      case Statement::Kind::kStore:
        require(there(dag.stores[at(s.index)].re) && there(dag.stores[at(s.index)].im), "stores too early point", s.index);
        require(!stored[at(s.index)], "stores twice point", s.index);
        stored[at(s.index)] = true;
        ++stores;
        break;
    }
  }
  require(stores == points, "has a number of stores that is not that of its outputs but", stores);
}

namespace {

enum class Digits : std::uint8_t { kAll, kFew };

template <class T>
Squares errors_of(const Body& body, Digits digits) {
  // About 2^12 outputs: the figures are good to 2 % of the rms.
  Normal normal;
  const Definition definition(body.spec);
  Squares sum;
  const int trials = 1 + 4096 / body.spec.radix;
  const std::vector<Twiddle> all = twiddles(body.spec);
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Exact> x = random_input(normal, body.spec);
    for (Exact& value : x) {
      const auto rounded = [&](const DoubleDouble& part) {
        return digits == Digits::kFew ? DoubleDouble(std::nearbyint(part.hi * 0x1p6) * 0x1p-6) : DoubleDouble(static_cast<double>(round_to<T>(part)));
      };
      value = {rounded(value.re), rounded(value.im)};
    }
    const Squares one = compare<T>(body, definition, x, all[static_cast<std::size_t>(trial) % all.size()]);
    sum.error += one.error;
    sum.norm += one.norm;
    sum.gained += one.gained;
  }
  return sum;
}

template <class T>
BodyErrors measure_errors(const Body& body, double u) {
  const Squares all = errors_of<T>(body, Digits::kAll);
  return {all.relative() / u, errors_of<T>(body, Digits::kFew).relative() / u, all.gained.hi / all.norm.hi / u};
}

}  // namespace

BodyErrors measure_errors(const Body& body, ComputeType compute) {
  return compute == ComputeType::kF32 ? measure_errors<float>(body, 0x1p-24) : measure_errors<double>(body, 0x1p-53);
}

}  // namespace ulpfft::genfft

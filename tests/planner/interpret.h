// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Runs a program by what its passes mean: sums by the definition, in f64, with no codelet and no table of the library. Arrays have names.
//
// What is undefined is NaN: work arrays when they are taken, and what whole vectors hold beside their numbers.
// Not interpreted   narrow ends and stages, and the products of mx and split schemes, whose numbers are codes; see reason_not_interpreted().
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "planner/convert/array_shape.h"
#include "planner/program/butterflies.h"
#include "planner/table/number_theory.h"
#include "tests/planner/interpret_r2r.h"
#include "tests/support/r2r_case.h"

namespace ulpfft::test {

using Complex = std::complex<double>;

// exp(-2 pi i k / n)
inline Complex root(std::int64_t k, std::int64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

inline std::vector<Complex> dft(const std::vector<Complex>& in) {
  const auto n = static_cast<std::int64_t>(in.size());
  std::vector<Complex> roots, out(in.size());
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(root(k, n));
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(k)] += in[static_cast<std::size_t>(j)] * roots[static_cast<std::size_t>(j * k % n)];
  }
  return out;
}

// Narrow arrays of the workspace hold numbers that are not rounded. Why not, the first clause of a sentence; empty: it is.
inline std::string reason_not_interpreted(const Program& program, const Problem& problem) {
  if (!is_wide(problem.storage_in) || !is_wide(problem.storage_out)) return "an array of the caller holds codes";
  if (problem.prescale_kind != PrescaleKind::kNone) return "a prescale depends on the numbers";
  std::string reason;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    if (std::holds_alternative<ConvertGroup>(pass.op) || std::holds_alternative<MxProducts>(pass.op) ||
        std::holds_alternative<SplitProducts>(pass.op))
      reason = "a pass chooses exponents, or multiplies blocks";
  });
  return reason;
}

class Interpreter {
 public:
  Interpreter(const Program& program, const Problem& problem)
      : program_(program), real_(static_cast<std::int64_t>(real_bytes(program.compute))) {
    unit_[0] = static_cast<std::int64_t>(storage_real_bytes(problem.storage_in));
    unit_[1] = static_cast<std::int64_t>(storage_real_bytes(problem.storage_out));
    arrays_.resize(static_cast<std::size_t>(ArrayId::kFirstWork) + program.arrays.size());
    moved_.resize(arrays_.size());
  }

  // One part of an array of the caller, or factors, from its lowest real on, which is `low`.
  void set(ArrayId id, int part, std::int64_t low, std::vector<double> reals) { array(id).part[part] = {low, std::move(reals), nullptr}; }
  // In place.
  void set_output_to_input() {
    for (int part = 0; part < 2; ++part) array(ArrayId::kOut).part[part].same = &array(ArrayId::kIn).part[part];
  }
  double real_at(ArrayId id, int part, std::int64_t at) { return at_place(id, part, at); }

  void run() { run_body(program_.body); }

 private:
  struct Part {
    std::int64_t low = 0;
    std::vector<double> reals;
    Part* same = nullptr;
  };
  struct Memory {
    Part part[2];
  };

  Memory& array(ArrayId id) { return arrays_.at(static_cast<std::size_t>(id)); }
  double& at_place(ArrayId id, int part, std::int64_t at) {
    Part* memory = &array(id).part[part];
    if (memory->same != nullptr) memory = memory->same;
    return memory->reals.at(static_cast<std::size_t>(at - memory->low));
  }
  std::int64_t shift_of(const View& view) const {
    return narrow_rows(program_, view.array) != nullptr ? number_ * view.number_stride : moved_reals(view.array);
  }
  std::int64_t moved_reals(ArrayId id) const {
    return moved_[static_cast<std::size_t>(id)] / (id == ArrayId::kIn ? unit_[0] : id == ArrayId::kOut ? unit_[1] : real_);
  }

  double& part_of(const View& view, const Number& number, bool im) {
    const int part = view.layout == Layout::kSplit && im != view.swap ? 1 : 0;
    return at_place(view.array, part, (im ? number.im : number.re) + shift_of(view));
  }
  // A real has no imaginary part: it reads as 0.
  Complex load(const View& view, const Number& number) {
    return {part_of(view, number, false), number.im == kNoPart ? 0.0 : part_of(view, number, true)};
  }
  void store(const View& view, const Number& number, Complex value) {
    part_of(view, number, false) = value.real();
    if (number.im != kNoPart) part_of(view, number, true) = value.imag();
  }
  // Passes of real transforms conjugate where others exchange.
  static View unswapped(View view) {
    view.swap = false;
    return view;
  }

  // ---- tables

  const std::vector<std::uint32_t>* rows_of(const Pass& pass) {
    if (pass.rows < 0) return nullptr;
    auto [known, is_new] = rows_.try_emplace(pass.rows);
    if (is_new) known->second = make_row_list(program_.rows.at(static_cast<std::size_t>(pass.rows)), poll_);
    return &known->second;
  }

  // The filter of a convolution: its values, continued or padded to m points, transformed and divided by m.
  const std::vector<Complex>& filter(int table, const FilterSpectrum& order) {
    auto [known, is_new] = filters_.try_emplace(table);
    if (!is_new) return known->second;
    std::vector<Complex> values(static_cast<std::size_t>(order.m));
    const auto set = [&](std::int64_t at, Complex value) { values[static_cast<std::size_t>((at + order.m) % order.m)] = value; };
    if (order.kind == FilterSpectrum::Kind::kBluestein) {
      for (std::int64_t j = 1 - order.n; j < order.n; ++j) set(j, std::conj(root(j * j % (2 * order.n), 2 * order.n)));
    } else {
      const RowOrder order_of_powers{.kind = RowOrder::Kind::kPowers, .count = order.n - 1, .n = order.n};
      const std::vector<std::uint32_t> powers = make_row_list(order_of_powers, poll_);
      for (std::int64_t q = 0; q < order.n - 1; ++q) set(-q, root(powers[static_cast<std::size_t>(q)], order.n));
      for (std::int64_t q = 1; q < order.n - 1; ++q) set(q, root(powers[static_cast<std::size_t>(order.n - 1 - q)], order.n));
    }
    known->second = dft(values);
    for (Complex& value : known->second) value /= static_cast<double>(order.m);
    return known->second;
  }

  // Complex value `i` of the table of a line pass.
  Complex line_value(const Pass& pass, std::int64_t i) {
    const TableOrder& order = program_.tables.at(static_cast<std::size_t>(pass.table));
    if (const auto* lines = std::get_if<LineTwiddles>(&order))
      return root(i % lines->rows * (i / lines->rows), lines->rows * lines->columns);
    if (const auto* chirp = std::get_if<Chirp>(&order)) return root(i * i % (2 * chirp->n), 2 * chirp->n);
    if (const auto* real = std::get_if<RealTwiddles>(&order)) return (real->halved ? 0.5 : 1.0) * root(i, real->n);
    return filter(pass.table, std::get<FilterSpectrum>(order)).at(static_cast<std::size_t>(i));
  }

  // What point j of a butterfly is multiplied by.
  Complex twiddle(const Pass& pass, const Butterfly& butterfly, std::int64_t j) {
    const CodeletInfo& codelet = *pass.codelet;
    const Operands& args = pass.args;
    if (codelet.kind == PassKind::kTwist) {
      const auto& order = std::get<TwistRequest>(program_.tables.at(static_cast<std::size_t>(pass.table)));
      const std::int64_t panel = (pass.table_begin + number_ * args.number_stride) / twist_panel_values(order);
      return root((args.twist.begin + j) * (order.begin + panel * order.panel + butterfly.index), order.n);
    }
    if (codelet.kind != PassKind::kTwiddled && codelet.kind != PassKind::kColumnsTwiddled) return args.scale;
    const auto& order = std::get<TwiddleRequest>(program_.tables.at(static_cast<std::size_t>(pass.table)));
    std::int64_t k = butterfly.index;
    if (codelet.kind == PassKind::kColumnsTwiddled)
      k += order.begin + pass.table_begin / static_cast<std::int64_t>(codelet.body->table.size());
    return root(j * k, order.length * codelet.body->radix);
  }

  // ---- passes

  // w^k of a pass whose table holds `share` of it up to h/2; n = 2h.
  Complex real_twiddle(const Pass& pass, std::int64_t k, double share) {
    const std::int64_t h = pass.args.lanes;
    return k <= h / 2 ? line_value(pass, k) / share : -std::conj(line_value(pass, h - k)) / share;
  }

  // X[k] = E[k] + w^k O[k]: the spectra of the reals of even and of odd index, of which Z = E + i O is made.
  std::vector<Complex> untangled(const Pass& pass, const std::vector<Complex>& z) {
    std::vector<Complex> x;
    const std::size_t h = z.size();
    for (std::size_t k = 0; k <= h; ++k) {
      const Complex a = z[k % h], b = std::conj(z[(h - k) % h]);
      x.push_back(0.5 * (a + b) + real_twiddle(pass, static_cast<std::int64_t>(k), 0.5) * Complex{0, -0.5} * (a - b));
    }
    return x;
  }

  // 2 Z.
  std::vector<Complex> tangled(const Pass& pass, std::vector<Complex> x) {
    std::vector<Complex> z;
    const std::size_t h = x.size() - 1;
    x[0] = x[0].real();
    x[h] = x[h].real();
    for (std::size_t k = 0; k < h; ++k) {
      const Complex even = x[k] + std::conj(x[h - k]);
      const Complex odd = (x[k] - std::conj(x[h - k])) * std::conj(real_twiddle(pass, static_cast<std::int64_t>(k), 1));
      z.push_back(even + Complex{0, 1} * odd);
    }
    return z;
  }

  // A line of a real codelet between reals, by the definition of its kind.
  static std::vector<Complex> r2r_codelet_line(RealTransform transform, const std::vector<Complex>& line) {
    constexpr std::pair<RealTransform, int> kKinds[] = {
        {RealTransform::kDHT, ULPFFT_DHT},          {RealTransform::kRedft00, ULPFFT_REDFT00}, {RealTransform::kRedft10, ULPFFT_REDFT10},
        {RealTransform::kRedft01, ULPFFT_REDFT01}, {RealTransform::kRedft11, ULPFFT_REDFT11}, {RealTransform::kRodft00, ULPFFT_RODFT00}};
    const auto* const kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& one) { return one.first == transform; });
    std::vector<DoubleDouble> reals;
    for (const Complex& value : line) reals.emplace_back(value.real());
    std::vector<Complex> out;
    for (const DoubleDouble& value : r2r_by_definition(kind->second, reals)) out.emplace_back(value.value());
    return out;
  }

  // A real codelet. Reals have im = 0.
  std::vector<Complex> real_codelet_outputs(const Pass& pass, std::vector<Complex> values) {
    const BodyFacts& body = *pass.codelet->body;
    const bool complex_in = has_complex_input(body.transform), complex_out = has_complex_output(body.transform);
    const auto change_signs = [&](bool is_complex) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (is_complex) values[k] = std::conj(values[k]);
        else if (k % 2 != 0) values[k] = -values[k];
      }
    };
    if (pass.args.in.swap) change_signs(complex_in);
    for (Complex& value : values) value *= pass.args.scale;
    const auto n = static_cast<std::size_t>(body.radix);
    if (complex_in) {
      values.resize(n);
      for (std::size_t k = 0; 2 * k <= n; ++k) {
        if (is_real_point(static_cast<int>(k), body.radix)) values[k] = values[k].real();
        values[(n - k) % n] = values[k];  // of the transform of conjugates the result is the same
        values[k] = std::conj(values[k]);
      }
    }
    if (complex_in || complex_out) {
      values = dft(values);
      values.resize(complex_out ? n / 2 + 1 : n);
    } else {
      values = r2r_codelet_line(body.transform, values);
    }
    if (pass.args.out.swap) change_signs(complex_out);
    return values;
  }

  // Calls visit(number in rows, number of the whole line).
  template <typename Visit>
  static void each_in_rows(const Pass& pass, const Visit& visit) {
    const auto r = static_cast<std::size_t>(pass.args.row), points = static_cast<std::size_t>(pass.args.lanes) / r;
    for (std::size_t q = 0; 2 * q < r; ++q) {
      for (std::size_t k = 0; k < points; ++k) visit(q * points + k, r * k + q);
    }
  }

  static std::vector<Complex> split_in_rows(const Pass& pass, std::vector<Complex> half) {
    const auto n = static_cast<std::size_t>(pass.args.lanes);
    half[0] = half[0].real();
    std::vector<Complex> rows;
    each_in_rows(pass, [&](std::size_t, std::size_t i) { rows.push_back(2 * i < n ? half[i] : std::conj(half[n - i])); });
    return rows;
  }

  static std::vector<Complex> joined_rows(const Pass& pass, const std::vector<Complex>& rows) {
    const auto n = static_cast<std::size_t>(pass.args.lanes);
    std::vector<Complex> half(n / 2 + 1);
    each_in_rows(pass, [&](std::size_t at, std::size_t i) {
      if (2 * i < n) half[i] = rows[at];
      else if (i % static_cast<std::size_t>(pass.args.row) != 0) half[n - i] = std::conj(rows[at]);
    });
    half[0] = half[0].real();
    return half;
  }

  std::vector<Complex> real_outputs(const Pass& pass, std::vector<Complex> values) {
    if (is_of_r2r_transform(pass.codelet->kind)) return r2r_outputs(pass, values);
    if (pass.codelet->kind == PassKind::kReal) return real_codelet_outputs(pass, std::move(values));
    const auto n = static_cast<std::size_t>(pass.args.lanes);
    const auto conjugate = [&](bool wanted) {
      if (wanted) std::for_each(values.begin(), values.end(), [](Complex& x) { x = std::conj(x); });
    };
    conjugate(pass.args.in.swap);
    for (Complex& value : values) value *= pass.args.scale;
    switch (pass.codelet->kind) {
      case PassKind::kUntangle: values = untangled(pass, values); break;
      case PassKind::kTangle: values = tangled(pass, values); break;
      case PassKind::kHalf: values[0] = values[0].real(); break;
      case PassKind::kMirror:
        values[0] = values[0].real();
        values.resize(n);
        for (std::size_t k = 1; k <= n / 2; ++k) values[n - k] = std::conj(values[k]);
        break;
      case PassKind::kSplitRows: values = split_in_rows(pass, values); break;
      case PassKind::kJoinRows: values = joined_rows(pass, values); break;
      default: break;  // reals move
    }
    conjugate(pass.args.out.swap);
    return values;
  }

  std::vector<Complex> outputs(const Pass& pass, const Butterfly& butterfly, std::vector<Complex> values) {
    const PassKind kind = pass.codelet->kind;
    if (kind == PassKind::kPointwise || kind == PassKind::kConvolve) {
      const Complex first = values[0], last = values.back();
      const std::int64_t begin = (pass.table_begin + number_ * pass.args.number_stride + butterfly.index) / 2;
      for (std::int64_t j = 0; j < pass.args.lanes; ++j)
        values[static_cast<std::size_t>(j)] *= pass.args.scale * line_value(pass, begin + j);
      if (kind == PassKind::kConvolve) {
        values[0] += last;
        values.back() = last + first;
      }
    } else {
      for (std::size_t j = 0; j < values.size(); ++j) values[j] *= twiddle(pass, butterfly, static_cast<std::int64_t>(j));
      if (has_body(kind)) values = dft(values);
    }
    values.resize(butterfly.out.size());  // a line pass may add zeros
    return values;
  }

  std::vector<Complex> r2r_outputs(const Pass& pass, const std::vector<Complex>& values) {
    std::vector<double> reals;
    for (const Complex& value : values) reals.push_back(value.real());
    reals = R2rPass(program_, pass).outputs(std::move(reals), rows_of(pass));
    return {reals.begin(), reals.end()};
  }

  void run_group(const Pass& pass, const Group& group) {
    std::vector<std::vector<Complex>> results;
    const bool real = is_of_real_transform(pass.codelet->kind) || is_of_r2r_transform(pass.codelet->kind);
    const View in = real ? unswapped(pass.args.in) : pass.args.in, out = real ? unswapped(pass.args.out) : pass.args.out;
    for (const Butterfly& butterfly : group.butterflies) {
      std::vector<Complex> values;
      for (const Number& number : butterfly.in) values.push_back(load(in, number));
      results.push_back(real ? real_outputs(pass, std::move(values)) : outputs(pass, butterfly, std::move(values)));
    }
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    for (const Number& number : group.written_along) store(pass.args.out, number, {kNothing, kNothing});
    for (std::size_t b = 0; b < results.size(); ++b) {
      const Butterfly& butterfly = group.butterflies[b];
      for (std::size_t j = 0; j < butterfly.out.size(); ++j) store(out, butterfly.out[j], results[b][j]);
      for (const auto& [j, number] : butterfly.again) store(pass.args.out, number, results[b][static_cast<std::size_t>(j)]);
    }
  }

  void multiply_spectrum(const Pass& pass, const Spectrum& spectrum) {
    if (!spectrum.multiplies) return;  // the caller's function, which leaves it as it is
    for (std::int64_t a = 0; a < pass.extent; ++a) {
      for (std::int64_t p = 0; p < pass.args.lanes; ++p) {
        const std::int64_t re = pass.args.in.offset + a * pass.args.axes[0].in_stride + 2 * p;
        const std::int64_t at = moved_reals(ArrayId::kFactors) + 2 * (spectrum.index + a * spectrum.row_step + p);
        const Complex factor{at_place(ArrayId::kFactors, 0, at), at_place(ArrayId::kFactors, 0, at + 1)};
        store(pass.args.in, {re, re + 1}, load(pass.args.in, {re, re + 1}) * factor);
      }
    }
  }

  // What is rounded is also multiplied by a power of two.
  void round_stage(const Pass& pass, const RoundedStage& stage) {
    const View& work = pass.args.in;
    for (const std::int64_t column : stage.columns) {
      for (std::int64_t row = 0; row * stage.row_points < stage.points; ++row) {
        for (const RoundedStage::Place& place : stage.places) {
          const std::int64_t re = work.offset + column + row * stage.row_stride + place.offset;
          store(work, {re, re + work.im_offset}, load(work, {re, re + work.im_offset}) * std::ldexp(1.0, stage.exponent));
        }
      }
    }
  }

  void run_pass(const Pass& pass) {
    if (const auto* round = std::get_if<RoundStage>(&pass.op)) return round_stage(pass, *round->stage);
    if (const auto* spectrum = std::get_if<Spectrum>(&pass.op)) return multiply_spectrum(pass, *spectrum);
    for (std::int64_t a = 0; a < pass.args.axes[0].count; ++a) {
      visit_groups(program_, pass, rows_of(pass), a, [&](const Group& group) { run_group(pass, group); });
    }
  }

  void run_loop(const Loop& loop) {
    const std::vector<std::int64_t> before = moved_;
    const std::int64_t number = number_;
    for (std::int64_t i = 0; i < loop.count; ++i) {
      if (loop.numbered) number_ = i;
      run_body(loop.body);
      for (const auto& [id, bytes] : loop.moves) moved_[static_cast<std::size_t>(id)] += bytes;
    }
    moved_ = before;
    number_ = number;
  }

  void run_body(const std::vector<Item>& body) {
    for (const Item& item : body) {
      if (item.pass() != nullptr) run_pass(*item.pass());
      if (item.loop() != nullptr && item.loop()->when == When::kAlways) run_loop(*item.loop());
      const Take* take = std::get_if<Take>(&item);
      if (take == nullptr) continue;
      const auto index = static_cast<std::size_t>(take->array) - static_cast<std::size_t>(ArrayId::kFirstWork);
      const auto reals = static_cast<std::size_t>(addressed_reals(program_.arrays.at(index), program_.compute));
      set(take->array, 0, 0, std::vector<double>(reals, std::numeric_limits<double>::quiet_NaN()));
      moved_[static_cast<std::size_t>(take->array)] = 0;
    }
  }

  const Program& program_;
  const std::int64_t real_;
  std::int64_t unit_[2];  // bytes of a real of input and output
  std::vector<Memory> arrays_;        // by ArrayId
  std::vector<std::int64_t> moved_;   // bytes, likewise
  std::int64_t number_ = 0;
  std::map<int, std::vector<std::uint32_t>> rows_;
  std::map<int, std::vector<Complex>> filters_;
  Poll poll_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_H_

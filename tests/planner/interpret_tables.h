// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The tables and row lists of a program, by what they mean.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_

#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <variant>
#include <vector>

#include "codelets/contract/pass_rows.h"
#include "planner/program/program.h"
#include "planner/table/window_table.h"
#include "tests/planner/interpret_dft.h"

namespace ulpfft::test {

// exp(-2 pi i turns)
inline Complex turned(double turns) { return std::polar(1.0, -2 * std::numbers::pi * std::fmod(turns, 1)); }
inline double step_of(const Zoom& zoom, std::int64_t inputs) {
  return zoom.step != 0 ? zoom.step : 1 / static_cast<double>(zoom.points != 0 ? zoom.points : inputs);
}

// One for every element of a transform, row-major.
inline std::vector<double> values_of_window(const WindowFactors& window) {
  RootCache roots;
  std::vector<double> values{1};
  for (std::size_t d = 0; d < window.lengths.size(); ++d) {
    const std::vector<DoubleDouble> along = factors_along(window, d, roots);
    std::vector<double> next;
    for (const double outer : values) {
      for (const DoubleDouble& inner : along) next.push_back(outer * inner.hi);
    }
    values = std::move(next);
  }
  return values;
}

class MeantTables {
 public:
  explicit MeantTables(const Program& program) : program_(program) {}

  const std::vector<std::uint32_t>* rows_of(const Pass& pass) {
    if (pass.rows < 0) return nullptr;
    auto [known, is_new] = rows_.try_emplace(pass.rows);
    if (is_new) known->second = make_row_list(program_.rows.at(static_cast<std::size_t>(pass.rows)), poll_);
    return &known->second;
  }

  // The table of a pass over a line, from number `begin` on.
  std::vector<double> of_line(const Pass& pass, std::int64_t begin) {
    std::vector<double> table;
    const std::int64_t n = pass.args.lanes;
    const auto add = [&](Complex value) { table.insert(table.end(), {value.real(), value.imag()}); };
    switch (row_of(pass.codelet->kind).table) {
      case PassTable::kNumbers:
        for (std::int64_t j = 0; j < n; ++j) add(line_value(pass, begin + j));
        break;
      case PassTable::kRoots:
        for (std::int64_t k = 0; k <= n / 2; ++k) add((of<RealTwiddles>(pass).halved ? 0.5 : 1.0) * root(k, of<RealTwiddles>(pass).n));
        break;
      case PassTable::kFold:
        for (std::int64_t k = 0; k <= n / 4; ++k) add((pass.codelet->kind == PassKind::kFold ? 0.5 : 1.0) * root(k, n));
        add({fold_factor(pass, 0).real(), fold_factor(pass, n / 2).real()});
        for (std::int64_t k = 1; k <= n / 4; ++k) add(fold_factor(pass, k));
        for (std::int64_t k = 0; k <= n / 4; ++k) add(fold_factor(pass, n / 2 - k));
        break;
      case PassTable::kPairs:
        for (std::int64_t j = 0; j < n / 2; ++j) add(root(8 * j + 1, 16 * n));
        break;
      case PassTable::kFactors: return pick_factors(of<PickFactors>(pass));
      default: break;
    }
    return table;
  }

  // The factors of a pass that decodes a windowed input.
  std::vector<double> of_window(const Pass& pass) const {
    return pass.table < 0 ? std::vector<double>() : values_of_window(of<WindowFactors>(pass));
  }

  // Complex value `i` of the table of a line pass.
  Complex line_value(const Pass& pass, std::int64_t i) {
    const TableOrder& order = program_.tables.at(static_cast<std::size_t>(pass.table));
    if (const auto* lines = std::get_if<LineTwiddles>(&order))
      return root(i % lines->rows * (i / lines->rows), lines->rows * lines->columns);
    if (const auto* zoom = std::get_if<ZoomChirp>(&order)) {
      const double start = zoom->output ? 0 : zoom->zoom.start, j = static_cast<double>(i);
      return turned(start * j + j * j * step_of(zoom->zoom, zoom->inputs) / 2);
    }
    if (const auto* chirp = std::get_if<Chirp>(&order)) return root(i * i % (2 * chirp->n), 2 * chirp->n);
    return filter(pass.table, std::get<FilterSpectrum>(order)).at(static_cast<std::size_t>(i));
  }

 private:
  template <typename Table>
  const Table& of(const Pass& pass) const {
    return std::get<Table>(program_.tables.at(static_cast<std::size_t>(pass.table)));
  }

  // t of V[k].
  Complex fold_factor(const Pass& pass, std::int64_t k) const {
    const FoldTwiddles& twiddles = of<FoldTwiddles>(pass);
    const std::int64_t n = pass.args.lanes;
    const bool is_dct = twiddles.kind == R2rKind::kDCT2 || twiddles.kind == R2rKind::kDCT3;
    const double twice = twiddles.kind == R2rKind::kDCT2 ? 2 : 1;
    if (k == 0) return is_dct && twiddles.weighted ? std::numbers::sqrt2 : twice;
    if (2 * k == n) return is_dct ? std::numbers::sqrt2 : 1;
    if (is_dct) return twice * root(k, 4 * n);
    return twiddles.kind == R2rKind::kDHT ? Complex(1, 1) : Complex(1, 0);
  }

  static std::vector<double> pick_factors(const PickFactors& factors) {
    const R2rKind kind = factors.kind;
    const double root = std::numbers::sqrt2;
    double factor = 1, end = 1;
    if (!factors.output) {
      if (kind == R2rKind::kDCT2 || ((kind == R2rKind::kDCT3 || kind == R2rKind::kHC2R) && !factors.half)) factor = 2;
      if (kind == R2rKind::kDCT4) factor = root;
      if (factors.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT3)) end = root;
    } else if (factors.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT2)) {
      end = 1 / root;
    }
    return {0, factor, -factor, end};
  }

  // The filter of a convolution: its values, continued or padded to m points, transformed and divided by m.
  const std::vector<Complex>& filter(int table, const FilterSpectrum& order) {
    auto [known, is_new] = filters_.try_emplace(table);
    if (!is_new) return known->second;
    std::vector<Complex> values(static_cast<std::size_t>(order.m));
    const auto set = [&](std::int64_t at, Complex value) { values[static_cast<std::size_t>((at + order.m) % order.m)] = value; };
    if (order.kind == FilterSpectrum::Kind::kZoom) {
      for (std::int64_t j = 1 - order.n; j < order.outputs(); ++j)
        set(j, turned(-static_cast<double>(j * j) * step_of(order.zoom, order.n) / 2));
    } else if (order.kind == FilterSpectrum::Kind::kBluestein) {
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

  const Program& program_;
  std::map<int, std::vector<std::uint32_t>> rows_;
  std::map<int, std::vector<Complex>> filters_;
  Poll poll_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The tables and row lists of a program, by what they mean.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_

#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "planner/program/program.h"
#include "tests/planner/interpret_dft.h"

namespace ulpfft::test {

class MeantTables {
 public:
  explicit MeantTables(const Program& program) : program_(program) {}

  const std::vector<std::uint32_t>* rows_of(const Pass& pass) {
    if (pass.rows < 0) return nullptr;
    auto [known, is_new] = rows_.try_emplace(pass.rows);
    if (is_new) known->second = make_row_list(program_.rows.at(static_cast<std::size_t>(pass.rows)), poll_);
    return &known->second;
  }

  // Complex value `i` of the table of a line pass.
  Complex line_value(const Pass& pass, std::int64_t i) {
    const TableOrder& order = program_.tables.at(static_cast<std::size_t>(pass.table));
    if (const auto* lines = std::get_if<LineTwiddles>(&order))
      return root(i % lines->rows * (i / lines->rows), lines->rows * lines->columns);
    if (const auto* chirp = std::get_if<Chirp>(&order)) return root(i * i % (2 * chirp->n), 2 * chirp->n);
    return filter(pass.table, std::get<FilterSpectrum>(order)).at(static_cast<std::size_t>(i));
  }

 private:
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

  const Program& program_;
  std::map<int, std::vector<std::uint32_t>> rows_;
  std::map<int, std::vector<Complex>> filters_;
  Poll poll_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_TABLES_H_

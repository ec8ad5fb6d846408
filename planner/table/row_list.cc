// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/row_list.h"

#include <utility>

#include "codelets/contract/codelet.h"
#include "planner/table/number_theory.h"
#include "planner/table/pick_list.h"

namespace ulpfft {
namespace {

// The row of each column by the digit reversal of radices[1..]. Columns of a line are the residues of its index.
std::vector<std::uint32_t> digit_reversed_rows(const std::vector<std::int64_t>& radices, Poll& poll) {
  // c = t_m + r_m (t_{m-1} + r_{m-1} (... t_2)); the last radix owns the coarsest blocks of rows.
  std::vector<std::uint32_t> rows{0};
  for (std::size_t i = 1; i < radices.size(); ++i) {
    const std::int64_t radix = radices[i];
    std::vector<std::uint32_t> next(rows.size() * static_cast<std::size_t>(radix));
    for (std::size_t c = 0; c < next.size(); ++c) {
      poll.count(1);
      const std::size_t t = c % static_cast<std::size_t>(radix);
      next[c] = static_cast<std::uint32_t>(t * rows.size() + rows[c / static_cast<std::size_t>(radix)]);
    }
    rows = std::move(next);
  }
  return rows;
}

// Appends the n - 1 powers 1, g, g^2, ... modulo n.
void append_powers(std::int64_t g, std::int64_t n, Poll& poll, std::vector<std::uint32_t>& rows) {
  std::int64_t at = 1;
  for (std::int64_t q = 0; q < n - 1; ++q) {
    poll.count(1);
    rows.push_back(static_cast<std::uint32_t>(at));
    at = at * g % n;
  }
}

// Appends the rows of the lanes of vectors over the columns. The last vector begins early enough to be whole.
void append_digits_of_lanes(const RowOrder& order, Poll& poll, std::vector<std::uint32_t>& rows) {
  const std::vector<std::uint32_t> reversed = digit_reversed_rows(order.radices, poll);
  const int w = order.lanes;
  for (std::int64_t v = 0; v < vectors_of(order.columns, w); ++v) {
    poll.count(w);
    const std::int64_t begin = vector_begin(v, order.columns, w);
    for (int l = 0; l < w; ++l) {
      const std::int64_t c = begin + index_of_lane(l, w, order.reals_in_block);
      rows.push_back(c < order.columns ? reversed[static_cast<std::size_t>(order.begin + c)] : static_cast<std::uint32_t>(order.none));
    }
  }
}

}  // namespace

std::vector<std::uint32_t> make_row_list(const RowOrder& order, Poll& poll) {
  if (order.kind == RowOrder::Kind::kDigits) return digit_reversed_rows(order.radices, poll);
  std::vector<std::uint32_t> rows;
  rows.reserve(static_cast<std::size_t>(order.count));
  switch (order.kind) {
    case RowOrder::Kind::kNatural:
      for (std::int64_t i = 0; i < order.count; ++i) rows.push_back(static_cast<std::uint32_t>(i));
      break;
    case RowOrder::Kind::kDigits: break;
    case RowOrder::Kind::kDigitsOfLanes: append_digits_of_lanes(order, poll, rows); break;
    case RowOrder::Kind::kPowers: append_powers(primitive_root(order.n), order.n, poll, rows); break;
    case RowOrder::Kind::kLogarithms: {
      append_powers(primitive_root(order.n), order.n, poll, rows);
      const std::vector<std::uint32_t> powers = std::move(rows);
      rows.assign(static_cast<std::size_t>(order.n), static_cast<std::uint32_t>(order.none));
      const std::uint32_t period = static_cast<std::uint32_t>(powers.size());
      for (std::uint32_t q = 0; q < period; ++q) rows[powers[q]] = q == 0 ? 0 : period - q;
      break;
    }
    case RowOrder::Kind::kPickEnds:
      for (std::int64_t i = 0; i < order.count; ++i) rows.push_back(static_cast<std::uint32_t>(4 * i + 3));
      break;
    case RowOrder::Kind::kPickIn: return pick_to_numbers(order.r2r, order.n, order.half, poll);
    case RowOrder::Kind::kPickOut: return pick_from_numbers(order.r2r, order.n, order.half, poll);
  }
  return rows;
}

std::vector<std::uint32_t> columns_of_rows(const std::vector<std::int64_t>& radices, Poll& poll) {
  const std::vector<std::uint32_t> rows = digit_reversed_rows(radices, poll);
  std::vector<std::uint32_t> columns(rows.size());
  for (std::size_t c = 0; c < rows.size(); ++c) columns[rows[c]] = static_cast<std::uint32_t>(c);
  return columns;
}

}  // namespace ulpfft

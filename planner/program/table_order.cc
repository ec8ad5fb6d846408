// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/table_order.h"

#include <type_traits>

namespace ulpfft {

double bytes_of_table(const TableOrder& order, ComputeType compute) {
  const double real = static_cast<double>(real_bytes(compute));
  return std::visit(
      [&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (std::is_same_v<T, TwiddleRequest>) return twiddle_table_bytes(table, compute);
        else if constexpr (std::is_same_v<T, TwistRequest>) return static_cast<double>(twist_table_values(table)) * real;
        else if constexpr (std::is_same_v<T, LineTwiddles>) return static_cast<double>(2 * table.rows * table.kept) * real;
        else if constexpr (std::is_same_v<T, Chirp>) return static_cast<double>(2 * table.n) * real;
        else if constexpr (std::is_same_v<T, ZoomChirp>) return static_cast<double>(2 * table.count()) * real;
        else if constexpr (std::is_same_v<T, RealTwiddles>) return static_cast<double>(2 * real_twiddle_count(table.n)) * real;
        else if constexpr (std::is_same_v<T, FoldTwiddles> || std::is_same_v<T, PairTwiddles> || std::is_same_v<T, PickFactors> ||
                           std::is_same_v<T, WindowFactors>)
          return static_cast<double>(table_values(table)) * real;
        else return static_cast<double>(2 * table.m) * real;
      },
      order);
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The words of codelets, tables and row lists in the text of a program.
#ifndef ULPFFT_PLANNER_PROGRAM_PRINT_TABLES_H_
#define ULPFFT_PLANNER_PROGRAM_PRINT_TABLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/program/table_order.h"
#include "planner/table/row_list.h"

namespace ulpfft {

inline std::string text(std::int64_t number) { return std::to_string(number); }
// Numbers with spaces between.
std::string list_text(const std::vector<std::int64_t>& numbers);
// "t8:ds": a body by its radix and form, or by its name.
std::string body_text(const BodyFacts& body);
// "twiddles(128, 16)  t8, vectors of 16".
std::string table_text(const TableOrder& order);
// "digits(16 8)  columns 0..7 in vectors of 16, else row 8".
std::string rows_text(const RowOrder& order);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PRINT_TABLES_H_

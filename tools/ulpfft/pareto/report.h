// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A table of schemes and storages as text, JSON, and a page.
#ifndef ULPFFT_TOOLS_ULPFFT_PARETO_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_PARETO_REPORT_H_

#include <map>
#include <string>
#include <vector>

#include "tools/ulpfft/pareto/rows.h"

namespace ulpfft_tool::pareto {

std::string text_report(const Table& table);
std::string json_report(const Table& table);
// One page that needs nothing else: time against error with the front drawn, then the rows.
std::string page(const Table& table);

// Rows that were not measured, by their reason.
std::map<std::string, std::vector<const Row*>> rows_left_out(const Table& table);

// "front", "own" (of the storages of the problem), or both.
std::string mark_of(const Row& row);
double ns_per_point(const Table& table, const Row& row);
// Of a row whose batch was timed in part: "4 of 256"; else "".
std::string part_timed(const Table& table, const Row& row);

}  // namespace ulpfft_tool::pareto

#endif  // ULPFFT_TOOLS_ULPFFT_PARETO_REPORT_H_

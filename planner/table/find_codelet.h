// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets by what they compute.
#ifndef ULPFFT_PLANNER_TABLE_FIND_CODELET_H_
#define ULPFFT_PLANNER_TABLE_FIND_CODELET_H_

#include <cstdint>
#include <string_view>

#include "codelets/contract/codelet.h"
#include "planner/table/table_cache.h"

namespace ulpfft {

// Null when the table has none. `second` is for pairs of bodies.
const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second = 0);
// The same, remembered: tables are hundreds of entries long.
const CodeletInfo* find_codelet(TableCache& cache, const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second = 0);

// With narrow storage at an end (`in`, `out`: names of formats, "" for the compute type); null when the table has none.
const CodeletInfo* find_fused(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form, std::int64_t second,
                              std::string_view in, std::string_view out);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_FIND_CODELET_H_

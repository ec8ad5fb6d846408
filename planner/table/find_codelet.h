// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Looks codelets up by their kind, compute type, radix and twiddle form.
#ifndef ULPFFT_PLANNER_TABLE_FIND_CODELET_H_
#define ULPFFT_PLANNER_TABLE_FIND_CODELET_H_

#include <cstdint>
#include <string_view>

#include "codelets/contract/codelet.h"
#include "planner/table/table_cache.h"
#include "wisdom/r2r_kind.h"

namespace ulpfft {

// Null when the table has no such codelet. `second` is the second radix of a pair of bodies; 0: no pair.
const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second = 0);
// The same; the cache remembers answers, because tables are hundreds of entries long.
const CodeletInfo* find_codelet(TableCache& cache, const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix,
                                TwiddleForm form, std::int64_t second = 0);

// The body of an r2r kind: of sines in dst2 to dst4 that of their cosines, of r2hc and hc2r that of the half spectrum.
RealTransform transform_of(R2rKind kind);
// A codelet of kReal of so many reals.
const CodeletInfo* find_real_codelet(const CodeletTable& table, RealTransform transform, ComputeType compute, std::int64_t n);

// A codelet with narrow storage at an end; null when the table has no such codelet. `in` and `out`
// are names of formats, "" for the compute type.
const CodeletInfo* find_fused(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                              std::int64_t second, std::string_view in, std::string_view out);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_FIND_CODELET_H_

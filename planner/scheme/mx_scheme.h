// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `mx:BLOCK[:carry|:fresh]` (codelets/contract/mx_arithmetic.h): their names, and the twiddles that plans keep for them.
//
// BLOCK is a block format as in a problem, e.g. "mxfp8_e4m3:b8:floor"; products carry the exponents of their factors, or have fresh ones.
#ifndef ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_
#define ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/contract/mx_pass.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

// Nothing for a scheme of another kind. Throws PlanError where the name begins with "mx" and is none, saying what there is.
std::optional<MxScheme> mx_scheme(const std::string& scheme);

// Block formats with a scheme of their own, "mxfp8_e4m3, ...".
std::string mx_formats();

// A pass and its tables, which do not move. Immutable.
struct MxTables {
  MxPass pass;
  std::vector<float> twiddles;
  std::vector<std::int32_t> exponents;
  std::vector<std::uint32_t> points;
  std::int64_t value_bytes = 0;  // of twiddles and exponents, filled or not
  double twiddle_error = 0;  // squared, relative, of the products with them

  MxTables() = default;
  MxTables(const MxTables&) = delete;
  MxTables& operator=(const MxTables&) = delete;
};

// Of a pass of radix r over transforms of length l: `butterflies` of it; all twiddles are 1 where `ones`. Without `filled` the tables stay
// empty. points: MxPass::points.
std::shared_ptr<const MxTables> make_mx_tables(const MxScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool ones,
                                               std::vector<std::uint32_t> points, bool filled, RootCache& roots);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_

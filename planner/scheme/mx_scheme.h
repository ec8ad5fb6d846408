// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `mx:BLOCK[:carry|:fresh]` (codelets/contract/mx_arithmetic.h): their names, and the twiddles that plans keep for them.
//
// BLOCK is a block format as in a problem, e.g. "mxfp8_e4m3:b8:floor"; products carry the exponents of their factors, or have fresh ones.
#ifndef ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_
#define ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_

#include <cstdint>
#include <memory>
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
  double twiddle_error = 0;  // squared, relative, of the products with them

  MxTables() = default;
  MxTables(const MxTables&) = delete;
  MxTables& operator=(const MxTables&) = delete;
};

// A pass of radix r over transforms of length l, without its tables: `butterflies` of it; all twiddles are 1 where `ones`.
MxPass mx_pass(const MxScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool ones);
// Of twiddles and exponents.
std::int64_t mx_table_bytes(const MxPass& pass);
// Fills the tables of `outline`. points: MxPass::points.
std::shared_ptr<const MxTables> make_mx_tables(const MxPass& outline, std::vector<std::uint32_t> points, RootCache& roots);

// Squared relative error of what such a pass does to its share of the data. `block`: the relative error of rounding data to blocks;
// `twiddles`: squared, of those of the table.
double mx_square(const MxPass& pass, double share, double block, double twiddles);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_MX_SCHEME_H_

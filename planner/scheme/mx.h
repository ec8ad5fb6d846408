// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `mx:BLOCK[:carry|:fresh]` (codelets/contract/mx_arithmetic.h): the twiddles that plans keep for them.
//
// BLOCK is a block format as in a problem, e.g. "mxfp8_e4m3:b8:floor". Products carry the exponents of their factors, or get fresh ones.
#ifndef ULPFFT_PLANNER_SCHEME_MX_H_
#define ULPFFT_PLANNER_SCHEME_MX_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/contract/mx_pass.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

// A pass with its tables. It is neither changed nor copied, because the pass points into the tables.
struct MxTables {
  MxPass pass;
  std::vector<float> twiddles;
  std::vector<std::int32_t> exponents;
  std::vector<std::uint32_t> points;
  double twiddle_error = 0;  // squared relative error that the twiddles give a product

  MxTables() = default;
  MxTables(const MxTables&) = delete;
  MxTables& operator=(const MxTables&) = delete;
};

// A pass of this radix over transforms of this length, with `butterflies` butterflies and without
// its tables. With `ones` all twiddles are 1.
MxPass mx_pass(const MxScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool ones);
// Bytes of the twiddles and exponents of a pass.
std::int64_t mx_table_bytes(const MxPass& pass);
// Makes the tables of `outline`. `points` becomes MxPass::points.
std::shared_ptr<const MxTables> make_mx_tables(const MxPass& outline, std::vector<std::uint32_t> points, RootCache& roots);

// The squared relative error that a pass gives its share of the data. `block` is the relative error of rounding data to blocks, `twiddles`
// the twiddle_error of the table.
double mx_square(const MxPass& pass, double share, double block, double twiddles);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_MX_H_

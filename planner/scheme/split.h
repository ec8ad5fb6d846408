// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes split:ELEMENT... (codelets/contract/split_scheme.h): their passes with matrices and twiddles, and the errors of these.
#ifndef ULPFFT_PLANNER_SCHEME_SPLIT_H_
#define ULPFFT_PLANNER_SCHEME_SPLIT_H_

#include <cstdint>
#include <memory>
#include <span>

#include "codelets/contract/split_pass.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

// The radices that split passes have.
std::span<const std::int64_t> split_radices();
bool has_split_pass(std::int64_t radix);

// A pass of lines of `points` numbers after transforms of `length`, and before one of radix `next` (0: none), without its tables.
SplitPass split_pass(const SplitScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t points, std::int64_t next);
// Bytes of the matrix and of the twiddles of a pass.
double split_table_bytes(const SplitPass& pass);

// The matrix of a radix, and the twiddles after a pass. They are neither changed nor copied, because passes point into them.
struct SplitTables {
  AlignedBuffer matrix;
  AlignedBuffer twiddles;

  SplitTables() = default;
  SplitTables(const SplitTables&) = delete;
  SplitTables& operator=(const SplitTables&) = delete;
};
std::shared_ptr<const SplitTables> make_split_tables(const SplitPass& outline, RootCache& roots);
// Gives the pass its tables.
void use_tables(SplitPass& pass, const SplitTables& tables);

// The relative error that a pass gives complex normal numbers whose parts have this rms: its square, and `bias`, the part that makes all
// results too large or too small. Passes with the same matrix have the same bias, so that biases add up and not their squares.
struct SplitError {
  double square = 0;
  double bias = 0;
};
SplitError split_error(const SplitPass& pass, double rms);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_SPLIT_H_

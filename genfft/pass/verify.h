// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A body against the naive transform, in double-double: a wrong codelet stops the build.
//
// Twiddled bodies run at several (k, n); dual-select ones with every point on the path its twiddle asks for, so both paths
// and mixtures of them occur. Random inputs come from a fixed generator and use no library functions: every machine sees the
// same numbers.
#ifndef ULPFFT_GENFFT_PASS_VERIFY_H_
#define ULPFFT_GENFFT_PASS_VERIFY_H_

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "genfft/ir/evaluate.h"
#include "genfft/kernel.h"

namespace ulpfft::genfft {

struct WrongBody : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws WrongBody where the relative L2 error exceeds 2^-94.
void verify(const Body& body);

// Throws WrongBody unless every value is made before it is read, and every point loaded once before the first store (passes work
// in place) and stored once.
void verify_order(const Body& body, const std::vector<Statement>& statements);

// On random normal data exact in the type (f32 or f64), table values rounded to it, in units of its 2^-24 or 2^-53.
BodyErrors measure_errors(const Body& body, ComputeType compute);

// The value of a table term, in a form that selects a path by that, for w = exp(-2 pi i k / n).
DoubleDouble table_value(const TableTerm& term, std::uint64_t k, std::uint64_t n, TwiddleForm form = TwiddleForm::kDualSelect);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_VERIFY_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `rounded:<element>` and `rounded:<element>/f32` (codelets/contract/rounded.h): their names, and what plans keep for them.
#ifndef ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_
#define ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_

#include <memory>
#include <optional>
#include <string>

#include "codelets/contract/codelet.h"
#include "codelets/contract/rounded_pass.h"
#include "planner/system/buffer.h"

namespace ulpfft {

// Nothing for a scheme of another kind. Throws PlanError where the name begins with "rounded" and is none, saying what there is.
std::optional<RoundedScheme> rounded_scheme(const std::string& scheme);

// kRoundedF32, kRoundedF64: what its numbers are kept in.
ComputeType rounded_compute(const RoundedScheme& scheme);
// Whether fast codelets give its bits; else the reference serves every target.
bool has_fast_codelets(const RoundedScheme& scheme);

// Formats with a scheme of their own, "f16, bf16, ...".
std::string rounded_formats();

// The constants of all bodies as one plan of the scheme wants them.
AlignedBuffer rounded_constants(const RoundedScheme& scheme);

// What its errors are of those that a rounding of each operation makes.
double rounded_share(const RoundedScheme& scheme);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_

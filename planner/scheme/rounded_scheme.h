// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `rounded:<element>` and `rounded:<element>/f32` (codelets/contract/rounded.h): their names, carriers and constants.
#ifndef ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_
#define ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_

#include <memory>
#include <optional>
#include <string>

#include "codelets/contract/codelet.h"
#include "codelets/contract/rounded_pass.h"
#include "planner/system/buffer.h"

namespace ulpfft {

// Empty for a scheme of another kind. Throws PlanError for a name that begins with "rounded" and is
// no scheme; the message lists the schemes.
std::optional<RoundedScheme> rounded_scheme(const std::string& scheme);

// kRoundedF32 or kRoundedF64, by the type that holds the numbers of the scheme.
ComputeType rounded_compute(const RoundedScheme& scheme);
// Whether fast codelets give the bits of the scheme; else the reference serves every target.
bool has_fast_codelets(const RoundedScheme& scheme);

// Names of the element formats that have a scheme: "f16, bf16, ...".
std::string rounded_formats();

// The constants of all bodies, rounded to the element of the scheme. Each plan of the scheme has a copy.
AlignedBuffer rounded_constants(const RoundedScheme& scheme);

// The errors of the scheme over the errors that a rounding of every operation would make.
double rounded_share(const RoundedScheme& scheme);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_ROUNDED_SCHEME_H_

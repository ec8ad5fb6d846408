// The schemes `rounded:<element>` and `rounded:<element>/f32` (codelets/contract/rounded.h): their names, and what plans keep for them.
#ifndef ULPFFT_PLANNER_ROUNDED_SCHEME_H_
#define ULPFFT_PLANNER_ROUNDED_SCHEME_H_

#include <memory>
#include <optional>
#include <string>

#include "codelets/contract/codelet.h"
#include "codelets/contract/rounded_pass.h"
#include "planner/buffer.h"

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

// Relative rms error of one operation of the scheme is that of f32 times this over 2^-24.
double rounded_unit(const RoundedScheme& scheme);
// Squared relative error of what the first pass makes of numbers of a storage format.
double rounded_input_error(const RoundedScheme& scheme, const std::string& storage);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_ROUNDED_SCHEME_H_

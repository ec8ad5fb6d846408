// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes `rounded:<element>` and `rounded:<element>/f32` (codelets/contract/rounded.h): their constants and errors.
#ifndef ULPFFT_PLANNER_SCHEME_ROUNDED_H_
#define ULPFFT_PLANNER_SCHEME_ROUNDED_H_

#include "codelets/contract/rounded_pass.h"
#include "planner/system/buffer.h"

namespace ulpfft {

// The constants of all bodies, rounded to the element of the scheme. Each plan of the scheme has a copy.
AlignedBuffer rounded_constants(const RoundedScheme& scheme);

// The errors of the scheme over the errors that a rounding of every operation would make.
double rounded_share(const RoundedScheme& scheme);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_ROUNDED_H_

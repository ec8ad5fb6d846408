// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The list of families, and the refusals that several of them share.
#ifndef ULPFFT_PLANNER_SCHEME_FAMILIES_H_
#define ULPFFT_PLANNER_SCHEME_FAMILIES_H_

#include "planner/scheme/scheme.h"

namespace ulpfft {

extern const SchemeFamily kWideFamily;       // wide.cc
extern const SchemeFamily kReferenceFamily;  // wide.cc
extern const SchemeFamily kRoundedFamily;    // rounded.cc
extern const SchemeFamily kMxFamily;         // mx.cc
extern const SchemeFamily kSplitFamily;      // split.cc

// Names are offered to families in this order, and listed in it.
inline constexpr const SchemeFamily* kFamilies[] = {&kWideFamily, &kRoundedFamily, &kMxFamily, &kSplitFamily, &kReferenceFamily};

// Of emulated families.
inline constexpr const char* kNoChains = "Rounded and mx schemes have no chains; f32 and f64 have";
inline constexpr const char* kNoStorageBetween = "Rounded and mx schemes keep their own numbers between passes, no other storage";
inline constexpr const char* kNoConversions = "Passes of rounded and mx schemes neither 'decode' nor 'encode'";

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_FAMILIES_H_

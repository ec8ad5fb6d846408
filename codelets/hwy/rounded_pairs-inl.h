// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// kUntangle and kTangle in rounded arithmetic: rounded.cc has them, because rows of lanes are rounded there.
#if defined(ULPFFT_CODELETS_HWY_ROUNDED_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_ROUNDED_PAIRS_INL_H_
#undef ULPFFT_CODELETS_HWY_ROUNDED_PAIRS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_ROUNDED_PAIRS_INL_H_
#endif

#include <cstdint>

#include "codelets/contract/step.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {

// T: float or double.
template <typename T>
void rounded_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, bool untangles);

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif

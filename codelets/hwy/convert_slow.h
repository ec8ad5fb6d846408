// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of formats that no vector lanes serve, compiled once for all targets.
#ifndef ULPFFT_CODELETS_HWY_CONVERT_SLOW_H_
#define ULPFFT_CODELETS_HWY_CONVERT_SLOW_H_

#include "codelets/contract/conversion.h"

namespace ulpfft::conversion {

template <typename T>
void decode_slowly(const ConversionArgs& args);
template <typename T>
std::int64_t encode_slowly(const ConversionArgs& args);

extern template void decode_slowly<float>(const ConversionArgs&);
extern template void decode_slowly<double>(const ConversionArgs&);
extern template std::int64_t encode_slowly<float>(const ConversionArgs&);
extern template std::int64_t encode_slowly<double>(const ConversionArgs&);

}  // namespace ulpfft::conversion

#endif  // ULPFFT_CODELETS_HWY_CONVERT_SLOW_H_

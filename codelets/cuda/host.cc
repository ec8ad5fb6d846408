// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/cuda/host.h"

#include "codelets/cuda/portable.h"
#include "formats.h"

namespace ulpfft::cuda {

// The device has these by value; their home is the description of the formats.
static_assert(kNanF16 == format_f16::kInfo.nan && kNanBF16 == format_bf16::kInfo.nan);
static_assert(kLargestF16 == format_f16::kInfo.largest && kLargestBF16 == format_bf16::kInfo.largest);
static_assert(kOverflow<F16> == overflow_limit(format_f16::kInfo).value && kOverflow<BF16> == overflow_limit(format_bf16::kInfo).value);

const FormatInfo& host::format(Storage storage) { return storage == Storage::kF16 ? format_f16::kInfo : format_bf16::kInfo; }

}  // namespace ulpfft::cuda

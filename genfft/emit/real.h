// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Backend hwy: bodies of real transforms, for the shape of codelets/hwy/real-inl.h.
#ifndef ULPFFT_GENFFT_EMIT_REAL_H_
#define ULPFFT_GENFFT_EMIT_REAL_H_

#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

// hwy_real-inl.h; hwy_<type>_real.cc with r2c, c2r and DHT, hwy_<type>_cosines.cc with DCT and DST.
std::vector<GeneratedFile> emit_real(const std::vector<Kernel>& kernels, const ConstantNames& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_REAL_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/target_names.h"

namespace ulpfft_tool {

std::string show_target(const std::string& name) { return name == "avx3" || name.ends_with(".avx3") ? name + " (AVX-512)" : name; }

}  // namespace ulpfft_tool

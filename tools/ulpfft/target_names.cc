// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/target_names.h"

#include <algorithm>
#include <cctype>

namespace ulpfft_tool {

std::string show_target(const std::string& name) { return name == "avx3" || name.ends_with(".avx3") ? name + " (AVX-512)" : name; }

std::string own_target_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "avx512" || name == "avx-512" || name == "avx512f" ? "avx3" : name;
}

}  // namespace ulpfft_tool

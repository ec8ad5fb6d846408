// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What other programs call kinds of problems and kinds of r2r, for suggestions. Problem texts do not take these names.
#ifndef ULPFFT_WISDOM_KIND_ELSEWHERE_H_
#define ULPFFT_WISDOM_KIND_ELSEWHERE_H_

#include <string_view>
#include <utility>

namespace ulpfft {

// "" where the name is not known elsewhere either.
constexpr std::string_view kind_elsewhere(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"fft", "c2c"}, {"rfft", "r2c"}, {"irfft", "c2r"}, {"dct", "dct2"}, {"idct", "dct3"}, {"dst", "dst2"}, {"idst", "dst3"}};
  for (const auto& [elsewhere, kind] : kNames) {
    if (elsewhere == name) return kind;
  }
  return "";
}

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_KIND_ELSEWHERE_H_

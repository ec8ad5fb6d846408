// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What other programs call kinds of problems, kinds of r2r and words of a problem, for suggestions. Problem texts do not take these names.
#ifndef ULPFFT_WISDOM_KIND_ELSEWHERE_H_
#define ULPFFT_WISDOM_KIND_ELSEWHERE_H_

#include <string_view>
#include <utility>

namespace ulpfft {

// "" where the name is not known elsewhere either.
constexpr std::string_view kind_elsewhere(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"fft", "c2c"}, {"rfft", "r2c"}, {"irfft", "c2r"}, {"dct", "dct2"}, {"idct", "dct3"}, {"dst", "dst2"}, {"idst", "dst3"},
      {"zoom", "czt"}, {"zoom_fft", "czt"}, {"chirpz", "czt"}};
  for (const auto& [elsewhere, kind] : kNames) {
    if (elsewhere == name) return kind;
  }
  return "";
}

constexpr std::string_view word_elsewhere(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"backward", "inverse"}, {"ortho", "scale=ortho"}, {"norm=ortho", "scale=ortho"}, {"in_place", "inplace"}};
  for (const auto& [elsewhere, word] : kNames) {
    if (elsewhere == name) return word;
  }
  return "";
}

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_KIND_ELSEWHERE_H_

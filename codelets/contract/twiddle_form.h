// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How a twiddle factor is kept in a table and applied by a butterfly.
//
//   kStandard     table of (re, im); complex multiply
//   kDualSelect   outer scale and ratio of magnitude <= 1, FMAs only (Bergach, arXiv:2604.00567)
//   kChained      table of (re, im); sum by two chained FMAs, difference = 2 x0 - sum
//   kLinzerFeig, kCosine   radix 2, comparison schemes only
//
// The text names are those of the recipe grammar; kStandard is written by leaving the suffix out.
#ifndef ULPFFT_CODELETS_CONTRACT_TWIDDLE_FORM_H_
#define ULPFFT_CODELETS_CONTRACT_TWIDDLE_FORM_H_

#include <cstdint>
#include <string_view>

namespace ulpfft {

enum class TwiddleForm : std::uint8_t { kNone, kStandard, kDualSelect, kChained, kLinzerFeig, kCosine };

// Suffix of a pass in a recipe, without the colon; empty for kNone and kStandard.
constexpr std::string_view twiddle_suffix(TwiddleForm form) {
  switch (form) {
    case TwiddleForm::kDualSelect: return "ds";
    case TwiddleForm::kChained: return "ch";
    case TwiddleForm::kLinzerFeig: return "lf";
    case TwiddleForm::kCosine: return "cos";
    default: return "";
  }
}

// Forms that keep w as a scale and a ratio, by a path that depends on w: dual-select the one whose ratio is at most 1, the others always
// the sine (Linzer-Feig) or the cosine path, unless that scale is zero.
constexpr bool selects_path(TwiddleForm form) {
  return form == TwiddleForm::kDualSelect || form == TwiddleForm::kLinzerFeig || form == TwiddleForm::kCosine;
}
// Forms for comparison alone: on ref, and in rounded schemes.
constexpr bool is_comparison(TwiddleForm form) { return form == TwiddleForm::kLinzerFeig || form == TwiddleForm::kCosine; }

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_TWIDDLE_FORM_H_

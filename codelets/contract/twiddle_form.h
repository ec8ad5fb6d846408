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

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_TWIDDLE_FORM_H_

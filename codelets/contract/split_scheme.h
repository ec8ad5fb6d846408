// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes split:ELEMENT[[xMATRIX]xPARTS][:tileN|:whole][:arbitrary]: numbers as sums of narrow parts, transforms as sums of products of
// parts. (The array layout `split` of a problem is another thing: re and im in arrays of their own.)
//
// PARTS     how many parts data and matrices have, 1 .. 4. MATRIX: of matrices, which stand first as in a matrix product.
// products  part i of the data meets part j of the matrix where i + j < PARTS; with MATRIX every pair does.
// element   a signed float whose products f32 holds, or a signed integer of 8 bits (i8).
// norm      Numbers are divided by a norm before they become parts of a float. It is a power of two, one for each line and pass. `:tileN`
//           takes one for N points instead, `:whole` one for all lines of a pass. A float with the exponents of f32 (bf16) has no norm.
//           Integers have a norm for each column of a pass.
// arbitrary As published (SC18, dynamic splitting): the norm is the largest magnitude, no power of two, so that dividing by it rounds.
//
// Sources   "Accelerating 2D FFT with half-precision tensor cores", SC18 poster (f16x2); trnfft 0.18 (bf16 products); Ozaki et al. 2012,
//           Ootomo et al. 2024 (integer slices whose products are summed exactly).
#ifndef ULPFFT_CODELETS_CONTRACT_SPLIT_SCHEME_H_
#define ULPFFT_CODELETS_CONTRACT_SPLIT_SCHEME_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "codelets/contract/codec.h"

namespace ulpfft {

inline constexpr int kMostSplitParts = 4;
inline constexpr std::int64_t kMostSplitTile = 1 << 20;

enum class SplitNorm : std::uint8_t { kNone, kLine, kTile, kWhole };

// What a name spells; whether there is such an element is not looked up.
struct SplitName {
  std::string_view element;
  int parts = 1;
  int matrix_parts = 1;
  bool every_product = false;  // MATRIX is named
  std::int64_t tile = 0;       // points; 0: none is named
  bool whole = false;
  bool arbitrary = false;
};

// The words after the element and its parts, in their order; of one place a name has at most one.
struct SplitOption {
  std::string_view word;
  int place = 0;
  std::int64_t SplitName::*points = nullptr;  // a number follows the word
  bool SplitName::*flag = nullptr;
};
inline constexpr SplitOption kSplitOptions[] = {
    {"tile", 0, &SplitName::tile}, {"whole", 0, nullptr, &SplitName::whole}, {"arbitrary", 1, nullptr, &SplitName::arbitrary}};

struct SplitNameResult {
  SplitName name;
  const char* error = nullptr;  // a sentence; null: the name is one
};

// null: there is no such word. A number is not read, but for its first digit.
constexpr const SplitOption* find_split_option(std::string_view word) {
  for (const SplitOption& option : kSplitOptions) {
    const std::size_t length = option.word.size();
    const bool fits = option.flag != nullptr ? word.size() == length : word.size() > length && word[length] != '0';
    if (fits && word.substr(0, length) == option.word) return &option;
  }
  return nullptr;
}

constexpr SplitNameResult parse_split_name(std::string_view text) {
  constexpr const char* kOptions = "After the element and its parts comes :tileN, e.g. :tile64, or :whole, then :arbitrary.";
  SplitNameResult result;
  SplitName& name = result.name;
  std::size_t at = text.find(':');
  std::string_view head = text.substr(0, at);
  const auto take_parts = [&]() {
    const std::size_t x = head.rfind('x');
    if (x == std::string_view::npos || x == 0 || x + 2 != head.size() || head[x + 1] < '0' || head[x + 1] > '9') return 0;
    const int digit = head[x + 1] - '0';
    head = head.substr(0, x);
    return digit == 0 ? -1 : digit;
  };
  const int last = take_parts();
  const int before = last != 0 ? take_parts() : 0;
  name.parts = last != 0 ? last : 1;
  name.matrix_parts = before != 0 ? before : name.parts;
  name.every_product = before != 0;
  if (name.parts < 1 || name.parts > kMostSplitParts || name.matrix_parts < 1 || name.matrix_parts > kMostSplitParts) {
    return {{}, "Numbers have 1, 2, 3 or 4 parts."};
  }
  // Names that are in use elsewhere.
  if (head == "ozaki4" && last == 0) {
    head = "i8";
    name.parts = name.matrix_parts = 4;
  }
  name.element = head == "fp16" ? std::string_view("f16") : head;
  if (name.element.empty()) return {{}, "The element is missing."};
  for (int place = -1; at != std::string_view::npos && at < text.size();) {
    const std::size_t end = text.find(':', at + 1);
    const std::string_view word = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    const SplitOption* const option = find_split_option(word);
    if (option == nullptr || option->place <= place) return {{}, kOptions};
    place = option->place;
    if (option->flag != nullptr) name.*option->flag = true;
    for (const char digit : word.substr(option->word.size())) {
      if (digit < '0' || digit > '9') return {{}, kOptions};
      std::int64_t& points = name.*option->points;
      points = 10 * points + (digit - '0');
      if (points > kMostSplitTile) return {{}, "A tile has at most 1048576 points."};
    }
    at = end;
  }
  return result;
}

// The text that a name prints as, which parses back to it.
inline std::string print_split_name(const SplitName& name) {
  std::string text(name.element);
  if (name.every_product) text += "x" + std::to_string(name.matrix_parts);
  if (name.parts > 1 || name.every_product) text += "x" + std::to_string(name.parts);
  for (const SplitOption& option : kSplitOptions) {
    const std::int64_t points = option.points != nullptr ? name.*option.points : 0;
    if (points > 0) text += ":" + std::string(option.word) + std::to_string(points);
    if (option.flag != nullptr && name.*option.flag) text += ":" + std::string(option.word);
  }
  return text;
}

struct SplitScheme {
  const FormatInfo* element = nullptr;
  int parts = 1;
  int matrix_parts = 1;
  bool every_product = false;
  SplitNorm norm = SplitNorm::kNone;
  std::int64_t tile = 0;  // points, of kTile; 1: every column has its own
  bool arbitrary = false;

  bool slices() const { return element->kind == FormatKind::kInteger; }
  bool multiplies(int data, int matrix) const { return every_product || data + matrix < parts; }
};

// 2 R products of two slices of at most 2^7 are summed exactly in f32: 2 R 2^14 <= 2^24.
inline constexpr std::int64_t kMostExactRadix = 512;

// Why an element has no such scheme: the end of a sentence that begins with its name; null where it has.
constexpr const char* split_refusal(const FormatInfo& f) {
  if (f.kind == FormatKind::kWide) return "is what sums of products round to";
  if (lowest_value(f) >= 0) return "has no negative numbers";
  if (f.kind == FormatKind::kInteger) return f.bits == 8 && f.offset == 0 ? nullptr : "is no integer of 8 bits around 0";
  if (f.mantissa_bits < 1) return "has no fraction bits, so that its ties do not follow even steps";
  if (2 * (f.mantissa_bits + 1) > 24) return "has more than 12 significant bits, whose products f32 does not hold";
  return nullptr;
}
// Whether f32 has no number beyond its range, so that parts need no norm.
constexpr bool has_range_of_f32(const FormatInfo& f) { return largest_value(f) >= 0x1p127 && lowest_exponent(f) <= -126; }

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_SPLIT_SCHEME_H_

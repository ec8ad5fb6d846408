// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How the reals of an array are kept: an element format, alone or in blocks with scales; its names, its bytes, its slow codec.
//
// Text     NAME of an element format, or NAME[:bLENGTH][:RULE] of a block format: "mxfp8_e4m3:b8:floor", in this order. What is not
//          written comes from the descriptor. LENGTH 0: one scale per row.
// Rows     run along the innermost dimension; complex numbers are two reals, re first. Every row begins a new block and a new byte;
//          its last block may be partial. Packed codes are a little-endian bit stream (code i: bits [i * w, (i + 1) * w), bit 0 the
//          least significant of byte 0), unused bits of the last byte are 0. Scales lie in an array of their own.
// Blocks   golden vectors, section 3: all exponents are exact; NaN or infinity anywhere makes the whole block NaN, codes 0. A scale with a
//          mantissa divides the reals in their own type, by the operations that its rule names, and each of them rounds.
// Sources  of the rules te and torchao: NVFP4QuantizerRef of TransformerEngine (transformer_engine/pytorch/custom_recipes/
//          quantization_nvfp4.py) with a global encode scale of 1, and _nvfp4_quantize of torchao (prototype/mx_formats/nvfp4_tensor.py)
//          without a scale of the tensor. Neither marks a NaN block, and the first makes +0 of a -0 among the reals. Of search:
//          arXiv:2512.02010.
#ifndef ULPFFT_CODELETS_CONTRACT_STORAGE_H_
#define ULPFFT_CODELETS_CONTRACT_STORAGE_H_

#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>

#include "codelets/contract/codec.h"
#include "codelets/contract/format_info.h"

namespace ulpfft {

// A format as named by a problem.
struct StorageName {
  std::string_view format;
  int length = -1;  // -1: the descriptor's
  int rule = -1;    // index of kScaleRuleNames; -1: the descriptor's
};

struct StorageNameResult {
  StorageName name;
  const char* error = nullptr;  // a sentence; null: parsed
  std::size_t at = 0;           // of the fault in the text
};

constexpr StorageNameResult parse_storage_name(std::string_view text) {
  StorageNameResult result;
  std::size_t at = text.find(':');
  if (at == std::string_view::npos) at = text.size();
  result.name.format = text.substr(0, at);
  if (at == 0) return {{}, "The name of a format is missing.", 0};
  while (at < text.size()) {
    const std::size_t begin = at + 1;
    std::size_t end = text.find(':', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(begin, end - begin);
    int rule = -1;
    for (int i = 0; i < kScaleRules; ++i) {
      if (word == kScaleRuleNames[i]) rule = i;
    }
    if (rule >= 0) {
      if (result.name.rule >= 0) return {{}, "The scale rule is given twice.", begin};
      result.name.rule = rule;
    } else if (word.size() >= 2 && word[0] == 'b' && word[1] >= '0' && word[1] <= '9') {
      if (result.name.length >= 0) return {{}, "The block length is given twice.", begin};
      if (result.name.rule >= 0) return {{}, "The block length stands before the scale rule.", begin};
      int length = word.size() > 3 || (word[1] == '0' && word.size() > 2) ? -1 : 0;
      for (std::size_t i = 1; length >= 0 && i < word.size(); ++i) length = word[i] >= '0' && word[i] <= '9' ? 10 * length + (word[i] - '0') : -1;
      if (length < 0 || !is_block_length(length)) return {{}, "A block has 2, 4, 8, 16, 32 or 64 reals, or 0: the whole row.", begin};
      result.name.length = length;
    } else {
      return {{},
              "After a block format comes :bLENGTH, e.g. :b8, then one of :floor, :ceil, :rceil, :even, :fit, or of :te, :torchao, :search.",
              begin};
    }
    at = end;
  }
  return result;
}

struct Storage {
  const FormatInfo* element = nullptr;
  const FormatInfo* scale = nullptr;  // null: no blocks
  int length = 0;                     // with a scale: reals of a block, 0: the whole row
  ScaleRule rule = ScaleRule::kRceil;
};

struct StorageResult {
  Storage storage;
  const char* error = nullptr;  // a sentence; null: found
};

constexpr const FormatInfo* find_format(std::span<const FormatInfo> formats, std::string_view name) {
  for (const FormatInfo& format : formats) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

constexpr StorageResult find_storage(const StorageName& name, std::span<const FormatInfo> formats, std::span<const BlockInfo> blocks) {
  if (const FormatInfo* element = find_format(formats, name.format)) {
    if (name.length >= 0 || name.rule >= 0) return {{}, "Only block formats have a block length and a scale rule."};
    return {{.element = element}};
  }
  for (const BlockInfo& block : blocks) {
    if (name.format != block.name) continue;
    const Storage storage{.element = find_format(formats, block.element),
                          .scale = find_format(formats, block.scale),
                          .length = name.length >= 0 ? name.length : block.length,
                          .rule = name.rule >= 0 ? static_cast<ScaleRule>(name.rule) : block.rule};
    if (is_rule_of(*storage.scale, storage.rule)) return {storage};
    return {{}, has_powers_alone(*storage.scale) ? "Its scales are powers of two, which floor, ceil, rceil, even and fit choose."
                                                 : "Its scales have a mantissa; te, torchao and search choose such scales."};
  }
  return {{}, "There is no such format."};
}

// Bytes of one row of `reals` reals.
constexpr std::int64_t code_bytes(const Storage& s, std::int64_t reals) { return (reals * s.element->bits + 7) / 8; }
constexpr std::int64_t blocks_in(const Storage& s, std::int64_t reals) {
  if (s.scale == nullptr) return 0;
  return s.length == 0 ? (reals > 0 ? 1 : 0) : (reals + s.length - 1) / s.length;
}
// A scale takes whole bytes.
constexpr std::int64_t scale_bytes(const Storage& s, std::int64_t reals) {
  return s.scale == nullptr ? 0 : blocks_in(s, reals) * ((s.scale->bits + 7) / 8);
}
// A part of a row may be converted alone if it begins at a multiple of this, and ends there or at the end of the row; 0: only whole rows.
constexpr std::int64_t run_alignment(const Storage& s) {
  if (s.scale != nullptr && s.length == 0) return 0;
  const std::int64_t whole_bytes = 8 / std::gcd(s.element->bits, 8);
  return s.scale == nullptr ? whole_bytes : std::lcm(whole_bytes, static_cast<std::int64_t>(s.length));
}

// Code `index` of a row, which may lie before it: strides can be negative. Writing leaves the other bits of its bytes.
constexpr std::uint64_t read_code(const std::uint8_t* row, int bits, std::int64_t index) {
  std::uint64_t code = 0;
  for (int b = 0; b < bits; ++b) {
    const std::int64_t bit = index * bits + b;
    code |= std::uint64_t(row[bit >> 3] >> (bit & 7) & 1) << b;
  }
  return code;
}
constexpr void write_code(std::uint8_t* row, int bits, std::int64_t index, std::uint64_t code) {
  for (int b = 0; b < bits; ++b) {
    const std::int64_t bit = index * bits + b;
    const int mask = 1 << (bit & 7);
    row[bit >> 3] = static_cast<std::uint8_t>((code >> b & 1) != 0 ? row[bit >> 3] | mask : row[bit >> 3] & ~mask);
  }
}

// Where number i of a row lies: in groups of `group` adjacent ones, `stride` apart; group 0: all adjacent.
struct Groups {
  std::int64_t group = 0;
  std::int64_t stride = 0;
  constexpr std::int64_t operator()(std::int64_t i) const { return group > 0 ? i / group * stride + i % group : i; }
};

// Shared exponent of a block whose largest magnitude is amax, finite and above 0, before the scale format's range limits it.
constexpr int block_exponent(const FormatInfo& element, ScaleRule rule, double amax) {
  const double largest = largest_value(element);
  const int exponent = floor_log2(amax) - floor_log2(largest);
  // Significands in [1, 2).
  const auto significand = [](double x) {
    const Parts parts = parts_of(x);
    return compose(false, parts.significand, 1 - static_cast<int>(std::bit_width(parts.significand)));
  };
  const double s = significand(amax);
  switch (rule) {
    case ScaleRule::kFloor: return exponent;
    case ScaleRule::kCeil: return exponent + (s > 1 ? 1 : 0);
    case ScaleRule::kRceil: return exponent + (s > significand(largest) ? 1 : 0);
    case ScaleRule::kEven: return exponent + (s >= 2 - compose(false, 1, -significand_bits(element) - 1) ? 1 : 0);
    case ScaleRule::kFit: {
      const OverflowLimit limit = overflow_limit(element);
      // The limit itself may lie in the binade above that of the largest value.
      const int above = floor_log2(limit.value) - floor_log2(largest);
      const double l = significand(limit.value);
      return exponent - above + (s > l || (s == l && !limit.included) ? 1 : 0);
    }
    default: break;  // of scales with a mantissa
  }
  return exponent;
}

// Exponents of the lowest normal and the highest scale.
constexpr int lowest_scale(const FormatInfo& scale) { return lowest_exponent(scale); }
constexpr int highest_scale(const FormatInfo& scale) { return floor_log2(largest_value(scale)); }

// 16 random bits for real `i` of a row: given, or those of a seed.
struct RandomSource {
  const std::uint16_t* given = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;  // number of the row's first real
  constexpr std::uint32_t operator()(std::int64_t i) const {
    return given != nullptr ? given[i] : random_bits(seed, index + static_cast<std::uint64_t>(i));
  }
};

// The largest magnitude of a block; NaN if any of it is NaN or infinite.
template <typename T>
constexpr double largest_of_block(const T* reals, const Groups& place, std::int64_t begin, std::int64_t end) {
  double amax = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    const double x = static_cast<double>(reals[place(i)]);
    if (is_nan(x) || is_infinite(x)) return std::numeric_limits<double>::quiet_NaN();
    const double magnitude = x < 0 ? -x : x;
    if (magnitude > amax) amax = magnitude;
  }
  return amax;
}

// Code of a block's scale, and what the reals are divided by 2 to the power of.
struct ChosenScale {
  std::uint64_t code = 0;
  int exponent = 0;
};
template <typename T>
constexpr ChosenScale choose_scale(const Storage& s, const T* reals, const Groups& place, std::int64_t begin, std::int64_t end) {
  const double amax = largest_of_block(reals, place, begin, end);
  if (is_nan(amax)) return {s.scale->nan, 0};
  const int low = lowest_scale(*s.scale), high = highest_scale(*s.scale);
  int exponent = low;
  if (amax > 0) {
    exponent = block_exponent(*s.element, s.rule, amax);
    exponent = exponent < low ? low : exponent > high ? high : exponent;
  }
  return {encode(*s.scale, compose(false, 1, exponent), Rounding::kNearestSaturate).code, exponent};
}

// Code of a block's scale with a mantissa, and what the reals are multiplied by, and then divided by; one of the two is 1.
template <typename T>
struct ValueScale {
  std::uint64_t code = 0;
  T factor = 1;
  T divisor = 1;
  constexpr double operator()(T x) const { return static_cast<double>(x * factor / divisor); }
};
// The element that is next to the largest.
constexpr double element_below_largest(const FormatInfo& f) {
  return decode(f, (f.kind == FormatKind::kInteger ? static_cast<std::uint64_t>(highest_integer(f)) : largest_magnitude(f)) - 1);
}
// The code of the scale by which amax becomes the element `reach`, but for the rounding of the scale.
template <typename T>
constexpr std::uint64_t value_scale_code(const FormatInfo& scale, ScaleRule rule, T amax, T reach) {
  const T least = static_cast<T>(smallest_normal_value(scale));
  T wanted = rule == ScaleRule::kTorchao ? amax / reach : amax * (1 / reach);
  if (rule == ScaleRule::kTorchao && wanted < least) wanted = least;
  return encode(scale, static_cast<double>(wanted), Rounding::kNearestSaturate).code;
}
template <typename T>
constexpr ValueScale<T> value_scale(const FormatInfo& scale, ScaleRule rule, std::uint64_t code) {
  constexpr T kMost = std::numeric_limits<T>::max();
  const T value = static_cast<T>(decode(scale, code));
  if (rule == ScaleRule::kTorchao) return {.code = code, .divisor = value};
  return {.code = code, .factor = value * kMost <= 1 ? kMost : 1 / value};
}

// Sum of the squared differences that a scale leaves in a block whose elements are rounded to nearest. Real i is added to sum i % 64, in
// order; then neighbours become one until one sum is left, so that vectors of every length get these bits.
template <typename T>
constexpr T squared_error(const Storage& s, const ValueScale<T>& scale, const T* reals, const Groups& place, std::int64_t begin,
                          std::int64_t end) {
  T sums[64] = {};
  const T value = static_cast<T>(decode(*s.scale, scale.code));
  for (std::int64_t i = begin; i < end; ++i) {
    const T x = reals[place(i)];
    const std::uint64_t code = encode(*s.element, scale(x), Rounding::kNearestSaturate).code;
    const T difference = static_cast<T>(decode(*s.element, code)) * value - x;
    sums[(i - begin) % 64] += difference * difference;
  }
  for (int left = 32; left > 0; left /= 2) {
    for (int i = 0; i < left; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
  }
  return sums[0];
}

template <typename T>
constexpr ValueScale<T> choose_value_scale(const Storage& s, const T* reals, const Groups& place, std::int64_t begin, std::int64_t end) {
  const double amax = largest_of_block(reals, place, begin, end);
  if (is_nan(amax)) return {.code = s.scale->nan};
  const auto reaching = [&](double reach) {
    return value_scale<T>(*s.scale, s.rule, value_scale_code(*s.scale, s.rule, static_cast<T>(amax), static_cast<T>(reach)));
  };
  const ValueScale<T> chosen = reaching(largest_value(*s.element));
  if (s.rule != ScaleRule::kSearch) return chosen;
  const ValueScale<T> other = reaching(element_below_largest(*s.element));
  return squared_error(s, other, reals, place, begin, end) < squared_error(s, chosen, reals, place, begin, end) ? other : chosen;
}

// Encodes `count` reals from the start of a row or a multiple of run_alignment(). Returns how many saturated.
template <typename T>
constexpr std::int64_t encode_row(const Storage& s, const T* reals, const Groups& real_place, std::int64_t count, std::uint8_t* codes,
                                  const Groups& code_place, std::uint8_t* scales, Rounding rounding, const RandomSource& random) {
  const std::int64_t length = s.scale == nullptr || s.length == 0 ? count : s.length;
  const std::int64_t scale_size = s.scale == nullptr ? 0 : (s.scale->bits + 7) / 8;
  if (s.scale != nullptr && rounding == Rounding::kNearest) rounding = Rounding::kNearestSaturate;  // elements of blocks
  const int bits = s.element->bits;
  std::int64_t saturated = 0;
  for (std::int64_t begin = 0; begin < count; begin += length) {
    const std::int64_t end = begin + length < count ? begin + length : count;
    ChosenScale scale;
    ValueScale<T> divided;
    if (s.scale != nullptr) {
      if (has_powers_alone(*s.scale)) {
        scale = choose_scale(s, reals, real_place, begin, end);
      } else {
        divided = choose_value_scale(s, reals, real_place, begin, end);
        scale.code = divided.code;
      }
      write_code(scales + begin / length * scale_size, static_cast<int>(8 * scale_size), 0, scale.code);
    }
    for (std::int64_t i = begin; i < end; ++i) {
      Encoded encoded;
      if (s.scale == nullptr || scale.code != s.scale->nan) {
        const std::uint32_t r16 = rounding == Rounding::kStochastic ? random(i) : 0;
        encoded = encode(*s.element, divided(reals[real_place(i)]), rounding, r16, -scale.exponent);
      }
      write_code(codes, bits, code_place(i), encoded.code);
      saturated += encoded.saturated ? 1 : 0;
    }
  }
  for (std::int64_t bit = count * bits; bit % 8 != 0; ++bit) write_code(codes, 1, bit, 0);  // the rest of a packed row's last byte
  return saturated;
}

// Value of an element in a block whose scale has this value: rounded once where f64 does not hold it.
constexpr double decode_in_block(const Storage& s, std::uint64_t code, double scale) {
  if (is_nan(scale)) return scale;
  return has_powers_alone(*s.scale) ? decode(*s.element, code, floor_log2(scale)) : decode(*s.element, code) * scale;
}

template <typename T>
constexpr void decode_row(const Storage& s, const std::uint8_t* codes, const Groups& code_place, const std::uint8_t* scales, std::int64_t count,
                          T* reals, const Groups& real_place) {
  const std::int64_t length = s.scale == nullptr || s.length == 0 ? count : s.length;
  const std::int64_t scale_size = s.scale == nullptr ? 0 : (s.scale->bits + 7) / 8;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t code = read_code(codes, s.element->bits, code_place(i));
    reals[real_place(i)] = static_cast<T>(s.scale == nullptr ? decode(*s.element, code)
        : decode_in_block(s, code, decode(*s.scale, read_code(scales + i / length * scale_size, s.scale->bits, 0))));
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_STORAGE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

// Bodies that registers alone hold, by themselves or in pairs: ref runs what a recipe says of them, other targets have no other loop around
// them. n27 also begins powers of 3, whose rows of 9 would fill 9 of 16 lanes.
bool is_of_registers(int radix, bool twiddled) {
  if (twiddled) return radix == 6 || radix == 10 || radix == 12 || radix == 14 || radix == 15 || radix > 16;
  return radix > 17 && radix != 20 && radix != 25 && radix != 32 && radix != 64;
}
bool is_of_registers(const BodySpec& spec) { return is_of_registers(spec.radix, spec.form != TwiddleForm::kNone); }

// Primes whose transform is one body.
bool is_prime_body(int radix) { return radix == 19 || radix == 23 || is_of_sums(radix); }

struct RealBodies {
  RealTransform transform;
  const char* name;  // before the length
  std::vector<int> lengths;
};

// Lengths of DCT-I are 1 more, and of DST-I 1 less, than half of what they extend to. A body of 64 reals took 39 ns on scalar lanes,
// 32 complex numbers in registers that are untangled in the same call 21 ns (r2c f32, AVX-512).
const std::vector<RealBodies>& real_bodies() {
  static const std::vector<int> kWhole = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 25, 32};
  static const std::vector<int> kSmooth = {2, 3, 4, 5, 6, 8, 12, 16, 32};
  static const std::vector<RealBodies> list = {
      {RealTransform::kR2C, "r2c", kWhole},          {RealTransform::kC2R, "c2r", kWhole},
      {RealTransform::kDHT, "dht", {4, 8, 16}}, {RealTransform::kRedft00, "dct1_", {3, 5, 9, 17}},
      {RealTransform::kRedft10, "dct2_", kSmooth},   {RealTransform::kRedft01, "dct3_", kSmooth},
      {RealTransform::kRedft11, "dct4_", kSmooth},   {RealTransform::kRodft00, "dst1_", {3, 7, 15}},
  };
  return list;
}

}  // namespace

std::vector<BodySpec> body_list() {
  std::vector<BodySpec> list;
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 37, 39, 41, 43, 47, 53, 59, 61, 64}) {
    list.push_back({.name = "n" + std::to_string(n), .radix = n, .form = TwiddleForm::kNone});
  }
  for (const int r : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 24, 25, 28, 32}) {
    for (const TwiddleForm form : {TwiddleForm::kStandard, TwiddleForm::kDualSelect, TwiddleForm::kChained, TwiddleForm::kLinzerFeig, TwiddleForm::kCosine}) {
      if (r != 2 && is_comparison(form)) continue;
      // 11 and 13 complete the smooth lengths; they are too rare for three forms. Bodies of registers have the standard form alone.
      if ((r == 11 || r == 13 || is_of_registers(r, true)) && form != TwiddleForm::kStandard) continue;
      const std::string suffix(twiddle_suffix(form));
      list.push_back({.name = "t" + std::to_string(r) + (suffix.empty() ? "" : "_" + suffix), .radix = r, .form = form});
    }
  }
  for (const RealBodies& bodies : real_bodies()) {
    for (const int n : bodies.lengths) list.push_back({.name = bodies.name + std::to_string(n), .radix = n, .transform = bodies.transform});
  }
  return list;
}

std::vector<std::string> shapes_of(const BodySpec& spec) {
  if (spec.transform != RealTransform::kNone) return {"real"};
  if (spec.radix == 27) return {"first"};
  if (is_of_registers(spec)) return {};
  if (spec.form != TwiddleForm::kNone) return {"twiddled", "columns_twiddled"};
  if (spec.radix == 1 || spec.radix == 64) return {"whole"};
  if (spec.radix == 17) return {"whole", "columns"};
  // On scalar lanes two passes win from 20 on; n64 stays as the largest straight-line body.
  if (spec.radix > 16) return {"first", "columns"};
  return {"whole", "first", "columns"};
}

std::vector<std::string> ref_shapes_of(const BodySpec& spec) {
  if (spec.transform != RealTransform::kNone) return shapes_of(spec);
  const bool twiddled = spec.form != TwiddleForm::kNone;
  if (is_of_registers(spec)) {
    if (twiddled) return {"twiddled"};
    return is_prime_body(spec.radix) ? std::vector<std::string>{"whole", "first"} : std::vector<std::string>{"first"};
  }
  std::vector<std::string> shapes = shapes_of(spec);
  if (!twiddled && is_of_sums(spec.radix)) shapes.push_back("first");
  return shapes;
}

bool has_rounded(const BodySpec& spec) {
  if (spec.transform != RealTransform::kNone) return false;
  if (is_of_registers(spec)) return false;
  switch (spec.form) {
    case TwiddleForm::kChained: return false;
    case TwiddleForm::kDualSelect: return spec.radix == 2 || spec.radix == 4 || spec.radix == 8;
    default: return spec.radix <= 16;
  }
}

bool has_cuda(const BodySpec& spec) {
  if (spec.transform != RealTransform::kNone) return false;
  switch (spec.form) {
    case TwiddleForm::kNone: return (spec.radix >= 2 && spec.radix <= 10) || spec.radix == 16;
    case TwiddleForm::kStandard: return spec.radix < 10 || spec.radix == 16;
    case TwiddleForm::kChained: return spec.radix == 8 || spec.radix == 16;
    default: return false;
  }
}

// The order that wins of each length (16 x 8 over 8 x 16 by 1.6, 8 x 8 over 16 x 4 by 2.4, f32 AVX-512).
std::vector<std::pair<std::string, std::string>> whole_two_list() {
  return {{"n4", "t4"}, {"n4", "t8"}, {"n8", "t8"}, {"n16", "t8"}, {"n16", "t16"}, {"n32", "t16"}};
}

std::vector<std::string> packed_list() {
  std::vector<std::string> list;
  for (int n = 2; n <= 61; ++n) {
    if (n <= 16 || is_prime_body(n)) list.push_back("n" + std::to_string(n));
  }
  return list;
}

bool is_one_body(int n) { return n <= 16 ? n != 8 && n != 12 && n != 16 : is_prime_body(n); }

bool begins_pairs(const BodySpec& spec) {
  return spec.transform == RealTransform::kNone && spec.form == TwiddleForm::kNone && spec.radix >= 2 &&
         (spec.radix <= 39 || is_of_sums(spec.radix));
}
bool ends_pairs(const BodySpec& spec) { return spec.transform == RealTransform::kNone && spec.form == TwiddleForm::kStandard; }

// Rows of a first pass are whole vectors, which n8 has with AVX2: for lengths that 16 does not divide. e4m3 and blocks would win by it, too, but
// the budget of text has no 6 KiB left. Radix 2 last does not win (notebook/narrow_16_bits.md).
std::vector<std::string> fused_first_list(const std::string& format) {
  if (format == "f16" || format == "bf16" || format == "i16") return {"n8", "n16"};
  return {"n16"};
}
// Radix 16 last of i16 would be 5 KiB for nothing (4096 points as 16 16 16: 0.95 to 1.05 of 16 8 8 4).
std::vector<std::string> fused_last_list(const std::string& format) {
  if (format == "i16") return {"t4", "t8"};
  return {"t4", "t8", "t16"};
}
std::vector<std::pair<std::string, std::string>> fused_packed_list(const std::string& format) {
  if (format == "e4m3") return {};
  std::vector<std::pair<std::string, std::string>> list{{"n8", "t8"}, {"n16", "t8"}, {"n16", "t16"}};
  // The rounding of bf16 is longer than what these lengths save: 1.09 at 512 points, 1.03 at 1024.
  if (format != "bf16") list.insert(list.end(), {{"n32", "t16"}, {"n32", "t32"}});
  return list;
}
std::vector<std::pair<std::string, std::string>> fused_widening_list(const std::string& format) {
  if (format != "i16") return {};
  return {{"n8", "t8"}, {"n16", "t8"}, {"n16", "t16"}};
}
std::vector<FusedFormat> fused_format_list() { return {{"f16", "HalfPort", true}, {"bf16", "BrainPort", true}, {"i16", "ShortPort", true}, {"e4m3", "FormatPort<format_e4m3>", false}}; }

std::vector<std::pair<std::string, std::string>> fused_block_list() { return {{"mxint8", "Int8Element"}, {"mxfp8_e4m3", "E4m3Element"}}; }

std::vector<std::pair<std::string, std::string>> fused_packed_block_list() { return {{"n16", "t16"}}; }

std::string struct_name(const std::string& body) {
  std::string name;
  bool upper = true;
  for (const char c : body) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return name;
}

std::string transform_name(RealTransform transform) {
  constexpr const char* kNames[] = {"kNone",    "kR2C",     "kC2R",     "kR2HC",    "kHC2R",    "kDHT",     "kRedft00",
                                    "kRedft10", "kRedft01", "kRedft11", "kRodft00", "kRodft10", "kRodft01", "kRodft11"};
  return kNames[static_cast<std::size_t>(transform)];
}

std::string standard_body(const BodySpec& spec) { return "t" + std::to_string(spec.radix); }

std::string body_arguments(const BodySpec& spec) {
  const std::string own = struct_name(spec.name);
  return selects_path(spec.form) ? own + ", " + struct_name(standard_body(spec)) : own;
}

}  // namespace ulpfft::genfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Any bytes as a format descriptor: refused, or turned into C++ whose tokens are those of every other descriptor, but for the
// contents of its literals. So no descriptor can put code, a comment or a directive into the library.
#include <cctype>
#include <cmath>
#include <string_view>
#include <variant>

#include "genfft/emit/facts.h"
#include "genfft/format/parse.h"
#include "tests/fuzz/require.h"

namespace ulpfft::fuzz {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// String literals become S; numbers, signed or not, N; the types of formats F; enumerators and truth values K.
std::string without_literals(const std::string& code) {
  std::string result;
  for (std::size_t i = 0; i < code.size();) {
    const char c = code[i];
    const auto is_digit = [&](std::size_t at) { return at < code.size() && std::isdigit(static_cast<unsigned char>(code[at])) != 0; };
    if (c == '"') {
      for (++i; i < code.size() && code[i] != '"'; ++i) {
        require(code[i] >= 0x20 && code[i] <= 0x7e, "a literal with an unprintable byte: " + code);
        if (code[i] == '\\') ++i;
      }
      ++i;
      result += 'S';
    } else if (is_digit(i) || (c == '-' && is_digit(i + 1))) {
      ++i;
      while (i < code.size() && (std::isalnum(static_cast<unsigned char>(code[i])) != 0 || code[i] == '.' ||
                                 ((code[i] == '-' || code[i] == '+') && std::string_view("eEpP").find(code[i - 1]) != std::string_view::npos))) {
        ++i;
      }
      result += 'N';
    } else if (is_word(c)) {
      std::string word;
      while (i < code.size() && is_word(code[i])) word += code[i++];
      const bool enumerator = word == "true" || word == "false" || (word.size() > 1 && word[0] == 'k' && std::isupper(static_cast<unsigned char>(word[1])) != 0);
      result += word.rfind("format_", 0) == 0 && word != "format_info" ? "F" : enumerator ? "K" : word;
    } else {
      result += c;
      ++i;
    }
  }
  return result;
}

std::string shape_of(const genfft::FormatSet& set) {
  std::string shape;
  for (const genfft::GeneratedFile& file : genfft::emit_formats(set)) shape += file.name + "\n" + without_literals(file.text) + "\n";
  return shape;
}

const char* const kF32 = R"({"name": "f32", "source": "IEEE 754", "kind": "wide",
    "bits": 32, "exponent": 8, "mantissa": 23, "bias": 127, "special": "ieee", "compute": "f32",
    "expect": {"largest": 3.4028234663852886e38, "smallest_normal": 1.1754943508222875e-38, "smallest_subnormal": 1.401298464324817e-45}})";
const char* const kE2m1 = R"({"name": "e2m1", "source": "MX", "kind": "element", "bits": 4, "exponent": 2, "mantissa": 1, "bias": 1,
    "special": "none", "compute": "f32", "overflow": "saturate", "expect": {"largest": 6, "smallest_normal": 1, "smallest_subnormal": 0.5}})";
const char* const kE8m0 = R"({"name": "e8m0", "source": "MX", "kind": "element", "bits": 8, "signed": false, "zero": false, "exponent": 8,
    "mantissa": 0, "bias": 127, "special": "fn", "compute": "f32", "overflow": "saturate",
    "expect": {"largest": 1.7014118346046923e38, "smallest_normal": 5.877471754111438e-39}})";
const char* const kUe4m3 = R"({"name": "ue4m3", "source": "NVFP4", "kind": "element", "bits": 7, "signed": false, "exponent": 4, "mantissa": 3,
    "bias": 7, "special": "fn", "compute": "f32", "overflow": "saturate",
    "expect": {"largest": 448, "smallest_normal": 0.015625, "smallest_subnormal": 0.001953125}})";
const char* const kBlock = R"({"name": "blocks", "source": "MX", "kind": "block", "element": "e2m1", "scale": "e8m0", "length": 32, "rule": "rceil",
    "expect": {"bits_per_value": 4.25}})";

const char* const kKnown[] = {kE2m1, kE8m0, kUe4m3};

// What blocks may refer to, and one more.
genfft::FormatSet set_with(const genfft::Descriptor& descriptor) {
  genfft::FormatSet set;
  const auto* format = std::get_if<genfft::FormatSpec>(&descriptor);
  for (const char* text : kKnown) {
    const genfft::Descriptor known = genfft::parse_descriptor("known.json", text);
    if (format == nullptr || format->name != std::get<genfft::FormatSpec>(known).name) genfft::add(set, "known.json", known);
  }
  genfft::add(set, "fuzz.json", descriptor);
  genfft::resolve(set);
  return set;
}

// Of another format of the same kind.
std::string expected_shape(const genfft::Descriptor& descriptor, std::size_t formats) {
  const auto* format = std::get_if<genfft::FormatSpec>(&descriptor);
  if (format == nullptr) return shape_of(set_with(genfft::parse_descriptor("known.json", kBlock)));
  if (format->facts.kind == FormatKind::kWide) return shape_of(set_with(genfft::parse_descriptor("known.json", kF32)));
  std::string other = kE2m1;
  other.replace(other.find("e2m1"), 4, formats > std::size(kKnown) ? "other" : "e2m1");
  return shape_of(set_with(genfft::parse_descriptor("known.json", other)));
}

void run(std::string_view text) {
  genfft::Descriptor descriptor;
  genfft::FormatSet set;
  try {
    descriptor = genfft::parse_descriptor("fuzz.json", text);
    set = set_with(descriptor);
  } catch (const genfft::DescriptorError& error) {
    require(std::string(error.what()).rfind("fuzz.json: ", 0) == 0, "an error that does not name the file");
    return;
  }
  const auto* format = std::get_if<genfft::FormatSpec>(&descriptor);
  const std::string name = format != nullptr ? format->name : std::get<genfft::BlockSpec>(descriptor).name;
  require(name.size() <= 32 && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos, "the name '" + name + "'");
  if (format != nullptr) {
    const FormatInfo& f = format->facts;
    for (const double fact : {f.largest, f.smallest_normal, f.smallest_subnormal, f.unit_roundoff, f.rms_error})
      require(std::isfinite(fact) && fact > 0, "a derived fact of " + name + " is " + std::to_string(fact));
  }
  require(shape_of(set) == expected_shape(descriptor, set.formats.size()), "other tokens than those of its kind:\n" + shape_of(set));
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

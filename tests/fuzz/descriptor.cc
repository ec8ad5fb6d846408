// Any bytes as a format descriptor: refused, or turned into C++ whose tokens are those of every other descriptor, but for the
// contents of its literals. So no descriptor can put code, a comment or a directive into the library.
#include <cctype>
#include <cmath>
#include <string_view>

#include "genfft/emit/facts.h"
#include "genfft/format/parse.h"
#include "tests/fuzz/require.h"

namespace ulpfft::fuzz {
namespace {

// String literals become S and numbers, signed or not, N.
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
    } else {
      result += c;
      ++i;
    }
  }
  return result;
}

std::string shape_of(const genfft::FormatSpec& spec) {
  std::string shape;
  for (const genfft::GeneratedFile& file : genfft::emit_formats({spec})) shape += file.name + "\n" + without_literals(file.text) + "\n";
  return shape;
}

const std::string& shape_of_f32() {
  static const std::string shape = shape_of(genfft::parse_descriptor("f32.json", R"({"name": "f32", "source": "IEEE 754", "kind": "element",
    "bits": 32, "exponent": 8, "mantissa": 23, "bias": 127, "special": "ieee", "compute": "f32",
    "expect": {"largest": 3.4028234663852886e38, "smallest_normal": 1.1754943508222875e-38, "smallest_subnormal": 1.401298464324817e-45}})"));
  return shape;
}

void run(std::string_view text) {
  genfft::FormatSpec spec;
  try {
    spec = genfft::parse_descriptor("fuzz.json", text);
  } catch (const genfft::DescriptorError& error) {
    require(std::string(error.what()).rfind("fuzz.json: ", 0) == 0, "an error that does not name the file");
    return;
  }
  require(spec.name.size() <= 32 && spec.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos,
          "the name '" + spec.name + "'");
  for (const double fact : {spec.largest(), spec.smallest_normal(), spec.smallest_subnormal(), spec.unit_roundoff(), spec.rms_error()})
    require(std::isfinite(fact) && fact > 0, "a derived fact of " + spec.name + " is " + std::to_string(fact));
  require(shape_of(spec) == shape_of_f32(), "other tokens than those of f32:\n" + shape_of(spec));
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

#include "genfft/format/parse.h"

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

namespace ulpfft::genfft {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestFile = 64 * 1024;

constexpr std::string_view kKeywords[] = {
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

// A key as part of a JSON pointer, and of a message.
std::string escaped(const std::string& key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return result;
}

// One object of the document: hands out its fields by name and type, and at the end refuses those nobody asked for.
class Fields {
 public:
  Fields(const std::string& file, const json& object, std::string pointer)
      : file_(file), object_(object), pointer_(std::move(pointer)) {
    if (!object.is_object()) throw DescriptorError(file_, pointer_, "must be an object");
  }

  [[noreturn]] void refuse(const std::string& name, const std::string& message) const {
    throw DescriptorError(file_, pointer_ + "/" + escaped(name), message);
  }

  const json& required(const std::string& name) {
    asked_.insert(name);
    const auto found = object_.find(name);
    if (found == object_.end()) refuse(name, "is missing");
    return *found;
  }

  bool has(const std::string& name) {
    asked_.insert(name);
    return object_.contains(name);
  }

  std::string text(const std::string& name, std::size_t longest) {
    const json& value = required(name);
    if (!value.is_string()) refuse(name, "must be a string");
    const std::string result = value.get<std::string>();
    if (result.empty() || result.size() > longest) refuse(name, "must have 1 to " + std::to_string(longest) + " characters");
    for (const char c : result) {
      if (c < ' ' || c > '~') refuse(name, "must be printable ASCII");
    }
    return result;
  }

  int integer(const std::string& name, int low, int high) {
    const json& value = required(name);
    if (!value.is_number_integer()) refuse(name, "must be an integer");
    const bool above = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
    if (above || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      refuse(name, "must lie in " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value.get<int>();
  }

  double number(const std::string& name) {
    const json& value = required(name);
    if (!value.is_number()) refuse(name, "must be a number");
    return value.get<double>();
  }

  // Index of the value among the words.
  std::size_t word(const std::string& name, const std::vector<std::string>& words) {
    const std::string value = text(name, 64);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == value) return i;
    }
    std::string list;
    for (const std::string& w : words) list += (list.empty() ? "" : ", ") + w;
    refuse(name, "must be one of: " + list);
  }

  void finish() const {
    for (const auto& [name, value] : object_.items()) {
      if (!asked_.contains(name)) refuse(name, "is not a field of a descriptor");
    }
  }

 private:
  const std::string& file_;
  const json& object_;
  std::string pointer_;
  std::set<std::string> asked_;
};

json parse_json(const std::string& file, std::string_view text) {
  // Keys of every open object, the latest last: the parser itself would keep the last of two equal ones.
  struct Open {
    std::set<std::string> keys;
    std::string latest;
  };
  std::vector<Open> open;
  const auto refuse = [&](const std::string& message) {
    std::string pointer;
    for (const Open& object : open) {
      if (!object.latest.empty()) pointer += "/" + escaped(object.latest);
    }
    throw DescriptorError(file, pointer, message);
  };
  const auto watch = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) {
      if (open.size() == 4) refuse("is nested too deeply");
      open.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == json::parse_event_t::array_start) {
      refuse("is an array, which no field is");
    } else if (event == json::parse_event_t::key) {
      open.back().latest = value.get<std::string>();
      if (!open.back().keys.insert(open.back().latest).second) refuse("appears twice");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::exception& error) {
    throw DescriptorError(file, "", std::string("is not valid JSON: ") + error.what());
  }
}

std::string checked_name(Fields& fields) {
  const std::string name = fields.text("name", 32);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = c >= 'a' && c <= 'z';
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) fields.refuse("name", "must match [a-z][a-z0-9_]{0,31}");
  }
  for (const std::string_view keyword : kKeywords) {
    if (keyword == name) fields.refuse("name", "is a C++ keyword");
  }
  return name;
}

void check_expectation(Fields& expect, const std::string& name, double derived) {
  const double stated = expect.number(name);
  if (stated == derived) return;
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", derived);
  expect.refuse(name, std::string("contradicts the fields above it, which give ") + text);
}

}  // namespace

FormatSpec parse_descriptor(const std::string& file, std::string_view text) {
  if (text.size() > kLargestFile) throw DescriptorError(file, "", "is larger than 64 KiB");
  const json document = parse_json(file, text);
  Fields fields(file, document, "");
  FormatSpec spec;
  spec.name = checked_name(fields);
  spec.source = fields.text("source", 200);
  fields.word("kind", {"element"});
  spec.bits = fields.integer("bits", 2, 64);
  spec.exponent = fields.integer("exponent", 1, 11);
  spec.mantissa = fields.integer("mantissa", 0, 52);
  spec.bias = fields.integer("bias", 0, (1 << spec.exponent) - 1);
  spec.special = std::array{Special::kIeee, Special::kFn}[fields.word("special", {"ieee", "fn"})];
  spec.compute = std::array{"f32", "f64"}[fields.word("compute", {"f32", "f64"})];
  if (fields.has("rounding")) fields.word("rounding", {"nearest_even"});
  if (fields.has("overflow")) {
    spec.overflow = std::array{Overflow::kInfinity, Overflow::kSaturate}[fields.word("overflow", {"infinity", "saturate"})];
  } else if (spec.special != Special::kIeee) {
    fields.refuse("overflow", "is missing, and the format has no infinity");
  }

  if (spec.bits != 1 + spec.exponent + spec.mantissa) {
    fields.refuse("bits", "must be 1 + exponent + mantissa = " + std::to_string(1 + spec.exponent + spec.mantissa));
  }
  if (spec.special == Special::kIeee && spec.mantissa == 0)
    fields.refuse("mantissa", "must be 1 or more, to tell NaN from infinity");
  if (spec.special == Special::kIeee && spec.exponent < 2)
    fields.refuse("exponent", "must be 2 or more, as the top one is not a number");
  if (spec.overflow == Overflow::kInfinity && spec.special == Special::kFn)
    fields.refuse("overflow", "is infinity, which the format lacks");
  const int top = (1 << spec.exponent) - 1 - spec.bias - (spec.special == Special::kIeee ? 1 : 0);
  if (top > 1023) fields.refuse("bias", "puts the largest value beyond double");
  if (1 - spec.bias - spec.mantissa < -1074) fields.refuse("bias", "puts the smallest value below double");
  if (spec.compute == "f32" && (spec.mantissa > 23 || top > 127 || 1 - spec.bias - spec.mantissa < -149)) {
    fields.refuse("compute", "cannot be f32: not every value of the format is one of f32");
  }

  Fields expect(file, fields.required("expect"), "/expect");
  check_expectation(expect, "largest", spec.largest());
  check_expectation(expect, "smallest_normal", spec.smallest_normal());
  check_expectation(expect, "smallest_subnormal", spec.smallest_subnormal());
  expect.finish();
  fields.finish();
  return spec;
}

FormatSpec read_descriptor(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DescriptorError(path, "", "cannot be read");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_descriptor(path, text);
}

}  // namespace ulpfft::genfft

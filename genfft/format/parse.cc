// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/format/parse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "genfft/format/reserved_names.h"

namespace ulpfft::genfft {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestFile = 64 * 1024;

// What the JSON library says quotes the text: no byte of it reaches a terminal unchecked, nor without end.
std::string printable(std::string message) {
  constexpr std::size_t kLongest = 200;
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  for (char& c : message) {
    if (c < ' ' || c > '~') c = '?';
  }
  return message;
}

// A key as part of a JSON pointer, and of a message.
std::string escaped(const std::string& key) {
  constexpr std::size_t kLongest = 64;
  std::string result;
  for (const char c : key) {
    if (result.size() > kLongest) return result + "...";
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

  bool flag(const std::string& name) {
    const json& value = required(name);
    if (!value.is_boolean()) refuse(name, "must be true or false");
    return value.get<bool>();
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
    throw DescriptorError(file, "", "is not valid JSON: " + printable(error.what()));
  }
}

std::string checked_name(Fields& fields, const std::string& field) {
  const std::string name = fields.text(field, kLongestName);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = c >= 'a' && c <= 'z';
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) fields.refuse(field, "must match [a-z][a-z0-9_]{0,31}");
  }
  if (const std::string_view meaning = reserved_as(name); !meaning.empty()) {
    fields.refuse(field, "is '" + name + "', which is " + std::string(meaning) + "; a possible name is " + free_name_like(name));
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

// What a compute type holds: significand bits, exponents of the largest binade and of the smallest step.
struct ComputeRange {
  const char* name;
  int highest;
  int lowest_step;
};
constexpr ComputeRange kComputeRanges[] = {{"f32", 127, -149}, {"f64", 1023, -1074}};

// `steps`: field that sets the exponents.
void check_range(Fields& fields, FormatSpec& spec, const std::string& steps, int highest, int lowest_step) {
  const ComputeRange& widest = kComputeRanges[1];
  if (highest > widest.highest) fields.refuse(steps, "puts the largest value beyond those of f64, 2^" + std::to_string(widest.highest + 1));
  if (lowest_step < widest.lowest_step) fields.refuse(steps, "puts the smallest step below that of f64, 2^" + std::to_string(widest.lowest_step));
  const ComputeRange& range = kComputeRanges[fields.word("compute", {"f32", "f64"})];
  if (highest > range.highest || lowest_step < range.lowest_step || (spec.facts.mantissa_bits > 23 && range.highest == 127)) {
    fields.refuse("compute", "cannot be f32: not every value of the format is one of f32");
  }
  spec.compute = range.name;
}

// The code that NaN becomes.
std::uint64_t nan_code(Fields& fields, const FormatInfo& f) {
  const std::uint64_t lowest = infinity_magnitude(f) + 1;
  if (f.special == Special::kIeee && fields.has("nan")) {
    return static_cast<std::uint64_t>(fields.integer("nan", static_cast<int>(lowest), static_cast<int>(top_magnitude(f))));
  }
  switch (f.special) {
    case Special::kIeee: return infinity_magnitude(f) | std::uint64_t(1) << (f.mantissa_bits - 1);
    case Special::kFn: return top_magnitude(f);
    case Special::kFnuz:
    case Special::kP3109: return sign_bit(f);
    case Special::kNone: return largest_magnitude(f);
  }
  return 0;
}

void parse_float(Fields& fields, FormatSpec& spec) {
  FormatInfo& f = spec.facts;
  const bool wide = f.kind == FormatKind::kWide;
  f.bits = wide ? fields.integer("bits", 32, 64) : fields.integer("bits", 3, 16);
  f.exponent_bits = fields.integer("exponent", 1, 15);
  f.mantissa_bits = fields.integer("mantissa", 0, wide ? 52 : 14);
  f.bias = fields.integer("bias", -1100, 1100);
  const std::vector<std::string> specials = wide ? std::vector<std::string>{"ieee"} : std::vector<std::string>{"ieee", "fn", "fnuz", "p3109", "none"};
  f.special = static_cast<Special>(fields.word("special", specials));
  if (!wide && fields.has("signed")) f.is_signed = fields.flag("signed");
  if (!wide && fields.has("zero")) f.has_zero = fields.flag("zero");
  const int sign = f.is_signed ? 1 : 0;
  if (f.bits != sign + f.exponent_bits + f.mantissa_bits) {
    fields.refuse("bits", "must be " + std::string(f.is_signed ? "1 + " : "") +
                              "exponent + mantissa = " + std::to_string(sign + f.exponent_bits + f.mantissa_bits));
  }
  if (wide && !(spec.name == "f32" && f.bits == 32 && f.mantissa_bits == 23 && f.bias == 127) &&
      !(spec.name == "f64" && f.bits == 64 && f.mantissa_bits == 52 && f.bias == 1023)) {
    fields.refuse("kind", "is wide, which f32 and f64 of IEEE 754 are; others are element, of 3 to 16 bits");
  }
  if (f.is_signed && !f.has_zero) fields.refuse("zero", "is false, which only formats with \"signed\": false can be");
  if (!f.is_signed && (f.special == Special::kFnuz || f.special == Special::kP3109)) {
    fields.refuse("special", "gives a meaning to the code of -0, which an unsigned format lacks");
  }
  if (f.special == Special::kIeee && f.mantissa_bits == 0) fields.refuse("mantissa", "must be 1 or more, to tell NaN from infinity");
  if (f.special == Special::kIeee && f.exponent_bits < 2) fields.refuse("exponent", "must be 2 or more, as the top one is not a number");
  f.nan = nan_code(fields, f);
  const int highest = static_cast<int>(largest_magnitude(f) >> f.mantissa_bits) - f.bias;
  check_range(fields, spec, "bias", highest, lowest_exponent(f) - f.mantissa_bits);
  if (fields.has("overflow")) {
    f.overflow = std::array{Overflow::kInfinity, Overflow::kSaturate}[fields.word("overflow", {"infinity", "saturate"})];
  } else if (f.special == Special::kIeee) {
    f.overflow = Overflow::kInfinity;
  } else {
    fields.refuse("overflow", "is missing, which only \"special\": \"ieee\" may leave out");
  }
  if (f.overflow == Overflow::kInfinity && !has_infinity(f)) fields.refuse("overflow", "is infinity, which the format lacks");
}

void parse_integer(Fields& fields, FormatSpec& spec) {
  FormatInfo& f = spec.facts;
  f.bits = fields.integer("bits", 3, 16);
  f.is_signed = fields.flag("signed");
  f.fraction_bits = fields.integer("fraction", -1100, 1100);
  if (fields.has("offset")) {
    f.offset = fields.number("offset");
    const double lowest = f.is_signed ? -static_cast<double>(highest_integer(f)) - 1 : 0;
    if (!(f.offset >= lowest && f.offset < static_cast<double>(highest_integer(f)))) {
      fields.refuse("offset", "must be a code of the format, below the highest");
    }
    if (std::floor(2 * f.offset) != 2 * f.offset) fields.refuse("offset", "must be a multiple of 0.5");
  }
  f.symmetric = fields.word("range", {"whole", "symmetric"}) == 1;
  if (fields.has("overflow")) fields.word("overflow", {"saturate"});
  const double furthest = std::max(static_cast<double>(highest_integer(f)) - f.offset, f.offset + (f.is_signed ? static_cast<double>(highest_integer(f)) + 1 : 0));
  check_range(fields, spec, "fraction", floor_log2(furthest) - f.fraction_bits, -f.fraction_bits - (std::floor(f.offset) != f.offset ? 1 : 0));
}

FormatSpec parse_element(Fields& fields, FormatSpec spec) {
  if (spec.facts.kind == FormatKind::kInteger) {
    parse_integer(fields, spec);
  } else {
    parse_float(fields, spec);
  }
  if (fields.has("rounding")) fields.word("rounding", {"nearest_even"});
  derive(spec);
  return spec;
}

void check_element(Fields& expect, const FormatInfo& f) {
  check_expectation(expect, "largest", f.largest);
  if (f.kind == FormatKind::kInteger) {
    check_expectation(expect, "lowest", lowest_value(f));
    check_expectation(expect, "step", std::ldexp(1.0, -f.fraction_bits));
  } else {
    check_expectation(expect, "smallest_normal", f.smallest_normal);
    if (f.has_zero && f.mantissa_bits > 0) check_expectation(expect, "smallest_subnormal", f.smallest_subnormal);
  }
}

BlockSpec parse_block(Fields& fields, BlockSpec block) {
  block.element = checked_name(fields, "element");
  block.scale = checked_name(fields, "scale");
  block.length = fields.integer("length", 0, 64);
  if (!is_block_length(block.length)) fields.refuse("length", "must be 2, 4, 8, 16, 32 or 64, or 0: one scale per row");
  block.rule = static_cast<ScaleRule>(fields.word("rule", {kScaleRuleNames, kScaleRuleNames + kScaleRules}));
  return block;
}

}  // namespace

Descriptor parse_descriptor(const std::string& file, std::string_view text) {
  if (text.size() > kLargestFile) throw DescriptorError(file, "", "is larger than 64 KiB");
  // The JSON library would pass over the first of these without a word.
  for (const std::string_view mark : {"\xef\xbb\xbf", "\xfe\xff", "\xff\xfe"}) {
    if (text.starts_with(mark)) throw DescriptorError(file, "", "begins with a byte order mark; descriptors are plain UTF-8, without one");
  }
  // The parser would take it for the end.
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
    throw DescriptorError(file, "", "has a zero byte, at " + std::to_string(at));
  }
  const json document = parse_json(file, text);
  Fields fields(file, document, "");
  FormatSpec spec;
  spec.name = checked_name(fields, "name");
  spec.source = fields.text("source", 200);
  const std::size_t kind = fields.word("kind", {"wide", "element", "integer", "block"});
  if (kind != 0 && (spec.name == "f32" || spec.name == "f64")) fields.refuse("name", "is that of a wide format");
  Descriptor result;
  if (kind == 3) {
    BlockSpec block;
    block.file = file;
    block.name = spec.name;
    block.source = spec.source;
    result = parse_block(fields, std::move(block));
  } else {
    spec.facts.kind = static_cast<FormatKind>(kind);
    result = spec = parse_element(fields, spec);
  }
  Fields expect(file, fields.required("expect"), "/expect");
  if (kind == 3) {
    std::get<BlockSpec>(result).bits_per_value = expect.number("bits_per_value");
  } else {
    check_element(expect, spec.facts);
  }
  expect.finish();
  fields.finish();
  return result;
}

Descriptor read_descriptor(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DescriptorError(path, "", "cannot be read");
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) throw DescriptorError(path, "", "is a folder; name the files in it");
  std::string text(kLargestFile + 1, '\0');  // one more shows that there is more: the file may have no end
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_descriptor(path, text);
}

void add(FormatSet& set, const std::string& file, Descriptor descriptor) {
  const auto require_new = [&](const std::string& name) {
    bool known = find(set, name) != nullptr;
    for (const BlockSpec& block : set.blocks) known = known || block.name == name;
    if (known) throw DescriptorError(file, "/name", "is already the name of another format");
  };
  if (FormatSpec* format = std::get_if<FormatSpec>(&descriptor)) {
    require_new(format->name);
    set.formats.push_back(std::move(*format));
  } else {
    require_new(std::get<BlockSpec>(descriptor).name);
    set.blocks.push_back(std::move(std::get<BlockSpec>(descriptor)));
  }
}

void resolve(FormatSet& set) {
  for (BlockSpec& block : set.blocks) {
    const auto refuse = [&](const char* field, const std::string& message) { throw DescriptorError(block.file, field, message); };
    const FormatSpec* element = find(set, block.element);
    const FormatSpec* scale = find(set, block.scale);
    for (const auto& [field, name, found] : {std::tuple("/element", &block.element, element), std::tuple("/scale", &block.scale, scale)}) {
      if (found == nullptr && std::any_of(set.blocks.begin(), set.blocks.end(), [&](const BlockSpec& other) { return other.name == *name; })) {
        refuse(field, "is " + *name + ", a block format; elements and scales are formats of single numbers");
      }
      if (found == nullptr) refuse(field, "format '" + *name + "' is not known: list its descriptor on the command line too");
    }
    const FormatInfo& e = element->facts;
    const FormatInfo& s = scale->facts;
    if (e.kind == FormatKind::kWide) refuse("/element", "is a wide format; blocks are of element formats and integers");
    if (e.kind == FormatKind::kInteger ? !e.is_signed || e.offset != 0 : !e.is_signed) refuse("/element", "must be signed, without an offset");
    if (s.kind != FormatKind::kFloat || s.is_signed || s.special != Special::kFn) {
      refuse("/scale",
             "must be an element format without a sign that has a NaN and no infinity, as e8m0 and ue4m3: \"signed\": false, "
             "\"special\": \"fn\"");
    }
    if (!is_rule_of(s, block.rule)) {
      const bool powers = has_powers_alone(s);
      std::string rules;
      for (int rule = powers ? 0 : kPowerRules, end = powers ? kPowerRules : kScaleRules; rule < end; ++rule) {
        if (!rules.empty()) rules += rule + 1 == end ? " or " : ", ";
        rules += kScaleRuleNames[rule];
      }
      refuse("/rule", "must be " + rules + (powers ? ", because the scales are powers of two" : ", because the scales have a mantissa"));
    }
    if (!has_powers_alone(s) && has_infinity(e)) refuse("/element", "has infinities, which a scale of 0 does not leave infinite");
    const double bits = bits_per_value(block, e, s);
    if (bits != block.bits_per_value) refuse("/expect/bits_per_value", "contradicts the fields above it, which give " + std::to_string(bits));
    block.rms_error = block_quantisation_error({.element = &e, .scale = &s, .length = block.length, .rule = block.rule});
  }
}

FormatSet read_formats(const std::vector<std::string>& paths) {
  FormatSet set;
  for (const std::string& path : paths) add(set, path, read_descriptor(path));
  // Not std::stable_partition, which asks for a temporary buffer by a function that C++17 deprecates.
  std::vector<FormatSpec> narrow;
  std::erase_if(set.formats, [&](FormatSpec& format) {
    if (format.facts.kind == FormatKind::kWide) return false;
    narrow.push_back(format);
    return true;
  });
  set.formats.insert(set.formats.end(), narrow.begin(), narrow.end());
  resolve(set);
  return set;
}

}  // namespace ulpfft::genfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft formats: the number formats of this build, with the facts derived from their descriptors.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace formats_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string name;
  bool json = false;
};

// JSON has no infinities and no NaN: they are texts.
Json json_value(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

// Of a format whose codes are few enough to print.
std::vector<double> all_values(const ulpfft_format& format, std::size_t index) {
  std::vector<double> values;
  if (std::string(format.kind) == "block" || format.bits > 8) return values;
  for (std::uint64_t code = 0; code < std::uint64_t(1) << format.bits; ++code) values.push_back(ulpfft::format_value(index, code));
  return values;
}

Json json_of(const ulpfft_format& format, const std::vector<double>& values) {
  Json result = {{"name", format.name}, {"source", format.source}, {"kind", format.kind}, {"bits", format.bits}};
  if (*format.special != '\0') {
    result["exponent_bits"] = format.exponent_bits;
    result["mantissa_bits"] = format.mantissa_bits;
    result["bias"] = format.bias;
    result["special"] = format.special;
  } else {
    result["fraction_bits"] = format.fraction_bits;
    result["offset"] = format.offset;
  }
  result["signed"] = format.is_signed != 0;
  if (format.block_length > 0 || *format.element != '\0') {
    result["element"] = format.element;
    result["scale"] = format.scale;
    result["block_length"] = format.block_length;
    result["rule"] = format.rule;
  }
  result["largest"] = format.largest;
  result["lowest"] = format.lowest;
  result["smallest_normal"] = format.smallest_normal;
  result["smallest_subnormal"] = format.smallest_subnormal;
  result["rms_error"] = format.rms_error;
  result["compute"] = format.compute;
  if (!values.empty()) {
    result["values"] = Json::array();
    for (const double value : values) result["values"].push_back(json_value(value));
  }
  return result;
}

// The bits of an element, in words.
std::string bits_in_words(const ulpfft_format& format) {
  const std::string bits = std::to_string(format.bits);
  if (*format.special == '\0') {
    return bits + (format.is_signed != 0 ? " (two's complement), value = (code - " : " (unsigned), value = (code - ") + show_number(format.offset) +
           ") * 2^" + std::to_string(-format.fraction_bits);
  }
  return bits + (format.is_signed != 0 ? " (1 sign, " : " (no sign, ") + std::to_string(format.exponent_bits) + " exponent, " +
         std::to_string(format.mantissa_bits) + " mantissa), bias " + std::to_string(format.bias) + ", special codes: " + format.special;
}

void print_one(const ulpfft_format& format, const std::vector<double>& values) {
  const bool block = *format.element != '\0';
  std::cout << format.name << "   " << format.source << "\n";
  if (block) {
    std::cout << "  blocks of            " << (format.block_length == 0 ? "a whole row" : std::to_string(format.block_length)) << ", scale "
              << format.scale << ", rule " << format.rule << "; elements " << format.element << ":\n";
  }
  std::cout << "  bits                 " << bits_in_words(format) << "\n"
            << "  largest              " << show_number(format.largest) << "\n"
            << "  lowest               " << show_number(format.lowest) << "\n"
            << "  smallest normal      " << show_number(format.smallest_normal) << "\n"
            << "  smallest subnormal   " << show_number(format.smallest_subnormal) << "\n"
            << "  rms error            " << show_error(format.rms_error) << " (one rounding, relative, normal data)\n";
  if (values.empty()) return;
  constexpr std::size_t kColumns = 8;
  std::vector<std::string> head = {">code"};
  for (std::size_t i = 0; i < kColumns; ++i) head.push_back(">+" + std::to_string(i));
  Table table(head);
  for (std::size_t row = 0; row < values.size(); row += kColumns) {
    std::vector<std::string> cells = {std::to_string(row)};
    for (std::size_t i = row; i < row + kColumns; ++i) cells.push_back(show_number(values[i]));
    table.add(cells);
  }
  std::cout << "\n" << table.text();
}

void print_all(const std::vector<ulpfft_format>& formats) {
  Table table({"name", "kind", ">bits", ">exponent", ">mantissa", ">largest", ">smallest normal", ">rms error", "source"});
  for (const ulpfft_format& format : formats) {
    table.add({format.name, format.kind, std::to_string(format.bits), std::to_string(format.exponent_bits),
               std::to_string(format.mantissa_bits), show_error(format.largest), show_error(format.smallest_normal),
               show_error(format.rms_error), format.source});
  }
  std::cout << table.text();
}

void run(const Options& options) {
  const std::vector<ulpfft_format> all = ulpfft::formats();
  if (options.name.empty()) {
    if (!options.json) return print_all(all);
    Json list = Json::array();
    for (const ulpfft_format& format : all) list.push_back(json_of(format, {}));
    std::cout << list.dump(2) << "\n";
    return;
  }
  std::vector<std::string> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    known.emplace_back(all[i].name);
    if (options.name != all[i].name) continue;
    const std::vector<double> values = all_values(all[i], i);
    if (!options.json) return print_one(all[i], values);
    std::cout << json_of(all[i], values).dump(2) << "\n";
    return;
  }
  if (const std::size_t colon = options.name.find(':'); colon != std::string::npos) {
    const std::string format = options.name.substr(0, colon);
    for (const ulpfft_format& one : all) {
      if (format != one.name) continue;
      throw UsageError("Block length and rule are for problems and --to to choose; here is the name of a format alone: " + format + ".", options.name, colon,
                       options.name.size());
    }
  }
  throw UsageError("'" + options.name + "' is not a format of this build." + did_you_mean(options.name, known) + " It has " + listed(known) + ".", options.name, 0, options.name.size());
}

}  // namespace formats_command
}  // namespace

void add_formats(CLI::App& app) {
  using namespace formats_command;
  CLI::App* command = app.add_subcommand("formats", "Show the number formats data can be stored in");
  const auto options = std::make_shared<Options>();
  command->add_option("NAME", options->name, "One format, e.g. f32, or bf16; without it, all")->transform(with_own_format_names)->type_name("FORMAT");
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer("Examples:\n"
      "  ulpfft formats\n"
      "  ulpfft formats e4m3        every value of it, and where it is defined\n"
      "  ulpfft formats --json\n"
      "\n"
      "Names of other programs are understood here and wherever a format is asked for: half and fp16 (f16), bfloat16 (bf16), float and "
      "complex64 (f32), double and complex128 (f64), cs16 (i16), cu8 (u8), cf32 (f32).\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

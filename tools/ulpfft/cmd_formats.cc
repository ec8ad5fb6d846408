// ulpfft formats: the number formats of this build, with the facts derived from their descriptors.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string name;
  bool json = false;
};

Json json_of(const ulpfft_format& format) {
  return {{"name", format.name},
          {"source", format.source},
          {"bits", format.bits},
          {"exponent_bits", format.exponent_bits},
          {"mantissa_bits", format.mantissa_bits},
          {"bias", format.bias},
          {"largest", format.largest},
          {"smallest_normal", format.smallest_normal},
          {"smallest_subnormal", format.smallest_subnormal},
          {"rms_error", format.rms_error}};
}

void print_one(const ulpfft_format& format) {
  std::cout << format.name << "   " << format.source << "\n"
            << "  bits                 " << format.bits << " (1 sign, " << format.exponent_bits << " exponent, "
            << format.mantissa_bits << " mantissa), bias " << format.bias << "\n"
            << "  largest              " << show_number(format.largest) << "\n"
            << "  smallest normal      " << show_number(format.smallest_normal) << "\n"
            << "  smallest subnormal   " << show_number(format.smallest_subnormal) << "\n"
            << "  rms error            " << show_error(format.rms_error) << " (one rounding, relative, normal data)\n";
}

void print_all(const std::vector<ulpfft_format>& formats) {
  Table table({"name", ">bits", ">exponent", ">mantissa", ">largest", ">smallest normal", ">rms error", "source"});
  for (const ulpfft_format& format : formats) {
    table.add({format.name, std::to_string(format.bits), std::to_string(format.exponent_bits),
               std::to_string(format.mantissa_bits), show_error(format.largest), show_error(format.smallest_normal),
               show_error(format.rms_error), format.source});
  }
  std::cout << table.text();
}

void run(const Options& options) {
  std::vector<ulpfft_format> chosen;
  std::string known;
  for (const ulpfft_format& format : ulpfft::formats()) {
    if (options.name.empty() || options.name == format.name) chosen.push_back(format);
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  if (chosen.empty()) {
    throw UsageError("'" + options.name + "' is not a format of this build; it has " + known + ".", options.name, 0,
                     options.name.size());
  }
  if (options.json) {
    Json list = Json::array();
    for (const ulpfft_format& format : chosen) list.push_back(json_of(format));
    std::cout << (options.name.empty() ? list : list[0]).dump(2) << "\n";
  } else if (options.name.empty()) {
    print_all(chosen);
  } else {
    print_one(chosen[0]);
  }
}

}  // namespace

void add_formats(CLI::App& app) {
  CLI::App* command = app.add_subcommand("formats", "Show the number formats data can be stored in");
  const auto options = std::make_shared<Options>();
  command->add_option("NAME", options->name, "One format, e.g. f32; without it, all");
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer("Example:\n  ulpfft formats f32\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

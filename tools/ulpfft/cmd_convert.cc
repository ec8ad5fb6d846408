// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft convert: an array of numbers to narrow storage, back, or from one narrow format to another.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/json_object.h"
#include "tools/ulpfft/narrow_file.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace convert_command {

// CLI11 takes -1 and what is beyond 64 bits for 2^64 - 1.
std::string is_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? "" : "Value " + text + " is no whole number from 0 to 18446744073709551615";
}

struct Options {
  std::string input;
  std::string output;
  std::string from;
  std::string to;
  std::string axis;
  std::string rounding = "saturate";
  std::uint64_t seed = 0;
  bool seed_given = false;
  bool json = false;
  bool quiet = false;
};

const std::vector<std::pair<std::string, int>>& roundings() {
  static const std::vector<std::pair<std::string, int>> table = {
      {"saturate", ULPFFT_ROUND_SATURATE}, {"nearest", ULPFFT_ROUND_NEAREST}, {"stochastic", ULPFFT_ROUND_STOCHASTIC}};
  return table;
}

[[noreturn]] void wrong(const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); }

std::size_t read_axis(const std::string& text, std::size_t rank) {
  std::int64_t axis = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), axis);
  const auto axes = static_cast<std::int64_t>(rank);
  if (failure != std::errc{} || stop != text.data() + text.size() || axis < -axes || axis >= axes) {
    wrong("--axis takes an axis of the file, " + std::to_string(-axes) + " to " + std::to_string(axes - 1) + ".", text);
  }
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

void refuse_combinations(const Options& options, const StorageFacts& to) {
  if (to.wide && !options.output.ends_with(".npy")) wrong("An array of " + to.name + " is a .npy file.", options.output);
  if (!to.wide && !is_narrow_file(options.output) && !(has_numpy_type(to) && options.output.ends_with(".npy"))) {
    wrong("An array of " + to.name + " is described by a .json file, with the codes beside it.", options.output);
  }
  if (options.seed_given && options.rounding != "stochastic") wrong("Only --rounding stochastic takes a seed.", std::to_string(options.seed));
  if (to.wide && options.rounding != Options().rounding) wrong("--rounding says how narrow codes are rounded; the result is " + to.name + ".", options.rounding);
  if (to.wide && !options.axis.empty()) wrong("--axis says along which axis narrow rows run; the result is " + to.name + ".", options.axis);
}

// What was read: one of the two.
struct Input {
  std::optional<Array> wide;
  std::optional<NarrowArray> narrow;
  std::string format() const { 
    if (narrow) return narrow->storage.name;
    return !wide->type.empty() ? wide->type : wide->is_double() ? "f64" : "f32";
  }
};

Input read_input(const Options& options) {
  Input input;
  if (is_narrow_file(options.input)) {
    input.narrow = read_narrow(options.input);
  } else {
    input.wide = read_array(options.input);
  }
  if (options.from.empty() || options.from == input.format()) return input;
  throw Failure(options.input + ": format: the file holds " + input.format() + ", not " + options.from + " (--from).");
}

// What was done.
struct Report {
  std::string from, to;
  std::vector<std::int64_t> shape;
  bool is_complex = false;
  std::vector<std::string> files;
  std::int64_t numbers = 0;    // real ones
  std::int64_t saturated = 0;
  std::size_t axis = 0;        // of narrow rows
  std::size_t code_bytes = 0, scale_bytes = 0;  // of a narrow result
  double seconds = 0;          // of reading, converting and writing
};

Report to_wide(const Options& options, const StorageFacts& to, const Input& input) {
  const bool as_double = to.format.bits == 64;
  if (input.wide && (input.format() == "f32" || input.format() == "f64"))
    wrong("Both sides are wide: one of IN and OUT is to be in narrow storage.", options.to);
  const Array result = input.wide ? in_type(*input.wide, as_double) : decode(*input.narrow, as_double);
  write_array(options.output, result);
  Report report;
  report.shape = result.shape;
  report.is_complex = !result.is_real;
  report.files = {options.output};
  report.numbers = result.is_real ? 1 : 2;
  for (const std::int64_t length : result.shape) report.numbers *= length;
  return report;
}

Report to_narrow(const Options& options, const StorageFacts& to, Input input) {
  Report report;
  report.axis = input.narrow ? input.narrow->axis : input.wide->shape.size() - 1;
  if (!options.axis.empty()) report.axis = read_axis(options.axis, input.narrow ? input.narrow->shape.size() : input.wide->shape.size());
  if (input.narrow) input.wide = decode(*input.narrow, true);  // f64 holds every narrow number, so that each is rounded once
  Rounding rounding;
  rounding.seed = options.seed;
  for (const auto& [name, kind] : roundings()) {
    if (name == options.rounding) rounding.kind = kind;
  }
  const bool as_npy = !is_narrow_file(options.output);
  if (as_npy && !input.wide->is_real) {
    wrong("The numbers are complex, and NumPy has no complex numbers in " + to.name + ": write a .json file, or --to f32.", options.output);
  }
  const NarrowArray result = encode(*input.wide, to, report.axis, rounding, report.saturated);
  as_npy ? write_npy(options.output, result) : write_narrow(options.output, result);
  report.shape = result.shape;
  report.is_complex = result.is_complex;
  report.files = as_npy ? std::vector{options.output} : files_of(options.output, result);
  report.numbers = result.numbers();
  report.code_bytes = result.codes.size();
  report.scale_bytes = result.scales.size();
  return report;
}

void print_json(const Options& options, const StorageFacts& to, const Report& report) {
  JsonObject json;
  json.add("input", options.input).add("output", options.output).add("files", report.files).add("shape", report.shape);
  json.add("numbers", report.is_complex ? "complex" : "real").add("from", report.from).add("to", report.to);
  json.add("rounding", to.wide ? "none" : options.rounding).add("real_numbers", report.numbers).add("saturated", report.saturated);
  if (to.wide) {
    json.add_null("axis").add_null("code_bytes").add_null("scale_bytes");
  } else {
    json.add("axis", static_cast<std::int64_t>(report.axis)).add("code_bytes", static_cast<std::int64_t>(report.code_bytes));
    json.add("scale_bytes", static_cast<std::int64_t>(report.scale_bytes));
  }
  std::cout << json.add("seconds", report.seconds).text();
}

void print_text(const Options& options, const StorageFacts& to, const Report& report) {
  std::cout << options.output << ": " << show_lengths(report.shape);
  if (to.wide) {
    std::cout << ", " << report.to << " from " << report.from << "\n";
    return;
  }
  std::cout << (report.is_complex ? " complex" : " real") << " numbers, " << report.to << ", rows along axis " << report.axis << "\n"
            << "  codes      " << show_bytes(report.code_bytes) << "\n";
  if (to.blocks) std::cout << "  scales     " << show_bytes(report.scale_bytes) << "\n";
  if (report.saturated == 0) {
    std::cout << "  saturated  no value was clipped\n";
  } else {
    std::cout << "  saturated  " << report.saturated << " of " << report.numbers << " real numbers lay beyond the largest value\n";
  }
}

void run(const Options& options) {
  const StorageFacts to = storage_facts(options.to, options.to);
  if (!options.from.empty()) storage_facts(options.from, options.from);
  refuse_combinations(options, to);
  require_folder_of(options.output);
  const auto start = std::chrono::steady_clock::now();
  refuse_to_replace({options.input}, options.output, files_beside(options.output));
  Input input = read_input(options);
  if (input.narrow && options.input != options.output) refuse_to_replace(input.narrow->files, options.output, files_beside(options.output));
  const std::string from = input.format();
  Report report = to.wide ? to_wide(options, to, input) : to_narrow(options, to, std::move(input));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.from = from;
  report.to = to.name;
  if (options.quiet && report.saturated > 0 && !to.blocks) std::cerr << options.output << ": " << report.saturated << " real numbers saturated\n";
  if (options.json) return print_json(options, to, report);
  if (!options.quiet) print_text(options, to, report);
}

}  // namespace convert_command
}  // namespace

void add_convert(CLI::App& app) {
  using namespace convert_command;
  CLI::App* command = app.add_subcommand("convert", "Convert an array to narrow storage, back, or between narrow formats");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("IN", options->input,
                   "NAME.npy (real or complex, of any NumPy type of numbers), NAME.cfl, or NAME.json in narrow storage")
      ->required();
  command
      ->add_option(
          "OUT", options->output,
          "NAME.npy for f32 and f64, and for real numbers in f16, i8 and i16; NAME.json for narrow formats, with NAME.codes.npy and, of "
          "block formats, NAME.scales.npy beside it. Replaced when complete")
      ->required();
  command->add_option("--from", options->from, "Format of IN; a file in another is refused. Without it, whatever IN holds")->transform(with_own_format_names)->type_name("FORMAT");
  command->add_option("--to", options->to, "Format of OUT, e.g. f16, e4m3, mxfp8_e4m3, mxfp8_e4m3:b8:floor; see ulpfft formats")
      ->transform(with_own_format_names)
      ->type_name("FORMAT")
      ->required();
  command->add_option("--axis", options->axis, "Along which axis blocks and packed rows run; without it, that of IN, or the last");
  std::vector<std::string> names;
  for (const auto& [name, kind] : roundings()) names.push_back(name);
  command->add_option("--rounding", options->rounding,
                      "saturate: to nearest, ties to even, what lies beyond the largest value becomes it; nearest: that overflows to infinity "
                      "or NaN where the format has them; stochastic: up or down at random, by the distance")
      ->check(one_of(names), in_braces(names))
      ->capture_default_str();
  CLI::Option* seed = command->add_option("--seed", options->seed, "Of --rounding stochastic: equal seeds give equal bits")->check(is_seed)->capture_default_str();
  command->add_flag("--json", options->json, "Print as JSON: files, shape, formats, what saturated, seconds");
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
  command->footer(
      "Examples:\n"
      "  ulpfft convert x.npy x8.json --to mxfp8_e4m3        codes in x8.codes.npy, scales in x8.scales.npy\n"
      "  ulpfft convert x8.json back.npy --to f32            real numbers stay real, complex ones complex\n"
      "  ulpfft convert x8.json x4.json --to mxfp4_e2m1:b16 --rounding stochastic --seed 7\n"
      "  ulpfft convert x.npy x16.json --to half --json       what was done, for a script\n");
  command->callback([options, seed] {
    options->seed_given = seed->count() > 0;
    run(*options);
  });
}

}  // namespace ulpfft_tool

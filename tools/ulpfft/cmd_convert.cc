// ulpfft convert: an array of numbers to narrow storage, back, or from one narrow format to another.
#include <charconv>
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
#include "tools/ulpfft/narrow_file.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

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

void require_format(const Options& options, const std::string& found) {
  if (options.from.empty() || options.from == found) return;
  throw Failure(options.input + ": format: the file holds " + found + ", not " + options.from + " (--from).");
}

void run(const Options& options) {
  const StorageFacts to = storage_facts(options.to, options.to);
  if (!options.from.empty()) storage_facts(options.from, options.from);
  if (to.wide && !options.output.ends_with(".npy")) wrong("An array of " + to.name + " is a .npy file.", options.output);
  if (!to.wide && !is_narrow_file(options.output)) {
    wrong("An array of " + to.name + " is described by a .json file, with the codes beside it.", options.output);
  }
  if (options.seed_given && options.rounding != "stochastic") wrong("Only --rounding stochastic takes a seed.", std::to_string(options.seed));
  if (to.wide && options.rounding != Options().rounding) wrong("--rounding says how narrow codes are rounded; the result is " + to.name + ".", options.rounding);
  if (to.wide && !options.axis.empty()) wrong("--axis says along which axis narrow rows run; the result is " + to.name + ".", options.axis);

  std::optional<Array> wide;
  std::optional<NarrowArray> narrow;
  if (is_narrow_file(options.input)) {
    narrow = read_narrow(options.input);
    require_format(options, narrow->storage.name);
  } else {
    wide = read_array(options.input);
    require_format(options, wide->is_double() ? "f64" : "f32");
    if (to.wide) wrong("Both sides are wide: one of IN and OUT is to be in narrow storage.", options.to);
  }
  if (to.wide) {
    const Array result = decode(*narrow, to.format.bits == 64);
    write_array(options.output, result);
    if (!options.quiet) std::cout << options.output << ": " << show_lengths(result.shape) << ", " << to.name << " from " << narrow->storage.name << "\n";
    return;
  }
  std::size_t axis = narrow ? narrow->axis : wide->shape.size() - 1;
  if (!options.axis.empty()) axis = read_axis(options.axis, narrow ? narrow->shape.size() : wide->shape.size());
  if (narrow) wide = decode(*narrow, true);  // f64 holds every narrow number, so that each is rounded once
  Rounding rounding;
  rounding.seed = options.seed;
  for (const auto& [name, kind] : roundings()) {
    if (name == options.rounding) rounding.kind = kind;
  }
  std::int64_t saturated = 0;
  const NarrowArray result = encode(*wide, to, axis, rounding, saturated);
  write_narrow(options.output, result);
  if (options.quiet && saturated > 0 && !to.blocks) std::cerr << options.output << ": " << saturated << " real numbers saturated\n";
  if (options.quiet) return;
  std::cout << options.output << ": " << show_lengths(result.shape) << (result.is_complex ? " complex" : " real") << " numbers, " << to.name
            << ", rows along axis " << axis << "\n"
            << "  codes      " << show_bytes(result.codes.size()) << "\n";
  if (to.blocks) std::cout << "  scales     " << show_bytes(result.scales.size()) << "\n";
  std::cout << "  saturated  " << saturated << " of " << result.numbers() << " real numbers lay beyond the largest value\n";
}

}  // namespace

void add_convert(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "Convert an array to narrow storage, back, or between narrow formats");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "NAME.npy or NAME.cfl (real or complex, f32 or f64), or NAME.json in narrow storage")->required();
  command->add_option("OUT", options->output,
                      "NAME.npy for f32 and f64; NAME.json for narrow formats, with NAME.codes.npy and, of block formats, NAME.scales.npy "
                      "beside it. Replaced when complete")
      ->required();
  command->add_option("--from", options->from, "Format of IN; a file in another is refused. Without it, whatever IN holds");
  command->add_option("--to", options->to, "Format of OUT, e.g. f16, e4m3, mxfp8_e4m3, mxfp8_e4m3:b8:floor; see ulpfft formats")->required();
  command->add_option("--axis", options->axis, "Along which axis blocks and packed rows run; without it, that of IN, or the last");
  std::vector<std::string> names;
  for (const auto& [name, kind] : roundings()) names.push_back(name);
  command->add_option("--rounding", options->rounding,
                      "saturate: to nearest, ties to even, what lies beyond the largest value becomes it; nearest: that overflows to infinity "
                      "or NaN where the format has them; stochastic: up or down at random, by the distance")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  CLI::Option* seed = command->add_option("--seed", options->seed, "Of --rounding stochastic: equal seeds give equal bits")->check(is_seed)->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
  command->footer(
      "Examples:\n"
      "  ulpfft convert x.npy x8.json --to mxfp8_e4m3        codes in x8.codes.npy, scales in x8.scales.npy\n"
      "  ulpfft convert x8.json back.npy --to f32            real numbers stay real, complex ones complex\n"
      "  ulpfft convert x8.json x4.json --to mxfp4_e2m1:b16 --rounding stochastic --seed 7\n");
  command->callback([options, seed] {
    options->seed_given = seed->count() > 0;
    run(*options);
  });
}

}  // namespace ulpfft_tool

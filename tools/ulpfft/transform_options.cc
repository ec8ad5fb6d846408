// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/transform_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/storage_pair.h"

namespace ulpfft_tool {

ulpfft::R2r r2r_kind(const TransformOptions& options) {
  using ulpfft::R2r;
  constexpr R2r kCosines[] = {R2r::kDCT1, R2r::kDCT2, R2r::kDCT3, R2r::kDCT4}, kSines[] = {R2r::kDST1, R2r::kDST2, R2r::kDST3, R2r::kDST4};
  const int type = options.dct != 0 ? options.dct : options.dst;
  const int inverse = type == 2 || type == 3 ? 5 - type : type;
  return (options.dct != 0 ? kCosines : kSines)[(options.inverse ? inverse : type) - 1];
}

ulpfft::Scale read_scale(const std::string& text) {
  if (text == "none") return ulpfft::Scale::kNone;
  if (text == "ortho") return ulpfft::Scale::kOrtho;
  if (text == "1/n" || text == "1/N") return ulpfft::Scale::kByN;
  double factor = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (failure != std::errc{} || stop != text.data() + text.size() || !std::isfinite(factor) || factor == 0.0) {
    throw UsageError("--scale takes none, ortho, 1/n or a finite number other than 0.", text, 0, text.size());
  }
  return ulpfft::Scale::value(factor);
}

ulpfft::Prescale read_prescale(const std::string& text) {
  if (text == "none") return ulpfft::Prescale::kNone;
  if (text == "amax") return ulpfft::Prescale::kAmax;
  double magnitude = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  if (failure != std::errc{} || stop != text.data() + text.size() || !std::isfinite(magnitude) || magnitude <= 0.0) {
    throw UsageError("--prescale takes none, amax or the finite number above 0 that the largest magnitude is to come nearest to.", text, 0,
                     text.size());
  }
  return ulpfft::Prescale::target(magnitude);
}

std::pair<std::optional<StorageFacts>, std::optional<StorageFacts>> read_storage(const std::string& text) {
  if (text.empty()) return {};
  refuse_cut_arrow(text, text, 0);
  const std::string pair = with_arrow(text);
  const std::size_t arrow = pair.find("->");
  const StorageFacts in = storage_facts(pair.substr(0, arrow), pair);
  return {in, arrow == pair.npos ? in : storage_facts(pair.substr(arrow + 2), pair, arrow + 2)};
}

std::string name_of_reals(const TransformOptions& options) { return options.dct != 0 ? "--dct" : options.dst != 0 ? "--dst" : "--real"; }

std::string raw_format(const TransformOptions& options) {
  if (!options.raw.empty()) return with_own_format_names(options.raw);
  constexpr std::string_view kExtensions[] = {"cs8", "ci8", "sc8", "cu8", "cs16", "ci16", "sc16", "cf32", "fc32", "cf64", "fc64"};
  const std::size_t dot = options.input.rfind('.');
  const std::string extension = dot == options.input.npos ? "" : options.input.substr(dot + 1);
  if (extension == "cfile") return "f32";  // as GNU Radio names them
  const bool known = std::find(std::begin(kExtensions), std::end(kExtensions), extension) != std::end(kExtensions);
  return known ? with_own_format_names(extension) : "";
}

void check_options(const TransformOptions& options) {
  const auto refuse = [](const std::string& message, const std::string& word) { throw UsageError(message, word, 0, word.size()); };
  if (options.power && !options.output.ends_with(".npy") && !is_narrow_file(options.output)) {
    refuse("--power writes real numbers: to a .npy file, or to a .json file of a narrow array.", options.output);
  }
  if (is_czt(options)) {
    const std::pair<std::string, bool> fixed[] = {{"--real", options.real}, {"--dct", options.dct != 0}, {"--dst", options.dst != 0},
                                                  {"--centered", options.centered}, {"--multiply", !options.multiply.empty()}};
    for (const auto& [option, is_given] : fixed) {
      if (is_given) refuse("--points, --start and --step choose the frequencies of complex numbers, and do not go with " + option + ".", option);
    }
  }
  if (!options.real && !is_r2r(options)) return;
  const std::string name = name_of_reals(options);
  if (options.dct != 0 && options.dst != 0) refuse("--dct and --dst are two transforms: name one.", "--dst");
  if (options.real && is_r2r(options)) refuse(name + " has real numbers on both sides: leave out --real.", "--real");
  if (!options.raw.empty()) refuse("--raw reads complex samples; " + name + " needs a .npy file.", "--raw");
  for (const std::string& file : {options.input, options.output}) {
    if (!file.ends_with(".npy") && !is_narrow_file(file)) {
      refuse("With " + name + " both files are .npy files, or .json files of narrow arrays: of real numbers" +
                 (options.real ? ", and of their spectrum." : "."),
             file);
    }
  }
  if (options.inverse && !options.multiply.empty()) {
    refuse("--real --multiply goes there and back, from real numbers to real numbers: leave out --inverse.", "--inverse");
  }
  if (options.real) return;
  const std::string instead = " Without " + name + ", real numbers are transformed as complex ones.";
  const std::pair<std::string, bool> given[] = {{"--centered", options.centered}, {"--multiply", !options.multiply.empty()}};
  for (const auto& [option, is_given] : given) {
    if (is_given) refuse(name + " does not go with " + option + "." + instead, option);
  }
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/transform_report.h"

#include <algorithm>

#include "tools/ulpfft/json_object.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// Some numbers of a transform are near 0: that one of so many becomes 0 between passes is nothing to say with --quiet.
constexpr std::size_t kFewUnderflow = 100;

std::string saturation_line(const TransformReport& report) {
  if (report.is_rounded()) return "  overflow   " + std::to_string(report.saturated) + " operations went beyond the largest value of the scheme\n";
  if (report.out_format.wide) return "";
  if (report.saturated == 0) return "  saturated  no value was clipped\n";
  const bool has_remedy = !report.out_format.blocks && report.exponents.empty();
  return "  saturated  " + std::to_string(report.saturated) + " of " + std::to_string(report.real_numbers()) + " real numbers of the result were clipped" +
         (has_remedy ? "; --scale 1/n or ortho makes it smaller, --exponents keeps its range\n" : "\n");
}

}  // namespace

std::size_t TransformReport::real_numbers() const {
  std::size_t numbers = kind == "c2r" || kind == "r2r" ? 1 : 2;
  for (const std::int64_t length : shape) numbers *= static_cast<std::size_t>(length);
  return numbers;
}

bool TransformReport::many_underflowed() const { return static_cast<std::size_t>(underflowed) > real_numbers() / kFewUnderflow; }

std::string transform_warnings(const TransformReport& report) {
  std::string text;
  if (!report.all_in_range() && !report.in_format.blocks && !report.out_format.blocks) {
    text += report.output + ": " + std::to_string(report.input_saturated) + " real numbers of the input and " +
            std::to_string(report.out_format.wide ? 0 : report.saturated) + " of the result saturated\n";
  }
  if (report.many_underflowed()) text += report.output + ": " + std::to_string(report.underflowed) + " real numbers became 0 in narrow storage between passes\n";
  return text;
}

std::string transform_text(const TransformReport& report) {
  std::string beside;  // what the prediction leaves out
  if (report.multiplied) beside += ", with factors of magnitude 1";
  if (report.file_format != report.in_format.name && !report.in_format.wide) beside += ", of the input as converted";
  if (!report.all_in_range()) beside += ", of what does not saturate";
  std::string text = report.output + ": " + show_lengths(report.shape) + "\n" +
                     "  problem    " + report.problem + "\n" +
                     "  recipe     " + report.recipe + "\n" +
                     "  time       " + show_seconds(report.seconds) + ", after " + show_seconds(report.planning_seconds) + " of planning\n" +
                     "  error      " + show_error(report.error) + " predicted, relative" + beside + "\n";
  if (report.file_format != report.in_format.name) {
    text += "  input      " + report.file_format + ", converted to " + report.in_format.name + "; " + std::to_string(report.input_saturated) + " real numbers saturated\n";
  }
  text += saturation_line(report);
  if (report.stores_between()) {
    text += "  underflow  " + std::to_string(report.underflowed) + " real numbers became 0 between passes" +
            (report.many_underflowed() ? "; --prescale amax brings small data into range\n" : "\n");
  }
  if (!report.exponents.empty()) {
    const auto [least, most] = std::minmax_element(report.exponents.begin(), report.exponents.end());
    text += "  exponents  " + std::to_string(*least) + " to " + std::to_string(*most) + ", one of each of " + std::to_string(report.transforms) +
            (report.transforms == 1 ? " transform\n" : " transforms\n");
  }
  if (report.dropped_bytes != 0) text += "  left out   " + std::to_string(report.dropped_bytes) + " bytes of a partial transform at the end\n";
  return text;
}

std::string transform_json(const TransformReport& report) {
  JsonObject json;
  json.add("input", report.input).add("output", report.output).add("files", report.files).add("shape", report.shape);
  json.add("input_format", report.file_format).add("storage_in", report.in_format.name).add("storage_out", report.out_format.name);
  json.add("kind", report.kind).add("problem", report.problem).add("recipe", report.recipe);
  json.add("transforms", static_cast<std::int64_t>(report.transforms));
  json.add("seconds", report.seconds).add("planning_seconds", report.planning_seconds).add("error", report.error);
  json.add("real_numbers", static_cast<std::int64_t>(report.real_numbers())).add("input_saturated", report.input_saturated);
  json.add("saturated", report.out_format.wide || report.is_rounded() ? std::int64_t{0} : report.saturated);
  json.add("overflowed_operations", report.is_rounded() ? report.saturated : std::int64_t{0});
  json.add("underflowed", report.underflowed).add("dropped_bytes", report.dropped_bytes);
  if (report.exponents.empty()) {
    json.add_null("exponents");
  } else {
    json.add("exponents", std::vector<std::int64_t>(report.exponents.begin(), report.exponents.end()));
  }
  return json.text();
}

}  // namespace ulpfft_tool

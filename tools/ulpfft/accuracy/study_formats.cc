// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors of every storage format and scheme against n.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/storage_pair.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// What is measured of a format: a problem, and perhaps a recipe.
struct StudiedWay {
  const char* id;
  const char* title;
  bool blocks;          // of block formats; else of elements and integers
  const char* scheme;   // in front of the name of the format; null: storage alone
  const char* sums;     // behind it
  int stages;           // stored narrow after so many radix-2 stages; 0: at both ends alone
  const char* golden;   // end of the names of golden rows; null: none
  const char* missing;  // of a build without any such scheme
};

constexpr StudiedWay kWays[] = {
    {"formats-storage", "Stored in the format at both ends, computed in f32", false, nullptr, "", 0, " store-io", ""},
    {"formats-storage-blocks", "Stored in blocks at both ends, computed in f32", true, nullptr, "", 0, " store-io fit", ""},
    {"formats-stages", "Stored in the format after every radix-2 stage", false, nullptr, "", 1, " store-stage", ""},
    {"formats-stages-blocks", "Stored in blocks after every radix-2 stage", true, nullptr, "", 1, " store-stage fit", ""},
    {"formats-rounded", "rounded:<element>: every operation rounded to the format", false, "rounded:", "", 0, " all-16bit std",
     "This build has no rounded schemes."},
    {"formats-rounded-sums", "rounded:<element>/f32: products rounded, sums in f32", false, "rounded:", "/f32", 0, " multiply-16/add-32",
     "This build has no rounded schemes."},
    {"formats-mx", "mx:<block>: products in blocks of 32, sums in f32", true, "mx:", "", 0, " butterfly carry rceil",
     "This build has no mx schemes."},
};

bool is_block(const ulpfft_format& f) { return f.kind == std::string_view("block"); }

// Name of the format in golden rows; "" without any.
std::string golden_name(const ulpfft_format& f) {
  const std::string_view name = f.name;
  if (name == "f16") return "binary16";
  if (name == "bf16") return "bfloat16";
  if (!is_block(f)) return "";
  return std::string("mx-") + (f.element == std::string_view("int8q6") ? "int8" : f.element);
}

Figure measure_way(const StudiedWay& way, Lab& lab, const StudyOptions& options, const GoldenTable& golden, double from, double to) {
  Figure figure{"formats", way.id, way.title, "n, points of a transform", "relative L2 error", Scale::kPowers, Scale::kLog, {}, {}, "", ""};
  Curve expected{"golden", 6, Stroke::kNone, 0, true, {}, false};
  std::vector<const ulpfft_format*> formats;
  for (const ulpfft_format& f : lab.formats()) {
    if (f.kind != std::string_view("wide") && is_block(f) == way.blocks) formats.push_back(&f);
  }
  std::string left_out;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const ulpfft_format& f = *formats[i];
    const std::string name = f.name;
    Curve curve = numbered_curve(way.scheme == nullptr ? name : way.scheme + name + way.sums, figure.curves.size());
    for (std::int64_t n = 16; n <= options.longest && n <= 65536; n *= 4) {
      options.progress(from + (to - from) * static_cast<double>(i) / static_cast<double>(formats.size()),
                       curve.name + ", n = " + std::to_string(n));
      Trial trial;
      trial.n = n;
      // With the scale spread over the passes, sums of n numbers keep to the range of the input.
      trial.words = "scale=ortho";
      trial.sigma = lab.fitting_sigma(name);
      const std::string storage = way.blocks && has_power_scales(f) ? name + ":fit" : name;
      if (way.scheme != nullptr) {
        trial.scheme = curve.name;
        trial.node = radix_node(n, 2, "");
      } else {
        trial.storage = storage;
        if (way.stages > 0) trial.node = stored_node(n, way.stages, storage);
      }
      const Outcome outcome = lab.run(trial);
      if (!outcome.reason.empty()) {  // at every length
        left_out += (left_out.empty() ? "" : ", ") + name;
        figure.missing = outcome.reason;
        break;
      }
      curve.points.push_back({static_cast<double>(n), outcome.error, outcome.recipe});
    }
    if (curve.points.empty()) continue;
    for (const GoldenCell& cell : golden.cells) {
      if (way.golden == nullptr || golden_name(f).empty() || cell.row != golden_name(f) + way.golden || cell.n > options.longest) continue;
      expected.points.push_back({static_cast<double>(cell.n), cell.expected, cell.row});
    }
    figure.curves.push_back(std::move(curve));
  }
  figure.missing = figure.missing.substr(0, figure.missing.find(" Possible are"));
  if (figure.curves.empty()) {
    figure.missing = std::string(way.missing) + (figure.missing.empty() ? "" : " " + figure.missing);
    return figure;
  }
  if (!left_out.empty()) figure.missing = "Refused: " + left_out + ". " + figure.missing;

  // The least error at the last length, and the sentence: how it grew from 64 points.
  const Curve* best = nullptr;
  std::string overflowed, lost;
  for (const Curve& curve : figure.curves) {
    const double last = curve.points.back().y;
    if (!std::isfinite(last)) overflowed += (overflowed.empty() ? "" : ", ") + curve.name;
    if (std::isfinite(last) && last > 0.9) lost += (lost.empty() ? "" : ", ") + curve.name;
    if (std::isfinite(last) && (best == nullptr || last < best->points.back().y)) best = &curve;
  }
  if (best != nullptr && best->points.size() > 2) {
    const Point &first = best->points[1], &last = best->points.back();
    const double growth = last.y / first.y, root = std::sqrt(std::log2(last.x) / std::log2(first.x));
    figure.sentence = std::string(growth < 1.1 ? "The error does not depend on n: " : "The error grows with n: ") + best->name + " " +
                      show_value(first.y) + " at n = " + show_value(first.x) + ", " + show_value(last.y) + " at n = " + show_value(last.x);
    if (growth >= 1.1)
      figure.sentence += ", " + show_value(growth) + " times as much, where the square root of log2 n grows " + show_value(root) + " times";
    figure.sentence += ".";
  }
  if (!overflowed.empty()) figure.sentence += " Not finite at the last length: " + overflowed + ".";
  if (!lost.empty())
    figure.sentence +=
        " Nothing is left of the result, error 0.9 or more, where range or steps do not suit such sums or twiddle factors: " + lost + ".";
  if (!expected.points.empty()) figure.curves.push_back(std::move(expected));
  return figure;
}

}  // namespace

std::vector<Figure> study_formats(Lab& lab, const StudyOptions& options, const GoldenTable& golden) {
  std::vector<Figure> figures;
  const double count = static_cast<double>(std::size(kWays));
  for (const StudiedWay& way : kWays) {
    const double done = static_cast<double>(figures.size());
    figures.push_back(measure_way(way, lab, options, golden, done / count, (done + 1) / count));
  }
  return figures;
}

}  // namespace ulpfft_tool

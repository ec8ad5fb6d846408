// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the library predicts for a problem, against what it measures: plans without an error limit are chosen by the prediction.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "tools/ulpfft/accuracy/rows.h"
#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

struct Family {
  const char* id;
  const char* title;
  const char* scheme;  // in front of the name of a format; null: the format is the storage
  const char* sums;    // behind it
  bool blocks;
  const char* missing;  // of a build without any such scheme
};

constexpr Family kFamilies[] = {
    {"predictions-storage", "Storage of elements and integers", nullptr, "", false, ""},
    {"predictions-storage-blocks", "Storage in blocks", nullptr, "", true, ""},
    {"predictions-rounded", "rounded:<element>", "rounded:", "", false, "This build has no rounded schemes."},
    {"predictions-rounded-sums", "rounded:<element>/f32", "rounded:", "/f32", false, "This build has no rounded schemes."},
    {"predictions-mx", "mx:<block>", "mx:", "", true, "This build has no mx schemes."},
};

Figure measure(const Family& family, Lab& lab, const StudyOptions& options) {
  Figure figure{"predictions",
                family.id,
                std::string(family.title) + ": error measured over predicted",
                "n, points of a transform",
                "error measured / error predicted",
                Scale::kPowers,
                Scale::kLog,
                {},
                {},
                "",
                ""};
  std::string beyond;
  std::size_t within = 0, all = 0;
  for (const ulpfft_format& f : lab.formats()) {
    const std::string_view kind = f.kind;
    if (kind == "wide" || (kind == "block") != family.blocks) continue;
    const std::string name = f.name;
    Curve curve = numbered_curve(family.scheme == nullptr ? name : family.scheme + name + family.sums, figure.curves.size());
    double farthest = 1;
    for (std::int64_t n = 16; n <= std::min<std::int64_t>(options.longest, 65536); n *= 4) {
      options.progress(0.5, curve.name + ", n = " + std::to_string(n));
      Trial trial;
      trial.n = n;
      (family.scheme == nullptr ? trial.storage : trial.scheme) = curve.name;
      const Prediction found = lab.predict(trial);
      if (!found.reason.empty()) {
        figure.missing = std::string(family.missing) + " " + found.reason;
        break;
      }
      const double ratio = found.measured / found.predicted;
      curve.points.push_back(
          {static_cast<double>(n), ratio,
           "measured " + show_value(found.measured) + ", predicted " + show_value(found.predicted) + ", " + found.recipe});
      ++all;
      within += ratio <= kPredictedGate;
      farthest = std::isfinite(ratio) ? std::max(farthest, ratio) : ratio;
    }
    if (curve.points.empty()) continue;
    if (!(farthest <= kPredictedGate)) beyond += (beyond.empty() ? "" : ", ") + curve.name;
    figure.curves.push_back(std::move(curve));
  }
  if (figure.curves.empty()) return figure;
  figure.missing.clear();
  figure.levels = {{kPredictedGate, "gate of a problem, 1.5", 6}};
  figure.sentence =
      std::to_string(within) + " of " + std::to_string(all) + " errors are within 1.5 times the prediction" +
      (beyond.empty() ? "." : "; beyond it, at one length or more: " + beyond + ". Predictions count roundings, not what leaves a range.");
  return figure;
}

}  // namespace

std::vector<Figure> study_predictions(Lab& lab, const StudyOptions& options) {
  std::vector<Figure> figures;
  for (const Family& family : kFamilies) figures.push_back(measure(family, lab, options));
  return figures;
}

}  // namespace ulpfft_tool

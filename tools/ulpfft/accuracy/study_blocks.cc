// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Blocks of numbers with a shared scale: how long they are, and by which rule the scale is chosen.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/storage_pair.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kRules[] = {"floor", "ceil", "rceil", "even", "fit"};
constexpr int kLengths[] = {2, 4, 8, 16, 32, 64};
constexpr std::int64_t kPoints = 4096;

enum class Way { kEnds, kStages, kProducts };

Figure measure(Lab& lab, const StudyOptions& options, const ulpfft_format& f, Way way) {
  const std::int64_t n = std::min(options.longest, kPoints);
  const std::string name = f.name;
  const char* const ids[] = {"blocks-storage-", "blocks-stages-", "blocks-mx-"};
  const std::string titles[] = {name + " at both ends", name + " after every stage", "mx:" + name};
  Figure figure{"blocks",
                ids[static_cast<int>(way)] + name,
                titles[static_cast<int>(way)] + ", n = " + std::to_string(n),
                "block length, reals that share a scale",
                "relative L2 error",
                Scale::kDoubling,
                Scale::kLog,
                {},
                {},
                "",
                ""};
  for (std::size_t r = 0; r < std::size(kRules); ++r) {
    const std::string rule = kRules[r];
    // fit equals even but for e4m3, and often rceil: hollow marks and dashes let what lies below be seen.
    Curve curve{rule, static_cast<int>(r), r > 2 ? Stroke::kDashed : Stroke::kSolid, -1, r > 2, {}};
    for (const int length : kLengths) {
      options.progress(0.5, name + ", " + rule + ", blocks of " + std::to_string(length));
      const std::string storage = name + ":b" + std::to_string(length) + ":" + rule;
      Trial trial;
      trial.n = n;
      if (way == Way::kProducts) {
        trial.scheme = "mx:" + storage;
        trial.node = radix_node(n, 2, "");
      } else {
        trial.storage = storage;
        if (way == Way::kStages) trial.node = stored_node(n, 1, storage);
      }
      const Outcome outcome = lab.run(trial);
      if (!outcome.reason.empty()) {
        figure.missing = (way == Way::kProducts ? "This build has no mx schemes. " : "") + outcome.reason;
        figure.curves.clear();
        return figure;
      }
      curve.points.push_back({static_cast<double>(length), outcome.error, outcome.recipe});
    }
    figure.curves.push_back(std::move(curve));
  }
  const double shortest = kLengths[0], longest = kLengths[std::size(kLengths) - 1];
  const auto growth = [&](const char* rule) { return value_at(figure, rule, longest) / value_at(figure, rule, shortest); };
  const auto from_to = [&](const char* rule) {
    return "from " + show_value(value_at(figure, rule, shortest)) + " to " + show_value(value_at(figure, rule, longest)) + " (" +
           number("%.2f", growth(rule)) + " times)";
  };
  constexpr double kSame = 0.03;
  const double clipping = growth("floor"), exact = growth("rceil");
  const std::string claim = clipping < 1 - kSame && exact > 1 - kSame
                                ? "Longer blocks err less only by rules that clip: the effect is the rule's. "
                            : clipping > 1 + kSame && exact > 1 + kSame ? "Longer blocks err more, by either rule. "
                            : std::abs(clipping - 1) <= kSame           ? "By floor the length of blocks hardly matters. "
                                                                        : "";
  figure.sentence =
      claim + "Blocks of 2 to blocks of 64: by floor " + from_to("floor") + ", by rceil, which never clips, " + from_to("rceil") + ".";
  return figure;
}

}  // namespace

std::vector<Figure> study_blocks(Lab& lab, const StudyOptions& options) {
  std::vector<Figure> figures;
  for (const Way way : {Way::kEnds, Way::kStages, Way::kProducts}) {
    for (const ulpfft_format& f : lab.formats()) {
      if (f.kind != std::string_view("block") || !has_power_scales(f)) continue;
      const std::string_view name = f.name;
      if (options.quick && name != "mxfp8_e4m3" && name != "mxint8") continue;
      figures.push_back(measure(lab, options, f, way));
      if (!figures.back().missing.empty()) {  // nor of any other format
        figures.back().id = "blocks-mx";
        figures.back().title = "mx:<block>";
        return figures;
      }
    }
  }
  return figures;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Split schemes: errors against length, range and shape, and published variants beside ours.
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "tools/ulpfft/accuracy/split_trials.h"
#include "tools/ulpfft/accuracy/stored_numbers.h"
#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kLongestSplit = 65536;
constexpr std::int64_t kShown = 4096;  // the length that sentences speak of
constexpr const char* kLengthsTitle = "n, points of a transform";
constexpr const char* kPublishedF16 = "split:f16x2:whole:arbitrary";  // the poster: one norm for all data, and no power of two
constexpr double kClaimedByPoster = 1e-4, kClaimedOf2x3 = 2e-9;

std::int64_t longest_of(const StudyOptions& options) { return std::min(options.longest, kLongestSplit); }
double shown_length(const StudyOptions& options) { return static_cast<double>(std::min(options.longest, kShown)); }

Figure figure_of(const char* id, const char* title, const char* x_name, Scale x_scale = Scale::kPowers) {
  return {"split", id, title, x_name, "relative L2 error", x_scale, Scale::kLog, {}, {}, "", ""};
}

Figure lengths_figure(Lab& lab, const StudyOptions& options) {
  Figure figure = figure_of("split-lengths", "Split schemes against n, radix 4", kLengthsTitle);
  std::vector<Contender> list{contender("f32"), contender("rounded:f16")};
  for (const Contender& one : split_contenders()) list.push_back(one);
  for (const Contender& one : list) {
    options.progress(0.1, one.name);
    add_lengths(figure, lab, one, longest_of(options));
  }
  if (!figure.missing.empty()) return figure;
  const double n = shown_length(options);
  figure.sentence = "At n = " + show_value(n) + ": " + values_at(figure, n) + ". split:bf16x3 errs " +
                    number("%.2f", ratio_at(figure, "split:bf16x3", "f32", n)) + " times as much as f32, split:f16x2 " +
                    number("%.2f", ratio_at(figure, "split:f16x2", "f32", n)) + " times.";
  return figure;
}

// "The range of data hardly matters: over all ranges the largest error of a split scheme is ..."
std::string spread_text(const Figure& figure, const std::string& what, const std::string& places) {
  constexpr double kHardly = 1.25;
  const Curve *steady = nullptr, *wild = nullptr;
  for (const Curve& curve : figure.curves) {
    if (!curve.name.starts_with("split:")) continue;
    if (steady == nullptr || spread_of(curve) < spread_of(*steady)) steady = &curve;
    if (wild == nullptr || spread_of(curve) > spread_of(*wild)) wild = &curve;
  }
  if (wild == nullptr) return "";
  return "The " + what + (spread_of(*wild) < kHardly ? " hardly matters: " : " matters: ") + "over all " + places +
         " the largest error of a split scheme is " + number("%.2f", spread_of(*steady)) + " (" + steady->name + ") to " +
         number("%.2f", spread_of(*wild)) + " (" + wild->name + ") times its least.";
}

// "rounded:f16 has no result, an error of 0.1 or more, at a = 1e-15, 1e+15."
std::string lost_text(const Figure& figure) {
  std::string text;
  for (const Curve& curve : figure.curves) {
    std::string places;
    for (const Point& point : curve.points) {
      if (!(point.y < 0.1)) places += (places.empty() ? "" : ", ") + number("%g", point.x);
    }
    if (!places.empty()) text += " " + curve.name + " has no result, an error of 0.1 or more, at a = " + places + ".";
  }
  return text;
}

Figure range_figure(Lab& lab, const StudyOptions& options) {
  const std::int64_t n = std::min<std::int64_t>(options.longest, 1024);
  Figure figure = figure_of("split-range", "", "a; numbers are uniform in -a .. a", Scale::kLog);
  figure.title = "Split schemes against the range of data, n = " + std::to_string(n) + ", radix 4";
  std::vector<Contender> list{contender("f32"), contender("rounded:f16"), stored_contender("f16"), contender(kPublishedF16)};
  for (const Contender& one : split_contenders()) list.push_back(one);
  for (const Contender& one : list) {
    options.progress(0.3, one.name);
    std::vector<Place> places;
    for (const double range : {1e-15, 1e-10, 1e-5, 1.0, 1e5, 1e10, 1e15}) {
      Trial trial = trial_of(one, n);
      trial.range = range;
      places.push_back({range, trial});
    }
    add_curve(figure, lab, one, places);
  }
  figure.levels.push_back({kClaimedByPoster, "claimed of two f16 parts", 7});
  figure.sentence =
      spread_text(figure, "range of data", "ranges") + " At a = 1: " + values_at(figure, 1) + "." + lost_text(figure);
  return figure;
}

Figure shape_figure(Lab& lab, const StudyOptions& options) {
  const std::int64_t points = longest_of(options);
  Figure figure = figure_of("split-shapes", "", "rows of the array");
  figure.title = "Split schemes against the shape of arrays of " + std::to_string(points) + " points, radix 4";
  std::vector<Contender> list{contender("f32"), contender("rounded:f16"), contender(kPublishedF16)};
  for (const Contender& one : split_contenders()) list.push_back(one);
  for (const Contender& one : list) {
    options.progress(0.5, one.name);
    std::vector<Place> places;
    for (std::int64_t rows = 1; rows <= points; rows *= 2) {
      Trial trial = trial_of(one, points);
      trial.lengths = std::to_string(rows) + "x" + std::to_string(points / rows);
      trial.node = "rank(" + split_node(rows, one.radix) + "; " + split_node(points / rows, one.radix) + ")";
      places.push_back({static_cast<double>(rows), trial});
    }
    add_curve(figure, lab, one, places);
  }
  std::string others;
  for (const Curve& curve : figure.curves) {
    if (!curve.name.starts_with("split:"))
      others += (others.empty() ? " " : ", ") + curve.name + " " + number("%.2f", spread_of(curve));
  }
  figure.sentence = spread_text(figure, "shape of an array", "shapes") + " The same of other schemes:" + others +
                    ". Lengths that are no power of four have a pass of radix 2 more.";
  return figure;
}

// Six products of two and three bf16 parts, as the published mode ozaki_hq has them.
Figure parts_figure(Lab& lab, const StudyOptions& options) {
  Figure figure = figure_of("split-2x3", "Two parts of the matrix and three of the data, matrices up to 256 points", kLengthsTitle);
  Contender four{"split:bf16x2x3, radix 4", "split:bf16x2x3", 4};
  for (const char* scheme : {"split:bf16x2", "split:bf16x2x3", "split:bf16x3"}) {
    Contender one = contender(scheme);
    one.radix = 256;
    options.progress(0.7, one.name);
    add_lengths(figure, lab, one, longest_of(options));
  }
  add_lengths(figure, lab, four, longest_of(options));
  add_lengths(figure, lab, contender("f32"), longest_of(options));
  figure.levels.push_back({kClaimedOf2x3, "claimed of 2 x 3", 7});
  if (!figure.missing.empty()) return figure;
  const double n = shown_length(options), error = value_at(figure, "split:bf16x2x3", n);
  figure.sentence = "At n = " + show_value(n) + " the six products of split:bf16x2x3 err " + show_value(error) + ", " +
                    number("%.0f", error / kClaimedOf2x3) + " times the " + number("%.0e", kClaimedOf2x3) +
                    " claimed: two parts of bf16 hold 16 bits of the matrix. Its first pass alone, n = 256, errs " +
                    show_value(value_at(figure, "split:bf16x2x3", 256)) + ". The six products of split:bf16x3 err " +
                    show_value(value_at(figure, "split:bf16x3", n)) + ", the three of split:bf16x2 " +
                    show_value(value_at(figure, "split:bf16x2", n)) +
                    ". In radix 4, whose matrix is exact, split:bf16x2x3 errs " + show_value(value_at(figure, four.name, n)) +
                    ". Sums in f32 cannot reach the claim: f32 itself errs " + show_value(value_at(figure, "f32", n)) + ".";
  return figure;
}

// What three bf16 parts lose of normal numbers, with each residue as it is or rounded to bf16 before it is split further.
double lost_by_parts(bool rounded_residues) {
  constexpr std::int64_t kCount = 4096;
  std::vector<std::complex<double>> numbers(kCount), residues;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double angle = 0.61803398875 * static_cast<double>(i);
    numbers[i] = {static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(2 * angle))};
  }
  StoredNumbers part("bf16", 1, kCount);
  residues = numbers;
  std::vector<std::complex<double>> sum(numbers.size());
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && rounded_residues) {
      part.set(residues);
      residues = part.numbers();
    }
    part.set(residues);
    const std::vector<std::complex<double>> parts = part.numbers();
    for (std::size_t j = 0; j < parts.size(); ++j) residues[j] -= parts[j], sum[j] += parts[j];
  }
  return distance(sum, numbers, 1);
}

Figure residue_figure(Lab& lab, const StudyOptions& options) {
  Figure figure = figure_of("split-residue", "The residue rounded to bf16 first, matrices up to 256 points", kLengthsTitle);
  // A rounded residue is its own part, and leaves nothing for the third: what is computed then is every product of two parts and
  // two.
  const std::string rounded = "three parts, residue rounded first (split:bf16x2x2)";
  for (const auto& [name, scheme] : {std::pair<std::string, std::string>{"split:bf16x2", "split:bf16x2"},
                                     {rounded, "split:bf16x2x2"},
                                     {"split:bf16x3", "split:bf16x3"}}) {
    options.progress(0.8, name);
    add_lengths(figure, lab, {name, scheme, 256}, longest_of(options));
  }
  if (!figure.missing.empty()) return figure;
  const double n = shown_length(options);
  figure.sentence =
      "Residues rounded to bf16 before they are split again leave nothing for a third part: three parts then lose " +
      show_value(lost_by_parts(true)) + " of numbers of f32, where they lose " + show_value(lost_by_parts(false)) +
      " with residues in f32. At n = " + show_value(n) + " the transform errs " + show_value(value_at(figure, rounded, n)) +
      " in place of " + show_value(value_at(figure, "split:bf16x3", n)) + ", " +
      number("%.0f", ratio_at(figure, rounded, "split:bf16x3", n)) + " times as much. A second part is the same either way.";
  return figure;
}

Figure variants_figure(Lab& lab, const StudyOptions& options) {
  Figure figure = figure_of("split-f16x2", "Two parts of f16: norms and matrices", kLengthsTitle);
  const std::vector<Contender> list = {{"power-of-two norms, radix 4", "split:f16x2", 4},
                                       {"largest magnitude as norm, radix 4", "split:f16x2:arbitrary", 4},
                                       {"one such norm for all data, radix 4", kPublishedF16, 4},
                                       {"power-of-two norms, radix 16, matrix split", "split:f16x2", 16},
                                       {"power-of-two norms, radix 16, matrix not split", "split:f16x1x2", 16}};
  for (const Contender& one : list) {
    options.progress(0.9, one.name);
    add_lengths(figure, lab, one, longest_of(options));
  }
  figure.levels.push_back({kClaimedByPoster, "claimed", 7});
  if (!figure.missing.empty()) return figure;
  const double n = shown_length(options);
  figure.sentence = "At n = " + show_value(n) + " power-of-two norms err " + show_value(value_at(figure, list[0].name, n)) +
                    ", the largest magnitude as norm " + show_value(value_at(figure, list[1].name, n)) +
                    ", one of them for all data " + show_value(value_at(figure, list[2].name, n)) +
                    ". In radix 16 a split matrix errs " + show_value(value_at(figure, list[3].name, n)) + ", one of f16 " +
                    show_value(value_at(figure, list[4].name, n)) + ": only radix 2 and 4 have exact matrices.";
  return figure;
}

}  // namespace

std::vector<Figure> study_split(Lab& lab, const StudyOptions& options) {
  return {lengths_figure(lab, options), range_figure(lab, options),   shape_figure(lab, options),
          parts_figure(lab, options),   residue_figure(lab, options), variants_figure(lab, options)};
}

}  // namespace ulpfft_tool

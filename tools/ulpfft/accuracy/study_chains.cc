// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of transforms: the error of numbers that go there and back 1, 10 and 100 times, in every scheme.
#include <algorithm>
#include <cmath>

#include "tools/ulpfft/accuracy/split_trials.h"
#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

// Independent errors grow with the square root of the trips, 10 times; errors that every trip repeats, e.g. of its tables, 100 times.
std::string growth_text(const Figure& figure, bool products) {
  std::string text = std::string("The error after 100 round trips") + (products ? " with products" : "") +
                     ", and how many times that of one trip it is:";
  for (const Curve& curve : figure.curves) {
    const double first = curve.points.front().y, last = curve.points.back().y;
    text += (&curve == figure.curves.data() ? " " : ", ") + curve.name + " " + show_value(last) + " (" + number("%.1f", last / first) + ")";
  }
  return text + ".";
}

Figure chains_figure(Lab& lab, const StudyOptions& options, bool products) {
  const std::vector<int> counts{1, 10, 100};
  const std::int64_t n = std::min<std::int64_t>(options.longest, options.quick ? 256 : 4096);
  Figure figure{"chains",
                products ? "chains-products" : "chains-plain",
                std::string(products ? "Round trips with products of the spectrum" : "Round trips") +
                    ", n = " + std::to_string(n) + ", radix 4",
                "forward and inverse transforms",
                "relative L2 error",
                Scale::kLog,
                Scale::kLog,
                {},
                {},
                "",
                ""};
  std::vector<Contender> list{{"f64", "f64", 4, "f64"}, contender("f32"), stored_contender("f16"), stored_contender("bf16")};
  for (const char* scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:bf16/f32"})
    list.push_back(contender(scheme));
  for (const Contender& one : split_contenders()) list.push_back(one);
  for (const Contender& one : list) {
    options.progress(products ? 0.75 : 0.25, one.name + (products ? ", with products" : ""));
    const Trips trips = lab.trips(trial_of(one, n), counts, products);
    if (!trips.reason.empty()) {
      figure.missing = trips.reason;
      continue;
    }
    Curve curve = numbered_curve(one.name, figure.curves.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      curve.points.push_back({static_cast<double>(counts[i]), trips.errors[i], trips.recipe});
    figure.curves.push_back(std::move(curve));
  }
  figure.sentence = growth_text(figure, products);
  return figure;
}

}  // namespace

std::vector<Figure> study_chains(Lab& lab, const StudyOptions& options) {
  return {chains_figure(lab, options, false), chains_figure(lab, options, true)};
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/split_trials.h"

#include <algorithm>
#include <string_view>

namespace ulpfft_tool {

Contender contender(const std::string& scheme) { return {scheme, scheme}; }

Contender stored_contender(const std::string& format) { return {format + " storage", "", 4, format}; }

std::vector<Contender> split_contenders() {
  std::vector<Contender> list;
  for (const ulpfft_scheme& scheme : ulpfft::schemes()) {
    if (scheme.kind == std::string_view("split")) list.push_back({scheme.name, scheme.name, 4, scheme.carrier});
  }
  return list;
}

Trial trial_of(const Contender& contender, std::int64_t n) {
  Trial trial;
  trial.n = n;
  trial.storage = contender.storage;
  trial.scheme = contender.scheme;
  trial.node = split_node(n, contender.radix);
  return trial;
}

void add_curve(Figure& figure, Lab& lab, const Contender& contender, const std::vector<Place>& places) {
  Curve curve = numbered_curve(contender.name, figure.curves.size());
  for (const Place& place : places) {
    const Outcome outcome = lab.run(place.trial);
    if (!outcome.reason.empty()) {
      figure.missing = outcome.reason;
      return;
    }
    curve.points.push_back({place.x, outcome.error, outcome.recipe});
  }
  figure.curves.push_back(std::move(curve));
}

void add_lengths(Figure& figure, Lab& lab, const Contender& contender, std::int64_t longest) {
  std::vector<Place> places;
  for (std::int64_t n = 16; n <= longest; n *= 2) places.push_back({static_cast<double>(n), trial_of(contender, n)});
  add_curve(figure, lab, contender, places);
}

std::string values_at(const Figure& figure, double x) {
  std::string text;
  for (const Curve& curve : figure.curves) {
    for (const Point& point : curve.points) {
      if (point.x == x) text += (text.empty() ? "" : ", ") + curve.name + " " + show_value(point.y);
    }
  }
  return text;
}

double spread_of(const Curve& curve) {
  const auto [least, largest] =
      std::minmax_element(curve.points.begin(), curve.points.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  return largest->y / least->y;
}

double ratio_at(const Figure& figure, const std::string& over, const std::string& under, double x) {
  const double below = value_at(figure, under, x);
  return below > 0 ? value_at(figure, over, x) / below : 0;
}

}  // namespace ulpfft_tool

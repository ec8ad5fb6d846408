// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// There and back: as one chain, whose spectrum is never rounded, and by two plans that keep it in the same storage as the data.
#include <algorithm>
#include <cmath>

#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {

std::vector<Figure> study_chain(Lab& lab, const StudyOptions& options) {
  constexpr std::int64_t kMostPoints = 4096;
  const char* const kStorages[] = {"f16", "bf16", "e4m3", "mxfp8_e4m3", "mxint8"};
  const std::int64_t longest = std::min(options.longest, kMostPoints);
  Figure figure{"chain",
                "chain",
                "There and back: one chain, two plans",
                "length n",
                "relative L2 error",
                Scale::kPowers,
                Scale::kLog,
                {},
                {},
                "",
                ""};
  double logs = 0;
  std::size_t count = 0;
  int color = 0;
  for (const char* const storage : kStorages) {
    const std::string name = storage;
    Curve chain{name + ", one chain", color, Stroke::kSolid, -1, false, {}};
    Curve plans{name + ", two plans", color, Stroke::kDashed, -1, true, {}};
    ++color;
    for (std::int64_t n = kShortestStudy; n <= longest; n *= 4) {
      options.progress(0.5, name + " there and back, n = " + std::to_string(n));
      const RoundTrip trip = lab.round_trip(n, storage);
      if (!trip.reason.empty()) {
        figure.missing = trip.reason;
        continue;
      }
      chain.points.push_back({static_cast<double>(n), trip.chain, trip.recipe});
      plans.points.push_back({static_cast<double>(n), trip.plans, ""});
      logs += std::log(trip.plans / trip.chain);
      ++count;
    }
    figure.curves.push_back(std::move(chain));
    figure.curves.push_back(std::move(plans));
  }
  if (count > 0) {
    figure.sentence = "A chain that changes nothing gives back the numbers it was given: its error is that of storing them. Two plans that "
                      "store the spectrum between them err " + number("%.2f", std::exp(logs / static_cast<double>(count))) +
                      " times as much, by the rounding of the spectrum (sqrt 2 would be one of the same size).";
  }
  return {figure};
}

}  // namespace ulpfft_tool

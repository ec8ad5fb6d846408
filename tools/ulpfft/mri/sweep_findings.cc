// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What is said about formats, and whether the rows of a sweep agree.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr double kWellAbove = 3.0;  // dB: half the energy of the error
constexpr double kSame = 0.1;       // dB: what lies closer counts as equal
constexpr double kControl = 84.0;   // dB, of f16
constexpr double kNearControl = 3.0;

// The abstract of arXiv:2512.04317 says both in words; limits in dB are ours.
constexpr const char* kPaperMantissa = "arXiv:2512.04317 (\"mantissa precision is the primary limiter\"); limit by ulpfft";
constexpr const char* kPaperBlocks = "arXiv:2512.04317 (\"larger block sizes resulting in better numerical performance\"); limit by ulpfft";
constexpr const char* kOurs = "ulpfft";

const std::string kE4m3 = "mxfp8_e4m3", kE5m2 = "mxfp8_e5m2", kE2m3 = "mxfp6_e2m3", kE3m2 = "mxfp6_e3m2", kInt8 = "mxint8";

double as_printed(double value) { return std::round(100.0 * value) / 100.0 + 0.0; }  // never -0

struct Range {
  double least = 1e300, most = -1e300;
  void add(double value) { least = std::min(least, value), most = std::max(most, value); }
  bool any() const { return least <= most; }
  double largest() const { return std::max(std::abs(least), std::abs(most)); }
  std::string text() const {
    const std::string low = show_rounded("%.2f", as_printed(least)), high = show_rounded("%.2f", as_printed(most));
    return (low == high ? low : low + " to " + high) + " dB";
  }
};

// Mean PSNR in the arithmetic of a format at the size shown; nothing where it was not planned, or where no slice has an error.
std::optional<double> psnr_of(const Sweep& sweep, const std::string& format, bool round_trip, int block = 0, const std::string& rule = "") {
  const SweepRow* row = sweep.find(format, true, round_trip, sweep.shown_size, block, rule);
  return row == nullptr || !std::isfinite(row->psnr_slices.mean) ? std::nullopt : std::optional(row->psnr_slices.mean);
}

// Adds that of `format` less that of `other`, for both directions and each block length, by one rule.
void add_difference(Range& range, const Sweep& sweep, const std::string& format, const std::string& other, const std::string& rule) {
  for (const bool round_trip : {false, true}) {
    for (const int block : kSweepBlocks) {
      const auto mine = psnr_of(sweep, format, round_trip, block, rule), its = psnr_of(sweep, other, round_trip, block, rule);
      if (mine && its) range.add(*mine - *its);
    }
  }
}

// Blocks from the shortest to the longest, one way: "45.5, 46.1, 46.7".
std::string along_blocks(const Sweep& sweep, const std::string& format, const std::string& rule) {
  std::string text;
  for (const int block : kSweepBlocks) {
    const auto value = psnr_of(sweep, format, false, block, rule);
    if (value) text += (text.empty() ? "" : ", ") + show_rounded("%.2f", *value);
  }
  return text;
}

// The same of several formats: "e4m3 45.5, 46.1, 46.7; ...".
template <typename Formats>
std::string along_blocks_of(const Sweep& sweep, const Formats& formats, const std::string& rule) {
  std::string text;
  for (const std::string& format : formats) {
    const std::string along = along_blocks(sweep, format, rule);
    if (!along.empty()) text += (text.empty() ? "" : "; ") + format.substr(format.find('_') + 1) + " " + along;
  }
  return text;
}

void add_mantissa(std::vector<Finding>& list, const Sweep& sweep) {
  for (const char* rule : {"rceil", "floor"}) {
    Range range;
    for (const std::string& three : {kE4m3, kE2m3}) {
      for (const std::string& two : {kE5m2, kE3m2}) add_difference(range, sweep, three, two, rule);
    }
    if (!range.any()) continue;
    list.push_back({std::string("With ") + rule + ", three mantissa bits (E4M3, E2M3) are well above two (E5M2, E3M2).", kPaperMantissa, "smallest difference",
                    as_printed(range.least), Finding::Limit::kAtLeast, kWellAbove,
                    "Differences over blocks and directions are " + range.text() + "."});
  }
}

void add_exponent(std::vector<Finding>& list, const Sweep& sweep) {
  Range range;
  for (const char* rule : kSweepRules) add_difference(range, sweep, kE5m2, kE3m2, rule);
  if (!range.any()) return;
  list.push_back({"E5M2 equals E3M2: where each block has a scale, bits of the exponent do not count.", kOurs, "largest difference", as_printed(range.largest()),
                  Finding::Limit::kAtMost, kSame, "E5M2 minus E3M2 is " + range.text() + "."});
}

void add_integers(std::vector<Finding>& list, const Sweep& sweep) {
  Range range;
  for (const std::string& other : {kE4m3, kE2m3, kE5m2, kE3m2, std::string("mxfp4_e2m1")}) {
    for (const char* rule : kSweepRules) add_difference(range, sweep, kInt8, other, rule);
  }
  if (!range.any()) return;
  list.push_back({"MXINT8 is above every other MX format.", kOurs, "smallest difference", as_printed(range.least), Finding::Limit::kAtLeast, kSame,
                  "Differences over formats, rules, blocks and directions are " + range.text() + "."});
}

void add_control(std::vector<Finding>& list, const Sweep& sweep) {
  const auto once = psnr_of(sweep, "f16", false), there_and_back = psnr_of(sweep, "f16", true);
  if (!once || !there_and_back) return;
  const std::string control = show_rounded("%.0f dB", kControl);
  list.push_back({"The f16 control is near " + control + " after a round trip.", kOurs, "distance from " + control,
                  as_printed(std::abs(*there_and_back - kControl)), Finding::Limit::kAtMost, kNearControl,
                  "f16 has " + show_rounded("%.2f", *there_and_back) + " dB after a round trip and " + show_rounded("%.2f", *once) + " dB one way."});
}

void add_longer_blocks(std::vector<Finding>& list, const Sweep& sweep) {
  const std::array formats = {kE4m3, kE2m3, kE5m2, kE3m2};
  Range gains;
  for (const std::string& format : formats) {
    for (const bool round_trip : {false, true}) {
      std::optional<double> before;
      for (const int block : kSweepBlocks) {
        const auto value = psnr_of(sweep, format, round_trip, block, "floor");
        if (value && before) gains.add(*value - *before);
        before = value;
      }
    }
  }
  if (!gains.any()) return;
  const std::string integers = along_blocks(sweep, kInt8, "floor");
  list.push_back({"With floor, longer blocks are better for floating-point formats.", kPaperBlocks, "smallest gain from one block length to the next",
                  as_printed(gains.least), Finding::Limit::kAtLeast, kSame,
                  "PSNR of blocks of 2, 8, 32, one way, in dB: " + along_blocks_of(sweep, formats, "floor") + "." +
                      (integers.empty() ? "" : " MXINT8, which hardly clips: " + integers + ".")});
}

void add_rceil(std::vector<Finding>& list, const Sweep& sweep) {
  const std::array formats = {kE4m3, kE5m2};
  Range spreads;
  for (const std::string& format : formats) {
    for (const bool round_trip : {false, true}) {
      Range range;
      for (const int block : kSweepBlocks) {
        if (const auto value = psnr_of(sweep, format, round_trip, block, "rceil")) range.add(*value);
      }
      if (range.any()) spreads.add(range.most - range.least);
    }
  }
  if (!spreads.any()) return;
  list.push_back({"With rceil, E4M3 and E5M2 do not depend on the block length.", kOurs, "largest change over block lengths", as_printed(spreads.most),
                  Finding::Limit::kAtMost, kSame, "PSNR of blocks of 2, 8, 32, one way, in dB: " + along_blocks_of(sweep, formats, "rceil") + "."});
}

}  // namespace

std::string Finding::verdict() const {
  return "The " + quantity + " is " + show_rounded("%.2f", value) + " dB; the claim holds " + (limit == Limit::kAtLeast ? "from " : "up to ") +
         show_rounded("%.2f", threshold) + " dB" + (limit == Limit::kAtLeast ? " on." : ".");
}

std::vector<Finding> findings(const Sweep& sweep) {
  std::vector<Finding> list;
  for (const auto add : {add_mantissa, add_exponent, add_integers, add_control, add_longer_blocks, add_rceil}) add(list, sweep);
  return list;
}

}  // namespace ulpfft_tool

// What a sweep shows, in sentences, as a table, CSV and JSON.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kWellAbove = 3.0;  // dB: half the energy of the error
constexpr double kEqual = 0.1;      // dB
constexpr double kControl = 84.0;   // dB, of f16
constexpr double kNearControl = 3.0;

struct Range {
  double least = 1e300, most = -1e300;
  void add(double value) { least = std::min(least, value), most = std::max(most, value); }
  bool any() const { return least <= most; }
  std::string text(const char* pattern = "%.1f") const {
    const std::string low = show_rounded(pattern, least), high = show_rounded(pattern, most);
    return (low == high ? low : low + " to " + high) + " dB";
  }
};

// Mean PSNR in the arithmetic of a block format at the size shown.
std::optional<double> psnr_of(const Sweep& sweep, const std::string& format, bool round_trip, int block = 0, const std::string& rule = "") {
  const SweepRow* row = sweep.find(format, true, round_trip, sweep.shown_size, block, rule);
  return row == nullptr ? std::nullopt : std::optional(row->psnr_slices.mean);
}

// Of `format` less that of `other`, for both directions and each block length, by one rule; nothing where a format is not in this build.
Range difference(const Sweep& sweep, const std::string& format, const std::string& other, const std::string& rule) {
  Range range;
  for (const bool round_trip : {false, true}) {
    for (const int block : kSweepBlocks) {
      const auto mine = psnr_of(sweep, format, round_trip, block, rule), its = psnr_of(sweep, other, round_trip, block, rule);
      if (mine && its) range.add(*mine - *its);
    }
  }
  return range;
}

Range join(const Range& a, const Range& b) { return {std::min(a.least, b.least), std::max(a.most, b.most)}; }

// "45.5 to 46.7", of blocks from the shortest to the longest.
std::string along_blocks(const Sweep& sweep, const std::string& format, bool round_trip, const std::string& rule) {
  std::string text;
  for (const int block : kSweepBlocks) {
    const auto value = psnr_of(sweep, format, round_trip, block, rule);
    if (value) text += (text.empty() ? "" : ", ") + show_rounded("%.1f", *value);
  }
  return text;
}

}  // namespace

std::vector<Finding> findings(const Sweep& sweep) {
  const std::string e4m3 = "mxfp8_e4m3", e5m2 = "mxfp8_e5m2", e2m3 = "mxfp6_e2m3", e3m2 = "mxfp6_e3m2", int8 = "mxint8";
  std::vector<Finding> list;
  Range wide_rceil, wide_floor, above;
  for (const std::string& three : {e4m3, e2m3}) {
    for (const std::string& two : {e5m2, e3m2}) {
      wide_rceil = join(wide_rceil, difference(sweep, three, two, "rceil"));
      wide_floor = join(wide_floor, difference(sweep, three, two, "floor"));
    }
  }
  if (wide_rceil.any()) {
    list.push_back({wide_rceil.least >= kWellAbove && wide_floor.least > 0.0,
                    "Three mantissa bits are well above two: E4M3 and E2M3 against E5M2 and E3M2.",
                    "By " + wide_rceil.text() + " with rceil, by " + wide_floor.text() + " with floor, which clips."});
  }
  const Range same = join(difference(sweep, e5m2, e3m2, "rceil"), difference(sweep, e5m2, e3m2, "floor"));
  if (same.any()) {
    const double most = std::max(std::abs(same.least), std::abs(same.most));
    list.push_back({most <= kEqual, "E5M2 equals E3M2: with a scale for every block the mantissa counts, not the exponent.",
                    "They differ by " + show_rounded("%.3f", most) + " dB at most."});
  }
  for (const std::string& other : {e4m3, e2m3, e5m2, e3m2, std::string("mxfp4_e2m1")}) {
    for (const char* rule : kSweepRules) above = join(above, difference(sweep, int8, other, rule));
  }
  if (above.any()) list.push_back({above.least > 0.0, "MXINT8 is above every other MX format.", "By " + above.text() + "."});
  const auto once = psnr_of(sweep, "f16", false), there_and_back = psnr_of(sweep, "f16", true);
  if (once && there_and_back) {
    list.push_back({std::abs(*there_and_back - kControl) <= kNearControl,
                    "The f16 control is near " + show_rounded("%.0f", kControl) + " dB, forth and back.",
                    show_rounded("%.1f", *there_and_back) + " dB; " + show_rounded("%.1f", *once) + " dB one way."});
  }
  bool falls = true, any = false;
  std::string numbers;
  for (const std::string& format : {e4m3, e2m3, e5m2, e3m2}) {
    for (const bool round_trip : {false, true}) {
      std::optional<double> before;
      for (const int block : kSweepBlocks) {
        const auto value = psnr_of(sweep, format, round_trip, block, "floor");
        if (!value) continue;
        any = true;
        falls = falls && (!before || *value > *before);
        before = value;
      }
    }
    const std::string along = along_blocks(sweep, format, false, "floor");
    if (!along.empty()) numbers += (numbers.empty() ? "" : "; ") + std::string(format).substr(6) + " " + along;
  }
  if (any) {
    const std::string integers = along_blocks(sweep, int8, false, "floor");
    list.push_back({falls, "With floor, the error of the floating-point formats falls with longer blocks.",
                    "Blocks of 2, 8, 32, one way, dB: " + numbers +
                        (integers.empty() ? "" : ". That of MXINT8, which hardly clips, does not: " + integers) + "."});
  }
  double most = 0.0;
  numbers.clear();
  for (const std::string& format : {e4m3, e5m2}) {
    for (const bool round_trip : {false, true}) {
      Range range;
      for (const int block : kSweepBlocks) {
        if (const auto value = psnr_of(sweep, format, round_trip, block, "rceil")) range.add(*value);
      }
      if (!range.any()) continue;
      most = std::max(most, range.most - range.least);
      if (!round_trip)
        numbers += (numbers.empty() ? "" : "; ") + std::string(format).substr(6) + " " + along_blocks(sweep, format, false, "rceil");
    }
  }
  if (!numbers.empty()) {
    list.push_back({most <= kEqual, "With rceil, E4M3 and E5M2 do not depend on the block length.",
                    "They vary by " + show_rounded("%.3f", most) + " dB at most; blocks of 2, 8, 32, one way, dB: " + numbers + "."});
  }
  return list;
}

std::string sweep_text(const Sweep& sweep) {
  std::string text = "At " + show_sides(sweep.shown_size, sweep.shown_size) + ", in the arithmetic of a format:\n";
  for (const Finding& one : findings(sweep))
    text += std::string(one.holds ? "  holds   " : "  does not hold   ") + one.claim + "\n          " + one.numbers + "\n";
  Table table({"format", "block", "rule", ">bytes a sample", ">arithmetic", ">round trip", ">storage", ">round trip"});
  const auto show = [&](const SweepRow& of, bool arithmetic, bool round_trip) {
    const SweepRow* row = sweep.find(of.format, arithmetic, round_trip, of.size, of.block, of.rule);
    return row == nullptr ? std::string("-") : show_rounded("%.2f", row->psnr_slices.mean);
  };
  for (const SweepRow& row : sweep.rows) {
    if (row.arithmetic || row.round_trip || row.size != sweep.shown_size) continue;
    table.add({row.format, row.block == 0 ? "-" : std::to_string(row.block), row.block == 0 ? "-" : row.rule,
               show_rounded("%.4g", row.bytes), show(row, true, false), show(row, true, true), show(row, false, false),
               show(row, false, true)});
  }
  return text + "\nPSNR, dB, mean of the slices:\n" + table.text("  ");
}

std::string sweep_csv(const Sweep& sweep) {
  std::string text =
      "format,way,direction,size,block,rule,storage,scheme,bytes_per_sample,slices,nmse,psnr_db,ssim,kspace_snr_db,psnr_mean_db,psnr_"
      "deviation_db,ssim_mean,"
      "ssim_deviation,saturated,refused\n";
  for (const SweepRow& row : sweep.rows) {
    text += row.format + (row.arithmetic ? ",arithmetic," : ",storage,") + (row.round_trip ? "round trip," : "forward,") +
            std::to_string(row.size) + "," + (row.block == 0 ? "" : std::to_string(row.block)) + "," + row.rule + "," + row.storage + "," +
            row.scheme + "," + show_number(row.bytes) + "," + std::to_string(sweep.selection.count);
    if (!row.refused.empty()) {
      std::string why = row.refused;
      for (std::size_t at = 0; (at = why.find('"', at)) != why.npos; at += 2) why.insert(at, 1, '"');
      text += ",,,,,,,,,,\"" + why + "\"\n";
      continue;
    }
    for (const double value : {row.nmse, row.psnr, row.ssim, row.kspace_snr, row.psnr_slices.mean, row.psnr_slices.deviation,
                               row.ssim_slices.mean, row.ssim_slices.deviation}) {
      text += "," + (std::isfinite(value) ? show_number(value) : std::string(std::isnan(value) ? "nan" : "inf"));
    }
    text += "," + std::to_string(row.saturated) + ",\n";
  }
  return text;
}

std::string sweep_json(const Sweep& sweep, const std::string& path) {
  Json rows = Json::array(), found = Json::array();
  for (const SweepRow& row : sweep.rows) {
    Json one = {{"format", row.format},
                {"way", row.arithmetic ? "arithmetic" : "storage"},
                {"direction", row.round_trip ? "round trip" : "forward"},
                {"size", row.size},
                {"block", row.block == 0 ? Json(nullptr) : Json(row.block)},
                {"rule", row.block == 0 ? Json(nullptr) : Json(row.rule)},
                {"storage", row.storage},
                {"scheme", row.scheme.empty() ? Json(nullptr) : Json(row.scheme)},
                {"bytes_per_sample", row.bytes}};
    if (!row.refused.empty()) {
      one["refused"] = row.refused;
    } else {
      one.update({{"nmse", row.nmse},
                  {"psnr_db", row.psnr},
                  {"ssim", row.ssim},
                  {"kspace_snr_db", row.kspace_snr},
                  {"psnr_mean_db", row.psnr_slices.mean},
                  {"psnr_deviation_db", row.psnr_slices.deviation},
                  {"ssim_mean", row.ssim_slices.mean},
                  {"ssim_deviation", row.ssim_slices.deviation},
                  {"saturated", row.saturated}});
    }
    rows.push_back(std::move(one));
  }
  for (const Finding& one : findings(sweep)) found.push_back({{"claim", one.claim}, {"holds", one.holds}, {"numbers", one.numbers}});
  const SeriesFacts& facts = sweep.facts;
  const Json whole = {
      {"file", path},
      {"kind", facts.kind},
      {"shape", {{"repetitions", facts.repetitions}, {"slices", facts.slices}, {"coils", facts.coils}, {"ny", facts.ny}, {"nx", facts.nx}}},
      {"notes", facts.notes},
      {"repetition", sweep.selection.repetition},
      {"first_slice", sweep.selection.first},
      {"slices", sweep.selection.count},
      {"sizes", sweep.sizes},
      {"size_of_findings", sweep.shown_size},
      {"findings", found},
      {"rows", rows}};
  return whole.dump(2) + "\n";
}

}  // namespace ulpfft_tool

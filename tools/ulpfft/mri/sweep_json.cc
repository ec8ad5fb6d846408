// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a sweep shows, as JSON.
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/ulpfft/mri/sweep.h"

namespace ulpfft_tool {

using Json = nlohmann::ordered_json;

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
  for (const Finding& one : findings(sweep)) {
    found.push_back({{"claim", one.claim},
                     {"source", one.source},
                     {"holds", one.holds()},
                     {"quantity", one.quantity},
                     {"value_db", one.value},
                     {"limit", one.limit == Finding::Limit::kAtLeast ? "at least" : "at most"},
                     {"threshold_db", one.threshold},
                     {"numbers", one.numbers}});
  }
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

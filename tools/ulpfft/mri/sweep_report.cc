// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a sweep shows, as text and CSV.
#include <cmath>

#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {

std::string sweep_text(const Sweep& sweep) {
  std::string text = "At " + show_sides(sweep.shown_size, sweep.shown_size) + ", in the arithmetic of a format:\n";
  for (const Finding& one : findings(sweep))
    text += std::string(one.holds() ? "  holds          " : "  does not hold  ") + one.claim + "\n                 " + one.verdict() + " Claim: " + one.source +
            ".\n                 " + one.numbers + "\n";
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

}  // namespace ulpfft_tool

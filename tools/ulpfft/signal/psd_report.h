// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What `ulpfft psd` found, and how it is told: text, JSON, CSV, lines of rtl_power, a page.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_PSD_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_PSD_REPORT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/signal/spectrum.h"
#include "tools/ulpfft/signal/waterfall.h"

namespace ulpfft_tool::signals {

struct PsdReport {
  SourceFacts source;
  PsdSettings settings;
  SpectrumAxis axis;
  std::int64_t samples = 0;
  RowCount count;
  std::vector<double> powers;  // over the baseline, where there is one
  bool baseline = false;
  double floor = 0;  // median of the powers
  std::vector<Peak> peaks;
  std::string said_at_end;  // of the source
  double seconds = 0, plan_seconds = 0;
  std::uint64_t stream_bytes = 0;
  double rounding_floor = 0;  // power in a bin beside a tone at full scale, predicted

  double duration() const { return static_cast<double>(samples) / settings.rate.value_or(1); }
  std::string unit() const { return decibel_unit(settings, baseline); }
  std::string column(bool in_decibels) const;  // name of the powers in CSV: parts of the power of a complex tone at full scale, or dB of it
};

std::string psd_text(const PsdReport& report);
std::string psd_json(const PsdReport& report);
// A heading, and a line for every bin; in decibels or as powers.
std::string psd_csv(const PsdReport& report, bool in_decibels);
// A page of its own; `waterfall` may be empty.
std::string psd_page(const PsdReport& report, const Waterfall& waterfall);

// "2026-11-21, 12:00:00, 99000000, 101000000, 586, 2400000, -71.2, ...": date and time of the first sample, in UTC; lowest and
// highest frequency, width of a bin, samples, decibels of each bin.
std::string rtl_power_line(double begin, const SpectrumAxis& axis, std::int64_t samples, std::span<const double> powers);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_PSD_REPORT_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/psd_report.h"

#include <cmath>
#include <ctime>

#include "tools/ulpfft/json_object.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::signals {
namespace {

// Powers are not a number where samples are not finite.
std::string level(double power) {
  if (std::isnan(power)) return "undefined";
  return power > 0 ? show_rounded("%.2f", decibels(power)) : "-inf";
}

std::string of_source(const PsdReport& report) {
  const SourceFacts& source = report.source;
  const Unit time = time_unit(report.duration(), report.axis.has_rate);
  std::string text = (source.path == "-" ? "standard input" : source.path) + ": " +
                     show_count(static_cast<double>(report.samples)) +
                     (source.type.is_complex ? " complex samples, " : " samples, ") + source.type.name;
  if (!source.container.empty()) text += " in " + source.container;
  if (!report.axis.has_rate) return text + ", no --rate: frequencies in cycles per sample";
  text += ", " + show_rounded("%.4g", report.duration() / time.size) + " " + time.name + " at " +
          show_frequency(*report.settings.rate, true);
  if (report.settings.center != 0) text += " around " + show_frequency(report.settings.center, true);
  return text;
}

std::string of_rows(const PsdReport& report) {
  const PsdSettings& settings = report.settings;
  const double width = report.axis.step * settings.window.noise_bins();
  return show_count(static_cast<double>(report.count.rows)) + " of " + show_count(static_cast<double>(settings.length)) +
         " samples, " + show_count(static_cast<double>(settings.hop)) + " from row to row, " + settings.window.name + ", " +
         settings.averaging.name + "; bins " + show_frequency(report.axis.step, report.axis.has_rate) +
         " apart, noise bandwidth " + show_frequency(width, report.axis.has_rate);
}

std::string left_out(const PsdReport& report) {
  if (report.count.left_over == 0 && report.count.between == 0) return "none";
  std::string text = show_count(static_cast<double>(report.count.left_over)) + " at the end, which fill no row";
  if (report.count.between > 0) text += ", " + show_count(static_cast<double>(report.count.between)) + " between rows";
  return text;
}

}  // namespace

std::string PsdReport::column(bool in_decibels) const {
  if (baseline) return in_decibels ? "db_over_baseline" : "power_over_baseline";
  const std::string column = in_decibels ? "dbfs" : "power";
  if (!settings.density) return column;
  return column + (settings.rate ? "_per_hz" : "_per_cycle_per_sample");
}

std::string psd_text(const PsdReport& report) {
  std::string text = of_source(report) + "\n  rows       " + of_rows(report) + "\n  floor      " + level(report.floor) + " " +
                     report.unit() + ", the median of " + show_count(static_cast<double>(report.axis.bins)) + " bins\n";
  bool first = true;
  for (const Peak& peak : report.peaks) {
    text += first ? "  peaks      " : "             ";
    text += show_frequency(peak.frequency, report.axis.has_rate, report.axis.step / 10) + "  " + level(peak.power) + " " +
            report.unit() + ", " + show_rounded("%.1f", decibels(peak.over_floor)) + " dB over the floor\n";
    first = false;
  }
  if (report.peaks.empty()) text += "  peaks      none 10 dB over the floor\n";
  if (!report.baseline) {
    text += "  rounding   " + level(report.rounding_floor) + " " + report.unit() +
            " in a bin beside a tone at full scale, predicted\n";
  }
  return text + "  left out   " + left_out(report) + "\n";
}

std::string psd_json(const PsdReport& report) {
  const SourceFacts& source = report.source;
  JsonObject json;
  json.add("input", source.path)
      .add("type", source.type.name)
      .add("container", source.container.empty() ? "raw" : source.container);
  json.add("samples", report.samples)
      .add("rows", report.count.rows)
      .add("left_over", report.count.left_over)
      .add("between_rows", report.count.between);
  report.settings.rate ? json.add("rate", *report.settings.rate) : json.add_null("rate");
  json.add("center", report.settings.center).add("length", report.settings.length).add("hop", report.settings.hop);
  json.add("window", report.settings.window.name).add("average", report.settings.averaging.name);
  json.add("scaling", report.settings.density ? "density" : "spectrum").add("noise_bins", report.settings.window.noise_bins());
  json.add("first_frequency", report.axis.first)
      .add("step", report.axis.step)
      .add("bins", static_cast<std::int64_t>(report.axis.bins));
  json.add("unit", report.unit()).add("floor_db", decibels(report.floor));
  json.add("rounding_floor_db", decibels(report.rounding_floor));
  json.add("peaks", static_cast<std::int64_t>(report.peaks.size()));
  for (std::size_t i = 0; i < report.peaks.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    json.add("peak_" + number + "_frequency", report.peaks[i].frequency)
        .add("peak_" + number + "_db", decibels(report.peaks[i].power));
  }
  json.add("said_at_end", report.said_at_end).add("stream_bytes", static_cast<std::int64_t>(report.stream_bytes));
  return json.add("plan_seconds", report.plan_seconds).add("seconds", report.seconds).text();
}

std::string psd_csv(const PsdReport& report, bool in_decibels) {
  std::string text = std::string("frequency_") + (report.axis.has_rate ? "hz" : "cycles_per_sample") + "," +
                     report.column(in_decibels) + "\n";
  for (std::size_t k = 0; k < report.powers.size(); ++k) {
    text += show_number(report.axis.at(static_cast<double>(k))) + ",";
    text += (in_decibels ? show_rounded("%.4f", decibels(report.powers[k])) : show_rounded("%.9g", report.powers[k])) + "\n";
  }
  return text;
}

std::string rtl_power_line(double begin, const SpectrumAxis& axis, std::int64_t samples, std::span<const double> powers) {
  const auto second = static_cast<std::time_t>(std::floor(begin));
  std::tm parts{};
  gmtime_r(&second, &parts);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%d, %H:%M:%S", &parts);
  std::string line = std::string(time) + ", " + show_rounded("%.0f", axis.at(0)) + ", " +
                     show_rounded("%.0f", axis.at(static_cast<double>(axis.bins))) + ", " + show_rounded("%.2f", axis.step) +
                     ", " + std::to_string(samples);
  for (const double power : powers) line += ", " + (std::isnan(power) ? "nan" : level(power));
  return line + "\n";
}

}  // namespace ulpfft_tool::signals

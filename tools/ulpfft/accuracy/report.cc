#include "tools/ulpfft/accuracy/report.h"

#include <algorithm>
#include <cmath>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// Told apart by colour (Okabe and Ito) and by shape.
constexpr const char* kOursColor = "#0072b2";
constexpr const char* kOthersColor = "#009e73";
constexpr const char* kPeerColor = "#d55e00";

std::string at(double value) { return number("%.1f", value); }

std::string words(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + text + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* color, const char* more = "") {
  return "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) + "\" stroke=\"" + color + "\"" + more + "/>\n";
}

std::string power_of_two(double exponent) { return "2<tspan dy=\"-5\" font-size=\"9.5\">" + number("%g", exponent) + "</tspan>"; }

enum class Mark { kCircle, kDiamond, kSquare };

std::string mark(Mark kind, double x, double y, const std::string& hint) {
  const std::string title = hint.empty() ? "" : "<title>" + escape(hint) + "</title>";
  switch (kind) {
    case Mark::kCircle: return "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"3.6\" fill=\"" + kOursColor + "\">" + title + "</circle>\n";
    case Mark::kDiamond:
      return "<polygon points=\"" + at(x) + "," + at(y - 4.8) + " " + at(x + 4.8) + "," + at(y) + " " + at(x) + "," + at(y + 4.8) + " " + at(x - 4.8) + "," +
             at(y) + "\" fill=\"" + kOthersColor + "\">" + title + "</polygon>\n";
    case Mark::kSquare: break;
  }
  return "<rect x=\"" + at(x - 3) + "\" y=\"" + at(y - 3) + "\" width=\"6\" height=\"6\" fill=\"none\" stroke-width=\"1.4\" stroke=\"" +
         std::string(kPeerColor) + "\">" + title + "</rect>\n";
}

// k over n for one format.
std::string plot(const AccuracyReport& report, const std::string& format) {
  constexpr double kWidth = 560, kLeft = 52, kRight = 92, kTop = 74, kArea = 260, kBottom = kTop + kArea, kHeight = kBottom + 48;
  double low = 1e9, high = 0, largest = 1.1;
  bool others = false;
  for (const AccuracyRow& row : report.rows) {
    if (row.format != format || !row.reason.empty() || row.n == 1) continue;
    low = std::min(low, std::log2(static_cast<double>(row.n)));
    high = std::max(high, std::log2(static_cast<double>(row.n)));
    if (std::isfinite(row.k)) largest = std::max(largest, row.k);
    others = others || !row.smooth;
    largest = std::max(largest, 1.1 * row.gate);
  }
  if (low > high) return "";
  low = std::floor(low - 0.3);
  high = std::ceil(high + 0.3);
  const double step = largest <= 3 ? 0.5 : std::pow(10, std::floor(std::log10(largest)));
  const double top_value = std::ceil(largest / step) * step;
  const auto x_of = [&](double n) { return kLeft + (std::log2(n) - low) / (high - low) * (kWidth - kLeft - kRight); };
  const auto y_of = [&](double k) { return kBottom - std::min(k, top_value) / top_value * kArea; };

  std::string svg = "<svg viewBox=\"0 0 " + at(kWidth) + " " + at(kHeight) + "\" role=\"img\" aria-label=\"" + format +
                    " error\" font-size=\"13\" fill=\"#333\">\n" +
                    words(kLeft, 18, "start", format + ": u = " + power_of_two(format == "f32" ? -24 : -53),
                          " font-weight=\"600\" font-size=\"14\"");
  double legend = kLeft + 6;
  const auto entry = [&](Mark kind, const std::string& text) {
    svg += mark(kind, legend, 44, "") + words(legend + 10, 48, "start", text);
    legend += 34 + 7.0 * static_cast<double>(text.size());
  };
  entry(Mark::kCircle, "ulpfft");
  if (others) entry(Mark::kDiamond, "ulpfft, a prime above 13");
  if (!report.peer.empty()) entry(Mark::kSquare, "FFTW, estimate");
  for (double tick = 0; tick <= top_value * 1.0001; tick += step) {
    svg += line(kLeft, y_of(tick), kWidth - kRight, y_of(tick), "#e4e4de") + words(kLeft - 8, y_of(tick) + 4.5, "end", number("%g", tick));
  }
  const double ticks = std::max(1.0, std::ceil((high - low) / 9));
  for (double tick = low; tick <= high + 0.001; tick += ticks) {
    const double x = x_of(std::exp2(tick));
    svg += line(x, kBottom, x, kBottom + 5, "#777") + words(x, kBottom + 20, "middle", power_of_two(tick));
  }
  for (const bool smooth : {true, false}) {
    const auto row = std::find_if(report.rows.begin(), report.rows.end(), [smooth](const AccuracyRow& r) { return r.smooth == smooth; });
    if (row == report.rows.end()) continue;
    svg += line(kLeft, y_of(row->gate), kWidth - kRight, y_of(row->gate), smooth ? kOursColor : kOthersColor, " stroke-dasharray=\"6 4\" stroke-width=\"1.4\"") +
           words(kWidth - kRight + 6, y_of(row->gate) + 4.5, "start", smooth ? "gate, smooth" : "gate, others", " font-size=\"12\"");
  }
  svg += line(kLeft, kBottom, kWidth - kRight, kBottom, "#777") + line(kLeft, kTop, kLeft, kBottom, "#777") +
         words((kLeft + kWidth - kRight) / 2, kBottom + 40, "middle", "n, points of a transform") + "<text transform=\"translate(15 " +
         at((kTop + kBottom) / 2) + ") rotate(-90)\" text-anchor=\"middle\">relative L2 error / (u &#8730;(log&#8322; n))</text>\n";
  for (const AccuracyRow& row : report.rows) {
    if (row.format != format || !row.reason.empty() || row.n == 1) continue;
    const double x = x_of(static_cast<double>(row.n));
    if (row.peer_error > 0) {
      const double k = row.k * row.peer_error / row.error;
      svg += mark(Mark::kSquare, x, y_of(k), "FFTW, " + row.problem + ": " + show_error(row.peer_error) + ", k = " + number("%.2f", k));
    }
    svg += mark(row.smooth ? Mark::kCircle : Mark::kDiamond, x, y_of(std::isfinite(row.k) ? row.k : top_value),
                row.problem + ": " + show_error(row.error) + ", k = " + number("%.2f", row.k) + ", " + row.recipe);
  }
  return svg + "</svg>\n";
}

std::string table(const std::vector<AccuracyRow>& rows, bool with_peer) {
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th class=\"text\">problem</th><th>error</th><th>largest</th><th>k</th><th>gate</th><th>outputs</th>" +
      std::string(with_peer ? "<th>FFTW</th><th>ours / FFTW</th>" : "") + "<th class=\"text\">recipe</th></tr></thead><tbody>\n";
  for (const AccuracyRow& row : rows) {
    text += "<tr>" + cell("<code>" + escape(row.problem) + "</code>", "text");
    if (!row.reason.empty()) {
      text += "<td class=\"wide\" colspan=\"" + std::string(with_peer ? "8" : "6") + "\">not measured: " + escape(row.reason) + "</td></tr>\n";
      continue;
    }
    text += cell(show_error(row.error)) + cell(show_error(row.largest)) + cell(number("%.2f", row.k), row.passes() ? "" : "above") + cell(number("%.1f", row.gate)) +
            cell(std::to_string(row.outputs) + (row.full ? "" : " sampled"));
    if (with_peer) text += row.peer_error > 0 ? cell(show_error(row.peer_error)) + cell(number("%.2f", row.error / row.peer_error)) : cell("-") + cell("-");
    text += cell("<code>" + escape(row.recipe) + "</code>", "text") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::size_t AccuracyReport::failures() const {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const AccuracyRow& row) { return !row.passes(); }));
}

std::vector<PeerRatio> peer_ratios(const std::vector<AccuracyRow>& rows) {
  std::vector<PeerRatio> list;
  for (const char* format : {"f32", "f64"}) {
    PeerRatio ratio{format};
    double sum = 0;
    int count = 0;
    for (const AccuracyRow& row : rows) {
      const bool power = (row.n & (row.n - 1)) == 0;
      if (row.format != format || !power || !(row.peer_error > 0) || !(row.error > 0)) continue;
      const double r = row.error / row.peer_error;
      sum += std::log(r);
      ++count;
      if (r > ratio.largest) ratio.largest = r, ratio.at = row.n;
    }
    if (count == 0) continue;
    ratio.mean = std::exp(sum / count);
    list.push_back(ratio);
  }
  return list;
}

std::string accuracy_page(const AccuracyReport& report) {
  const std::size_t failures = report.failures();
  std::string page =
      html_begin("ulpfft accuracy", "ulpfft accuracy", kReportStyle) + "<p>" +
      escape(report.processor + ", " + report.machine + "; " + report.date + "; ulpfft " + report.version + (report.peer.empty() ? "" : " beside " + report.peer)) +
      ".</p>\n<p>Relative L2 error against the exact transform of the same numbers, complex normal data, rounding of the output included; k is that error "
      "over u &radic;(log<sub>2</sub> n). Lengths with a prime factor above 13 have twice the gate of others.</p>\n<p class=\"verdict" +
      std::string(failures > 0 ? " bad" : "") + "\">" +
      (failures > 0 ? std::to_string(failures) + " of " + std::to_string(report.rows.size()) + " above their gate" : "All within their gates") + "</p>\n";
  for (const PeerRatio& ratio : report.ratios) {
    page += "<p>" + ratio.format + ", powers of two: error over that of FFTW, geometric mean " + number("%.2f", ratio.mean) + ", largest " +
            number("%.2f", ratio.largest) + " at n = " + std::to_string(ratio.at) + ".</p>\n";
  }
  const std::string plots = plot(report, "f32") + plot(report, "f64");
  if (!plots.empty()) page += "<div class=\"plots\">\n" + plots + "</div>\n";
  return page + "<h2>Measured</h2>\n" + table(report.rows, !report.peer.empty()) + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

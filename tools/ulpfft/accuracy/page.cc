// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The report as one page: for each study its figures, under each what it shows and its numbers.
#include <algorithm>

#include "tools/ulpfft/accuracy/report.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr std::string_view kStyle = R"(
figure { margin: 0; background: var(--card); border-radius: 6px; padding-bottom: 6px; min-width: 0; }
figcaption { font-size: 14px; padding: 4px 14px 6px; }
figcaption p { margin: 0 0 6px; }
figcaption .missing { color: var(--soft); }
details summary { cursor: pointer; color: var(--soft); font-size: 13px; }
details .scroll { margin: 6px 0 0; } details table { font-size: 12.5px; } details th, details td { padding: 3px 7px; }
nav a { margin-right: 1.1em; }
.empty { padding: 40px 20px; text-align: center; color: var(--soft); }
)";

std::string rows_table(const MeasuredRows& measured) {
  const bool with_peer = !measured.peer.empty();
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th "
      "class=\"text\">problem</th><th>error</th><th>largest</th><th>k</th><th>gate</th><th>outputs</th>" +
      std::string(with_peer ? "<th>FFTW</th><th>ours / FFTW</th>" : "") + "<th class=\"text\">recipe</th></tr></thead><tbody>\n";
  for (const AccuracyRow& row : measured.rows) {
    text += "<tr>" + cell("<code>" + escape(row.problem) + "</code>", "text");
    if (!row.reason.empty()) {
      text +=
          "<td class=\"wide\" colspan=\"" + std::string(with_peer ? "8" : "6") + "\">not measured: " + escape(row.reason) + "</td></tr>\n";
      continue;
    }
    text += cell(show_error(row.error)) + cell(show_error(row.largest)) + cell(number("%.2f", row.k), row.passes() ? "" : "above") +
            cell(number("%.1f", row.gate) + (row.predicted > 0 ? " of predicted" : "")) +
            cell(std::to_string(row.outputs) + (row.full ? "" : " sampled"));
    if (with_peer)
      text +=
          row.peer_error > 0 ? cell(show_error(row.peer_error)) + cell(number("%.2f", row.error / row.peer_error)) : cell("-") + cell("-");
    text += recipe_cell(row.recipe) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string figure_html(const Figure& figure) {
  const std::string picture = figure_svg(figure);
  std::string text = "<figure id=\"" + figure.id + "\">\n" + picture;
  if (picture.empty()) text += "<div class=\"empty\"><b>" + escape(figure.title) + "</b></div>\n";
  text += "<figcaption>";
  if (!figure.sentence.empty()) text += "<p>" + escape(figure.sentence) + "</p>";
  if (!figure.missing.empty()) text += "<p class=\"missing\">" + escape(figure.missing) + "</p>";
  const std::string table = figure_table(figure);
  if (!table.empty()) text += "<details><summary>Numbers: " + escape(figure.y_name) + "</summary>\n" + table + "</details>";
  return text + "</figcaption></figure>\n";
}

std::string verdict(bool bad, const std::string& text) {
  return "<p class=\"verdict" + std::string(bad ? " bad" : "") + "\">" + escape(text) + "</p>\n";
}

}  // namespace

std::string accuracy_page(const AccuracyReport& report) {
  const std::string peer = report.lengths.peer.empty() ? "" : " beside " + report.lengths.peer;
  std::string page = html_begin("ulpfft accuracy", "ulpfft accuracy", std::string(kReportStyle) + std::string(kStyle)) + "<p>" +
                     escape(report.processor + ", " + report.machine + "; " + report.date + "; ulpfft " + report.version + peer) +
                     ".</p>\n";
  if (!report.lengths.rows.empty()) {
    page += verdict(report.row_failures() > 0,
                    report.row_failures() > 0
                        ? std::to_string(report.row_failures()) + " of " + std::to_string(report.lengths.rows.size()) + " above their gate"
                        : "All " + std::to_string(report.lengths.rows.size()) + " errors within their gates");
  }
  if (!report.golden.cells.empty()) {
    const auto measured =
        std::count_if(report.golden.cells.begin(), report.golden.cells.end(), [](const GoldenCell& cell) { return cell.reason.empty(); });
    page += " " + verdict(report.golden.failures() > 0, report.golden.failures() > 0 ? report.failure_text()
                                                                                     : "All " + std::to_string(measured) +
                                                                                           " golden values measured within their margins");
  }
  const auto figures_of = [&](const char* study) {
    std::vector<const Figure*> list;
    for (const Figure& figure : report.figures) {
      if (figure.study == study) list.push_back(&figure);
    }
    return list;
  };
  page += "<nav>";
  for (const StudyText& study : kStudies) {
    if (!figures_of(study.name).empty()) page += "<a href=\"#" + std::string(study.name) + "\">" + escape(study.heading) + "</a> ";
  }
  page += "</nav>\n";
  for (const StudyText& study : kStudies) {
    const std::vector<const Figure*> figures = figures_of(study.name);
    if (figures.empty()) continue;
    page += "<h2 id=\"" + std::string(study.name) + "\">" + escape(study.heading) + "</h2>\n<p>" + escape(study.about) +
            "</p>\n<p class=\"note\"><code>ulpfft accuracy --study " + study.name + "</code></p>\n<div class=\"plots\">\n";
    for (const Figure* figure : figures) page += figure_html(*figure);
    page += "</div>\n";
    if (study.name == std::string_view("golden")) page += golden_html(report.golden);
  }
  if (!report.lengths.rows.empty()) {
    page +=
        "<h2>Problems measured</h2>\n<p>k is the relative L2 error over u &radic;(log<sub>2</sub> n); lengths with a prime factor above 13 "
        "have twice the gate of others. "
        "Narrow storage, and schemes other than f32 and f64, are held to the error that the library predicts, which counts roundings and "
        "no overflow: k is the error over it.</p>\n" +
        rows_table(report.lengths);
  }
  return page + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

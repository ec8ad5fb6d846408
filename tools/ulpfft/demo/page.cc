// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/demo/page.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr std::string_view kStyle = R"(
main { max-width: 1020px; margin: 0 auto; padding: 40px 28px 56px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 14px; letter-spacing: -0.01em; }
h2 { font-size: 19px; margin: 40px 0 12px; }
p { margin: 0 0 12px; max-width: 52em; }
.verdict { margin: 6px 0 4px; }
.row { display: grid; grid-template-columns: repeat(3, 1fr); gap: 22px; }
figure { margin: 0; }
figure img { width: 100%; display: block; border-radius: 4px; background: #000; }
figcaption { margin-top: 8px; font-size: 14px; line-height: 1.4; color: var(--soft); }
figcaption b { color: var(--ink); }
.number { white-space: nowrap; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin-top: 4px; background: var(--card); border-radius: 6px; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px; border-top: 1px solid var(--grid); }
tr:first-child th, tr:first-child td { border-top: 0; }
thead th { font-weight: 600; border-bottom: 2px solid var(--rule); }
tbody th { font-weight: 400; color: var(--soft); }
thead th:first-child { width: 25%; }
td { font-variant-numeric: tabular-nums; }
code { font: 13.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; overflow-wrap: anywhere; }
small, .note { font-size: 14px; color: var(--soft); }
@media (max-width: 640px) { .row { grid-template-columns: 1fr; } main { padding: 20px 14px 40px; } th, td { padding: 6px 7px; font-size: 14px; } }
)";

// 8.31e-08 as 8.3 x 10^-8.
std::string scientific(double value) {
  if (value == 0.0) return "0";
  const std::string text = number("%.1e", value);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  return "<span class=\"number\">" + text.substr(0, text.find('e')) + " &times; 10<sup>" + (exponent < 0 ? "&minus;" : "") +
         std::to_string(std::abs(exponent)) + "</sup></span>";
}

std::string show(const Timing& timing) {
  return html_time(timing.seconds) + " <small>&plusmn; " + show_percent(timing.spread) + "</small>";
}

// The smallest of 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, ... that is not below `largest`.
float round_white(float largest) {
  for (double decade = 0.1; decade < 1e30; decade *= 10.0) {
    for (const double step : {1.0, 2.0, 3.0, 5.0}) {
      if (step * decade >= static_cast<double>(largest)) return static_cast<float>(step * decade);
    }
  }
  return largest;
}

std::string figure(const Picture& picture, float white, const std::string& title, const std::string& caption) {
  return "<figure><img alt=\"" + title.substr(0, title.find(',')) + "\" src=\"" + data_url(picture, white) +
         "\"><figcaption><b>" + title + "</b>. " + caption + "</figcaption></figure>\n";
}

std::string pictures(const Result& result, float white) {
  const std::string size = std::to_string(result.size);
  return "<div class=\"row\">\n" +
         figure(result.kspace, quantile(result.kspace, 0.9995), "What was measured",
                "k-space of a simulated head: the first of " + std::to_string(result.coils) + " coils, logarithm of the magnitude.") +
         figure(result.image, quantile(result.image, 0.965), "What ulpfft makes of it",
                "All coils transformed and combined, " + size + " &times; " + size + " pixels.") +
         figure(result.difference, white, "Difference from BART, &times; 10<sup>6</sup>",
                "Relative to the brightest pixel: black is 0, white is " + number("%g", white) + ", the largest is " +
                    number("%.2f", result.largest_difference) + ".") +
         "</div>\n";
}

std::string comparison_cell(const Result& result) {
  if (!result.comparison) return "FFTW is not installed";
  return number("%.2f", result.comparison->ratio) + " <small>&plusmn; " + show_percent(result.comparison->spread) + "</small>";
}

std::string comparison_verdict(const std::vector<Result>& results) {
  if (!results.front().comparison) return "FFTW is not installed here, so times are not compared.";
  std::string text = "For the plain transform FFTW takes";
  for (std::size_t i = 0; i < results.size(); ++i) {
    text += std::string(i == 0                    ? " "
                        : i + 1 == results.size() ? " and "
                                                  : ", ") +
            number("%.2f", results[i].comparison->ratio) + " times as long at " + std::to_string(results[i].size);
  }
  const bool noisy =
      std::any_of(results.begin(), results.end(), [](const Result& r) { return r.comparison && r.comparison->is_noisy(); });
  return text + (noisy ? ". The machine was busy meanwhile, so take these times with caution." : ".");
}

std::string table(const std::vector<Result>& results) {
  using Cell = std::function<std::string(const Result&)>;
  const auto time_of = [](Timing Comparison::*which) {
    return [which](const Result& r) { return r.comparison ? show((*r.comparison).*which) : std::string("-"); };
  };
  const std::vector<std::pair<std::string, Cell>> rows = {
      {"Problem", [](const Result& r) { return "<code>" + escape(r.problem) + "</code>"; }},
      {"Recipe chosen", [](const Result& r) { return "<code>" + escape(r.recipe) + "</code>"; }},
      {"Difference from BART, relative L2",
       [](const Result& r) { return scientific(r.error) + " <small>(limit " + scientific(kErrorLimit) + ")</small>"; }},
      {"Error the plan predicts", [](const Result& r) { return scientific(r.predicted_error); }},
      {"Time of the transform above", [](const Result& r) { return show(r.execution); }},
      {"Planning, first time",
       [](const Result& r) {
         return html_time(r.planning_seconds) + " <small>(" + std::to_string(r.timed) + " recipes timed)</small>";
       }},
      {"Planning again, from the wisdom file",
       [](const Result& r) {
         return html_time(r.replanning_seconds) +
                (r.second_from_wisdom ? " <small>(nothing timed)</small>" : " <small>(timed again!)</small>");
       }},
      {"Plain inverse transform: ulpfft", time_of(&Comparison::ulpfft)},
      {"Plain inverse transform: FFTW", time_of(&Comparison::fftw)},
      {"FFTW&rsquo;s time over ulpfft&rsquo;s", comparison_cell},
  };
  std::string text = "<table><thead><tr><th></th>";
  for (const Result& result : results) {
    const std::string size = std::to_string(result.size);
    text += "<th>" + size + " &times; " + size + ", " + std::to_string(result.coils) + " coils</th>";
  }
  text += "</tr></thead><tbody>\n";
  for (const auto& [title, cell] : rows) {
    text += "<tr><th>" + title + "</th>";
    for (const Result& result : results) text += "<td>" + cell(result) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

}  // namespace

std::string make_page(const std::vector<Result>& results, const Machine& machine) {
  const double worst =
      std::max_element(results.begin(), results.end(), [](const Result& a, const Result& b) { return a.error < b.error; })->error;
  const bool good = worst <= kErrorLimit;
  float white = 0.0F;  // one for all, so that the pictures can be compared
  for (const Result& result : results) white = std::max(white, round_white(result.largest_difference));
  std::string page =
      html_begin("ulpfft: an MRI image from k-space", "An MRI image from k-space", kStyle);
  page +=
      "<p>A scanner with " + std::to_string(results.front().coils) +
      " receive coils measures the Fourier transform of a head &ndash; here a simulated one, with noise &ndash; and ulpfft turns "
      "it "
      "back: one centred inverse two-dimensional transform per coil, then the root of the sum of squares over the coils. "
      "BART, an established reconstruction toolbox, does the same, and the third picture is what the two differ by.</p>\n"
      "<p>What is compared: the complex images of all coils, before they are combined, as ulpfft and as <code>bart fft -iu</code> compute them from the same "
      "k-space, both in f32. The difference is relative: the root of the sum of |ulpfft &minus; BART|<sup>2</sup> over that of |BART|<sup>2</sup>. Two "
      "correct transforms in f32 differ by about 10<sup>&minus;7</sup>; the demonstration allows ten times that.</p>\n";
  page += "<p class=\"verdict" + std::string(good ? "" : " bad") + "\">The largest difference from BART is " + scientific(worst) +
          (good ? ", within the limit of " : ", above the limit of ") + scientific(kErrorLimit) + "</p>\n";
  for (const Result& result : results) {
    const std::string size = std::to_string(result.size);
    page += "<h2>" + size + " &times; " + size + " points" +
            (result.size % 2 ? ": odd, so the middle is a point of its own" : "") + "</h2>\n" + pictures(result, white);
  }
  page += "<h2>Recipe, time, error</h2>\n<p>" + comparison_verdict(results) +
          " FFTW has no centred transform, so both run the plain inverse: one thread, planned by measuring, in turn in one process." +
          (machine.fftw_version.empty() || machine.fftw_version.find("avx2") != std::string::npos
               ? ""
               : " This FFTW, as the system has it, is built with neither AVX2 nor FMA: built for this processor it is faster.") +
          "</p>\n" +
          table(results);
  page +=
      "<p style=\"margin-top:12px\">Next: <a href=\"sweep.html\">every number format judged on MR images</a>. <code>tools/dev demo</code> writes that page beside "
      "this one.</p>\n";
  page += "<p class=\"note\">Times are medians; &plusmn; is the median absolute deviation. " +
          escape(machine.processor + ", " + machine.target + "; ulpfft " + machine.ulpfft_version +
                 (machine.fftw_version.empty() ? "" : ", " + machine.fftw_version) +
                 (machine.bart_version.empty() ? "" : ", BART " + machine.bart_version) + "; " + machine.date) +
          ".</p>\n";
  return page + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

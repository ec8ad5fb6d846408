// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The page of `ulpfft mri sweep`: what the data show, pictures, curves, the tables of both directions.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/demo/picture.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/mri/panel.h"
#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// Few elements; std::stable_sort asks for a temporary buffer by a function that C++17 deprecates.
template <typename T, typename Before>
void sort_stably(std::vector<T>& list, const Before& before) {
  for (auto next = list.begin(); next != list.end(); ++next) std::rotate(std::upper_bound(list.begin(), next, *next, before), next, next + 1);
}

constexpr const char* kOwnStyle = R"(
.strip { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 18px 14px; margin: 0 0 18px; }
.strip.six { grid-template-columns: repeat(6, minmax(0, 1fr)); }
@media (max-width: 760px) { .strip, .strip.six { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
figure { margin: 0; } figure img { width: 100%; display: block; background: #000; image-rendering: pixelated; }
figure > b { display: block; font-size: 14px; line-height: 1.3; } .over { display: block; margin-top: 5px; font-size: 13px; color: var(--soft); }
figcaption { margin-top: 6px; font-size: 13px; line-height: 1.45; color: var(--soft); }
ul.found { list-style: none; padding: 0; margin: 0 0 12px; }
ul.found li { display: grid; grid-template-columns: 8.5em 1fr; gap: 4px 14px; padding: 8px 0; border-top: 1px solid var(--grid); }
ul.found small { display: block; font-size: 14px; color: var(--soft); }
.holds, .fails { justify-self: start; align-self: start; font-size: 13px; font-weight: 600; padding: 2px 9px; border-radius: 5px; }
.holds { background: var(--good-back); color: var(--good); } .fails { background: var(--bad-back); color: var(--bad); }
td small { color: var(--soft); font-size: 12px; } td.first, th.first { border-left: 1px solid var(--rule); } td.span { text-align: center; }
tr.new td { border-top: 1px solid var(--rule); }
thead tr:first-child th { border-bottom: 0; text-align: center; } thead tr:first-child th.text { text-align: left; }
@media (max-width: 760px) { ul.found li { grid-template-columns: minmax(0, 1fr); } }
details { margin-bottom: 16px; } summary { cursor: pointer; font-weight: 600; margin-bottom: 8px; }
)";

// The names of the field: "MXFP8 E4M3", "f16".
std::string title_of(const std::string& format) {
  if (!format.starts_with("mx")) return format;
  std::string text;
  for (const char c : format) text += c == '_' ? ' ' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string sides(std::int64_t size) { return std::to_string(size) + " &times; " + std::to_string(size); }

std::string decibel_text(double value) { return std::isfinite(value) ? number("%.1f", value) : "exact"; }

// Formats in the order of the tables, those with blocks first, best first where they are shown: of equal ones the order of the library.
std::vector<std::string> formats_of(const Sweep& sweep, bool blocks) {
  std::vector<std::string> list;
  for (const SweepRow& row : sweep.rows) {
    if ((row.block != 0) == blocks && std::find(list.begin(), list.end(), row.format) == list.end()) list.push_back(row.format);
  }
  const auto value = [&](const std::string& format) {
    const SweepRow* row = sweep.find(format, false, false, sweep.shown_size, blocks ? kShownBlock : 0, blocks ? kShownRule : "");
    return row == nullptr ? -1e300 : row->psnr_slices.mean;
  };
  sort_stably(list, [&](const std::string& a, const std::string& b) { return value(a) > value(b); });
  return list;
}

// ---- What the data show -------------------------------------------------------------------------------------------------------

std::string found_list(const Sweep& sweep) {
  const std::vector<Finding> list = findings(sweep);
  if (list.empty()) return "<p>This build has none of the MX formats that are compared here.</p>\n";
  std::string text = "<ul class=\"found\">\n";
  for (const Finding& one : list) {
    text += std::string("<li><span class=\"") + (one.holds() ? "holds\">holds" : "fails\">does not hold") + "</span><div>" +
            escape(one.claim) + "<small>" + escape(one.verdict()) + "</small><small>" + escape(one.numbers) + "</small><small>Claim: " + escape(one.source) +
            ".</small></div></li>\n";
  }
  return text + "</ul>\n";
}

// ---- Pictures -----------------------------------------------------------------------------------------------------------------

// A picture below what it shows.
std::string titled(const std::string& title, const std::string& alt, const std::string& source) {
  return "<span class=\"over\">" + title + "</span><img alt=\"" + escape(alt) + "\" src=\"" + source + "\">\n";
}

std::string figure_html(const std::string& title, const std::string& image, const std::string& difference, const std::string& caption) {
  return "<figure><b>" + escape(title) + "</b>" + titled("image", title, image) + difference + "<figcaption>" + caption + "</figcaption></figure>\n";
}

std::string figure_of(const Sweep& sweep, const SweepRow& row, const std::string& title) {
  const Picture difference = upright(sweep.facts.kind, difference_of(sweep.reference, row.image), sweep.shown_size, sweep.shown_size);
  const double times = difference_times(difference, sweep.shown_range);
  const std::string scale = times == 0.0 ? "no difference" : "difference &times; " + number("%.0f", times);
  const std::string spread =
      sweep.selection.count > 1 && std::isfinite(row.psnr_slices.mean) ? " &plusmn; " + number("%.1f", row.psnr_slices.deviation) : "";
  return figure_html(title, data_url(upright(sweep.facts.kind, row.image, sweep.shown_size, sweep.shown_size), static_cast<float>(sweep.shown_range)),
                     titled(scale, title + ", " + show_times(times), data_url(difference, static_cast<float>(sweep.shown_range / std::max(times, 1.0)))),
                     "PSNR " + decibel_text(row.psnr_slices.mean) + spread + " dB<br>SSIM " + number("%.4f", row.ssim_slices.mean) + "<br>" +
                         number("%.4g", row.bytes) + " bytes a sample");
}

std::string reference_figure(const Sweep& sweep) {
  const Picture image = upright(sweep.facts.kind, sweep.reference, sweep.shown_size, sweep.shown_size);
  return figure_html("f64, the reference", data_url(image, static_cast<float>(sweep.shown_range)), "",
                     "slice " + std::to_string(sweep.shown_slice) + "<br>white is " + number("%.4g", sweep.shown_range) + "<br>16 bytes a sample");
}

std::string strip(const Sweep& sweep, bool arithmetic) {
  std::vector<const SweepRow*> list;
  const auto add = [&](const std::string& format, int block, const std::string& rule) {
    const SweepRow* row = sweep.find(format, arithmetic, true, sweep.shown_size, block, rule);
    if (row != nullptr && !row->image.empty()) list.push_back(row);
  };
  for (const char* control : {"f32", "f16", "bf16"}) add(control, 0, "");
  for (const std::string& format : formats_of(sweep, true)) add(format, kShownBlock, kShownRule);
  sort_stably(list, [](const SweepRow* a, const SweepRow* b) { return a->psnr_slices.mean > b->psnr_slices.mean; });
  std::string text = "<div class=\"strip\">\n" + reference_figure(sweep);
  for (const SweepRow* row : list) text += figure_of(sweep, *row, title_of(row->format));
  return text + "</div>\n";
}

std::string block_strip(const Sweep& sweep) {
  std::string text;
  for (const char* rule : kSweepRules) {
    for (const int block : kSweepBlocks) {
      const SweepRow* row = sweep.find("mxfp8_e4m3", true, true, sweep.shown_size, block, rule);
      if (row != nullptr && !row->image.empty()) text += figure_of(sweep, *row, std::string(rule) + ", blocks of " + std::to_string(block));
    }
  }
  if (text.empty()) return "";
  return "<h2>Block length and scale rule, seen: MXFP8 E4M3</h2>\n<p>Computed in the format, forth and back. With <i>floor</i>, the rule "
         "of the MX specification, the largest "
         "number of a block may lie beyond the range of the format and is clipped; a longer block clips fewer. <i>rceil</i> never "
         "clips.</p>\n"
         "<div class=\"strip six\">\n" +
         text + "</div>\n";
}

// ---- Curves -------------------------------------------------------------------------------------------------------------------

Figure empty_figure(std::string title, std::string x_name, Scale x_scale) {
  Figure figure;
  figure.title = std::move(title);
  figure.x_name = std::move(x_name);
  figure.y_name = "PSNR, dB";
  figure.x_scale = x_scale;
  figure.y_scale = Scale::kLinear;
  figure.y_from = 1e9;  // only as far down as there is anything
  return figure;
}

// Formats of 6 bits are dashed: where they equal those of 8 with the same mantissa, both are seen.
Curve curve_of(const std::string& format, std::size_t index) {
  Curve curve = numbered_curve(title_of(format), index);
  if (format.starts_with("mxfp6")) curve.stroke = Stroke::kDashed, curve.hollow = true;
  return curve;
}

void add_point(Curve& curve, double x, const SweepRow* row, const std::string& note = "") {
  if (row != nullptr && std::isfinite(row->psnr_slices.mean))
    curve.points.push_back({x, row->psnr_slices.mean, note, row->psnr_slices.deviation});
}

void add_curve(Figure& figure, Curve curve) {
  if (!curve.points.empty()) figure.curves.push_back(std::move(curve));
}

std::string against_blocks(const Sweep& sweep, const std::vector<std::string>& formats, bool arithmetic, const std::string& rule) {
  Figure figure = empty_figure(std::string(arithmetic ? "Computed" : "Stored") + " in the format, forward, scale rule " + rule,
                               "numbers in a block", Scale::kDoubling);
  for (std::size_t i = 0; i < formats.size(); ++i) {
    Curve curve = curve_of(formats[i], i);
    for (const int block : kSweepBlocks) add_point(curve, block, sweep.find(formats[i], arithmetic, false, sweep.shown_size, block, rule));
    add_curve(figure, std::move(curve));
  }
  const SweepRow* control = sweep.find("f16", arithmetic, false, sweep.shown_size);
  if (control != nullptr && std::isfinite(control->psnr_slices.mean))
    figure.levels.push_back({control->psnr_slices.mean, "f16 control", 7});
  return figure_svg(figure);
}

std::string against_sizes(const Sweep& sweep, const std::vector<std::string>& formats, bool round_trip) {
  Figure figure = empty_figure(std::string("Image size: computed in the format, ") + (round_trip ? "round trip" : "forward"),
                               "points a side; blocks of 32, rceil", Scale::kDoubling);
  std::vector<std::string> all = formats;
  all.insert(all.end(), {"bf16", "f16"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool blocks = i < formats.size();
    Curve curve = curve_of(all[i], i);
    for (const std::int64_t size : sweep.sizes) {
      add_point(curve, static_cast<double>(size),
                sweep.find(all[i], true, round_trip, size, blocks ? kShownBlock : 0, blocks ? kShownRule : ""));
    }
    add_curve(figure, std::move(curve));
  }
  return figure_svg(figure);
}

std::string against_bytes(const Sweep& sweep, const std::vector<std::string>& formats, bool round_trip) {
  Figure figure =
      empty_figure(std::string("Stored in the format, ") + (round_trip ? "round trip" : "forward") + ": image quality for its bytes",
                   "bytes a sample; rceil", Scale::kLinear);
  std::vector<std::string> all = formats;
  all.insert(all.end(), {"bf16", "f16"});
  for (std::size_t i = 0; i < all.size(); ++i) {
    Curve curve = curve_of(all[i], i);
    if (i >= formats.size()) {
      const SweepRow* row = sweep.find(all[i], false, round_trip, sweep.shown_size);
      if (row != nullptr) add_point(curve, row->bytes, row);
    } else {
      for (auto block = std::rbegin(kSweepBlocks); block != std::rend(kSweepBlocks); ++block) {
        const SweepRow* row = sweep.find(all[i], false, round_trip, sweep.shown_size, *block, kShownRule);
        if (row != nullptr) add_point(curve, row->bytes, row, "blocks of " + std::to_string(*block));
      }
    }
    add_curve(figure, std::move(curve));
  }
  return figure_svg(figure);
}

// ---- Tables -------------------------------------------------------------------------------------------------------------------

std::string metric_hint(const SweepRow& row) {
  return "NMSE " + show_error(row.nmse) + ", PSNR of all slices " + decibel_text(row.psnr) + " dB, SSIM " + number("%.4f", row.ssim) +
         ", k-space SNR " + decibel_text(row.kspace_snr) + " dB";
}

std::string psnr_cell(const Sweep& sweep, const SweepRow* row, bool first, bool span) {
  const std::string kind =
      std::string(" class=\"") + (first ? "first" : "") + (span ? " span" : "") + "\"" + (span ? " colspan=\"3\"" : "");
  if (row == nullptr) return "<td" + kind + ">-</td>";
  const std::string spread = sweep.selection.count > 1 && std::isfinite(row->psnr_slices.mean)
                                 ? " <small>&plusmn; " + number("%.1f", row->psnr_slices.deviation) + "</small>"
                                 : "";
  return "<td" + kind + " title=\"" + escape(metric_hint(*row)) + "\">" + decibel_text(row->psnr_slices.mean) + spread + "</td>";
}

// Rows are formats and rules, columns sizes and block lengths.
std::string psnr_table(const Sweep& sweep, bool round_trip, bool arithmetic) {
  std::string text = "<div class=\"scroll\"><table><thead><tr><th class=\"text\"></th><th class=\"text\"></th>";
  for (const std::int64_t size : sweep.sizes) text += "<th class=\"first\" colspan=\"3\">" + sides(size) + "</th>";
  text += "</tr><tr><th class=\"text\">format</th><th class=\"text\">rule</th>";
  for (std::size_t i = 0; i < sweep.sizes.size(); ++i) {
    for (const int block : kSweepBlocks)
      text += std::string("<th") + (block == kSweepBlocks[0] ? " class=\"first\"" : "") + ">block " + std::to_string(block) + "</th>";
  }
  text += "</tr></thead><tbody>\n";
  for (const std::string& format : formats_of(sweep, true)) {
    for (const char* rule : kSweepRules) {
      const bool first = rule == kSweepRules[0];
      text +=
          std::string("<tr") + (first ? " class=\"new\">" : ">") + cell(first ? escape(title_of(format)) : "", "text") + cell(rule, "text");
      for (const std::int64_t size : sweep.sizes) {
        for (const int block : kSweepBlocks)
          text += psnr_cell(sweep, sweep.find(format, arithmetic, round_trip, size, block, rule), block == kSweepBlocks[0], false);
      }
      text += "</tr>\n";
    }
  }
  for (const std::string& format : formats_of(sweep, false)) {
    text += "<tr class=\"new\">" + cell(escape(title_of(format)), "text") + cell("", "text");
    for (const std::int64_t size : sweep.sizes) text += psnr_cell(sweep, sweep.find(format, arithmetic, round_trip, size), true, true);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

// `tools/dev demo` puts its page beside the k-space that it sweeps, and this page there, too.
std::string link_to_demo(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(std::filesystem::path(path).replace_filename("demo.html"), failure)) return "";
  return "<p><a href=\"demo.html\">Back to the demonstration: an MRI image from k-space, compared with BART</a></p>\n";
}

std::string refusals(const Sweep& sweep) {
  std::map<std::string, std::string> reasons;  // by the scheme or storage
  for (const SweepRow& row : sweep.rows) {
    if (!row.refused.empty()) reasons[row.scheme.empty() ? row.storage : row.scheme] = row.refused;
  }
  if (reasons.empty()) return "";
  std::string text = "<p class=\"note\">What cannot be planned:</p><ul class=\"note\">\n";
  for (const auto& [what, why] : reasons) text += "<li><code>" + escape(what) + "</code>: " + escape(why) + "</li>\n";
  return text + "</ul>\n";
}

std::string all_metrics(const Sweep& sweep) {
  std::string text = "<details><summary>Every metric at " + sides(sweep.shown_size) +
                     "</summary>\n<div class=\"scroll\"><table><thead><tr><th class=\"text\">format</th><th class=\"text\">way</th><th "
                     "class=\"text\">direction</th><th>block</th><th class=\"text\">rule</th><th>bytes<br>a "
                     "sample</th><th>NMSE</th><th>PSNR, dB</th><th>SSIM</th><th>k-space "
                     "SNR, dB</th><th>saturated</th></tr></thead><tbody>\n";
  for (const SweepRow& row : sweep.rows) {
    if (row.size != sweep.shown_size || !row.refused.empty()) continue;
    text += "<tr>" + cell(escape(title_of(row.format)), "text") + cell(row.arithmetic ? "arithmetic" : "storage", "text") +
            cell(row.round_trip ? "round trip" : "forward", "text") + cell(row.block == 0 ? "" : std::to_string(row.block)) +
            cell(row.rule, "text") + cell(number("%.4g", row.bytes)) + cell(show_error(row.nmse)) + cell(decibel_text(row.psnr)) +
            cell(number("%.4f", row.ssim)) + cell(decibel_text(row.kspace_snr)) + cell(std::to_string(row.saturated)) + "</tr>\n";
  }
  return text + "</tbody></table></div></details>\n";
}

}  // namespace

std::string sweep_page(const Sweep& sweep, const std::string& path) {
  const SeriesFacts& facts = sweep.facts;
  const std::string file = path.substr(path.find_last_of('/') + 1), shown = sides(sweep.shown_size);
  const std::string slices = std::to_string(sweep.selection.count) + (sweep.selection.count == 1 ? " slice" : " slices");
  std::vector<std::string> formats = formats_of(sweep, true);
  std::string page = html_begin("ulpfft mri sweep: " + file, "Number formats judged on MR images", std::string(kReportStyle) + kOwnStyle);
  page += "<p>" + escape(file) + ": " + slices + " of " + std::to_string(facts.coils) + (facts.coils == 1 ? " coil" : " coils") + ", " +
          std::to_string(facts.ny) + " &times; " + std::to_string(facts.nx) +
          ". Each coil is transformed to an image (centred, orthonormal), and the root of the sum of squares over the coils compared with "
          "that of f64. "
          "Every format is judged twice: <b>stored</b>, the arrays in the format and the arithmetic in f32, and <b>computed</b>, the "
          "arrays in f32 and every "
          "operand of the transform in the format (MX formats: scaled blocks, products added in f32; others: every product rounded, added "
          "in f32). <b>Forward</b> is from k-space to the image; "
          "<b>round trip</b> from the image to k-space and back.</p>\n";
  page += link_to_demo(path);
  for (const std::string& note : facts.notes) page += "<p class=\"note\">" + escape(note) + "</p>\n";
  page += "<p class=\"note\">The layout of the tables is that of A mixed precision FFT with applications in MRI, arXiv:2512.04317. " +
          escape("ulpfft " + std::string(ulpfft::version()) + "; " + processor_name() + "; " + today()) + ".</p>\n";
  page += "<h2>Computed in the format, seen</h2>\n<p>Round trip, " + shown + "; MX formats with blocks of " + std::to_string(kShownBlock) +
          " and the rule " + kShownRule +
          ". All images share one window: 0 is black, the largest value of the reference is white. The lower picture is the difference "
          "from f64, multiplied by the factor above it; each picture has a factor of its own. Bytes are those of the operands.</p>\n" + strip(sweep, true);
  page += block_strip(sweep);
  page += "<h2>Claims, judged by these data</h2>\n<p>Each claim is reduced to one PSNR difference and a limit; the verdict says whether "
          "the difference keeps it. Computed in the format, " + shown + ", " + (sweep.selection.count == 1 ? "one slice" : "mean of the slices") +
          ", every block length, forward and round trip. Verdicts are ulpfft&rsquo;s and hold for this file alone; whose claim it is "
          "stands below each.</p>\n" +
          found_list(sweep);
  page +=
      "<h2>Stored in the format, seen</h2>\n<p>The same round trip, with the spectrum stored in the format between the two transforms, and "
      "arithmetic in f32.</p>\n" +
      strip(sweep, false);
  page += "<h2>Block length, image size, bytes</h2>\n<p>PSNR at " + shown + " unless the axis says otherwise" +
          (sweep.selection.count > 1 ? ": the mean of " + slices + ", bars are their standard deviation" : "") +
          ". Formats of 6 bits are dashed.</p>\n<div class=\"plots\">\n";
  for (const char* rule : kSweepRules) page += against_blocks(sweep, formats, true, rule);
  for (const char* rule : kSweepRules) page += against_blocks(sweep, formats, false, rule);
  if (sweep.sizes.size() > 1) {
    for (const bool round_trip : {false, true}) page += against_sizes(sweep, formats, round_trip);
  }
  for (const bool round_trip : {false, true}) page += against_bytes(sweep, formats, round_trip);
  page += "</div>\n";
  const std::string unit = "PSNR, dB, mean" + std::string(sweep.selection.count > 1 ? " &plusmn; standard deviation of the slices" : "") +
                           ". Under the pointer: NMSE, SSIM and k-space SNR.";
  for (const bool round_trip : {false, true}) {
    page += std::string("<h2>Table ") + (round_trip ? "2: round trip" : "1: forward") + "</h2>\n<p>" + unit + "</p>\n";
    page += "<p><b>Computed in the format.</b></p>\n" + psnr_table(sweep, round_trip, true) + "<p><b>Stored in the format.</b></p>\n" +
            psnr_table(sweep, round_trip, false);
  }
  page += refusals(sweep) + all_metrics(sweep);
  page +=
      "<p class=\"note\">NMSE, PSNR and SSIM are those of fastMRI&rsquo;s evaluation: the range is the largest value of the reference "
      "volume, windows of 7 &times; 7. The k-space SNR is of all "
      "coils as complex numbers. Sizes are cut from the middle of k-space, or zeros are put around it; each has an f64 reference of its "
      "own. Formats without scales of "
      "their own are prescaled by a power of two for each slice, the largest magnitude coming next to half the largest value. In the "
      "arithmetic of formats "
      "with a narrow range, twiddle factors underflow, and there is no image.</p>\n";
  return page + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

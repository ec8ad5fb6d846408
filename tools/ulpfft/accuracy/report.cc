// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/target_names.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {

using Json = nlohmann::ordered_json;

const std::vector<StudyText> kStudies = {
    {"lengths", "f32 and f64 against n",
     "Errors of plans as the planner chooses them, against the exact transform of the same numbers, complex normal data, rounding of the "
     "output included."},
    {"reals", "r2c, c2r and r2r against n",
     "Errors of plans as the planner chooses them, against the exact transform of the same numbers: real normal data, and spectra of "
     "real normal numbers. The kinds of r2r have names of FFTW's or dct1 to dst4."},
    {"formats", "Every format and scheme against n",
     "Complex normal data with a spread that the format holds, scale 1/sqrt(n) spread over the passes, error against the exact transform "
     "of the data before they were stored; schemes by "
     "radix 2. Rings are values of the golden table, which were measured without a scale."},
    {"golden", "The table of errors to expect",
     "Measured again with other data: complex normal, sigma 1 for each part, no scale, blocks of 32; radix 2, sums of narrow products by "
     "the radix that their row names. The parts of splits.json are compared with what the conversions of this build give."},
    {"predictions", "Predicted errors",
     "Every plan states an error, predicted from the roundings of its passes. Plans as the planner chooses them, on the library's own data "
     "and relative to the numbers that the input holds."},
    {"forms", "Twiddle forms in f16 and bf16",
     "Every operation rounded once, FMAs too; complex normal data, sigma 1 for each part. Standard: complex multiplication. Linzer-Feig: "
     "outer scale im W and ratio re W / im W; "
     "cosine: re W and im W / re W; dual-select: of these two the one whose ratio is at most 1. Where its scale is 0 a form takes the "
     "other path."},
    {"overflow", "Overflow against amplitude", "Operations beyond the largest value of the format, as the library counts them."},
    {"bounds", "Worst-case bounds of arXiv:2604.00567 beside errors",
     "A bound by the model that yields the paper's figures: each of log2 n radix-2 levels multiplies the relative error by 1 + t u at "
     "most, t the largest constant of the form, so that "
     "bound = (1 + t u)^log2 n - 1. t = cot(2 pi / n) for Linzer-Feig and cosine (the singular angle left out: 163 at n = 1024), 1 for "
     "dual-select and standard; radix 4 and 8 of dual-select "
     "have quotients of scales up to sqrt 2 in all levels but one. The model and its numbers are computed here, not copied from the "
     "paper's tables; at n = 1024 in f16 they give the 163 and the "
     "235 of its abstract."},
    {"sine", "The sine path of dual-select",
     "W = m (t + i) with m = im W, t = re W / im W: W b = m (t b_r - b_i) + i m (b_r + t b_i). 1000 pairs a, b for every k that takes this "
     "path."},
    {"blocks", "Block length and scale rule",
     "arXiv:2512.04317 finds larger blocks better. Complex normal data; radix 2; the scale of a block by each rule of the library: floor "
     "is that of the MX specification and clips what lies between the largest value and the next power of two; ceil is the power of two "
     "above floor's unless the largest number is one; rceil is the smallest scale that never clips; fit the smallest by which the largest "
     "number does not round beyond the range; even differs from fit for e4m3 alone, where it clips. Logarithmic axes."},
    {"chain", "A round trip with and without a stored spectrum",
     "arXiv:2512.04317 transforms images to k-space and back in narrow formats. Errors against the numbers before they were stored: the "
     "same storage at both ends of one chain (chain=user, an operation that changes nothing), and of two plans, the spectrum stored "
     "between them. Arithmetic in f32, orthonormal; complex normal data."},
    {"split", "Split schemes: sums of narrow products",
     "Numbers as sums of narrow parts, whose products are summed in f32 as matrix units do. Complex normal data but for the ranges, which "
     "are uniform; data and result f32, of schemes that keep numbers in f64 and of f64 itself f64. Published are split:f16x2 with norms "
     "that are no powers of two (SC18 poster: errors within 1e-4, ranges up to 1e10), and split:bf16, bf16x2 and bf16x2x3 with matrices of "
     "256 points (trnfft 0.18: 2e-9 of the last)."},
    {"chains", "Chains of round trips",
     "Complex normal data, forward and inverse transforms by two orthonormal plans, as often as the axis says; errors against the numbers "
     "before the first. With products the spectrum is each time multiplied by factors of magnitude 1 and random phase, in f64, and "
     "rounded to its storage. Data and result are f32, or narrow where a format is named as storage, or f64 where the scheme keeps "
     "numbers in f64."},
};

std::size_t AccuracyReport::row_failures() const {
  return static_cast<std::size_t>(
      std::count_if(lengths.rows.begin(), lengths.rows.end(), [](const AccuracyRow& row) { return !row.passes(); }));
}

std::string AccuracyReport::failure_text() const {
  std::string text;
  if (const std::size_t count = row_failures(); count > 0) {
    text = std::to_string(count) + " of " + std::to_string(lengths.rows.size()) + " errors are above their gate.";
  }
  if (golden.failures() > golden.cell_failures()) text += (text.empty() ? "" : " ") + golden.splits_text();
  if (const std::size_t count = golden.cell_failures(); count > 0) {
    const auto first = std::find_if(golden.cells.begin(), golden.cells.end(), [](const GoldenCell& cell) { return !cell.passes(); });
    text += (text.empty() ? "" : " ") + std::to_string(count) + " of " + std::to_string(golden.cells.size()) + " errors are not as " +
            golden.source + " expects, the first of '" + first->row + "', n = " + std::to_string(first->n) + ": " +
            show_error(first->error) + ", expected " + show_error(first->expected) + " within " + number("%.0f", 100 * first->margin) +
            " %.";
  }
  return text;
}

namespace {

std::string rows_text(const AccuracyReport& report) {
  const bool with_peer = !report.lengths.peer.empty();
  std::vector<std::string> headings = {"problem", ">error", ">largest", ">k", ">gate", ">outputs"};
  if (with_peer) headings.insert(headings.end(), {">FFTW", ">ratio"});
  headings.push_back("recipe");
  Table table(headings);
  for (const AccuracyRow& row : report.lengths.rows) {
    std::vector<std::string> cells = {row.problem};
    if (!row.reason.empty()) {
      cells.resize(headings.size() - 1, "-");
      cells.push_back(row.reason);
    } else {
      cells.insert(cells.end(),
                   {show_error(row.error), show_error(row.largest), number("%.2f", row.k) + (row.predicted > 0 ? " p" : ""),
                    number("%.2f", row.gate) + (row.passes() ? "" : " !"), std::to_string(row.outputs) + (row.full ? "" : " sampled")});
      if (with_peer) {
        cells.push_back(row.peer_error > 0 ? show_error(row.peer_error) : "-");
        cells.push_back(row.peer_error > 0 ? number("%.2f", row.error / row.peer_error) : "-");
      }
      cells.push_back(row.recipe);
    }
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::string accuracy_text(const AccuracyReport& report) {
  std::string text = show_target(report.machine) + ", " + report.date + ".";
  if (!report.lengths.rows.empty()) {
    text +=
        " Relative L2 errors; k = error / (u sqrt(log2 n)), with p error / error predicted (narrow storage, rounded and other "
        "schemes).\n\n" +
        rows_text(report);
    const std::vector<PeerRatio> ratios = peer_ratios(report.lengths.rows);
    if (!ratios.empty()) text += "\n";
    for (const PeerRatio& ratio : ratios) {
      text += (ratio.kind == "c2c" ? "" : ratio.kind + " ") + ratio.format + ", powers of two: error over that of " +
              report.lengths.peer + ", geometric mean " + number("%.2f", ratio.mean) + ", largest " + number("%.2f", ratio.largest) +
              " at n = " + std::to_string(ratio.at) + ".\n";
    }
  } else {
    text += "\n";
  }
  std::string last;
  for (const Figure& figure : report.figures) {
    if (figure.study == "lengths" || figure.study == "reals") continue;  // their rows are listed
    const auto study = std::find_if(kStudies.begin(), kStudies.end(), [&](const StudyText& s) { return s.name == figure.study; });
    const bool first_of_study = figure.study != last;
    if (first_of_study) text += "\n== " + std::string(study->heading) + "\n";
    last = figure.study;
    text += "\n";
    if (figure.study == "golden") {
      if (first_of_study) text += golden_text(report.golden);
      text += "  " + figure.title + ": " + figure.sentence + (figure.missing.empty() ? "" : " " + figure.missing) + "\n";
    } else {
      text += figure_text(figure);
    }
  }
  return text;
}

std::string accuracy_json(const AccuracyReport& report) {
  Json result = {{"version", report.version},   {"machine", report.machine},     {"processor", report.processor},  {"date", report.date},
                 {"fftw", report.lengths.peer}, {"failures", report.failures()}, {"powers_of_two", Json::array()}, {"rows", Json::array()}};
  for (const PeerRatio& ratio : peer_ratios(report.lengths.rows)) {
    result["powers_of_two"].push_back(
        {{"kind", ratio.kind}, {"format", ratio.format}, {"ratio_mean", ratio.mean}, {"ratio_largest", ratio.largest},
         {"largest_at", ratio.at}});
  }
  for (const AccuracyRow& row : report.lengths.rows) {
    Json entry = {{"problem", row.problem}, {"kind", row.kind}, {"n", row.n}, {"format", row.format}};
    if (!row.reason.empty()) {
      entry["reason"] = row.reason;
    } else {
      entry.update({{"recipe", row.recipe},
                    {"error", row.error},
                    {"largest", row.largest},
                    {"k", row.k},
                    {"gate", row.gate},
                    {"passes", row.passes()},
                    {"outputs", row.outputs},
                    {"level", row.full ? "full" : "sampled"}});
      if (row.predicted > 0) entry["predicted"] = row.predicted;
      if (row.peer_error > 0) entry["fftw_error"] = row.peer_error;
    }
    result["rows"].push_back(std::move(entry));
  }
  result["figures"] = Json::array();
  for (const Figure& figure : report.figures) {
    Json entry = {{"id", figure.id},    {"study", figure.study}, {"title", figure.title},
                  {"x", figure.x_name}, {"y", figure.y_name},    {"sentence", figure.sentence}};
    if (!figure.missing.empty()) entry["missing"] = figure.missing;
    entry["curves"] = Json::array();
    for (const Curve& curve : figure.curves) {
      Json points = Json::array();
      for (const Point& point : curve.points) {
        Json place = {{"x", point.x}, {"y", std::isfinite(point.y) ? Json(point.y) : Json("overflow")}};
        if (!point.note.empty()) place["note"] = point.note;
        points.push_back(std::move(place));
      }
      entry["curves"].push_back({{"name", curve.name}, {"points", std::move(points)}});
    }
    result["figures"].push_back(std::move(entry));
  }
  if (!report.golden.cells.empty()) {
    Json cells = Json::array();
    for (const GoldenCell& cell : report.golden.cells) {
      Json entry = {{"row", cell.row}, {"n", cell.n}, {"expected", cell.expected}, {"margin", cell.margin}};
      if (cell.reason.empty()) {
        entry.update({{"error", std::isfinite(cell.error) ? Json(cell.error) : Json("overflow")},
                      {"ratio", cell.ratio()},
                      {"passes", cell.passes()},
                      {"recipe", cell.recipe}});
      } else {
        entry["reason"] = cell.reason;
      }
      cells.push_back(std::move(entry));
    }
    result["golden"] = {{"source", report.golden.source},
                        {"failures", report.golden.failures()},
                        {"cells", std::move(cells)},
                        {"splits", Json::array()}};
    for (const GoldenSplit& split : report.golden.splits) {
      Json entry = {{"name", split.name}, {"vectors", split.vectors}, {"values", split.values}, {"differ", split.differ}};
      if (!split.reason.empty()) entry["reason"] = split.reason;
      result["golden"]["splits"].push_back(std::move(entry));
    }
  }
  return result.dump(2) + "\n";
}

void write_csv_folder(const AccuracyReport& report, const std::string& folder) {
  const auto write = [&](const std::string& name, const std::string& text) {
    OutputFile file((std::filesystem::path(folder) / (name + ".csv")).string());
    file.write(std::string_view(text));
    file.finish();
    file.commit();
  };
  for (const Figure& figure : report.figures) {
    if (figure.study != "golden") write(figure.id, figure_csv(figure));
  }
  if (!report.golden.cells.empty()) write("golden", golden_csv(report.golden));
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/golden.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// Rows of split schemes. Their transforms have passes of one radix, or matrices of up to 256 points ("gemm256"). Sums of f32 are added in
// blocks here, in another order than the rows have, so that rows below 1e-6 have the widest margin.
struct SplitRow {
  std::string_view row;
  const char* scheme;
  std::int64_t radix;
};
constexpr SplitRow kSplitRows[] = {{"fp16x2 radix4", "split:f16x2:arbitrary", 4},
                                   {"fp16x2 radix4 pow2", "split:f16x2", 4},
                                   {"fp16x1 radix4", "split:f16", 4},
                                   {"fp16x2 radix16 W fp16", "split:f16x1x2", 16},
                                   {"fp16x2 radix16 W split", "split:f16x2", 16},
                                   {"bf16 gemm256", "split:bf16", 256},
                                   {"ozaki gemm256", "split:bf16x2", 256},
                                   {"ozaki_hq gemm256", "split:bf16x2x3", 256},
                                   {"3x3_6 gemm256", "split:bf16x3", 256},
                                   {"3x3_9 gemm256", "split:bf16x3x3", 256}};
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::int64_t kLongestGolden = std::int64_t{1} << 20;

[[noreturn]] void refuse_row(const std::string& source, const std::string& row, const std::string& why) {
  refuse(source, "relative_l2[\"" + row + "\"]", why);
}

// "binary16 store-io", "mx-e4m3 butterfly carry rceil": the format, then what is done with it.
std::optional<Trial> trial_of(const std::string& row, std::int64_t n, const Lab& lab) {
  Trial trial;
  trial.n = n;
  const std::string all_2 = radix_node(n, 2, "");
  trial.node = all_2;
  if (row == "fp32") return trial;
  const auto split = std::find_if(std::begin(kSplitRows), std::end(kSplitRows), [&](const SplitRow& s) { return row == s.row; });
  if (split != std::end(kSplitRows)) {
    trial.scheme = split->scheme;
    trial.node = split_node(n, split->radix);
    return trial;
  }
  const std::size_t space = row.find(' ');
  if (space == row.npos) return std::nullopt;
  const std::string name = row.substr(0, space), what = row.substr(space + 1);
  if (name == "binary16" || name == "bfloat16") {
    const std::string format = name == "binary16" ? "f16" : "bf16";
    if (what == "multiply-16/add-32") {
      trial.scheme = "rounded:" + format + "/f32";
    } else if (what == "all-16bit std") {
      trial.scheme = "rounded:" + format;
    } else if (what == "all-16bit dual fma") {
      trial.scheme = "rounded:" + format;
      trial.node = radix_node(n, 2, ":ds");
    } else if (what == "store-io" || what == "store/4 stages" || what == "store-stage") {
      trial.storage = format;
      if (what != "store-io") trial.node = stored_node(n, what == "store-stage" ? 1 : 4, format);
    } else {
      return std::nullopt;
    }
    return trial;
  }
  if (!name.starts_with("mx-")) return std::nullopt;
  const std::string element = name.substr(3) == "int8" ? "int8q6" : name.substr(3);
  const auto block = std::find_if(lab.formats().begin(), lab.formats().end(), [&](const ulpfft_format& f) { return f.element == element; });
  if (block == lab.formats().end()) return std::nullopt;
  const std::string carry = "butterfly carry ";
  if (what.starts_with(carry)) {
    trial.scheme = std::string("mx:") + block->name + ":b32:" + what.substr(carry.size());
    return trial;
  }
  const std::size_t rule = what.rfind(' ');
  if (rule == what.npos) return std::nullopt;
  trial.storage = std::string(block->name) + ":b32:" + what.substr(rule + 1);
  const std::string when = what.substr(0, rule);
  if (when == "store/4" || when == "store-stage") {
    trial.node = stored_node(n, when == "store-stage" ? 1 : 4, trial.storage);
  } else if (when != "store-io") {
    return std::nullopt;
  }
  return trial;
}

std::string text_of(const std::string& path) {
  InputFile file(path);
  if (file.size() > kMostBytes)
    refuse(path, "size", "The file has " + std::to_string(file.size()) + " bytes; a table of errors has a few thousand.");
  std::string text(file.size(), '\0');
  file.read(std::as_writable_bytes(std::span(text)), "text");
  return text;
}

bool is_split(const GoldenCell& cell) { return cell.trial.scheme.starts_with("split:"); }

}  // namespace

std::size_t GoldenTable::cell_failures() const {
  return static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), [](const GoldenCell& cell) { return !cell.passes(); }));
}

std::size_t GoldenTable::failures() const {
  const auto differs = [](const GoldenSplit& split) { return split.differ > 0; };
  return cell_failures() + static_cast<std::size_t>(std::count_if(splits.begin(), splits.end(), differs));
}

GoldenTable read_golden(const std::string& path, const Lab& lab) {
  GoldenTable table;
  table.source = path.empty() ? "golden accuracy.json of this build" : path;
  const std::string text = path.empty() ? std::string(kGoldenAccuracy) : text_of(path);
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse(table.source, "text", "It is not JSON.");
  if (!json.is_object() || !json.contains("n") || !json["n"].is_array() || json["n"].empty() || !json.contains("relative_l2") ||
      !json["relative_l2"].is_object()) {
    refuse(table.source, "text", "A table of errors has a list \"n\" of lengths and an object \"relative_l2\" of rows.");
  }
  std::vector<std::int64_t> lengths;
  for (const auto& n : json["n"]) {
    if (!n.is_number_integer() || n.get<double>() < 2 || n.get<double>() > static_cast<double>(kLongestGolden) ||
        (n.get<std::int64_t>() & (n.get<std::int64_t>() - 1)) != 0) {
      refuse(table.source, "n[" + std::to_string(lengths.size()) + "]", "A length is a power of two from 2 to 2^20, not " + n.dump() + ".");
    }
    lengths.push_back(n.get<std::int64_t>());
  }
  for (const auto& [row, values] : json["relative_l2"].items()) {
    if (!values.is_array() || values.size() != lengths.size()) {
      refuse_row(table.source, row, "A row has a number for each of the " + std::to_string(lengths.size()) + " lengths.");
    }
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (!values[i].is_number() || !(values[i].get<double>() > 0))
        refuse_row(table.source, row, "An error is a positive number, not " + values[i].dump() + ".");
      const std::optional<Trial> trial = trial_of(row, lengths[i], lab);
      if (!trial) {
        refuse_row(table.source, row,
                   "No such row is known: fp32; binary16 or bfloat16 store-io, store/4 stages, store-stage, multiply-16/add-32, all-16bit "
                   "std, all-16bit dual fma; "
                   "mx-<element> store-io, store/4, store-stage or butterfly carry, then a scale rule; fp16x1 radix4; fp16x2 radix4, "
                   "radix4 pow2, radix16 W fp16 or radix16 W split; bf16, ozaki, ozaki_hq, 3x3_6 or 3x3_9 gemm256.");
      }
      GoldenCell cell{row, lengths[i], values[i].get<double>(), *trial, 0, 0, "", ""};
      // Few seeds went into the table, and rows of f32 depend on the order of sums.
      cell.margin = cell.expected < 1e-6 ? 0.50 : cell.n >= 1024 ? 0.15 : 0.30;
      table.cells.push_back(std::move(cell));
    }
  }
  return table;
}

void measure_golden(GoldenTable& table, Lab& lab, std::int64_t longest, const std::function<void(double, const std::string&)>& progress) {
  std::erase_if(table.cells, [longest](const GoldenCell& cell) { return cell.n > longest; });
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    GoldenCell& cell = table.cells[i];
    progress(static_cast<double>(i) / static_cast<double>(table.cells.size()), cell.row);
    const Outcome outcome = lab.run(cell.trial);
    cell.error = outcome.error;
    cell.recipe = outcome.recipe;
    cell.reason = outcome.reason;
  }
  table.splits = measure_golden_splits();
}

namespace {

// Rows that share a mark: those whose name has this in it, the first that does.
struct Group {
  const char* part;
  const char* name;
};
constexpr Group kStored[] = {{"binary16 store", "f16"}, {"bfloat16 store", "bf16"}, {"store", "MX formats"}};
constexpr Group kComputed[] = {{"fp32", "f32"},
                               {"multiply-16", "16-bit products, f32 sums"},
                               {"std", "all in 16 bits, standard"},
                               {"dual", "all in 16 bits, dual-select"},
                               {"butterfly", "MX products"}};

constexpr Group kSplit[] = {{"fp16", "parts of f16"}, {"gemm256", "parts of bf16"}};

enum class GoldenKind { kStorageRow, kArithmeticRow, kProductRow };
struct KindText {
  GoldenKind kind;
  const char* id;
  const char* title;
  std::span<const Group> groups;
  double from;       // of the axis
  const char* also;  // end of the sentence
};
const KindText kGoldenKinds[] = {
    {GoldenKind::kStorageRow, "golden-storage", "Narrow storage: measured over expected", kStored, 0.6, "."},
    {GoldenKind::kArithmeticRow, "golden-arithmetic", "Arithmetic: measured over expected", kComputed, 0.6,
     "; that of f32, below 1e-6, is 50 % at every n."},
    {GoldenKind::kProductRow, "golden-split", "Sums of narrow products: measured over expected", kSplit, 0.4,
     "; that of values below 1e-6 is 50 % at every n."}};

GoldenKind golden_kind_of(const GoldenCell& cell) {
  if (is_split(cell)) return GoldenKind::kProductRow;
  return cell.row.find(" store") != cell.row.npos ? GoldenKind::kStorageRow : GoldenKind::kArithmeticRow;
}

Figure golden_figure(const GoldenTable& table, const KindText& text) {
  Figure figure{"golden",
                text.id,
                text.title,
                "n, points of a transform",
                "error measured / error expected",
                Scale::kPowers,
                Scale::kLinear,
                {},
                {},
                "",
                "",
                text.from,
                0};
  const std::span<const Group> groups = text.groups;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    figure.curves.push_back({groups[group].name, static_cast<int>(group), Stroke::kNone, -1, false, {}, false});
  }
  std::set<std::int64_t> lengths;
  std::set<std::string> rows, missing;
  double worst = 0;
  std::size_t beyond = 0;
  for (const GoldenCell& cell : table.cells) {
    if (golden_kind_of(cell) != text.kind) continue;
    lengths.insert(cell.n);
    (cell.reason.empty() ? rows : missing).insert(cell.row);
    if (!cell.reason.empty()) {
      figure.missing = cell.trial.scheme.starts_with("mx:") ? "This build has no mx schemes." : cell.reason;
      continue;
    }
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return cell.row.find(g.part) != cell.row.npos; }) - groups.begin();
    // Beside each other, not on each other.
    const double x =
        static_cast<double>(cell.n) * std::exp2(0.22 * (static_cast<double>(group) - static_cast<double>(groups.size() - 1) / 2));
    figure.curves[static_cast<std::size_t>(group)].points.push_back({x, cell.ratio(), cell.row + ", n = " + std::to_string(cell.n)});
    worst = std::max(worst, std::abs(cell.ratio() - 1) / cell.margin);
    beyond += !cell.passes();
  }
  std::erase_if(figure.curves, [](const Curve& curve) { return curve.points.empty(); });
  if (rows.empty()) return figure;
  const auto add_margins = [&](const char* name, int color, double (*margin)(std::int64_t n)) {
    for (const double side : {1.0, -1.0}) {
      Curve edge{side > 0 ? name : "", color, Stroke::kDashed, kNoMark, false, {}, false};
      for (const std::int64_t n : lengths) {
        for (const double end : {-0.99, 0.99}) edge.points.push_back({static_cast<double>(n) * std::exp2(end), 1 + side * margin(n), ""});
      }
      figure.curves.push_back(edge);
    }
  };
  const bool small = text.kind == GoldenKind::kProductRow;
  add_margins(small ? "margins from 1e-6 on" : "margins", 7, [](std::int64_t n) { return n >= 1024 ? 0.15 : 0.30; });
  if (small) add_margins("margins below 1e-6", 5, [](std::int64_t) { return 0.50; });
  figure.levels.push_back({1, "expected", 6});
  figure.sentence = std::to_string(rows.size()) + " rows at " + std::to_string(lengths.size()) +
                    " lengths: " + (beyond == 0 ? "all within their margins" : std::to_string(beyond) + " values beyond their margins") +
                    "; the farthest uses " + number("%.0f", 100 * worst) + " % of its margin" + text.also;
  if (!missing.empty()) figure.missing = std::to_string(missing.size()) + " rows not measured. " + figure.missing;
  return figure;
}

}  // namespace

std::vector<Figure> golden_figures(const GoldenTable& table) {
  std::vector<Figure> figures;
  for (const KindText& text : kGoldenKinds) figures.push_back(golden_figure(table, text));
  return figures;
}

std::string GoldenTable::splits_text() const {
  std::string text;
  for (const GoldenSplit& split : splits) {
    text += (text.empty() ? "Parts of splits.json: " : "; ") + split.name + ", " + std::to_string(split.vectors) + " vectors, " +
            std::to_string(split.values) + " parts and norms, ";
    text += !split.reason.empty()  ? "not compared: " + split.reason
            : split.differ == 0 ? "equal bit for bit"
                                : std::to_string(split.differ) + " differ";
  }
  return text.empty() ? "" : text + ".";
}

namespace {

// Rows by their order, with a cell for each length.
struct GoldenRow {
  std::string name, reason;
  std::map<std::int64_t, const GoldenCell*> cells;
};

std::vector<GoldenRow> rows_of(const GoldenTable& table) {
  std::vector<GoldenRow> rows;
  for (const GoldenCell& cell : table.cells) {
    if (rows.empty() || rows.back().name != cell.row) rows.push_back({cell.row, cell.reason, {}});
    rows.back().cells[cell.n] = &cell;
  }
  return rows;
}

}  // namespace

std::string golden_text(const GoldenTable& table) {
  std::vector<std::string> headings = {"row"};
  const std::vector<GoldenRow> rows = rows_of(table);
  if (rows.empty()) return "";
  for (const auto& [n, cell] : rows.front().cells) headings.insert(headings.end(), {">n = " + std::to_string(n), ">ratio", ">margin"});
  Table text(headings);
  for (const GoldenRow& row : rows) {
    std::vector<std::string> cells = {row.name};
    for (const auto& [n, cell] : row.cells) {
      if (!row.reason.empty()) {
        cells.insert(cells.end(), {"-", "-", "-"});
        continue;
      }
      cells.insert(cells.end(), {show_value(cell->error), number("%.3f", cell->ratio()) + (cell->passes() ? "" : " !"),
                                 number("%.0f %%", 100 * cell->margin)});
    }
    text.add(cells);
  }
  return text.text("  ") + "  " + table.splits_text() + "\n";
}

std::string golden_csv(const GoldenTable& table) {
  std::string text = "row,n,expected,measured,ratio,margin,within,recipe,not measured because\n";
  const auto quoted = [](std::string words) {
    std::replace(words.begin(), words.end(), '"', '\'');
    return "\"" + words + "\"";
  };
  for (const GoldenCell& cell : table.cells) {
    const bool known = cell.reason.empty();
    text += cell.row + "," + std::to_string(cell.n) + "," + show_number(cell.expected) + "," + (known ? show_number(cell.error) : "") +
            "," + (known ? show_number(cell.ratio()) : "") + "," + show_number(cell.margin) + "," +
            (!known          ? ""
             : cell.passes() ? "yes"
                             : "no") +
            "," + quoted(cell.recipe) + "," + quoted(cell.reason) + "\n";
  }
  return text;
}

std::string golden_html(const GoldenTable& table) {
  const std::vector<GoldenRow> rows = rows_of(table);
  if (rows.empty()) return "";
  std::string text = "<div class=\"scroll\"><table><thead><tr><th class=\"text\">row</th><th class=\"text\">problem and recipe</th>";
  for (const auto& [n, cell] : rows.front().cells)
    text += "<th>n = " + std::to_string(n) + "<br>expected</th><th>measured</th><th>ratio</th><th>margin</th>";
  text += "</tr></thead><tbody>\n";
  for (const GoldenRow& row : rows) {
    text += "<tr>" + cell(escape(row.name), "text");
    const GoldenCell& first = *row.cells.begin()->second;
    text += cell("<code>" +
                     escape((first.trial.scheme.empty() ? first.trial.storage : first.trial.scheme) +
                            (first.recipe.empty() ? "" : ", " + first.recipe)) +
                     "</code>",
                 "text");
    for (const auto& [n, value] : row.cells) {
      text += cell(show_value(value->expected));
      text += row.reason.empty() ? cell(show_value(value->error)) + cell(number("%.3f", value->ratio()), value->passes() ? "pass" : "above")
                                 : cell("not measured") + cell("");
      text += cell("&plusmn;" + number("%.0f", 100 * value->margin) + " %");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n<p>" + escape(table.splits_text()) + "</p>\n";
}

}  // namespace ulpfft_tool

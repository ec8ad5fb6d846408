// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/print_tables.h"

#include <string_view>
#include <variant>

#include "planner/table/pick_list.h"
#include "wisdom/recipe.h"
#include "wisdom/words.h"

namespace ulpfft {

std::string list_text(const std::vector<std::int64_t>& numbers) {
  std::string list;
  for (const std::int64_t number : numbers) list += (list.empty() ? "" : " ") + text(number);
  return list;
}

std::string body_text(const BodyFacts& body) {
  // A pass without a generated body, or a real transform.
  if ((body.form == TwiddleForm::kNone && body.radix == 1) || body.transform != RealTransform::kNone) return body.name;
  const std::string_view suffix = twiddle_suffix(body.form);
  return (body.form == TwiddleForm::kNone ? "n" : "t") + text(body.radix) + (suffix.empty() ? "" : ":" + std::string(suffix));
}

namespace {

std::string text_of(const TwiddleRequest& request) {
  std::string line =
      "twiddles(" + text(request.length * request.body->radix) + ", " + text(request.length) + ")  " + body_text(*request.body);
  if (request.begin != 0 || request.end != request.length) line += ", k " + text(request.begin) + ".." + text(request.end - 1);
  if (request.broadcast) return line + ", a set for each k";
  if (request.row != 0) line += ", rows of " + text(request.row);
  line += ", vectors of " + text(request.lanes);
  if (request.lane_order) line += " in lane order";
  if (request.packed != 0) line += request.packed > 0 ? ", complex" : ", complex, exchanged";
  if (const int radix = sums_of(request); radix != 0) line += ", and the roots of " + text(radix);
  if (request.element != nullptr) line += std::string(", rounded to ") + request.element->name;
  return line;
}

std::string text_of(const TwistRequest& request) {
  return "twist(" + text(request.n) + ")  " + text(request.rows) + " rows, columns " + text(request.begin) + ".." +
         text(request.end - 1) + ", panels of " + text(request.panel) + ", vectors of " + text(request.lanes) + ", split after " +
         text(request.split);
}

std::string text_of(const LineTwiddles& table) {
  const std::string kept = table.kept < table.columns ? ", the first " + text(table.kept) : "";
  return "twiddles of lines(" + text(table.rows) + " x " + text(table.columns) + ")" + kept;
}
std::string text_of(const Chirp& table) { return "chirp(" + text(table.n) + ")"; }
// The frequencies of a chirp transform.
std::string zoom_text(const Zoom& zoom, std::int64_t inputs) {
  const std::string points = text(zoom.points != 0 ? zoom.points : inputs);
  const std::string step = zoom.step != 0 ? print_double(zoom.step) : "1/" + points;
  return text(inputs) + "->" + points + ", start " + print_double(zoom.start) + ", step " + step;
}
std::string text_of(const ZoomChirp& table) {
  return std::string("chirp of ") + (table.output ? "outputs(" : "inputs(") + zoom_text(table.zoom, table.inputs) + ")";
}
std::string text_of(const RealTwiddles& table) {
  return "twiddles of reals(" + text(table.n) + ")" + (table.halved ? ", halved" : "");
}
std::string rounding_of(const FormatInfo* element) { return element == nullptr ? "" : std::string(", rounded to ") + element->name; }
std::string text_of(const FoldTwiddles& table) {
  return "twiddles of " + std::string(name_of(table.kind)) + "(" + text(table.n) + ")" + (table.halved ? ", halved" : "") +
         (table.weighted ? ", weighted" : "") + rounding_of(table.element);
}
std::string text_of(const PairTwiddles& table) { return "twiddles of pairs(" + text(table.n) + ")"; }
std::string text_of(const WindowFactors& table) {
  std::string lengths;
  for (const std::int64_t length : table.lengths) lengths += (lengths.empty() ? "" : "x") + text(length);
  return "window " + print_window(table.window) + "(" + lengths + ")";
}
std::string text_of(const PickFactors& table) {
  return std::string(table.output ? "signs of " : "factors of ") + std::string(name_of(table.kind)) + (table.half ? ", half" : "") +
         (table.weighted ? ", weighted" : "") + rounding_of(table.element);
}
std::string text_of(const FilterSpectrum& filter) {
  const bool zooms = filter.kind == FilterSpectrum::Kind::kZoom;
  const char* const kind = filter.kind == FilterSpectrum::Kind::kRader ? "rader" : zooms ? "chirp" : "bluestein";
  const std::string child = filter.child == nullptr ? "" : "  by " + print_recipe({"f64", *filter.child});
  return std::string(kind) + " filter(" + (zooms ? zoom_text(filter.zoom, filter.n) : text(filter.n)) + "; " + text(filter.m) + ")" + child;
}

// What a list of kPick has at the side of the transform, and at the other side.
std::string picked_text(const RowOrder& order, bool reals) { return !order.half ? "numbers" : reals ? "reals" : "half a spectrum"; }
std::string line_text(const RowOrder& order) { return std::string(name_of(order.r2r)) + "(" + text(order.n) + ")"; }

}  // namespace

std::string table_text(const TableOrder& order) {
  return std::visit([](const auto& table) { return text_of(table); }, order);
}

std::string rows_text(const RowOrder& order) {
  switch (order.kind) {
    case RowOrder::Kind::kNatural: return "0.." + text(order.count - 1);
    case RowOrder::Kind::kPowers: return "powers mod " + text(order.n);
    case RowOrder::Kind::kLogarithms: return "row " + text(order.none) + ", inverse logarithms mod " + text(order.n);
    case RowOrder::Kind::kDigits: return "digits(" + list_text(order.radices) + ")";
    case RowOrder::Kind::kPickIn: return line_text(order) + " to " + picked_text(order, picks_reals(order.r2r));
    case RowOrder::Kind::kPickOut: return picked_text(order, picks_spectrum(order.r2r)) + " to " + line_text(order);
    case RowOrder::Kind::kPickEnds: return "ends";
    case RowOrder::Kind::kDigitsOfLanes: break;
  }
  std::string line = "digits(" + list_text(order.radices) + ")  columns " + text(order.begin) + ".." +
                     text(order.begin + order.columns - 1) + " in vectors of " + text(order.lanes);
  if (order.reals_in_block > 1 && order.lanes > 1) line += " in lane order";
  return line + ", else row " + text(order.none);
}

}  // namespace ulpfft

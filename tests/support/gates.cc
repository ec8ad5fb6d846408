// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/gates.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ulpfft::test {
namespace {

struct Squares {
  double roundings = 0;  // of every transform anew
  double tables = 0;     // of filters: the same in every transform
};

struct Line {
  std::int64_t n = 1;
  Squares convolutions;  // all 0 without one
};

std::int64_t number_at(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The parts of "a; b(c; d); e", without the spaces between.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (i < text.size() && (text[i] != ';' || depth != 0)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = std::min(i + 2, text.size());
  }
  return parts;
}

std::int64_t product_of_radices(std::string_view passes) {
  std::int64_t product = 1;
  for (std::size_t begin = 0; begin < passes.size(); begin = passes.find(' ', begin) == passes.npos ? passes.size() : passes.find(' ', begin) + 1) {
    product *= std::max<std::int64_t>(number_at(passes.substr(begin)), 1);
  }
  return product;
}

// Two transforms of the line inside, products with tables and the filter between them. The errors of roundings are taken as independent,
// those of k transforms as sqrt(k) times that of one. An error of a filter inside moves both transforms by the same linear map, so that
// it adds up to its double at most; and to its triple where the filter here is transformed by the line inside as well.
Squares convolution(const Line& inside, bool filter_in_f64) {
  const auto [roundings, tables] = inside.convolutions;
  if (roundings == 0) return filter_in_f64 ? Squares{3, 1} : Squares{4, 0};
  return {2 * roundings, filter_in_f64 ? roundings + 9 * tables : 4 * tables};
}

Line line_of(std::string_view node, bool filters_in_f64) {
  const std::size_t open = std::min(node.find('('), node.size());
  const std::string_view name = node.substr(0, open);
  if (open == node.size()) return {node[0] == 'n' ? number_at(node.substr(1)) : 1, {}};  // n8; p16 of cols, mul of chain
  const std::string_view inside = node.substr(open + 1, node.rfind(')') - open - 1);
  if (name == "dit") return {product_of_radices(inside), {}};
  Line line;
  for (const std::string_view part : parts_of(inside)) {
    if (part.empty() || part[0] < 'a' || part[0] > 'z') continue;
    const Line child = line_of(part, filters_in_f64);
    if (name == "rader" || name == "bluestein") return {number_at(inside), convolution(child, filters_in_f64 && child.n > 1 << 12)};
    line.n *= child.n;
    line.convolutions.roundings += child.convolutions.roundings;
    line.convolutions.tables += child.convolutions.tables;
  }
  return line;
}

}  // namespace

double square_of_convolutions(std::string_view recipe, bool filters_in_f64) {
  const std::size_t scheme = recipe.substr(0, recipe.find('(')).rfind(':') + 1;
  const Squares squares = line_of(recipe.substr(scheme), filters_in_f64).convolutions;
  return std::max(squares.roundings + squares.tables, 1.0);
}

}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/facts.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/r2r_sums.h"

namespace ulpfft_tool::bench {
namespace {

std::vector<std::int64_t> read_integers(std::string_view text, char separator) {
  std::vector<std::int64_t> list;
  while (!text.empty()) {
    std::int64_t next = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), next);
    if (fault != std::errc{}) throw Failure("'" + std::string(text) + "' is no list of integers.");
    list.push_back(next);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text.front() != separator) throw Failure("'" + std::string(text) + "' is no list of integers.");
    if (!text.empty()) text.remove_prefix(1);
  }
  return list;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(' '); begin != text.npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return words;
}

// Where the words that follow kind, lengths and storage begin; the kind may be left out.
std::size_t lengths_word(const std::vector<std::string_view>& words) {
  return !words.empty() && words[0].front() >= '0' && words[0].front() <= '9' ? 0 : 1;
}

Extent extent_of(const Facts& facts, std::int64_t Axis::*n, std::int64_t Axis::*stride) {
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (const std::vector<Axis>* axes : {&facts.batch, &facts.lengths}) {
    for (const Axis& axis : *axes) {
      const std::int64_t reach = (axis.*n - 1) * (axis.*stride);
      (reach < 0 ? before : after) += reach;
    }
  }
  return {static_cast<std::size_t>(after - before) + 1, static_cast<std::size_t>(-before)};
}

// Numbers of all transforms at one end.
double numbers(const Facts& facts, std::int64_t Axis::*n) {
  double count = 1;
  for (const std::vector<Axis>* axes : {&facts.batch, &facts.lengths}) {
    for (const Axis& axis : *axes) count *= static_cast<double>(axis.*n);
  }
  return count;
}

// Dense arrays. In place the rows of reals, but of r2r, are as long as those of their spectrum, of 2 reals each.
void set_dense(const Facts& facts, std::vector<Axis>& axes) {
  const std::int64_t stored = axes.back().n / 2 + 1;
  const bool r2c = facts.kind == "r2c", c2r = facts.kind == "c2r";
  if (c2r) axes.back().in_n = stored;
  if (r2c) axes.back().out_n = stored;
  std::int64_t in = r2c && facts.in_place ? 2 * stored : axes.back().in_n;
  std::int64_t out = c2r && facts.in_place ? 2 * stored : axes.back().out_n;
  for (std::size_t i = axes.size() - 1; i-- > 0;) {
    axes[i].in_stride = in;
    axes[i].out_stride = out;
    in *= axes[i].n;
    out *= axes[i].n;
  }
}

void set_kinds(Facts& facts, std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const std::optional<int> kind = r2r_kind(name);
    if (!kind) throw Failure("'" + std::string(name) + "' is no kind of r2r.");
    facts.r2r_kinds.push_back(*kind);
  }
}

}  // namespace

Facts read_facts(const std::string& problem_text) {
  Facts facts;
  facts.text = problem_text;
  const std::vector<std::string_view> words = words_of(problem_text);
  const std::size_t first = lengths_word(words);
  if (words.size() < first + 2) throw Failure("'" + problem_text + "' names no storage.");
  if (first == 1) facts.kind = words[0];
  if (facts.kind == "czt") {
    throw Failure("'" + problem_text + "': there is nothing here that chirp transforms are compared with. ulpfft plan times them.");
  }
  const std::string_view sizes = words[first];
  const std::size_t star = sizes.find('*');
  const std::vector<std::int64_t> lengths = read_integers(sizes.substr(0, star), 'x');
  const std::vector<std::int64_t> batch =
      star == sizes.npos ? std::vector<std::int64_t>() : read_integers(sizes.substr(star + 1), 'x');
  const std::size_t arrow = words[first + 1].find("->");
  facts.storage_in = words[first + 1].substr(0, arrow);
  facts.storage_out = arrow == sizes.npos ? facts.storage_in : std::string(words[first + 1].substr(arrow + 2));

  std::vector<Axis> all;
  for (const std::vector<std::int64_t>* list : {&batch, &lengths}) {
    for (const std::int64_t n : *list) all.push_back({.n = n});
  }
  for (const std::string_view word : words) facts.in_place = facts.in_place || word == "inplace";
  set_dense(facts, all);
  const auto set = [&](std::int64_t Axis::*stride, std::size_t from, const std::vector<std::int64_t>& list, std::size_t skip) {
    for (std::size_t i = 0; i + skip < list.size() && from + i < all.size(); ++i) all[from + i].*stride = list[i + skip];
  };
  for (std::size_t i = first + 2; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = equals == word.npos ? std::string_view() : word.substr(equals + 1);
    if (name == "kinds") set_kinds(facts, value);
    if (name == "inverse") facts.inverse = true;
    if (name == "centered") facts.centered = true;
    if (name == "split") facts.split = true;
    if (name == "scale") facts.scale = value;
    if (name == "scheme") facts.scheme = value;
    if (name == "threads") facts.threads = std::max(1, std::atoi(std::string(value).c_str()));
    if (name == "in_strides") set(&Axis::in_stride, batch.size(), read_integers(value, ','), 0);
    if (name == "out_strides") set(&Axis::out_stride, batch.size(), read_integers(value, ','), 0);
    if (name == "batch_strides") {
      std::vector<std::int64_t> list = read_integers(value, ',');
      set(&Axis::out_stride, 0, list, batch.size());
      list.resize(std::min(list.size(), batch.size()));
      set(&Axis::in_stride, 0, list, 0);
    }
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(batch.size());
  facts.batch.assign(all.begin(), middle);
  facts.lengths.assign(middle, all.end());
  return facts;
}

std::int64_t Facts::size() const {
  std::int64_t product = 1;
  for (const Axis& axis : lengths) product *= axis.n;
  return product;
}

std::int64_t Facts::points() const {
  std::int64_t product = size();
  for (const Axis& axis : batch) product *= axis.n;
  return product;
}

double Facts::nominal_flops() const {
  return (is_real() ? 2.5 : 5.0) * static_cast<double>(points()) * std::log2(static_cast<double>(size()));
}

double Facts::scale_factor() const {
  double n = 1;
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    n *= static_cast<double>(is_r2r() && has_kinds() ? logical_length(r2r_kinds[d], lengths[d].n) : lengths[d].n);
  }
  if (scale == "none") return 1.0;
  if (scale == "ortho") return 1.0 / std::sqrt(n);
  if (scale == "1/n") return 1.0 / n;
  return std::strtod(scale.c_str(), nullptr);
}

std::size_t Facts::real_bytes() const { return storage_in == "f64" ? 8 : 4; }

Extent Facts::in_extent() const { return extent_of(*this, &Axis::in_n, &Axis::in_stride); }
Extent Facts::out_extent() const { return extent_of(*this, &Axis::out_n, &Axis::out_stride); }

double Facts::bytes_touched() const {
  const double reals = (in_is_real() ? 1 : 2) * numbers(*this, &Axis::in_n) + (out_is_real() ? 1 : 2) * numbers(*this, &Axis::out_n);
  return static_cast<double>(real_bytes()) * reals;
}

std::string on_one_thread(const Facts& facts) {
  std::string text;
  for (const std::string_view word : words_of(facts.text)) {
    if (!word.starts_with("threads=")) text += (text.empty() ? "" : " ") + std::string(word);
  }
  return text;
}

}  // namespace ulpfft_tool::bench

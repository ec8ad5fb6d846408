// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/codelets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <ostream>
#include <string_view>
#include <utility>

namespace ulpfft::test {
namespace {

// "n8" -> 8, no form; "t8_ds" -> 8, "ds".
struct Name {
  char letter = 0;
  std::int64_t radix = 0;
  std::string form;
  std::string kind;
  std::string compute;
  std::int64_t second = 1;  // radix of the second body of a pair
};

std::optional<Name> parse(std::string_view text, std::string_view kind) {
  if (text.size() < 2 || (text[0] != 'n' && text[0] != 't')) return std::nullopt;
  Name name{text[0], 0, "", std::string(kind), ""};
  std::size_t i = 1;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) name.radix = name.radix * 10 + (text[i] - '0');
  if (i == 1) return std::nullopt;
  if (i == text.size()) return name;
  if (text[i] != '_') return std::nullopt;
  name.form = text.substr(i + 1);
  return name;
}

// Read once per target: the list does not change.
const std::vector<Name>& names_of(const Target& target) {
  static std::map<std::size_t, std::vector<Name>> known;
  std::vector<Name>& names = known[target.index];
  if (!names.empty()) return names;
  for (std::size_t i = 0; i < target.codelets; ++i) {
    auto codelet = sized<ulpfft_codelet>();
    if (ulpfft_codelet_get(target.index, i, &codelet) != ULPFFT_OK) {
      ADD_FAILURE() << "codelet " << i << " of " << target << ": " << last_error_text();
      break;
    }
    if (std::string_view(codelet.compute).starts_with("rounded")) continue;  // schemes of their own
    auto name = parse(codelet.name, codelet.kind);
    if (!name) continue;
    name->compute = codelet.compute;
    if (name->radix > 0) name->second = codelet.radix / name->radix;
    names.push_back(*name);
  }
  return names;
}

std::vector<TwiddledBody> bodies_of_kind(const Target& target, std::string_view kind) {
  std::vector<TwiddledBody> bodies;
  for (const Name& name : names_of(target)) {
    if (name.kind == kind) bodies.push_back({name.radix, name.form});
  }
  std::sort(bodies.begin(), bodies.end(), [](const TwiddledBody& a, const TwiddledBody& b) {
    return a.radix != b.radix ? a.radix < b.radix : a.form < b.form;
  });
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

std::vector<std::int64_t> radices_of_kind(const Target& target, std::string_view kind) {
  std::vector<std::int64_t> radices;
  for (const Name& name : names_of(target)) {
    if (name.kind == kind) radices.push_back(name.radix);
  }
  std::sort(radices.begin(), radices.end());
  radices.erase(std::unique(radices.begin(), radices.end()), radices.end());
  return radices;
}

// Factors after the first: random bodies until nothing is left; false when stuck.
bool split_rest(Random& random, const std::vector<TwiddledBody>& bodies, std::int64_t n, std::vector<TwiddledBody>& passes) {
  while (n > 1) {
    std::vector<TwiddledBody> possible;
    for (const TwiddledBody& body : bodies) {
      if (n % body.radix == 0) possible.push_back(body);
    }
    if (possible.empty()) return false;
    passes.push_back(possible[random.below(possible.size())]);
    n /= passes.back().radix;
  }
  return true;
}

// Reads a sound recipe's text and looks up every body it names.
class BodyScan {
 public:
  BodyScan(const Target& target, const std::string& recipe)
      : text_(recipe), at_(recipe.find(':') + 1), wholes_(whole_radices(target)), firsts_(radices_of_kind(target, "first")),
        columns_(radices_of_kind(target, "columns")), bodies_(bodies_of_kind(target, "twiddled")), panel_bodies_(twiddled_bodies(target)) {
    for (const RegisterPair& pair : pairs_in_registers(target)) {
      if (recipe.starts_with(pair.compute + ':')) pairs_.push_back({pair.first, pair.second});
    }
    for (const RegisterPair& body : bodies_in_registers(target)) {
      if (recipe.starts_with(body.compute + ':')) alone_.push_back(body.first);
    }
  }

  // `panel`: the node runs with neighbouring columns in the lanes.
  bool node(bool panel) {
    if (take("dit(")) return dit(panel);
    if (take("four(")) {
      skip_past(';');
      const bool first = runs_on_columns();
      bool found = node(first);
      skip_past(';');
      found = node(first && runs_on_columns()) && found;
      skip_past(')');
      return found;
    }
    if (take("cols(")) return last_child(true);
    if (take("rader(") || take("real(") || take("r2r(")) return last_child(false);
    if (take("chain(")) {
      bool found = node(false);
      skip_past(';');
      skip_past(';');
      found = node(false) && found;
      skip_past(')');
      return found;
    }
    if (take("bluestein(")) {
      skip_past(';');
      return last_child(false);
    }
    if (take("rank(")) {
      bool found = node(false);
      while (take("; ")) found = node(false) && found;
      skip_past(')');
      return found;
    }
    if (take("n")) {
      const std::int64_t n = number();
      return has(panel ? columns_ : wholes_, n) || (!panel && has(alone_, n));
    }
    ADD_FAILURE() << "a node this test does not know, at byte " << at_ << " of " << text_;
    return false;
  }

 private:
  template <typename List, typename Value>
  static bool has(const List& list, const Value& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }
  bool take(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  // And past the space after it.
  void skip_past(char letter) {
    while (at_ < text_.size() && text_[at_] != letter) ++at_;
    ++at_;
    if (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool is_digit() const { return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; }
  bool runs_on_columns() const { return text_.compare(at_, 1, "n") == 0 || text_.compare(at_, 4, "dit(") == 0; }
  std::int64_t number() {
    std::int64_t value = 0;
    for (; is_digit(); ++at_) value = value * 10 + (text_[at_] - '0');
    return value;
  }
  bool dit(bool panel) {
    const std::int64_t first = number();
    bool found = has(panel ? columns_ : firsts_, first);
    std::vector<TwiddledBody> passes;
    while (at_ < text_.size() && !take(")")) {
      if (!is_digit()) {
        ++at_;
        continue;
      }
      TwiddledBody body{number(), ""};
      if (take(":")) {
        for (; at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0; ++at_) body.form += text_[at_];
      }
      found = has(panel ? panel_bodies_ : bodies_, body) && found;
      passes.push_back(body);
    }
    const bool pair = !panel && passes.size() == 1 && passes[0].form.empty() && has(pairs_, std::pair(first, passes[0].radix));
    return found || pair;
  }
  bool last_child(bool panel) {
    skip_past(';');
    const bool found = node(panel);
    skip_past(')');
    return found;
  }

  const std::string& text_;
  std::size_t at_;
  std::vector<std::int64_t> wholes_, firsts_, columns_, alone_;  // alone: in registers
  std::vector<TwiddledBody> bodies_, panel_bodies_;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs_;
};

std::int64_t smallest_prime_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// Larger bodies have panels on some targets, or in one type, only.
constexpr std::int64_t kLargestPanelBody = 16;

// A node that runs with columns in the lanes: n or dit.
std::optional<std::string> random_panel(Random& random, const Target& target, std::int64_t n) {
  const auto radices = radices_of_kind(target, "columns");
  if (n <= kLargestPanelBody && random.chance(0.5) && std::find(radices.begin(), radices.end(), n) != radices.end()) return "n" + std::to_string(n);
  const auto dit = random_dit(random, target, "", n);
  if (!dit) return std::nullopt;
  return dit->substr(1);
}

// `depth` nodes may still be nested in it: an execution has six work slots.
std::optional<std::string> random_node(Random& random, const Target& target, std::int64_t n, int depth) {
  const auto wholes = whole_radices(target);
  if (random.chance(0.3) && std::find(wholes.begin(), wholes.end(), n) != wholes.end()) return "n" + std::to_string(n);
  if (random.chance(depth == 0 ? 1.0 : 0.4)) {
    if (const auto dit = random_dit(random, target, "", n)) return dit->substr(1);
  }
  if (depth == 0 || n < 2) return std::nullopt;
  const std::int64_t prime = smallest_prime_factor(n);
  const std::string length = std::to_string(n);
  if (prime < n && random.chance(0.7)) {
    std::int64_t first = 1;
    for (std::int64_t rest = n; rest > 1;) {
      const std::int64_t p = smallest_prime_factor(rest);
      rest /= p;
      if (first * p < n && random.chance(0.5)) first *= p;
    }
    if (first == 1) first = prime;
    const auto child = [&](std::int64_t m) {
      const auto panel = random.chance(0.7) ? random_panel(random, target, m) : std::nullopt;
      const auto node = panel ? panel : random_node(random, target, m, depth - 1);
      return node && node->front() == 'n' && m > kLargestPanelBody ? std::nullopt : node;
    };
    const auto a = child(first);
    const auto b = child(n / first);
    if (!a || !b) return std::nullopt;
    const std::int64_t panel = random.chance(0.5) ? std::int64_t{16} << random.below(3) : random.between(1, 40);
    return "four(" + std::to_string(first) + "x" + std::to_string(n / first) + " p" + std::to_string(panel) + "; " + *a + "; " + *b + ")";
  }
  const bool rader = prime == n && n > 2 && random.chance(0.6);
  const std::int64_t least = rader ? 2 * n - 3 : 2 * n - 1;
  std::int64_t m = random.between(least, least + least / 2);
  while (!is_smooth(m)) ++m;
  if (rader && random.chance(0.5)) m = n - 1;
  const auto child = random_node(random, target, m, depth - 1);
  if (!child) return std::nullopt;
  return rader ? "rader(" + length + "; " + *child + ")" : "bluestein(" + length + "; " + std::to_string(m) + "; " + *child + ")";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const TwiddledBody& body) { return out << body.text(); }

std::vector<std::int64_t> whole_radices(const Target& target) { return radices_of_kind(target, "whole"); }
std::vector<std::int64_t> first_radices(const Target& target) {
  const auto lines = radices_of_kind(target, "first"), panels = radices_of_kind(target, "columns");
  std::vector<std::int64_t> radices;
  std::set_intersection(lines.begin(), lines.end(), panels.begin(), panels.end(), std::back_inserter(radices));
  return radices;
}

std::vector<TwiddledBody> twiddled_bodies(const Target& target) { return bodies_of_kind(target, "columns_twiddled"); }

bool has_bodies(const Target& target, const std::string& recipe) { return BodyScan(target, recipe).node(false); }

std::vector<RegisterPair> pairs_in_registers(const Target& target) {
  std::vector<RegisterPair> pairs;
  for (const Name& name : names_of(target)) {
    if (name.kind == "packed" && name.second > 1) pairs.push_back({name.compute, name.radix, name.second});
  }
  return pairs;
}
std::vector<RegisterPair> bodies_in_registers(const Target& target) {
  std::vector<RegisterPair> bodies;
  for (const Name& name : names_of(target)) {
    if (name.kind == "packed" && name.second <= 1) bodies.push_back({name.compute, name.radix, 1});
  }
  return bodies;
}

std::optional<std::string> random_dit(Random& random, const Target& target, const std::string& scheme, std::int64_t n) {
  const auto firsts = first_radices(target);
  const auto bodies = twiddled_bodies(target);
  for (int attempt = 0; attempt < 20; ++attempt) {
    const std::int64_t first = firsts[random.below(firsts.size())];
    std::vector<TwiddledBody> passes;
    if (first < 2 || n % first != 0 || n == first || !split_rest(random, bodies, n / first, passes)) continue;
    std::string text = scheme + ":dit(" + std::to_string(first);
    for (const TwiddledBody& pass : passes) text += (random.chance(0.2) ? " / " : " ") + pass.text();
    return text + ")";
  }
  return std::nullopt;
}

std::optional<std::string> streaming(const std::string& recipe) {
  const std::size_t node = recipe.find(':') + 1;
  const auto begins = [&](std::string_view word) { return recipe.compare(node, word.size(), word) == 0; };
  std::size_t at = 0;
  if (begins("dit(")) at = recipe.find(')');
  if (begins("four(") || begins("cols(")) at = recipe.find(';');
  if (at == 0) return std::nullopt;
  return recipe.substr(0, at) + " stream" + recipe.substr(at);
}

std::optional<std::string> random_recipe(Random& random, const Target& target, const std::string& scheme, std::int64_t n) {
  constexpr std::size_t kLongestText = 256;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto node = random_node(random, target, n, 3);
    if (!node || scheme.size() + 1 + node->size() > kLongestText) continue;
    const std::string text = scheme + ":" + *node;
    const auto streams = streaming(text);
    return streams && streams->size() <= kLongestText && random.chance(0.3) ? streams : text;
  }
  return std::nullopt;
}

}  // namespace ulpfft::test

#include "tests/support/codelets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <ostream>
#include <string_view>

namespace ulpfft::test {
namespace {

// "n8" -> 8, no form; "t8_ds" -> 8, "ds".
struct Name {
  char letter = 0;
  std::int64_t radix = 0;
  std::string form;
  std::string kind;
};

std::optional<Name> parse(std::string_view text, std::string_view kind) {
  if (text.size() < 2 || (text[0] != 'n' && text[0] != 't')) return std::nullopt;
  Name name{text[0], 0, "", std::string(kind)};
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
    if (const auto name = parse(codelet.name, codelet.kind)) names.push_back(*name);
  }
  return names;
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

}  // namespace

std::ostream& operator<<(std::ostream& out, const TwiddledBody& body) { return out << body.text(); }

std::vector<std::int64_t> whole_radices(const Target& target) { return radices_of_kind(target, "whole"); }
std::vector<std::int64_t> first_radices(const Target& target) { return radices_of_kind(target, "first"); }

bool has_bodies(const Target& target, const std::string& recipe) {
  const auto wholes = whole_radices(target);
  const auto firsts = first_radices(target);
  const auto bodies = twiddled_bodies(target);
  const auto has = [](const auto& list, const auto& value) { return std::find(list.begin(), list.end(), value) != list.end(); };
  bool first = false;  // the next number is the first radix of a dit
  for (std::size_t i = 0; i < recipe.size();) {
    if (recipe.compare(i, 4, "dit(") == 0) {
      first = true;
      i += 4;
      continue;
    }
    const bool whole = recipe[i] == 'n' && i + 1 < recipe.size() && std::isdigit(static_cast<unsigned char>(recipe[i + 1])) != 0;
    const bool pass = std::isdigit(static_cast<unsigned char>(recipe[i])) != 0 && i > 0 && (recipe[i - 1] == '(' || recipe[i - 1] == ' ');
    if (!whole && !pass) {
      ++i;
      continue;
    }
    if (whole) ++i;
    TwiddledBody body;
    for (; i < recipe.size() && std::isdigit(static_cast<unsigned char>(recipe[i])) != 0; ++i) body.radix = body.radix * 10 + (recipe[i] - '0');
    if (i < recipe.size() && recipe[i] == ':') {
      for (++i; i < recipe.size() && std::isalpha(static_cast<unsigned char>(recipe[i])) != 0; ++i) body.form += recipe[i];
    }
    if (whole ? !has(wholes, body.radix) : first ? !has(firsts, body.radix) : !has(bodies, body)) return false;
    if (!whole) first = false;
  }
  return true;
}

std::vector<TwiddledBody> twiddled_bodies(const Target& target) {
  std::vector<TwiddledBody> bodies;
  for (const Name& name : names_of(target)) {
    if (name.letter == 't') bodies.push_back({name.radix, name.form});
  }
  std::sort(bodies.begin(), bodies.end(), [](const TwiddledBody& a, const TwiddledBody& b) {
    return a.radix != b.radix ? a.radix < b.radix : a.form < b.form;
  });
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
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

}  // namespace ulpfft::test

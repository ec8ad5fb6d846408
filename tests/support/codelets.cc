#include "tests/support/codelets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace ulpfft::test {
namespace {

// "n8" -> 8, no form; "t8_ds" -> 8, "ds". Names of two bodies joined ("n16_t8") are left to their parts.
struct Name {
  char letter = 0;
  std::int64_t radix = 0;
  std::string form;
};

std::optional<Name> parse(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'n' && text[0] != 't')) return std::nullopt;
  Name name{text[0], 0, ""};
  std::size_t i = 1;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) name.radix = name.radix * 10 + (text[i] - '0');
  if (i == 1) return std::nullopt;
  if (i == text.size()) return name;
  name.form = text.substr(std::min(i + 1, text.size()));
  if (text[i] != '_' || (name.form != "ds" && name.form != "ch")) return std::nullopt;
  return name;
}

std::vector<Name> names_of(const Target& target) {
  std::vector<Name> names;
  for (std::size_t i = 0; i < target.codelets; ++i) {
    auto codelet = sized<ulpfft_codelet>();
    if (ulpfft_codelet_get(target.index, i, &codelet) != ULPFFT_OK) {
      ADD_FAILURE() << "codelet " << i << " of " << target << ": " << last_error_text();
      break;
    }
    if (const auto name = parse(codelet.name)) names.push_back(*name);
  }
  return names;
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

std::vector<std::int64_t> plain_radices(const Target& target) {
  std::vector<std::int64_t> radices;
  for (const Name& name : names_of(target)) {
    if (name.letter == 'n') radices.push_back(name.radix);
  }
  std::sort(radices.begin(), radices.end());
  radices.erase(std::unique(radices.begin(), radices.end()), radices.end());
  return radices;
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
  const auto firsts = plain_radices(target);
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

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/pareto/between.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ulpfft {
namespace {

// Without those that say how the arrays of the caller are read and written.
std::vector<std::string> passes_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word != "decode" && word != "encode" && word != "stream") words.push_back(word);
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::string recipe_with_between(const std::string& recipe, const std::string& format) {
  const std::size_t colon = recipe.rfind(':', recipe.find('('));  // names of schemes have colons of their own
  if (colon == std::string::npos) return "";
  std::string text = recipe;
  if (text.compare(colon, 6, ":rank(") == 0) return text.insert(colon + 6, "|" + format + "; ");
  if (text.compare(colon, 6, ":four(") == 0) return text.insert(text.find(';', colon), " |" + format);
  if (text.compare(colon, 5, ":dit(") != 0) return "";
  const std::vector<std::string> words = passes_of(text.substr(colon + 5, text.size() - colon - 6));
  std::size_t last = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "/") last = i;
  }
  bool first = true;
  std::string result = text.substr(0, colon + 5);
  for (std::size_t i = 0; i < words.size(); ++i) {
    result += (i > 0 ? " " : "") + words[i];
    if (words[i] != "/" && i < last) result += "|" + (std::exchange(first, false) ? format : "");
  }
  return first ? "" : result + ")";
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace ulpfft_tool {
namespace {

constexpr std::size_t kLongestWord = 40;
constexpr std::size_t kLongWord = 7;  // --window is not --wisdom
constexpr std::size_t kShortestBeginning = 3;

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Letters inserted, removed, changed or exchanged with their neighbours: three rows of the table of all beginnings are kept.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  if (word.empty() || word.size() > kLongestWord) return "";
  const std::string wanted = lower(word);
  std::string best;
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  std::size_t least = letters < kLongWord ? 2 : 3;
  for (const std::string& name : names) {
    const std::size_t distance = edits(wanted, lower(name));
    if (distance < least && distance < name.size()) {
      best = name;
      least = distance;
    }
  }
  if (!best.empty() || wanted.size() < kShortestBeginning) return best;
  const auto begun = std::find_if(names.begin(), names.end(), [&](const std::string& name) { return lower(name).starts_with(wanted); });
  return begun == names.end() ? "" : *begun;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string name = nearest(word, names);
  return name.empty() ? "" : " Did you mean '" + name + "'?";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::function<std::string(const std::string&)> one_of(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& word) {
    if (std::find(names.begin(), names.end(), word) != names.end()) return std::string();
    return "'" + word + "' is not possible here." + did_you_mean(word, names) + " Possible are " + listed(names);
  };
}

std::string in_braces(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return "{" + text + "}";
}

}  // namespace ulpfft_tool

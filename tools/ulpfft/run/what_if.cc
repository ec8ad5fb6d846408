// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/what_if.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/words_elsewhere.h"

namespace ulpfft_tool {
namespace {

const std::vector<std::string> kWhatIfNames = {"storage", "scheme", "precision", "intermediate", "prescale", "max_error"};
constexpr const char* kPossible = "Possible are storage=, scheme=, precision=, intermediate=, prescale= and max_error=.";
// Every scheme and format takes this length.
constexpr const char* kTried = "64 ";

// The storage that a word names, "" if it has another field. Throws UsageError.
std::string storage_of(const std::string& word, const std::string& text, std::size_t begin) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(std::min(equals + 1, word.size()));
  const bool is_name = std::find(kWhatIfNames.begin(), kWhatIfNames.end(), name) != kWhatIfNames.end();
  bool has_value = false;
  const bool is_of_program = is_word_of_problem(name, has_value) && !is_name;
  if (equals == word.size() && !is_name && !is_of_program) return word;
  if (is_name && !value.empty()) return name == "storage" ? value : "";
  throw UsageError(is_name         ? "'" + name + "' needs a value, e.g. storage=f16. " + kPossible
                   : is_of_program ? "'" + name + "' is for the program to say: --what-if says how numbers are kept. " + kPossible
                                   : "'" + word + "' is not a word of --what-if." + did_you_mean(name, kWhatIfNames) + " " + kPossible,
                   text, begin, begin + word.size());
}

}  // namespace

std::string read_spec(const std::string& text) {
  std::string storage;
  std::vector<std::string> others;
  for (std::size_t begin = text.find_first_not_of(' '); begin != text.npos; begin = text.find_first_not_of(' ', begin)) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::string named = storage_of(word, text, begin);
    const bool again =
        !named.empty() ? !storage.empty() : std::any_of(others.begin(), others.end(), [&](const std::string& other) {
          return other.substr(0, other.find('=')) == word.substr(0, word.find('='));
        });
    if (again) {
      const std::string pair =
          " The storages of input and result are written " + storage + ":" + named + "; another SPEC has a --what-if of its own.";
      throw UsageError("'" + word + "' says again what a word before it says." + (named.empty() ? "" : pair), text, begin, end);
    }
    if (named.empty()) others.push_back(word);
    if (!named.empty()) storage = named;
    begin = end;
  }
  if (storage.empty() && others.empty())
    throw UsageError(std::string("--what-if needs a format, e.g. storage=f16. ") + kPossible, "--what-if", 0, 9);
  std::string problem = kTried + (storage.empty() ? "f64" : storage);
  for (const std::string& word : others) problem += " " + word;
  try {
    problem = read_problem({problem});
    with_text(problem, "problem", [&] { return ulpfft::Context().parse(problem, {.effort = ulpfft::Effort::kEstimate}); });
  } catch (const UsageError& error) {
    // The same word where the user wrote it; names of other programs stand for those of the library.
    const std::string word = error.text().substr(error.begin(), error.end() - error.begin());
    const std::size_t at = word.empty() ? text.npos : text.find(word);
    throw UsageError(error.what(), text, at == text.npos ? 0 : at, at == text.npos ? text.size() : at + word.size(),
                     error.status());
  }
  const std::size_t rest = problem.find(' ', std::string_view(kTried).size());
  const std::string kept =
      storage.empty() ? "" : "storage=" + problem.substr(std::string_view(kTried).size(), rest - std::string_view(kTried).size());
  return rest == problem.npos ? kept : kept + (kept.empty() ? problem.substr(rest + 1) : problem.substr(rest));
}

void join_specs(std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool has_value = words[i].starts_with("--what-if=");
    if (words[i] != "--what-if" && !has_value) continue;
    const std::size_t first = has_value ? i : i + 1;
    while (first + 1 < words.size() && (has_value || !words[first].starts_with('-')) && !words[first + 1].starts_with('-')) {
      words[first] += " " + words[first + 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    }
  }
}

}  // namespace ulpfft_tool

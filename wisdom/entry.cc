// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/entry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "wisdom/problem_fields.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::array<std::string_view, 4> kEfforts = {"estimate", "measure", "patient", "exhaustive"};
constexpr std::array<std::string_view, 3> kErrorLevels = {"predicted", "sampled", "full"};
constexpr std::size_t kMaxMachine = 64;

bool is_machine(std::string_view text) {
  return !text.empty() && text.size() <= kMaxMachine && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

bool is_text(std::string_view text) { return text.size() <= kMaxWisdomString && is_printable(text); }

// Whether a recipe consists of the nodes, twiddle forms and schemes that a reader of schema 1 builds.
bool is_recipe_of_schema_1(std::string_view recipe) {
  constexpr std::array<std::string_view, 10> kWords = {"n", "dit", "cols", "rank", "p", "ds", "ch", "lf", "cos", ""};
  const std::size_t colon = recipe.find(':');
  if (recipe.substr(0, colon) != "f32" && recipe.substr(0, colon) != "f64") return false;
  std::string_view rest = recipe.substr(std::min(colon, recipe.size()));
  while (!rest.empty()) {
    const std::size_t begin = std::min(rest.find_first_not_of("0123456789:;/() "), rest.size());
    const std::size_t end = std::min(rest.find_first_of("0123456789:;/() ", begin), rest.size());
    if (std::find(kWords.begin(), kWords.end(), rest.substr(begin, end - begin)) == kWords.end()) return false;
    rest.remove_prefix(end);
  }
  return true;
}

// The newest schema of the words of a problem.
int schema_of_words(std::string_view problem) {
  int newest = problem.starts_with("czt ") ? 9 : 1;  // the key of a chirp transform has neither start nor step
  while (!problem.empty()) {
    const std::string_view word = problem.substr(0, problem.find(' '));
    if (const ProblemField* field = find_field(word.substr(0, word.find('=')))) newest = std::max(newest, field->schema);
    problem.remove_prefix(std::min(word.size() + 1, problem.size()));
  }
  return newest;
}

// Whether an entry is of real numbers or split schemes as readers before schema 7 do not know them. Real numbers were in f32 or f64 alone
// before, and had a real node.
bool is_newer_than_schema_6(const Entry& entry) {
  const std::string_view problem = entry.problem_key, recipe = entry.recipe;
  const auto has = [&](std::string_view word) { return problem.find(word) != std::string_view::npos; };
  if (problem.starts_with("r2r ") || has(" scheme=split") || recipe.starts_with("split:")) return true;
  if (!problem.starts_with("r2c ") && !problem.starts_with("c2r ")) return false;
  for (const char* word : {" centered", " scheme=rounded", " intermediate=", " chain=", " prescale="}) {
    if (has(word)) return true;
  }
  const bool is_f32 = recipe.starts_with("f32:") && has(" f32"), is_f64 = recipe.starts_with("f64:") && has(" f64");
  return has("->") || !(is_f32 || is_f64) || recipe.find("real(") == std::string_view::npos;
}

int schema_of_recipe(std::string_view recipe) {
  for (const char* word : {"|", " decode", " encode"}) {
    if (recipe.find(word) != std::string_view::npos) return 3;
  }
  return is_recipe_of_schema_1(recipe) ? 1 : 2;
}

void add_detail(std::vector<std::string>& details, std::string line) {
  if (details.size() < ImportReport::kMaxDetails) details.push_back(std::move(line));
  if (details.size() == ImportReport::kMaxDetails) details.back() = "(further entries are counted, not listed)";
}

}  // namespace

int effort_rank(std::string_view effort) {
  const auto found = std::find(kEfforts.begin(), kEfforts.end(), effort);
  return found == kEfforts.end() ? 0 : static_cast<int>(found - kEfforts.begin()) + 1;
}

int entry_schema(const Entry& entry) {
  return std::max({schema_of_words(entry.problem_key), is_newer_than_schema_6(entry) ? 7 : 1, schema_of_recipe(entry.recipe),
                   effort_rank(entry.effort) <= 2 ? 1 : 2});
}

int newest_entry_schema() {
  int newest = 7;  // of what is_newer_than_schema_6() looks for
  for (const ProblemField& field : problem_fields()) newest = std::max(newest, field.schema);
  return newest;
}

std::string entry_fault(const Entry& entry) {
  const auto text_fault = [](const char* name, const std::string& text) {
    return std::string(name) + " " + in_quotes(text) + " is not 1 to " + std::to_string(kMaxWisdomString) +
           " bytes of printable ASCII.";
  };
  if (entry.problem_key.empty() || !is_text(entry.problem_key)) return text_fault("problem", entry.problem_key);
  if (entry.recipe.empty() || !is_text(entry.recipe)) return text_fault("recipe", entry.recipe);
  if (!is_text(entry.library_version)) return text_fault("version", entry.library_version);
  if (!is_machine(entry.machine))
    return "machine " + in_quotes(entry.machine) + " is not 1 to 64 characters of a-z, 0-9, '_', '.' and '-'.";
  if (!entry.codelets.empty() && !is_machine(entry.codelets))
    return "codelets " + in_quotes(entry.codelets) + " is not 1 to 64 characters of a-z, 0-9, '_', '.' and '-'.";
  if (entry.threads < 1 || entry.threads > kMaxEntryThreads) {
    return "threads " + std::to_string(entry.threads) + " is not within 1 to " + std::to_string(kMaxEntryThreads) + ".";
  }
  const std::array<std::pair<const char*, double>, 3> numbers = {
      {{"seconds", entry.seconds}, {"spread", entry.spread}, {"error", entry.error}}};
  for (const auto& [name, value] : numbers) {
    if (!std::isfinite(value) || value < 0) return std::string(name) + " is not finite and at least 0.";
  }
  if (std::find(kErrorLevels.begin(), kErrorLevels.end(), entry.error_level) == kErrorLevels.end()) {
    return "error_level " + in_quotes(entry.error_level) + " is not " + one_of(kErrorLevels) + ".";
  }
  if (effort_rank(entry.effort) == 0) return "effort " + in_quotes(entry.effort) + " is not " + one_of(kEfforts) + ".";
  return "";
}

void ImportReport::add_stale(const std::string& which, const std::string& why) {
  ++stale;
  add_detail(details, "stale: " + which + ": " + why);
}

void ImportReport::add_foreign(const std::string& which, const std::string& why) {
  ++foreign;
  add_detail(details, "foreign: " + which + ": " + why);
}

void ImportReport::add_malformed(const std::string& which, const std::string& why) {
  ++malformed;
  add_detail(details, "malformed: " + which + ": " + why);
}

}  // namespace ulpfft

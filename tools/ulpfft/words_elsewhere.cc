// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/words_elsewhere.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "ulpfft/ulpfft.h"

namespace ulpfft_tool {
namespace {

constexpr std::array<std::string_view, 5> kOwnKinds = {"c2c", "r2c", "c2r", "r2r", "czt"};
// A transform that another program names. "2" and "n" may follow the names of more dimensions: rfft2, idctn.
struct Elsewhere {
  std::string_view name;
  std::string_view kind;
  std::string_view of_r2r;  // for each length
  bool inverse;
  bool of_two;              // whether "2" may follow: dct2 is a type
};
constexpr Elsewhere kElsewhere[] = {
    {"fft", "c2c", "", false, true},       {"ifft", "c2c", "", true, true},       {"rfft", "r2c", "", false, true},
    {"irfft", "c2r", "", true, true},      {"dct", "r2r", "dct2", false, false},  {"idct", "r2r", "dct3", true, false},
    {"dst", "r2r", "dst2", false, false},  {"idst", "r2r", "dst3", true, false},  {"dct1", "r2r", "dct1", false, false},
    {"dct2", "r2r", "dct2", false, false}, {"dct3", "r2r", "dct3", false, false}, {"dct4", "r2r", "dct4", false, false},
    {"dst1", "r2r", "dst1", false, false}, {"dst2", "r2r", "dst2", false, false}, {"dst3", "r2r", "dst3", false, false},
    {"dst4", "r2r", "dst4", false, false}, {"r2hc", "r2r", "r2hc", false, false}, {"hc2r", "r2r", "hc2r", false, false},
    {"dht", "r2r", "dht", false, false},   {"hartley", "r2r", "dht", false, false},
};

const Elsewhere* find_elsewhere(std::string_view word) {
  const auto named = [&](std::string_view name) {
    const auto* found = std::find_if(std::begin(kElsewhere), std::end(kElsewhere), [&](const Elsewhere& one) { return one.name == name; });
    return found == std::end(kElsewhere) ? nullptr : found;
  };
  if (const Elsewhere* found = named(word)) return found;
  if (!word.ends_with('2') && !word.ends_with('n')) return nullptr;
  const Elsewhere* found = named(word.substr(0, word.size() - 1));
  return found != nullptr && (found->of_two || (word.ends_with('n') && found->name.ends_with('t'))) ? found : nullptr;
}

bool is_own_kind(std::string_view word) { return std::find(kOwnKinds.begin(), kOwnKinds.end(), word) != kOwnKinds.end(); }

// The words of the library for one of another program; "" where it says nothing ("forward"), the word itself where it is not from
// elsewhere.
std::string own_word(const std::string& word) {
  if (word == "backward") return "inverse";
  if (word == "forward") return "";
  if (word == "ortho" || word == "norm=ortho") return "scale=ortho";
  return word == "scale=1/N" ? "scale=1/n" : word;
}

// Whether the library reads a word behind a problem. Of a word that it does not know it says that the problem is at fault, of others at
// most that their field is. The recipe ends the call before anything is planned.
bool is_read(const std::string& word) {
  ulpfft_plan* none = nullptr;
  if (ulpfft_plan_from_recipe(nullptr, ("8 f32 " + word).c_str(), "", &none) == ULPFFT_OK) ulpfft_plan_destroy(none);
  ulpfft_error error = ULPFFT_ERROR_INIT;
  ulpfft_last_error_get(&error);
  return std::string_view(error.field) != "problem";
}

bool is_option_word(const std::string& word) { return word.find('=') != word.npos || own_word(word) != word || is_read(word); }

std::string kinds_word(std::string_view of_r2r, std::string_view lengths) {
  std::string text = "kinds=" + std::string(of_r2r);
  const std::string_view sizes = lengths.substr(0, lengths.find('*'));
  for (std::ptrdiff_t more = std::count(sizes.begin(), sizes.end(), 'x'); more > 0; --more) text += "," + std::string(of_r2r);
  return text;
}

}  // namespace

bool is_kind_word(std::string_view word) { return is_own_kind(word) || find_elsewhere(word) != nullptr; }

void use_own_words(std::vector<std::string>& words) {
  const bool has_kind = !words.empty() && is_kind_word(words.front());
  const std::size_t lengths = has_kind ? 1 : 0;
  if (words.size() <= lengths) return;  // the library says what is missing
  const Elsewhere* elsewhere = has_kind ? find_elsewhere(words.front()) : nullptr;
  if (words.size() == lengths + 1 || is_option_word(words[lengths + 1]))
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(lengths) + 1, "f32");
  std::vector<std::string> own(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(lengths) + 2);
  std::string norm;
  for (auto word = words.begin() + static_cast<std::ptrdiff_t>(lengths) + 2; word != words.end(); ++word) {
    if (*word == "norm=backward" || *word == "norm=forward") {
      norm = *word;
    } else if (std::string text = own_word(*word); !text.empty()) {
      own.push_back(std::move(text));
    }
  }
  const auto has = [&](std::string_view beginning) {
    return std::any_of(own.begin(), own.end(), [&](const std::string& word) { return word.starts_with(beginning); });
  };
  const std::string kind = elsewhere != nullptr ? std::string(elsewhere->kind) : has_kind ? words.front() : "c2c";
  const bool named_inverse = elsewhere != nullptr && elsewhere->inverse;
  if (has_kind) own.front() = kind;
  if (elsewhere != nullptr && !elsewhere->of_r2r.empty() && !has("kinds=")) own.push_back(kinds_word(elsewhere->of_r2r, words[lengths]));
  if (named_inverse && kind == "c2c" && !has("inverse")) own.emplace_back("inverse");
  const bool is_inverse = named_inverse || kind == "c2r" || has("inverse");
  const bool by_n = norm.empty() ? named_inverse && !has("scale=") : norm == (is_inverse ? "norm=backward" : "norm=forward");
  if (by_n) own.emplace_back("scale=1/n");
  words = std::move(own);
}

bool is_word_of_problem(const std::string& name, bool& has_value) {
  has_value = is_read(name + "=");
  return has_value || is_read(name);
}

}  // namespace ulpfft_tool

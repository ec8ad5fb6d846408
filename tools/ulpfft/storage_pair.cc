// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/storage_pair.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/format_aliases.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {
namespace {

constexpr std::array<std::string_view, 5> kPowerRules = {"floor", "ceil", "rceil", "even", "fit"};
constexpr std::array<std::string_view, 3> kValueRules = {"te", "torchao", "search"};

bool is_among(std::string_view word, const auto& words) { return std::find(words.begin(), words.end(), word) != words.end(); }

// ":b8", ":floor": what may stand behind the name of a block format.
bool is_suffix(std::string_view word) {
  const bool is_length = word.size() > 1 && word.front() == 'b' && word.find_first_not_of("0123456789", 1) == word.npos;
  return is_length || is_among(word, kPowerRules) || is_among(word, kValueRules);
}

bool is_format(std::string_view word) {
  const std::string name = with_own_format_names(word.substr(0, word.find(':')));
  const std::vector<ulpfft_format> formats = ulpfft::formats();
  return std::any_of(formats.begin(), formats.end(), [&](const ulpfft_format& format) { return name == format.name; });
}

// Of the file that the standard output goes to, without its folders; "" where that is none with the name of a format.
std::string output_file() {
  struct stat facts {};
  if (fstat(STDOUT_FILENO, &facts) != 0 || !S_ISREG(facts.st_mode)) return "";
  std::array<char, 4096> path;
  const ssize_t size = readlink("/proc/self/fd/1", path.data(), path.size());
  if (size <= 0) return "";
  const std::string_view whole(path.data(), static_cast<std::size_t>(size));
  const std::string_view name = whole.substr(whole.rfind('/') + 1);
  return is_format(name) ? std::string(name) : "";
}

}  // namespace

bool has_power_scales(const ulpfft_format& block) { return is_among(block.rule, kPowerRules); }

std::string with_arrow(std::string_view word) {
  for (std::size_t colon = word.find(':'); colon != word.npos && word.find("->") == word.npos; colon = word.find(':', colon + 1)) {
    const std::string_view next = word.substr(colon + 1, word.find(':', colon + 1) - colon - 1);
    if (!next.empty() && !is_suffix(next)) return std::string(word.substr(0, colon)) + "->" + std::string(word.substr(colon + 1));
  }
  return std::string(word);
}

void refuse_cut_arrow(std::string_view word, const std::string& text, std::size_t begin) {
  if (word.size() < 2 || !word.ends_with('-')) return;
  const std::string in(word.substr(0, word.size() - 1)), file = output_file();
  const std::string what = file.empty() ? "" : " and sends the output to the file '" + file + "', which that emptied";
  throw UsageError("'" + std::string(word) + "' ends in '-': the shell took the '>' behind it" + what + ". Quote the problem, or write " +
                       in + ":" + (file.empty() ? "f32" : file) + ".",
                   text, begin, begin + word.size());
}

}  // namespace ulpfft_tool

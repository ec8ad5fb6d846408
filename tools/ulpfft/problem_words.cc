// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where in a problem text a field of the problem stands. The library knows for what its parser refuses; what is refused later,
// e.g. a length no strategy can split, has a field but no place.
#include <algorithm>
#include <cstdlib>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

using StarRange = std::pair<std::size_t, std::size_t>;

// Part `index` of text[begin, end), split at `separator`; the whole of it for a negative index or one that is not there.
StarRange part_of(std::string_view text, StarRange whole, char separator, int index) {
  std::size_t begin = whole.first;
  for (int i = 0; index >= 0; ++i) {
    const std::size_t end = std::min(text.find(separator, begin), whole.second);
    if (i == index) return {begin, end};
    if (end == whole.second) break;
    begin = end + 1;
  }
  return whole;
}

}  // namespace

StarRange find_field(std::string_view text, std::string_view field) {
  const std::size_t bracket = field.find('[');
  const std::string_view name = field.substr(0, bracket);
  const int index = bracket == field.npos ? -1 : std::atoi(std::string(field.substr(bracket + 1)).c_str());
  int position = 0;
  StarRange storage{0, 0};  // also says the scheme, where that is not given
  for (std::size_t begin = text.find_first_not_of(' '); begin != text.npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const StarRange word(begin, end);
    const std::string_view shown = text.substr(begin, end - begin);
    begin = text.find_first_not_of(' ', end);
    if (position == 0 && (shown.front() < '0' || shown.front() > '9')) {
      if (name == "kind") return word;
      continue;
    }
    const std::size_t star = std::min(text.find('*', word.first), word.second);
    if (position == 0 && name == "lengths") return part_of(text, {word.first, star}, 'x', index);
    if (position == 0 && name == "batch_lengths" && star < word.second) {
      return part_of(text, {star + 1, word.second}, 'x', index);
    }
    if (position == 1) storage = word;
    if (position == 1 && name.starts_with("storage")) {
      const std::size_t arrow = shown.find("->");
      if (arrow == shown.npos) return word;
      return name == "storage_in" ? StarRange(word.first, word.first + arrow) : StarRange(word.first + arrow + 2, word.second);
    }
    if (position > 1 && shown.starts_with(name.substr(0, name.find("_kind"))) && shown.find('=') != shown.npos) {
      return part_of(text, {word.first + shown.find('=') + 1, word.second}, ',', index);
    }
    ++position;
  }
  return name == "scheme" ? storage : StarRange(0, 0);
}

}  // namespace ulpfft_tool

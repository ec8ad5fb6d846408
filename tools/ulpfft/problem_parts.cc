// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/problem_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <sstream>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

std::vector<std::int64_t> read_lengths(const std::string& text) {
  std::vector<std::int64_t> lengths;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, 'x');) lengths.push_back(std::atoll(part.c_str()));
  return lengths;
}

std::int64_t product(const std::vector<std::int64_t>& lengths) {
  std::int64_t result = 1;
  for (const std::int64_t length : lengths) result *= length;
  return result;
}

}  // namespace

std::vector<std::int64_t> ProblemParts::input_shape() const {
  std::vector<std::int64_t> stored = shape;
  if (kind == "c2r") stored.back() = stored.back() / 2 + 1;
  return stored;
}
std::int64_t ProblemParts::input_points() const { return product(input_shape()); }
std::int64_t ProblemParts::transforms() const { return product(batch); }

ProblemParts read_parts(const std::string& canonical) {
  ProblemParts parts;
  std::istringstream words(canonical);
  std::string lengths;
  words >> lengths;
  if (lengths.front() > '9') {
    parts.kind = lengths;
    words >> lengths;
  }
  const std::size_t star = lengths.find('*');
  parts.shape = read_lengths(lengths.substr(0, std::min(star, lengths.find("->"))));  // of the input of a chirp transform
  if (star != std::string::npos) parts.batch = read_lengths(lengths.substr(star + 1));
  std::string storages;
  words >> storages;
  parts.storage_in = storages.substr(0, storages.find("->"));
  return parts;
}

void refuse_words(const std::string& given, const std::vector<std::string>& names, const std::string& why) {
  for (std::size_t begin = 0; begin < given.size();) {
    const std::size_t end = std::min(given.find(' ', begin), given.size());
    for (const std::string& name : names) {
      if (given.compare(begin, name.size(), name) == 0) throw UsageError(why, given, begin, end);
    }
    begin = end + 1;
  }
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// "Did you mean": the name nearest to a word that is none of the names possible.
#ifndef ULPFFT_TOOLS_ULPFFT_NEAREST_H_
#define ULPFFT_TOOLS_ULPFFT_NEAREST_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

// The first of the nearest names; "" where none is near. Near are names that one slip turns into the word (a letter missing, added, changed
// or exchanged with its neighbour; in words of seven letters and more two slips), and the names of which the word is the beginning. Capital
// and small letters are the same, and dashes before a word are not counted.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

// " Did you mean 'x'?", or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

// "a, b, c"
std::string listed(const std::vector<std::string>& names);

// For an option whose value is one of these names: what is wrong with a value, "" if nothing; and "{a,b,c}" for the help.
std::function<std::string(const std::string&)> one_of(std::vector<std::string> names);
std::string in_braces(const std::vector<std::string>& names);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_NEAREST_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems as the words of a command line: without quotes, with lengths such as 2^20 and 64k, formats and transforms by their other names.
#ifndef ULPFFT_TOOLS_ULPFFT_PROBLEM_ARGUMENTS_H_
#define ULPFFT_TOOLS_ULPFFT_PROBLEM_ARGUMENTS_H_

#include <string>
#include <vector>

namespace ulpfft_tool {

// The texts that the library reads. A word that begins with a digit or is a kind (c2c, r2c, rfft, dct, ...) begins a problem; other words
// belong to the one before. Lengths become digits: 2^20 and 2**20 are 1048576, 64k and 64K are 64 * 1024, 1M is 1024 * 1024, 1e6 is
// 1000000. Two storages are joined by "->". See words_elsewhere.h for the other words.
std::vector<std::string> read_problems(const std::vector<std::string>& words);

// The same where there is one problem; UsageError where there are several.
std::string read_problem(const std::vector<std::string>& words);

// A length alone, as an option takes it: digits for 4k, 2^12 and so on. Other words stay as they are.
std::string read_length(const std::string& word);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_PROBLEM_ARGUMENTS_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Scripts that complete a program's words in three shells. Each stands alone: bash needs no bash-completion to source it.
#ifndef ULPFFT_TOOLS_ULPFFT_MANUAL_COMPLETION_H_
#define ULPFFT_TOOLS_ULPFFT_MANUAL_COMPLETION_H_

#include <map>
#include <string>
#include <vector>

#include "tools/ulpfft/manual/description.h"

namespace ulpfft_tool {

// Values by the name of their type, e.g. the formats of the library by "FORMAT".
using WordsOfType = std::map<std::string, std::vector<std::string>>;

std::string bash_completion(const Command& program, const WordsOfType& types);
std::string zsh_completion(const Command& program, const WordsOfType& types);
std::string fish_completion(const Command& program, const WordsOfType& types);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MANUAL_COMPLETION_H_

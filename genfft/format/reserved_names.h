// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Names that no format may have, because they mean something else in a text that holds formats' names.
//
// A format's name stands in problems and recipes, in file names, on command lines, and in generated C++. Words of those languages would be
// read as themselves or mistaken for a format. tests/structure/names_test.py compares this list with the parsers of both text forms and
// with the compilers' own macros.
#ifndef ULPFFT_GENFFT_FORMAT_RESERVED_NAMES_H_
#define ULPFFT_GENFFT_FORMAT_RESERVED_NAMES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace ulpfft::genfft {

inline constexpr std::size_t kLongestName = 32;

// What the name already is, e.g. "a keyword of C or C++"; empty where it is free. `name` matches [a-z][a-z0-9_]*.
std::string_view reserved_as(std::string_view name);

// A free name that resembles a reserved one.
std::string free_name_like(std::string_view name);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_FORMAT_RESERVED_NAMES_H_

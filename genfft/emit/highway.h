// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Backend hwy: bodies on Highway vectors and their instantiations, spread over `groups` translation units per type.
//
// A body lives in the header of its group. Group 0 holds the radices of 25 and more, so that flags for large straight-line code
// apply to few files; the pairs of kWholeTwo are instantiated in the last group; other bodies go to the group with the least
// estimated compile cost, largest first.
#ifndef ULPFFT_GENFFT_EMIT_HIGHWAY_H_
#define ULPFFT_GENFFT_EMIT_HIGHWAY_H_

#include <string>
#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

inline constexpr int kFewestGroups = 2;
inline constexpr int kMostGroups = 64;

// hwy_bodies_<g>-inl.h, hwy_f32_<g>.cc, hwy_f64_<g>.cc for g < groups, hwy_groups.h
std::vector<GeneratedFile> emit_highway(const std::vector<Kernel>& kernels, const ConstantNames& constants, int groups);

// How Highway spells arithmetic.
Dialect highway_dialect();

// hwy_<unit>-inl.h: the text of bodies, compiled once per target.
GeneratedFile bodies_header(const std::string& unit, const std::string& bodies);

// hwy_<compute>_<unit>.cc: calls of the functions of codelets/hwy/<shapes>-inl.h with the bodies of hwy_<shapes>-inl.h. `calls`: of every target
// with vectors; `large`: of those with FMA.
GeneratedFile instantiation_unit(const std::string& compute, const std::string& unit, const std::string& shapes, const std::string& calls,
                                 const std::string& large);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_HIGHWAY_H_

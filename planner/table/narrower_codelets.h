// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets of narrower vectors that give the same bits.
#ifndef ULPFFT_PLANNER_TABLE_NARROWER_CODELETS_H_
#define ULPFFT_PLANNER_TABLE_NARROWER_CODELETS_H_

#include <string_view>

#include "codelets/contract/codelet.h"

namespace ulpfft {

// Of the targets that run here and agree with this one in having FMA or not, the one of the next narrower vectors. Null where none is,
// and for codelets that are not those of a registered target.
const CodeletTable* narrower_codelets(const CodeletTable& codelets);

// The one of that name which such steps lead to; null where none does.
const CodeletTable* narrower_codelets(const CodeletTable& codelets, std::string_view target);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_NARROWER_CODELETS_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets of a table by what they do.
#ifndef ULPFFT_TESTS_CODELETS_OF_KIND_H_
#define ULPFFT_TESTS_CODELETS_OF_KIND_H_

#include "codelets/contract/codelet.h"

namespace ulpfft::test {

// The arithmetic of reals of a type; DoubleDouble is the one that is wider than f64.
template <typename T>
inline constexpr ComputeType kCompute =
    sizeof(T) == 4 ? ComputeType::kF32 : sizeof(T) == 8 ? ComputeType::kF64 : ComputeType::kDoubleDouble;

// The first; null: the table has none.
inline const CodeletInfo* find(const CodeletTable& table, PassKind kind, ComputeType compute) {
  for (const CodeletInfo& codelet : table.codelets) {
    if (codelet.kind == kind && codelet.compute == compute) return &codelet;
  }
  return nullptr;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_CODELETS_OF_KIND_H_

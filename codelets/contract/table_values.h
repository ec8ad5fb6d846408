// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The values that a body reads from a table, by the terms it declares (BodyFacts::table). w[j] = w^j, j = 1 .. radix - 1.
#ifndef ULPFFT_CODELETS_CONTRACT_TABLE_VALUES_H_
#define ULPFFT_CODELETS_CONTRACT_TABLE_VALUES_H_

#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/contract/unit_root.h"

namespace ulpfft {

// A primed scale is minus the plain one on the sine path.
inline DoubleDouble scale_of(TwiddleForm form, const UnitRoot& w, bool primed) {
  const DualSelect s = select_path(form, w);
  return primed && s.sine_path ? -s.scale : s.scale;
}

inline DoubleDouble term_value(const TableTerm& term, TwiddleForm form, const UnitRoot* w) {
  static const DoubleDouble kSqrtHalf = sqrt(DoubleDouble(0.5));
  switch (term.kind) {
    case TableTerm::Kind::kRe: return w[term.j].re;
    case TableTerm::Kind::kIm: return w[term.j].im;
    case TableTerm::Kind::kRatio: return select_path(form, w[term.j]).ratio;
    case TableTerm::Kind::kSign: return DoubleDouble(select_path(form, w[term.j]).sine_path ? -1.0 : 1.0);
    case TableTerm::Kind::kScale: break;
  }
  DoubleDouble v = scale_of(form, w[term.j], term.primed);
  if (term.over_j != 0) v = v / scale_of(form, w[term.over_j], term.over_primed);
  return term.sqrt_half ? v * kSqrtHalf : v;
}

// Bit j - 1 says that point j takes the sine path.
inline std::uint32_t sine_paths(TwiddleForm form, const UnitRoot* w, int radix) {
  std::uint32_t bits = 0;
  for (int j = 1; j < radix; ++j) {
    if (select_path(form, w[j]).sine_path) bits |= 1u << (j - 1);
  }
  return bits;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_TABLE_VALUES_H_

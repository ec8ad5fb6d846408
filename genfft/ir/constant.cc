// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/ir/constant.h"

namespace ulpfft::genfft {

bool same_constant(DoubleDouble a, DoubleDouble b) { return abs(a - b).hi <= 0x1p-98 * std::abs(a.hi); }

ConstantId ConstantPool::intern(DoubleDouble value) {
  // Equal values have equal or adjacent high parts.
  auto near = by_high_part_.lower_bound(value.hi * (1 - 0x1p-51));
  for (; near != by_high_part_.end() && near->first <= value.hi * (1 + 0x1p-51); ++near) {
    if (same_constant(value, this->value(near->second))) return near->second;
  }
  const ConstantId id = static_cast<ConstantId>(values_.size());
  values_.push_back(value);
  by_high_part_.emplace(value.hi, id);
  return id;
}

}  // namespace ulpfft::genfft

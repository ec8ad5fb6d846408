// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The constants of all bodies: one entry per mathematical value.
//
// Values are positive double-doubles; signs live in add and subtract. Two values are the same constant when they agree to
// 98 bits, by whatever route they were computed; the first one seen is kept.
#ifndef ULPFFT_GENFFT_IR_CONSTANT_H_
#define ULPFFT_GENFFT_IR_CONSTANT_H_

#include <map>
#include <vector>

#include "codelets/contract/double_double.h"

namespace ulpfft::genfft {

using ConstantId = int;

class ConstantPool {
 public:
  // value >= 0
  ConstantId intern(DoubleDouble value);
  const DoubleDouble& value(ConstantId id) const { return values_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<DoubleDouble> values_;
  std::map<double, ConstantId> by_high_part_;
};

// Agreement to 98 bits.
bool same_constant(DoubleDouble a, DoubleDouble b);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_IR_CONSTANT_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A scheduled body on packed values: one value is a whole complex number, (re, im) in neighbouring lanes.
//
// Every real operation finds its partner of the same complex number: sums of complex numbers and products with real constants stay
// what they are, a product with -i is an exchange of the parts whose signs go to the sum that reads it:
//   (a.re + b.im, a.im - b.re) = a + turn * swap(b)                                   turn = (1, -1)
//   w * x = w.re * x - (w.im * turn) * swap(x)
// A coefficient that is multiplied by `turn` is a turned one. With turn = (-1, 1) and turned tables negated the same operations
// compute the backward transform, as exact exchanges of re and im at both ends would.
// Keeps    every operation and its order inside a sum: the bits of a packed body are those of the body (products by 1 and -1 are exact).
// Needs    a body whose real operations pair up; throws WrongBody for others (odd radices fold signs differently into re and im).
// Order    statements follow those of the kernel.
#ifndef ULPFFT_GENFFT_PASS_PACK_H_
#define ULPFFT_GENFFT_PASS_PACK_H_

#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

struct PackedNode {
  enum class Kind : std::uint8_t { kLoad, kSwap, kCompute };
  // Of a product: nothing (1 or turn), a constant or a table value.
  enum class Factor : std::uint8_t { kOne, kConstant, kTable };
  Kind kind = Kind::kCompute;
  Op op = Op::kAdd;           // kAdd, kSub, kMul or fused
  Factor factor = Factor::kOne;
  bool turned = false;
  int index = 0;              // point of a load, ConstantId or table index of a factor
  int x = -1;                 // what is exchanged, multiplied, or first in a sum
  int y = -1;                 // the other one of a sum
  bool operator==(const PackedNode&) const = default;
};

struct PackedStatement {
  bool store = false;
  int point = 0;              // of a store
  int node = 0;
};

struct PackedKernel {
  std::vector<PackedNode> nodes;
  std::vector<PackedStatement> statements;  // every node once, in order
};

PackedKernel pack(const Kernel& kernel);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_PACK_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a body is before and after the pipeline.
#ifndef ULPFFT_GENFFT_KERNEL_H_
#define ULPFFT_GENFFT_KERNEL_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

// A body to be made: `n8`, `t8`, `t8_ds`, `t8_ch`, `r2c8`, `dct2_8`.
struct BodySpec {
  std::string name;
  int radix = 0;  // of real transforms the count of reals
  TwiddleForm form = TwiddleForm::kNone;
  RealTransform transform = RealTransform::kNone;
};

// Its arithmetic, and what each value of its table means.
struct Body {
  BodySpec spec;
  Dag dag;
  std::vector<TableTerm> table;
};

// One statement of a scheduled body. Load and store move both components of a point; at a real end, and at a point of a complex end whose
// im is 0, there is only re: no node loads the other component, or it is stored as the constant 0.
struct Statement {
  enum class Kind : std::uint8_t { kLoad, kTable, kCompute, kStore };
  Kind kind = Kind::kCompute;
  int index = 0;  // point (load, store), table index, or node (compute)
  bool operator==(const Statement&) const = default;
};

struct Kernel {
  Body body;                          // after fusing
  OpCounts unfused;                   // adds and multiplies before
  OpCounts ops;                       // after
  std::vector<Statement> statements;  // every statement after those it reads
  int live_values = 0;                // peak, constants not counted
  std::uint64_t digest = 0;
  BodyErrors f32 = {}, f64 = {};
};

// One of them has this name.
inline const Kernel& kernel_named(const std::vector<Kernel>& kernels, const std::string& name) {
  return *std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.body.spec.name == name; });
}

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_KERNEL_H_

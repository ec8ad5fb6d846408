// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One call of ulpfft.fft: an array, its axes and lengths, to a plan of the cache and a new array.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_TRANSFORM_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_TRANSFORM_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>

#include "bindings/python/src/operand.h"

namespace ulpfft_python {

constexpr int kMostAxes = 64;  // of an ndarray

// kFull: fft, ifft and their kin, of real input too. kHalf: rfft, ihfft. kReal: irfft, hfft. kCosine, kSine: dct, dst and their
// inverses.
enum class Family : std::uint8_t { kFull, kHalf, kReal, kCosine, kSine };

struct Call {
  Family family = Family::kFull;
  bool forward = true;     // the sign of the exponent; of kCosine and kSine the transform itself, else its inverse
  int type = 2;            // of kCosine and kSine: 1 to 4
  int orthogonalize = -1;  // 0, 1, or -1: as the norm says
  int norm = 0;            // of this direction: 0 unscaled, 1 ortho, 2 divided by n
  int workers = 1;
  bool overwrite = false;  // the input may be destroyed
  int axis_count = 0;
  std::array<int, kMostAxes> axes{};              // each from 0 on, all different; the halved one is the last
  std::array<std::int64_t, kMostAxes> lengths{};  // of the transform, in the order of axes; of kReal those of the real output
};

// The array as numbers of a type that some plan takes, or TypeError.
void read_numbers(nanobind::handle x, Operand& in);

// The call has at most kMostDimensions axes, which one plan takes.
nanobind::object transform(Operand& in, const Call& call);

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_TRANSFORM_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Axes of a file as the lengths, batch and strides of a problem.
#ifndef ULPFFT_TOOLS_ULPFFT_TRANSFORM_AXES_H_
#define ULPFFT_TOOLS_ULPFFT_TRANSFORM_AXES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/narrow_file.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

// "0,1" or "-1"; negative numbers count from the last axis of a .npy file. Throws UsageError.
std::vector<std::size_t> read_axes(const std::string& text, const std::vector<std::int64_t>& shape, bool negative_allowed);

// Without --axes: the only axis longer than 1, if there is just one. Throws UsageError.
std::vector<std::size_t> only_axis(const std::string& path, const std::vector<std::int64_t>& shape);

// One end of a transform: an array in memory, wide or narrow.
struct End {
  std::string storage;              // as the problem spells it
  std::vector<std::int64_t> strides;  // in elements, of every axis
  std::int64_t row_length = 1;      // elements that a stride of 1 stands for in any but the last length
};

End end_of(const Array& array);
End end_of(const RealArray& array);
End end_of(const NarrowArray& array);

// Of the array, in the order of the problem's lengths and batch.
struct AxesOfProblem {
  std::vector<std::size_t> lengths, batch;
};

// How many real numbers have a spectrum of which `stored` numbers are kept: `asked`, which must fit; 0 asks for the even length.
// Throws UsageError.
std::int64_t real_length(std::int64_t stored, std::int64_t asked);

// `shape`: of the array, or of the real end where one end is real. `last_axis`: the one that has to be the last length, because narrow rows
// of either end run along it or because its spectrum is halved.
ulpfft::Problem make_problem(const std::vector<std::int64_t>& shape, const End& in, const End& out, const std::vector<std::size_t>& axes,
                             std::size_t last_axis, AxesOfProblem& of_problem);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_TRANSFORM_AXES_H_

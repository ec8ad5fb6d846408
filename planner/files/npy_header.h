// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The header of NumPy's .npy: a magic text, a version, the length of the header, a Python dictionary as text, then the numbers.
#ifndef ULPFFT_PLANNER_FILES_NPY_HEADER_H_
#define ULPFFT_PLANNER_FILES_NPY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/files/input_file.h"

namespace ulpfft {

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  FileRange descr_at, fortran_order_at, shape_at;  // bytes of the values
  std::size_t begin = 0;                           // of the numbers
};

// Throws PlanError, see input_file.h. Lengths may be anything.
NpyHeader read_npy_header(const InputFile& file);
// Refuses a file whose numbers have not so many bytes.
void require_npy_bytes(const InputFile& file, const NpyHeader& header, std::int64_t bytes);

// What a file of an array in C order begins with. The numbers begin at a multiple of 64.
std::string npy_header_text(const std::string& descr, const std::vector<std::int64_t>& shape);
// "(3, 5)"
std::string npy_shape_text(const std::vector<std::int64_t>& shape);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FILES_NPY_HEADER_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Element by element access to the arrays of a problem, as numbers. It is slow and works for every layout and storage.
#ifndef ULPFFT_PLANNER_JUDGE_STORED_ARRAY_H_
#define ULPFFT_PLANNER_JUDGE_STORED_ARRAY_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "planner/backend/shared_bytes.h"
#include "planner/convert/side.h"

namespace ulpfft {

// The numbers that an array encodes. Offsets count elements; elements_of_stride() turns strides into elements.
class StoredArray {
 public:
  StoredArray() = default;
  StoredArray(const Problem& problem, bool output, const ArrayAddress& address) : shape_(side_of(problem, output)), address_(address) {
    row_points_ = stored_length(problem, problem.dims.back(), output);
  }

  const ArrayAddress& address() const { return address_; }
  // The imaginary part of a real number is 0.
  std::complex<double> get(std::int64_t offset) const { return {read(offset, 0), shape_.real ? 0.0 : read(offset, 1)}; }
  // Rounds to the storage, and saturates where it is narrow. Blocks are written by rows instead. Of a real number the real part is written.
  void set(std::int64_t offset, std::complex<double> value) const {
    write(offset, 0, value.real());
    if (!shape_.real) write(offset, 1, value.imag());
  }
  // Writes the row that begins at this offset, in the order of storage. Packed storage and blocks need it.
  void set_row(std::int64_t offset, const std::vector<std::complex<double>>& values) const;
  bool rows() const { return shape_.rows; }
  std::int64_t row_points() const { return row_points_; }

 private:
  int part_index(int part) const { return shape_.split ? part : 0; }
  std::int64_t at(std::int64_t offset, int part) const { return shape_.element_reals() == 1 ? offset : 2 * offset + part; }
  std::uint8_t* codes(int part) const { return static_cast<std::uint8_t*>(address_.data[part_index(part)]); }
  std::uint8_t* scales(int part) const { return static_cast<std::uint8_t*>(address_.scales[part_index(part)]); }
  double read(std::int64_t offset, int part) const;
  void write(std::int64_t offset, int part, double value) const;

  Side shape_;
  ArrayAddress address_;
  std::int64_t row_points_ = 1;
};

// An array of a plan in memory that a backend executes on, filled with zeros. In place it holds the array of the other side as well.
class OwnArray {
 public:
  // Keeps the reference.
  OwnArray(const Problem& problem, bool output, const Memory& memory, Poll* poll = nullptr);
  // As the host sees it: what is written there executes after send(), and what was executed is read there after fetch().
  const StoredArray& view() const { return view_; }
  // The same memory as an array of one side of an in-place problem.
  StoredArray view_of(const Problem& problem, bool output) const { return {problem, output, view_.address()}; }
  const ArrayAddress& on_backend() const { return on_backend_; }
  void send() const;
  void fetch() const;

 private:
  SharedBytes memory_[2];
  SharedBytes scales_[2];
  StoredArray view_;
  ArrayAddress on_backend_;
};

// The elements of a stride of a dimension. Strides between rows of packed and block storage count rows.
inline std::int64_t elements_of_stride(const Problem& problem, bool output, const Dimension& d, bool rows) {
  const std::int64_t stride = output ? d.out_stride : d.in_stride;
  const Dimension& last = problem.dims.back();
  return rows && &d != &last ? stride * stored_length(problem, last, output) : stride;
}

// Calls visit(index, offset) for every element that the side stores of one transform of the batch. `index` counts row-major in the
// transform's lengths, from the element that the definition of the transform calls 0, which centred problems store at first_index().
template <typename Visit>
void visit_transform(const Problem& problem, bool output, std::int64_t transform, const Visit& visit) {
  const bool rows = side_of(problem, output).rows;
  const auto stride = [&](const Dimension& d) { return elements_of_stride(problem, output, d, rows); };
  const auto stored = [&](const Dimension& d, std::int64_t j) {
    return (j + first_index(problem, d, output)) % index_length(problem, d, output);
  };
  std::int64_t begin = 0;
  for (std::size_t b = problem.batch.size(); b-- > 0;) {
    begin += transform % problem.batch[b].length * stride(problem.batch[b]);
    transform /= problem.batch[b].length;
  }
  const Dimension& last = problem.dims.back();
  const std::int64_t lines = transform_points(problem) / last.length;
  const std::int64_t row = stored_length(problem, last, output);
  const std::int64_t step = row == 1 ? 0 : stride(last);
  const std::int64_t indices = index_length(problem, last, output);
  for (std::int64_t line = 0; line < lines; ++line) {
    std::int64_t at = begin;
    std::int64_t rest = line;
    for (std::size_t d = problem.dims.size() - 1; d-- > 0;) {
      at += stored(problem.dims[d], rest % problem.dims[d].length) * stride(problem.dims[d]);
      rest /= problem.dims[d].length;
    }
    for (std::int64_t j = 0; j < row; ++j) visit(line * indices + j, at + stored(last, j) * step);
  }
}

// Whether visit_transform visits an index of the transform's lengths.
inline bool is_stored(const Problem& problem, bool output, std::int64_t index) {
  const Dimension& last = problem.dims.back();
  return index % last.length < stored_length(problem, last, output);
}

// The index of -k modulo the lengths, for the index of k. The spectrum of real numbers has conjugates there.
std::int64_t mirrored_index(const Problem& problem, std::int64_t index);

// Element offset of an index that visit_transform visits.
std::int64_t element_offset(const Problem& problem, bool output, std::int64_t transform, std::int64_t index);

// Stores one transform. `values` are ordered by the index of visit_transform.
void store_transform(const Problem& problem, bool output, const StoredArray& array, std::int64_t transform,
                     const std::vector<std::complex<double>>& values, Poll* poll = nullptr);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_STORED_ARRAY_H_

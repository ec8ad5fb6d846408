// Element by element access to the arrays of a problem, as numbers: slow, for every layout and storage alike.
#ifndef ULPFFT_PLANNER_STORED_ARRAY_H_
#define ULPFFT_PLANNER_STORED_ARRAY_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "planner/buffer.h"
#include "planner/plan.h"

namespace ulpfft {

// What an array encodes; offsets count elements, as strides do.
class StoredArray {
 public:
  StoredArray() = default;
  StoredArray(const Problem& problem, bool output, void* re, void* im)
      : re_(re), im_(im), split_(problem.layout == ArrayLayout::kSplit), narrow_(storage_real_bytes(output ? problem.storage_out : problem.storage_in) == 4) {}

  void* re() const { return re_; }
  void* im() const { return im_; }
  std::complex<double> get(std::int64_t offset) const { return {read(offset, 0), read(offset, 1)}; }
  // Rounds to the storage.
  void set(std::int64_t offset, std::complex<double> value) const {
    write(offset, 0, value.real());
    write(offset, 1, value.imag());
  }

 private:
  void* base(int part) const { return split_ && part == 1 ? im_ : re_; }
  std::int64_t at(std::int64_t offset, int part) const { return split_ ? offset : 2 * offset + part; }
  double read(std::int64_t offset, int part) const {
    const std::int64_t i = at(offset, part);
    return narrow_ ? static_cast<double>(static_cast<const float*>(base(part))[i]) : static_cast<const double*>(base(part))[i];
  }
  void write(std::int64_t offset, int part, double value) const {
    const std::int64_t i = at(offset, part);
    if (narrow_) {
      static_cast<float*>(base(part))[i] = static_cast<float>(value);
    } else {
      static_cast<double*>(base(part))[i] = value;
    }
  }

  void* re_ = nullptr;
  void* im_ = nullptr;
  bool split_ = false;
  bool narrow_ = false;
};

// An array of a plan with memory of its own, zero at first.
class OwnArray {
 public:
  OwnArray(const ulpfft_plan& plan, bool output) {
    const Extent& extent = output ? plan.out_extent : plan.in_extent;
    void* base[2] = {nullptr, nullptr};
    for (int part = 0; part < (plan.split ? 2 : 1); ++part) {
      memory_[part] = AlignedBuffer(static_cast<std::size_t>(extent.high - extent.low));
      base[part] = static_cast<char*>(memory_[part].data()) - extent.low;
    }
    view_ = StoredArray(plan.problem, output, base[0], plan.split ? base[1] : base[0]);
  }
  const StoredArray& view() const { return view_; }

 private:
  AlignedBuffer memory_[2];
  StoredArray view_;
};

// Calls visit(index, offset) for every element of one transform of the batch. `index` counts row-major from the element that the
// definition of the transform calls 0, which centred problems store in the middle.
template <typename Visit>
void visit_transform(const Problem& problem, bool output, std::int64_t transform, const Visit& visit) {
  const auto stride = [output](const Dimension& d) { return output ? d.out_stride : d.in_stride; };
  const auto stored = [&problem](const Dimension& d, std::int64_t j) { return problem.centered ? (j + d.length / 2) % d.length : j; };
  std::int64_t begin = 0;
  for (std::size_t b = problem.batch.size(); b-- > 0;) {
    begin += transform % problem.batch[b].length * stride(problem.batch[b]);
    transform /= problem.batch[b].length;
  }
  const Dimension& last = problem.dims.back();
  const std::int64_t rows = transform_points(problem) / last.length;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t at = begin;
    std::int64_t rest = row;
    for (std::size_t d = problem.dims.size() - 1; d-- > 0;) {
      at += stored(problem.dims[d], rest % problem.dims[d].length) * stride(problem.dims[d]);
      rest /= problem.dims[d].length;
    }
    for (std::int64_t j = 0; j < last.length; ++j) visit(row * last.length + j, at + stored(last, j) * stride(last));
  }
}

// Element offset of one index of visit_transform.
inline std::int64_t element_offset(const Problem& problem, bool output, std::int64_t transform, std::int64_t index) {
  std::int64_t at = 0;
  const auto add = [&](const std::vector<Dimension>& dims, std::int64_t rest, bool centered) {
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t j = rest % dims[d].length;
      at += (centered ? (j + dims[d].length / 2) % dims[d].length : j) * (output ? dims[d].out_stride : dims[d].in_stride);
      rest /= dims[d].length;
    }
  };
  add(problem.dims, index, problem.centered);
  add(problem.batch, transform, false);
  return at;
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STORED_ARRAY_H_

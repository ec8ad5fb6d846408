// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/stored_array.h"

namespace ulpfft {

double StoredArray::read(std::int64_t offset, int part) const {
  const std::int64_t i = at(offset, part);
  const FormatInfo& element = *shape_.storage.element;
  if (shape_.wide) {
    const void* base = address_.data[part_index(part)];
    return element.bits == 32 ? static_cast<double>(static_cast<const float*>(base)[i]) : static_cast<const double*>(base)[i];
  }
  if (!shape_.rows) return decode(element, read_code(codes(part) + i * element.bits / 8, element.bits, 0));
  const std::int64_t column = ((offset % row_points_) + row_points_) % row_points_;
  const std::int64_t row = (offset - column) / row_points_;
  const std::int64_t real = at(column, part);
  const std::uint64_t code = read_code(codes(part) + row * shape_.outer_bytes, element.bits, real);
  if (shape_.storage.scale == nullptr) return decode(element, code);
  const std::int64_t block = shape_.storage.length == 0 ? 0 : real / shape_.storage.length;
  const FormatInfo& format = *shape_.storage.scale;
  const std::uint64_t scale_code = read_code(scales(part) + row * shape_.scale_bytes + block * ((format.bits + 7) / 8), format.bits, 0);
  return decode_in_block(shape_.storage, code, decode(format, scale_code));
}

void StoredArray::write(std::int64_t offset, int part, double value) const {
  const std::int64_t i = at(offset, part);
  const FormatInfo& element = *shape_.storage.element;
  void* base = address_.data[part_index(part)];
  if (!shape_.wide) {
    write_code(codes(part) + i * element.bits / 8, element.bits, 0, encode(element, value, Rounding::kNearestSaturate).code);
  } else if (element.bits == 32) {
    static_cast<float*>(base)[i] = static_cast<float>(value);
  } else {
    static_cast<double*>(base)[i] = value;
  }
}

void StoredArray::set_row(std::int64_t offset, const std::vector<std::complex<double>>& values) const {
  const std::int64_t row = offset / row_points_;
  const double* reals = reinterpret_cast<const double*>(values.data());
  for (int part = 0; part < shape_.parts(); ++part) {
    const Groups place = shape_.element_reals() == 1 ? Groups{1, 2} : Groups{};
    std::uint8_t* const scale = shape_.storage.scale == nullptr ? nullptr : scales(part) + row * shape_.scale_bytes;
    encode_row(shape_.storage, reals + part, place, shape_.row_reals, codes(part) + row * shape_.outer_bytes, {}, scale,
               Rounding::kNearestSaturate, {});
  }
}

OwnArray::OwnArray(const Problem& problem, bool output, const Memory& memory, Poll* poll) {
  const Side shape = memory_of_side(problem, output);
  ArrayAddress host;
  for (int part = 0; part < shape.parts(); ++part) {
    const auto add = [&](SharedBytes& bytes, const Extent& extent, void*& of_host, void*& of_backend) {
      bytes = SharedBytes(memory, static_cast<std::size_t>(extent.high - extent.low), poll);
      of_host = static_cast<char*>(bytes.host()) - extent.low;
      of_backend = static_cast<char*>(bytes.backend()) - extent.low;
    };
    add(memory_[part], shape.codes, host.data[part], on_backend_.data[part]);
    if (shape.storage.scale != nullptr) add(scales_[part], shape.scales, host.scales[part], on_backend_.scales[part]);
  }
  for (ArrayAddress* address : {&host, &on_backend_}) {
    if (shape.split) continue;
    address->data[1] = address->data[0];
    address->scales[1] = address->scales[0];
  }
  view_ = StoredArray(problem, output, host);
}

void OwnArray::send() const {
  for (const SharedBytes& bytes : memory_) bytes.send();
  for (const SharedBytes& bytes : scales_) bytes.send();
}

void OwnArray::fetch() const {
  for (const SharedBytes& bytes : memory_) bytes.fetch();
  for (const SharedBytes& bytes : scales_) bytes.fetch();
}

std::int64_t mirrored_index(const Problem& problem, std::int64_t index) {
  std::int64_t mirrored = 0, points = 1;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    const std::int64_t length = problem.dims[d].length, k = index % length;
    mirrored += (k == 0 ? 0 : length - k) * points;
    points *= length;
    index /= length;
  }
  return mirrored;
}

std::int64_t element_offset(const Problem& problem, bool output, std::int64_t transform, std::int64_t index) {
  const bool rows = side_of(problem, output).rows;
  std::int64_t at = 0;
  const auto add = [&](const std::vector<Dimension>& dims, std::int64_t rest, bool may_be_centered) {
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t length = index_length(problem, dims[d], output);
      const std::int64_t first = may_be_centered ? first_index(problem, dims[d], output) : 0;
      at += (rest % length + first) % length * elements_of_stride(problem, output, dims[d], rows);
      rest /= length;
    }
  };
  add(problem.dims, index, true);
  add(problem.batch, transform, false);
  return at;
}

void store_transform(const Problem& problem, bool output, const StoredArray& array, std::int64_t transform,
                     const std::vector<std::complex<double>>& values, Poll* poll) {
  if (!array.rows()) {
    visit_transform(problem, output, transform, [&](std::int64_t index, std::int64_t offset) {
      if (poll != nullptr) poll->count(1);
      array.set(offset, values[static_cast<std::size_t>(index)]);
    });
    return;
  }
  const std::int64_t points = array.row_points();
  std::vector<std::complex<double>> row(static_cast<std::size_t>(points));
  visit_transform(problem, output, transform, [&](std::int64_t index, std::int64_t offset) {
    if (poll != nullptr) poll->count(1);
    const std::int64_t column = ((offset % points) + points) % points;
    row[static_cast<std::size_t>(column)] = values[static_cast<std::size_t>(index)];
    if (index % index_length(problem, problem.dims.back(), output) == points - 1) array.set_row(offset - column, row);
  });
}

}  // namespace ulpfft

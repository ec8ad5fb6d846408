// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/pareto/shared_arrays.h"

#include <algorithm>

namespace ulpfft {
namespace {

std::size_t bytes_of(const Extent& extent) { return static_cast<std::size_t>(extent.high - extent.low); }

}  // namespace

double bytes_of_side(const Problem& problem, bool output) {
  const Side shape = memory_of_side(problem, output);
  return static_cast<double>(shape.parts()) * static_cast<double>(bytes_of(shape.codes) + bytes_of(shape.scales));
}

void SharedArrays::reserve(const Problem& problem) {
  for (const bool output : {false, true}) {
    const Side shape = memory_of_side(problem, output);
    for (int part = 0; part < 2; ++part) {
      Piece& codes = piece(output, false, part);
      Piece& scales = piece(output, true, part);
      codes.bytes = std::max(codes.bytes, bytes_of(shape.codes));
      scales.bytes = std::max(scales.bytes, bytes_of(shape.scales));
    }
  }
}

void* SharedArrays::start(Piece& piece) {
  if (!piece.memory) piece.memory.emplace(memory_, piece.bytes, &poll_);
  return piece.memory->backend();
}

ArrayAddress SharedArrays::address(const Problem& problem, bool output) {
  const Side shape = memory_of_side(problem, output);
  const bool second = output && problem.placement == Placement::kOutOfPlace;
  ArrayAddress address;
  for (int part = 0; part < shape.parts(); ++part) {
    address.data[part] = static_cast<char*>(start(piece(second, false, part))) - shape.codes.low;
    if (shape.storage.scale != nullptr)
      address.scales[part] = static_cast<char*>(start(piece(second, true, part))) - shape.scales.low;
  }
  if (!shape.split) {
    address.data[1] = address.data[0];
    address.scales[1] = address.scales[0];
  }
  return address;
}

}  // namespace ulpfft

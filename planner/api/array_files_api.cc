// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in files through the C interface.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/files/array_file.h"
#include "wisdom/error.h"

using namespace ulpfft;

namespace {

constexpr int kMostAxes = 64;

[[noreturn]] void refuse(const char* field, const std::string& what) {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + (" " + what));
}

const ArrayPart& require_part(const ulpfft_array_file& file, int part) {
  if (part < ULPFFT_CODES || part > ULPFFT_EXPONENTS) {
    refuse("part", "is " + std::to_string(part) + ", expected ULPFFT_CODES (0), ULPFFT_SCALES (1) or ULPFFT_EXPONENTS (2).");
  }
  const auto index = static_cast<std::size_t>(part);
  if (!file.parts[index]) refuse("part", "is " + std::string(kPartNames[index]) + ", which this array has not.");
  return *file.parts[index];
}

void swap_bytes(std::span<std::byte> bytes, std::size_t real) {
  for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(real))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(real));
}

// The lengths of a member, 0 or more, and not more than 2^48 numbers.
std::vector<std::int64_t> lengths_of(const int64_t* lengths, int rank, const char* field) {
  if (rank > 0) require_pointer(lengths, field);
  std::vector<std::int64_t> result(lengths, lengths + rank);
  if (!count_of(result)) refuse(field, "has a length below 0, or more than 2^48 numbers.");
  return result;
}

std::span<const std::byte> checked_bytes(const void* data, std::int64_t given, std::int64_t wanted, std::int64_t unit,
                                         const char* field, const char* count) {
  if (given != 0 && given != wanted) {
    refuse(count, "is " + std::to_string(given) + ", but this storage and shape ask for " + std::to_string(wanted) + ".");
  }
  if (wanted > 0) require_pointer(data, field);
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(wanted * unit)};
}

NarrowArray checked(const ulpfft_stored_array& given) {
  require_pointer(given.storage, "storage");
  NarrowArray array;
  array.name = given.storage;
  NarrowShape& shape = array.shape;
  shape.storage = require_format(array.name, "storage");
  if (shape.storage.element->kind == FormatKind::kWide)
    refuse("storage", "is " + array.name + ", which is wide; such an array is one .npy file.");
  shape.is_complex = given.is_complex != 0;
  if (given.rank < 0 || given.rank > kMostAxes) refuse("rank", "is " + std::to_string(given.rank) + ", expected 0..64.");
  shape.shape = lengths_of(given.shape, given.rank, "shape");
  if (given.axis < 0 || given.axis >= std::max(given.rank, 1)) {
    refuse("axis", "is " + std::to_string(given.axis) + ", expected 0.." + std::to_string(std::max(given.rank, 1) - 1) + ".");
  }
  shape.axis = static_cast<std::size_t>(given.axis);
  array.parts[ULPFFT_CODES] = checked_bytes(given.codes, given.code_bytes, shape.code_bytes(), 1, "codes", "code_bytes");
  if (shape.storage.scale == nullptr && given.scales != nullptr)
    refuse("scales", "are given, but " + array.name + " has none: leave them null.");
  array.parts[ULPFFT_SCALES] = checked_bytes(given.scales, given.scale_bytes, shape.scale_bytes(), 1, "scales", "scale_bytes");
  if (given.exponent_shape == nullptr && given.exponents == nullptr) return array;
  std::vector<std::int64_t> lengths = lengths_of(given.exponent_shape, given.rank, "exponent_shape");
  if (!suits_exponents(lengths, shape.shape))
    refuse("exponent_shape", "is not the shape with 1 along the axes that share an exponent.");
  array.parts[ULPFFT_EXPONENTS] = checked_bytes(given.exponents, given.exponent_count, *count_of(lengths), sizeof(std::int32_t),
                                                "exponents", "exponent_count");
  array.exponent_shape = std::move(lengths);
  return array;
}

const char* path_or_null(const std::optional<ArrayPart>& part) { return part ? part->file.path().c_str() : nullptr; }

}  // namespace

extern "C" {

ulpfft_status ulpfft_array_file_open(const char* path, ulpfft_array_file** file) {
  return guard([&] {
    require_pointer(file, "file");
    *file = nullptr;
    require_pointer(path, "path");
    *file = open_array(path).release();
  });
}

ulpfft_status ulpfft_array_file_get(const ulpfft_array_file* file, ulpfft_stored_array* array) {
  return guard([&] {
    require_pointer(file, "file");
    require_pointer(array, "array");
    require_size(*array, "array.size");
    const auto& parts = file->parts;
    ulpfft_stored_array to = ULPFFT_STORED_ARRAY_INIT;
    to.storage = file->storage.empty() ? nullptr : file->storage.c_str();
    to.is_complex = file->is_complex ? 1 : 0;
    to.rank = static_cast<int>(file->shape.size());
    to.shape = file->shape.data();
    to.axis = static_cast<int>(file->axis);
    to.code_bytes = parts[ULPFFT_CODES]->bytes;
    to.scale_bytes = parts[ULPFFT_SCALES] ? parts[ULPFFT_SCALES]->bytes : 0;
    if (parts[ULPFFT_EXPONENTS]) {
      to.exponent_count = parts[ULPFFT_EXPONENTS]->bytes / static_cast<std::int64_t>(sizeof(std::int32_t));
      static constexpr std::int64_t kNoLengths[1] = {};
      to.exponent_shape = file->exponent_shape.empty() ? kNoLengths : file->exponent_shape.data();
    }
    to.numpy_type = file->numpy_type.c_str();
    to.first_axis_fastest = file->first_axis_fastest ? 1 : 0;
    to.codes_begin = static_cast<std::int64_t>(parts[ULPFFT_CODES]->begin);
    to.codes_path = path_or_null(parts[ULPFFT_CODES]);
    to.scales_path = path_or_null(parts[ULPFFT_SCALES]);
    to.exponents_path = path_or_null(parts[ULPFFT_EXPONENTS]);
    to.size = array->size;
    std::memcpy(array, &to, std::min(to.size, sizeof to));
  });
}

ulpfft_status ulpfft_array_file_read(const ulpfft_array_file* file, int part, int64_t first, int64_t bytes, void* into) {
  return guard([&] {
    require_pointer(file, "file");
    const ArrayPart& from = require_part(*file, part);
    const auto number = static_cast<std::int64_t>(from.number);
    if (first < 0 || first > from.bytes || first % number != 0) {
      refuse("first", "is " + std::to_string(first) + ", expected a multiple of " + std::to_string(number) + " from 0 to " +
                          std::to_string(from.bytes) + ".");
    }
    if (bytes < 0 || bytes > from.bytes - first || bytes % number != 0) {
      refuse("bytes", "is " + std::to_string(bytes) + ", expected a multiple of " + std::to_string(number) + " from 0 to " +
                          std::to_string(from.bytes - first) + ".");
    }
    if (bytes > 0) require_pointer(into, "into");
    const std::span<std::byte> memory(static_cast<std::byte*>(into), static_cast<std::size_t>(bytes));
    from.file.read(from.begin + static_cast<std::size_t>(first), memory, "data");
    if (from.swapped != 0) swap_bytes(memory, from.swapped);
  });
}

void ulpfft_array_file_close(ulpfft_array_file* file) { delete file; }

ulpfft_status ulpfft_array_file_write(const char* path, const ulpfft_stored_array* array) {
  return guard([&] {
    require_pointer(path, "path");
    require_pointer(array, "array");
    const std::string_view name = path;
    if (!name.ends_with(kNarrowSuffix) || name.ends_with("/.json") || name == kNarrowSuffix) {
      refuse("path", "is '" + std::string(name) + "'; the name of a narrow array ends in .json.");
    }
    write_narrow(path, checked(read_sized(*array, "array.size")));
  });
}

}  // extern "C"

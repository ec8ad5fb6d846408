// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/judge.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

void require_count(const std::string& path, const std::vector<std::int64_t>& shape, const ProblemParts& problem) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  const std::int64_t each = problem.input_points(), wanted = each * problem.transforms();
  if (count == wanted) return;
  throw Failure(path + " has the shape " + show_lengths(shape) + ", which is " + std::to_string(count) + " numbers; the problem has " +
                std::to_string(problem.transforms()) + " transforms of " + std::to_string(each) + ", " + std::to_string(wanted) + " numbers.");
}

// The numbers in the other of the two types, where they are in one that the storage is not.
template <template <typename> typename Number, typename Variant>
void convert_to(const std::string& storage, Variant& numbers) {
  const auto convert = [&]<typename T>(T) {
    std::vector<Number<T>> converted;
    std::visit([&](const auto& from) { converted.assign(from.begin(), from.end()); }, numbers);
    numbers = std::move(converted);
  };
  if (storage == "f64" && numbers.index() == 0) convert(double{});
  if (storage == "f32" && numbers.index() == 1) convert(float{});
}
template <typename T>
using Real = T;

}  // namespace

void JudgeArray::take_narrow(const std::string& path, NarrowArray array, const ProblemParts& problem) {
  narrow_ = std::move(array);
  if (narrow_.storage.name != problem.storage_in) {
    throw Failure(path + " is in " + narrow_.storage.name + ", but the problem's input is in " + problem.storage_in + ": use an array of that.");
  }
  require_count(path, narrow_.shape, problem);
  if (narrow_.is_complex == problem.has_real_input()) {
    throw Failure(path + (narrow_.is_complex ? " has complex numbers; the problem has real ones." : " has real numbers; the problem has complex ones."));
  }
  if (!narrow_.exponents.empty()) throw Failure(path + " has exponents of its own, which a problem to judge has not.");
  const std::int64_t row = problem.input_shape().back();
  if (narrow_.axis + 1 != narrow_.shape.size() || narrow_.shape.back() != row) {
    throw Failure(path + ": its rows run along axis " + std::to_string(narrow_.axis) + "; those of the problem along its last length, " +
                  std::to_string(row) + ".");
  }
}

void JudgeArray::read_reals(const std::string& path, const ProblemParts& problem) {
  RealArray read = read_real_npy(path);
  require_count(path, read.shape, problem);
  reals_ = std::move(read.data);
  convert_to<Real>(problem.storage_in, reals_);
}

void JudgeArray::read_numbers(const std::string& path, const StorageFacts& storage, const ProblemParts& problem) {
  Array read = read_array(path);
  require_count(path, read.shape, problem);
  if (storage.wide) {
    numbers_ = std::move(read.data);
    return convert_to<std::complex>(problem.storage_in, numbers_);
  }
  // In the order of memory, as rows of the last length.
  const std::int64_t last = problem.input_shape().back();
  read.shape = {problem.input_points() * problem.transforms() / last, last};
  read.first_axis_fastest = false;
  read.is_real = false;
  std::int64_t saturated = 0;
  narrow_ = encode(read, storage, 1, {}, saturated);
  if (saturated > 0) {
    throw Failure(path + ": " + std::to_string(saturated) + " numbers lie beyond the range of " + problem.storage_in + "; scale them first (ulpfft convert).");
  }
}

JudgeArray::JudgeArray(const std::string& path, const std::string& given, const ProblemParts& problem) {
  refuse_words(given, {"in_strides=", "batch_strides=", "split"}, "--judge reads dense, interleaved arrays: leave this word out.");
  const bool real = problem.has_real_input();
  if (real && !problem.is_r2r())
    refuse_words(given, {"inplace"}, "--judge reads dense rows, and in place those of real numbers may be padded: leave this word out.");
  array_.size = sizeof array_;
  const StorageFacts storage = storage_facts(problem.storage_in, problem.storage_in);
  if (is_narrow_file(path)) {
    take_narrow(path, read_narrow(path), problem);
  } else if (real && !storage.wide) {
    std::optional<NarrowArray> narrow = read_npy_narrow(path);
    if (!narrow)
      throw Failure(path + " has wide numbers; real ones in " + problem.storage_in + " are read from a .json file (ulpfft convert).");
    take_narrow(path, std::move(*narrow), problem);
  } else if (real) {
    read_reals(path, problem);
  } else {
    read_numbers(path, storage, problem);
  }
  if (storage.wide) {
    const auto address = [](auto& numbers) -> void* { return numbers.data(); };
    array_.data[0] = real ? std::visit(address, reals_) : std::visit(address, numbers_);
  } else {
    array_.data[0] = narrow_.codes.data();
    if (!narrow_.scales.empty()) array_.scales[0] = narrow_.scales.data();
  }
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/judge.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

void require_count(const std::string& path, const std::vector<std::int64_t>& shape, const pareto::ProblemParts& problem) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  const std::int64_t wanted = problem.points() * problem.transforms();
  if (count == wanted) return;
  throw Failure(path + " has the shape " + show_lengths(shape) + ", which is " + std::to_string(count) + " numbers; the problem has " +
                std::to_string(problem.transforms()) + " transforms of " + std::to_string(problem.points()) + ", " + std::to_string(wanted) + " numbers.");
}

}  // namespace

JudgeArray::JudgeArray(const std::string& path, const std::string& given, const pareto::ProblemParts& problem) {
  pareto::refuse_words(given, {"in_strides=", "batch_strides=", "split"}, "--judge reads dense, interleaved arrays: leave this word out.");
  array_.size = sizeof array_;
  const StorageFacts storage = storage_facts(problem.storage_in, problem.storage_in);
  if (is_narrow_file(path)) {
    narrow_ = read_narrow(path);
    if (narrow_.storage.name != problem.storage_in) {
      throw Failure(path + " is in " + narrow_.storage.name + ", but the problem's input is in " + problem.storage_in + ": use an array of that.");
    }
    require_count(path, narrow_.shape, problem);
    if (!narrow_.is_complex) throw Failure(path + " has real numbers; a problem has complex ones.");
    if (!narrow_.exponents.empty()) throw Failure(path + " has exponents of its own, which a problem to judge has not.");
    if (narrow_.axis + 1 != narrow_.shape.size() || narrow_.shape.back() != problem.shape.back()) {
      throw Failure(path + ": its rows run along axis " + std::to_string(narrow_.axis) + "; those of the problem along its last length, " +
                    std::to_string(problem.shape.back()) + ".");
    }
  } else {
    Array read = read_array(path);
    require_count(path, read.shape, problem);
    if (storage.wide) {
      numbers_ = std::move(read.data);
      const auto convert = [&]<typename T>(T) {
        std::vector<std::complex<T>> converted;
        std::visit([&](const auto& from) { converted.assign(from.begin(), from.end()); }, numbers_);
        numbers_ = std::move(converted);
      };
      if (problem.storage_in == "f64" && numbers_.index() == 0) convert(double{});
      if (problem.storage_in == "f32" && numbers_.index() == 1) convert(float{});
    } else {
      // In the order of memory, as rows of the last length.
      const std::int64_t last = problem.shape.back();
      read.shape = {problem.points() * problem.transforms() / last, last};
      read.first_axis_fastest = false;
      read.is_real = false;
      std::int64_t saturated = 0;
      narrow_ = encode(read, storage, 1, {}, saturated);
      if (saturated > 0) {
        throw Failure(path + ": " + std::to_string(saturated) + " numbers lie beyond the range of " + problem.storage_in + "; scale them first (ulpfft convert).");
      }
    }
  }
  if (storage.wide) {
    array_.data[0] = std::visit([](auto& numbers) -> void* { return numbers.data(); }, numbers_);
  } else {
    array_.data[0] = narrow_.codes.data();
    if (!narrow_.scales.empty()) array_.scales[0] = narrow_.scales.data();
  }
}

}  // namespace ulpfft_tool

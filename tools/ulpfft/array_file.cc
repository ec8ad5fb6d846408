// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/array_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/folders.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 48;

std::string reason() { return std::strerror(errno); }

std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& shape, bool first_axis_fastest) {
  std::vector<std::int64_t> result(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = first_axis_fastest ? i : shape.size() - 1 - i;
    result[axis] = stride;
    stride *= shape[axis];
  }
  return result;
}

}  // namespace

FileKind kind_of(const std::string& path) {
  if (path.ends_with(".npy")) return FileKind::kNpy;
  if (path.ends_with(".cfl")) return FileKind::kCfl;
  throw Failure(path + ": the name must end in .npy, .cfl, or .json for an array in narrow storage. Samples without a header are read by "
                       "ulpfft transform, with --raw FORMAT --length N.");
}

std::vector<std::int64_t> Array::strides() const { return dense_strides(shape, first_axis_fastest); }
std::vector<std::int64_t> RealArray::strides() const { return dense_strides(shape, first_axis_fastest); }

Array with_imaginary_parts(const RealArray& reals) {
  Array array;
  array.shape = reals.shape;
  array.first_axis_fastest = reals.first_axis_fastest;
  array.is_real = true;
  const auto take = [&](const auto& values) {
    using Real = typename std::remove_cvref_t<decltype(values)>::value_type;
    array.data = std::vector<std::complex<Real>>(values.begin(), values.end());
  };
  std::visit(take, reals.data);
  return array;
}

RealArray real_parts(const Array& array) {
  RealArray reals;
  reals.shape = array.shape;
  reals.first_axis_fastest = array.first_axis_fastest;
  const auto take = [&](const auto& numbers) {
    using Real = typename std::remove_cvref_t<decltype(numbers)>::value_type::value_type;
    std::vector<Real> values;
    values.reserve(numbers.size());
    for (const std::complex<Real>& number : numbers) values.push_back(number.real());
    reals.data = std::move(values);
  };
  std::visit(take, array.data);
  return reals;
}

Array read_array(const std::string& path) { return kind_of(path) == FileKind::kNpy ? read_npy(path) : read_cfl(path); }

void write_array(const std::string& path, const Array& array) {
  kind_of(path) == FileKind::kNpy ? write_npy(path, array) : write_cfl(path, array);
}

void refuse(const std::string& path, const std::string& field, const std::string& why) {
  throw Failure(path + ": " + field + ": " + why);
}

std::size_t count_elements(const std::string& path, const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) {
    if (length < 1) refuse(path, "shape", "a length is " + std::to_string(length) + ": the array holds no numbers.");
    if (length > kMostElements / count) refuse(path, "shape", "the array has more than 2^48 numbers.");
    count *= length;
  }
  return static_cast<std::size_t>(count);
}

template <typename Work>
auto of_library(const Work& work) {
  try {
    return work();
  } catch (const ulpfft::Error& error) {
    throw Failure(error.message());
  }
}

ulpfft::ArrayFile open_array_file(const std::string& path) {
  return of_library([&] { return ulpfft::ArrayFile(path); });
}

void read_array_file(const ulpfft::ArrayFile& file, std::int64_t first, std::span<std::byte> into, ulpfft::ArrayPart part) {
  of_library([&] { file.read(part, first, into); });
}

InputFile::InputFile(const std::string& path) : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw Failure(path + ": cannot be opened: " + reason() + ".");
  struct stat facts {};
  if (fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(descriptor_);
    throw Failure(path + ": is not a regular file.");
  }
  size_ = static_cast<std::size_t>(facts.st_size);
}

InputFile::~InputFile() { close(descriptor_); }

void InputFile::seek(std::size_t byte) {
  if (lseek(descriptor_, static_cast<off_t>(byte), SEEK_SET) < 0) throw Failure(path_ + ": cannot be read from byte " + std::to_string(byte) + ": " + reason() + ".");
}

void InputFile::read(std::span<std::byte> into, const std::string& field) {
  while (!into.empty()) {
    const ssize_t got = ::read(descriptor_, into.data(), std::min<std::size_t>(into.size(), std::size_t{1} << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path_, field, "reading failed: " + reason() + ".");
    if (got == 0) refuse(path_, field, "the file ends " + std::to_string(into.size()) + " bytes early.");
    into = into.subspan(static_cast<std::size_t>(got));
  }
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_(unfinished_name(path_)), begun_(std::in_place, temporary_), descriptor_(open_unfinished(path_)) {
  if (descriptor_ < 0) {
    const std::string why = reason();
    require_folder_of(path_);
    throw Failure(path_ + ": cannot be written: " + why + ".");
  }
  struct stat facts {};
  if (stat(path_.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    unlink(temporary_.c_str());
    close(descriptor_);
    // Nothing could take the name of a folder, and a device or a FIFO would be lost.
    throw Failure(path_ + (S_ISDIR(facts.st_mode) ? ": is a folder." : ": is no regular file, and would be replaced by one."));
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  unlink(temporary_.c_str());
  close(descriptor_);
}

void OutputFile::fail(const std::string& what) const {
  throw Failure(path_ + ": " + what + " failed: " + reason() + ". The old file, if any, is as it was.");
}

void OutputFile::write(std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t put = ::write(descriptor_, from.data(), std::min<std::size_t>(from.size(), std::size_t{1} << 30));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("writing");
    from = from.subspan(static_cast<std::size_t>(put));
  }
}

void OutputFile::write_again(std::size_t at, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("writing");
    at += static_cast<std::size_t>(put);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

void OutputFile::finish() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("writing");
}

// The lock is kept until the file has its name.
void OutputFile::commit() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming");
  begun_.reset();
  close(std::exchange(descriptor_, -1));
}

}  // namespace ulpfft_tool

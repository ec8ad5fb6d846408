// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/narrow_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/input_stream.h"

namespace ulpfft_tool {
namespace {

ulpfft_layout layout_of(const std::string& storage, const std::vector<std::int64_t>& lengths) {
  ulpfft_layout layout{};
  layout.size = sizeof layout;
  ulpfft::detail::check(ulpfft_format_layout(storage.c_str(), static_cast<int>(lengths.size()), lengths.data(), &layout));
  return layout;
}

// Throws ulpfft::Error for a name that is none.
StorageFacts look_up(const std::string& name) {
  layout_of(name, {2});
  StorageFacts facts;
  facts.name = name;
  const std::string format = name.substr(0, name.find(':'));
  for (const ulpfft_format& known : ulpfft::formats()) {
    if (format == known.name) facts.format = known;
  }
  facts.wide = std::string(facts.format.kind) == "wide";
  facts.blocks = std::string(facts.format.kind) == "block";
  facts.packed = !facts.wide && facts.format.bits != 8 && facts.format.bits != 16;
  return facts;
}

// The type NumPy shows codes as.
std::string descr_of(const StorageFacts& storage) {
  const ulpfft_format& format = storage.format;
  if (storage.packed || (storage.blocks && format.bits == 8)) return "|u1";
  const bool is_integer = *format.special == '\0';
  const bool half = format.bits == 16 && format.exponent_bits == 5 && format.mantissa_bits == 10 && std::string(format.special) == "ieee" &&
                    format.bias == 15;
  const char kind = half ? 'f' : is_integer && format.is_signed != 0 ? 'i' : 'u';
  return std::string(format.bits == 8 ? "|" : "<") + kind + std::to_string(format.bits / 8);
}

std::vector<std::int64_t> others_of(const NarrowArray& array) {
  std::vector<std::int64_t> shape = array.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(array.axis));
  return shape;
}

// The bytes of samples, from a file of known size or from a stream, which is read at once.
class RawBytes {
 public:
  explicit RawBytes(const std::string& path) {
    if (is_stream(path)) {
      bytes_ = read_stream(path);
    } else {
      file_.emplace(path);
    }
  }
  std::int64_t size() const { return static_cast<std::int64_t>(file_ ? file_->size() : bytes_.size()); }
  // The first bytes, as many as a .npy file is known by.
  std::vector<std::byte> start() {
    std::vector<std::byte> first(std::min<std::size_t>(6, static_cast<std::size_t>(size())));
    read(first);
    if (file_) file_->seek(0);
    return first;
  }
  void read(std::span<std::byte> into) {
    if (file_) return file_->read(into, "data");
    std::memcpy(into.data(), bytes_.data(), into.size());
  }

 private:
  std::optional<InputFile> file_;
  std::vector<std::byte> bytes_;
};

// ---- Conversions -------------------------------------------------------------------------------------------------------------

// Calls visit(offset) for every element, `axis` fastest and the other axes in C order, whatever the strides.
template <typename Visit>
void visit_rows(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides, std::size_t axis, const Visit& visit) {
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t offset = 0;
  for (;;) {
    for (std::int64_t j = 0; j < shape[axis]; ++j) visit(static_cast<std::size_t>(offset + j * strides[axis]));
    std::size_t d = shape.size();
    while (d-- > 0) {
      if (d == axis) continue;
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= shape[d] * strides[d];
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

ulpfft_conversion conversion_of(const NarrowArray& array, bool is_double) {
  ulpfft_conversion conversion{};
  conversion.size = sizeof conversion;
  conversion.storage = array.storage.name.c_str();
  conversion.real_type = is_double ? "f64" : "f32";
  conversion.rows = array.layout().rows;
  conversion.reals = array.reals_of_row();
  return conversion;
}

std::byte* scales_or_null(const std::vector<std::byte>& scales) { return scales.empty() ? nullptr : const_cast<std::byte*>(scales.data()); }

template <typename Real>
Numbers decode_numbers(const NarrowArray& from, const std::vector<std::int64_t>& to_strides) {
  std::vector<Real> reals(static_cast<std::size_t>(from.numbers()));
  const ulpfft_conversion conversion = conversion_of(from, sizeof(Real) == 8);
  ulpfft::detail::check(ulpfft_decode(nullptr, &conversion, from.codes.data(), scales_or_null(from.scales), reals.data()));
  std::vector<std::complex<Real>> numbers(reals.size() / (from.is_complex ? 2 : 1));
  if (!from.exponents.empty()) {
    Real* scaled = reals.data();
    visit_rows(from.shape, from.exponent_strides(), from.axis, [&](std::size_t at) {
      for (int part = 0; part < (from.is_complex ? 2 : 1); ++part, ++scaled) *scaled = std::ldexp(*scaled, from.exponents[at]);
    });
  }
  const Real* next = reals.data();
  visit_rows(from.shape, to_strides, from.axis, [&](std::size_t offset) {
    numbers[offset] = from.is_complex ? std::complex<Real>(next[0], next[1]) : std::complex<Real>(next[0]);
    next += from.is_complex ? 2 : 1;
  });
  return numbers;
}

}  // namespace

StorageFacts storage_facts(const std::string& name, const std::string& text, std::size_t begin) {
  try {
    return look_up(name);
  } catch (const ulpfft::Error& error) {
    throw UsageError(error.message(), text, begin, begin + name.size());
  }
}

ulpfft_layout NarrowArray::layout() const {
  std::vector<std::int64_t> lengths = others_of(*this);
  lengths.push_back(reals_of_row());
  return layout_of(storage.name, lengths);
}

std::int64_t NarrowArray::numbers() const {
  std::int64_t count = is_complex ? 2 : 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

void NarrowArray::allocate() {
  const ulpfft_layout bytes = layout();
  codes.assign(static_cast<std::size_t>(bytes.data_bytes), std::byte{});
  scales.assign(static_cast<std::size_t>(bytes.scale_bytes), std::byte{});
}

std::vector<std::int64_t> NarrowArray::strides() const {
  std::vector<std::int64_t> result(shape.size(), 1);
  std::int64_t stride = shape[axis];
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (d == axis) continue;
    result[d] = stride;
    stride *= shape[d];
  }
  return result;
}

std::vector<std::int64_t> NarrowArray::exponent_strides() const {
  std::vector<std::int64_t> result(shape.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (exponent_shape[d] > 1) result[d] = stride;
    stride *= exponent_shape[d];
  }
  return result;
}

bool is_narrow_file(const std::string& path) { return path.ends_with(".json"); }

NarrowArray read_narrow(const std::string& path) {
  const ulpfft::ArrayFile file = open_array_file(path);
  const ulpfft_stored_array& facts = file.facts();
  NarrowArray array;
  array.storage = look_up(facts.storage);
  array.is_complex = facts.is_complex != 0;
  array.shape = file.shape();
  if (array.shape.empty()) refuse(path, "shape", "is []: the file holds one number, not an array.");
  count_elements(path, array.shape);
  array.axis = static_cast<std::size_t>(facts.axis);
  array.files = {path};
  for (const char* part : {facts.codes_path, facts.scales_path, facts.exponents_path}) {
    if (part != nullptr) array.files.emplace_back(part);
  }
  array.allocate();
  read_array_file(file, 0, array.codes);
  if (array.storage.blocks) read_array_file(file, 0, array.scales, ulpfft::ArrayPart::kScales);
  if (facts.exponent_shape == nullptr) return array;
  array.exponent_shape.assign(facts.exponent_shape, facts.exponent_shape + facts.rank);
  array.exponents.resize(static_cast<std::size_t>(facts.exponent_count));
  read_array_file(file, 0, std::as_writable_bytes(std::span(array.exponents)), ulpfft::ArrayPart::kExponents);
  return array;
}

void write_narrow(const std::string& path, const NarrowArray& array) {
  ulpfft_stored_array to{};
  to.size = sizeof to;
  to.storage = array.storage.name.c_str();
  to.is_complex = array.is_complex ? 1 : 0;
  to.rank = static_cast<int>(array.shape.size());
  to.shape = array.shape.data();
  to.axis = static_cast<int>(array.axis);
  to.codes = array.codes.data();
  to.code_bytes = static_cast<std::int64_t>(array.codes.size());
  to.scales = scales_or_null(array.scales);
  to.scale_bytes = static_cast<std::int64_t>(array.scales.size());
  if (!array.exponents.empty()) {
    to.exponents = array.exponents.data();
    to.exponent_shape = array.exponent_shape.data();
    to.exponent_count = static_cast<std::int64_t>(array.exponents.size());
  }
  require_folder_of(path);
  // Under the names that the library gives to files it has begun, a signal finds them.
  std::deque<RemovedBySignals> begun;
  for (const std::string& file : files_of(path, array)) {
    remove_left_behind(file);
    begun.emplace_back(unfinished_name(file));
  }
  try {
    ulpfft::detail::check(ulpfft_array_file_write(path.c_str(), &to));
  } catch (const ulpfft::Error& error) {
    throw Failure(error.message());
  }
}

std::vector<std::string> files_beside(const std::string& path) {
  if (!is_narrow_file(path)) return {};
  const std::string stem = path.substr(0, path.size() - std::string(".json").size());
  return {stem + ".codes.npy", stem + ".scales.npy", stem + ".exponents.npy"};
}

std::optional<NarrowArray> read_npy_narrow(const std::string& path) {
  const NpyFile npy(path);
  const char* const name = npy.file.facts().storage;
  if (name == nullptr || npy.first_axis_fastest || npy.type.is_complex()) return {};
  NarrowArray array;
  array.storage = look_up(name);
  if (array.storage.wide) return {};
  array.is_complex = false;
  array.shape = npy.shape;
  array.axis = npy.shape.size() - 1;
  array.files = {path};
  array.allocate();
  npy.read(0, array.codes);
  return array;
}

bool has_numpy_type(const StorageFacts& storage) {
  const bool plain = !storage.wide && !storage.in_rows() && storage.format.offset == 0 && storage.format.fraction_bits == 0;
  return plain && descr_of(storage)[1] != 'u';
}

void write_npy(const std::string& path, const NarrowArray& array) {
  const std::size_t bytes = array.storage.code_bytes();
  std::vector<std::byte> codes(array.codes.size());
  std::vector<std::int64_t> strides(array.shape.size(), 1);
  for (std::size_t d = array.shape.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * array.shape[d + 1];
  std::size_t from = 0;
  visit_rows(array.shape, strides, array.axis, [&](std::size_t to) {
    std::memcpy(codes.data() + to * bytes, array.codes.data() + from, bytes);
    from += bytes;
  });
  OutputFile file(path);
  write_npy_codes(file, descr_of(array.storage), array.shape, codes);
  file.finish();
  file.commit();
}

std::vector<std::string> files_of(const std::string& path, const NarrowArray& array) {
  const std::string stem = path.substr(0, path.size() - std::string(".json").size());
  std::vector<std::string> files = {path, stem + ".codes.npy"};
  if (array.storage.blocks) files.push_back(stem + ".scales.npy");
  if (!array.exponents.empty()) files.push_back(stem + ".exponents.npy");
  return files;
}

RawSamples read_raw(const std::string& path, const StorageFacts& storage, std::int64_t length, bool drop_partial) {
  const std::int64_t bits = storage.format.bits;
  const std::int64_t transform_bytes = layout_of(storage.name, {2 * length}).row_bytes;
  if (8 * transform_bytes != 2 * length * bits) {
    throw UsageError("A transform of " + std::to_string(length) + " samples of " + storage.name + " is no whole number of bytes.",
                     std::to_string(length), 0, std::to_string(length).size());
  }
  RawBytes file(path);
  if (begins_as_npy(file.start())) {
    throw Failure(path + ": begins as a NumPy file, whose header is no sample: leave out --raw.");
  }
  const std::int64_t bytes = file.size();
  const std::int64_t transforms = bytes / transform_bytes;
  RawSamples raw;
  raw.dropped = bytes % transform_bytes;
  if (transforms == 0) {
    refuse(path, "data", "has " + std::to_string(bytes) + " bytes, and one transform of " + std::to_string(length) + " " + storage.name + " samples takes " +
                             std::to_string(transform_bytes) + ": there is nothing to transform.");
  }
  if (raw.dropped != 0 && !drop_partial) {
    const std::int64_t left = 8 * raw.dropped / (2 * bits);
    const bool has_part = 8 * raw.dropped % (2 * bits) != 0;
    throw Failure(path + ": " + std::to_string(left) + (left == 1 ? " sample" : " samples") + (has_part ? " and part of one" : "") +
                  (left == 1 && !has_part ? " is" : " are") + " left over after " + std::to_string(transforms) + (transforms == 1 ? " transform" : " transforms") + " of " +
                  std::to_string(length) + ". Skip them with --drop-partial, or change --length.");
  }
  const std::vector<std::int64_t> shape = {transforms, length};
  const std::size_t count = count_elements(path, shape);
  if (storage.wide) {
    raw.wide.shape = shape;
    if (bits == 64) raw.wide.data = std::vector<std::complex<double>>(count);
    std::visit([&](auto& numbers) {
      numbers.resize(count);
      file.read(std::as_writable_bytes(std::span(numbers)));
    }, raw.wide.data);
    return raw;
  }
  raw.array.storage = storage;
  raw.array.shape = shape;
  raw.array.axis = 1;
  raw.array.allocate();
  file.read(raw.array.codes);
  return raw;
}

NarrowArray encode(const Array& from, const StorageFacts& storage, std::size_t axis, const Rounding& rounding, std::int64_t& saturated) {
  NarrowArray to;
  to.storage = storage;
  to.is_complex = !from.is_real;
  to.shape = from.shape;
  to.axis = axis;
  to.allocate();
  std::visit(
      [&](const auto& numbers) {
        using Real = typename std::remove_cvref_t<decltype(numbers)>::value_type::value_type;
        std::vector<Real> reals;
        reals.reserve(static_cast<std::size_t>(to.numbers()));
        visit_rows(from.shape, from.strides(), axis, [&](std::size_t offset) {
          reals.push_back(numbers[offset].real());
          if (to.is_complex) reals.push_back(numbers[offset].imag());
        });
        ulpfft_conversion conversion = conversion_of(to, from.is_double());
        conversion.rounding = rounding.kind;
        conversion.seed = rounding.seed;
        std::int64_t count = 0;
        ulpfft::detail::check(ulpfft_encode(nullptr, &conversion, reals.data(), to.codes.data(), scales_or_null(to.scales), &count));
        saturated += count;
      },
      from.data);
  return to;
}

Array decode(const NarrowArray& from, bool as_double) {
  Array to;
  to.shape = from.shape;
  to.is_real = !from.is_complex;
  to.data = as_double ? decode_numbers<double>(from, to.strides()) : decode_numbers<float>(from, to.strides());
  return to;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/narrow_file.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/input_stream.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostJson = 1 << 16;
constexpr const char* kMark = "narrow array";

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

std::vector<std::int64_t> shape_of_codes(const NarrowArray& array) {
  std::vector<std::int64_t> shape = others_of(array);
  if (array.storage.packed) {
    shape.push_back(array.layout().row_bytes);
  } else {
    shape.push_back(array.shape[array.axis]);
    if (array.is_complex) shape.push_back(2);
  }
  return shape;
}

std::vector<std::int64_t> shape_of_scales(const NarrowArray& array) {
  std::vector<std::int64_t> shape = others_of(array);
  shape.push_back(array.layout().scale_row_bytes);
  return shape;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash + 1);
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

// ---- The .json file ----------------------------------------------------------------------------------------------------------

const Json& field_of(const std::string& path, const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) refuse(path, name, "is missing.");
  return *found;
}

std::string text_of(const std::string& path, const Json& json, const char* name) {
  const Json& field = field_of(path, json, name);
  if (!field.is_string()) refuse(path, name, "is no text.");
  return field.get<std::string>();
}

// A file beside the .json: a name alone, so that an array from elsewhere reads nothing but its own folder.
std::string file_of(const std::string& path, const Json& json, const char* name) {
  const std::string file = text_of(path, json, name);
  if (file.empty() || file.find('/') != file.npos || file.find('\0') != file.npos) refuse(path, name, "is not the name of a file in the same folder.");
  return folder_of(path) + file;
}

std::vector<std::int64_t> shape_in(const std::string& path, const Json& json, const char* name) {
  const Json& field = field_of(path, json, name);
  if (!field.is_array() || field.empty() || field.size() > 64) refuse(path, name, "is no list of 1 to 64 lengths.");
  std::vector<std::int64_t> shape;
  for (const Json& length : field) {
    if (!length.is_number_integer()) refuse(path, name, "is no list of integers.");
    const bool too_large = length.is_number_unsigned() && length.get<std::uint64_t>() > std::uint64_t{1} << 48;
    shape.push_back(too_large ? std::int64_t{1} << 49 : length.get<std::int64_t>());
  }
  count_elements(path, shape);
  return shape;
}

Json parse(const std::string& path) {
  InputFile file(path);
  if (file.size() > kMostJson) refuse(path, "file", "has more than 64 KiB; a description of an array in narrow storage is shorter.");
  std::string text(file.size(), ' ');
  file.read(std::as_writable_bytes(std::span(text)), "file");
  std::set<std::string> seen;
  const auto once = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth == 1 && !seen.insert(value.get<std::string>()).second) refuse(path, value.get<std::string>(), "stands twice.");
    return true;
  };
  Json json = Json::parse(text, once, false);
  if (json.is_discarded() || !json.is_object()) refuse(path, "file", "is no JSON object.");
  if (!json.contains("ulpfft") || json["ulpfft"] != kMark) refuse(path, "ulpfft", "is not \"narrow array\": the file describes something else.");
  if (field_of(path, json, "version") != 1) refuse(path, "version", "is " + json["version"].dump() + "; this tool reads version 1.");
  static const std::set<std::string> known = {"ulpfft", "version", "format", "numbers", "shape", "axis", "codes", "scales", "exponents", "exponent_shape"};
  for (const auto& [name, value] : json.items()) {
    if (!known.contains(name)) refuse(path, name, "is not a field of a narrow array.");
  }
  return json;
}

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

void read_exponents(const std::string& path, const Json& json, NarrowArray& array) {
  array.exponent_shape = shape_in(path, json, "exponent_shape");
  bool fits = array.exponent_shape.size() == array.shape.size();
  for (std::size_t d = 0; fits && d < array.shape.size(); ++d) fits = array.exponent_shape[d] == 1 || array.exponent_shape[d] == array.shape[d];
  if (!fits) refuse(path, "exponent_shape", "is not the shape with 1 along the axes that share an exponent.");
  const std::vector<std::byte> bytes = read_npy_codes(file_of(path, json, "exponents"), "<i4", array.exponent_shape, sizeof(std::int32_t));
  array.exponents.resize(bytes.size() / sizeof(std::int32_t));
  std::memcpy(array.exponents.data(), bytes.data(), bytes.size());
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
  const Json json = parse(path);
  NarrowArray array;
  const std::string format = text_of(path, json, "format");
  try {
    array.storage = look_up(format);
  } catch (const ulpfft::Error& error) {
    refuse(path, "format", error.message());
  }
  if (array.storage.wide) refuse(path, "format", format + " is wide; such an array is one .npy file.");
  const std::string numbers = text_of(path, json, "numbers");
  if (numbers != "complex" && numbers != "real") refuse(path, "numbers", "is neither \"complex\" nor \"real\".");
  array.is_complex = numbers == "complex";
  array.shape = shape_in(path, json, "shape");
  const Json& axis = field_of(path, json, "axis");
  if (!axis.is_number_unsigned() || axis.get<std::uint64_t>() >= array.shape.size()) {
    refuse(path, "axis", "is " + axis.dump() + "; the shape has the axes 0 to " + std::to_string(array.shape.size() - 1) + ".");
  }
  array.axis = axis.get<std::size_t>();
  if (json.contains("scales") != array.storage.blocks) {
    refuse(path, "scales", array.storage.blocks ? "is missing: " + format + " has a scale per block." : format + " has no scales.");
  }
  array.files = {path, file_of(path, json, "codes")};
  for (const char* part : {"scales", "exponents"}) {
    if (json.contains(part)) array.files.push_back(file_of(path, json, part));
  }
  array.codes = read_npy_codes(file_of(path, json, "codes"), descr_of(array.storage), shape_of_codes(array),
                               array.storage.packed ? 1 : array.storage.code_bytes());
  if (array.storage.blocks) array.scales = read_npy_codes(file_of(path, json, "scales"), "|u1", shape_of_scales(array), 1);
  if (json.contains("exponents") || json.contains("exponent_shape")) read_exponents(path, json, array);
  return array;
}

void write_narrow(const std::string& path, const NarrowArray& array) {
  const std::string stem = path.substr(0, path.size() - std::string(".json").size());
  const auto name_in_json = [&](const std::string& file) { return file.substr(folder_of(path).size()); };
  Json json = {{"ulpfft", kMark},
               {"version", 1},
               {"format", array.storage.name},
               {"numbers", array.is_complex ? "complex" : "real"},
               {"shape", array.shape},
               {"axis", array.axis},
               {"codes", name_in_json(stem + ".codes.npy")}};
  if (array.storage.blocks) json["scales"] = name_in_json(stem + ".scales.npy");
  if (!array.exponents.empty()) {
    json["exponents"] = name_in_json(stem + ".exponents.npy");
    json["exponent_shape"] = array.exponent_shape;
  }
  OutputFile codes(stem + ".codes.npy");
  write_npy_codes(codes, descr_of(array.storage), shape_of_codes(array), array.codes);
  codes.finish();
  std::optional<OutputFile> scales;
  if (array.storage.blocks) {
    scales.emplace(stem + ".scales.npy");
    write_npy_codes(*scales, "|u1", shape_of_scales(array), array.scales);
    scales->finish();
  }
  std::optional<OutputFile> exponents;
  if (!array.exponents.empty()) {
    exponents.emplace(stem + ".exponents.npy");
    write_npy_codes(*exponents, "<i4", array.exponent_shape, std::as_bytes(std::span(array.exponents)));
    exponents->finish();
  }
  OutputFile description(path);
  description.write(json.dump() + "\n");
  description.finish();
  // Between the names there is no description, rather than one of other codes.
  unlink(path.c_str());
  codes.commit();
  if (scales) scales->commit();
  if (exponents) exponents->commit();
  description.commit();
}

std::vector<std::string> files_beside(const std::string& path) {
  if (!is_narrow_file(path)) return {};
  const std::string stem = path.substr(0, path.size() - std::string(".json").size());
  return {stem + ".codes.npy", stem + ".scales.npy", stem + ".exponents.npy"};
}

std::optional<NarrowArray> read_npy_narrow(const std::string& path) {
  const NpyFacts facts = read_npy_facts(path);
  const std::string name = facts.type.storage();
  if (facts.fortran_order || facts.type.is_complex() || name.empty()) return {};
  NarrowArray array;
  try {
    array.storage = look_up(name);
  } catch (const ulpfft::Error&) {
    return {};  // a build without this format reads numbers
  }
  if (array.storage.wide || descr_of(array.storage).substr(1) != facts.type.descr.substr(1)) return {};
  array.is_complex = false;
  array.shape = facts.shape;
  array.axis = facts.shape.size() - 1;
  array.files = {path};
  array.allocate();
  InputFile file(path);
  file.seek(facts.begin);
  file.read(array.codes, "data");
  if (facts.type.swapped) swap_bytes(facts.type, array.codes);
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

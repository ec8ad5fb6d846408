// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/files/array_file.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "planner/convert/storage_by_name.h"
#include "planner/files/flat_json.h"
#include "planner/files/new_file.h"
#include "planner/files/npy_header.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr std::size_t kMostJson = 1 << 16;
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 48;
constexpr const char* kMark = "narrow array";
constexpr const char* kFields[] = {"ulpfft", "version", "format", "numbers",   "shape",
                                   "axis",   "codes",   "scales", "exponents", "exponent_shape"};

std::int64_t require_count(const std::string& path, const std::vector<std::int64_t>& shape, FileRange at,
                           const char* field = "shape") {
  for (const std::int64_t length : shape) {
    if (length < 0) refuse_content(path, field, "a length is " + std::to_string(length) + "; it is 0 or more.", at);
  }
  const std::optional<std::int64_t> count = count_of(shape);
  if (!count) refuse_content(path, field, "the array has more than 2^48 numbers.", at);
  return *count;
}

// ---- .npy ----------------------------------------------------------------------------------------------------------------------

// What NumPy writes and no array here holds.
std::string what_is(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"f16", "longdouble"}, {"f12", "longdouble"}, {"c32", "clongdouble"}, {"c24", "clongdouble"}, {"O", "Python objects"},
      {"U", "text"},         {"S", "text"},         {"M8", "dates"},        {"m8", "times"},        {"V", "raw bytes"}};
  for (const auto& [begin, words] : kWords) {
    if (type.starts_with(begin)) return " (" + std::string(words) + ")";
  }
  return "";
}

// Refuses a type that is no number in one of the two byte orders.
void require_type(const std::string& path, const NpyHeader& header) {
  constexpr std::string_view kTypes[] = {"c8", "c16", "f2", "f4", "f8", "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};
  const std::string_view type = std::string_view(header.descr).substr(std::min<std::size_t>(header.descr.size(), 1));
  const char order = header.descr.empty() ? '\0' : header.descr.front();
  const bool ordered = order == '<' || order == '>' || order == '=' || (order == '|' && type.ends_with('1'));
  if (ordered && std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes)) return;
  refuse_content(
      path, "descr",
      "'" + header.descr + "'" + what_is(type) +
          " is not read here. Read are float16, float32, float64, complex64, complex128, bool and integers of 8 to 64 bits. "
          "Convert with numpy.ndarray.astype.",
      header.descr_at, ULPFFT_UNSUPPORTED);
}

// "" where no storage of this build has such codes.
std::string storage_of_type(std::string_view type) {
  if (type == "c8" || type == "c16") return type == "c8" ? "f32" : "f64";
  if (type != "f2" && type != "f4" && type != "f8" && type != "i1" && type != "i2") return "";
  const std::string name = type.front() + std::to_string(8 * (type.back() - '0'));
  if (type == "f4" || type == "f8") return name;
  try {
    return std::string_view(numpy_type_of(find_storage_of(name, "storage"))).substr(1) == type ? name : "";
  } catch (const PlanError&) {
    return "";  // a build without this format
  }
}

std::unique_ptr<ulpfft_array_file> open_npy(const std::string& path) {
  InputFile file(path);
  NpyHeader header = read_npy_header(file);
  require_type(path, header);
  auto array = std::make_unique<ulpfft_array_file>();
  const std::string_view type = std::string_view(header.descr).substr(1);
  array->storage = storage_of_type(type);
  array->is_complex = type.front() == 'c';
  array->first_axis_fastest = header.fortran_order;
  array->axis = header.fortran_order || header.shape.empty() ? 0 : header.shape.size() - 1;
  const std::size_t number = type == "c16" ? 16 : static_cast<std::size_t>(type[1] - '0');
  const std::int64_t bytes = require_count(path, header.shape, header.shape_at) * static_cast<std::int64_t>(number);
  require_npy_bytes(file, header, bytes);
  const std::size_t real = array->is_complex ? number / 2 : number;
  array->parts[ULPFFT_CODES].emplace(std::move(file), header.begin, bytes, number,
                                     header.descr.front() == '>' && real > 1 ? real : 0);
  array->shape = std::move(header.shape);
  array->numpy_type = std::move(header.descr);
  return array;
}

// Refuses a file of another type or shape than these.
ArrayPart open_part(const std::string& path, const std::string& type, const std::vector<std::int64_t>& shape,
                    std::size_t number) {
  InputFile file(path);
  const NpyHeader header = read_npy_header(file);
  if (header.descr != type) {
    refuse_content(path, "descr", "is '" + header.descr + "', but this array needs '" + type + "'.", header.descr_at);
  }
  if (header.fortran_order) refuse_content(path, "fortran_order", "is True; codes are in C order.", header.fortran_order_at);
  if (header.shape != shape) {
    refuse_content(path, "shape", "is " + npy_shape_text(header.shape) + ", but this array needs " + npy_shape_text(shape) + ".",
                   header.shape_at);
  }
  const std::int64_t bytes = require_count(path, shape, header.shape_at) * static_cast<std::int64_t>(number);
  require_npy_bytes(file, header, bytes);
  return {std::move(file), header.begin, bytes, number, 0};
}

// ---- .json ---------------------------------------------------------------------------------------------------------------------

class Description {
 public:
  explicit Description(const std::string& path) : path_(path) {
    const InputFile file(path);
    if (file.size() > kMostJson) {
      refuse_content(path, "file", "has more than 64 KiB; a description of an array in narrow storage is shorter.",
                     {kMostJson, file.size()});
    }
    std::string text(file.size(), ' ');
    file.read(0, std::as_writable_bytes(std::span(text)), "file");
    fields_ = read_flat_json(path, text);
    const JsonField* mark = find("ulpfft");
    if (mark == nullptr || mark->text != kMark) {
      refuse_content(path, "ulpfft", "is not \"narrow array\": the file describes something else.",
                     mark == nullptr ? FileRange{} : mark->at);
    }
    const JsonField& version = required("version");
    if (version.kind != JsonField::Kind::kNumber || version.number != 1)
      refuse(version, "is " + shown(version) + "; this library reads version 1.");
    for (const JsonField& field : fields_) {
      if (std::find(std::begin(kFields), std::end(kFields), field.name) == std::end(kFields))
        refuse(field, "is not a field of a narrow array.");
    }
  }

  bool has(const char* name) const { return find(name) != nullptr; }
  const JsonField& required(const char* name) const {
    const JsonField* field = find(name);
    if (field == nullptr) refuse_content(path_, name, "is missing.");
    return *field;
  }
  [[noreturn]] void refuse(const JsonField& field, const std::string& why, ulpfft_status status = ULPFFT_INVALID_TEXT) const {
    refuse_content(path_, field.name, why, field.at, status);
  }
  [[noreturn]] void refuse_presence(const char* name, const std::string& why) const {
    const JsonField* field = find(name);
    refuse_content(path_, name, why, field == nullptr ? FileRange{} : field->at);
  }
  static std::string shown(const JsonField& field) {
    if (field.kind == JsonField::Kind::kNumber) return std::to_string(field.number);
    return field.kind == JsonField::Kind::kOther  ? field.text
           : field.kind == JsonField::Kind::kText ? json_text(field.text)
                                                  : "a list";
  }
  const std::string& text(const char* name) const {
    const JsonField& field = required(name);
    if (field.kind != JsonField::Kind::kText) refuse(field, "is no text.");
    return field.text;
  }
  std::vector<std::int64_t> lengths(const char* name) const {
    const JsonField& field = required(name);
    if (field.kind != JsonField::Kind::kList) refuse(field, "is no list of at most 64 lengths.");
    require_count(path_, field.list, field.at, name);
    return field.list;
  }
  // A file beside this one: a name alone, so that an array from elsewhere reads nothing but its own folder.
  std::string file(const char* name) const {
    const std::string& file = text(name);
    const bool is_name =
        !file.empty() && file != "." && file != ".." && file.find('/') == file.npos && file.find('\0') == file.npos;
    if (!is_name) refuse(required(name), "is not the name of a file in the same folder.");
    return path_.substr(0, path_.rfind('/') + 1) + file;
  }

 private:
  const JsonField* find(std::string_view name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const JsonField& field) { return field.name == name; });
    return found == fields_.end() ? nullptr : &*found;
  }

  const std::string& path_;
  std::vector<JsonField> fields_;
};

Storage storage_in(const Description& json) {
  const std::string& name = json.text("format");
  Storage storage;
  try {
    storage = find_storage_of(name, "format");
  } catch (const PlanError& error) {
    json.refuse(json.required("format"), error.message, error.status);
  }
  if (storage.element->kind == FormatKind::kWide)
    json.refuse(json.required("format"), name + " is wide; such an array is one .npy file.");
  return storage;
}

NarrowShape shape_in(const Description& json) {
  NarrowShape shape;
  shape.storage = storage_in(json);
  const std::string& numbers = json.text("numbers");
  if (numbers != "complex" && numbers != "real") json.refuse(json.required("numbers"), "is neither \"complex\" nor \"real\".");
  shape.is_complex = numbers == "complex";
  shape.shape = json.lengths("shape");
  const JsonField& axis = json.required("axis");
  const auto axes = static_cast<std::int64_t>(std::max<std::size_t>(shape.shape.size(), 1));
  if (axis.kind != JsonField::Kind::kNumber || axis.number < 0 || axis.number >= axes) {
    json.refuse(axis, "is " + Description::shown(axis) + "; the shape has the axes 0 to " + std::to_string(axes - 1) + ".");
  }
  shape.axis = static_cast<std::size_t>(axis.number);
  return shape;
}

std::unique_ptr<ulpfft_array_file> open_narrow(const std::string& path) {
  const Description json(path);
  const NarrowShape shape = shape_in(json);
  auto array = std::make_unique<ulpfft_array_file>();
  array->storage = json.text("format");
  array->is_complex = shape.is_complex;
  array->shape = shape.shape;
  array->axis = shape.axis;
  array->numpy_type = shape.numpy_type();
  const bool blocks = shape.storage.scale != nullptr;
  if (json.has("scales") != blocks) {
    json.refuse_presence(
        "scales", blocks ? "is missing: " + array->storage + " has a scale per block." : array->storage + " has no scales.");
  }
  const bool packed = is_packed(*shape.storage.element);
  const std::size_t code = packed ? 1 : static_cast<std::size_t>(shape.storage.element->bits) / 8;
  array->parts[ULPFFT_CODES].emplace(open_part(json.file("codes"), array->numpy_type, shape.codes_shape(), code));
  if (blocks) array->parts[ULPFFT_SCALES].emplace(open_part(json.file("scales"), "|u1", shape.scales_shape(), 1));
  if (!json.has("exponents") && !json.has("exponent_shape")) return array;
  array->exponent_shape = json.lengths("exponent_shape");
  if (!suits_exponents(array->exponent_shape, shape.shape)) {
    json.refuse(json.required("exponent_shape"), "is not the shape with 1 along the axes that share an exponent.");
  }
  array->parts[ULPFFT_EXPONENTS].emplace(open_part(json.file("exponents"), "<i4", array->exponent_shape, sizeof(std::int32_t)));
  return array;
}

std::string list_text(const std::vector<std::int64_t>& lengths) {
  std::string text = "[";
  for (const std::int64_t length : lengths) text += (text.size() > 1 ? "," : "") + std::to_string(length);
  return text + "]";
}

}  // namespace

std::optional<std::int64_t> count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t length : shape) {
    if (length < 0 || length > kMostNumbers / count) return {};
    empty = empty || length == 0;
    count *= std::max<std::int64_t>(length, 1);
  }
  return empty ? 0 : count;
}

bool suits_exponents(const std::vector<std::int64_t>& exponent_shape, const std::vector<std::int64_t>& shape) {
  return std::equal(exponent_shape.begin(), exponent_shape.end(), shape.begin(), shape.end(),
                    [](std::int64_t of_exponents, std::int64_t length) { return of_exponents == 1 || of_exponents == length; });
}

std::vector<std::int64_t> NarrowShape::others() const {
  std::vector<std::int64_t> lengths = shape;
  if (!lengths.empty()) lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(axis));
  return lengths;
}

std::int64_t NarrowShape::rows() const { return count_of(others()).value_or(0); }

std::vector<std::int64_t> NarrowShape::codes_shape() const {
  std::vector<std::int64_t> lengths = others();
  lengths.push_back(is_packed(*storage.element) ? row_bytes() : row_numbers());
  if (is_complex && !is_packed(*storage.element)) lengths.push_back(2);
  return lengths;
}

std::vector<std::int64_t> NarrowShape::scales_shape() const {
  std::vector<std::int64_t> lengths = others();
  lengths.push_back(ulpfft::scale_bytes(storage, row_reals()));
  return lengths;
}

std::string NarrowShape::numpy_type() const { return numpy_type_of(storage); }

std::string numpy_type_of(const Storage& storage) {
  const FormatInfo& format = *storage.element;
  if (is_packed(format) || (storage.scale != nullptr && format.bits == 8)) return "|u1";
  const bool half = format.kind == FormatKind::kFloat && format.bits == 16 && format.exponent_bits == 5 &&
                    format.mantissa_bits == 10 && format.special == Special::kIeee && format.bias == 15;
  const char kind = half ? 'f' : format.kind == FormatKind::kInteger && format.is_signed ? 'i' : 'u';
  return std::string(format.bits == 8 ? "|" : "<") + kind + std::to_string(format.bits / 8);
}

std::unique_ptr<ulpfft_array_file> open_array(const std::string& path) {
  return path.ends_with(kNarrowSuffix) ? open_narrow(path) : open_npy(path);
}

void write_narrow(const std::string& path, const NarrowArray& array) {
  const std::string stem = path.substr(0, path.size() - kNarrowSuffix.size());
  const std::string name = stem.substr(stem.rfind('/') + 1);
  const NarrowShape& shape = array.shape;
  std::string json = "{\"ulpfft\":" + json_text(kMark) + ",\"version\":1,\"format\":" + json_text(array.name) +
                     ",\"numbers\":" + (shape.is_complex ? "\"complex\"" : "\"real\"") + ",\"shape\":" + list_text(shape.shape) +
                     ",\"axis\":" + std::to_string(shape.axis);
  std::array<std::optional<NewFile>, 3> files;
  const auto begin = [&](std::size_t part, const std::string& type, const std::vector<std::int64_t>& lengths) {
    const std::string suffix = std::string(".") + kPartNames[part] + ".npy";
    files[part].emplace(stem + suffix);
    files[part]->write(npy_header_text(type, lengths));
    files[part]->write(array.parts[part]);
    files[part]->finish();
    json += std::string(",\"") + kPartNames[part] + "\":" + json_text(name + suffix);
  };
  begin(ULPFFT_CODES, shape.numpy_type(), shape.codes_shape());
  if (shape.storage.scale != nullptr) begin(ULPFFT_SCALES, "|u1", shape.scales_shape());
  if (array.exponent_shape) {
    begin(ULPFFT_EXPONENTS, "<i4", *array.exponent_shape);
    json += ",\"exponent_shape\":" + list_text(*array.exponent_shape);
  }
  NewFile description(path);
  description.write(json + "}\n");
  description.finish();
  // Between the names there is no description, rather than one of other codes.
  ::unlink(path.c_str());
  for (std::optional<NewFile>& file : files) {
    if (file) file->take_name();
  }
  description.take_name();
}

}  // namespace ulpfft

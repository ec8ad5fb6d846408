// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// BART's pair of files: NAME.hdr, a text with the dimensions, and NAME.cfl, complex numbers of float32, dimension 0 fastest.
#include <sys/stat.h>

#include <sstream>

#include "tools/ulpfft/array_file.h"

namespace ulpfft_tool {
namespace {

constexpr std::size_t kDimensions = 16;
constexpr std::size_t kMostCflHeader = 1 << 20;

std::string header_path(const std::string& path) { return path.substr(0, path.size() - 4) + ".hdr"; }

std::vector<std::int64_t> read_header(const std::string& path) {
  InputFile file(path);
  if (file.size() > kMostCflHeader) refuse(path, "header", "is larger than 1 MiB.");
  std::string text(file.size(), ' ');
  file.read(std::as_writable_bytes(std::span(text)), "header");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# Dimensions")) continue;
    std::getline(lines, line);
    std::istringstream words(line);
    std::vector<std::int64_t> shape;
    for (std::int64_t length; words >> length;) shape.push_back(length);
    if (!words.eof()) refuse(path, "# Dimensions", "'" + line + "' is not a list of integers.");
    if (shape.empty()) refuse(path, "# Dimensions", "lists no length.");
    if (shape.size() > kDimensions) refuse(path, "# Dimensions", "lists more than 16 lengths.");
    shape.resize(kDimensions, 1);
    return shape;
  }
  refuse(path, "# Dimensions", "is missing.");
}

}  // namespace

std::vector<std::int64_t> read_cfl_shape(const std::string& path) {
  std::vector<std::int64_t> shape = read_header(header_path(path));
  const std::size_t count = count_elements(header_path(path), shape);
  const InputFile file(path);
  if (file.size() != count * sizeof(std::complex<float>)) {
    refuse(path, "data", "has " + std::to_string(file.size()) + " bytes, but " + header_path(path) + " asks for " +
                             std::to_string(count * sizeof(std::complex<float>)) + ".");
  }
  return shape;
}

Array read_cfl(const std::string& path) {
  Array array;
  array.kind = FileKind::kCfl;
  array.first_axis_fastest = true;
  array.shape = read_cfl_shape(path);
  InputFile file(path);
  std::vector<std::complex<float>> numbers(count_elements(path, array.shape));
  file.read(std::as_writable_bytes(std::span(numbers)), "data");
  array.data = std::move(numbers);
  return array;
}

void write_cfl(const std::string& path, const Array& array) {
  if (!array.first_axis_fastest || array.shape.size() > kDimensions) {
    refuse(path, "order", "a .cfl file holds at most 16 axes, the first of which varies fastest.");
  }
  std::string text = "# Dimensions\n";
  for (std::size_t i = 0; i < kDimensions; ++i) {
    text += std::to_string(i < array.shape.size() ? array.shape[i] : 1) + " ";
  }
  text += "\n";
  OutputFile header(header_path(path));
  OutputFile data(path);
  header.write(text);
  if (array.is_double()) {
    const auto& wide = std::get<1>(array.data);
    const std::vector<std::complex<float>> narrow(wide.begin(), wide.end());
    data.write(std::as_bytes(std::span(narrow)));
  } else {
    data.write(std::as_bytes(std::span(std::get<0>(array.data))));
  }
  header.finish();
  data.finish();
  data.commit();
  header.commit();
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/demo/picture.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t present = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < present ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= present ? kDigits[three >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::vector<std::uint8_t> encode_png(const Picture& picture, float white) {
  std::vector<std::uint8_t> grey(picture.values.size());
  std::transform(picture.values.begin(), picture.values.end(), grey.begin(), [&](float value) {
    return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value / white, 0.0F, 1.0F)));
  });
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(picture.width);
  header.height = static_cast<png_uint_32>(picture.height);
  header.format = PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::uint8_t> png(bytes);
  if (png_image_write_to_memory(&header, png.data(), &bytes, 0, grey.data(), 0, nullptr) == 0) {
    throw Failure(std::string("libpng: ") + header.message);
  }
  png.resize(bytes);
  return png;
}

std::string data_url(const Picture& picture, float white) { return data_url(encode_png(picture, white)); }

std::string data_url(const std::vector<std::uint8_t>& png) { return "data:image/png;base64," + base64(png); }

float quantile(const Picture& picture, double fraction) {
  std::vector<float> sorted = picture.values;
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), place, sorted.end());
  return *place;
}

}  // namespace ulpfft_tool

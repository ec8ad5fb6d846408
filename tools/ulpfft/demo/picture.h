// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A grey picture, and its PNG as a text for an HTML page.
#ifndef ULPFFT_TOOLS_ULPFFT_DEMO_PICTURE_H_
#define ULPFFT_TOOLS_ULPFFT_DEMO_PICTURE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool {

// width * height values, row by row from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

// A .png file: 0 is black, `white` and all above is white.
std::vector<std::uint8_t> encode_png(const Picture& picture, float white);

// "data:image/png;base64,...", of the same, and of any .png file.
std::string data_url(const Picture& picture, float white);
std::string data_url(const std::vector<std::uint8_t>& png);

// The value that the given fraction of all values does not exceed.
float quantile(const Picture& picture, double fraction);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_DEMO_PICTURE_H_

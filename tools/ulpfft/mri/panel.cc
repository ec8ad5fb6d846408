#include "tools/ulpfft/mri/panel.h"

#include <cmath>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/demo/picture.h"

namespace ulpfft_tool {

void write_panel(const std::string& path, std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx,
                 double white) {
  constexpr std::int64_t kGap = 4;  // white, between the three
  const std::int64_t width = 3 * nx + 2 * kGap;
  Picture picture{static_cast<int>(width), static_cast<int>(ny), std::vector<float>(static_cast<std::size_t>(width * ny), 1.0F)};
  const auto place = [&](std::int64_t third, const auto& value) {
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) {
        picture.values[static_cast<std::size_t>(y * width + third * (nx + kGap) + x)] = static_cast<float>(value(static_cast<std::size_t>(y * nx + x)) / white);
      }
    }
  };
  place(0, [&](std::size_t i) { return reference[i]; });
  place(1, [&](std::size_t i) { return result[i]; });
  place(2, [&](std::size_t i) { return kErrorShownTimes * std::abs(result[i] - reference[i]); });
  const std::vector<std::uint8_t> png = encode_png(picture, 1.0F);
  OutputFile file(path);
  file.write(std::as_bytes(std::span(png)));
  file.finish();
  file.commit();
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Pictures of a waterfall: colours, axes, .png.
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/mri/letters.h"
#include "tools/ulpfft/signal/waterfall.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::signals {
namespace {

constexpr std::size_t kShades = 128;  // fewer than eyes tell apart in noise, and files are smaller
constexpr std::size_t kPaper = kShades, kInk = kShades + 1, kColors = kShades + 2;

// From dark to light, so that a grey print keeps the order.
struct ColorStop {
  double at;
  std::array<double, 3> rgb;
};
constexpr ColorStop kStops[] = {{0.0, {6, 8, 32}},     {0.22, {34, 34, 120}},  {0.42, {120, 32, 142}},
                                {0.62, {214, 60, 96}}, {0.82, {246, 150, 44}}, {1.0, {252, 246, 190}}};

std::array<std::uint8_t, 3 * kColors> palette() {
  std::array<std::uint8_t, 3 * kColors> colors{};
  for (std::size_t i = 0; i < kShades; ++i) {
    const double at = static_cast<double>(i) / (kShades - 1);
    const auto next =
        std::find_if(std::begin(kStops) + 1, std::end(kStops) - 1, [at](const ColorStop& stop) { return stop.at >= at; });
    const ColorStop& before = *(next - 1);
    const double part = (at - before.at) / (next->at - before.at);
    for (std::size_t c = 0; c < 3; ++c) {
      colors[3 * i + c] = static_cast<std::uint8_t>(std::lround(before.rgb[c] + part * (next->rgb[c] - before.rgb[c])));
    }
  }
  const std::array<std::uint8_t, 6> paper_and_ink = {20, 20, 19, 236, 236, 230};
  std::copy(paper_and_ink.begin(), paper_and_ink.end(), colors.begin() + 3 * kPaper);
  return colors;
}

struct Canvas {
  std::size_t width, height;
  std::vector<std::uint8_t> dots;  // places of the palette
  Canvas(std::size_t across, std::size_t down, std::size_t color)
      : width(across), height(down), dots(across * down, static_cast<std::uint8_t>(color)) {}
  void set(std::size_t x, std::size_t y, std::size_t color) {
    if (x < width && y < height) dots[y * width + x] = static_cast<std::uint8_t>(color);
  }
};

std::size_t shade(double power, const Levels& levels) {
  if (!(power > 0)) return 0;
  const double place = (decibels(power) - levels.low) / (levels.high - levels.low);
  return static_cast<std::size_t>(std::lround(std::clamp(place, 0.0, 1.0) * (kShades - 1)));
}

std::vector<std::uint8_t> encode(const Canvas& canvas) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(canvas.width);
  header.height = static_cast<png_uint_32>(canvas.height);
  header.format = PNG_FORMAT_RGB_COLORMAP;
  header.colormap_entries = kColors;
  const auto colors = palette();
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::uint8_t> png(bytes);
  if (png_image_write_to_memory(&header, png.data(), &bytes, 0, canvas.dots.data(), 0, colors.data()) == 0) {
    throw Failure(std::string("libpng: ") + header.message);
  }
  png.resize(bytes);
  return png;
}

constexpr int kDot = 2;  // pixels of a dot of a letter
constexpr std::size_t kLine = kDot * (kLetterHeight + 2);

// Letters by way of the picture that draw_text() knows: 0 is a letter.
void write(Canvas& canvas, double left, double top, const std::string& text) {
  Picture words{static_cast<int>(text.size()) * kLetterWidth * kDot, kLetterHeight * kDot, {}};
  words.values.assign(static_cast<std::size_t>(words.width) * static_cast<std::size_t>(words.height), 1.0F);
  draw_text(words, 0, 0, kDot, text);
  for (int y = 0; y < words.height; ++y) {
    for (int x = 0; x < words.width; ++x) {
      const double to_x = left + x, to_y = top + y;
      const bool is_letter =
          words.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(words.width) + static_cast<std::size_t>(x)] == 0.0F;
      if (is_letter && to_x >= 0 && to_y >= 0) canvas.set(static_cast<std::size_t>(to_x), static_cast<std::size_t>(to_y), kInk);
    }
  }
}

double width_of_words(const std::string& text) { return static_cast<double>(text.size()) * kLetterWidth * kDot; }

std::string plain_unit(const std::string& name) { return name == "\xC2\xB5s" ? "us" : name; }

}  // namespace

std::vector<std::uint8_t> grid_png(const Grid& grid, const Levels& levels) {
  Canvas canvas(std::max<std::size_t>(grid.columns, 1), std::max<std::size_t>(grid.lines, 1), 0);
  for (std::size_t i = 0; i < grid.powers.size(); ++i)
    canvas.dots[i] = static_cast<std::uint8_t>(shade(static_cast<double>(grid.powers[i]), levels));
  return encode(canvas);
}

std::vector<std::uint8_t> scale_png() {
  Canvas canvas(kShades, 1, 0);
  for (std::size_t i = 0; i < kShades; ++i) canvas.dots[i] = static_cast<std::uint8_t>(i);
  return encode(canvas);
}

std::vector<std::uint8_t> waterfall_png(const Grid& grid, const Levels& levels, const WaterfallWords& words) {
  constexpr std::size_t kLeft = 110, kRight = 30, kTop = 2 * kLine + 22, kBelow = 2 * kLine + 18, kScaleHigh = 10;
  const std::size_t across = std::max<std::size_t>(grid.columns, 1), times = std::max<std::size_t>(640 / across, 1);
  const std::size_t down = std::max<std::size_t>(grid.lines, 1), tall = std::max<std::size_t>(360 / down, 1);
  const std::size_t wide = across * times, high = down * tall;
  Canvas canvas(kLeft + wide + kRight, kTop + high + kBelow, kPaper);
  for (std::size_t y = 0; y < high && !grid.powers.empty(); ++y) {
    for (std::size_t x = 0; x < wide; ++x) {
      canvas.set(kLeft + x, kTop + y, shade(static_cast<double>(grid.powers[y / tall * grid.columns + x / times]), levels));
    }
  }
  for (std::size_t x = 0; x < wide; ++x) {
    for (std::size_t y = 0; y < kScaleHigh; ++y)
      canvas.set(kLeft + x, kLine + 6 + y, x * (kShades - 1) / std::max<std::size_t>(wide - 1, 1));
  }
  // The scale has its numbers above it, and the unit at the left.
  const double left = kLeft, right = static_cast<double>(kLeft + wide);
  const Ticks power_ticks = ticks_between(levels.low, levels.high, static_cast<int>(wide / 90));
  for (const double level : power_ticks.places) {
    const std::string text = show_rounded(power_ticks.pattern.c_str(), level);
    const double x = left + (level - levels.low) / (levels.high - levels.low) * (right - left);
    write(canvas, std::min(x - width_of_words(text) / 2, static_cast<double>(canvas.width) - width_of_words(text)), 2, text);
  }
  write(canvas, 4, kLine + 2, words.unit.substr(0, (kLeft - 8) / (kLetterWidth * kDot)));
  const double first = words.axis.at(0), last = words.axis.at(static_cast<double>(words.axis.bins));
  const Unit unit = frequency_unit(std::max(std::abs(first), std::abs(last)), words.axis.has_rate);
  const Ticks ticks = ticks_between(first / unit.size, last / unit.size, static_cast<int>(wide / 120));
  for (const double place : ticks.places) {
    const double x = left + (place * unit.size - first) / (last - first) * (right - left);
    for (std::size_t y = 0; y < 6; ++y) canvas.set(static_cast<std::size_t>(std::min(x, right - 1)), kTop + high + y, kInk);
    const std::string text = show_rounded(ticks.pattern.c_str(), place);
    write(canvas, std::min(x - width_of_words(text) / 2, static_cast<double>(canvas.width) - width_of_words(text)),
          static_cast<double>(kTop + high + 10), text);
  }
  write(canvas, (left + right - width_of_words(plain_unit(unit.name))) / 2, static_cast<double>(kTop + high + 10 + kLine),
        plain_unit(unit.name));
  const Unit time = time_unit(words.duration, words.axis.has_rate);
  const Ticks time_ticks = ticks_between(0, std::max(words.duration / time.size, 1e-30), static_cast<int>(high / 60));
  for (const double place : time_ticks.places) {
    const double y = static_cast<double>(kTop) + place * time.size / words.duration * static_cast<double>(high);
    for (std::size_t x = 1; x < 7; ++x)
      canvas.set(kLeft - x, static_cast<std::size_t>(std::min(y, static_cast<double>(kTop + high - 1))), kInk);
    const std::string text = show_rounded(time_ticks.pattern.c_str(), place);
    write(canvas, left - 10 - width_of_words(text), y - kLetterHeight * kDot / 2.0 + 2, text);
  }
  write(canvas, 4, static_cast<double>(kTop + high + 10 + kLine), "time: " + plain_unit(time.name));
  return encode(canvas);
}

}  // namespace ulpfft_tool::signals

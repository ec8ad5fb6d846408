// A slice as people look at it: reference, result and ten times their difference, side by side in one window of grey.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ulpfft_tool {

inline constexpr double kErrorShownTimes = 10.0;

// 0 is black, `white` and more is white. Writes a .png, which appears when complete.
void write_panel(const std::string& path, std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx,
                 double white);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/conversions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include "tools/ulpfft/bench/machine_kernels.h"
#include "tools/ulpfft/bench/memory.h"
#include "tools/ulpfft/failure.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::int64_t kRow = 2048;

// Written once, so that it is there.
Memory allocate(std::size_t bytes) {
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(4096, (bytes / 4096 + 2) * 4096)));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill(memory.get(), memory.get() + bytes, std::byte{1});
  return memory;
}

class Convert : public Contender {
 public:
  Convert(ulpfft_context* context, const ulpfft_conversion& conversion, bool encode, float* reals, std::byte* codes, std::byte* scales)
      : context_(context), conversion_(conversion), encode_(encode), reals_(reals), codes_(codes), scales_(scales) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) {
      ulpfft::detail::check(encode_ ? ulpfft_encode(context_, &conversion_, reals_, codes_, scales_, nullptr)
                                    : ulpfft_decode(context_, &conversion_, codes_, scales_, reals_));
    }
  }

 private:
  ulpfft_context* context_;
  ulpfft_conversion conversion_;
  bool encode_;
  float* reals_;
  std::byte* codes_;
  std::byte* scales_;
};

class Copy : public Contender {
 public:
  Copy(void (*copy)(const std::byte*, std::byte*, std::size_t), const std::byte* from, std::byte* to, std::size_t bytes)
      : copy_(copy), from_(from), to_(to), bytes_(bytes) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) copy_(from_, to_, bytes_);
  }

 private:
  void (*copy_)(const std::byte*, std::byte*, std::size_t);
  const std::byte* from_;
  std::byte* to_;
  std::size_t bytes_;
};

// Numbers of both signs within a factor of 2^8 of each other, an eighth of the largest value at most.
void fill(float* reals, std::int64_t count, double largest) {
  const double top = std::min(largest, 0x1p100) / 8;
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i >= kRow) {
      reals[i] = reals[i - kRow];
      continue;
    }
    state = state * 6364136223846793005U + 1442695040888963407U;
    reals[i] = static_cast<float>(top * (static_cast<double>(state >> 40) * 0x1p-23 - 1.0));
  }
}

}  // namespace

std::vector<std::string> convertible(const std::vector<std::string>& named) {
  if (!named.empty()) return named;
  std::vector<std::string> names;
  for (const ulpfft_format& format : ulpfft::formats()) {
    if (std::string(format.kind) != "wide") names.emplace_back(format.name);
  }
  return names;
}

ConversionRow measure_conversion(ulpfft_context* context, const std::string& storage, bool encode, std::size_t beyond, double seconds) {
  const auto layout_of = [&](std::int64_t rows) {
    ulpfft_layout layout{};
    layout.size = sizeof layout;
    const std::array<std::int64_t, 2> lengths = {rows, kRow};
    ulpfft::detail::check(ulpfft_format_layout(storage.c_str(), 2, lengths.data(), &layout));
    return layout;
  };
  const auto bytes_of = [](const ulpfft_layout& layout) {
    return static_cast<std::size_t>(layout.rows * kRow * 4 + layout.data_bytes + layout.scale_bytes);
  };
  const std::size_t rows = std::max<std::size_t>(1, beyond / bytes_of(layout_of(1)));
  const ulpfft_layout layout = layout_of(static_cast<std::int64_t>(rows));
  ConversionRow row;
  row.storage = storage;
  row.direction = encode ? "encode" : "decode";
  row.level = beyond == 0 ? "L1" : "DRAM";
  row.numbers = layout.rows * kRow;
  row.bytes = bytes_of(layout);

  const Memory reals = allocate(static_cast<std::size_t>(row.numbers) * 4);
  const Memory codes = allocate(static_cast<std::size_t>(layout.data_bytes) + 64 * 17);
  const Memory scales = allocate(static_cast<std::size_t>(layout.scale_bytes) + 64 * 41);
  double largest = 1;
  for (const ulpfft_format& format : ulpfft::formats()) {
    if (storage.substr(0, storage.find(':')) == format.name) largest = format.largest;
  }
  auto* const numbers = reinterpret_cast<float*>(reals.get());
  fill(numbers, row.numbers, largest);
  ulpfft_conversion conversion{};
  conversion.size = sizeof conversion;
  conversion.storage = storage.c_str();
  conversion.rows = layout.rows;
  conversion.reals = kRow;
  std::byte* const scale_bytes = layout.scale_bytes > 0 ? scales.get() + 64 * 41 : nullptr;
  Convert encoder(context, conversion, true, numbers, codes.get() + 64 * 17, scale_bytes);
  Convert decoder(context, conversion, false, numbers, codes.get() + 64 * 17, scale_bytes);
  encoder.run(1);

  const std::size_t half = std::max(row.bytes / 2 / kCopyStep, std::size_t{1}) * kCopyStep;
  const Memory from = allocate(half);
  const Memory to = allocate(half + 64 * 17);
  const MachineKernels& kernels = machine_kernels();
  Copy plain(kernels.copy, from.get(), to.get() + 64 * 17, half);
  Copy streaming(kernels.copy_streaming, from.get(), to.get() + 64 * 17, half);
  std::vector<Contender*> contenders = {encode ? &encoder : &decoder, &plain};
  if (kernels.copy_streaming != nullptr) contenders.push_back(&streaming);
  const std::vector<std::vector<double>> samples = take_turns(contenders, {.budget_seconds = seconds, .refresh = [] {}});
  row.seconds = median_of(samples[0]).value;
  const bool stream = samples.size() > 2 && median_of(samples[2]).value < median_of(samples[1]).value;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < samples[0].size(); ++i) ratios.push_back(samples[0][i] / samples[stream ? 2 : 1][i]);
  row.ratio = median_of(ratios);
  return row;
}

namespace {

std::string line(const char* storage, const char* direction, const char* level, const char* speed, const char* ratio, const char* spread) {
  std::array<char, 160> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%-24s %-8s %-5s %8s %14s %8s\n", storage, direction, level, speed, ratio, spread);
  return buffer.data();
}

std::string shown(const char* pattern, double value) {
  std::array<char, 32> buffer;
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

}  // namespace

std::string conversions_note() {
  return "One thread. x a copy: time over that of a copy which reads and writes as many bytes as the conversion\n"
         "does (its input and output together), the faster of plain and non-temporal stores, both taking turns; above 1 the conversion is\n"
         "the slower one. Medians of the rounds, with their median deviation. L1: 2048 numbers; DRAM: arrays that no cache holds.";
}

std::string conversions_heading() {
  return "Conversions from and to f32. " + conversions_note() + "\n\n" +
         line("format", "", "level", "GB/s", "x a copy", "spread");
}

std::string line_of(const ConversionRow& row) {
  return line(row.storage.c_str(), row.direction.c_str(), row.level.c_str(), shown("%.1f", 1e-9 * static_cast<double>(row.bytes) / row.seconds).c_str(),
              shown("%.2f", row.ratio.value).c_str(), shown("%.1f %%", 100 * row.ratio.spread).c_str());
}

}  // namespace ulpfft_tool::bench

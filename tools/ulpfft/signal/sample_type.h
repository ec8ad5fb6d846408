// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Types of samples in files without a description of their own, and the numbers that they stand for.
//
// Units    A number is code - middle; full_scale of them is 1, which is 0 dBFS.
// Names    cs8, cu8, cs16, cf32, cf64 of complex samples, f32, f64, s8, u8, s16, s32 of real ones, and those of SigMF: ci16_le,
// rf32_be, ...
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_SAMPLE_TYPE_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_SAMPLE_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ulpfft_tool::signals {

struct SampleType {
  std::string name = "f32";
  char kind = 'f';  // f floating, i and u integer
  int bits = 32;    // of a real number
  bool is_complex = false;
  bool big_endian = false;
  double middle = 0;  // the code of 0
  double full_scale = 1;

  std::size_t real_bytes() const { return static_cast<std::size_t>(bits) / 8; }
  std::size_t bytes() const { return real_bytes() * parts(); }
  std::size_t parts() const { return is_complex ? 2 : 1; }
  // The storage of the library that has these codes, which streams of stft and psd read as they are; NULL where there is none.
  const char* storage() const;
  // Of the numbers that those streams make of samples: 1 where they know the storage.
  double full_scale_of_streams() const { return storage() != nullptr ? 1 : full_scale; }
  // Whether an f32 lacks numbers of it.
  bool is_wide() const { return (kind == 'f' && bits == 64) || (kind != 'f' && bits > 24); }
};

std::optional<SampleType> find_sample_type(std::string_view name);
// A sentence's list: "cs8, cu8, cs16, ...".
std::string sample_type_names();
// By the end of the name, as in capture.cs16 or audio.f32.
std::optional<SampleType> type_by_extension(const std::string& path);

// Samples as f32, or as f64 where the type is wide: code - middle. `into` has room for the real numbers of all `bytes`.
void widen(const SampleType& type, std::span<const std::byte> bytes, void* into);

// Back: rounded to the nearest code, ties to even, and those beyond the ends become the ends. Returns how many did.
std::int64_t narrow(const SampleType& type, const void* numbers, std::int64_t reals, std::span<std::byte> into);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_SAMPLE_TYPE_H_

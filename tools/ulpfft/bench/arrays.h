// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The arrays that all contenders for one problem share, and the numbers they transform.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_ARRAYS_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_ARRAYS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/ulpfft/bench/facts.h"

namespace ulpfft_tool::bench {

// Aligned to 64 bytes and at different places modulo a page, so that loads and stores of equal index do not collide. The
// input is refreshed from a copy, since planning and in-place transforms overwrite it.
class Arrays {
 public:
  explicit Arrays(const Facts& facts);

  // Normal numbers of this rms, a power of two; the same for the same seed. Of a spectrum of real numbers, those of the last length that
  // are spectra of real numbers themselves, 0 and n/2, are all equal: libraries differ in what they read of them.
  void fill(std::uint64_t seed, double rms);
  void refresh() const;
  void clear_output() const;

  void* in(int part = 0) const { return in_[part]; }    // element 0; parts re, im when split
  void* out(int part = 0) const { return out_[part]; }
  // Where the arrays begin in memory, of split ones the real parts, and how many bytes both have.
  const std::byte* in_begin() const { return in_start_[0]; }
  std::byte* out_begin() const { return out_start_[0]; }
  std::size_t common_bytes() const;
  // Copies of whole arrays, holes included, as doubles: re, im, re, im, ...; of a real end, its numbers.
  std::vector<double> input() const;
  std::vector<double> output() const;

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  // One end of the transforms.
  struct End {
    int parts = 1;               // arrays
    std::size_t elements = 1;    // of each
    std::size_t element_bytes = 0;
    bool is_real = false;
    std::size_t bytes() const { return elements * element_bytes; }  // of one part
  };
  std::vector<double> read(std::byte* const* parts, const End& end) const;
  void make_symmetric(double rms);

  const Facts facts_;
  std::unique_ptr<std::byte, Free> memory_;
  std::vector<std::byte> pristine_;  // of the input, part after part
  std::byte* in_start_[2] = {};
  std::byte* out_start_[2] = {};
  std::byte* in_[2] = {};
  std::byte* out_[2] = {};
  std::size_t real_bytes_;
  End in_end_;
  End out_end_;
};

// ||a - b|| / ||b||; 0 / 0 is 0.
double relative_l2(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_ARRAYS_H_

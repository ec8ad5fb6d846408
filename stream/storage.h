// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storage of the samples and of the rows of a stream.
#ifndef ULPFFT_STREAM_STORAGE_H_
#define ULPFFT_STREAM_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace ulpfft {

// Real numbers of whole bytes: floats, or integers, whose value is a fraction of full scale.
struct SampleStorage {
  std::string name;
  std::size_t bytes = 4;      // of a real number
  double full_scale = 1;      // in units of the values that plans see: of integers their largest magnitude
  unsigned char zero = 0;     // every byte of the number nearest to 0
  bool is_integer = false;
  int mantissa_bits = 23;     // of floats
  double smallest_step = 0;   // between neighbours: of integers everywhere
};
// Real numbers that share a scale, and lie as their codes and the scale behind them.
struct SampleBlocks {
  std::string name;
  std::int64_t reals = 0;  // 0: samples lie in no blocks
  std::size_t code_bytes = 0;
  std::size_t scale_bytes = 0;
  std::size_t bytes() const { return code_bytes + scale_bytes; }
};
// Those of a block format; else none.
SampleBlocks sample_blocks(const std::string& name);
// Blocks, as many as `reals` of the arithmetic come from.
void decode_blocks(const SampleBlocks& blocks, const void* from, std::int64_t count, bool f64, void* reals);

// Refuses what no sample is stored in; `field` is the name of the option.
SampleStorage sample_storage(const std::string& name, const char* field);

// Bytes of a row of so many real numbers: its codes, and behind them the scales of its blocks.
struct RowBytes {
  std::size_t codes = 0;
  std::size_t scales = 0;
};
RowBytes row_bytes(const std::string& name, std::int64_t reals);

// Rounding noise of a tone that fills the storage: the mean square of what a real number loses, for a complex tone of magnitude 1, or a
// real one of amplitude 1.
double tone_rounding(const SampleStorage& storage);
double tone_rounding(const SampleBlocks& blocks);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_STORAGE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What every kind of stream does. Arguments were checked by stream/stream_api.cc.
#ifndef ULPFFT_STREAM_STREAM_H_
#define ULPFFT_STREAM_STREAM_H_

#include <cstdint>
#include <memory>
#include <string>

#include "stream/storage.h"
#include "ulpfft/stream.h"

struct ulpfft_stream {
  virtual ~ulpfft_stream() = default;
  // Takes samples and returns how many.
  virtual std::int64_t push(const void* samples, std::int64_t count) = 0;
  // Hands out items and returns how many.
  virtual std::int64_t take(void* items, std::int64_t most) = 0;
  virtual std::int64_t ready() const = 0;
  virtual bool is_flushed() const = 0;
  virtual void flush() = 0;
  virtual void reset() = 0;
  // `size` is left to the caller.
  virtual ulpfft_stream_facts facts() const = 0;
  // False where the kind has none.
  virtual bool floor(ulpfft_stream_floor&) const { return false; }
};

namespace ulpfft {

// Options whose members common to all kinds were checked, and how plans are made; the pointers are the caller's.
struct StreamRequest {
  ulpfft_context* context = nullptr;
  ulpfft_stream_options options{};
  ulpfft_plan_options plan_options{};
  bool f64 = false;  // the arithmetic, and what `storage` of the options names
  SampleStorage samples;  // as plans read them: decoded ones of blocks
  SampleBlocks blocks;    // as they are pushed; none: as plans read them
  std::string items;  // storage of rows
};

// Samples that are pushed together: those of a block, else 1.
inline std::int64_t block_samples(const StreamRequest& request) {
  if (request.blocks.reals == 0) return 1;
  return request.blocks.reals / (request.options.complex_samples != 0 ? 2 : 1);
}

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_STREAM_H_

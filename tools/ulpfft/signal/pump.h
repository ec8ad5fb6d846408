// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Samples from a source to a stream of the library, in memory that does not grow.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_PUMP_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_PUMP_H_

#include <cstdint>
#include <functional>

#include "tools/ulpfft/signal/source.h"
#include "ulpfft/stream.h"

namespace ulpfft_tool::signals {

// Numbers of a block, interleaved where complex: f32, or f64 where the type is wide; or samples as they are.
using UseBlock = std::function<void(const void* numbers, std::int64_t samples)>;

// What a block holds: numbers that widen() made, or samples as they are.
enum class Blocks { kWidened, kAsTheyAre };
// As a stream of stft or psd takes them.
inline Blocks blocks_of(const SampleType& type) { return type.storage() != nullptr ? Blocks::kAsTheyAre : Blocks::kWidened; }

// Reads to the end and calls use() for every block in turn, on this thread. With more than one thread, another reads and widens
// meanwhile. Shows a bar on a terminal where `title` is not empty. Returns the samples.
std::int64_t pump(Source& source, Blocks held, int threads, const std::string& title, const UseBlock& use);

// Pushes all of a block; takes all items that are ready whenever there are any, at most `room` at a time, and hands them on.
using UseItems = std::function<void(const void* items, std::int64_t count)>;
class StreamFeed {
 public:
  StreamFeed(const ulpfft_stream_options& options, UseItems use);
  ~StreamFeed() { ulpfft_stream_destroy(stream_); }
  StreamFeed(const StreamFeed&) = delete;
  StreamFeed& operator=(const StreamFeed&) = delete;

  const ulpfft_stream_facts& facts() const { return facts_; }
  double rounding_floor() const;  // of psd: ulpfft_stream_floor::power
  void push(const void* numbers, std::int64_t samples);
  void finish();  // flush, and all that is left

 private:
  void take_all();
  ulpfft_stream* stream_ = nullptr;
  ulpfft_stream_facts facts_ = ULPFFT_STREAM_FACTS_INIT;
  UseItems use_;
  std::int64_t room_ = 1;
  std::vector<std::byte> items_;
};

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_PUMP_H_

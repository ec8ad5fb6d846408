// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where samples come from: a file, the standard input or a FIFO; without a header, in WAV, SigMF or .npy.
//
// Memory   A source is read piece by piece, whatever its size.
// Errors   Failure or UsageError, naming the file or the word at fault.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_SOURCE_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/signal/byte_stream.h"
#include "tools/ulpfft/signal/containers.h"
#include "tools/ulpfft/signal/sample_type.h"

namespace ulpfft_tool {
struct NpyFile;
}

namespace ulpfft_tool::signals {

struct SourceRequest {
  std::string path;     // "-": the standard input
  std::string raw;      // type of samples without a header; "": by the name of the file
  std::string channel;  // of several: a number from 1, or iq; "": refused where there are several
  bool drop_partial = false;
};

struct SourceFacts {
  std::string path;
  std::string container;  // "", "WAV", "SigMF" or ".npy"
  SampleType type;
  std::optional<double> rate, center;  // Hz
  std::optional<double> begin;         // seconds since 1970, UTC
  double changed = 0;                  // the same, of a regular file; 0: none
  std::int64_t samples = -1;           // -1: known when they end
};

class Source {
 public:
  explicit Source(const SourceRequest& request);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const SourceFacts& facts() const { return facts_; }
  // Up to this many bytes of samples, whole ones, as soon as there are any; 0 at the end. `into` has room for one at least.
  std::size_t read(std::span<std::byte> into);
  // What to say at the end: bytes that are no whole sample, or that a header promised and that did not come. A sentence, or "".
  std::string said_at_end() const;

 private:
  void open_npy();
  void describe(const Description& found);
  void choose_channel(const std::string& channel);
  void count_samples(bool drop_partial);
  std::size_t read_frames(std::span<std::byte> into);

  SourceFacts facts_;
  std::unique_ptr<ByteStream> stream_;
  std::optional<std::int64_t> remaining_;  // bytes of samples to come; none: to the end
  bool is_short_ = false;                  // the header promises more than came
  int channels_ = 1, channel_ = 0;
  std::vector<std::byte> frames_;  // of several channels
  std::vector<std::byte> part_;    // of a frame
  std::unique_ptr<NpyFile> npy_;
  std::int64_t next_ = 0;  // number of npy_ to read
};

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_SOURCE_H_

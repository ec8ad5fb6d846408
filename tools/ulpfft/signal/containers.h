// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What files say of the samples in them: WAV (RIFF, RF64, BW64) and SigMF.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_CONTAINERS_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_CONTAINERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/ulpfft/signal/byte_stream.h"
#include "tools/ulpfft/signal/sample_type.h"

namespace ulpfft_tool::signals {

struct Description {
  SampleType type;  // of WAV that of a channel
  int channels = 1;
  std::optional<double> rate, center;                 // Hz
  std::optional<double> begin;                        // seconds since 1970, UTC
  std::optional<std::int64_t> data_bytes;             // of all channels; none: to the end
  std::string data_path;                              // of SigMF
  std::int64_t header_bytes = 0, trailing_bytes = 0;  // of SigMF, around the samples
};

bool begins_as_wav(std::span<const std::byte> start);

// Reads up to the first sample. Throws Failure, which names the chunk.
Description read_wav_header(ByteStream& stream);

// PCM of 8, 16, 24 and 32 bits and floating-point numbers of 32 and 64.
std::string wav_header(const SampleType& type, int channels, double rate, std::uint64_t data_bytes);

bool is_sigmf(const std::string& path);

// `path` is one of the pair NAME.sigmf-meta and NAME.sigmf-data. Throws Failure, which names the key.
Description read_sigmf(const std::string& path);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_CONTAINERS_H_

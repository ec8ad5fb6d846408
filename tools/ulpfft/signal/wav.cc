// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// WAV: chunks of a RIFF file, whose sizes RF64 and BW64 give in 64 bits in the chunk ds64.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/signal/containers.h"

namespace ulpfft_tool::signals {
namespace {

constexpr std::uint32_t kUnknownSize = 0xFFFFFFFF;  // or in ds64
constexpr unsigned kPcm = 1, kFloat = 3, kExtensible = 0xFFFE;

std::uint64_t little(std::span<const std::byte> bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(bytes[at + i]) << 8 * i;
  return value;
}

std::string name_at(std::span<const std::byte> bytes, std::size_t at) {
  std::string name;
  for (std::size_t i = 0; i < 4; ++i) name += static_cast<char>(bytes[at + i]);
  return name;
}

[[noreturn]] void wav_fault(const ByteStream& stream, const std::string& chunk, const std::string& why) {
  throw Failure(stream.path() + ": " + chunk + ": " + why);
}

SampleType wav_type(const ByteStream& stream, unsigned tag, int bits) {
  SampleType type;
  type.bits = bits;
  if (tag == kFloat && (bits == 32 || bits == 64)) {
    type.name = "f" + std::to_string(bits);
    return type;
  }
  if (tag != kPcm || (bits != 8 && bits != 16 && bits != 24 && bits != 32)) {
    wav_fault(stream, "fmt",
              "the samples are of format " + std::to_string(tag) + " with " + std::to_string(bits) +
                  " bits. Possible are PCM (1) of 8, 16, 24 and 32 bits and floating-point numbers (3) of 32 and 64.");
  }
  type.kind = bits == 8 ? 'u' : 'i';
  type.name = "s" + std::to_string(bits);
  type.full_scale = std::ldexp(1.0, bits - 1);
  if (bits == 8) type.middle = 128, type.name = "u8";
  return type;
}

Description read_format(const ByteStream& stream, std::span<const std::byte> body) {
  if (body.size() < 16) wav_fault(stream, "fmt", "has " + std::to_string(body.size()) + " bytes, and at least 16 are needed.");
  unsigned tag = static_cast<unsigned>(little(body, 0, 2));
  if (tag == kExtensible && body.size() >= 26) tag = static_cast<unsigned>(little(body, 24, 2));
  Description found;
  found.channels = static_cast<int>(little(body, 2, 2));
  found.rate = static_cast<double>(little(body, 4, 4));
  const int frame = static_cast<int>(little(body, 12, 2)), bits = static_cast<int>(little(body, 14, 2));
  found.type = wav_type(stream, tag, bits);
  if (found.channels < 1) wav_fault(stream, "fmt", "there are 0 channels.");
  if (!(*found.rate > 0)) wav_fault(stream, "fmt", "the rate is 0 samples a second.");
  if (frame * 8 != bits * found.channels) {
    wav_fault(stream, "fmt",
              "a sample of " + std::to_string(found.channels) + " channels is said to have " + std::to_string(frame) +
                  " bytes, and " + std::to_string(bits) + " bits of each are " + std::to_string(bits * found.channels / 8) + ".");
  }
  return found;
}

void put(std::string& header, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) header += static_cast<char>(value >> 8 * i & 0xFF);
}

}  // namespace

bool begins_as_wav(std::span<const std::byte> start) {
  if (start.size() < 12) return false;
  const std::string first = name_at(start, 0);
  return (first == "RIFF" || first == "RF64" || first == "BW64") && name_at(start, 8) == "WAVE";
}

Description read_wav_header(ByteStream& stream) {
  std::array<std::byte, 12> start;
  if (!stream.read_whole(start) || !begins_as_wav(start)) wav_fault(stream, "RIFF", "the file does not begin as WAV does.");
  std::optional<Description> format;
  std::optional<std::uint64_t> long_data;
  for (std::array<std::byte, 8> head; stream.read_whole(head);) {
    const std::string name = name_at(head, 0);
    const std::uint64_t size = little(head, 4, 4);
    if (name == "data") {
      if (!format) wav_fault(stream, "data", "comes before fmt, which says what the samples are.");
      if (size == kUnknownSize && long_data) format->data_bytes = static_cast<std::int64_t>(*long_data);
      if (size != kUnknownSize && !(size == 0 && !stream.size())) format->data_bytes = static_cast<std::int64_t>(size);
      return *format;
    }
    if (name == "fmt " || name == "ds64") {
      std::vector<std::byte> body(static_cast<std::size_t>(std::min<std::uint64_t>(size, 4096)));
      if (!stream.read_whole(body)) wav_fault(stream, name, "the file ends in it.");
      if (name == "fmt ") format = read_format(stream, body);
      if (name == "ds64" && body.size() >= 16) long_data = little(body, 8, 8);
      if (long_data && *long_data >> 62 != 0) wav_fault(stream, "ds64", "the samples are said to have 2^62 bytes or more.");
      if (!stream.skip(size - body.size() + size % 2)) break;
    } else if (!stream.skip(size + size % 2)) {
      break;
    }
  }
  wav_fault(stream, "data", "the file ends before its samples begin.");
}

std::string wav_header(const SampleType& type, int channels, double rate, std::uint64_t data_bytes) {
  const std::uint64_t riff_bytes = data_bytes + data_bytes % 2 + 72;  // behind its own size
  const bool is_long = riff_bytes >= kUnknownSize;
  std::string header = is_long ? "RF64" : "RIFF";
  put(header, is_long ? kUnknownSize : riff_bytes, 4);
  header += "WAVE";
  header += is_long ? "ds64" : "JUNK";  // of one size, so that a header can be replaced by the other
  put(header, 28, 4);
  put(header, is_long ? riff_bytes : 0, 8);
  put(header, is_long ? data_bytes : 0, 8);
  put(header, 0, 12);
  header += "fmt ";
  put(header, 16, 4);
  put(header, type.kind == 'f' ? kFloat : kPcm, 2);
  put(header, static_cast<std::uint64_t>(channels), 2);
  put(header, static_cast<std::uint64_t>(std::llround(rate)), 4);
  const std::uint64_t frame = type.real_bytes() * static_cast<std::uint64_t>(channels);
  put(header, static_cast<std::uint64_t>(std::llround(rate)) * frame, 4);
  put(header, frame, 2);
  put(header, static_cast<std::uint64_t>(type.bits), 2);
  header += "data";
  put(header, is_long ? kUnknownSize : data_bytes, 4);
  return header;
}

}  // namespace ulpfft_tool::signals

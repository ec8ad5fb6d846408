// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/nearest.h"

namespace ulpfft_tool::signals {
namespace {

constexpr std::size_t kMostFrameBytes = std::size_t{1} << 20;

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

SampleType type_of_npy(const std::string& path, const NpyType& type) {
  SampleType found;
  found.name = type.name();
  found.kind = type.is_complex() || type.kind == 'f' ? 'f' : type.kind;
  found.is_complex = type.is_complex();
  found.bits = static_cast<int>(8 * type.bytes / type.parts());
  if (found.kind == 'i') found.full_scale = std::ldexp(1.0, found.bits - 1);
  if (found.kind == 'u') found.middle = found.full_scale = std::ldexp(1.0, found.bits - 1) - 0.5;
  const bool possible = found.kind == 'f' ? found.bits >= 32 : found.kind != 'b' && found.bits <= 32;
  if (!possible) {
    refuse(
        path, "descr",
        "'" + type.descr +
            "' is no type of samples. Possible are float32, float64, complex64, complex128 and integers of 8, 16 and 32 bits.");
  }
  return found;
}

SampleType type_of_raw(const SourceRequest& request) {
  if (!request.raw.empty()) {
    const std::optional<SampleType> type = find_sample_type(request.raw);
    if (type) return *type;
    const std::vector<std::string> known = {"cs8", "cu8", "cs16", "cf32", "cf64", "s8", "u8", "s16", "s32", "f32", "f64"};
    throw UsageError("--raw takes a type of samples, and '" + request.raw + "' is none." + did_you_mean(request.raw, known) +
                         " There are " + sample_type_names() + ".",
                     request.raw, 0, request.raw.size());
  }
  const std::optional<SampleType> type = type_by_extension(request.path);
  if (type) return *type;
  throw UsageError(
      "Say with --raw what the samples of " + (request.path == "-" ? "the standard input" : request.path) +
          " are, e.g. --raw cu8: it is neither WAV, SigMF (.sigmf-meta) nor .npy, and its name does not end in a type.",
      request.path, 0, request.path.size());
}

}  // namespace

Source::Source(const SourceRequest& request) {
  facts_.path = request.path;
  if (request.path.ends_with(".sigmf")) {
    throw UsageError("An archive is not read: unpack it (tar -xf) and name its .sigmf-meta file.", request.path, 0,
                     request.path.size());
  }
  if (is_sigmf(request.path) && request.raw.empty()) {
    const Description found = read_sigmf(request.path);
    facts_.container = "SigMF";
    stream_ = std::make_unique<ByteStream>(found.data_path);
    if (!stream_->skip(static_cast<std::uint64_t>(found.header_bytes)))
      refuse(found.data_path, "data", "ends before its samples begin.");
    describe(found);
    if (const auto left = stream_->left()) remaining_ = std::max<std::int64_t>(*left - found.trailing_bytes, 0);
  } else {
    stream_ = std::make_unique<ByteStream>(request.path);
    const std::vector<std::byte> start = stream_->peek(12);
    const bool is_npy = begins_as_npy(start);
    if ((is_npy || begins_as_wav(start)) && !request.raw.empty()) {
      throw UsageError(
          request.path + " begins as " + (is_npy ? "a NumPy file" : "WAV") + ", whose header is no sample: leave out --raw.",
          request.raw, 0, request.raw.size());
    }
    if (is_npy || request.path.ends_with(".npy")) {
      open_npy();
    } else if (begins_as_wav(start) || (request.path.ends_with(".wav") && request.raw.empty())) {
      facts_.container = "WAV";
      describe(read_wav_header(*stream_));
    } else {
      facts_.type = type_of_raw(request);
    }
  }
  facts_.changed = stream_->changed();
  choose_channel(request.channel);
  count_samples(request.drop_partial);
}

Source::~Source() = default;

void Source::open_npy() {
  if (!stream_->size()) throw Failure(facts_.path + ": A NumPy file is read from a regular file alone; a pipe needs --raw.");
  facts_.container = ".npy";
  npy_ = std::make_unique<NpyFile>(facts_.path);
  if (npy_->shape.size() != 1) {
    refuse(facts_.path, "shape",
           "has " + counted(static_cast<std::int64_t>(npy_->shape.size()), "axis") + ", and a signal has one.");
  }
  facts_.type = type_of_npy(facts_.path, npy_->type);
  facts_.samples = static_cast<std::int64_t>(npy_->count);
}

void Source::describe(const Description& found) {
  facts_.type = found.type;
  facts_.rate = found.rate;
  facts_.center = found.center;
  facts_.begin = found.begin;
  channels_ = found.channels;
  remaining_ = found.data_bytes;
}

void Source::choose_channel(const std::string& channel) {
  const auto wrong = [&](const std::string& message) { throw UsageError(message, channel, 0, channel.size()); };
  if (channel == "iq") {
    if (channels_ != 2 || facts_.type.is_complex)
      wrong("--channel iq takes two channels of real numbers, and there " + std::string(channels_ == 1 ? "is " : "are ") +
            counted(channels_, "channel") + (facts_.type.is_complex ? " of complex ones." : "."));
    facts_.type.is_complex = true;
    facts_.type.name = "c" + facts_.type.name;
    channels_ = 1;
    return;
  }
  if (channel.empty()) {
    if (channels_ == 1) return;
    throw Failure(
        facts_.path + ": there are " + std::to_string(channels_) + " channels. Say which with --channel 1" +
        (channels_ > 2 || facts_.type.is_complex
             ? " to --channel " + std::to_string(channels_) + "."
             : ", --channel 2, or --channel iq where they are the two parts of complex samples."));
  }
  int number = 0;
  const auto [end, failure] = std::from_chars(channel.data(), channel.data() + channel.size(), number);
  if (failure != std::errc{} || end != channel.data() + channel.size() || number < 1 || number > channels_) {
    wrong("--channel takes iq or a number from 1 to " + std::to_string(channels_) + ", the channels of " + facts_.path + ".");
  }
  channel_ = number - 1;
}

// Of a regular file: what is there, and whether it is what is promised.
void Source::count_samples(bool drop_partial) {
  if (npy_ || !stream_->size()) return;
  const std::int64_t left = *stream_->left(), promised = remaining_.value_or(left);
  const auto frame = static_cast<std::int64_t>(facts_.type.bytes()) * channels_;
  if (promised > left && !drop_partial) {
    refuse(facts_.path, "data",
           "the header promises " + counted(promised, "byte") + " of samples, and the file ends after " + counted(left, "byte") +
               ". --drop-partial takes what is there.");
  }
  is_short_ = promised > left;
  facts_.samples = std::min(left, promised) / frame;
  const std::int64_t over = std::min(left, promised) % frame;
  if (over == 0 || drop_partial) return;
  refuse(facts_.path, "data",
         counted(std::min(left, promised), "byte") + " are no whole number of samples of " + facts_.type.name + " (" +
             counted(frame, "byte") + (channels_ > 1 ? " of all channels" : "") + " each): " + counted(over, "byte") +
             (over == 1 ? " is" : " are") + " left. Leave them out with --drop-partial, or name another type with --raw.");
}

std::size_t Source::read_frames(std::span<std::byte> into) {
  const std::size_t frame = facts_.type.bytes() * static_cast<std::size_t>(channels_);
  std::size_t size = part_.size();
  std::copy(part_.begin(), part_.end(), into.begin());
  part_.clear();
  std::span<std::byte> room = into.first(into.size() / frame * frame);
  while (size < frame) {
    std::size_t most = room.size() - size;
    if (remaining_) most = static_cast<std::size_t>(std::min<std::int64_t>(*remaining_, static_cast<std::int64_t>(most)));
    const std::size_t got = most == 0 ? 0 : stream_->read_some(room.subspan(size, most));
    if (got == 0) {
      is_short_ = is_short_ || (remaining_ && *remaining_ > 0);
      part_.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size));
      return 0;
    }
    if (remaining_) *remaining_ -= static_cast<std::int64_t>(got);
    size += got;
  }
  const std::size_t whole = size / frame * frame;
  part_.assign(room.begin() + static_cast<std::ptrdiff_t>(whole), room.begin() + static_cast<std::ptrdiff_t>(size));
  return whole;
}

std::size_t Source::read(std::span<std::byte> into) {
  const std::size_t sample = facts_.type.bytes();
  if (npy_) {
    const auto count = std::min<std::int64_t>(static_cast<std::int64_t>(into.size() / sample), facts_.samples - next_);
    const std::size_t bytes = static_cast<std::size_t>(count) * sample;
    if (count > 0) npy_->read(static_cast<std::size_t>(next_), into.first(bytes));
    next_ += count;
    return bytes;
  }
  if (channels_ == 1) return read_frames(into);
  const std::size_t frame = sample * static_cast<std::size_t>(channels_);
  frames_.resize(std::min(into.size() / sample, std::max(kMostFrameBytes / frame, std::size_t{1})) * frame);
  const std::size_t frames = read_frames(frames_) / frame;
  for (std::size_t i = 0; i < frames; ++i)
    std::memcpy(&into[i * sample], &frames_[i * frame + static_cast<std::size_t>(channel_) * sample], sample);
  return frames * sample;
}

std::string Source::said_at_end() const {
  std::string text;
  if (!part_.empty()) {
    text = counted(static_cast<std::int64_t>(part_.size()), "byte") + " at the end " + (part_.size() == 1 ? "is" : "are") +
           " no whole sample and " + (part_.size() == 1 ? "was" : "were") + " left out.";
  }
  if (is_short_) text += std::string(text.empty() ? "" : " ") + "The header promised more samples than came.";
  return text;
}

}  // namespace ulpfft_tool::signals

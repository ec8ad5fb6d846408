// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Streams: transforms of signals that do not end. C++20 interface, header-only over stream.h, which has the definitions.
//
//   ulpfft::Stream filter = ulpfft::Stream::filter<float>(context, taps);
//   while (!samples.empty()) {
//     samples = samples.subspan(static_cast<std::size_t>(filter.push(samples)));
//     while (const std::int64_t taken = filter.take(items)) use(items.first(static_cast<std::size_t>(taken)));
//   }
//
// Errors      every failure throws ulpfft::Error.
// Threads     a stream is used by one thread at a time.
// Lifetime    a stream is a move-only owner, and outlives its context.
#ifndef ULPFFT_STREAM_HPP_
#define ULPFFT_STREAM_HPP_

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ulpfft/stream.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft {
inline namespace v0 {

// Options of every kind; 0 is the default of each.
struct StreamOptions {
  std::int64_t most_pushed = 0;
  int threads = 0;
  std::int64_t block = 0;        // filters
  std::int64_t max_latency = 0;  // filters; or ULPFFT_LATENCY_NONE
};

// Rows of stft, istft and psd, as ulpfft_stream_options has them. The window is read while the stream is made; empty: all factors are 1.
struct StreamRows {
  std::int64_t length = 0;
  std::int64_t hop = 0;
  std::span<const double> window = {};
  bool centered = false;
  int padding = ULPFFT_PADDING_NONE;
  int phase = ULPFFT_PHASE_START;        // stft and istft
  int output = ULPFFT_STREAM_SPECTRUM;   // stft
  std::string samples = {};              // storage of stft's and psd's samples; empty: that of their type
  std::string items = {};                // storage of stft's rows; empty: that of the arithmetic
};

// What psd makes of its rows.
struct StreamAverage {
  std::int64_t rows = 0;  // of an item; 0: all
  int average = ULPFFT_AVERAGE_MEAN;
  double weight = 0;
  int scaling = ULPFFT_SCALING_DENSITY;
  double rate = 0;
};

// A complex sample in narrow storage, e.g. StreamPair<std::int16_t> of cs16.
template <typename Code>
struct StreamPair {
  Code re, im;
};

class Stream {
 public:
  // From options of the C interface; what they point to is read during the call.
  Stream(Context& context, const ulpfft_stream_options& options, const ulpfft_plan_options* plan_options = nullptr) {
    ulpfft_stream* made = nullptr;
    detail::check(ulpfft_stream_create(context.get(), &options, plan_options, &made));
    stream_.reset(made);
    facts_ = detail_facts(made);
    const std::string storage = options.storage != nullptr ? options.storage : "f32";
    samples_ = options.samples != nullptr ? options.samples : storage;
    items_ = options.items != nullptr ? options.items : storage;
    if (options.kind == ULPFFT_STREAM_ISTFT) row_numbers_ = options.complex_samples != 0 ? options.length : options.length / 2 + 1;
  }

  // A filter of samples float, double, or complex numbers of these; taps are a range of real or complex numbers of the same type.
  template <typename Sample, std::ranges::contiguous_range Taps>
  static Stream filter(Context& context, const Taps& taps, const StreamOptions& options = {}) {
    static_assert(kIsWide<Sample>, "a filter has samples of float or double");
    using Tap = std::ranges::range_value_t<Taps>;
    static_assert(std::same_as<Real<Tap>, Real<Sample>>, "taps and samples are of one type: float or double");
    ulpfft_stream_options to = options_of<Sample>(ULPFFT_STREAM_FILTER, options);
    to.taps = std::ranges::data(taps);
    to.tap_count = static_cast<std::int64_t>(std::ranges::size(taps));
    to.complex_taps = kIsComplex<Tap> ? 1 : 0;
    to.block = options.block;
    to.max_latency = options.max_latency;
    return Stream(context, to);
  }
  // Rows of a signal of samples float, double, std::int16_t, std::int8_t or std::uint8_t, std::complex of the first two, or StreamPair of
  // any; other codes than those of i16, i8 and u8 with `rows.samples`. Spectra are std::complex<double> of double and std::complex<double>,
  // else std::complex<float>, and powers and magnitudes real numbers of these types, unless `rows.items` says otherwise.
  template <typename Sample>
  static Stream stft(Context& context, const StreamRows& rows, const StreamOptions& options = {}) {
    return Stream(context, row_options<Sample>(ULPFFT_STREAM_STFT, rows, options));
  }
  // Back to a signal of these samples: push whole rows of complex numbers.
  template <typename Sample>
  static Stream istft(Context& context, const StreamRows& rows, const StreamOptions& options = {}) {
    static_assert(kIsWide<Sample>, "istft gives samples of float or double");
    return Stream(context, row_options<Sample>(ULPFFT_STREAM_ISTFT, rows, options));
  }
  // Averages of the powers of such rows, in double of double and std::complex<double>, else in float.
  template <typename Sample>
  static Stream psd(Context& context, const StreamRows& rows, const StreamAverage& average = {}, const StreamOptions& options = {}) {
    ulpfft_stream_options to = row_options<Sample>(ULPFFT_STREAM_PSD, rows, options);
    to.rows = average.rows;
    to.average = average.average;
    to.weight = average.weight;
    to.scaling = average.scaling;
    to.rate = average.rate;
    return Stream(context, to);
  }

  const ulpfft_stream_facts& facts() const noexcept { return facts_; }
  ulpfft_stream* get() const noexcept { return stream_.get(); }
  // Predicted rounding noise of psd.
  ulpfft_stream_floor floor() const {
    ulpfft_stream_floor floor = ULPFFT_STREAM_FLOOR_INIT;
    detail::check(ulpfft_stream_floor_get(stream_.get(), &floor));
    return floor;
  }

  // Samples taken, of istft rows; fewer than there are where no more items can wait. Blocks are std::byte, and are counted.
  template <typename Sample>
  std::int64_t push(std::span<const Sample> samples) {
    std::size_t together = static_cast<std::size_t>(row_numbers_);
    if constexpr (std::same_as<Sample, std::byte>) {
      together = facts_.sample_bytes;
    } else {
      check_type<Sample>(facts_.sample_bytes / together, samples_, "samples");
    }
    std::int64_t pushed = 0;
    const auto count = static_cast<std::int64_t>(samples.size() / together);
    detail::check(ulpfft_stream_push(stream_.get(), samples.data(), count, &pushed));
    return pushed;
  }
  // Items written to the beginning of `numbers`, which has room for whole ones: a row has facts().item_numbers. Rows in blocks or packed
  // storage are std::byte.
  template <typename Number>
  std::int64_t take(std::span<Number> numbers) {
    std::size_t of_item = static_cast<std::size_t>(facts_.item_numbers);
    if constexpr (std::same_as<Number, std::byte>) {
      of_item = facts_.item_bytes;
    } else {
      check_type<Number>(facts_.item_bytes / of_item, items_, "items");
    }
    std::int64_t taken = 0;
    detail::check(ulpfft_stream_take(stream_.get(), numbers.data(), static_cast<std::int64_t>(numbers.size() / of_item), &taken));
    return taken;
  }
  std::int64_t ready() const noexcept { return ulpfft_stream_ready(stream_.get()); }
  void flush() { detail::check(ulpfft_stream_flush(stream_.get())); }
  void reset() { detail::check(ulpfft_stream_reset(stream_.get())); }

 private:
  struct Destroy {
    void operator()(ulpfft_stream* stream) const noexcept { ulpfft_stream_destroy(stream); }
  };
  template <typename T>
  struct RealOf {
    using Type = T;
  };
  template <typename T>
  struct RealOf<std::complex<T>> {
    using Type = T;
  };
  template <typename T>
  struct RealOf<StreamPair<T>> {
    using Type = T;
  };
  template <typename T>
  using Real = typename RealOf<std::remove_cv_t<T>>::Type;
  template <typename T>
  static constexpr bool kIsComplex = !std::same_as<Real<T>, std::remove_cv_t<T>>;
  template <typename T>
  static constexpr bool kIsWide = std::same_as<Real<T>, float> || std::same_as<Real<T>, double>;
  // Storage of a type; null: its name is given.
  template <typename T>
  static constexpr const char* kName = std::same_as<Real<T>, double>         ? "f64"
                                       : std::same_as<Real<T>, float>        ? "f32"
                                       : std::same_as<Real<T>, std::int16_t> ? "i16"
                                       : std::same_as<Real<T>, std::int8_t>  ? "i8"
                                       : std::same_as<Real<T>, std::uint8_t> ? "u8"
                                                                             : nullptr;

  template <typename Sample>
  static ulpfft_stream_options options_of(int kind, const StreamOptions& options) {
    ulpfft_stream_options to = ULPFFT_STREAM_OPTIONS_INIT;
    to.kind = kind;
    to.storage = std::same_as<Real<Sample>, double> ? "f64" : "f32";
    to.complex_samples = kIsComplex<Sample> ? 1 : 0;
    to.most_pushed = options.most_pushed;
    to.threads = options.threads;
    return to;
  }
  template <typename Sample>
  static ulpfft_stream_options row_options(int kind, const StreamRows& rows, const StreamOptions& options) {
    ulpfft_stream_options to = options_of<Sample>(kind, options);
    to.length = rows.length;
    to.hop = rows.hop;
    to.window_factors = rows.window.empty() ? nullptr : rows.window.data();
    to.window_count = static_cast<std::int64_t>(rows.window.size());
    to.centered = rows.centered ? 1 : 0;
    to.padding = rows.padding;
    to.phase = rows.phase;
    to.output = rows.output;
    to.samples = rows.samples.empty() ? kName<Sample> : rows.samples.c_str();
    if (to.samples == nullptr) {
      throw Error(Status::kInvalidArgument, "samples", "Samples of this type are codes: name their storage in StreamRows::samples.");
    }
    if (!rows.items.empty()) to.items = rows.items.c_str();
    return to;
  }

  static ulpfft_stream_facts detail_facts(const ulpfft_stream* stream) {
    ulpfft_stream_facts facts = ULPFFT_STREAM_FACTS_INIT;
    detail::check(ulpfft_stream_facts_get(stream, &facts));
    return facts;
  }
  // Numbers of float and double, and of codes whose type says their storage, are those of the stream; of other codes the size counts.
  template <typename T>
  void check_type(std::size_t bytes, const std::string& storage, const char* field) const {
    const bool is_wide = storage == "f32" || storage == "f64";
    const bool fits = kIsWide<T> || is_wide ? kName<T> != nullptr && storage == kName<T> : true;
    if (sizeof(T) == bytes && fits) return;
    throw Error(Status::kInvalidArgument, field,
                std::string(field) + " have " + std::to_string(sizeof(T)) + " bytes each, but those of this stream of " + storage +
                    " have " + std::to_string(bytes) + (sizeof(T) == bytes ? " and are of another type." : "."));
  }

  std::unique_ptr<ulpfft_stream, Destroy> stream_;
  ulpfft_stream_facts facts_{};
  std::string samples_, items_;     // storage
  std::int64_t row_numbers_ = 1;  // that are pushed together
};

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_STREAM_HPP_

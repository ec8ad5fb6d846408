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

class Stream {
 public:
  // From options of the C interface; what they point to is read during the call.
  Stream(Context& context, const ulpfft_stream_options& options, const ulpfft_plan_options* plan_options = nullptr) {
    ulpfft_stream* made = nullptr;
    detail::check(ulpfft_stream_create(context.get(), &options, plan_options, &made));
    stream_.reset(made);
    facts_ = detail_facts(made);
    storage_ = options.storage == nullptr ? "f32" : options.storage;
  }

  // A filter of samples float, double, or complex numbers of these; taps are a range of real or complex numbers of the same type.
  template <typename Sample, std::ranges::contiguous_range Taps>
  static Stream filter(Context& context, const Taps& taps, const StreamOptions& options = {}) {
    using Tap = std::ranges::range_value_t<Taps>;
    static_assert(std::same_as<Real<Tap>, Real<Sample>>, "taps and samples are of one type: float or double");
    ulpfft_stream_options to = ULPFFT_STREAM_OPTIONS_INIT;
    to.kind = ULPFFT_STREAM_FILTER;
    to.storage = kName<Sample>;
    to.complex_samples = kIsComplex<Sample> ? 1 : 0;
    to.most_pushed = options.most_pushed;
    to.threads = options.threads;
    to.taps = std::ranges::data(taps);
    to.tap_count = static_cast<std::int64_t>(std::ranges::size(taps));
    to.complex_taps = kIsComplex<Tap> ? 1 : 0;
    to.block = options.block;
    to.max_latency = options.max_latency;
    return Stream(context, to);
  }

  const ulpfft_stream_facts& facts() const noexcept { return facts_; }
  ulpfft_stream* get() const noexcept { return stream_.get(); }

  // Samples taken; fewer than there are where no more items can wait.
  template <typename Sample>
  std::int64_t push(std::span<const Sample> samples) {
    check_type<Sample>(facts_.sample_bytes, "samples");
    std::int64_t pushed = 0;
    const auto count = static_cast<std::int64_t>(samples.size());
    detail::check(ulpfft_stream_push(stream_.get(), samples.data(), count, &pushed));
    return pushed;
  }
  // Items written to the beginning of `items`.
  template <typename Item>
  std::int64_t take(std::span<Item> items) {
    check_type<Item>(facts_.item_bytes, "items");
    std::int64_t taken = 0;
    detail::check(ulpfft_stream_take(stream_.get(), items.data(), static_cast<std::int64_t>(items.size()), &taken));
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
  using Real = typename RealOf<std::remove_cv_t<T>>::Type;
  template <typename T>
  static constexpr bool kIsComplex = !std::same_as<Real<T>, std::remove_cv_t<T>>;
  template <typename T>
  static constexpr const char* kName = std::same_as<Real<T>, double> ? "f64" : "f32";

  static ulpfft_stream_facts detail_facts(const ulpfft_stream* stream) {
    ulpfft_stream_facts facts = ULPFFT_STREAM_FACTS_INIT;
    detail::check(ulpfft_stream_facts_get(stream, &facts));
    return facts;
  }
  template <typename T>
  void check_type(std::size_t bytes, const char* field) const {
    static_assert(std::same_as<Real<T>, float> || std::same_as<Real<T>, double>, "streams have numbers of float or double");
    if (sizeof(T) == bytes && storage_ == kName<T>) return;
    throw Error(Status::kInvalidArgument, field,
                std::string(field) + " have " + std::to_string(sizeof(T)) + " bytes each, but those of this stream of " + storage_ +
                    " have " + std::to_string(bytes) + ".");
  }

  std::unique_ptr<ulpfft_stream, Destroy> stream_;
  ulpfft_stream_facts facts_{};
  std::string storage_;
};

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_STREAM_HPP_

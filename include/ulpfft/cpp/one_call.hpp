// fft() and ifft(): one call, no plan to keep.
#ifndef ULPFFT_CPP_ONE_CALL_HPP_
#define ULPFFT_CPP_ONE_CALL_HPP_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <mutex>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/context.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/plan.hpp"

namespace ulpfft {
inline namespace v0 {

namespace detail {

// Plans of fft() and ifft(), most recently used first. Bounded: a plan not among the last kCapacity problems is dropped.
class PlanCache {
 public:
  static constexpr std::size_t kCapacity = 32;
  struct Key {
    std::size_t n;
    bool is_double, inverse, in_place;
    bool operator==(const Key&) const = default;
  };

  std::shared_ptr<const Plan> get(const Key& key) {
    if (auto found = find(key)) return found;
    auto made = std::make_shared<const Plan>(Context::process_wide().plan(
        {.lengths = key.n,
         .storage = key.is_double ? "f64" : "f32",
         .direction = key.inverse ? Direction::kInverse : Direction::kForward,
         .scale = key.inverse ? Scale::kByN : Scale::kNone,
         .placement = key.in_place ? Placement::kInPlace : Placement::kOutOfPlace},
        {.effort = Effort::kEstimate}));
    const std::scoped_lock lock(mutex_);
    if (entries_.size() == kCapacity) entries_.pop_back();
    entries_.insert(entries_.begin(), {key, made});
    return made;
  }

  static PlanCache& instance() {
    static PlanCache cache;
    return cache;
  }

 private:
  std::shared_ptr<const Plan> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().second;
  }

  std::mutex mutex_;
  std::vector<std::pair<Key, std::shared_ptr<const Plan>>> entries_;
};

template <typename In, typename Out>
void transform_once(const In& in, Out&& out, bool inverse) {
  using Element = std::ranges::range_value_t<In>;
  static_assert(std::same_as<Element, std::ranges::range_value_t<Out>>, "in and out must hold the same type");
  const std::size_t n = std::ranges::size(in);
  if (std::ranges::size(out) != n) {
    throw Error(Status::kInvalidArgument, "out",
                "out has " + std::to_string(std::ranges::size(out)) + " elements; in has " + std::to_string(n) + ".");
  }
  const bool in_place = n != 0 && std::ranges::data(in) == std::ranges::data(out);
  PlanCache::instance().get({n, storage_of<Element>() == "f64", inverse, in_place})->execute(in, out);
}

}  // namespace detail

// The 1-D transform of a whole vector, span or other contiguous range of std::complex<float> or std::complex<double> into one
// of equal length and type: out[k] = sum_j in[j] exp(-2 pi i j k / n). `out` may be `in`, but must not overlap it otherwise.
// The plan comes from the process-wide context (its wisdom, else an estimate: nothing is timed) and is kept for the 32 problems
// (length, type, direction, placement) used last. Safe from any number of threads. Throws Error naming "in" or "out".
template <ComplexRange In, ComplexRange Out>
  requires WritableRange<Out>
void fft(const In& in, Out&& out) {
  detail::transform_once(in, out, false);
}

// The inverse of fft: out[j] = (1/n) sum_k in[k] exp(+2 pi i j k / n).
template <ComplexRange In, ComplexRange Out>
  requires WritableRange<Out>
void ifft(const In& in, Out&& out) {
  detail::transform_once(in, out, true);
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_ONE_CALL_HPP_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From rows back to samples: weighted rows, and squares of the weights, are added up in f64 until no later row reaches a sample. Rows of an
// unchanged signal add the same number again and again, whose roundings all go one way: they are kept apart, and added at the end.
#include "stream/istft.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "stream/check.h"
#include "stream/memory.h"
#include "stream/plan.h"
#include "stream/queue.h"
#include "stream/rounding.h"
#include "stream/row_transform.h"
#include "stream/stft.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

double factor_at(const StreamRequest& request, std::int64_t j) {
  return request.options.window_factors == nullptr ? 1 : request.options.window_factors[j];
}

// Sums of the squares that reach a sample in the middle of a signal, by its place after the beginning of a row: `hop` of them.
std::vector<double> squares_of_samples(const StreamRequest& request) {
  std::vector<double> squares(static_cast<std::size_t>(request.options.hop));
  for (std::int64_t j = 0; j < request.options.length; ++j) {
    squares[static_cast<std::size_t>(j % request.options.hop)] += std::pow(factor_at(request, j), 2);
  }
  return squares;
}

void check_istft(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  check_stft(request);
  require_one_storage(request, "istft", true);
  require_between(options.output, 0, 0, "output", "rows that go back are spectra, so of istft it is");
  require_between(options.hop, 1, options.length, "hop", "rows that leave no sample out are apart");
  const std::vector<double> squares = squares_of_samples(request);
  const auto none = std::find_if(squares.begin(), squares.end(), [](double sum) { return !(sum > 0) || !std::isfinite(1 / sum); });
  if (none == squares.end()) return;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "window_factors",
                  "Sample " + std::to_string(none - squares.begin()) +
                      " of every hop has no row whose window is not 0 there: use a smaller hop or another window.");
}

LineTransform transform_back(const StreamRequest& request) {
  // Forward is the sign + of c2r, as c/problem.h defines it.
  if (request.options.complex_samples == 0) return {ULPFFT_C2R, request.options.length, ULPFFT_FORWARD, ULPFFT_INTERLEAVED};
  return {ULPFFT_C2C, request.options.length, ULPFFT_BACKWARD, ULPFFT_INTERLEAVED};
}

// The error of a transform is spread evenly over its row. At most, the rows that reach a sample have the same one: weighted by |w|, over
// the sum of squares. That sum grows evenly, so that of its roundings a third counts; then the sample is rounded.
double back_error(const StreamRequest& request, double plan_error) {
  const std::vector<double> squares = squares_of_samples(request);
  std::vector<double> weights(squares.size());
  for (std::int64_t j = 0; j < request.options.length; ++j) {
    weights[static_cast<std::size_t>(j % request.options.hop)] += std::abs(factor_at(request, j));
  }
  const double mean = window_sums(request).squares / static_cast<double>(request.options.length);
  double variance = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) variance += mean * std::pow(weights[i] / squares[i], 2);
  variance /= static_cast<double>(squares.size());
  const double terms = static_cast<double>(request.options.length) / static_cast<double>(request.options.hop);
  return std::sqrt(plan_error * plan_error * variance + rounding_variance(request.f64) + (terms / 3 + 3) * rounding_variance(true));
}

// Without the bytes and the error of the plan.
ulpfft_stream_facts istft_facts(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  ulpfft_stream_facts facts = ULPFFT_STREAM_FACTS_INIT;
  const std::size_t number = request.f64 ? sizeof(double) : sizeof(float);
  const std::int64_t parts = options.complex_samples != 0 ? 2 : 1;
  facts.latency = options.centered != 0 ? options.length / 2 : 0;
  facts.block = options.hop;
  facts.transform = options.length;
  facts.room = options.hop * std::max<std::int64_t>(options.most_pushed, 1);
  facts.sample_bytes = row_item_bytes(request);
  facts.item_bytes = number * static_cast<std::size_t>(parts);
  facts.item_numbers = 1;
  const WindowSums sums = window_sums(request);
  facts.noise_bins = static_cast<double>(options.length) * sums.squares / (sums.factors * sums.factors);
  // Items, a line, the window, and sums of squares, of rows and of their roundings.
  facts.bytes = static_cast<std::uint64_t>(facts.room + options.length) * facts.item_bytes;
  facts.bytes += static_cast<std::uint64_t>(options.length * (2 + 2 * parts)) * sizeof(double);
  return facts;
}

template <typename T>
class Istft final : public ulpfft_stream {
 public:
  explicit Istft(const StreamRequest& request)
      : facts_(istft_facts(request)),
        length_(request.options.length),
        hop_(request.options.hop),
        parts_(request.options.complex_samples != 0 ? 2 : 1),
        before_(request.options.centered != 0 ? length_ / 2 : 0),
        first_(request.options.phase == ULPFFT_PHASE_MIDDLE ? length_ / 2 : 0),
        plan_(request, transform_back(request)),
        window_(static_cast<std::size_t>(length_)),
        line_(static_cast<std::size_t>(length_ * parts_)),
        sums_(static_cast<std::size_t>(length_ * parts_)),
        roundings_(static_cast<std::size_t>(length_ * parts_)),
        squares_(static_cast<std::size_t>(length_)),
        queue_(facts_.room, facts_.item_bytes),
        hidden_(before_) {
    for (std::int64_t j = 0; j < length_; ++j) window_.data()[j] = factor_at(request, j);
    facts_.bytes += plan_.bytes();
    facts_.error = back_error(request, plan_.error());
  }

  std::int64_t push(const void* rows, std::int64_t count) override {
    const char* from = static_cast<const char*>(rows);
    std::int64_t pushed = 0;
    for (; pushed < count && queue_.has_room(hop_); ++pushed) {
      plan_.execute(from + static_cast<std::size_t>(pushed) * facts_.sample_bytes, nullptr, line_.data(), nullptr);
      // The sample that the exponent counts from comes first.
      add(line_.data(), first_, length_ - first_);
      add(line_.data() + (length_ - first_) * parts_, 0, first_);
      hand_out(hop_);
      left_ = length_ - hop_;
    }
    return pushed;
  }

  std::int64_t take(void* items, std::int64_t most) override {
    return queue_.take(items, most, [this] { go_on(); });
  }

  std::int64_t ready() const override { return queue_.size(); }
  bool is_flushed() const override { return flushed_; }
  void flush() override {
    flushed_ = true;
    go_on();
  }
  void reset() override {
    sums_.clear();
    roundings_.clear();
    squares_.clear();
    queue_.clear();
    hidden_ = before_;
    left_ = 0;
    flushed_ = false;
  }
  ulpfft_stream_facts facts() const override { return facts_; }

 private:
  void add(const T* samples, std::int64_t first, std::int64_t count) {
    const double* w = window_.data() + first;
    double* sums = sums_.data() + first * parts_;
    double* roundings = roundings_.data() + first * parts_;
    double* squares = squares_.data() + first;
    const double scale = 1 / static_cast<double>(length_);
    for (std::int64_t i = 0; i < count; ++i) {
      squares[i] += w[i] * w[i];
      for (std::int64_t at = i * parts_; at < (i + 1) * parts_; ++at) {
        const double term = samples[at] * (w[i] * scale);
        const double sum = sums[at] + term;
        const double added = sum - sums[at];
        roundings[at] += (sums[at] - (sum - added)) + (term - added);
        sums[at] = sum;
      }
    }
  }

  // The first `count` samples, which no later row reaches. Those before the signal are dropped.
  void hand_out(std::int64_t count) {
    const std::int64_t dropped = std::min(count, hidden_);
    hidden_ -= dropped;
    T* to = static_cast<T*>(queue_.place(count - dropped));
    for (std::int64_t i = dropped; i < count; ++i) {
      const double square = squares_.data()[i];
      for (std::int64_t part = 0; part < parts_; ++part) {
        const std::int64_t at = i * parts_ + part;
        *to++ = square > 0 ? static_cast<T>((sums_.data()[at] + roundings_.data()[at]) / square) : T{0};
      }
    }
    queue_.add(count - dropped);
    shift(sums_.data(), count * parts_, length_ * parts_);
    shift(roundings_.data(), count * parts_, length_ * parts_);
    shift(squares_.data(), count, length_);
  }

  static void shift(double* numbers, std::int64_t count, std::int64_t size) {
    std::memmove(numbers, numbers + count, static_cast<std::size_t>(size - count) * sizeof(double));
    std::fill_n(numbers + size - count, count, 0.0);
  }

  // After the end, what the last row still reaches.
  void go_on() {
    while (flushed_ && left_ > 0) {
      const std::int64_t count = std::min(left_, queue_.room() - queue_.size());
      if (count == 0) return;
      hand_out(count);
      left_ -= count;
    }
  }

  ulpfft_stream_facts facts_;
  std::int64_t length_, hop_, parts_;
  std::int64_t before_;  // samples of row 0 before the signal
  std::int64_t first_;   // sample of a row that the transform begins with
  StreamPlan plan_;
  StreamArray<double> window_;
  StreamArray<T> line_;
  StreamArray<double> sums_;     // from the first sample of the next row on
  StreamArray<double> roundings_;
  StreamArray<double> squares_;
  StreamQueue queue_;
  std::int64_t hidden_;    // samples before the signal that are still to come
  std::int64_t left_ = 0;  // samples that the last row reaches after those handed out
  bool flushed_ = false;
};

}  // namespace

std::unique_ptr<ulpfft_stream> make_istft(const StreamRequest& request) {
  require_memory(request, predict_istft(request).bytes);
  if (request.f64) return std::make_unique<Istft<double>>(request);
  return std::make_unique<Istft<float>>(request);
}

ulpfft_stream_facts predict_istft(const StreamRequest& request) {
  check_istft(request);
  ulpfft_stream_facts facts = istft_facts(request);
  const TransformEstimate estimate = estimate_transform(request, transform_back(request));
  facts.bytes += estimate.bytes;
  facts.error = back_error(request, estimate.error);
  return facts;
}

}  // namespace ulpfft

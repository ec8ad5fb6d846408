// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/stft.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "planner/api/guard.h"
#include "stream/check.h"
#include "stream/memory.h"
#include "stream/plan.h"
#include "stream/queue.h"
#include "stream/row_transform.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kMostLength = std::int64_t{1} << 24;
constexpr std::int64_t kMostHop = std::int64_t{1} << 30;
constexpr std::int64_t kBlocksTogether = 32;   // that are decoded together
constexpr std::int64_t kSpareSamples = 4096;  // that are pushed between two moves of those that rows still need

std::int64_t sample_capacity(const StreamRequest& request) { return 2 * request.options.length + kSpareSamples; }

std::size_t plan_sample_bytes(const StreamRequest& request) {
  return request.samples.bytes * (request.options.complex_samples != 0 ? 2 : 1);
}
// Of decoded blocks.
std::int64_t decoded_samples(const StreamRequest& request) {
  return request.blocks.reals == 0 ? 0 : kBlocksTogether * block_samples(request);
}

ulpfft_stream_facts stft_facts(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  ulpfft_stream_facts facts = ULPFFT_STREAM_FACTS_INIT;
  const std::int64_t before = options.centered != 0 ? options.length / 2 : 0;
  facts.latency = options.length - 1 - before;
  // The first row reflects one sample more than it reaches, where the length is even.
  if (options.padding == ULPFFT_PADDING_REFLECT) facts.latency = std::max(facts.latency, before);
  facts.block = options.hop;
  facts.transform = options.length;
  const std::int64_t pushed = std::max<std::int64_t>(options.most_pushed, 1) * block_samples(request);
  facts.room = (pushed + options.hop - 1) / options.hop + 1;  // one more: that sample may complete two rows
  facts.sample_bytes = request.blocks.reals != 0 ? request.blocks.bytes() : plan_sample_bytes(request);
  facts.item_bytes = row_item_bytes(request);
  facts.item_numbers = row_bins(request);
  const WindowSums sums = window_sums(request);
  facts.noise_bins = static_cast<double>(options.length) * sums.squares / (sums.factors * sums.factors);
  return facts;
}

// Arrays of the stream itself: items that wait, samples, and a row at an end of the signal.
std::uint64_t stft_bytes(const StreamRequest& request, const ulpfft_stream_facts& facts) {
  const auto samples = static_cast<std::uint64_t>(sample_capacity(request) + request.options.length + decoded_samples(request));
  return static_cast<std::uint64_t>(facts.room) * facts.item_bytes + samples * plan_sample_bytes(request);
}

class Stft final : public RowStream {
 public:
  explicit Stft(const StreamRequest& request)
      : facts_(stft_facts(request)),
        length_(request.options.length),
        hop_(request.options.hop),
        before_(request.options.centered != 0 ? length_ / 2 : 0),
        padding_(request.options.padding),
        capacity_(sample_capacity(request)),
        f64_(request.f64),
        blocks_(request.blocks),
        sample_bytes_(plan_sample_bytes(request)),
        block_samples_(block_samples(request)),
        transform_(request),
        samples_(static_cast<std::size_t>(capacity_) * sample_bytes_),
        zero_(request.samples.zero),
        decoded_(std::max<std::size_t>(static_cast<std::size_t>(decoded_samples(request)) * sample_bytes_, 1)),
        edge_(static_cast<std::size_t>(length_) * sample_bytes_),
        queue_(facts_.room, facts_.item_bytes) {
    facts_.error = transform_.error();
    facts_.bytes = stft_bytes(request, facts_) + transform_.bytes();
  }

  std::int64_t push(const void* samples, std::int64_t count) override {
    if (blocks_.reals == 0) return push_samples(samples, count);
    std::int64_t pushed = 0;
    for (feed(); pushed < count && left_ == 0; feed()) {
      const std::int64_t more = std::min(count - pushed, kBlocksTogether);
      decode_blocks(blocks_, static_cast<const std::byte*>(samples) + static_cast<std::size_t>(pushed) * blocks_.bytes(), more, f64_,
                    decoded_.data());
      given_ = left_ = more * block_samples_;
      pushed += more;
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
    queue_.clear();
    begin_ = end_ = place_ = next_ = given_ = left_ = 0;
    flushed_ = false;
  }
  ulpfft_stream_facts facts() const override { return facts_; }
  const void* oldest() override { return ready() == 0 ? nullptr : queue_.oldest(); }
  void drop_oldest() override {
    queue_.drop_oldest();
    go_on();
  }

 private:
  std::int64_t push_samples(const void* samples, std::int64_t count) {
    const std::byte* from = static_cast<const std::byte*>(samples);
    std::int64_t pushed = 0;
    while (pushed < count) {
      const std::int64_t skipped = std::min(count - pushed, first_needed() - end_);
      if (skipped > 0) {  // between rows that are further apart than they are long
        end_ += skipped;
        begin_ = end_;
        place_ = 0;
        pushed += skipped;
        continue;
      }
      const std::int64_t more = std::min(count - pushed, free_samples());
      if (more == 0) break;
      const std::size_t bytes = static_cast<std::size_t>(more) * sample_bytes_;
      std::memcpy(at(end_), from + static_cast<std::size_t>(pushed) * sample_bytes_, bytes);
      end_ += more;
      pushed += more;
      make_rows();
    }
    return pushed;
  }

  // Decoded samples that wait.
  void feed() {
    if (left_ > 0) left_ -= push_samples(decoded_.data() + static_cast<std::size_t>(given_ - left_) * sample_bytes_, left_);
  }
  void go_on() {
    make_rows();
    feed();
    if (flushed_) make_rows();
  }
  // Whether no more samples come.
  bool ended() const { return flushed_ && left_ == 0; }

  std::int64_t first_sample() const { return next_ * hop_ - before_; }  // of the next row
  std::int64_t first_needed() const { return std::max<std::int64_t>(first_sample(), 0); }
  std::byte* at(std::int64_t sample) { return samples_.data() + static_cast<std::size_t>(sample - begin_ + place_) * sample_bytes_; }

  // Room behind the samples, which are moved to the front where there is none.
  std::int64_t free_samples() {
    if (place_ + end_ - begin_ == capacity_) {
      std::memmove(samples_.data(), at(begin_), static_cast<std::size_t>(end_ - begin_) * sample_bytes_);
      place_ = 0;
    }
    return capacity_ - place_ - (end_ - begin_);
  }

  bool has_row() const {
    if (ended()) return padding_ == ULPFFT_PADDING_NONE ? first_sample() + length_ <= end_ : next_ * hop_ < end_;
    const std::int64_t reflected = padding_ == ULPFFT_PADDING_REFLECT ? -first_sample() : 0;
    return std::max(first_sample() + length_ - 1, reflected) < end_;
  }

  void make_rows() {
    while (has_row() && queue_.has_room(1)) {
      transform_.run(row_samples(), queue_.place(1));
      queue_.add(1);
      ++next_;
      const std::int64_t dropped = std::min(first_needed(), end_) - begin_;
      if (dropped > 0) {
        begin_ += dropped;
        place_ += dropped;
      }
    }
  }

  // Those of the next row: where they lie, or put together at an end of the signal.
  const std::byte* row_samples() {
    const std::int64_t first = first_sample();
    if (first >= 0 && first + length_ <= end_) return at(first);
    for (std::int64_t j = 0; j < length_; ++j) {
      std::byte* to = edge_.data() + static_cast<std::size_t>(j) * sample_bytes_;
      const std::int64_t inside = padding_ == ULPFFT_PADDING_REFLECT ? reflected_sample(first + j) : first + j;
      if (inside >= 0 && inside < end_) {
        std::memcpy(to, at(inside), sample_bytes_);
      } else {
        std::memset(to, zero_, sample_bytes_);
      }
    }
    return edge_.data();
  }

  // Where the end of the signal is not known yet: samples before its beginning alone.
  std::int64_t reflected_sample(std::int64_t i) const {
    if (i >= 0 && i < end_) return i;
    if (end_ == 1) return 0;
    const std::int64_t period = 2 * (end_ - 1);
    const std::int64_t place = (i % period + period) % period;
    return std::min(place, period - place);
  }

  ulpfft_stream_facts facts_;
  std::int64_t length_, hop_;
  std::int64_t before_;  // samples of row 0 before the signal
  int padding_;
  std::int64_t capacity_;
  bool f64_;
  SampleBlocks blocks_;
  std::size_t sample_bytes_;  // as plans read them
  std::int64_t block_samples_;
  RowTransform transform_;
  StreamArray<std::byte> samples_;  // begin_..end_-1 of the signal, from place_ on
  int zero_;  // every byte of a sample that is 0
  StreamArray<std::byte> decoded_;  // the last left_ samples of given_ wait
  StreamArray<std::byte> edge_;
  StreamQueue queue_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  std::int64_t place_ = 0;
  std::int64_t next_ = 0;  // row
  std::int64_t given_ = 0;
  std::int64_t left_ = 0;
  bool flushed_ = false;
};

ulpfft_stream_facts predicted_stft(const StreamRequest& request) {
  ulpfft_stream_facts facts = stft_facts(request);
  const TransformEstimate estimate = estimate_transform(request, row_transform(request));
  facts.bytes = stft_bytes(request, facts) + row_transform_bytes(request) + estimate.bytes;
  facts.error = row_transform_error(request, estimate.error);
  return facts;
}

}  // namespace

void check_stft(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  require_between(options.length, 1, kMostLength, "length", "a row has");
  require_between(options.hop, 1, kMostHop, "hop", "rows are apart");
  require_between(options.padding, ULPFFT_PADDING_NONE, ULPFFT_PADDING_REFLECT, "padding", "ULPFFT_PADDING_NONE, _ZERO and _REFLECT are");
  require_between(options.phase, ULPFFT_PHASE_START, ULPFFT_PHASE_MIDDLE, "phase", "ULPFFT_PHASE_START and _MIDDLE are");
  require_between(options.output, ULPFFT_STREAM_SPECTRUM, ULPFFT_STREAM_MAGNITUDE, "output", "_SPECTRUM, _POWER and _MAGNITUDE are");
  const std::int64_t factors = options.window_factors == nullptr ? 0 : options.length;
  if (options.window_count != factors) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "window_count",
                    "window_count is " + std::to_string(options.window_count) + "; these window_factors and this length have " +
                        std::to_string(factors) + " factors.");
  }
  require_finite(options.window_factors, factors, "window_factors");
  if (options.output == ULPFFT_STREAM_MAGNITUDE) require_one_storage(request, "magnitudes", false);
  if (options.centered != 0 && options.padding == ULPFFT_PADDING_NONE) {
    throw PlanError(ULPFFT_UNSUPPORTED, "padding",
                    "Centered rows reach beyond the signal: use ULPFFT_PADDING_ZERO or ULPFFT_PADDING_REFLECT.");
  }
  if (options.centered == 0 && options.padding == ULPFFT_PADDING_REFLECT) {
    throw PlanError(ULPFFT_UNSUPPORTED, "padding",
                    "ULPFFT_PADDING_REFLECT is for centered rows; others take ULPFFT_PADDING_NONE or ULPFFT_PADDING_ZERO.");
  }
}

std::unique_ptr<RowStream> make_rows(const StreamRequest& request) {
  check_stft(request);
  require_memory(request, predicted_stft(request).bytes);
  return std::make_unique<Stft>(request);
}

std::unique_ptr<ulpfft_stream> make_stft(const StreamRequest& request) { return make_rows(request); }

ulpfft_stream_facts predict_stft(const StreamRequest& request) {
  check_stft(request);
  return predicted_stft(request);
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/filter.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "planner/api/guard.h"
#include "stream/check.h"
#include "stream/filter_engine.h"
#include "stream/filter_shape.h"
#include "stream/plan.h"
#include "stream/queue.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kMostTaps = std::int64_t{1} << 22;
constexpr std::int64_t kMostBlock = std::int64_t{1} << 22;
constexpr std::int64_t kMostLatency = std::int64_t{1} << 30;

FilterSpec spec_of(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  require_one_storage(request, "filter", true);
  require_between(options.tap_count, 1, kMostTaps, "tap_count", "a filter has");
  require_pointer(options.taps, "taps");
  const std::int64_t reals = (options.complex_taps != 0 ? 2 : 1) * options.tap_count;
  request.f64 ? require_finite(static_cast<const double*>(options.taps), reals, "taps")
              : require_finite(static_cast<const float*>(options.taps), reals, "taps");
  if (options.block != 0) require_between(options.block, 1, kMostBlock, "block", "possible are 0, which lets the planner choose, and");
  if (options.max_latency != ULPFFT_LATENCY_NONE) {
    require_between(options.max_latency, 0, kMostLatency, "max_latency", "ULPFFT_LATENCY_NONE (-1) is possible, 0 for no limit, and");
    if (options.max_latency != 0 && options.block != 0) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "max_latency", "A given block has a latency of its own: leave block or max_latency 0.");
    }
  }
  return {options.tap_count, request.f64, options.complex_samples != 0, options.complex_taps != 0};
}

FilterLayers layers_for(const StreamRequest& request, const FilterSpec& spec) {
  const std::int64_t block = request.options.block;
  if (block != 0) return {{given_shape(spec, block), 0, spec.tap_count}};
  FilterCosts costs(request, spec);
  const FilterShape fastest = choose_shape(spec, costs);
  const std::int64_t limit = request.options.max_latency;
  if (limit == 0 || fastest.block - 1 <= limit) return {{fastest, 0, spec.tap_count}};
  return choose_layers(spec, std::max<std::int64_t>(limit, 0), costs);
}

ulpfft_stream_facts facts_of(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers) {
  ulpfft_stream_facts facts = ULPFFT_STREAM_FACTS_INIT;
  const std::size_t number = spec.f64 ? sizeof(double) : sizeof(float);
  const FilterShape& first = layers[0].shape;
  facts.latency = first.block - 1;
  facts.block = first.block;
  facts.layers = std::ssize(layers);
  for (const FilterLayer& layer : layers) {
    facts.transform = std::max(facts.transform, layer.shape.transform);
    facts.partitions += layer.shape.partitions;
  }
  const std::int64_t pushed = std::max<std::int64_t>(request.options.most_pushed, 1);
  // Where nothing waits, up to block - 1 samples have no items yet.
  facts.room = first.is_direct() ? std::max(kDirectRun, pushed) : (pushed + first.block - 1) / first.block * first.block;
  facts.sample_bytes = number * (spec.complex_samples ? 2 : 1);
  facts.item_bytes = number * (spec.complex_items() ? 2 : 1);
  facts.item_numbers = 1;
  return facts;
}

std::uint64_t queue_bytes(const ulpfft_stream_facts& facts) { return static_cast<std::uint64_t>(facts.room) * facts.item_bytes; }

class Filter final : public ulpfft_stream {
 public:
  Filter(const ulpfft_stream_facts& facts, std::int64_t history, std::unique_ptr<FilterEngine> engine)
      : facts_(facts), engine_(std::move(engine)), queue_(facts.room, facts.item_bytes), history_(history) {
    facts_.error = engine_->error();
    facts_.bytes = engine_->bytes() + queue_bytes(facts);
  }

  std::int64_t push(const void* samples, std::int64_t count) override {
    const char* from = static_cast<const char*>(samples);
    std::int64_t pushed = 0;
    while (pushed < count) {
      const std::int64_t more = std::min(count - pushed, engine_->room() - written_);
      if (more == 0) break;
      engine_->write(written_, from + static_cast<std::size_t>(pushed) * facts_.sample_bytes, more);
      written_ += more;
      pushed += more;
      run_if_possible();
    }
    pushed_ += pushed;
    return pushed;
  }

  std::int64_t take(void* items, std::int64_t most) override {
    return queue_.take(items, most, [this] { go_on(); });
  }

  std::int64_t ready() const override { return queue_.size(); }
  bool is_flushed() const override { return flushed_; }

  void flush() override {
    flushed_ = true;
    end_ = pushed_ == 0 ? 0 : pushed_ + history_;
    go_on();
  }

  void reset() override {
    engine_->reset();
    queue_.clear();
    written_ = pushed_ = made_ = end_ = 0;
    flushed_ = false;
  }

  ulpfft_stream_facts facts() const override { return facts_; }

 private:
  // What can run after items were taken, or after the end.
  void go_on() {
    if (!flushed_) {
      run_if_possible();
      return;
    }
    while (made_ < end_) {
      const std::int64_t items = std::min(engine_->room(), end_ - made_);
      if (!queue_.has_room(items)) return;
      const std::int64_t samples = engine_->takes_fewer() ? items : engine_->room();
      engine_->write(written_, nullptr, samples - written_);
      run(items);
    }
  }

  void run_if_possible() {
    const bool complete = written_ == engine_->room() || (written_ > 0 && engine_->takes_fewer());
    if (complete && queue_.has_room(written_)) run(written_);
  }

  void run(std::int64_t items) {
    engine_->run(items, queue_.place(items));
    queue_.add(items);
    made_ += items;
    written_ = 0;
  }

  ulpfft_stream_facts facts_;
  std::unique_ptr<FilterEngine> engine_;
  StreamQueue queue_;
  std::int64_t history_;      // samples before the newest that the taps reach
  std::int64_t written_ = 0;  // samples of the next run
  std::int64_t pushed_ = 0;
  std::int64_t made_ = 0;     // items
  std::int64_t end_ = 0;      // items of the whole signal, after its end
  bool flushed_ = false;
};

// The error of a layer alone; its bytes are added.
double predicted_error(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape, std::uint64_t& bytes) {
  if (shape.is_direct()) {
    bytes += direct_engine_bytes(spec);
    return direct_engine_error(request, spec);
  }
  const TransformEstimate there = estimate_transform(request, forward_transform(spec, shape));
  const TransformEstimate back = estimate_transform(request, inverse_transform(spec, shape));
  bytes += block_engine_bytes(spec, shape) + there.bytes + back.bytes;
  return block_engine_error(request, spec, shape, there.error, back.error);
}

ulpfft_stream_facts predicted_facts(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers) {
  ulpfft_stream_facts facts = facts_of(request, spec, layers);
  facts.bytes = queue_bytes(facts);
  std::vector<double> errors;
  for (const FilterLayer& layer : layers) {
    errors.push_back(predicted_error(layer_request(request, spec, layer), layer_spec(spec, layer), layer.shape, facts.bytes));
  }
  if (layers.size() > 1) facts.bytes += layered_engine_bytes(spec, layers);
  facts.error = layers.size() > 1 ? layered_engine_error(request, spec, layers, errors) : errors[0];
  return facts;
}

}  // namespace

std::unique_ptr<ulpfft_stream> make_filter(const StreamRequest& request) {
  const FilterSpec spec = spec_of(request);
  const FilterLayers layers = layers_for(request, spec);
  require_memory(request, predicted_facts(request, spec, layers).bytes);
  return std::make_unique<Filter>(facts_of(request, spec, layers), spec.tap_count - 1, make_filter_engine(request, spec, layers));
}

ulpfft_stream_facts predict_filter(const StreamRequest& request) {
  const FilterSpec spec = spec_of(request);
  return predicted_facts(request, spec, layers_for(request, spec));
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Layers of a filter: the first one, of short blocks or direct sums, decides the latency; the others have longer blocks of taps further
// back, and their results wait in a ring until the samples they belong to come out.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stream/filter_engine.h"
#include "stream/memory.h"
#include "stream/rounding.h"

namespace ulpfft {
namespace {

std::int64_t longest_block(const FilterLayers& layers) {
  std::int64_t longest = kDirectRun;
  for (const FilterLayer& layer : layers) longest = std::max(longest, layer.shape.block);
  return longest;
}

// Items that may wait in the ring: results begin at the item after the newest, and reach as far as the last layer lies behind.
std::int64_t ring_items(const FilterLayers& layers) { return layers.back().first_tap + longest_block(layers); }

template <typename T>
class LayeredEngine final : public FilterEngine {
 public:
  LayeredEngine(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers)
      : parts_(spec.complex_items() ? 2 : 1),
        ring_size_(ring_items(layers)),
        own_bytes_(layered_engine_bytes(spec, layers)),
        ring_(static_cast<std::size_t>(ring_size_ * parts_)),
        items_(static_cast<std::size_t>(longest_block(layers) * parts_)) {
    std::vector<double> errors;
    for (const FilterLayer& layer : layers) {
      const StreamRequest one = layer_request(request, spec, layer);
      layers_.push_back({make_layer_engine(one, layer_spec(spec, layer), layer.shape), layer.first_tap, 0});
      errors.push_back(layers_.back().engine->error());
    }
    error_ = layered_engine_error(request, spec, layers, errors);
  }

  // Up to the end of the shortest block.
  std::int64_t room() const override {
    std::int64_t room = layers_[0].engine->room();
    if (takes_fewer()) room = std::min(room, layers_[1].engine->room() - layers_[1].written);
    return room;
  }
  bool takes_fewer() const override { return layers_[0].engine->takes_fewer(); }
  double error() const override { return error_; }
  std::uint64_t bytes() const override {
    std::uint64_t all = own_bytes_;
    for (const Layer& layer : layers_) all += layer.engine->bytes();
    return all;
  }

  void write(std::int64_t at, const void* samples, std::int64_t count) override {
    for (Layer& layer : layers_) layer.engine->write(layer.written + at, samples, count);
  }

  void run(std::int64_t count, void* items) override {
    const std::int64_t samples = takes_fewer() ? count : room();
    for (std::size_t i = layers_.size(); i-- > 1;) {
      Layer& layer = layers_[i];
      layer.written += samples;
      const std::int64_t block = layer.engine->room();
      if (layer.written < block) continue;
      layer.engine->run(block, items_.data());
      layer.written = 0;
      add(samples - block + layer.first_tap, block);
    }
    layers_[0].engine->run(samples, items_.data());
    hand_out(samples, count, static_cast<T*>(items));
    begin_ = (begin_ + samples) % ring_size_;
  }

  void reset() override {
    for (Layer& layer : layers_) {
      layer.engine->reset();
      layer.written = 0;
    }
    ring_.clear();
    begin_ = 0;
  }

 private:
  struct Layer {
    std::unique_ptr<FilterEngine> engine;
    std::int64_t first_tap;
    std::int64_t written;  // samples of its next block
  };

  // Calls use(reals of the ring, first, reals) for items first..first+count-1 of this run or after it, in pieces that lie together.
  template <typename Use>
  void for_ring(std::int64_t first, std::int64_t count, const Use& use) {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t place = (begin_ + first + done) % ring_size_;
      const std::int64_t more = std::min(count - done, ring_size_ - place);
      use(ring_.data() + place * parts_, done * parts_, more * parts_);
      done += more;
    }
  }

  void add(std::int64_t first, std::int64_t count) {
    for_ring(first, count, [&](T* ring, std::int64_t begin, std::int64_t reals) {
      const T* from = items_.data() + begin;
      for (std::int64_t i = 0; i < reals; ++i) ring[i] += from[i];
    });
  }

  // `count` items are asked for, of `samples`, whose places in the ring are free then.
  void hand_out(std::int64_t samples, std::int64_t count, T* items) {
    for_ring(0, count, [&](const T* ring, std::int64_t begin, std::int64_t reals) {
      const T* from = items_.data() + begin;
      T* to = items + begin;
      for (std::int64_t i = 0; i < reals; ++i) to[i] = from[i] + ring[i];
    });
    for_ring(0, samples, [](T* ring, std::int64_t, std::int64_t reals) { std::fill_n(ring, reals, T{0}); });
  }

  std::int64_t parts_;  // reals of an item
  std::int64_t ring_size_;
  std::uint64_t own_bytes_;
  std::vector<Layer> layers_;
  StreamArray<T> ring_;
  StreamArray<T> items_;  // of one layer
  std::int64_t begin_ = 0;  // of the ring: the first item of the next run
  double error_ = 0;
};

}  // namespace

std::unique_ptr<FilterEngine> make_layer_engine(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape) {
  return shape.is_direct() ? make_direct_engine(request, spec) : make_block_engine(request, spec, shape);
}

std::unique_ptr<FilterEngine> make_filter_engine(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers) {
  if (layers.size() == 1) return make_layer_engine(request, spec, layers[0].shape);
  if (spec.f64) return std::make_unique<LayeredEngine<double>>(request, spec, layers);
  return std::make_unique<LayeredEngine<float>>(request, spec, layers);
}

std::uint64_t layered_engine_bytes(const FilterSpec& spec, const FilterLayers& layers) {
  const std::int64_t reals = (ring_items(layers) + longest_block(layers)) * (spec.complex_items() ? 2 : 1);
  return static_cast<std::uint64_t>(reals) * (spec.f64 ? sizeof(double) : sizeof(float));
}

// Every layer has its error on its part of the result, and the parts are added one after the other.
double layered_engine_error(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers,
                            const std::vector<double>& errors) {
  const auto energy = [&](std::int64_t i) {
    const FilterLayer& layer = layers[static_cast<std::size_t>(i)];
    return tap_energy(request.options.taps, spec, layer.first_tap, layer.tap_count);
  };
  double all = 0;
  double variance = 0;
  for (std::int64_t i = 0; i < std::ssize(layers); ++i) {
    all += energy(i);
    variance += energy(i) * std::pow(errors[static_cast<std::size_t>(i)], 2);
  }
  if (all > 0) variance /= all;
  return std::sqrt(variance + sum_roundings(std::ssize(layers), energy) * rounding_variance(spec.f64));
}

double tap_energy(const void* taps, const FilterSpec& spec, std::int64_t first, std::int64_t count) {
  const std::int64_t parts = spec.complex_taps ? 2 : 1;
  double energy = 0;
  for (std::int64_t i = first * parts; i < (first + count) * parts; ++i) {
    energy += std::pow(spec.f64 ? static_cast<const double*>(taps)[i] : static_cast<double>(static_cast<const float*>(taps)[i]), 2);
  }
  return energy;
}

}  // namespace ulpfft

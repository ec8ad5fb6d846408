// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Averages of power: a stream of rows, each of which is taken as soon as it is ready and added up in f64.
#include "stream/psd.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "stream/averages.h"
#include "stream/check.h"
#include "stream/memory.h"
#include "stream/queue.h"
#include "stream/rounding.h"
#include "stream/row_transform.h"
#include "stream/stft.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 62;

void check_psd(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  require_one_storage(request, "psd", false);
  require_between(options.phase, 0, 0, "phase", "powers have none, so of psd it is");
  require_between(options.output, 0, 0, "output", "it is of stft, and of psd");
  require_between(options.rows, 0, kMostRows, "rows", "possible are 0 for one item of all rows, and");
  require_between(options.average, ULPFFT_AVERAGE_MEAN, ULPFFT_AVERAGE_EXPONENTIAL, "average",
                  "ULPFFT_AVERAGE_MEAN, _MAX, _MIN and _EXPONENTIAL are");
  require_between(options.scaling, ULPFFT_SCALING_DENSITY, ULPFFT_SCALING_SPECTRUM, "scaling",
                  "ULPFFT_SCALING_DENSITY and _SPECTRUM are");
  const bool exponential = options.average == ULPFFT_AVERAGE_EXPONENTIAL;
  if (exponential ? !(options.weight > 0 && options.weight <= 1) : options.weight != 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "weight",
                    "weight is " + std::to_string(options.weight) +
                        (exponential ? "; of an exponential average it is above 0 and at most 1." : "; of this average it is 0."));
  }
  if (!(options.rate >= 0) || !std::isfinite(options.rate)) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "rate",
                    "rate is " + std::to_string(options.rate) +
                        "; possible are numbers of samples a second above 0, and 0, which means 1.");
  }
}

// The rows of the average.
StreamRequest rows_request(const StreamRequest& request) {
  StreamRequest rows = request;
  rows.options.output = ULPFFT_STREAM_POWER;
  rows.options.most_pushed = 0;
  return rows;
}

double power_scale(const StreamRequest& request) {
  const WindowSums sums = window_sums(request);
  const bool density = request.options.scaling == ULPFFT_SCALING_DENSITY;
  const double window = density ? sums.squares : sums.factors * sums.factors;
  if (!(window > 0) || !std::isfinite(1 / window) || !std::isfinite(window)) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "window_factors",
                    std::string("The ") + (density ? "sum of the squares" : "sum") + " of window_factors is " +
                        (window > 1 ? "too large" : "0 or too small") + " to scale by.");
  }
  const double rate = density && request.options.rate != 0 ? request.options.rate : 1;
  const double scale = 1 / (rate * window);
  if (scale > 0 && std::isfinite(scale)) return scale;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "rate",
                  std::string("rate is too ") + (scale > 0 ? "small" : "large") +
                      " to divide powers by: their scale would be no f64 above 0.");
}

// From those of its rows.
ulpfft_stream_facts psd_facts(const StreamRequest& request, ulpfft_stream_facts facts) {
  const std::int64_t rows = request.options.rows;
  const std::int64_t pushed = std::max<std::int64_t>(request.options.most_pushed, 1) * block_samples(request);
  const std::int64_t most_rows = (pushed + request.options.hop - 1) / request.options.hop + 1;
  facts.room = rows == 0 ? 1 : (most_rows + rows - 1) / rows;
  facts.bytes += static_cast<std::uint64_t>(facts.room) * facts.item_bytes;
  facts.bytes += static_cast<std::uint64_t>(facts.item_numbers) * sizeof(double);  // sums
  facts.error = std::sqrt(facts.error * facts.error + rounding_variance(request.f64));
  return facts;
}

// A window passes noise by the sum of its squares, and an item scales it. The error of the transform is spread evenly over the bins.
ulpfft_stream_floor psd_floor(const StreamRequest& request, double row_error) {
  const bool is_complex = request.options.complex_samples != 0;
  const double in_item = window_sums(request).squares * power_scale(request) * (is_complex ? 1 : 2);
  const double tone = is_complex ? 1 : 0.5;  // mean square
  ulpfft_stream_floor floor = ULPFFT_STREAM_FLOOR_INIT;
  const double rounding = request.blocks.reals != 0 ? tone_rounding(request.blocks) : tone_rounding(request.samples);
  floor.samples = in_item * rounding * (is_complex ? 2 : 1);
  floor.arithmetic = in_item * tone * spectrum_variance(request, row_error);
  floor.power = floor.samples + floor.arithmetic;
  floor.decibels = 10 * std::log10(floor.power);
  return floor;
}

template <typename T>
class Psd final : public ulpfft_stream {
 public:
  Psd(const StreamRequest& request, std::unique_ptr<RowStream> rows)
      : rows_(std::move(rows)),
        facts_(psd_facts(request, rows_->facts())),
        floor_(psd_floor(request, rows_->facts().error)),
        average_(request.options.average),
        weight_(request.options.weight),
        scale_(power_scale(request)),
        rows_of_item_(request.options.rows),
        doubled_(request.options.complex_samples != 0 ? 0 : (request.options.length - 1) / 2),
        sums_(static_cast<std::size_t>(facts_.item_numbers)),
        queue_(facts_.room, facts_.item_bytes) {}

  std::int64_t push(const void* samples, std::int64_t count) override {
    const char* from = static_cast<const char*>(samples);
    std::int64_t pushed = 0;
    while (pushed < count) {
      const std::int64_t more = rows_->push(from + static_cast<std::size_t>(pushed) * facts_.sample_bytes, count - pushed);
      pushed += more;
      if (!take_rows() && more == 0) break;
    }
    return pushed;
  }

  std::int64_t take(void* items, std::int64_t most) override {
    return queue_.take(items, most, [this] { take_rows(); });
  }

  std::int64_t ready() const override { return queue_.size(); }
  bool is_flushed() const override { return rows_->is_flushed(); }
  void flush() override {
    rows_->flush();
    take_rows();
  }
  void reset() override {
    rows_->reset();
    queue_.clear();
    seen_ = in_item_ = 0;
  }
  ulpfft_stream_facts facts() const override { return facts_; }
  bool floor(ulpfft_stream_floor& floor) const override {
    floor = floor_;
    return true;
  }

 private:
  // Whether there were any.
  bool take_rows() {
    bool any = false;
    while (queue_.has_room(1)) {
      const T* const row = static_cast<const T*>(rows_->oldest());
      if (row == nullptr) break;
      any = true;
      add_row(AverageStep<T>{row, sums_.data(), facts_.item_numbers, average_, is_first(), weight_});
      ++seen_;
      rows_->drop_oldest();
      if (++in_item_ == rows_of_item_) make_item();
    }
    if (is_flushed() && in_item_ > 0 && rows_->ready() == 0 && queue_.has_room(1)) make_item();
    return any;
  }

  // Whether the next row begins a sum.
  bool is_first() const { return average_ == ULPFFT_AVERAGE_EXPONENTIAL ? seen_ == 0 : in_item_ == 0; }

  void make_item() {
    const double scale = average_ == ULPFFT_AVERAGE_MEAN ? scale_ / static_cast<double>(in_item_) : scale_;
    T* item = static_cast<T*>(queue_.place(1));
    for (std::int64_t k = 0; k < facts_.item_numbers; ++k) {
      item[k] = static_cast<T>(sums_.data()[k] * (k > 0 && k <= doubled_ ? 2 * scale : scale));
    }
    queue_.add(1);
    in_item_ = 0;
  }

  std::unique_ptr<RowStream> rows_;
  ulpfft_stream_facts facts_;
  ulpfft_stream_floor floor_;
  int average_;
  double weight_;
  double scale_;
  std::int64_t rows_of_item_;
  std::int64_t doubled_;  // bins 1..doubled_ stand for negative frequencies as well
  StreamArray<double> sums_;
  StreamQueue queue_;
  std::int64_t seen_ = 0;     // rows of the signal
  std::int64_t in_item_ = 0;  // rows of the next item
};

}  // namespace

std::unique_ptr<ulpfft_stream> make_psd(const StreamRequest& request) {
  require_memory(request, predict_psd(request).bytes);
  auto rows = make_rows(rows_request(request));
  if (request.f64) return std::make_unique<Psd<double>>(request, std::move(rows));
  return std::make_unique<Psd<float>>(request, std::move(rows));
}

ulpfft_stream_facts predict_psd(const StreamRequest& request) {
  check_psd(request);
  const ulpfft_stream_facts rows = predict_stft(rows_request(request));
  power_scale(request);
  return psd_facts(request, rows);
}

}  // namespace ulpfft

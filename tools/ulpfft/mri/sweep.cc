// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/sweep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

#include "tools/ulpfft/mri/metrics.h"
#include "tools/ulpfft/mri/recon.h"
#include "tools/ulpfft/storage_pair.h"

namespace ulpfft_tool {
namespace {

double bytes_of_sample(const std::string& storage, const SeriesFacts& facts) {
  const std::int64_t lengths[] = {facts.coils * facts.ny, 2 * facts.nx};
  const ulpfft_layout layout = ulpfft::format_layout(storage, lengths);
  return static_cast<double>(layout.data_bytes + layout.scale_bytes) / static_cast<double>(facts.samples_of_slice());
}

// Of every signed format both ways; f32 once, as it is both.
std::vector<SweepRow> rows_of(const SeriesFacts& facts, bool round_trip) {
  std::vector<SweepRow> list;
  for (const bool arithmetic : {true, false}) {
    for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
      ulpfft_format format{};
      format.size = sizeof format;
      ulpfft::detail::check(ulpfft_format_get(i, &format));
      const std::string kind = format.kind, name = format.name;
      SweepRow row;
      row.format = name;
      row.arithmetic = arithmetic;
      row.round_trip = round_trip;
      row.size = facts.nx;
      if (kind == "wide") {
        if (format.bits != 32 || arithmetic) continue;
        row.storage = name;
        row.bytes = static_cast<double>(2 * format.bits) / 8.0;
        list.push_back(std::move(row));
      } else if (kind != "block") {
        if (format.lowest >= 0.0) continue;
        row.storage = arithmetic ? "f32" : name;
        row.scheme = arithmetic ? "rounded:" + name + "/f32" : "";
        row.bytes = bytes_of_sample(name, facts);
        list.push_back(std::move(row));
      } else if (has_power_scales(format)) {
        for (const char* rule : kSweepRules) {
          for (const int block : kSweepBlocks) {
            const std::string whole = name + ":b" + std::to_string(block) + ":" + rule;
            SweepRow one = row;
            one.block = block;
            one.rule = rule;
            one.storage = arithmetic ? "f32" : whole;
            one.scheme = arithmetic ? "mx:" + whole : "";
            one.bytes = bytes_of_sample(whole, facts);
            list.push_back(std::move(one));
          }
        }
      }
    }
  }
  return list;
}

// The middle of k-space, `size` a side: the sample of frequency 0, at n / 2, stays in the middle.
void resize(const Slice& from, std::int64_t size, Slice& to) {
  to.coils = from.coils;
  to.ny = to.nx = size;
  const auto place = [size](std::int64_t index, std::int64_t length) { return index - length / 2 + size / 2; };
  std::visit(
      [&](const auto& samples) {
        std::decay_t<decltype(samples)> resized(static_cast<std::size_t>(from.coils * size * size));
        for (std::int64_t c = 0; c < from.coils; ++c) {
          for (std::int64_t y = 0; y < from.ny; ++y) {
            const std::int64_t row = place(y, from.ny);
            if (row < 0 || row >= size) continue;
            const std::int64_t first = std::max<std::int64_t>(0, -place(0, from.nx)), end = std::min(from.nx, size - place(0, from.nx));
            std::copy(samples.begin() + (c * from.ny + y) * from.nx + first, samples.begin() + (c * from.ny + y) * from.nx + end,
                      resized.begin() + (c * size + row) * size + place(first, from.nx));
          }
        }
        to.data = std::move(resized);
      },
      from.data);
}

SeriesFacts resized_facts(SeriesFacts facts, std::int64_t size) {
  facts.ny = facts.nx = size;
  return facts;
}

// What a row collects, slice by slice.
struct Collected {
  explicit Collected(double range) : metrics(range) {}
  VolumeMetrics metrics;
  double signal = 0.0, error = 0.0;
  std::vector<double> psnr, ssim;
};

// Of one size.
struct Stage {
  SeriesFacts facts;
  ExactTransform exact;
  std::vector<double> peaks;  // of slices
  double range = 0.0;
  std::size_t first = 0;      // of Sweep::rows
  std::vector<Collected> collected;

  Stage(ulpfft::Context& context, const SeriesFacts& of_file, std::int64_t size) : facts(resized_facts(of_file, size)), exact(context, facts) {}
};

OverSlices over_slices(const std::vector<double>& values) {
  double sum = 0.0, count = 0.0, squares = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) sum += value, ++count;
  }
  if (count == 0.0) return {std::numeric_limits<double>::infinity(), 0.0};  // no slice has an error
  const double mean = sum / count;
  for (const double value : values) {
    if (std::isfinite(value)) squares += (value - mean) * (value - mean);
  }
  return {mean, count > 1.0 ? std::sqrt(squares / (count - 1.0)) : 0.0};
}

// Calls work(0) ... work(count - 1) on all threads of the machine; the first failure of any ends them and is thrown.
template <typename Work, typename Told>
void in_parallel(std::size_t count, const Work& work, const Told& told) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&](bool first) {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        if (first) told(i);
        work(i);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), count);
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(run, false);
  } catch (const std::system_error&) {
    // Fewer threads do the same.
  }
  run(true);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

bool is_shown(const SweepRow& row) {
  if (row.block == 0) return row.format == "f32" || row.format == "f16" || row.format == "bf16";
  return (row.block == kShownBlock && row.rule == kShownRule) || (row.arithmetic && row.format == "mxfp8_e4m3");
}

}  // namespace

const SweepRow* Sweep::find(const std::string& format, bool arithmetic, bool round_trip, std::int64_t size, int block, const std::string& rule) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SweepRow& row) {
    return row.format == format && (row.arithmetic == arithmetic || row.format == "f32") && row.round_trip == round_trip && row.size == size &&
           row.block == block && row.rule == rule;
  });
  return found == rows.end() || !found->refused.empty() ? nullptr : &*found;
}

Sweep sweep(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const std::vector<std::int64_t>& sizes,
            const Progress& progress) {
  Sweep result;
  result.facts = reader.facts();
  result.selection = selection;
  result.sizes = sizes;
  result.shown_size = std::find(sizes.begin(), sizes.end(), 128) != sizes.end() ? 128 : sizes.back();
  result.shown_slice = selection.first + selection.count / 2;

  std::vector<Stage> stages;
  stages.reserve(sizes.size());
  for (const std::int64_t size : sizes) stages.emplace_back(context, result.facts, size);
  Slice read, slice;
  std::vector<double> reference;
  for (std::int64_t i = 0; i < selection.count; ++i) {
    progress(0.0, "range, slice " + std::to_string(i + 1) + " of " + std::to_string(selection.count));
    reader.read(selection.repetition, selection.first + i, read);
    for (Stage& stage : stages) {
      resize(read, stage.facts.nx, slice);
      stage.peaks.push_back(stage.exact.reconstruct(slice, reference).peak);
      stage.range = std::max(stage.range, *std::max_element(reference.begin(), reference.end()));
    }
  }
  double work_of_slice = 0.0;
  for (Stage& stage : stages) {
    if (!(stage.range > 0.0)) refuse(path, "samples", "there is no image: every number of the slices selected is 0.");
    if (stage.facts.nx == result.shown_size) result.shown_range = stage.range;
    stage.first = result.rows.size();
    for (const bool round_trip : {false, true}) {
      std::vector<SweepRow> rows = rows_of(stage.facts, round_trip);
      std::move(rows.begin(), rows.end(), std::back_inserter(result.rows));
    }
    stage.collected.assign(result.rows.size() - stage.first, Collected(stage.range));
    work_of_slice += static_cast<double>(stage.facts.samples_of_slice());
  }

  double done = 0.0;
  const double all = work_of_slice * static_cast<double>(selection.count);
  for (std::int64_t i = 0; i < selection.count; ++i) {
    reader.read(selection.repetition, selection.first + i, read);
    for (Stage& stage : stages) {
      resize(read, stage.facts.nx, slice);
      stage.exact.reconstruct(slice, reference);
      const bool shown = stage.facts.nx == result.shown_size && selection.first + i == result.shown_slice;
      if (shown) result.reference.assign(reference.begin(), reference.end());
      const double peak = stage.peaks[static_cast<std::size_t>(i)], work = static_cast<double>(stage.facts.samples_of_slice());
      const std::size_t count = stage.collected.size();
      const auto judge = [&](std::size_t place) {
        SweepRow& row = result.rows[stage.first + place];
        if (!row.refused.empty()) return;
        Collected& collected = stage.collected[place];
        std::optional<NarrowTransform> narrow;
        try {
          narrow.emplace(context, stage.facts, Arithmetic{storage_for_mri(row.storage, row.storage), row.scheme, row.round_trip});
        } catch (const ulpfft::Error& error) {
          row.refused = error.message();
          return;
        }
        std::vector<double> image;
        const NarrowTransform::Outcome outcome = narrow->run(slice, stage.exact, peak, image);
        row.saturated += outcome.saturated;
        collected.signal += outcome.signal;
        collected.error += outcome.error;
        VolumeMetrics alone(stage.range);
        collected.ssim.push_back(alone.add(reference, image, stage.facts.ny, stage.facts.nx));
        collected.psnr.push_back(alone.psnr());
        collected.metrics.add(alone);
        if (shown && is_shown(row)) row.image.assign(image.begin(), image.end());
      };
      in_parallel(count, judge, [&](std::size_t place) {
        const SweepRow& row = result.rows[stage.first + place];
        progress((done + work * static_cast<double>(place) / static_cast<double>(count)) / all,
                 "slice " + std::to_string(i + 1) + " of " + std::to_string(selection.count) + ", " + show_sides(row.size, row.size) + ", " + row.format);
      });
      done += work;
    }
  }
  for (const Stage& stage : stages) {
    for (std::size_t place = 0; place < stage.collected.size(); ++place) {
      SweepRow& row = result.rows[stage.first + place];
      if (!row.refused.empty()) continue;
      const Collected& collected = stage.collected[place];
      row.nmse = collected.metrics.nmse();
      row.psnr = collected.metrics.psnr();
      row.ssim = collected.metrics.ssim();
      row.kspace_snr = decibels(collected.signal, collected.error);
      row.psnr_slices = over_slices(collected.psnr);
      row.ssim_slices = over_slices(collected.ssim);
    }
  }
  return result;
}

}  // namespace ulpfft_tool

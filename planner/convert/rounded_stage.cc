// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/rounded_stage.h"

#include <algorithm>
#include <cmath>

#include "planner/convert/underflow.h"

namespace ulpfft {
namespace {

template <typename T>
void round_pieces(const RoundedStage& stage, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  T reals[2 * kStagePoints];
  std::uint8_t codes[2 * kStagePoints * sizeof(std::uint16_t)];
  std::uint8_t scales[2 * kStagePoints];
  ConversionArgs args;
  args.storage = &stage.storage;
  args.reals = reals;
  args.codes = codes;
  args.scales = stage.storage.scale == nullptr ? nullptr : scales;
  T* const base = reinterpret_cast<T*>(slot_address(buffers, stage.work.slot)) + stage.work.offset;
  std::int64_t saturated = 0;
  const T factor = static_cast<T>(std::ldexp(1.0, stage.exponent));
  for (std::int64_t piece = first; piece < first + count; ++piece) {
    const std::int64_t begin = piece * kStagePoints;
    const std::int64_t points = std::min(kStagePoints, stage.points - begin);
    for (const std::int64_t column : stage.columns) {
      // Calls visit(point of the piece, its re, its im) for all places.
      const auto each = [&](const auto& visit) {
        for (std::int64_t row = begin / stage.row_points; row * stage.row_points < begin + points; ++row) {
          T* const at = base + column + row * stage.row_stride;
          for (const RoundedStage::Place& place : stage.places) {
            const std::int64_t p = row * stage.row_points + place.point - begin;
            if (p >= 0 && p < points) visit(p, at[place.offset], at[place.offset + stage.work.im_offset]);
          }
        }
      };
      each([&](std::int64_t p, const T& re, const T& im) {
        reals[2 * p] = re;
        reals[2 * p + 1] = im;
      });
      args.count = 2 * points;
      saturated += stage.encode(args);
      if (stage.counts) add_underflowed(args, stage, *buffers.narrow);
      stage.decode(args);
      each([&](std::int64_t p, T& re, T& im) {
        re = reals[2 * p] * factor;
        im = reals[2 * p + 1] * factor;
      });
    }
  }
  if (stage.counts) count_saturated(buffers, saturated);
}

}  // namespace

void round_between_passes(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const RoundedStage& stage = context_of<RoundedStage>(args);
  with_reals_of(stage, [&]<typename T>(T) { round_pieces<T>(stage, buffers, first, count); });
}

}  // namespace ulpfft

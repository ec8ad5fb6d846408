// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The units of split passes: from lines to dense tiles and back, and the norms. Stages of a target do the arithmetic.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/ends.h"
#include "codelets/contract/split_pass.h"

namespace ulpfft {
namespace {

template <typename T>
struct SplitTile {
  alignas(64) T numbers[2 * kMostSplitPoints];
  alignas(64) float parts[kMostSplitParts * 2 * kMostSplitPoints];
  alignas(64) T outputs[2 * kSplitOutputs * kMostSplitColumns];
  alignas(64) T norms[kMostSplitColumns];
  alignas(64) T inverse[kMostSplitColumns];
  alignas(64) T factors[kMostSplitColumns];
  alignas(64) T largest[kMostSplitColumns];
  alignas(64) std::int32_t at[kMostSplitColumns];
};

// Points first .. first + count - 1 of a line.
template <typename T>
void load_points(const Edge& edge, Ends<T> from, std::int64_t first, std::int64_t count, T scale, T* re, T* im) {
  while (count > 0) {
    const std::int64_t run = first < edge.wrap_point ? std::min<std::int64_t>(count, edge.wrap_point - first) : count;
    const std::int64_t begin = point_offset(edge, first), stride = edge.point_stride;
    const T* const from_re = from.re + begin;
    const T* const from_im = from.im + begin;
    if (stride == 1 && scale == 1) {
      std::copy_n(from_re, run, re);
      std::copy_n(from_im, run, im);
    } else {
      for (std::int64_t i = 0; i < run; ++i) {
        re[i] = from_re[i * stride] * scale;
        im[i] = from_im[i * stride] * scale;
      }
    }
    first += run;
    count -= run;
    re += run;
    im += run;
  }
}
template <typename T>
void store_points(const Edge& edge, Ends<T> to, std::int64_t first, std::int64_t count, const T* re, const T* im) {
  while (count > 0) {
    const std::int64_t run = first < edge.wrap_point ? std::min<std::int64_t>(count, edge.wrap_point - first) : count;
    const std::int64_t begin = point_offset(edge, first), stride = edge.point_stride;
    T* const to_re = to.re + begin;
    T* const to_im = to.im + begin;
    if (stride == 1) {
      std::copy_n(re, run, to_re);
      std::copy_n(im, run, to_im);
    } else {
      for (std::int64_t i = 0; i < run; ++i) {
        to_re[i * stride] = re[i];
        to_im[i * stride] = im[i];
      }
    }
    first += run;
    count -= run;
    re += run;
    im += run;
  }
}

template <typename T>
Ends<T> moved(Ends<T> ends, std::int64_t by) {
  return {ends.re + by, ends.im + by};
}

template <typename T>
class SplitUnit {
 public:
  SplitUnit(const PassArgs& args, const Buffers& buffers, const SplitStages<T>& stages, SplitTile<T>& tile)
      : args_(args),
        pass_(*static_cast<const SplitPass*>(args.table)),
        stages_(stages),
        tile_(tile),
        units_(pass_.points, pass_.radix),
        in_(resolve<T>(args.in, buffers)),
        out_(resolve<T>(args.out, buffers)),
        norms_(static_cast<T*>(buffers.slot[static_cast<int>(pass_.norms)].re)) {}

  void run(std::int64_t unit) {
    begin_ = units_.of_line > 1 ? unit % units_.of_line * units_.width : 0;
    line_ = units_.of_line > 1 ? unit / units_.of_line : unit * units_.lines;
    lines_ = std::min(units_.lines, args_.axes[1].count - line_);
    const std::int64_t of_line = std::min(units_.width, units_.columns - begin_);
    columns_ = lines_ * of_line;
    of_line_ = of_line;
    width_ = (columns_ + stages_.lanes - 1) / stages_.lanes * stages_.lanes;
    load();
    const bool has_norms = pass_.scheme.norm != SplitNorm::kNone;
    if (has_norms) set_norms();
    stages_.split(pass_, tile_.numbers, has_norms ? tile_.norms : nullptr, tile_.inverse, width_, tile_.parts);
    const bool twiddles = pass_.twiddles_re != nullptr;
    if (twiddles) set_places();
    const bool finds = pass_.norms_written > 0;
    if (finds) std::fill_n(tile_.largest, width_, T(0));
    for (std::int64_t block = 0; block < split_blocks(pass_.radix); ++block) {
      stages_.multiply(pass_, tile_.parts, block, width_, tile_.outputs);
      const std::int64_t end = std::min(pass_.radix, (block + 1) * kSplitOutputs);
      for (std::int64_t q = block * kSplitOutputs; q < end; ++q) {
        T* const output = tile_.outputs + (q % kSplitOutputs) * 2 * units_.width;
        if (has_norms || twiddles || finds) {
          stages_.finish(pass_, output, has_norms ? tile_.factors : nullptr, q, twiddles ? tile_.at : nullptr, width_, finds ? tile_.largest : nullptr);
        }
        store(output, q);
      }
    }
    if (finds) leave_norms(unit);
  }

 private:
  void load() {
    const std::int64_t w = units_.width;
    for (std::int64_t j = 0; j < pass_.radix; ++j) {
      T* const re = tile_.numbers + 2 * j * w;
      T* const im = re + w;
      for (std::int64_t t = 0; t < lines_; ++t) {
        load_points(args_.in, moved(in_, (line_ + t) * args_.axes[1].in_stride), j * units_.columns + begin_, of_line_, static_cast<T>(args_.scale),
                    re + t * of_line_, im + t * of_line_);
      }
      std::fill(re + columns_, re + width_, T(0));
      std::fill(im + columns_, im + width_, T(0));
    }
  }

  void set_norms() {
    const SplitScheme& scheme = pass_.scheme;
    T* const norms = tile_.norms;
    if (scheme.norm == SplitNorm::kTile) {
      stages_.largest(pass_, tile_.numbers, width_, norms);
      const std::int64_t tile = split_tile(scheme, pass_.radix);
      for (std::int64_t t = 0; t < lines_; ++t) {
        for (std::int64_t c = 0; c < of_line_; c += tile) {
          T* const of_tile = norms + t * of_line_ + c;
          const std::int64_t count = std::min(tile, of_line_ - c);
          T largest = 0;
          for (std::int64_t i = 0; i < count; ++i) largest = larger_magnitude(largest, of_tile[i]);
          std::fill_n(of_tile, count, largest);
        }
      }
    } else {
      const bool whole = scheme.norm == SplitNorm::kWhole;
      for (std::int64_t t = 0; t < lines_; ++t) {
        const std::int64_t from = whole ? 0 : line_ + t, count = whole ? args_.axes[1].count : 1;
        const T* const known = norms_ + pass_.norms_in + from * pass_.norms_read;
        T largest = 0;
        for (std::int64_t i = 0; i < count * pass_.norms_read; ++i) largest = larger_magnitude(largest, known[i]);
        std::fill_n(norms + t * of_line_, of_line_, largest);
      }
    }
    std::fill(norms + columns_, norms + width_, T(0));
    for (std::int64_t c = 0; c < width_; ++c) {
      if (!scheme.arbitrary || norms[c] == 0 || !(norms[c] <= std::numeric_limits<T>::max())) norms[c] = split_norm(norms[c]);
      tile_.inverse[c] = 1 / norms[c];
      tile_.factors[c] = norms[c];
      if constexpr (std::is_same_v<T, double>) tile_.factors[c] = slice_scale(norms[c]);
    }
  }

  // Where the twiddles of column c lie, but for q l.
  void set_places() {
    const std::int64_t l = pass_.length, long_l = l * pass_.radix, of_row = pass_.points / (long_l * pass_.next);
    for (std::int64_t t = 0; t < lines_; ++t) {
      for (std::int64_t c = 0; c < of_line_; ++c) {
        const std::int64_t s = (begin_ + c) / l, k = (begin_ + c) % l;
        tile_.at[t * of_line_ + c] = static_cast<std::int32_t>(s / of_row * long_l + k);
      }
    }
    std::fill(tile_.at + columns_, tile_.at + width_, 0);
  }

  void store(const T* output, std::int64_t q) {
    const std::int64_t l = pass_.length;
    for (std::int64_t t = 0; t < lines_; ++t) {
      const Ends<T> to = moved(out_, (line_ + t) * args_.axes[1].out_stride);
      const T* const re = output + t * of_line_;
      const T* const im = re + units_.width;
      for (std::int64_t c = 0; c < of_line_;) {
        const std::int64_t s = (begin_ + c) / l, k = (begin_ + c) % l;
        const std::int64_t run = std::min(of_line_ - c, l - k);
        store_points(args_.out, to, s * l * pass_.radix + q * l + k, run, re + c, im + c);
        c += run;
      }
    }
  }

  void leave_norms(std::int64_t unit) {
    for (std::int64_t t = 0; t < lines_; ++t) {
      T largest = 0;
      for (std::int64_t c = 0; c < of_line_; ++c) largest = larger_magnitude(largest, tile_.largest[t * of_line_ + c]);
      norms_[pass_.norms_out + (line_ + t) * pass_.norms_written + (units_.of_line > 1 ? unit % units_.of_line : 0)] = largest;
    }
  }

  const PassArgs& args_;
  const SplitPass& pass_;
  const SplitStages<T>& stages_;
  SplitTile<T>& tile_;
  const SplitUnits units_;
  const Ends<T> in_, out_;
  T* const norms_;
  // Of the unit: its first column, first line, lines, columns, those of a line, columns in whole vectors.
  std::int64_t begin_ = 0, line_ = 0, lines_ = 0, columns_ = 0, of_line_ = 0, width_ = 0;
};

}  // namespace

template <typename T>
void run_split_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, const SplitStages<T>& stages) {
  SplitTile<T> tile;
  SplitUnit<T> work(args, buffers, stages, tile);
  for (std::int64_t unit = first; unit < first + count; ++unit) work.run(unit);
}
template void run_split_pass<float>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<float>&);
template void run_split_pass<double>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<double>&);

void find_split_norms(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const SplitPass& pass = *static_cast<const SplitPass*>(args.table);
  const Ends<float> in = resolve<float>(args.in, buffers);
  float* const norms = static_cast<float*>(buffers.slot[static_cast<int>(pass.norms)].re) + pass.norms_out;
  constexpr std::int64_t kPiece = 256;
  float re[kPiece], im[kPiece];
  for (std::int64_t line = first; line < first + count; ++line) {
    float largest = 0;
    for (std::int64_t begin = 0; begin < pass.points; begin += kPiece) {
      const std::int64_t piece = std::min(kPiece, pass.points - begin);
      load_points(args.in, moved(in, line * args.axes[0].in_stride), begin, piece, static_cast<float>(args.scale), re, im);
      for (std::int64_t i = 0; i < piece; ++i) {
        largest = larger_magnitude(largest, larger_magnitude(std::abs(re[i]), std::abs(im[i])));
      }
    }
    norms[line] = largest;
  }
}

}  // namespace ulpfft

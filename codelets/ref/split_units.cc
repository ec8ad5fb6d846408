// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The units of split passes: from lines to dense tiles and back, and the norms. Stages of a target do the arithmetic.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "codelets/contract/ends.h"
#include "codelets/contract/split_pass.h"

namespace ulpfft {
namespace {

// Columns that lie one behind the other.
constexpr std::array<std::int64_t, kMostSplitColumns> kDense = [] {
  std::array<std::int64_t, kMostSplitColumns> at{};
  for (std::size_t c = 0; c < at.size(); ++c) at[c] = static_cast<std::int64_t>(c);
  return at;
}();

template <typename T>
struct SplitTile {
  alignas(64) T numbers[2 * kMostSplitPoints];
  alignas(64) float parts[kMostSplitParts * 2 * kMostSplitPoints];
  alignas(64) T outputs[2 * kSplitOutputs * kMostSplitColumns];
  alignas(64) T norms[kMostSplitColumns];
  alignas(64) T inverse[kMostSplitColumns];
  alignas(64) T factors[kMostSplitColumns];
  alignas(64) T largest[kMostSplitColumns];
  SplitPlaces places;
  std::int64_t in[kMostSplitColumns];   // of short runs: reals from the first column of the unit to point 0 of a column
  std::int64_t out[kMostSplitColumns];
};

template <typename T>
Ends<T> moved(Ends<T> ends, std::int64_t by) {
  return {ends.re + by, ends.im + by};
}

template <typename T>
bool is_interleaved(const Edge& edge, Ends<T> ends) {
  return edge.point_stride == 2 && (ends.im == ends.re + 1 || ends.re == ends.im + 1);
}

// Points first .. first + count - 1 of a line.
template <typename T>
void load_points(const SplitStages<T>& stages, const Edge& edge, Ends<T> line, std::int64_t first, std::int64_t count, T scale, T* re,
                 T* im) {
  while (count > 0) {
    const std::int64_t run = first < edge.wrap_point ? std::min<std::int64_t>(count, edge.wrap_point - first) : count;
    const Ends<T> from = moved(line, point_offset(edge, first));
    const std::int64_t stride = edge.point_stride;
    if (is_interleaved(edge, from)) {
      stages.load(from.re, from.im, run, scale, re, im);
    } else if (stride == 1 && scale == 1) {
      std::copy_n(from.re, run, re);
      std::copy_n(from.im, run, im);
    } else {
      for (std::int64_t i = 0; i < run; ++i) {
        re[i] = from.re[i * stride] * scale;
        im[i] = from.im[i * stride] * scale;
      }
    }
    first += run;
    count -= run;
    re += run;
    im += run;
  }
}
// Runs are short, and calls of memmove would take longer: pieces of a length that is known, the last one over numbers that are there
// already.
template <typename T>
void copy_run(const T* from, std::int64_t count, T* to) {
  constexpr std::int64_t kPiece = 8;
  if (count < kPiece) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
    return;
  }
  for (std::int64_t i = 0; i + kPiece < count; i += kPiece) std::memcpy(to + i, from + i, kPiece * sizeof(T));
  std::memcpy(to + count - kPiece, from + count - kPiece, kPiece * sizeof(T));
}

template <typename T>
void store_points(const SplitStages<T>& stages, const Edge& edge, Ends<T> line, std::int64_t first, std::int64_t count, const T* re,
                  const T* im) {
  while (count > 0) {
    const std::int64_t run = first < edge.wrap_point ? std::min<std::int64_t>(count, edge.wrap_point - first) : count;
    const Ends<T> to = moved(line, point_offset(edge, first));
    const std::int64_t stride = edge.point_stride;
    if (is_interleaved(edge, to)) {
      stages.store(re, im, run, to.re, to.im);
    } else if (stride == 1) {
      copy_run(re, run, to.re);
      copy_run(im, run, to.im);
    } else {
      for (std::int64_t i = 0; i < run; ++i) {
        to.re[i * stride] = re[i];
        to.im[i * stride] = im[i];
      }
    }
    first += run;
    count -= run;
    re += run;
    im += run;
  }
}

template <typename T>
class SplitUnit {
 public:
  SplitUnit(const PassArgs& args, const Buffers& buffers, const SplitStages<T>& stages, SplitTile<T>& tile)
      : args_(args),
        pass_(context_of<SplitPass>(args)),
        stages_(stages),
        tile_(tile),
        units_(pass_.points, pass_.radix),
        in_(resolve<T>(args.in, buffers)),
        out_(resolve<T>(args.out, buffers)),
        norms_(static_cast<T*>(buffers.slot[static_cast<int>(pass_.norms)].re)),
        butterflies_(stages.butterflies != nullptr && has_split_butterflies(pass_)),
        reads_(order_read()),
        writes_(order_written()) {}

  void run(std::int64_t unit) {
    begin_ = units_.of_line > 1 ? unit % units_.of_line * units_.width : 0;
    line_ = units_.of_line > 1 ? unit / units_.of_line : unit * units_.lines;
    lines_ = std::min(units_.lines, args_.axes[1].count - line_);
    of_line_ = std::min(units_.width, units_.columns - begin_);
    columns_ = lines_ * of_line_;
    width_ = (columns_ + stages_.lanes - 1) / stages_.lanes * stages_.lanes;
    if (butterflies_ && run_butterflies(unit)) return;
    if (units_.columns == 1 && 4 * columns_ <= stages_.lanes && stages_.multiply_row != nullptr && pass_.radix >= kLeastRowRadix) {
      const std::int64_t end = line_ + lines_;
      lines_ = 1;
      for (; line_ < end; ++line_) run_column();
      return;
    }
    set_places(1);
    load();
    const bool has_norms = pass_.scheme.norm != SplitNorm::kNone;
    if (has_norms) set_norms();
    stages_.split(pass_, tile_.numbers, has_norms ? tile_.norms : nullptr, tile_.inverse, width_, tile_.parts);
    const bool twiddles = pass_.twiddles_re != nullptr;
    const bool finds = pass_.norms_written > 0;
    if (finds) std::fill_n(tile_.largest, width_, T(0));
    for (std::int64_t block = 0; block < split_blocks(pass_.radix); ++block) {
      stages_.multiply(pass_, tile_.parts, block, width_, tile_.outputs);
      const std::int64_t first = block * kSplitOutputs, end = std::min(pass_.radix, first + kSplitOutputs);
      for (std::int64_t q = first; q < end && (has_norms || twiddles || finds); ++q) {
        stages_.finish(pass_, output_of(q), has_norms ? tile_.factors : nullptr, q, twiddles ? &tile_.places : nullptr, width_,
                       finds ? tile_.largest : nullptr);
      }
      store(first, end);
    }
    if (finds) leave_norms(unit);
  }

 private:
  static constexpr std::int64_t kShortRun = 16;

  // A unit as its places see it: how it is cut, and where in a transform and in a row of twiddles its first column lies.
  struct PlacesOf {
    std::int64_t step = 0, lines = 0, of_line = 0, k = 0, of_row = 0;
    // Whether its places are those of another unit as well: transforms and rows end at the same columns. `l`: of a transform; `row`:
    // transforms that have the same twiddles.
    bool serves(const PlacesOf& other, std::int64_t l, std::int64_t row) const {
      if (other.step != step || other.lines != lines || other.of_line != of_line) return false;
      const bool same_transform = other.k == k || std::max(other.k, k) + of_line <= l;
      const std::int64_t at = of_row * l + k, other_at = other.of_row * l + other.k;
      return same_transform && (other_at == at || std::max(other_at, at) + of_line <= row * l);
    }
  };

  // A line that is one column, of a pass that is the only one.
  void run_column() {
    const SplitScheme& scheme = pass_.scheme;
    const std::int64_t radix = pass_.radix;
    const bool has_norms = scheme.norm != SplitNorm::kNone;
    const Ends<T> from = moved(in_, line_ * args_.axes[1].in_stride), to = moved(out_, line_ * args_.axes[1].out_stride);
    T largest = 0;
    for (std::int64_t begin = 0; begin < radix; begin += kRowPiece) {
      const std::int64_t count = std::min(kRowPiece, radix - begin);
      T* const re = tile_.numbers + 2 * begin;
      load_points(stages_, args_.in, from, begin, count, static_cast<T>(args_.scale), re, re + kRowPiece);
      if (scheme.norm != SplitNorm::kTile) continue;
      largest = larger_magnitude(largest, larger_magnitude(stages_.largest_of(re, count), stages_.largest_of(re + kRowPiece, count)));
    }
    if (scheme.norm == SplitNorm::kTile) {
      use_norm(0, kRowPiece, largest);
    } else if (has_norms) {
      set_norms();
    }
    SplitPass piece = pass_;
    piece.radix = 1;
    for (std::int64_t begin = 0; begin < radix; begin += kRowPiece) {
      stages_.split(piece, tile_.numbers + 2 * begin, has_norms ? tile_.norms : nullptr, tile_.inverse, std::min(kRowPiece, radix - begin),
                    tile_.parts + 2 * begin * scheme.parts);
    }
    T* const re = tile_.outputs;
    for (std::int64_t first = 0; first < radix; first += kRowOutputs) {
      stages_.multiply_row(pass_, tile_.parts, first, re);
      for (std::int64_t i = 0; has_norms && i < 2 * kRowOutputs; ++i) re[i] *= tile_.factors[0];
      store_points(stages_, args_.out, to, first, kRowOutputs, re, re + kRowOutputs);
    }
  }

  // Where the columns are whole vectors, the butterflies read and write the arrays themselves, and places of vectors will do.
  bool run_butterflies(std::int64_t unit) {
    const std::int64_t l = pass_.length, lanes = stages_.lanes, w = units_.width;
    const SplitScheme& scheme = pass_.scheme;
    const bool finds = pass_.norms_written > 0, own_norms = finds_norms_of_vectors(pass_, lines_);
    const bool sets_norms = scheme.norm != SplitNorm::kNone && !own_norms;
    const bool whole = of_line_ % lanes == 0;
    const bool reads = whole && reads_ && !(sets_norms && scheme.norm == SplitNorm::kTile), writes = whole && writes_;
    set_places(whole && (reads || reads_runs()) && (writes || writes_runs()) ? lanes : 1);
    if (!reads) load();
    if (sets_norms) set_norms();
    if (finds) std::fill_n(tile_.largest, width_, T(0));
    SplitRows<const T> in{tile_.numbers, tile_.numbers + w, kDense.data(), 2 * w};
    if (reads) in = {unit_in_.re, unit_in_.im, tile_.in, units_.columns * args_.in.point_stride, *reads_, static_cast<T>(args_.scale)};
    SplitRows<T> out{tile_.outputs, tile_.outputs + w, kDense.data(), 2 * w};
    if (writes) out = {unit_out_.re, unit_out_.im, tile_.out, l * args_.out.point_stride, *writes_};
    if (!stages_.butterflies(pass_, in, out, sets_norms ? tile_.inverse : nullptr, tile_.factors,
                             pass_.twiddles_re != nullptr ? &tile_.places : nullptr, width_, finds ? tile_.largest : nullptr)) {
      return false;
    }
    if (!writes) store(0, pass_.radix);
    if (finds) leave_norms(unit);
    return true;
  }

  // How vectors lie in the arrays, if butterflies can read and write them there.
  std::optional<SplitOrder> order_read() const {
    if (args_.in.wrap_point != INT32_MAX) return std::nullopt;
    if (args_.in.point_stride == 1) return SplitOrder::kPlanar;
    if (is_interleaved(args_.in, in_)) return SplitOrder::kInterleaved;
    return std::nullopt;
  }
  std::optional<SplitOrder> order_written() const {
    const std::int64_t l = pass_.length;
    const bool adjacent = l % stages_.lanes == 0;
    if (writes_planar()) {
      if (adjacent) return SplitOrder::kPlanar;
      if (l == 1) return SplitOrder::kColumns;
      if (l == 4) return SplitOrder::kFours;
    }
    if (adjacent && args_.out.wrap_point == INT32_MAX && is_interleaved(args_.out, out_)) return SplitOrder::kInterleaved;
    return std::nullopt;
  }
  bool writes_planar() const { return args_.out.point_stride == 1 && args_.out.wrap_point == INT32_MAX; }
  bool stores_columns() const { return writes_planar() && pass_.length == 1 && of_line_ >= kShortRun; }
  T* output_of(std::int64_t q) const { return tile_.outputs + (q % kSplitOutputs) * 2 * units_.width; }
  bool reads_runs() const { return of_line_ >= kShortRun || args_.in.wrap_point != INT32_MAX; }
  bool writes_runs() const { return std::min(of_line_, pass_.length) >= kShortRun || args_.out.wrap_point != INT32_MAX; }

  // Where columns come from, go to, and have their twiddles: of all, or of each step-th. It is all where vectors of twiddles have no order.
  // From the first column of a unit on, most units have the same places.
  void set_places(std::int64_t step) {
    const std::int64_t l = pass_.length, long_l = l * pass_.radix;
    const std::int64_t of_row = pass_.next > 0 ? pass_.points / (long_l * pass_.next) : pass_.points;
    // A line has less than 2^31 points.
    const auto begin = static_cast<std::uint32_t>(begin_), transform = begin / static_cast<std::uint32_t>(l);
    const std::int64_t first = transform, first_k = begin_ - first * l;
    const std::int64_t first_row = transform / static_cast<std::uint32_t>(of_row), first_of_row = first - first_row * of_row;
    unit_in_ = moved(in_, line_ * args_.axes[1].in_stride + begin_ * args_.in.point_stride);
    unit_out_ = moved(out_, line_ * args_.axes[1].out_stride + (first * long_l + first_k) * args_.out.point_stride);
    tile_.places.first = first_row * long_l + first_k;
    const PlacesOf now{step, lines_, of_line_, first_k, first_of_row};
    if (placed_.serves(now, l, of_row)) return;
    placed_ = now;
    const SplitTwiddles how = twiddles_of_vectors(of_row);
    if (pass_.next > 0 && how == SplitTwiddles::kAnywhere) step = 1;
    const std::int64_t transforms = std::max<std::int64_t>(1, step / l);
    for (std::int64_t t = 0; t < lines_; ++t) {
      std::int64_t s = 0, k = first_k, row = 0, of = first_of_row;
      for (std::int64_t c = 0; c < of_line_;) {
        // To the end of a transform.
        const std::int64_t column = t * of_line_ + c, end = std::min(of_line_, c + l - k);
        std::int64_t in = t * args_.axes[1].in_stride + c * args_.in.point_stride, at = row * long_l + k - first_k;
        std::int64_t out = t * args_.axes[1].out_stride + (s * long_l + k - first_k) * args_.out.point_stride;
        for (std::int64_t i = column; c < end; c += step, i += step, at += step) {
          tile_.in[i] = in;
          tile_.out[i] = out;
          tile_.places.at[i] = static_cast<std::int32_t>(at);
          in += step * args_.in.point_stride;
          out += step * args_.out.point_stride;
        }
        k = 0;
        s += transforms;
        of += transforms;
        if (of < of_row) continue;
        of -= of_row;
        ++row;
      }
    }
    if (pass_.next == 0) return;
    const std::int64_t blocks = (width_ + kSplitBlock - 1) / kSplitBlock;
    if (how != SplitTwiddles::kAnywhere) {
      std::fill_n(tile_.places.how, blocks, how);
      return;
    }
    std::fill(tile_.places.at + columns_, tile_.places.at + blocks * kSplitBlock, 0);
    for (std::int64_t block = 0; block < blocks; ++block) tile_.places.how[block] = order_of(tile_.places.at + block * kSplitBlock);
  }
  // What the twiddles of each vector are, by the lengths alone. `of_row`: transforms that have the same twiddles.
  SplitTwiddles twiddles_of_vectors(std::int64_t of_row) const {
    const std::int64_t l = pass_.length, lanes = stages_.lanes;
    if (of_line_ % lanes != 0 || begin_ % lanes != 0) return SplitTwiddles::kAnywhere;
    if (l % lanes == 0) return SplitTwiddles::kAdjacent;
    if (l == 1 && of_row % lanes == 0) return SplitTwiddles::kOne;
    if (l == 4 && 4 * of_row % lanes == 0) return SplitTwiddles::kFours;
    return SplitTwiddles::kAnywhere;
  }
  static SplitTwiddles order_of(const std::int32_t* at) {
    const std::int32_t step = at[1] - at[0];
    if (step != 0 && step != 1) return SplitTwiddles::kAnywhere;
    for (std::int64_t i = 2; i < kSplitBlock; ++i) {
      if (at[i] - at[i - 1] != step) return SplitTwiddles::kAnywhere;
    }
    return step == 0 ? SplitTwiddles::kOne : SplitTwiddles::kAdjacent;
  }

  void load() {
    const std::int64_t w = units_.width;
    const T scale = static_cast<T>(args_.scale);
    for (std::int64_t j = 0; j < pass_.radix; ++j) {
      T* const re = tile_.numbers + 2 * j * w;
      T* const im = re + w;
      if (reads_runs()) {
        for (std::int64_t t = 0; t < lines_; ++t) {
          load_points(stages_, args_.in, moved(in_, (line_ + t) * args_.axes[1].in_stride), j * units_.columns + begin_, of_line_, scale,
                      re + t * of_line_, im + t * of_line_);
        }
      } else {
        const Ends<T> from = moved(unit_in_, j * units_.columns * args_.in.point_stride);
        for (std::int64_t c = 0; c < columns_; ++c) {
          re[c] = from.re[tile_.in[c]] * scale;
          im[c] = from.im[tile_.in[c]] * scale;
        }
      }
      std::fill(re + columns_, re + width_, T(0));
      std::fill(im + columns_, im + width_, T(0));
    }
  }

  void set_norms() {
    const SplitScheme& scheme = pass_.scheme;
    if (scheme.norm == SplitNorm::kTile) {
      stages_.largest(pass_, tile_.numbers, width_, tile_.largest);
      const std::int64_t tile = split_tile(scheme, pass_.radix);
      for (std::int64_t t = 0; t < lines_; ++t) {
        for (std::int64_t c = 0; c < of_line_; c += tile) {
          const std::int64_t column = t * of_line_ + c, count = std::min(tile, of_line_ - c);
          T largest = 0;
          for (std::int64_t i = 0; i < count; ++i) largest = larger_magnitude(largest, tile_.largest[column + i]);
          use_norm(column, count, largest);
        }
      }
    } else {
      const bool whole = scheme.norm == SplitNorm::kWhole;
      const std::int64_t line = whole ? 0 : line_;
      if (normed_line_ == line) return;
      normed_line_ = -1;
      if (whole || lines_ == 1) {
        const std::int64_t count = whole ? args_.axes[1].count : 1;
        use_norm(0, kMostSplitColumns, stages_.largest_of(norms_ + pass_.norms_in + line * pass_.norms_read, count * pass_.norms_read));
        normed_line_ = line;
        return;
      }
      for (std::int64_t t = 0; t < lines_; ++t) {
        use_norm(t * of_line_, of_line_, stages_.largest_of(norms_ + pass_.norms_in + (line_ + t) * pass_.norms_read, pass_.norms_read));
      }
    }
    use_norm(columns_, width_ - columns_, 0);
  }
  void use_norm(std::int64_t column, std::int64_t count, T largest) {
    T norm = largest;
    if (!pass_.scheme.arbitrary || norm == 0 || !(norm <= std::numeric_limits<T>::max())) norm = split_norm(norm);
    T factor = norm;
    if constexpr (std::is_same_v<T, double>) factor = slice_scale(norm);
    if (pass_.scheme.arbitrary) std::fill_n(tile_.norms + column, count, norm);
    std::fill_n(tile_.inverse + column, count, 1 / norm);
    std::fill_n(tile_.factors + column, count, factor);
  }

  // Outputs first .. end - 1.
  void store(std::int64_t first, std::int64_t end) {
    const std::int64_t l = pass_.length, w = units_.width;
    if (stores_columns()) {
      for (std::int64_t t = 0; t < lines_; ++t) {
        const Ends<T> to = moved(out_, (line_ + t) * args_.axes[1].out_stride + begin_ * pass_.radix + first);
        stages_.store_columns(tile_.outputs + t * of_line_, 2 * w, end - first, of_line_, pass_.radix, to.re);
        stages_.store_columns(tile_.outputs + w + t * of_line_, 2 * w, end - first, of_line_, pass_.radix, to.im);
      }
      return;
    }
    const bool planar = writes_planar();
    for (std::int64_t q = first; q < end; ++q) {
      const T* const re = output_of(q);
      const T* const im = re + w;
      if (planar && l % 16 == 0) {
        store_chunks<16>(re, im, q);
      } else if (planar && l % 8 == 0) {
        store_chunks<8>(re, im, q);
      } else if (planar && l % 4 == 0) {
        store_chunks<4>(re, im, q);
      } else if (writes_runs()) {
        store_runs(re, im, q);
      } else {
        const Ends<T> to = moved(unit_out_, q * l * args_.out.point_stride);
        for (std::int64_t c = 0; c < columns_; ++c) {
          to.re[tile_.out[c]] = re[c];
          to.im[tile_.out[c]] = im[c];
        }
      }
    }
  }
  // Runs of a length that is known take no call.
  template <std::int64_t kRun>
  void store_chunks(const T* re, const T* im, std::int64_t q) {
    const Ends<T> to = moved(unit_out_, q * pass_.length);
    for (std::int64_t c = 0; c < columns_; c += kRun) {
      std::memcpy(to.re + tile_.out[c], re + c, kRun * sizeof(T));
      std::memcpy(to.im + tile_.out[c], im + c, kRun * sizeof(T));
    }
  }
  void store_runs(const T* re, const T* im, std::int64_t q) {
    const std::int64_t l = pass_.length;
    for (std::int64_t t = 0; t < lines_; ++t) {
      const Ends<T> to = moved(out_, (line_ + t) * args_.axes[1].out_stride);
      std::int64_t s = begin_ / l, k = begin_ % l;
      for (std::int64_t c = t * of_line_; c < (t + 1) * of_line_; ++s, k = 0) {
        const std::int64_t run = std::min((t + 1) * of_line_ - c, l - k);
        store_points(stages_, args_.out, to, s * l * pass_.radix + q * l + k, run, re + c, im + c);
        c += run;
      }
    }
  }

  void leave_norms(std::int64_t unit) {
    for (std::int64_t t = 0; t < lines_; ++t) {
      const T largest = stages_.largest_of(tile_.largest + t * of_line_, of_line_);
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
  const bool butterflies_;
  const std::optional<SplitOrder> reads_, writes_;
  PlacesOf placed_;
  std::int64_t normed_line_ = -1;  // whose norm all columns have
  Ends<T> unit_in_{}, unit_out_{};  // its first column
  // The unit: its first column, first line, lines, columns, those of a line, columns in whole vectors.
  std::int64_t begin_ = 0, line_ = 0, lines_ = 0, columns_ = 0, of_line_ = 0, width_ = 0;
};

template <typename T>
void find_norms(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, const SplitStages<T>& stages) {
  const SplitPass& pass = context_of<SplitPass>(args);
  const Ends<T> in = resolve<T>(args.in, buffers);
  T* const norms = static_cast<T*>(buffers.slot[static_cast<int>(pass.norms)].re) + pass.norms_out;
  constexpr std::int64_t kPiece = 256;
  T re[kPiece], im[kPiece];
  for (std::int64_t line = first; line < first + count; ++line) {
    T largest = 0;
    for (std::int64_t begin = 0; begin < pass.points; begin += kPiece) {
      const std::int64_t piece = std::min(kPiece, pass.points - begin);
      load_points(stages, args.in, moved(in, line * args.axes[0].in_stride), begin, piece, static_cast<T>(args.scale), re, im);
      largest = larger_magnitude(largest, larger_magnitude(stages.largest_of(re, piece), stages.largest_of(im, piece)));
    }
    norms[line] = largest;
  }
}

}  // namespace

template <typename T>
void run_split_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, const SplitStages<T>& stages) {
  if (context_of<SplitPass>(args).finds_norms) return find_norms(args, buffers, first, count, stages);
  SplitTile<T> tile;
  SplitUnit<T> work(args, buffers, stages, tile);
  for (std::int64_t unit = first; unit < first + count; ++unit) work.run(unit);
}
template void run_split_pass<float>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<float>&);
template void run_split_pass<double>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<double>&);

}  // namespace ulpfft

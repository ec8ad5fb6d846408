// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/staged.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "codelets/contract/pass_slice.h"
#include "planner/convert/exponents.h"
#include "planner/convert/prescale.h"
#include "planner/system/buffer.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kRowReals = 64;  // conversions go by as many

// Reals of one part after which a conversion may begin. Of one scale a row: anywhere on a byte, decoding.
std::int64_t alignment_of(const Storage& s) {
  const std::int64_t aligned = run_alignment(s);
  return aligned != 0 ? aligned : run_alignment({.element = s.element});
}

// Inlined: rows have few lines, for which a call is long.
[[gnu::always_inline]] inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::int64_t bytes) {
  const auto copy = [&](auto size) {
    for (; bytes >= size; bytes -= size, to += size, from += size) std::memcpy(to, from, size);
  };
  copy(std::integral_constant<int, 64>());
  copy(std::integral_constant<int, 16>());
  copy(std::integral_constant<int, 2>());
  for (; bytes > 0; --bytes) *to++ = *from++;
}

// Of a tile: its first column, and how many there are.
struct TileColumns {
  std::int64_t first, count;
};

// Point j of a column.
std::int64_t point_of(const StagedLine& t, std::int64_t column, std::int64_t j) {
  return t.begin + column + j * t.columns - (j < t.wrap_point ? 0 : t.points);
}

// Rows of adjacent codes are converted as one: a call for each takes longer than to copy what it has, with what comes before it in its
// first byte and block, and after it in the last. Of part `part`, to the reals of a tile from there on.
// Not inlined: beside the slices that run_tiles makes its loops lose registers, and 4096 points of bf16 took 1.03 times as long.
template <typename T>
[[gnu::noinline]] void decode_joined(const StagedLine& t, const Buffers& buffers, int part, const TileColumns& columns, T* tile) {
  alignas(kBufferAlignment) std::uint8_t codes[kMostLineTileBytes / 2];
  std::uint8_t scales[kMostLineTileBytes / 4];
  alignas(kBufferAlignment) T line[kMostLineTileBytes / sizeof(T)];
  const StoredRows& rows = *t.rows;
  const int bits = rows.storage.element->bits;
  const bool scaled = t.scale_shift >= 0;
  const std::int64_t part_reals = rows.split ? 1 : 2, reals = part_reals * columns.count, all = part_reals * t.points, mask = t.aligned - 1;
  const std::int64_t row = (t.before + reals + mask) & ~mask, row_bytes = row * bits / 8;
  const std::int64_t row_scales = scaled ? (row >> t.scale_shift) * t.scale_size : 0;
  const bool direct = row == reals && part_reals == 2;
  const RowAddress line_at = row_at(rows, buffers, part, rows.origin);
  ConversionArgs args;
  args.storage = &rows.storage;
  args.codes = codes;
  args.scales = scaled ? scales : line_at.scales;
  for (std::int64_t first = 0, j = 0; first < t.radix; first = j) {
    const std::int64_t most = std::min(t.radix, first + t.most_rows);
    std::uint8_t *code = codes, *scale = scales;
    while (j < most) {
      const std::int64_t from = part_reals * point_of(t, columns.first, j) & ~mask;
      const std::uint8_t* code_from = line_at.codes + from * bits / 8;
      const std::uint8_t* scale_from = scaled ? line_at.scales + (from >> t.scale_shift) * t.scale_size : nullptr;
      // Those that begin alike, but for one that ends with the line.
      std::int64_t end = t.step.codes != 0 ? std::min(most, j < t.wrap_point ? t.wrap_point : t.radix) : j + 1;
      const std::int64_t rest = all - from - (end - 1 - j) * part_reals * t.columns;
      if (rest < row) --end;
      for (; j < end; ++j, code += row_bytes, code_from += t.step.codes, scale += row_scales, scale_from += t.step.scales) {
        copy_bytes(code, code_from, row_bytes);
        if (scaled) copy_bytes(scale, scale_from, row_scales);
      }
      if (rest >= row) continue;
      std::fill_n(code, row_bytes, std::uint8_t{0});
      std::fill_n(scale, row_scales, std::uint8_t{0});
      copy_bytes(code, code_from, code_bytes(rows.storage, rest));
      if (scaled) copy_bytes(scale, scale_from, scale_bytes(rows.storage, rest));
      ++j, code += row_bytes, scale += row_scales;
    }
    args.count = (j - first) * row;
    args.reals = direct ? tile + first * row : line;
    rows.decode(args);
    for (std::int64_t i = first; i < j && !direct; ++i) {
      const T* const from = line + (i - first) * row + (part_reals * point_of(t, columns.first, i) & mask);
      T* const to = tile + 2 * i * columns.count;
      if (part_reals == 2) {
        std::copy_n(from, reals, to);
      } else {
        for (std::int64_t k = 0; k < reals; ++k) to[2 * k] = from[k];
      }
    }
  }
}

// Codes that lie apart, or are reals.
template <typename T>
void decode_strided(const StagedLine& t, const Buffers& buffers, int part, const TileColumns& columns, T* tile) {
  const StoredRows& rows = *t.rows;
  const std::int64_t part_reals = rows.split ? 1 : 2, whole = std::min(t.radix, t.wrap_point);
  for (const auto& [first, end] : {std::pair<std::int64_t, std::int64_t>{0, whole}, {whole, t.radix}}) {
    if (first == end) continue;
    ConversionArgs args = conversion_at(rows, buffers, part, rows.origin, point_of(t, columns.first, first), columns.count);
    args.rows = end - first;
    args.code_row_bytes = part_reals * t.columns * rows.storage.element->bits / 8 * rows.code_stride;
    args.reals = tile + 2 * first * columns.count;
    args.real_row_stride = 2 * columns.count;
    rows.decode(args);
  }
}

// What lies where the codes of a tile do, in a later transform.
void fetch_points(const StagedLine& t, const Buffers& buffers, int part, const TileColumns& columns) {
  const StoredRows& rows = *t.rows;
  const std::int64_t part_bits = (rows.split ? 1 : 2) * rows.storage.element->bits;
  const auto* const codes = reinterpret_cast<const char*>(row_at(rows, buffers, part, rows.origin).codes) + rows.fetch;
  for (std::int64_t j = 0; j < t.radix; ++j)
    fetch_bytes(codes + point_of(t, columns.first, j) * part_bits / 8, columns.count * part_bits / 8);
}

template <typename T>
void run_tiles(const StagedLine& t, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  alignas(kBufferAlignment) T tile[kMostLineTileBytes / sizeof(T)];
  const StoredRows& rows = *t.rows;
  Buffers here = buffers;
  here.slot[static_cast<int>(t.args.in.slot)] = {tile, tile};
  PassArgs slice = t.args;
  int exponent = buffers.narrow->reads_exponents ? *exponent_of(rows, buffers, 0) : 0;
  if (rows.prescale_target != 0) exponent -= *undo_of(rows, buffers, 0);
  for (std::int64_t i = first; i < first + count; ++i) {
    const std::int64_t column = i * t.chunk;
    const TileColumns columns{column, i + 1 < t.tiles ? t.chunk : t.args.lanes - column};
    for (int part = 0; part < (rows.split ? 2 : 1); ++part) {
      if (rows.fetch != 0) fetch_points(t, buffers, part, columns);
      if (rows.code_stride == 1 && rows.storage.element->kind != FormatKind::kWide) {
        decode_joined(t, buffers, part, columns, tile + part);
      } else {
        decode_strided(t, buffers, part, columns, tile + part);
      }
    }
    multiply_by_power(tile, 2 * t.radix * columns.count, exponent);
    slice_pass(slice, t.args, {PassKind::kFirst, sizeof(T)}, {PassVariable::kLanes, column, columns.count});
    redirect_in(slice, {.slot = t.args.in.slot, .point_stride = 2 * columns.count});
    t.run(slice, here, 0, 1);
  }
}

// Piece by piece, in order.
template <typename T>
int line_amax_exponent(const StoredRows& rows, const Buffers& buffers) {
  constexpr std::int64_t kPoints = kLineTileBytes / static_cast<std::int64_t>(2 * sizeof(T));
  alignas(kBufferAlignment) T tile[2 * kPoints];
  std::optional<int> least;
  for (std::int64_t begin = 0; begin < rows.transform_points; begin += kPoints) {
    const std::int64_t points = std::min(kPoints, rows.transform_points - begin);
    for (int part = 0; part < (rows.split ? 2 : 1); ++part) {
      ConversionArgs args = conversion_at(rows, buffers, part, rows.origin, begin, points);
      args.reals = tile + part;
      rows.decode(args);
    }
    const std::optional<int> exponent = amax_exponent(tile, points, rows.prescale_target);
    if (exponent) least = std::min(*exponent, least.value_or(*exponent));
  }
  return least.value_or(0);
}

// Numbers from the work array, side by side.
template <typename T>
void gather(const StoredRows& rows, const T* work, std::int64_t from, std::int64_t points, T* to) {
  if (rows.im_offset == 1) {
    std::copy_n(work + 2 * from, 2 * points, to);
    return;
  }
  const T *re = work + from, *im = re + rows.im_offset;
  for (std::int64_t i = 0; i < points; ++i) {
    to[2 * i] = re[i];
    to[2 * i + 1] = im[i];
  }
}

template <typename T>
void encode_pieces(const StoredRows& rows, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t kTilePoints = kLineTileBytes / static_cast<std::int64_t>(2 * sizeof(T));
  alignas(kBufferAlignment) T tile[2 * kTilePoints];
  const std::int64_t n = rows.transform_points, end = std::min(n, (first + count) * rows.piece_points);
  T* const re = reinterpret_cast<T*>(slot_address(buffers, rows.work)) + rows.work_offset;
  std::int64_t saturated = 0;
  const auto encode = [&](std::int64_t begin, std::int64_t points, T* reals) {
    for (int part = 0; part < (rows.split ? 2 : 1); ++part) {
      ConversionArgs args = conversion_at(rows, buffers, part, rows.origin, begin, points);
      args.reals = reals + part;
      saturated += rows.encode(args);
    }
  };
  for (std::int64_t begin = first * rows.piece_points, points = 0; begin < end; begin += points) {
    const std::int64_t from = begin < rows.shift ? begin - rows.shift + n : begin - rows.shift, together = std::min(end - begin, n - from);
    if (rows.im_offset == 1 && (begin + together == end || (rows.split ? 1 : 2) * together % alignment_of(rows.storage) == 0)) {
      points = together;
      encode(begin, points, re + 2 * from);
      continue;
    }
    points = std::min(kTilePoints, end - begin);
    const std::int64_t before_end = std::min(points, n - from);
    gather(rows, re, from, before_end, tile);
    gather(rows, re, 0, points - before_end, tile + 2 * before_end);
    encode(begin, points, tile);
  }
  count_saturated(buffers, saturated);
}

}  // namespace

void cut_tiles(StagedLine& t, int width) {
  const StoredRows& rows = *t.rows;
  const Storage& s = rows.storage;
  const std::int64_t part_reals = rows.split ? 1 : 2, column = 2 * t.radix * rows.real_bytes();  // bytes
  const std::int64_t most = kMostLineTileBytes / column - (width - 1);
  const std::int64_t wanted = std::max(kRowReals / 2, kLineTileBytes / column);
  t.chunk = std::max<std::int64_t>(1, std::min(wanted, most) / width) * width;
  t.tiles = std::max<std::int64_t>(1, (t.args.lanes + t.chunk - width) / t.chunk);
  t.aligned = alignment_of(s);
  for (std::int64_t i = 0; i < t.tiles; ++i) {
    for (std::int64_t j = 0; j < t.radix; ++j) t.before = std::max(t.before, part_reals * point_of(t, i * t.chunk, j) & (t.aligned - 1));
  }
  const std::int64_t step = part_reals * t.columns, longest = part_reals * (t.chunk + width) + 2 * t.aligned;
  t.most_rows = std::min<std::int64_t>(kMostLineTileBytes / rows.real_bytes(), 4 * kMostLineTileBytes / s.element->bits) / longest;
  if ((step & (t.aligned - 1)) == 0) t.step.codes = step * s.element->bits / 8;
  if (s.scale == nullptr || s.length == 0) return;
  t.step.scales = t.step.codes != 0 ? scale_bytes(s, step) : 0;
  t.scale_shift = std::countr_zero(static_cast<std::uint64_t>(s.length));
  t.scale_size = scale_bytes(s, s.length);
  t.most_rows = std::min(t.most_rows, kMostLineTileBytes / 4 / (longest / s.length * t.scale_size));
}

void decode_first_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StagedLine& tiles = context_of<StagedLine>(args);
  with_reals_of(*tiles.rows, [&]<typename T>(T) { run_tiles<T>(tiles, buffers, first, count); });
}

void find_prescale(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StoredRows& rows = context_of<StoredRows>(args);
  const int given = buffers.narrow->reads_exponents ? *exponent_of(rows, buffers, 0) : 0;
  *undo_of(rows, buffers, 0) = given - with_reals_of(rows, [&]<typename T>(T) { return line_amax_exponent<T>(rows, buffers); });
}

void fit_kept(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) { choose_exponents(args, buffers, 0, 1); }

void encode_kept(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StoredRows& rows = context_of<StoredRows>(args);
  if (rows.is_line) choose_exponents(args, buffers, 0, 1);
  with_reals_of(rows, [&]<typename T>(T) { encode_pieces<T>(rows, buffers, first, count); });
}

}  // namespace ulpfft

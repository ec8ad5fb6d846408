// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/staged_panel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "codelets/contract/pass_slice.h"
#include "planner/convert/exponents.h"
#include "planner/convert/stored_rows.h"
#include "planner/convert/underflow.h"

namespace ulpfft {
namespace {

const StagedPanel& panel_of(const PassArgs& args) { return *static_cast<const StagedPanel*>(args.table); }

// Rows of the array from `at` on, `step` apart.
ConversionArgs rows_at(const StagedPanel& c, const Buffers& buffers, const NarrowPlace& at, const NarrowPlace& step, std::int64_t rows) {
  const auto base = [&](Slot slot) { return static_cast<std::uint8_t*>(buffers.slot[static_cast<int>(slot)].re); };
  ConversionArgs args;
  args.storage = &c.array.storage;
  args.codes = base(c.codes) + at.codes;
  if (c.array.storage.scale != nullptr) args.scales = base(c.scales) + at.scales;
  args.rows = rows;
  args.code_row_bytes = step.codes;
  args.scale_row_bytes = step.scales;
  return args;
}

// Reals of `rows` rows, `row` of each; rows that follow each other without a gap become one.
void set_reals(ConversionArgs& args, const NarrowRows& array, void* reals, std::int64_t row, std::int64_t count) {
  args.reals = reals;
  args.real_row_stride = row;
  args.count = count;
  if (!array.joins || count != row || row != array.row_reals || args.code_row_bytes != array.row_bytes) return;
  args.count *= args.rows;
  args.rows = 1;
}

void count_saturated(const Buffers& buffers, std::int64_t saturated) {
  if (saturated != 0) std::atomic_ref(buffers.narrow->saturated).fetch_add(saturated, std::memory_order_relaxed);
}

// Codes that nothing reads for long: memory is written without being read first. A copy from a buffer in L1, so that lines leave whole.
void store_past_caches(std::uint8_t* to, const std::uint8_t* from, std::int64_t bytes) {
#ifdef __SSE2__
  using Sixteen [[gnu::vector_size(16)]] = long long;
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Sixteen) == 0) {
    for (; bytes >= 16; bytes -= 16, to += 16, from += 16) {
      Sixteen codes;
      std::memcpy(&codes, from, sizeof codes);
#if __has_builtin(__builtin_nontemporal_store)
      __builtin_nontemporal_store(codes, reinterpret_cast<Sixteen*>(to));
#else
      __builtin_ia32_movntdq(reinterpret_cast<Sixteen*>(to), codes);
#endif
    }
  }
#endif
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

// Rows of codes and of scales one after the other, beside the tile.
struct Gathered {
  std::uint8_t* codes;
  std::uint8_t* scales;
  std::int64_t code_bytes, scale_bytes;  // of a row
};
Gathered gathered(const StagedPanel& c, const Buffers& buffers, std::int64_t row) {
  auto* const codes =
      static_cast<std::uint8_t*>(buffers.slot[static_cast<int>(c.tile_slot)].re) + c.codes_offset * (c.array.is_f64 ? 8 : 4);
  const std::int64_t bytes = code_bytes(c.array.storage, row);
  return {codes, codes + c.most_rows * bytes, bytes, scale_bytes(c.array.storage, row)};
}

std::int64_t encode_and_count(const NarrowRows& array, const Buffers& buffers, const ConversionArgs& args) {
  const std::int64_t saturated = array.encode(args);
  add_underflowed(args, array.is_f64, array.to_zero, *buffers.narrow);
  return saturated;
}

std::int64_t encode_rows(const StagedPanel& c, const Buffers& buffers, ConversionArgs args) {
  if (!c.streams && !c.joins) return encode_and_count(c.array, buffers, args);
  const ConversionArgs target = args;
  const Gathered at = gathered(c, buffers, args.count);
  args.codes = at.codes;
  args.code_row_bytes = at.code_bytes;
  if (c.joins) {
    args.count *= args.rows;
    args.rows = 1;
    if (target.scales != nullptr) args.scales = at.scales;
  }
  const std::int64_t saturated = encode_and_count(c.array, buffers, args);
  for (std::int64_t r = 0; r < target.rows; ++r) {
    auto* const to = static_cast<std::uint8_t*>(target.codes) + r * target.code_row_bytes;
    if (c.streams) {
      store_past_caches(to, at.codes + r * at.code_bytes, at.code_bytes);
    } else {
      std::memcpy(to, at.codes + r * at.code_bytes, static_cast<std::size_t>(at.code_bytes));
    }
    if (!c.joins || target.scales == nullptr) continue;
    std::memcpy(static_cast<std::uint8_t*>(target.scales) + r * target.scale_row_bytes, at.scales + r * at.scale_bytes,
                static_cast<std::size_t>(at.scale_bytes));
  }
  return saturated;
}

// Short rows of blocks cost more than the copy that joins them.
void decode_rows(const StagedPanel& c, const Buffers& buffers, ConversionArgs args) {
  if (c.joins && args.rows > 1) {
    const Gathered at = gathered(c, buffers, args.count);
    for (std::int64_t r = 0; r < args.rows; ++r) {
      std::memcpy(at.codes + r * at.code_bytes, static_cast<const std::uint8_t*>(args.codes) + r * args.code_row_bytes,
                  static_cast<std::size_t>(at.code_bytes));
      std::memcpy(at.scales + r * at.scale_bytes, static_cast<const std::uint8_t*>(args.scales) + r * args.scale_row_bytes,
                  static_cast<std::size_t>(at.scale_bytes));
    }
    args.codes = at.codes;
    args.scales = at.scales;
    args.count *= args.rows;
    args.rows = 1;
  }
  c.array.decode(args);
}

// The rows of the next chunk: reading rows far apart, few lines each, is foreseen by no hardware.
[[gnu::always_inline]] inline void fetch_chunk(const ConversionArgs& rows, std::int64_t bytes) {
  for (std::int64_t r = 0; r < rows.rows; ++r) fetch_bytes(static_cast<const char*>(rows.codes) + r * rows.code_row_bytes, bytes);
}

template <typename T>
void decode_chunks(const StagedPanel& c, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Edge& in = c.args.in;
  const std::int64_t row = 2 * c.args.lanes + c.skip;
  const NarrowPlace origin = c.origin + c.number * buffers.number;
  const auto place = [&](std::int64_t a, std::int64_t j) {
    return origin + c.step * a + c.point * j + (j >= in.wrap_point ? c.wrap : NarrowPlace());
  };
  const bool scaled = c.array.user && buffers.narrow->reads_exponents;
  T* const tile = static_cast<T*>(buffers.slot[static_cast<int>(c.tile_slot)].re) + c.tile_offset;
  const PassTile decoded{.slot = c.tile_slot, .offset = c.tile_offset + c.skip, .point_stride = c.chunk * row, .outer_stride = row};
  PassArgs slice = c.args;
  for (std::int64_t a = first; a < first + count; a += c.chunk) {
    const std::int64_t positions = std::min(c.chunk, first + count - a);
    for (std::int64_t j = 0; j < c.radix; ++j) {
      ConversionArgs rows = rows_at(c, buffers, place(a, j), c.step, positions);
      set_reals(rows, c.array, tile + j * c.chunk * row, row, row);
      decode_rows(c, buffers, rows);
      if (scaled) multiply_by_power(tile + j * c.chunk * row, positions * row, *exponent_of(buffers, false));
      if (a + c.chunk < first + count) {
        fetch_chunk(rows_at(c, buffers, place(a + c.chunk, j), c.step, std::min(c.chunk, first + count - a - c.chunk)),
                    code_bytes(c.array.storage, row));
      }
    }
    slice_pass(slice, c.args, {PassKind::kColumns, sizeof(T)}, {PassVariable::kOuter, a, positions});
    redirect_in(slice, decoded);
    c.run(slice, buffers, 0, positions);
  }
}

template <typename T>
void encode_chunks(const StagedPanel& c, const PassArgs& args, const Buffers& buffers) {
  const Edge& out = c.args.out;
  const std::int64_t all = c.args.axes[1].count;
  const std::int64_t row = 2 * c.args.lanes, codes = c.array.codes(row);
  const NarrowPlace origin = c.origin + c.number * buffers.number;
  const bool scaled = c.array.user && buffers.narrow->writes_exponents;
  T* const tile = static_cast<T*>(buffers.slot[static_cast<int>(c.tile_slot)].re) + c.tile_offset;
  PassArgs whole = args;  // not c.args: its input may have been decoded into a tile
  whole.table = c.args.table;
  const PassTile written{.slot = c.tile_slot, .offset = c.tile_offset, .point_stride = c.chunk * row, .inner_stride = row};
  PassArgs slice = whole;
  std::int64_t saturated = 0;
  for (std::int64_t a = 0; a < all; a += c.chunk) {
    const std::int64_t positions = std::min(c.chunk, all - a);
    slice_pass(slice, whole, {PassKind::kColumnsTwiddled, sizeof(T)}, {PassVariable::kInner, a, positions});
    redirect_out(slice, written);
    c.run(slice, buffers, 0, 1);
    for (std::int64_t j = 0; j < c.radix; ++j) {
      T* const reals = tile + j * c.chunk * row;
      if (c.array.power != nullptr) c.array.power(reals, positions * codes, reals, false);
      if (c.looks) {
        if (const auto exponent = fitting_exponent(c.array.storage, reals, positions * codes)) {
          std::atomic_ref<std::int32_t> most(*exponent_of(buffers, true));
          std::int32_t known = most.load(std::memory_order_relaxed);
          while (known < *exponent && !most.compare_exchange_weak(known, *exponent, std::memory_order_relaxed)) {
          }
        }
        continue;
      }
      if (scaled) multiply_by_power(reals, positions * codes, -*exponent_of(buffers, true));
      const NarrowPlace at = origin + c.step * a + c.point * j + (j >= out.wrap_point ? c.wrap : NarrowPlace());
      ConversionArgs rows = rows_at(c, buffers, at, c.step, positions);
      set_reals(rows, c.array, reals, codes, codes);
      saturated += encode_rows(c, buffers, rows);
    }
  }
  count_saturated(buffers, saturated);
}

}  // namespace

void decode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StagedPanel& c = panel_of(args);
  if (c.array.is_f64) {
    decode_chunks<double>(c, buffers, first, count);
  } else {
    decode_chunks<float>(c, buffers, first, count);
  }
}

void encode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = panel_of(args);
  if (c.array.is_f64) {
    encode_chunks<double>(c, args, buffers);
  } else {
    encode_chunks<float>(c, args, buffers);
  }
}

namespace {

ConversionArgs all_rows(const StagedPanel& c, const Buffers& buffers) {
  ConversionArgs rows = rows_at(c, buffers, c.origin + c.number * buffers.number, c.step, c.chunk);
  char* const tile = static_cast<char*>(buffers.slot[static_cast<int>(c.tile_slot)].re) + c.tile_offset * (c.array.is_f64 ? 8 : 4);
  set_reals(rows, c.array, tile, 2 * c.args.lanes, 2 * c.args.lanes);
  return rows;
}

}  // namespace

void decode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = panel_of(args);
  const ConversionArgs rows = all_rows(c, buffers);
  c.array.decode(rows);
  if (!c.array.user || !buffers.narrow->reads_exponents) return;
  const std::int64_t reals = c.chunk * 2 * c.args.lanes;
  const int exponent = *exponent_of(buffers, false);
  if (c.array.is_f64) {
    multiply_by_power(static_cast<double*>(rows.reals), reals, exponent);
  } else {
    multiply_by_power(static_cast<float*>(rows.reals), reals, exponent);
  }
}

void encode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = panel_of(args);
  count_saturated(buffers, encode_and_count(c.array, buffers, all_rows(c, buffers)));
}

void encode_twist(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = panel_of(args);
  const Twist& twist = c.args.twist;
  const std::int64_t real = c.array.is_f64 ? 8 : 4;
  const std::int64_t row = c.array.row_reals;
  const PassTile written{.slot = c.tile_slot, .offset = c.tile_offset, .point_stride = 2, .lane_stride = row};
  PassArgs slice = c.args;
  for (std::int64_t begin = 0; begin < twist.rows; begin += twist.block) {
    const std::int64_t count = std::min(twist.block, twist.rows - begin);
    slice_pass(slice, c.args, {PassKind::kTwist, real}, {PassVariable::kRows, begin, count});
    redirect_out(slice, written);
    c.run(slice, buffers, 0, 1);
    ConversionArgs rows =
        rows_at(c, buffers, c.origin + c.number * buffers.number + c.point * (begin / twist.block), c.step, c.args.lanes);
    char* const tile = static_cast<char*>(buffers.slot[static_cast<int>(c.tile_slot)].re) + c.tile_offset * real;
    set_reals(rows, c.array, tile, row, 2 * count);
    count_saturated(buffers, encode_rows(c, buffers, rows));
  }
}

}  // namespace ulpfft

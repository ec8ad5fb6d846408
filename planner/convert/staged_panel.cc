// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/staged.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "codelets/contract/pass_slice.h"
#include "planner/convert/exponents.h"
#include "planner/convert/padded_rows.h"
#include "planner/convert/stored_rows.h"
#include "planner/convert/underflow.h"

namespace ulpfft {
namespace {

// Rows of the array from `at` on, `step` apart.
ConversionArgs rows_at(const StagedPanel& c, const Buffers& buffers, const NarrowPlace& at, const NarrowPlace& step, std::int64_t rows) {
  ConversionArgs args;
  args.storage = &c.array.storage;
  args.codes = slot_address(buffers, c.codes) + at.codes;
  if (c.array.storage.scale != nullptr) args.scales = slot_address(buffers, c.scales) + at.scales;
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

// The same rows, whose codes lie one after the other beside the tile. Where rows are joined, their scales lie behind the codes. A row has
// `bytes`.
ConversionArgs gathered(const StagedPanel& c, const Buffers& buffers, ConversionArgs rows, const NarrowPlace& bytes) {
  auto* const codes = reinterpret_cast<std::uint8_t*>(slot_address(buffers, c.tile_slot)) + c.codes_offset * c.array.real_bytes();
  rows.codes = codes;
  rows.code_row_bytes = bytes.codes;
  if (!c.joins || rows.scales == nullptr) return rows;
  rows.scales = codes + c.most_rows * bytes.codes;
  rows.scale_row_bytes = bytes.scales;
  return rows;
}

NarrowPlace bytes_of_row(const ConversionArgs& rows) {
  return {code_bytes(*rows.storage, rows.count), scale_bytes(*rows.storage, rows.count)};
}

// Codes, and scales where they lie elsewhere.
void copy_row_codes(const ConversionArgs& from, const ConversionArgs& to, const NarrowPlace& bytes, bool streams) {
  const ByteRows source = codes_of(from, bytes.codes), target = codes_of(to, bytes.codes);
  if (!streams) copy_byte_rows(source, target, from.rows);
  for (std::int64_t r = 0; streams && r < from.rows; ++r) store_past_caches(target.row(r), source.row(r), source.bytes);
  if (to.scales != from.scales) copy_byte_rows(scales_of(from, bytes.scales), scales_of(to, bytes.scales), from.rows);
}

std::int64_t encode_and_count(const NarrowRows& array, const Buffers& buffers, const ConversionArgs& args) {
  const std::int64_t saturated = array.encode(args);
  add_underflowed(args, array, *buffers.narrow);
  return saturated;
}

std::int64_t encode_panel_rows(const StagedPanel& c, const Buffers& buffers, const ConversionArgs& rows) {
  if (!c.streams && !c.joins) return encode_and_count(c.array, buffers, rows);
  const NarrowPlace bytes = bytes_of_row(rows);
  const ConversionArgs beside = gathered(c, buffers, rows, bytes);
  const std::int64_t saturated = encode_and_count(c.array, buffers, c.joins ? as_one(beside) : beside);
  copy_row_codes(beside, rows, bytes, c.streams);
  return saturated;
}

// Short rows of blocks cost more than the copy that joins them.
void decode_panel_rows(const StagedPanel& c, const Buffers& buffers, const ConversionArgs& rows) {
  if (!c.joins || rows.rows == 1) return c.array.decode(rows);
  const NarrowPlace bytes = bytes_of_row(rows);
  const ConversionArgs beside = gathered(c, buffers, rows, bytes);
  copy_row_codes(rows, beside, bytes, false);
  c.array.decode(as_one(beside));
}

// The exponent of an output is at least the one with which these reals fit.
template <typename T>
void look(const StagedPanel& c, const Buffers& buffers, const T* reals, std::int64_t count) {
  const auto exponent = fitting_exponent(c.array.storage, reals, count);
  if (!exponent) return;
  std::atomic_ref<std::int32_t> most(*exponent_of(buffers, true));
  std::int32_t known = most.load(std::memory_order_relaxed);
  while (known < *exponent && !most.compare_exchange_weak(known, *exponent, std::memory_order_relaxed)) {
  }
}

// Which passes are cut, and what a slice has some of.
struct Cut {
  PassKind kind;
  PassVariable variable;  // kOuter: what the pass reads is decoded before; else what it has written is encoded behind it
};

// Runs slices of positions (kRows: of rows) first .. first + count - 1 of `whole`.
template <typename T>
void run_slices(const StagedPanel& c, const PassArgs& whole, const Buffers& buffers, const Cut& cut, std::int64_t first,
                std::int64_t count) {
  const bool decodes = cut.variable == PassVariable::kOuter, by_rows = cut.variable == PassVariable::kRows;
  const std::int64_t chunk = by_rows ? c.args.twist.block : c.chunk, end = first + count;
  const std::int64_t row = by_rows ? c.array.row_reals : c.skip + 2 * c.args.lanes;
  const std::int64_t stored = decodes ? row : c.array.codes(row);  // reals of a row of the tile that have codes
  const std::int32_t wrap_point = decodes ? c.args.in.wrap_point : c.args.out.wrap_point;
  const NarrowPlace origin = c.origin + c.number * buffers.number;
  T* const tile = reinterpret_cast<T*>(slot_address(buffers, c.tile_slot)) + c.tile_offset;
  const auto reals_of = [&](std::int64_t j) { return tile + j * chunk * row; };
  const auto rows_of = [&](std::int64_t j, std::int64_t a, std::int64_t positions) {
    const NarrowPlace at = by_rows ? origin + c.point * (a / chunk)
                                   : origin + c.step * a + c.point * j + (j >= wrap_point ? c.wrap : NarrowPlace());
    ConversionArgs rows = rows_at(c, buffers, at, c.step, by_rows ? c.args.lanes : positions);
    set_reals(rows, c.array, reals_of(j), stored, by_rows ? 2 * positions : stored);
    return rows;
  };
  const bool scaled = c.array.user && (decodes ? buffers.narrow->reads_exponents : buffers.narrow->writes_exponents);
  PassTile at{.slot = c.tile_slot, .offset = c.tile_offset + c.skip};
  at.point_stride = by_rows ? 2 : chunk * row;
  (by_rows ? at.lane_stride : decodes ? at.outer_stride : at.inner_stride) = row;
  PassArgs slice = whole;
  std::int64_t saturated = 0;
  for (std::int64_t a = first; a < end; a += chunk) {
    const std::int64_t positions = std::min(chunk, end - a), later = std::min(chunk, end - a - chunk);
    for (std::int64_t j = 0; decodes && j < c.radix; ++j) {
      decode_panel_rows(c, buffers, rows_of(j, a, positions));
      if (scaled) multiply_by_power(reals_of(j), positions * row, *exponent_of(buffers, false));
      // Reading rows far apart, few lines each, is foreseen by no hardware.
      if (later > 0) fetch_rows(rows_of(j, a + chunk, later), 0);
    }
    slice_pass(slice, whole, {cut.kind, sizeof(T)}, {cut.variable, a, positions});
    decodes ? redirect_in(slice, at) : redirect_out(slice, at);
    c.run(slice, buffers, 0, decodes ? positions : 1);
    for (std::int64_t j = 0; !decodes && j < c.radix; ++j) {
      if (c.array.power != nullptr) c.array.power(reals_of(j), positions * stored, reals_of(j), false);
      if (c.looks) {
        look(c, buffers, reals_of(j), positions * stored);
        continue;
      }
      if (scaled) multiply_by_power(reals_of(j), positions * stored, -*exponent_of(buffers, true));
      saturated += encode_panel_rows(c, buffers, rows_of(j, a, positions));
    }
  }
  count_saturated(buffers, saturated);
}

void run_slices(const StagedPanel& c, const PassArgs& whole, const Buffers& buffers, const Cut& cut, std::int64_t first,
                std::int64_t count) {
  with_reals_of(c.array, [&]<typename T>(T) { run_slices<T>(c, whole, buffers, cut, first, count); });
}

}  // namespace

void decode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StagedPanel& c = context_of<StagedPanel>(args);
  run_slices(c, c.args, buffers, {PassKind::kColumns, PassVariable::kOuter}, first, count);
}

void encode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = context_of<StagedPanel>(args);
  PassArgs whole = args;  // not c.args: its input may have been decoded into a tile
  whole.context = c.args.context;
  run_slices(c, whole, buffers, {PassKind::kColumnsTwiddled, PassVariable::kInner}, 0, c.args.axes[1].count);
}

void encode_twist(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = context_of<StagedPanel>(args);
  run_slices(c, c.args, buffers, {PassKind::kTwist, PassVariable::kRows}, 0, c.args.twist.rows);
}

namespace {

ConversionArgs all_rows(const StagedPanel& c, const Buffers& buffers) {
  ConversionArgs rows = rows_at(c, buffers, c.origin + c.number * buffers.number, c.step, c.chunk);
  set_reals(rows, c.array, slot_address(buffers, c.tile_slot) + c.tile_offset * c.array.real_bytes(), 2 * c.args.lanes, 2 * c.args.lanes);
  return rows;
}

}  // namespace

void decode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = context_of<StagedPanel>(args);
  const ConversionArgs rows = all_rows(c, buffers);
  c.array.decode(rows);
  if (!c.array.user || !buffers.narrow->reads_exponents) return;
  with_reals_of(c.array, [&]<typename T>(T) {
    multiply_by_power(static_cast<T*>(rows.reals), c.chunk * 2 * c.args.lanes, *exponent_of(buffers, false));
  });
}

void encode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const StagedPanel& c = context_of<StagedPanel>(args);
  count_saturated(buffers, encode_and_count(c.array, buffers, all_rows(c, buffers)));
}

}  // namespace ulpfft

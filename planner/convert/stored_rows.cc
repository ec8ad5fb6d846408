// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/stored_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "planner/convert/exponents.h"
#include "planner/convert/padded_rows.h"
#include "planner/convert/prescale.h"

namespace ulpfft {
namespace {

char* address(const Buffers& buffers, Slot slot, int part) {
  const SlotAddress& at = buffers.slot[static_cast<int>(slot)];
  return static_cast<char*>(part == 0 ? at.re : at.im);
}

// Reals of the workspace from element `begin` of a row of the group on.
char* reals_at(const StoredRows& rows, const Buffers& buffers, std::int64_t row, std::int64_t begin) {
  return slot_address(buffers, rows.work) + (rows.work_offset + row * rows.row_step + begin * rows.element_reals) * rows.real_bytes();
}

bool reads_exponents(const Buffers& buffers) { return buffers.narrow != nullptr && buffers.narrow->reads_exponents; }
bool writes_exponents(const Buffers& buffers) { return buffers.narrow != nullptr && buffers.narrow->writes_exponents; }

// Calls visit(first row, rows, its place, step from one to the next) for runs of rows that lie evenly.
template <typename Visit>
void visit_runs(const StoredRows& rows, std::int64_t first, std::int64_t count, const Visit& visit) {
  const StoredRows::Loop& inner = rows.loops.back();
  while (count > 0) {
    std::int64_t rest = first;
    NarrowPlace at = rows.origin;
    for (std::size_t l = rows.loops.size(); l-- > 0;) {
      const StoredRows::Loop& loop = rows.loops[l];
      at = at + loop.step * (l == 0 ? rest : rest % loop.count);
      rest /= loop.count;
    }
    const std::int64_t run = std::min(count, inner.count - first % inner.count);
    visit(first, run, at, inner.step);
    first += run;
    count -= run;
  }
}

}  // namespace

RowAddress row_at(const StoredRows& rows, const Buffers& buffers, int part, const NarrowPlace& at) {
  const auto byte = [&](Slot slot, std::int64_t offset) { return reinterpret_cast<std::uint8_t*>(address(buffers, slot, part)) + offset; };
  return {byte(rows.output ? Slot::kOut : Slot::kIn, at.codes),
          rows.storage.scale == nullptr ? nullptr : byte(rows.output ? Slot::kOutScales : Slot::kInScales, at.scales)};
}

ConversionArgs conversion_at(const StoredRows& rows, const Buffers& buffers, int part, const NarrowPlace& at, std::int64_t begin,
                             std::int64_t points) {
  ConversionArgs args;
  args.storage = &rows.storage;
  args.rounding = rows.rounding;
  args.non_temporal = rows.streams;
  const std::int64_t part_reals = rows.part_reals();
  if (rows.split || rows.code_stride != 1) {
    args.group = part_reals;
    args.code_group_stride = args.group * rows.code_stride;
    args.real_group_stride = rows.power != nullptr ? 1 : rows.element_reals;
  }
  const std::int64_t reals = begin * part_reals;
  const RowAddress row = row_at(rows, buffers, part, at);
  args.codes = row.codes + reals * rows.storage.element->bits / 8 * rows.code_stride;
  if (row.scales != nullptr) args.scales = row.scales + (rows.storage.length == 0 ? 0 : scale_bytes(rows.storage, reals));
  args.count = points * part_reals;
  return args;
}

std::int32_t* exponent_of(const StoredRows& rows, const Buffers& buffers, std::int64_t t) {
  return reinterpret_cast<std::int32_t*>(address(buffers, Slot::kExponents, rows.output ? 1 : 0)) + rows.exponent_offset + t;
}

std::int32_t* undo_of(const StoredRows& rows, const Buffers& buffers, std::int64_t t) {
  return reinterpret_cast<std::int32_t*>(slot_address(buffers, rows.work) + rows.undo_offset) + t;
}

namespace {

// Of what is decoded before a window multiplies it, so that it is found in L1: elements, a multiple of every alignment.
constexpr std::int64_t kWindowSlice = 1024;

// Whether codes are reals of the workspace.
bool holds_reals_of_work(const StoredRows& rows) {
  return rows.code_stride == 1 && rows.storage.element->kind == FormatKind::kWide && rows.storage.element->bits == 8 * rows.real_bytes();
}

// `run` rows of the group from `row` on, of each the elements begin .. begin + points - 1.
struct RowSlice {
  std::int64_t row, run;
  NarrowPlace at, step;  // of the first row, and from one to the next
  std::int64_t begin, points;
};

// Calls convert(args, slice, part) for both parts of split arrays, once otherwise.
template <typename Convert>
void convert_slice(const StoredRows& rows, const Buffers& buffers, const RowSlice& slice, const Convert& convert) {
  for (int part = 0; part < (rows.split ? 2 : 1); ++part) {
    ConversionArgs args = conversion_at(rows, buffers, part, slice.at, slice.begin, slice.points);
    args.rows = slice.run;
    args.code_row_bytes = slice.step.codes;
    args.scale_row_bytes = slice.step.scales;
    args.real_row_stride = rows.row_step;
    args.reals = reals_at(rows, buffers, slice.row, slice.begin) + part * rows.real_bytes();
    if (rows.fetch != 0) fetch_rows(args, rows.fetch);
    convert(args, slice, part);
  }
}

// Calls visit(slice) for rows, or for pieces of them.
template <typename Visit>
void visit_slices(const StoredRows& rows, std::int64_t first, std::int64_t count, const Visit& visit) {
  const NarrowPlace& step = rows.loops.back().step;
  if (rows.is_plain) return visit(RowSlice{first, count, rows.origin + step * first, step, 0, rows.row_points});
  if (rows.pieces == 1) {
    return visit_runs(rows, first, count, [&](std::int64_t row, std::int64_t run, const NarrowPlace& at, const NarrowPlace& apart) {
      visit(RowSlice{row, run, at, apart, 0, rows.row_points});
    });
  }
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    const std::int64_t begin = unit % rows.pieces * rows.piece_points;  // whole bytes and blocks
    visit_runs(rows, unit / rows.pieces, 1, [&](std::int64_t row, std::int64_t run, const NarrowPlace& at, const NarrowPlace&) {
      visit(RowSlice{row, run, at, {}, begin, std::min(rows.piece_points, rows.row_points - begin)});
    });
  }
}

// The factors of a slice. In several dimensions those of element and row are multiplied first.
template <typename T>
void multiply_slice(const StoredRows& rows, WindowArgs args, const RowSlice& slice) {
  const T* const along = static_cast<const T*>(rows.window);
  const T* const of_rows = rows.window_rows > 1 ? along + rows.window_row : nullptr;
  args.rows = slice.run;
  args.points = slice.points;
  args.each = rows.element_reals;
  args.first_row = slice.row;
  if (!rows.across) {
    args.factors = along + slice.begin;
    args.row_factors = of_rows;
    args.row_count = rows.window_rows;
    return rows.multiply(args);
  }
  args.points *= std::exchange(args.each, 1);  // one element of each transform
  args.row_factors = along;
  args.row_count = rows.window_row;
  if (of_rows == nullptr) return rows.multiply(args);
  args.rows = 1;
  for (std::int64_t row = slice.row; row < slice.row + slice.run; ++row) {
    const T factor = of_rows[row / rows.window_row] * along[row % rows.window_row];
    args.row_factors = &factor;
    args.row_count = 1;
    rows.multiply(args);
    args.numbers = static_cast<const char*>(args.numbers) + args.row_bytes;
    args.to = static_cast<char*>(args.to) + args.to_row_bytes;
  }
}

void multiply_slice(const StoredRows& rows, const WindowArgs& args, const RowSlice& slice) {
  with_reals_of(rows, [&]<typename T>(T) { multiply_slice<T>(rows, args, slice); });
}

// One sweep where numbers are those of the workspace already, else slices that stay in L1.
void decode_windowed(const StoredRows& rows, const Buffers& buffers, const RowSlice& whole) {
  WindowArgs products;
  if (holds_reals_of_work(rows)) {
    return convert_slice(rows, buffers, whole, [&](const ConversionArgs& args, const RowSlice& slice, int part) {
      (part == 0 ? products.numbers : products.im) = args.codes;
      if (part == 0) products.to = args.reals;
      if (rows.split && part == 0) return;
      products.row_bytes = args.code_row_bytes;
      products.to_row_bytes = rows.row_step * rows.real_bytes();
      multiply_slice(rows, products, slice);
    });
  }
  const std::int64_t most_points = run_alignment(rows.storage) == 0 ? whole.points : std::min(whole.points, kWindowSlice);
  const std::int64_t most_rows = std::max<std::int64_t>(1, kWindowSlice / whole.points), end = whole.begin + whole.points;
  for (std::int64_t r = 0; r < whole.run; r += most_rows) {
    for (std::int64_t begin = whole.begin; begin < end; begin += most_points) {
      const RowSlice slice{whole.row + r, std::min(most_rows, whole.run - r), whole.at + whole.step * r, whole.step,
                           begin,         std::min(most_points, end - begin)};
      convert_slice(rows, buffers, slice, [&](const ConversionArgs& args, const RowSlice&, int) { decode_rows(rows, args); });
      products.numbers = products.to = reals_at(rows, buffers, slice.row, begin);
      products.row_bytes = products.to_row_bytes = rows.row_step * rows.real_bytes();
      multiply_slice(rows, products, slice);
    }
  }
}

}  // namespace

void decode_line(const StoredRows& rows, const ConversionArgs& args) {
  if (rows.window == nullptr) return rows.decode(args);
  WindowArgs products;
  products.to = args.reals;
  products.numbers = holds_reals_of_work(rows) ? args.codes : args.reals;
  if (products.numbers == args.reals) rows.decode(args);
  products.points = rows.row_points;
  products.each = rows.element_reals;
  products.factors = rows.window;
  rows.multiply(products);
}

void decode_stored_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StoredRows& rows = context_of<StoredRows>(args);
  visit_slices(rows, first, count, [&](const RowSlice& whole) {
    if (rows.window != nullptr) return decode_windowed(rows, buffers, whole);
    convert_slice(rows, buffers, whole, [&](const ConversionArgs& conversion, const RowSlice&, int) { decode_rows(rows, conversion); });
  });
  if (rows.is_line && (reads_exponents(buffers) || rows.prescale_target != 0)) apply_exponents(args, buffers, first, count);
}

void encode_stored_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StoredRows& rows = context_of<StoredRows>(args);
  const bool chosen = writes_exponents(buffers) || rows.prescale_target != 0;
  if (rows.is_line && chosen) choose_exponents(args, buffers, first, count);
  std::int64_t saturated = 0;
  visit_slices(rows, first, count, [&](const RowSlice& whole) {
    convert_slice(rows, buffers, whole, [&](const ConversionArgs& conversion, const RowSlice&, int) {
      saturated += rows.power != nullptr && !chosen ? encode_powers(rows, conversion) : encode_rows(rows, conversion);
    });
  });
  count_saturated(buffers, saturated);
}

std::int64_t encode_powers(const StoredRows& rows, ConversionArgs args) {
  const std::int64_t real = rows.real_bytes();
  const bool stores = args.group == 0 && rows.storage.element->kind == FormatKind::kWide && rows.storage.element->bits == 8 * real;
  if (stores && args.real_row_stride == 2 * args.count && args.code_row_bytes == args.count * real) {  // one long row
    args.count *= std::exchange(args.rows, 1);
  }
  for (std::int64_t r = 0; r < args.rows; ++r) {
    char* const numbers = static_cast<char*>(args.reals) + r * args.real_row_stride * real;
    char* const codes = static_cast<char*>(args.codes) + r * args.code_row_bytes;
    rows.power(numbers, args.count, stores ? codes : numbers, stores && args.non_temporal);
  }
  return stores ? 0 : encode_rows(rows, args);
}

namespace {

// Calls act(how they lie, reals, exponents) for transforms first .. first + count - 1 of those that lie across.
template <typename Act>
void visit_across(const StoredRows& rows, const Buffers& buffers, std::int64_t first, std::int64_t count, const Act& act) {
  const Across lie{rows.transform_points, rows.transforms, count};
  char* const reals = reals_at(rows, buffers, 0, first);
  with_reals_of(rows, [&]<typename T>(T) { act(lie, reinterpret_cast<T*>(reals), exponent_of(rows, buffers, first)); });
}

// Transform `t` of a group in the workspace, or the one that a dit left in planes, as `count` runs of `reals` reals. Rows of `pieces` runs
// are `step` apart; the last run of a row has `last` reals, and others begin where twice their reals end.
template <typename T>
struct Runs {
  T* first;
  std::int64_t count, reals, step, pieces, last;

  T* at(std::int64_t r) const { return first + r / pieces * step + r % pieces * 2 * reals; }
  std::int64_t reals_of(std::int64_t r) const { return r % pieces + 1 < pieces ? reals : last; }
  void multiply(int exponent) const {
    for (std::int64_t r = 0; r < count; ++r) multiply_by_power(at(r), reals_of(r), exponent);
  }
  T largest() const {
    T most = 0;
    for (std::int64_t r = 0; r < count; ++r) most = std::max(most, largest_finite(at(r), reals_of(r)));
    return most;
  }
};
template <typename T>
Runs<T> transform_at(const StoredRows& rows, const Buffers& buffers, std::int64_t t) {
  const std::int64_t count = rows.transform_points / rows.row_points, reals = rows.row_points * rows.element_reals;
  T* const first = reinterpret_cast<T*>(reals_at(rows, buffers, t * count, 0));
  if (rows.im_offset != 1) return {first, 2, rows.transform_points, rows.im_offset, 1, rows.transform_points};
  if (reals == rows.row_step) return {first, 1, count * reals, 0, 1, count * reals};
  return {first, count, reals, rows.row_step, 1, reals};
}

// The same transform as powers, which it becomes here: those of a piece of a row begin where its numbers began.
template <typename T>
Runs<T> powers_at(const StoredRows& rows, const Buffers& buffers, std::int64_t t) {
  const std::int64_t count = rows.transform_points / rows.row_points;
  T* const first = reinterpret_cast<T*>(reals_at(rows, buffers, t * count, 0));
  const std::int64_t last = rows.row_points - (rows.pieces - 1) * rows.piece_points;
  const Runs<T> powers{first, count * rows.pieces, rows.piece_points, rows.row_step, rows.pieces, last};
  for (std::int64_t r = 0; r < powers.count; ++r) rows.power(powers.at(r), powers.reals_of(r), powers.at(r), false);
  return powers;
}

// The exponent that brings the largest magnitude of a transform to about the target; 0 where all are 0.
template <typename T>
int prescale_of(const StoredRows& rows, const Runs<T>& transform) {
  std::optional<int> least;
  if (rows.element_reals == 1) {
    const T largest = transform.largest();
    const T number[2] = {largest, T(0)};
    least = amax_exponent(number, 1, rows.prescale_target);
  } else {
    for (std::int64_t r = 0; r < transform.count; ++r) {
      const auto of_run = amax_exponent(transform.first + r * transform.step, transform.reals / 2, rows.prescale_target);
      if (of_run) least = std::min(*of_run, least.value_or(*of_run));
    }
  }
  return least.value_or(0);
}

}  // namespace

void apply_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StoredRows& rows = context_of<StoredRows>(args);
  const bool reads = reads_exponents(buffers), prescales = rows.prescale_target != 0;
  if (!reads && !prescales) return;
  if (rows.across) {
    return visit_across(rows, buffers, first, count, [](const Across& lie, auto* reals, const std::int32_t* exponents) {
      multiply_by_powers_across(lie, reals, exponents);
    });
  }
  with_reals_of(rows, [&]<typename T>(T) {
    for (std::int64_t t = first; t < first + count; ++t) {
      const Runs<T> transform = transform_at<T>(rows, buffers, t);
      const int given = reads ? *exponent_of(rows, buffers, t) : 0;
      const int exponent = prescales ? prescale_of(rows, transform) : given;
      if (prescales) *undo_of(rows, buffers, t) = given - exponent;
      transform.multiply(exponent);
    }
  });
}

void choose_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const StoredRows& rows = context_of<StoredRows>(args);
  const bool writes = writes_exponents(buffers), prescaled = rows.prescale_target != 0;
  if (!writes && !prescaled) return;
  if (rows.across) {
    return visit_across(rows, buffers, first, count, [&](const Across& lie, auto* reals, std::int32_t* exponents) {
      fit_exponents_across(lie, rows.storage, reals, exponents);
    });
  }
  const bool wide = rows.storage.element->kind == FormatKind::kWide;
  with_reals_of(rows, [&]<typename T>(T) {
    for (std::int64_t t = first; t < first + count; ++t) {
      const Runs<T> transform = rows.power != nullptr ? powers_at<T>(rows, buffers, t) : transform_at<T>(rows, buffers, t);
      const int undo = prescaled ? *undo_of(rows, buffers, t) * (rows.power != nullptr ? 2 : 1) : 0;
      const T largest = wide || !writes ? T(0) : transform.largest();
      const int exponent = fitting_exponent(rows.storage, &largest, 1).value_or(0);
      transform.multiply(writes ? -exponent : undo);
      if (writes) *exponent_of(rows, buffers, t) = exponent + undo;
    }
  });
}

namespace {

// Groups of codes and reals as ConversionArgs says. Code: float or double.
template <bool kDecodes, typename Code, typename Real>
void copy_rows(const ConversionArgs& args) {
  const std::int64_t group = args.group == 0 ? args.count : args.group;
  const std::int64_t code_step = args.group == 0 ? 0 : args.code_group_stride, real_step = args.group == 0 ? 0 : args.real_group_stride;
  for (std::int64_t r = 0; r < args.rows; ++r) {
    Code* codes = reinterpret_cast<Code*>(static_cast<char*>(args.codes) + r * args.code_row_bytes);
    Real* reals = static_cast<Real*>(args.reals) + r * args.real_row_stride;
    for (std::int64_t i = 0; i < args.count; i += group, codes += code_step, reals += real_step) {
      if constexpr (std::is_same_v<Code, Real>) {
        std::memcpy(kDecodes ? reals : codes, kDecodes ? codes : reals, static_cast<std::size_t>(group) * sizeof(Real));
      } else if constexpr (kDecodes) {
        for (std::int64_t j = 0; j < group; ++j) reals[j] = static_cast<Real>(codes[j]);
      } else {
        for (std::int64_t j = 0; j < group; ++j) codes[j] = static_cast<Code>(reals[j]);
      }
    }
  }
}

template <typename Code, typename Real>
std::int64_t store_rows(const ConversionArgs& args) {
  copy_rows<false, Code, Real>(args);
  return 0;  // nothing saturates
}

}  // namespace

Codec wide_codec(const Storage& storage, bool is_f64) {
  const auto of = [&]<typename Code, typename Real>(Code, Real) {
    return Codec{.storage = storage, .decode = &copy_rows<true, Code, Real>, .encode = &store_rows<Code, Real>, .is_f64 = is_f64};
  };
  if (storage.element->bits == 32) return is_f64 ? of(float(), double()) : of(float(), float());
  return is_f64 ? of(double(), double()) : of(double(), float());
}

}  // namespace ulpfft

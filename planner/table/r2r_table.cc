// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/r2r_table.h"

#include <array>

#include "codelets/contract/rounded.h"

namespace ulpfft {
namespace {

// Fills a table by its values in double-double: fill(put), put(index, value). An element does not round 1, which stands for no product.
template <typename T, typename Fill>
AlignedBuffer filled(std::int64_t count, const FormatInfo* element, RootCache& roots, const Fill& fill) {
  AlignedBuffer out(static_cast<std::size_t>(count) * sizeof(T), &roots.poll);
  T* const values = static_cast<T*>(out.data());
  fill([&](std::int64_t at, DoubleDouble value) {
    const bool rounds = element != nullptr && !(value.hi == 1 && value.lo == 0);
    values[at] = rounds ? static_cast<T>(round_to_element(*element, value)) : round_to<T>(value);
  });
  return out;
}
template <typename Fill>
AlignedBuffer table_of(ComputeType compute, std::int64_t count, const FormatInfo* element, RootCache& roots, const Fill& fill) {
  switch (compute) {
    case ComputeType::kF32: return filled<float>(count, element, roots, fill);
    case ComputeType::kF64: return filled<double>(count, element, roots, fill);
    case ComputeType::kDoubleDouble: return filled<DoubleDouble>(count, element, roots, fill);
    default: return {};
  }
}

DoubleDouble root_of_2() { return sqrt(DoubleDouble(2.0)); }

// The factors t of one index; of index 0 those of V[0] and V[n/2].
struct Factors {
  DoubleDouble first, second;
};
Factors fold_factors(const FoldTwiddles& table, const RootTable* quarter, std::int64_t k) {
  const DoubleDouble one(1.0);
  if (quarter == nullptr) return {one, table.kind == R2rKind::kDHT ? one : DoubleDouble(0.0)};
  const DoubleDouble scale(table.kind == R2rKind::kDCT2 && table.element == nullptr ? 2.0 : 1.0);
  const UnitRoot root = quarter->get(k);
  return {root.re * scale, root.im * scale};
}
Factors end_factors(const FoldTwiddles& table) {
  const DoubleDouble one(1.0), root = root_of_2();
  if (table.kind != R2rKind::kDCT2 && table.kind != R2rKind::kDCT3) return {one, one};
  if (table.element != nullptr) return {table.weighted ? one / root : one, one / root};
  return {table.weighted ? root : table.kind == R2rKind::kDCT2 ? DoubleDouble(2.0) : one, root};
}

}  // namespace

std::int64_t table_values(const FoldTwiddles& table) { return 6 * (table.n / 4 + 1); }
std::int64_t table_values(const PairTwiddles& table) { return table.n; }
std::int64_t table_values(const PickFactors&) { return 4; }

AlignedBuffer make_fold_twiddles(const FoldTwiddles& table, ComputeType compute, RootCache& roots) {
  const bool is_dct = table.kind == R2rKind::kDCT2 || table.kind == R2rKind::kDCT3;
  const RootTable& whole = roots.get(table.n);
  const RootTable* const quarter = is_dct ? &roots.get(4 * table.n) : nullptr;
  const std::int64_t h = table.n / 2, count = h / 2 + 1;
  return table_of(compute, table_values(table), table.element, roots, [&](const auto& put) {
    for (std::int64_t k = 0; k < count; ++k) {
      roots.poll.count(3);
      const UnitRoot root = whole.get(k);
      const DoubleDouble half(table.halved && table.element == nullptr ? 0.5 : 1.0);
      put(2 * k, root.re * half);
      put(2 * k + 1, root.im * half);
      const Factors low = k == 0 ? end_factors(table) : fold_factors(table, quarter, k), high = fold_factors(table, quarter, h - k);
      put(2 * (count + k), low.first);
      put(2 * (count + k) + 1, low.second);
      put(2 * (2 * count + k), high.first);
      put(2 * (2 * count + k) + 1, high.second);
    }
  });
}

AlignedBuffer make_pair_twiddles(const PairTwiddles& table, ComputeType compute, RootCache& roots) {
  const RootTable& all = roots.get(16 * table.n);
  return table_of(compute, table_values(table), nullptr, roots, [&](const auto& put) {
    for (std::int64_t j = 0; j < table.n / 2; ++j) {
      roots.poll.count(2);
      const UnitRoot root = all.get(8 * j + 1);
      put(2 * j, root.re);
      put(2 * j + 1, root.im);
    }
  });
}

AlignedBuffer make_pick_factors(const PickFactors& table, ComputeType compute, RootCache& roots) {
  const DoubleDouble one(1.0), root = root_of_2();
  const R2rKind kind = table.kind;
  DoubleDouble factor = one, end = one;
  if (!table.output) {
    if (kind == R2rKind::kDCT2 || ((kind == R2rKind::kDCT3 || kind == R2rKind::kHC2R) && !table.half)) factor = DoubleDouble(2.0);
    if (kind == R2rKind::kDCT4) factor = root;
    if (table.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT3)) end = root;
  } else if (table.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT2)) {
    end = one / root;
  }
  const bool weighs = end.hi != 1;
  return table_of(compute, table_values(table), nullptr, roots, [&](const auto& put) {
    put(1, factor);
    put(2, -factor);
    put(3, weighs && table.element != nullptr ? DoubleDouble(round_to_element(*table.element, end)) : end);
  });
}

}  // namespace ulpfft

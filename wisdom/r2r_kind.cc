// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/r2r_kind.h"

#include <array>
#include <cstddef>

namespace ulpfft {
namespace {

struct KindRow {
  std::string_view name, fftw, other;
  R2rKind inverse, cosines;
};

constexpr std::array<KindRow, 11> kKindRows = {{
    {"r2hc", "", "", R2rKind::kHC2R, R2rKind::kR2HC},
    {"hc2r", "", "", R2rKind::kR2HC, R2rKind::kHC2R},
    {"dht", "", "hartley", R2rKind::kDHT, R2rKind::kDHT},
    {"dct1", "redft00", "", R2rKind::kDCT1, R2rKind::kDCT1},
    {"dct3", "redft01", "", R2rKind::kDCT2, R2rKind::kDCT3},
    {"dct2", "redft10", "", R2rKind::kDCT3, R2rKind::kDCT2},
    {"dct4", "redft11", "", R2rKind::kDCT4, R2rKind::kDCT4},
    {"dst1", "rodft00", "", R2rKind::kDST1, R2rKind::kDCT1},
    {"dst3", "rodft01", "", R2rKind::kDST2, R2rKind::kDCT3},
    {"dst2", "rodft10", "", R2rKind::kDST3, R2rKind::kDCT2},
    {"dst4", "rodft11", "", R2rKind::kDST4, R2rKind::kDCT4},
}};

const KindRow& row_of(R2rKind kind) { return kKindRows[static_cast<std::size_t>(kind) % kKindRows.size()]; }

}  // namespace

std::string_view name_of(R2rKind kind) { return row_of(kind).name; }

std::optional<R2rKind> r2r_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kKindRows.size(); ++i) {
    const KindRow& row = kKindRows[i];
    if (!name.empty() && (name == row.name || name == row.fftw || name == row.other)) return static_cast<R2rKind>(i);
  }
  return std::nullopt;
}

R2rKind inverse_of(R2rKind kind) { return row_of(kind).inverse; }
R2rKind cosines_of(R2rKind kind) { return row_of(kind).cosines; }

}  // namespace ulpfft

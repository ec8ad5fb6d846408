// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/find_codelet.h"

namespace ulpfft {

const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second) {
  for (const CodeletInfo& info : table.codelets) {
    if (info.kind != kind || info.compute != compute || info.body->radix != radix || info.body->form != form) continue;
    if ((info.second != nullptr ? info.second->radix : 0) != second) continue;
    return &info;
  }
  return nullptr;
}

const CodeletInfo* find_codelet(TableCache& cache, const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix,
                                TwiddleForm form, std::int64_t second) {
  constexpr std::int64_t kMostRadix = std::int64_t{1} << 20;  // the key has 20 bits; a recipe may name any radix
  if (radix >= kMostRadix || second >= kMostRadix) return nullptr;
  const auto bits = [](auto value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
  const TableCache::CodeletKey key{&table, bits(radix, 0) | bits(second, 20) | bits(kind, 40) | bits(compute, 48) | bits(form, 56)};
  const auto known = cache.codelets.find(key);
  if (known != cache.codelets.end()) return known->second;
  return cache.codelets.emplace(key, find_codelet(table, kind, compute, radix, form, second)).first->second;
}

const CodeletInfo* find_real_codelet(const CodeletTable& table, RealTransform transform, ComputeType compute, std::int64_t n) {
  for (const CodeletInfo& info : table.codelets) {
    if (info.kind == PassKind::kReal && info.compute == compute && info.body->radix == n && info.body->transform == transform) return &info;
  }
  return nullptr;
}

const CodeletInfo* find_fused(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                              std::int64_t second, std::string_view in, std::string_view out) {
  for (const CodeletInfo& info : table.fused) {
    if (info.kind != kind || info.compute != compute || info.body->radix != radix || info.body->form != form) continue;
    if ((info.second != nullptr ? info.second->radix : 0) == second && in == info.in && out == info.out) return &info;
  }
  return nullptr;
}

RealTransform transform_of(R2rKind kind) {
  switch (kind) {
    case R2rKind::kR2HC: return RealTransform::kR2C;
    case R2rKind::kHC2R: return RealTransform::kC2R;
    case R2rKind::kDHT: return RealTransform::kDHT;
    case R2rKind::kDCT1: return RealTransform::kRedft00;
    case R2rKind::kDCT2: case R2rKind::kDST2: return RealTransform::kRedft10;
    case R2rKind::kDCT3: case R2rKind::kDST3: return RealTransform::kRedft01;
    case R2rKind::kDCT4: case R2rKind::kDST4: return RealTransform::kRedft11;
    case R2rKind::kDST1: return RealTransform::kRodft00;
  }
  return RealTransform::kNone;
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where a target puts its codelets while its table is made.
#ifndef ULPFFT_CODELETS_CONTRACT_CODELET_SINK_H_
#define ULPFFT_CODELETS_CONTRACT_CODELET_SINK_H_

#include <vector>

#include "codelets/contract/codelet.h"

namespace ulpfft {

struct CodeletSink {
  std::vector<CodeletInfo> entries;
  std::vector<CodeletInfo> fused;
  std::vector<ConversionEntry> conversions;
  PassFn mx_butterfly = nullptr;
  PassFn mx_multiply = nullptr;
  PassFn split_pass = nullptr;
  PassFn slice_pass = nullptr;

  // Not inlined: a table is made once, from hundreds of calls.
  [[gnu::noinline]] void add(PassKind kind, ComputeType compute, const BodyFacts& body, PassFn run, WholeFn whole = nullptr,
                            DirectCall::Run direct = nullptr) {
    entries.push_back({kind, compute, &body, nullptr, run, whole, direct});
  }
  [[gnu::noinline]] void add_rounded(PassKind kind, ComputeType compute, const BodyFacts& body, PassFn run, const RoundedBody* steps) {
    entries.push_back({kind, compute, &body, nullptr, run, nullptr, nullptr, nullptr, nullptr, steps});
  }
  void add_two(ComputeType compute, const BodyFacts& first, const BodyFacts& second, PassFn run) {
    entries.push_back({PassKind::kWholeTwo, compute, &first, &second, run, nullptr, nullptr});
  }
  [[gnu::noinline]] void add_packed(ComputeType compute, const BodyFacts& body, const BodyFacts* second, PassFn run, DirectCall::Run direct) {
    entries.push_back({PassKind::kPacked, compute, &body, second, run, nullptr, direct});
  }
  [[gnu::noinline]] void add_real(ComputeType compute, const BodyFacts& body, PassFn run, DirectCall::Run direct) {
    entries.push_back({PassKind::kReal, compute, &body, nullptr, run, nullptr, direct});
  }
  [[gnu::noinline]] void add_fused(PassKind kind, const BodyFacts& body, const BodyFacts* second, PassFn run, const char* in, const char* out,
                                    bool index_order = false, DirectCall::Run direct = nullptr) {
    fused.push_back({kind, ComputeType::kF32, &body, second, run, nullptr, direct, nullptr, nullptr, nullptr, in, out, index_order});
  }
  [[gnu::noinline]] void add_conversion(const char* format, bool is_f64, DecodeFn decode, EncodeFn encode) {
    conversions.push_back({format, is_f64, decode, encode});
  }
};

template <typename T>
inline constexpr ComputeType kComputeTypeOf = sizeof(T) == 4 ? ComputeType::kF32 : sizeof(T) == 8 ? ComputeType::kF64
                                                                                                  : ComputeType::kDoubleDouble;

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_CODELET_SINK_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How a target collects passes without a generated body: their facts are those of the row of their kind.
#ifndef ULPFFT_CODELETS_CONTRACT_LINE_SINK_H_
#define ULPFFT_CODELETS_CONTRACT_LINE_SINK_H_

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/pass_rows.h"

namespace ulpfft {

inline void add_line(CodeletSink& sink, PassKind kind, ComputeType compute, PassFn run, DirectCall::Run direct = nullptr) {
  sink.add(kind, compute, row_of(kind).body, run, nullptr, direct);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_LINE_SINK_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Executes a plan on data of a case inside guarded buffers, and looks at everything that must not have changed.
#ifndef ULPFFT_TESTS_SUPPORT_RUN_CASE_H_
#define ULPFFT_TESTS_SUPPORT_RUN_CASE_H_

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/guarded_buffer.h"
#include "tests/support/problems.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

struct RunOptions {
  Flush flush = Flush::kEnd;
  std::size_t shift = 0;       // bytes between data and the guard page; a multiple of the real elements
  bool by_arrays = false;      // ulpfft_execute_arrays even where ulpfft_execute would do; always so for split
  bool own_workspace = false;  // by_arrays only: a guarded workspace of exactly workspace_bytes
  Flush workspace_flush = Flush::kEnd;
  const ulpfft_operation* operation = nullptr;  // of chains
};

template <typename T>
struct RunResult {
  std::vector<std::complex<T>> out;  // row-major (batch, dims)
  std::string trouble;               // empty, or what went wrong: status, touched gap, changed input
  std::size_t workspace_used = 0;    // own_workspace: bytes up to the last one written
};

// `data` in row-major (batch, dims) as stored, of real sides with im 0; S and T are the reals of input and output.
template <typename S, typename T = S>
RunResult<T> run_case(const ulpfft_plan* plan, const Case& problem, const std::vector<std::complex<S>>& data,
                      const RunOptions& options = {});
// With a guarded workspace where `own_workspace`.
inline RunOptions run_options(Flush flush, bool own_workspace) {
  return {.flush = flush, .by_arrays = own_workspace, .own_workspace = own_workspace};
}

extern template RunResult<float> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
extern template RunResult<double> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);
extern template RunResult<double> run_case<float, double>(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
extern template RunResult<float> run_case<double, float>(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_RUN_CASE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The report as one HTML page that needs nothing else.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PAGE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PAGE_H_

#include <string>

#include "tools/ulpfft/bench/report.h"

namespace ulpfft_tool::bench {

std::string page_text(const Report& report);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PAGE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The suites, and in them the bands that a table of goals refers to.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_SUITES_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_SUITES_H_

#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool::bench {

inline constexpr std::string_view kOneThread = "1 thread";  // the peer of the suite threads: the same problem on one thread
inline constexpr std::string_view kProblems = "problems";   // suite and band of what was named on the command line

inline constexpr std::string_view kWide = "f32";             // the peer of the suites storage, mx and split: the same problem in f32
inline constexpr std::string_view kWider = "f64";            // the same of problems in f64
inline constexpr std::string_view kEvery = "every";         // a goal's word for each band that was measured

struct Band {
  std::string_view suite;
  std::string_view name;
  std::vector<std::string_view> shapes;       // LENGTHS[*BATCH]
  std::vector<std::string_view> full_shapes;  // with --full
  std::string_view options;                   // words that follow the storage
  std::vector<std::string_view> storages = {};  // of the suites storage, mx and split, with a scheme behind them there; none: f32 and f64
  std::string_view kind = {};                   // none: c2c
};

// The narrow format of one of Band::storages: "f16->f32" f16, "f32 scheme=mx:mxint8:b8" mxint8, "f32 scheme=split:bf16x3" bf16.
std::string_view format_of(std::string_view storage);

const std::vector<Band>& bands();
const Band* find_band(std::string_view name);
std::vector<std::string_view> suite_names();

// The problem texts of a band in one storage.
std::vector<std::string> problems_of(const Band& band, std::string_view storage, bool full);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_SUITES_H_

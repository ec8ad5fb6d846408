// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a problem, an effort, a time limit, a moment to cancel and a limit of memory: the clock and the peak of memory keep them.
//
// Seconds are those of the thread's own code. A pass that cannot be cut may keep a cancel waiting (kHeard). Memory is
// counted by failing_malloc.cc.
#include <string>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/require.h"
#include "tests/support/watched_planning.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr double kHeard = 0.2;                    // seconds: twice what the header promises
constexpr double kHeardEmulated = 1;              // of rounded schemes on ref: one pass over a line of 2^20 points, which cannot be cut
constexpr std::int64_t kNotes = std::int64_t{16} << 20;  // bytes that a search notes
constexpr double kMostSamples = 20;               // seconds in all
#if defined(__has_feature)
constexpr double kMostTables = __has_feature(address_sanitizer) ? 8 : 2;  // seconds, which the checks of a sanitizer make four times as long
#else
constexpr double kMostTables = 2;
#endif

constexpr const char* kStorages[] = {"f32", "f64", "f16", "i8", "e4m3", "mxfp8_e4m3", "f32->f64", "i16->f32"};
constexpr const char* kWords[] = {"inverse", "centered", "scale=1/n", "scale=ortho", "max_error=0.5", "max_error=1e-6", "max_error=1e-14",
                                  "scheme=f64",
                                  "scheme=rounded:e4m3/f32", "scheme=rounded:f16", "backend=ref", "inplace", "destroy_input", "intermediate=f16",
                                  "chain=mul", "chain=user", "prescale=amax", "max_workspace=one", "window=hann"};

std::string length(Bytes& bytes, std::int64_t most) {
  const auto any = static_cast<std::int64_t>(static_cast<std::uint64_t>(bytes.number()) % static_cast<std::uint64_t>(most)) + 1;
  if (!bytes.flag()) return std::to_string(any);
  std::int64_t power = 1;
  while (2 * power <= any) power *= 2;
  return std::to_string(power);
}

void run(Bytes& bytes) {
  const unsigned rank = 1 + bytes.below(3);
  std::string problem = bytes.flag() ? "" : "r2c ";
  for (unsigned d = 0; d < rank; ++d) problem += (d == 0 ? "" : "x") + length(bytes, rank == 1 ? 2000000 : rank == 2 ? 1500 : 120);
  if (bytes.flag()) problem += "*" + length(bytes, 40);
  problem += std::string(" ") + kStorages[bytes.below(std::size(kStorages))];
  for (unsigned more = bytes.below(4); more > 0; --more) problem += std::string(" ") + kWords[bytes.below(std::size(kWords))];
  const int effort = 1 + static_cast<int>(bytes.below(4));
  const double limit = 0.002 * (1 + bytes.below(100));
  const double cancel_after = bytes.flag() ? 0.002 * bytes.below(200) : -1;
  const std::uint64_t most = bytes.flag() ? std::uint64_t{1 + bytes.below(128)} << 20 : std::uint64_t{256} << 20;
  const Watched result = watch(nullptr, problem, effort, limit, cancel_after, most);
  const std::string which = problem + ", effort " + std::to_string(effort) + ", limit " + std::to_string(limit) + " s, cancelled after " +
                            std::to_string(cancel_after) + " s, memory " + std::to_string(most) + ", took " + std::to_string(result.seconds) +
                            " s, silent for " + std::to_string(result.longest) + " s, peak " + std::to_string(result.peak) + " ";
  require(result.status >= ULPFFT_OK && result.status < ULPFFT_INTERNAL, which + result.message);
  const double heard = problem.find("rounded:") != std::string::npos ? kHeardEmulated : kHeard;
  require(result.longest <= heard, which);
  require(!result.cancelled || result.status == ULPFFT_CANCELLED, which + result.message);
  require(cancel_after < 0 || result.seconds <= cancel_after + heard, which);
  const bool samples = problem.find("max_error") != std::string::npos;
  // Beside the limit come the tables of the plan returned; the search before them, and samples, are asked for by the cancel above.
  require(result.seconds <= 1.1 * limit + (samples ? kMostSamples : kMostTables), which);
  require(result.peak <= static_cast<std::int64_t>(1.1 * static_cast<double>(most)) + kNotes, which);
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ulpfft_wisdom_forget(nullptr);
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}

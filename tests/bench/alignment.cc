// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What aligned arrays are worth: one plan executed on arrays that begin 0, 4, 16 and 32 bytes beyond a cache line, taking turns.
//
//   alignment [TURNS]
//
// Prints the median time of 64-byte alignment and, for each distance, the ratio of medians. ulpfft.h quotes it (ulpfft_malloc).
// Each turn places both arrays anew, so that how far apart they lie, modulo a page, is not what is measured.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::array<std::size_t, 4> kDistances = {0, 4, 16, 32};  // bytes
constexpr std::size_t kPage = 4096;
constexpr double kBatchSeconds = 0.004;

// As many bytes, anywhere in the first page of what it owns.
class Array {
 public:
  explicit Array(std::size_t bytes) : memory_(static_cast<char*>(std::aligned_alloc(kLine, (bytes + kPage + 2 * kLine - 1) / kLine * kLine))), bytes_(bytes) {
    if (memory_ == nullptr) std::abort();
  }
  ~Array() { std::free(memory_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  char* at(std::size_t distance) const { return memory_ + distance; }
  void fill(std::size_t distance) const {
    for (std::size_t i = 0; i + sizeof(float) <= bytes_; i += sizeof(float)) {
      const float value = static_cast<float>(static_cast<int>(i * 37 / sizeof(float) % 101) - 50);
      std::memcpy(memory_ + distance + i, &value, sizeof value);
    }
  }

 private:
  char* memory_;
  std::size_t bytes_;
};

bool run(const char* problem, std::size_t points, int turns) {
  ulpfft_plan_options options{};
  options.size = sizeof options;
  options.flags = ULPFFT_DETERMINISTIC;
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse_options(nullptr, problem, &options, &plan) != ULPFFT_OK) {
    std::fprintf(stderr, "%s: %s\n", problem, ulpfft_last_error());
    return false;
  }
  const std::size_t bytes = points * 2 * sizeof(float);
  const Array in(bytes), out(bytes);
  const auto execute = [&](std::size_t from, std::size_t to) {
    if (ulpfft_execute(plan, in.at(from), out.at(to)) != ULPFFT_OK) std::abort();
  };
  in.fill(0);
  const std::int64_t repeats = calibrate([&] { execute(0, 0); }, kBatchSeconds);
  std::array<std::vector<double>, kDistances.size()> seconds;
  std::mt19937 random(1);
  for (int turn = 0; turn < turns; ++turn) {
    const std::size_t from = random() % (kPage / kLine) * kLine, to = random() % (kPage / kLine) * kLine;
    for (std::size_t d = 0; d < kDistances.size(); ++d) {
      const std::size_t beyond = kDistances[d];
      in.fill(from + beyond);
      execute(from + beyond, to + beyond);  // so that no turn begins with another's cache
      seconds[d].push_back(seconds_of([&] { execute(from + beyond, to + beyond); }, repeats) / static_cast<double>(repeats));
    }
  }
  const double aligned = median(seconds[0]);
  std::printf("%-16s %10.3f us (spread %.1f %%)", problem, 1e6 * aligned, 100 * spread(seconds[0]));
  for (std::size_t d = 1; d < kDistances.size(); ++d) std::printf("   +%zu: %.2f", kDistances[d], median(seconds[d]) / aligned);
  std::printf("\n");
  std::fflush(stdout);
  ulpfft_plan_destroy(plan);
  return true;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int count, char** arguments) {
  using namespace ulpfft::bench;
  const int turns = count > 1 ? std::atoi(arguments[1]) : 41;
  pin(0);
  std::printf("%s, arrays at 64 bytes; times relative to that with arrays so many bytes beyond (%d turns)\n", ulpfft_machine(nullptr), turns);
  bool ok = true;
  ok = run("64 f32", 64, turns) && ok;
  ok = run("1024 f32", 1024, turns) && ok;
  ok = run("65536 f32", 65536, turns) && ok;
  ok = run("1024*64 f32", 65536, turns) && ok;
  ok = run("1024*4096 f32", std::size_t{1024} * 4096, turns) && ok;
  return ok ? 0 : 1;
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a problem of any size with limits of time and memory: a plan within them, or a sentence, soon.
#include <ctime>
#include <string>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::uint64_t kMostMemory = std::uint64_t{16} << 20;
// Of the processor, with sanitizers, which take 10 times as long: tables of 16 MiB, and samples of an error limit.
constexpr double kMostSeconds = 8;

constexpr const char* kStorages[] = {"f32", "f64", "f16", "bf16", "i16", "u8", "e4m3", "e2m1", "mxfp8_e4m3", "mxint8:b2:floor", "f32->f64", "f64->f32", "f32->f16", "mxfp4_e2m1:b0->f32"};
constexpr const char* kWords[] = {"inverse", "centered", "scale=ortho", "scale=1/n", "scale=1e-30", "max_error=0.5", "max_error=1e-6", "max_error=1e-300", "scheme=f64", "scheme=f32",
                                  "scheme=rounded:f16", "scheme=rounded:i8/f32", "scheme=mx:mxfp8_e4m3", "scheme=mx:mxint8:b4:fresh", "backend=ref", "threads=2", "inplace", "split",
                                  "intermediate=f16", "intermediate=mxfp4_e2m1", "chain=mul", "chain=user", "prescale=amax", "prescale=3", "window=hann", "window=kaiser:9:symmetric"};
constexpr const char* kKinds[] = {"", "r2c ", "c2r ", "r2r "};
constexpr const char* kR2rKinds[] = {"r2hc", "hc2r", "dht", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "redft10"};

std::string length(Bytes& bytes) {
  const unsigned choice = bytes.below(4);
  const std::uint64_t any = static_cast<std::uint64_t>(bytes.number()) & INT64_MAX;
  if (choice == 0) return std::to_string(std::uint64_t{1} << any % 63);
  return std::to_string(choice == 1 ? any : 1 + any % (choice == 2 ? 4096 : 60));
}

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(Bytes& bytes) {
  std::string problem = length(bytes);
  const unsigned others = bytes.below(8) == 0 ? bytes.below(8) : 0;
  for (unsigned more = others; more > 0; --more) problem += "x" + length(bytes);
  for (unsigned more = bytes.below(4) == 0 ? 1 + bytes.below(3) : 0, first = more; more > 0; --more) problem += (more == first ? "*" : "x") + length(bytes);
  problem += std::string(" ") + kStorages[bytes.below(std::size(kStorages))];
  for (unsigned more = bytes.below(4); more > 0; --more) problem += std::string(" ") + kWords[bytes.below(std::size(kWords))];
  auto options = sized<ulpfft_plan_options>();
  options.effort = 1 + static_cast<int>(bytes.below(5));
  options.time_limit_seconds = 0.001 * (1 + bytes.below(100));
  options.flags = bytes.below(8) == 0 ? ULPFFT_DETERMINISTIC : 0;
  options.max_memory = kMostMemory;
  const unsigned kind = bytes.below(4);
  problem = kKinds[kind] + problem;
  if (bytes.flag()) problem += " destroy_input";
  if (bytes.below(8) == 0) problem += bytes.flag() ? " max_workspace=one" : " max_workspace=" + std::to_string(1 + 100 * bytes.below(256));
  for (unsigned d = 0; kind == 3 && d <= others; ++d) {
    problem += (d == 0 ? " kinds=" : ",") + std::string(kR2rKinds[bytes.below(std::size(kR2rKinds))]);
  }
  if (bytes.below(8) == 0) problem += " output=power";
  const double begin = seconds();
  ulpfft_plan* made = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(nullptr, problem.c_str(), &options, &made);
  const double taken = seconds() - begin;
  const PlanPtr plan(made);
  const std::string which = problem + ", effort " + std::to_string(options.effort) + ", limit " + std::to_string(options.time_limit_seconds) + " s";
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, which + ": " + ulpfft_last_error());
  require(taken <= kMostSeconds, which + " took " + std::to_string(taken) + " s");
  if (plan == nullptr) return require(is_one_line(ulpfft_last_error()), which + ": no sentence");
  auto memory = sized<ulpfft_memory>();
  require(ulpfft_plan_memory(plan.get(), &memory) == ULPFFT_OK, "memory");
  require(memory.table_bytes + memory.workspace_bytes + memory.making_bytes <= kMostMemory, which + ": more memory than it may take");
  auto predicted = sized<ulpfft_memory>();
  require(ulpfft_predict_memory_text(nullptr, problem.c_str(), &predicted) == ULPFFT_OK, which + ": " + ulpfft_last_error());
  require(predicted.in_bytes == memory.in_bytes && predicted.out_bytes == memory.out_bytes, which + ": arrays are predicted otherwise");
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ulpfft_wisdom_forget(nullptr);
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What FFTW's interface has beside planning and execution: settings, memory, and what a plan tells of itself.
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <string>

#include "bindings/fftw3/api.h"
#include "bindings/fftw3/handle.h"

namespace ulpfft::fftw3 {

namespace {

// Settings are made, or remain as they were where memory is short.
template <typename Change>
void change(const Change& make) noexcept {
  try {
    make(Planner::get());
  } catch (...) {
    complain("There is not enough memory for a context of ulpfft.");
  }
}

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::string text_of(const Plan& plan) {
  std::string text = "(ulpfft";
  plan.transform->each_plan([&](const ulpfft_plan* part) {
    for (char* const piece : {ulpfft_plan_problem(part), ulpfft_plan_recipe(part)}) {
      text += std::string(" \"") + (piece != nullptr ? piece : "") + "\"";
      ulpfft_string_free(piece);
    }
  });
  return text + ")";
}

}  // namespace

void cleanup() noexcept {
  change([](Planner& planner) { planner.reset(); });
}
void cleanup_threads() noexcept { cleanup(); }
void set_timelimit(double seconds) noexcept {
  change([&](Planner& planner) { planner.set_time_limit(seconds); });
}
void plan_with_nthreads(int threads) noexcept {
  change([&](Planner& planner) { planner.set_threads(threads); });
}
int planner_nthreads() noexcept {
  int threads = 1;
  change([&](Planner& planner) { threads = planner.threads(); });
  return threads;
}
void set_callback(ParallelLoop loop, void* data) noexcept {
  change([&](Planner& planner) { planner.set_loop(loop, data); });
}

void flops(const void* handle, double* add, double* mul, double* fma) noexcept {
  *add = *mul = *fma = 0;
  if (handle == nullptr) return;
  plan_of(handle)->transform->each_plan([&](const ulpfft_plan* part) {
    ulpfft_operation_counts counts = ULPFFT_OPERATION_COUNTS_INIT;
    if (ulpfft_plan_operation_counts(part, &counts) != ULPFFT_OK) return;
    *add += counts.adds;
    *mul += counts.muls;
    *fma += counts.fmas;
  });
}

double estimate_cost(const void* handle) noexcept {
  double add = 0, mul = 0, fma = 0;
  flops(handle, &add, &mul, &fma);
  return add + mul + 2 * fma;
}

double cost(const void* handle) noexcept {
  double seconds = 0;
  bool measured = handle != nullptr;
  if (handle == nullptr) return 0;
  plan_of(handle)->transform->each_plan([&](const ulpfft_plan* part) {
    measured = measured && ulpfft_plan_seconds(part) > 0;
    seconds += ulpfft_plan_seconds(part);
  });
  return measured && seconds > 0 ? seconds : estimate_cost(handle);
}

void fprint_plan(const void* handle, std::FILE* file) noexcept {
  char* const text = sprint_plan(handle);
  if (text != nullptr) std::fputs(text, file);
  std::free(text);
}

char* sprint_plan(const void* handle) noexcept try {
  return strdup(handle != nullptr ? text_of(*plan_of(handle)).c_str() : "(null)");
} catch (...) {
  return nullptr;
}

void* allocate(std::size_t count, std::size_t bytes) noexcept {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  void* memory = nullptr;
  const bool large = all >= kHugePage;
  if (posix_memalign(&memory, large ? kHugePage : kCacheLine, all != 0 ? all : 1) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  if (large) static_cast<void>(madvise(memory, all / kHugePage * kHugePage, MADV_HUGEPAGE));  // a wish
#endif
  return memory;
}

}  // namespace ulpfft::fftw3

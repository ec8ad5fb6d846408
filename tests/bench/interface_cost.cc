// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What FFTW's interface costs over ulpfft's own: n = 8 by fftw_execute and fftw_execute_dft against ulpfft_execute, taking turns.
#include <fftw3.h>

#include <cstdio>
#include <cstring>

#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

// Says how long the other call takes, and whether its bits are those of ulpfft_execute.
template <typename Own, typename Call>
bool compare(const char* name, const Own& own, const Call& call, const void* bits, const void* own_bits, std::size_t bytes) {
  constexpr double kGoal = 10e-9;
  own();
  call();
  if (std::memcmp(bits, own_bits, bytes) != 0) {
    std::fprintf(stderr, "%s gives other bits than ulpfft_execute\n", name);
    return false;
  }
  const Comparison times = alternate(own, call, 31, 2e-3);
  const double more = times.second_seconds - times.first_seconds;
  std::printf("%-18s %6.2f ns  ulpfft_execute %6.2f ns  difference %5.2f ns (goal <= 10)  %s\n", name, 1e9 * times.second_seconds,
              1e9 * times.first_seconds, 1e9 * more, more <= kGoal ? "met" : "MISSED");
  return true;
}

bool run() {
  ulpfft_context* context = nullptr;
  ulpfft_plan* own = nullptr;
  alignas(64) fftw_complex in[8] = {{1, 2}, {3, -4}, {5, 6}, {-7, 8}, {9, 1}, {2, -3}, {4, 5}, {6, 7}};
  alignas(64) fftw_complex out[8] = {};
  alignas(64) fftw_complex own_out[8] = {};
  fftw_plan plan = fftw_plan_dft_1d(8, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  const bool ready = plan != nullptr && ulpfft_context_create(nullptr, &context) == ULPFFT_OK &&
                     ulpfft_plan_from_recipe(context, "8 f64", "f64:n8", &own) == ULPFFT_OK;
  bool ok = ready;
  if (ready) {
    const auto own_call = [&] { (void)ulpfft_execute(own, in, own_out); };
    ok = compare("fftw_execute", own_call, [&] { fftw_execute(plan); }, out, own_out, sizeof out) && ok;
    ok = compare("fftw_execute_dft", own_call, [&] { fftw_execute_dft(plan, in, out); }, out, own_out, sizeof out) && ok;
  } else {
    std::fprintf(stderr, "%s\n", ulpfft_last_error());
  }
  fftw_destroy_plan(plan);
  ulpfft_plan_destroy(own);
  ulpfft_context_destroy(context);
  return ok;
}

}  // namespace
}  // namespace ulpfft::bench

int main() {
  if (!ulpfft::bench::pin(0)) std::printf("not pinned: the system refuses core 0\n");
  return ulpfft::bench::run() ? 0 : 1;
}

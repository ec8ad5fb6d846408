// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a call costs: n = 8 through ulpfft_execute against the same codelet through its function pointer, taking turns.
//
// The library's internals are linked in, to reach the codelet; the plan is the one the C interface makes.
#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

const CodeletInfo* find_n8(const CodeletTable& table, ComputeType compute) {
  for (const CodeletInfo& codelet : table.codelets) {
    if (codelet.kind == PassKind::kWhole && codelet.compute == compute && std::strcmp(codelet.body->name, "n8") == 0 && codelet.whole != nullptr) return &codelet;
  }
  return nullptr;
}

template <typename T>
bool run(const RegisteredTarget& target, ComputeType compute, const char* type) {
  const CodeletInfo* codelet = find_n8(target.table, compute);
  if (codelet == nullptr) {
    std::printf("%-6s %s  no bare n8 codelet\n", target.table.target, type);
    return true;
  }
  ulpfft_context_options options{};
  options.size = sizeof options;
  options.target = target.table.target;
  ulpfft_context* context = nullptr;
  ulpfft_plan* plan = nullptr;
  const std::string problem = std::string("8 ") + type;
  const std::string recipe = std::string(type) + ":n8";
  if (ulpfft_context_create(&options, &context) != ULPFFT_OK ||
      ulpfft_plan_from_recipe(context, problem.c_str(), recipe.c_str(), &plan) != ULPFFT_OK) {
    std::fprintf(stderr, "%s: %s\n", target.table.target, ulpfft_last_error());
    return false;
  }
  alignas(64) std::complex<T> in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  alignas(64) std::complex<T> out[8] = {};
  alignas(64) std::complex<T> direct[8] = {};

  // As a volatile pointer, or the compiler would see through it.
  WholeFn volatile function = codelet->whole;
  const auto pointer = [&] {
    T* from = reinterpret_cast<T*>(in);
    T* to = reinterpret_cast<T*>(direct);
    function(from, from + 1, 2, to, to + 1, 2);
  };
  const auto call = [&] { (void)ulpfft_execute(plan, in, out); };
  pointer();
  call();
  if (std::memcmp(out, direct, sizeof out) != 0) {
    std::fprintf(stderr, "%s %s: the codelet called directly gives other bits; the arguments here no longer fit it\n", target.table.target, type);
    return false;
  }
  const Comparison times = alternate(pointer, call, 31, 2e-3);
  std::printf("%-6s %s  pointer %6.2f ns  ulpfft_execute %6.2f ns  difference %5.2f ns (goal <= 3)  %s\n", target.table.target, type,
              1e9 * times.first_seconds, 1e9 * times.second_seconds, 1e9 * (times.second_seconds - times.first_seconds),
              times.second_seconds - times.first_seconds <= 3e-9 ? "met" : "MISSED");
  ulpfft_plan_destroy(plan);
  ulpfft_context_destroy(context);
  return true;
}

}  // namespace
}  // namespace ulpfft::bench

int main() {
  using namespace ulpfft::bench;
  if (!pin(0)) std::printf("not pinned: the system refuses core 0\n");
  bool ok = true;
  for (const ulpfft::RegisteredTarget& target : ulpfft::registered_targets()) {
    if (!target.available || std::strcmp(target.table.backend, "ref") == 0) continue;
    ok = run<float>(target, ulpfft::ComputeType::kF32, "f32") && ok;
    ok = run<double>(target, ulpfft::ComputeType::kF64, "f64") && ok;
  }
  return ok ? 0 : 1;
}

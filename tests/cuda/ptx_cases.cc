// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Translated kernels beside their twins, on the same arguments: ptx_cases LIBRARY...
//
// A line for each difference and each fault, and a summary. Ends with 1 where there was one.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "codelets/cuda/twins.h"
#include "tests/support/ptx_run.h"
#include "tests/support/signals.h"

namespace ulpfft::cuda::test {
namespace {

using ulpfft::test::Random;

struct Case {
  const char* name;
  std::int64_t count = 1;     // transforms along x; kConvert: reals
  unsigned y = 1, z = 1;      // outer loops
  bool inverse = false;
  bool in_place = false;
  bool centered = false;
  bool twisted = true;        // kTwisted: with factors
  bool has_specials = false;  // NaN and infinities
  std::int64_t gap = 0;       // complex numbers between rows
  double scale = 1;
};

std::vector<Case> cases_of(const KernelInfo& kernel) {
  const std::int64_t block = kernel.per_block;
  const bool own = kernel.fixed_direction && kernel.backward, other = kernel.fixed_direction ? own : true;
  const bool is_half = kernel.in == Storage::kF16 || kernel.out == Storage::kF16;
  const double large = (is_half ? 3e4 : kernel.is_f64 ? 1e300 : 1e38) / std::sqrt(std::max(1, kernel.n));  // some results overflow
  if (kernel.kind == KernelKind::kConvert) {
    return {{.name = "a block and more", .count = block + 17}, {.name = "three blocks", .count = 3 * block, .scale = large},
            {.name = "specials", .count = block + 17, .has_specials = true}};
  }
  std::vector<Case> cases = {
      {.name = "one transform", .count = 1, .inverse = own},
      {.name = "a full block", .count = block, .inverse = other},
      {.name = "large numbers", .count = block, .inverse = own, .scale = large},
      {.name = "a block and one, with gaps", .count = block + 1, .y = 2, .inverse = own, .gap = 3, .scale = 0.3},
      {.name = "centered", .count = std::max<std::int64_t>(2, block - 1), .z = 2, .inverse = own, .centered = true},
      {.name = "specials", .count = std::max<std::int64_t>(2, block - 1), .inverse = other, .has_specials = true}};
  if (kernel.in_place) cases.push_back({.name = "in place", .count = 2 * block, .inverse = other, .in_place = true});
  if (kernel.kind == KernelKind::kTwisted) {
    cases.push_back({.name = "without factors", .count = block + 1, .inverse = true, .centered = true, .twisted = false, .gap = 3});
  }
  return cases;
}

std::int64_t real_bytes(Storage storage) { return storage == Storage::kF64 ? 8 : storage == Storage::kF32 ? 4 : 2; }

// Where an end lies, in complex numbers; conversions count reals.
struct Lies {
  End end;
  std::int64_t offset = 0, size = 0;
};

Lies lies(const KernelInfo& kernel, const Case& of, bool is_output) {
  Lies at;
  if (kernel.kind == KernelKind::kConvert) {
    at.end.x_stride = 1;
    at.size = of.count;
    return at;
  }
  const bool rows = kernel.kind == KernelKind::kRows || (kernel.kind == KernelKind::kTurned && !is_output);
  const std::int64_t n = kernel.n;
  at.end.point_stride = rows ? 1 : of.count + of.gap;
  at.end.x_stride = rows ? n + of.gap : 1;
  at.end.y_stride = rows ? of.count * at.end.x_stride : n * at.end.point_stride;
  at.end.z_stride = of.y * at.end.y_stride;
  at.size = of.z * at.end.z_stride;
  const bool may_shift = is_output ? kernel.kind != KernelKind::kTwisted || !of.twisted : kernel.kind != KernelKind::kTurned;
  if (of.centered && may_shift) {
    at.end.shift = static_cast<std::int32_t>(n / 2);
    at.end.wrap = -n * at.end.point_stride;
    at.offset = n / 2 * at.end.point_stride;
  }
  return at;
}

// Aligned for every type.
using Numbers = std::vector<double>;
Numbers numbers_of(std::int64_t bytes) { return Numbers(static_cast<std::size_t>(bytes) / sizeof(double) + 2); }
std::byte* bytes_of(Numbers& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

void fill(Storage storage, std::byte* to, std::int64_t reals, bool has_specials) {
  Random random(static_cast<std::uint64_t>(reals));
  for (std::int64_t i = 0; i < reals; ++i) {
    double x = random.normal();
    if (has_specials && i % 997 == 5) x = NAN;
    if (has_specials && i % 1201 == 7) x = i % 2 == 0 ? INFINITY : -INFINITY;
    const auto single = static_cast<float>(x);
    unsigned saturated = 0;
    std::uint16_t code = 0;
    if (storage == Storage::kF16 || storage == Storage::kBF16) code = host::encode(storage, x, saturated);
    if (storage == Storage::kF16 && std::isinf(x)) code = x > 0 ? 0x7c00 : 0xfc00;
    if (storage == Storage::kBF16 && std::isinf(x)) code = x > 0 ? 0x7f80 : 0xff80;
    const void* const wide = storage == Storage::kF64 ? static_cast<const void*>(&x) : &single;
    const void* const from = storage == Storage::kF64 || storage == Storage::kF32 ? wide : &code;
    std::memcpy(to + i * real_bytes(storage), from, static_cast<std::size_t>(real_bytes(storage)));
  }
}

// NaN of f32 and f64 has no one form.
template <class T>
bool are_nan(const std::byte* a, const std::byte* b) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return std::isnan(x) && std::isnan(y);
}

std::int64_t differences(Storage storage, const std::byte* a, const std::byte* b, std::int64_t reals) {
  std::int64_t count = 0;
  const std::int64_t bytes = real_bytes(storage);
  for (std::int64_t i = 0; i < reals; ++i, a += bytes, b += bytes) {
    if (std::memcmp(a, b, static_cast<std::size_t>(bytes)) == 0) continue;
    if (storage == Storage::kF32 && are_nan<float>(a, b)) continue;
    if (storage == Storage::kF64 && are_nan<double>(a, b)) continue;
    ++count;
  }
  return count;
}

// A launch whose arrays are its own.
struct Launch {
  Launch(const KernelInfo& kernel, const Case& of, const Numbers& input, Numbers& table, Numbers& twist, std::int64_t twist_size)
      : in(input) {
    const bool converts = kernel.kind == KernelKind::kConvert;
    const Lies from = lies(kernel, of, false), to = lies(kernel, of, true);
    const std::int64_t in_bytes = real_bytes(kernel.in) * (converts ? 1 : 2), out_bytes = real_bytes(kernel.out) * (converts ? 1 : 2);
    out = numbers_of(to.size * out_bytes);
    std::memset(out.data(), 0xa5, out.size() * sizeof(double));
    Numbers& target = of.in_place ? in : out;
    args.in = from.end;
    args.out = to.end;
    args.in.data = bytes_of(in) + from.offset * in_bytes;
    args.out.data = bytes_of(target) + to.offset * out_bytes;
    args.count = of.count;
    args.table = table.data();
    args.scale = of.scale;
    args.swap_in = args.swap_out = of.inverse ? 1 : 0;
    args.saturated = &saturated;
    if (twist_size > 0) {
      args.twist = twist.data();
      args.twist_columns = of.count;
    }
    result = bytes_of(target);
    reals = to.size * (converts ? 1 : 2);
    memory = {{in.data(), static_cast<std::size_t>(from.size * in_bytes), of.in_place},
              {out.data(), static_cast<std::size_t>(to.size * out_bytes), true},
              {&saturated, sizeof saturated, true},
              {table.data(), kernel.table_bytes, false},
              {twist.data(), static_cast<std::size_t>(twist_size), false}};
  }

  Numbers in, out;
  Args args;
  unsigned long long saturated = 0;
  const std::byte* result = nullptr;
  std::int64_t reals = 0;
  std::vector<Region> memory;
};

// The sums over all kernels.
struct Summary {
  int kernels = 0, launches = 0, faults = 0;
};

void compare(const PtxKernel& ptx, const KernelInfo& kernel, const Twin& twin, const Case& of, Summary& summary) {
  const std::int64_t in_reals = lies(kernel, of, false).size * (kernel.kind == KernelKind::kConvert ? 1 : 2);
  Numbers input = numbers_of(in_reals * real_bytes(kernel.in));
  fill(kernel.in, bytes_of(input), in_reals, of.has_specials);
  Numbers table = numbers_of(static_cast<std::int64_t>(kernel.table_bytes));
  if (kernel.table_bytes != 0) fill_table(kernel, table.data());
  const bool twists = kernel.kind == KernelKind::kTwisted && of.twisted;
  const std::int64_t twist_size = twists ? static_cast<std::int64_t>(twist_bytes(kernel, of.count)) : 0;
  Numbers twist = numbers_of(twist_size);
  if (twists) fill_twist(kernel, of.count, twist.data());
  const Grid grid{static_cast<unsigned>((of.count + kernel.per_block - 1) / kernel.per_block), of.y, of.z};
  Launch ours(kernel, of, input, table, twist, twist_size), judge(kernel, of, input, table, twist, twist_size);
  twin.run(judge.args, grid, host::Order::kUp);
  const PtxFaults faults = run_ptx(ptx, kernel, ours.args, grid, ours.memory);
  const std::int64_t wrong = differences(kernel.out, ours.result, judge.result, ours.reals);
  ++summary.launches;
  if (wrong == 0 && ours.saturated == judge.saturated && !faults.any()) return;
  ++summary.faults;
  std::printf("FAIL %s, %s: %lld of %lld reals are not the twin's, %llu saturated and %llu of the twin; %s\n", kernel.name, of.name,
              static_cast<long long>(wrong), static_cast<long long>(ours.reals), ours.saturated, judge.saturated, faults.text().c_str());
}

void compare_library(const char* path, Summary& summary) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const void* const table = library == nullptr ? nullptr : dlsym(library, "ptx_kernels");
  if (table == nullptr) {
    std::printf("FAIL %s\n", dlerror());
    ++summary.faults;
    return;
  }
  for (const auto* ptx = static_cast<const PtxKernel*>(table); ptx->name != nullptr; ++ptx) {
    const auto is_named = [&](const KernelInfo& candidate) { return std::string(candidate.name) == ptx->name; };
    const auto kernel = std::find_if(kernels().begin(), kernels().end(), is_named);
    const Twin* const twin = find_twin(ptx->name);
    if (kernel == kernels().end() || twin == nullptr) {
      std::printf("FAIL %s is no kernel of the list\n", ptx->name);
      ++summary.faults;
      continue;
    }
    if (ptx->parameter_bytes != static_cast<int>(sizeof(Args)) || ptx->threads != kernel->threads) {
      std::printf("FAIL %s takes %d bytes and %d threads, not %zu and %d\n", ptx->name, ptx->parameter_bytes, ptx->threads, sizeof(Args),
                  kernel->threads);
      ++summary.faults;
      continue;
    }
    ++summary.kernels;
    for (const Case& of : cases_of(*kernel)) compare(*ptx, *kernel, *twin, of, summary);
  }
}

}  // namespace
}  // namespace ulpfft::cuda::test

int main(int count, char** arguments) {
  ulpfft::cuda::test::Summary summary;
  for (int i = 1; i < count; ++i) ulpfft::cuda::test::compare_library(arguments[i], summary);
  std::printf("%d kernels, %d launches, %d faults\n", summary.kernels, summary.launches, summary.faults);
  return summary.faults == 0 && summary.kernels > 0 ? 0 : 1;
}

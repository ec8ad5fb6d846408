// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/codelets/cuda/launch_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "codelets/contract/unit_root.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::cuda::test {
namespace {

constexpr std::uint8_t kUntouched = 0xa5;

template <typename Use>
void for_each_point(const LaunchCase& launch, const Place2& place, const Use& use) {
  std::int64_t row = 0;
  for (unsigned z = 0; z < launch.outer.z; ++z) {
    for (unsigned y = 0; y < launch.outer.y; ++y) {
      for (std::int64_t x = 0; x < launch.count; ++x, ++row) {
        for (std::int64_t j = 0; j < launch.kernel->n; ++j) use(row * launch.kernel->n + j, place.at(j, x, y, z));
      }
    }
  }
}

template <typename T>
void twist_in(const LaunchCase& launch, T* data) {
  const auto multiplied = [](T x, T y, T c, T s, T* re, T* im) {
    *re = std::fma(-y, s, x * c);
    *im = std::fma(y, c, x * s);
  };
  const int split = twist_split(launch.kernel->n);
  const auto n = static_cast<std::uint64_t>(launch.kernel->n) * static_cast<std::uint64_t>(launch.count);
  for (std::int64_t row = 0; row < launch.transforms(); ++row) {
    const auto j = static_cast<std::uint64_t>(row % launch.count);
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(launch.kernel->n); ++k, data += 2) {
      const UnitRoot lo = unit_root(k % split * j, n), hi = unit_root(k / split * split * j, n);
      T c, s;
      multiplied(round_to<T>(lo.re), round_to<T>(lo.im), round_to<T>(hi.re), round_to<T>(hi.im), &c, &s);
      T re, im;
      multiplied(data[0], data[1], c, s, &re, &im);
      data[0] = re;
      data[1] = im;
    }
  }
}

}  // namespace

const char* storage_name(Storage storage) {
  constexpr const char* kNames[] = {"f64", "f32", "f16", "bf16"};
  return kNames[static_cast<std::size_t>(storage)];
}
std::int64_t real_bytes(Storage storage) { return storage == Storage::kF64 ? 8 : storage == Storage::kF32 ? 4 : 2; }

Place2 place_of(const LaunchCase& launch, bool is_output) {
  const KernelKind kind = launch.kernel->kind;
  const bool rows = kind == KernelKind::kRows || (kind == KernelKind::kTurned && !is_output);
  Place2 place;
  place.n = launch.kernel->n;
  const bool shifts = is_output ? !launch.is_twisted() : kind != KernelKind::kTurned;
  if (launch.centered && shifts) place.shift = place.n / 2;
  // Ends differ by their gaps.
  const std::int64_t gap = launch.gap == 0 ? 0 : launch.gap + (is_output ? 2 : 0);
  if (rows) {
    place.x = launch.kernel->n + gap;
    place.y = launch.count * place.x;
  } else {
    place.point = launch.count + gap;
    place.x = 1;
    place.y = launch.kernel->n * place.point;
  }
  place.z = launch.outer.y * place.y;
  place.size = launch.outer.z * place.z - gap;
  return place;
}

Bytes random_rows(const LaunchCase& launch, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(2 * launch.transforms() * launch.kernel->n);
  ulpfft::test::Stored stored(storage_name(launch.kernel->in), 1, static_cast<std::int64_t>(count));
  if (launch.kernel->is_f64) {
    stored.encode(ulpfft::test::normal<double>(count, launch.rms, seed));
  } else {
    stored.encode(ulpfft::test::normal<float>(count, launch.rms, seed));
  }
  return stored.codes;
}

Bytes transformed_by_ref(const LaunchCase& launch, const Bytes& rows, std::int64_t& saturated) {
  const std::string in_name = storage_name(launch.kernel->in), out_name = storage_name(launch.kernel->out);
  std::string problem = std::to_string(launch.kernel->n) + "*" + std::to_string(launch.transforms()) + " " + in_name + "->" + out_name;
  if (launch.inverse) problem += " inverse";
  if (launch.scale != 1.0) problem += " scale=" + std::to_string(launch.scale);
  const ulpfft::test::PlanPtr plan = ulpfft::test::make_plan(ulpfft::test::ref_target().context, problem, launch.kernel->recipe);
  ulpfft::test::Stored in(in_name, launch.transforms(), 2 * launch.kernel->n), out(out_name, launch.transforms(), 2 * launch.kernel->n);
  in.codes = rows;
  EXPECT_EQ(execute(plan, in, out, &saturated), ULPFFT_OK) << problem << ": " << ulpfft::test::last_error_text();
  return out.codes;
}

void twist_rows(const LaunchCase& launch, Bytes& rows) {
  if (!launch.is_twisted()) return;
  if (launch.kernel->is_f64) {
    twist_in(launch, reinterpret_cast<double*>(rows.data()));
  } else {
    twist_in(launch, reinterpret_cast<float*>(rows.data()));
  }
}

namespace {

End end_of(const Place2& place, std::uint8_t* data, std::int64_t bytes) {
  End end{data + place.shift * place.point * bytes, place.point, place.x, place.y, place.z};
  if (place.shift == 0) return end;
  end.wrap = -place.n * place.point;
  end.shift = static_cast<std::int32_t>(place.shift);
  return end;
}

}  // namespace

Outcome run_and_compare(const LaunchCase& launch, Run run, const Bytes& rows, const Bytes& expected, std::int64_t offset) {
  const KernelInfo& kernel = *launch.kernel;
  const std::int64_t in_bytes = 2 * real_bytes(kernel.in), out_bytes = 2 * real_bytes(kernel.out);
  const Place2 from = place_of(launch, false), to = place_of(launch, true);
  // Aligned as device memory is where the case is dense, so that sectors can be counted; else flush against a guard page.
  const auto flush = launch.gap == 0 ? ulpfft::test::Flush::kStart : ulpfft::test::Flush::kEnd;
  ulpfft::test::GuardedBuffer in(static_cast<std::size_t>((from.size + offset) * in_bytes), flush);
  ulpfft::test::GuardedBuffer out(static_cast<std::size_t>((to.size + offset) * out_bytes), flush);
  auto* const in_data = in.as<std::uint8_t>() + offset * in_bytes;
  auto* const out_data = out.as<std::uint8_t>() + offset * out_bytes;
  std::memset(out_data, kUntouched, static_cast<std::size_t>(to.size * out_bytes));
  Bytes image(static_cast<std::size_t>(to.size * out_bytes), kUntouched);
  for_each_point(launch, from, [&](std::int64_t j, std::int64_t at) {
    std::memcpy(in_data + at * in_bytes, rows.data() + j * in_bytes, static_cast<std::size_t>(in_bytes));
  });
  for_each_point(launch, to, [&](std::int64_t j, std::int64_t at) {
    std::memcpy(image.data() + at * out_bytes, expected.data() + j * out_bytes, static_cast<std::size_t>(out_bytes));
  });

  std::vector<double> table(kernel.table_bytes / sizeof(double) + 1);  // aligned for every type
  fill_table(kernel, table.data());
  std::vector<double> twist;
  Args args;
  if (launch.is_twisted()) {
    twist.resize(twist_bytes(kernel, launch.count) / sizeof(double));
    fill_twist(kernel, launch.count, twist.data());
    args.twist = twist.data();
    args.twist_columns = launch.count;
  }
  unsigned long long saturated = 0;
  args.in = end_of(from, in_data, in_bytes);
  args.out = end_of(to, launch.in_place ? in_data : out_data, out_bytes);
  args.count = launch.count;
  args.table = table.data();
  args.scale = launch.scale;
  args.swap_in = args.swap_out = launch.inverse ? 1 : 0;
  args.saturated = &saturated;
  const auto blocks = static_cast<unsigned>((launch.count + kernel.per_block - 1) / kernel.per_block);
  run(args, {blocks, launch.outer.y, launch.outer.z}, launch.order);

  Outcome outcome;
  outcome.saturated = static_cast<std::int64_t>(saturated);
  const std::uint8_t* const result = launch.in_place ? in_data : out_data;
  for (std::size_t i = 0; i < image.size(); ++i) {
    if (image[i] == result[i]) continue;
    outcome.difference = "byte " + std::to_string(i) + " of the output, whose complex numbers have " + std::to_string(out_bytes);
    break;
  }
  return outcome;
}

}  // namespace ulpfft::cuda::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/model.h"

#include <algorithm>
#include <cstdlib>

#include "planner/backend/cuda/expand.h"
#include "planner/backend/cuda/kernels.h"

namespace ulpfft::cuda {
namespace {

// Round numbers of the size that devices have. Only their ratio decides, between recipes of few launches and those of few bytes.
constexpr double kSecondsOfLaunch = 2e-6;
constexpr double kBytesPerSecond = 2e12;
// Global memory is read and written in pieces of this size.
constexpr double kSectorBytes = 32;

// Times that the bytes of an end are moved, where a thread's neighbour finds its number elsewhere.
double waste(std::int64_t nearest_stride, std::int64_t number_bytes) {
  const double apart = static_cast<double>(std::max<std::int64_t>(1, std::abs(nearest_stride)));
  return std::min(kSectorBytes / static_cast<double>(number_bytes), apart);
}

double seconds_of(const Launch& launch, std::int64_t points) {
  const KernelInfo& kernel = *find_kernel(launch.kernel);
  double numbers = static_cast<double>(points);
  for (const LaunchLoop& loop : launch.loops) numbers *= static_cast<double>(loop.count);
  const auto bytes = [&](const LaunchEnd& end, std::int64_t x_stride, Storage storage) {
    const std::int64_t number = 2 * real_bytes(storage);
    const std::int64_t nearest = end.point_stride == 1 || launch.loops[0].count == 1 ? end.point_stride : x_stride;
    return numbers * static_cast<double>(number) * waste(nearest, number);
  };
  double moved = bytes(launch.in, launch.loops[0].in_stride, kernel.in) + bytes(launch.out, launch.loops[0].out_stride, kernel.out);
  if (launch.twist_columns != 0) moved += static_cast<double>(twist_bytes(kernel, launch.twist_columns));
  return static_cast<double>(launches_of(launch)) * kSecondsOfLaunch + moved / kBytesPerSecond;
}

}  // namespace

double predicted_seconds(const ulpfft::Program& program) {
  double seconds = 0;
  std::vector<const Loop*> around;
  visit_passes(program.body, around, [&](const Pass& pass, const std::vector<const Loop*>& loops) {
    double times = 1;
    for (const Loop* loop : loops) times *= static_cast<double>(loop->count);
    seconds += times * seconds_of(std::get<Launch>(pass.op), pass.extent);
  });
  return seconds;
}

}  // namespace ulpfft::cuda

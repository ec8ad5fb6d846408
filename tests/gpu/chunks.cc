// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much of a batch should lie between two sweeps: times of long transforms for several sizes of that matrix. The planner takes a part
// of the cache that the driver names, so that a driver which names another one gives another size. Bits do not depend on it.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "planner/backend/cuda/device.h"
#include "tests/gpu/json.h"
#include "tests/gpu/parts.h"
#include "tests/gpu/stored_reals.h"

namespace ulpfft::test {
namespace {

constexpr int kLengthsLog2[] = {16, 18, 20};
constexpr int kMegabytes[] = {8, 12, 16, 24, 32};
constexpr int kCacheParts = 25, kPartsOfMatrix = 12;  // of planner/backend/cuda/expand.cc

// The driver of the machine with another cache.
struct OtherCache {
  cuda::Driver base{}, table{};
  int bytes = 0;
};
OtherCache other;

cuda::Result attribute_of_device(int* value, int attribute, cuda::DeviceNumber device) {
  const cuda::Result result = other.base.device_get_attribute(value, attribute, device);
  if (result == cuda::Result::kSuccess && attribute == cuda::kCacheBytes) *value = other.bytes;
  return result;
}

// No plan exists when it changes.
void set_matrix_megabytes(int megabytes) {
  if (other.table.init == nullptr) {
    other.base = other.table = driver();
    other.table.device_get_attribute = &attribute_of_device;
  }
  other.bytes = (megabytes << 20) / kPartsOfMatrix * kCacheParts;
  cuda::forget_primary_context();  // and what devices have
  cuda::set_driver_source([] { return cuda::DriverOrReason{&other.table, ""}; });
}

struct Timed {
  double seconds = 0;
  std::size_t workspace = 0;
  std::vector<std::byte> result;  // of the first transform
};

Timed time_plan(const std::string& problem, const DeviceArray& in, const DeviceArray& out, std::size_t first_bytes, int samples) {
  const PlanPtr plan = make_plan(check_context(), problem + " backend=cuda", ULPFFT_ESTIMATE, 1);
  if (plan == nullptr) throw std::runtime_error(problem + ": " + last_error_text());
  const auto execute = [&] {
    if (ulpfft_execute(plan.get(), in.data(), out.data()) != ULPFFT_OK) throw std::runtime_error(last_error_text());
  };
  execute();
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) {
    const Event begin, end;
    begin.record();
    execute();
    end.record();
    seconds.push_back(end.seconds_since(begin));
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], ulpfft_plan_workspace_bytes(plan.get()), out.to_host(first_bytes)};
}

}  // namespace

bool run_chunks(bool is_fake, int points_log2, int samples, const std::string& json_file) {
  std::printf("%s\n", is_fake ? "FAKE DRIVER: the times below are of the host and say nothing about a device." :
                                "Times by events of the device, medians.");
  std::printf("%-22s %8s %14s %12s\n", "problem", "MiB", "workspace", "us");
  const std::size_t bytes = (std::size_t{1} << points_log2) * 8;
  const DeviceArray in(bytes), out(bytes);
  const std::vector<std::byte> data = random_reals(storage_of("f32"), bytes / 4);
  in.from_host(data.data(), data.size());
  std::string rows;
  bool passed = true;
  for (const int log2_n : kLengthsLog2) {
    if (log2_n > points_log2) continue;
    const std::string problem =
        std::to_string(std::int64_t{1} << log2_n) + "*" + std::to_string(std::int64_t{1} << (points_log2 - log2_n)) + " f32";
    std::optional<Timed> first;
    for (const int megabytes : kMegabytes) {
      set_matrix_megabytes(megabytes);
      Timed timed = time_plan(problem, in, out, std::size_t{8} << log2_n, samples);
      std::printf("%-22s %8d %14zu %12.2f\n", problem.c_str(), megabytes, timed.workspace, 1e6 * timed.seconds);
      rows += std::string(rows.empty() ? "" : ", ") + "{\"problem\": " + quoted(problem) + ", \"megabytes\": " + std::to_string(megabytes) +
              ", \"workspace_bytes\": " + std::to_string(timed.workspace) + ", \"seconds\": " + number(timed.seconds) + "}";
      passed = passed && (!first || first->result == timed.result);
      if (!first) first = std::move(timed);
    }
  }
  if (!passed) std::printf("FAIL results depend on the size of the matrix\n");
  std::ofstream(json_file) << "{\"fake_driver\": " << (is_fake ? "true" : "false") << ", \"chunks\": [" << rows << "]}\n";
  return passed;
}

}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A library with the functions of cuFFT that the check calls, for rehearsals. It transforms f32 and f64 on the host by radix 2, and refuses
// other storage as cuFFT does where a device has none of it. Where ULPFFT_FAKE_CUFFT_WRONG is set, its first result is wrong by 1; a plan
// takes the seconds of ULPFFT_FAKE_CUFFT_SECONDS.
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <numbers>
#include <thread>
#include <vector>

namespace {

constexpr int kSuccess = 0, kInvalidPlan = 1, kInvalidValue = 4, kNotSupported = 16;
constexpr int kF32 = 4, kF64 = 5;

struct Plan {
  long long n = 0, batch = 0;
  int type = 0;
};
std::map<int, Plan> plans;

using Line = std::vector<std::complex<double>>;

void transform(Line& line) {
  if (line.size() == 1) return;
  Line half[2];
  for (std::size_t i = 0; i < line.size(); ++i) half[i % 2].push_back(line[i]);
  transform(half[0]);
  transform(half[1]);
  for (std::size_t k = 0; k < line.size() / 2; ++k) {
    const auto turned = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(line.size())) * half[1][k];
    line[k] = half[0][k] + turned;
    line[k + line.size() / 2] = half[0][k] - turned;
  }
}

template <typename T>
void transform_all(const Plan& plan, const void* in, void* out) {
  const auto* from = static_cast<const std::complex<T>*>(in);
  auto* to = static_cast<std::complex<T>*>(out);
  for (long long b = 0; b < plan.batch; ++b, from += plan.n, to += plan.n) {
    Line line(from, from + plan.n);
    transform(line);
    if (b == 0 && std::getenv("ULPFFT_FAKE_CUFFT_WRONG") != nullptr) line[0] += 1;
    for (std::size_t k = 0; k < line.size(); ++k) to[k] = std::complex<T>(line[k]);
  }
}

}  // namespace

extern "C" {

int cufftGetVersion(int* version) {
  *version = 0;
  return kSuccess;
}

int cufftCreate(int* handle) {
  *handle = plans.empty() ? 1 : plans.rbegin()->first + 1;
  plans[*handle] = {};
  return kSuccess;
}

int cufftDestroy(int handle) { return plans.erase(handle) == 1 ? kSuccess : kInvalidPlan; }

int cufftSetPlanPropertyInt64(int handle, int property, long long value) {
  return plans.count(handle) == 1 && plans[handle].n == 0 && property == 1 && value == 1 ? kSuccess : kInvalidValue;
}

int cufftXtMakePlanMany(int handle, int rank, long long* n, long long*, long long in_stride, long long in_distance, int in_type, long long*,
                        long long out_stride, long long out_distance, int out_type, long long batch,
                        std::size_t* bytes, int execution_type) {
  if (plans.count(handle) == 0) return kInvalidPlan;
  if (rank != 1 || in_stride != 1 || out_stride != 1 || in_distance != *n || out_distance != *n) return kInvalidValue;
  if (in_type != out_type || execution_type != in_type) return kInvalidValue;
  if (in_type != kF32 && in_type != kF64) return kNotSupported;
  if (const char* seconds = std::getenv("ULPFFT_FAKE_CUFFT_SECONDS"); seconds != nullptr) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
  }
  plans[handle] = {*n, batch, in_type};
  *bytes = 0;
  return kSuccess;
}

int cufftXtExec(int handle, void* in, void* out, int direction) {
  if (plans.count(handle) == 0 || direction != -1) return kInvalidPlan;
  const Plan& plan = plans[handle];
  if (plan.type == kF32) {
    transform_all<float>(plan, in, out);
  } else {
    transform_all<double>(plan, in, out);
  }
  return kSuccess;
}

}  // extern "C"

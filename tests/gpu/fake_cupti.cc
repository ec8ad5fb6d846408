// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A library with the functions of CUPTI that the check calls, for rehearsals. Each flush hands over two records: a copy, and a kernel whose
// numbers are all different. $ULPFFT_FAKE_CUPTI_VERSION is its version.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kSuccess = 0, kInvalidParameter = 1, kMaxLimitReached = 12;
constexpr std::uint32_t kMemcpy = 1, kConcurrentKernel = 10;
constexpr std::size_t kCopyBytes = 64, kKernelBytes = 216;  // the second as in CUDA 13.0

using Request = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size, std::size_t valid);
Request request = nullptr;
Complete complete = nullptr;
bool enabled = false;

template <class T>
void put(std::uint8_t* record, std::size_t offset, T value) {
  std::memcpy(record + offset, &value, sizeof value);
}

}  // namespace

extern "C" {

int cuptiGetVersion(std::uint32_t* version) {
  const char* const given = std::getenv("ULPFFT_FAKE_CUPTI_VERSION");
  *version = given != nullptr ? static_cast<std::uint32_t>(std::atoi(given)) : 130001;
  return kSuccess;
}

int cuptiActivityRegisterCallbacks(Request requested, Complete completed) {
  request = requested;
  complete = completed;
  return kSuccess;
}

int cuptiActivityEnable(std::uint32_t kind) {
  enabled = kind == kConcurrentKernel;
  return enabled ? kSuccess : kInvalidParameter;
}

int cuptiActivityDisable(std::uint32_t kind) {
  enabled = false;
  return kind == kConcurrentKernel ? kSuccess : kInvalidParameter;
}

int cuptiActivityFlushAll(std::uint32_t) {
  if (!enabled) return kSuccess;
  std::uint8_t* buffer = nullptr;
  std::size_t size = 0, most = 0;
  request(&buffer, &size, &most);
  if (size < kCopyBytes + kKernelBytes) return kInvalidParameter;
  std::memset(buffer, 0, kCopyBytes + kKernelBytes);
  put(buffer, 0, kMemcpy);
  std::uint8_t* const kernel = buffer + kCopyBytes;
  put(kernel, 0, kConcurrentKernel);
  put(kernel, 6, std::uint16_t{42});
  put(kernel, 16, std::uint64_t{1000});
  put(kernel, 24, std::uint64_t{3500});
  for (int i = 0; i < 3; ++i) put(kernel, 52 + 4 * static_cast<std::size_t>(i), 11 + i);  // grid
  for (int i = 0; i < 3; ++i) put(kernel, 64 + 4 * static_cast<std::size_t>(i), 21 + i);  // block
  put(kernel, 76, std::int32_t{31});
  put(kernel, 80, std::int32_t{32});
  put(kernel, 84, std::uint32_t{33});
  put(kernel, 104, static_cast<const char*>("fake_kernel"));
  complete(nullptr, 0, buffer, size, kCopyBytes + kKernelBytes);
  return kSuccess;
}

int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, void** record) {
  auto* const last = static_cast<std::uint8_t*>(*record);
  if (last == nullptr) {
    *record = buffer;
  } else if (last == buffer && valid > kCopyBytes) {
    *record = buffer + kCopyBytes;
  } else {
    return kMaxLimitReached;
  }
  return kSuccess;
}

}  // extern "C"

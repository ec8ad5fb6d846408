// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What CUPTI records of kernels: loaded while the program runs, where it is installed. Code of kernels is not read.
#ifndef ULPFFT_TESTS_GPU_CUPTI_H_
#define ULPFFT_TESTS_GPU_CUPTI_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft::test {

// One launch.
struct KernelRecord {
  std::string name;
  int registers = 0;  // of a thread
  int static_shared_bytes = 0, dynamic_shared_bytes = 0, local_bytes = 0;  // the last of a thread
  int grid[3] = {}, block[3] = {};
  double seconds = 0;
};

// One at a time, made before the context of the device.
class Cupti {
 public:
  Cupti();  // begins to record; throws std::runtime_error where there is none, or none whose records are known
  ~Cupti();
  Cupti(const Cupti&) = delete;
  Cupti& operator=(const Cupti&) = delete;
  std::uint32_t version() const { return version_; }
  // Launches that have ended since the last call, in the order in which they began. Throws std::runtime_error.
  std::vector<KernelRecord> take() const;

 private:
  std::uint32_t version_ = 0;
  int (*flush_)(std::uint32_t forced) = nullptr;
  int (*disable_)(std::uint32_t kind) = nullptr;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_CUPTI_H_

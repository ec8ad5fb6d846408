// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// cuFFT as a library that is called: loaded while the program runs, where it is installed.
#ifndef ULPFFT_TESTS_GPU_CUFFT_H_
#define ULPFFT_TESTS_GPU_CUFFT_H_

#include <cstdint>
#include <string>

namespace ulpfft::test {

// CUDA_C_64F ... CUDA_C_16BF of library_types.h.
enum class CudaComplex : int { k64 = 5, k32 = 4, k16 = 6, kBf16 = 15 };

class Cufft {
 public:
  Cufft();  // throws std::runtime_error where there is none
  std::string version() const;

  // Forward transforms, out of place, dense, on the default stream.
  class Plan {
   public:
    Plan(const Cufft& of, std::int64_t n, std::int64_t batch, CudaComplex type, bool patient);  // throws std::runtime_error
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    void execute(void* in, void* out) const;

   private:
    void make(std::int64_t n, std::int64_t batch, CudaComplex type, bool patient);
    const Cufft& of_;
    int handle_ = 0;
  };

 private:
  // cufftHandle and cufftResult are ints; 0 is success.
  int (*get_version_)(int*) = nullptr;
  int (*create_)(int*) = nullptr;
  int (*destroy_)(int) = nullptr;
  int (*set_property_)(int, int, long long) = nullptr;  // may be null: before CUDA 12
  int (*make_plan_)(int, int, long long*, long long*, long long, long long, int, long long*, long long, long long, int, long long,
                    std::size_t*, int) = nullptr;
  int (*execute_)(int, void*, void*, int) = nullptr;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_CUFFT_H_

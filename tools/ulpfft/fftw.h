// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The FFTW3 interface of libraries that are loaded while the program runs, for comparison: FFTW, AMD's, Intel's. None is needed, none is
// linked, none is unloaded: such libraries keep threads and tables.
//
// Symbols begin with fftw_ for f64 and fftwf_ for f32; a library may have either or both.
#ifndef ULPFFT_TOOLS_ULPFFT_FFTW_H_
#define ULPFFT_TOOLS_ULPFFT_FFTW_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ulpfft_tool {

// The functions of one precision, with the signatures of fftw3.h; null where the library has none.
struct FftwFunctions {
  struct Dimension {  // fftw_iodim64; strides count complex elements (split, and at a real end: real ones)
    std::ptrdiff_t n, in_stride, out_stride;
  };
  using Guru = void* (*)(int, const Dimension*, int, const Dimension*, void* in, void* out, int sign, unsigned flags);
  using GuruSplit = void* (*)(int, const Dimension*, int, const Dimension*, void* in_re, void* in_im, void* out_re, void* out_im,
                              unsigned flags);
  using GuruReal = void* (*)(int, const Dimension*, int, const Dimension*, void* in, void* out, unsigned flags);
  Guru plan = nullptr;
  GuruSplit plan_split = nullptr;
  GuruReal plan_r2c = nullptr;
  GuruReal plan_c2r = nullptr;
  using GuruR2r = void* (*)(int, const Dimension*, int, const Dimension*, void* in, void* out, const int* kinds, unsigned flags);
  GuruR2r plan_r2r = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*forget_wisdom)() = nullptr;
  void (*set_timelimit)(double) = nullptr;
  void (*plan_with_nthreads)(int) = nullptr;  // null: no threads
  std::string version;
  std::string file;  // that the loader found
};

// FFTW_FORWARD and so on.
inline constexpr int kFftwForward = -1;
inline constexpr int kFftwBackward = +1;
inline constexpr unsigned kFftwMeasure = 0;
inline constexpr unsigned kFftwPatient = 1U << 5;
inline constexpr unsigned kFftwEstimate = 1U << 6;

struct FftwLibrary {
  FftwFunctions narrow;  // f32
  FftwFunctions wide;    // f64
  std::string version() const;

  // Takes from the library in `file` the functions that are still missing; "", or why there are none. A threads library is looked for
  // in it, then beside it (libfftw3f_threads.so.3, libfftw3f_omp.so.3).
  std::string add(const std::string& file);
  // Debian's two libraries; `reason`, unless null, is why one of them is missing.
  static FftwLibrary system(std::string* reason = nullptr);
};

// A plan of one array for one other: two lists of dimensions, slowest first. Planning overwrites the arrays.
class FftwPlan {
 public:
  using Dimensions = std::vector<FftwFunctions::Dimension>;
  // Throws Failure where the library makes no plan.
  FftwPlan(const FftwFunctions& functions, const Dimensions& lengths, const Dimensions& batch, void* in, void* out, int sign, unsigned flags);
  FftwPlan(const FftwFunctions& functions, void* plan) : functions_(functions), plan_(plan) {}
  ~FftwPlan() { functions_.destroy(plan_); }
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  void execute() const { functions_.execute(plan_); }

 private:
  const FftwFunctions functions_;
  void* plan_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FFTW_H_

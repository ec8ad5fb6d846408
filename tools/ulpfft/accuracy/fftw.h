// FFTW's own error, where its library is installed: loaded while the program runs, neither needed nor linked.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_H_

#include <complex>
#include <cstdint>
#include <optional>
#include <string>

namespace ulpfft_tool {

// Plans with FFTW_ESTIMATE: the same plans on every machine. T: float (libfftw3f.so.3) or double (libfftw3.so.3).
template <typename T>
class FftwLibrary {
 public:
  // Nothing where the library is not installed.
  static std::optional<FftwLibrary> load();
  const std::string& version() const { return version_; }
  // Relative L2 of the forward transform of n points on complex normal data; a mean over about 2^14 outputs.
  double error(std::int64_t n) const;

 private:
  using Plan = void*;
  Plan (*plan_dft_1d_)(int n, std::complex<T>* in, std::complex<T>* out, int sign, unsigned flags) = nullptr;
  void (*execute_)(Plan) = nullptr;
  void (*destroy_plan_)(Plan) = nullptr;
  void* (*malloc_)(std::size_t bytes) = nullptr;
  void (*free_)(void* memory) = nullptr;
  std::string version_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_H_

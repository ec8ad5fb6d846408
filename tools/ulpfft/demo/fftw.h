// FFTW in single precision, loaded while the program runs: the demonstration neither needs nor links it.
#ifndef ULPFFT_TOOLS_ULPFFT_DEMO_FFTW_H_
#define ULPFFT_TOOLS_ULPFFT_DEMO_FFTW_H_

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace ulpfft_tool {

// The functions used, with the signatures of fftw3.h; std::complex<float> has the layout of fftwf_complex.
struct Fftw {
  using Complex = std::complex<float>;
  void* (*plan_many_dft)(int rank, const int* lengths, int batch, Complex* in, const int* in_embed, int in_stride, int in_distance,
                         Complex* out, const int* out_embed, int out_stride, int out_distance, int sign, unsigned flags);
  void (*execute)(void* plan);
  void (*destroy_plan)(void* plan);
  void* (*malloc)(std::size_t bytes);
  void (*free)(void* memory);
  std::string version;
};

// Nothing where the library is not installed.
std::optional<Fftw> load_fftw();

// Plans with FFTW_MEASURE the inverse two-dimensional transform of `batch` dense arrays of size x size, unscaled and not
// centred: FFTW has neither.
class FftwInverse2d {
 public:
  FftwInverse2d(const Fftw& library, int size, int batch);
  ~FftwInverse2d();
  FftwInverse2d(const FftwInverse2d&) = delete;
  FftwInverse2d& operator=(const FftwInverse2d&) = delete;
  std::span<std::complex<float>> in() { return {in_, count_}; }
  std::span<std::complex<float>> out() { return {out_, count_}; }
  void execute() { library_.execute(plan_); }

 private:
  const Fftw& library_;
  std::size_t count_;
  std::complex<float>* in_;
  std::complex<float>* out_;
  void* plan_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_DEMO_FFTW_H_

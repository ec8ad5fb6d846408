#include "tools/ulpfft/demo/fftw.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "tools/ulpfft/command.h"

namespace ulpfft_tool {
namespace {

constexpr int kBackward = +1;      // FFTW_BACKWARD
constexpr unsigned kMeasure = 0U;  // FFTW_MEASURE

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  void* address = dlsym(library, name);
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
  return address != nullptr;
}

}  // namespace

std::optional<Fftw> load_fftw() {
  void* library = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Fftw found{};
  const bool complete = find(library, "fftwf_plan_many_dft", found.plan_many_dft) &&
                        find(library, "fftwf_execute", found.execute) &&
                        find(library, "fftwf_destroy_plan", found.destroy_plan) && find(library, "fftwf_malloc", found.malloc) &&
                        find(library, "fftwf_free", found.free);
  if (!complete) return std::nullopt;
  if (const void* version = dlsym(library, "fftwf_version")) found.version = static_cast<const char*>(version);
  return found;
}

FftwInverse2d::FftwInverse2d(const Fftw& library, int size, int batch)
    : library_(library),
      count_(static_cast<std::size_t>(size) * size * batch),
      in_(static_cast<std::complex<float>*>(library.malloc(count_ * sizeof(std::complex<float>)))),
      out_(static_cast<std::complex<float>*>(library.malloc(count_ * sizeof(std::complex<float>)))) {
  const std::array<int, 2> lengths = {size, size};
  const int distance = size * size;
  plan_ =
      library.plan_many_dft(2, lengths.data(), batch, in_, nullptr, 1, distance, out_, nullptr, 1, distance, kBackward, kMeasure);
  if (plan_ == nullptr) throw Failure("FFTW made no plan.");
}

FftwInverse2d::~FftwInverse2d() {
  library_.destroy_plan(plan_);
  library_.free(in_);
  library_.free(out_);
}

}  // namespace ulpfft_tool

#include "tools/ulpfft/accuracy/fftw.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "tools/ulpfft/accuracy/long_sums.h"
#include "tools/ulpfft/command.h"

namespace ulpfft_tool {
namespace {

constexpr int kForward = -1;            // FFTW_FORWARD
constexpr unsigned kEstimate = 1U << 6;  // FFTW_ESTIMATE
constexpr std::int64_t kOutputs = 1 << 14;

template <typename Function>
bool find(void* library, const std::string& name, Function& function) {
  void* address = dlsym(library, name.c_str());
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
  return address != nullptr;
}

}  // namespace

template <typename T>
std::optional<FftwLibrary<T>> FftwLibrary<T>::load() {
  const bool single = std::is_same_v<T, float>;
  void* library = dlopen(single ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const std::string prefix = single ? "fftwf_" : "fftw_";
  FftwLibrary found;
  const bool complete = find(library, prefix + "plan_dft_1d", found.plan_dft_1d_) && find(library, prefix + "execute", found.execute_) &&
                        find(library, prefix + "destroy_plan", found.destroy_plan_) && find(library, prefix + "malloc", found.malloc_) &&
                        find(library, prefix + "free", found.free_);
  if (!complete) return std::nullopt;
  if (const void* version = dlsym(library, (prefix + "version").c_str())) found.version_ = static_cast<const char*>(version);
  return found;
}

template <typename T>
double FftwLibrary<T>::error(std::int64_t n) const {
  using Array = std::unique_ptr<std::complex<T>, void (*)(void*)>;
  const auto count = static_cast<std::size_t>(n);
  const auto make = [&] { return Array(static_cast<std::complex<T>*>(malloc_(count * sizeof(std::complex<T>))), free_); };
  const Array in = make();
  const Array out = make();
  if (in == nullptr || out == nullptr) throw std::bad_alloc();
  const Plan plan = plan_dft_1d_(static_cast<int>(n), in.get(), out.get(), kForward, kEstimate);
  if (plan == nullptr) throw Failure("FFTW made no plan for " + std::to_string(n) + " points.");
  const LongSums exact(n);
  std::mt19937_64 random(20261120);
  std::normal_distribution<double> normal(0.0, std::sqrt(0.5));
  std::vector<std::complex<long double>> x(count);
  long double error = 0, signal = 0;
  for (std::int64_t compared = 0; compared < kOutputs;) {
    for (std::size_t j = 0; j < count; ++j) {
      in.get()[j] = {static_cast<T>(normal(random)), static_cast<T>(normal(random))};
      x[j] = {in.get()[j].real(), in.get()[j].imag()};
    }
    execute_(plan);
    // Where sums are dear, a few outputs of one transform have to do.
    const std::vector<LongSums::Output> outputs = exact.outputs(x, static_cast<std::uint64_t>(compared));
    for (const LongSums::Output& output : outputs) {
      const std::complex<T> y = out.get()[output.index];
      error += std::norm(std::complex<long double>(y.real(), y.imag()) - output.value);
      signal += std::norm(output.value);
    }
    compared += exact.is_cheap() ? n : kOutputs / 4;
  }
  destroy_plan_(plan);
  return static_cast<double>(std::sqrt(error / signal));
}

template class FftwLibrary<float>;
template class FftwLibrary<double>;

}  // namespace ulpfft_tool

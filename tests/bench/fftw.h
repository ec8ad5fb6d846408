// Debian's FFTW, loaded at run time: no build needs it, and a machine without it is told so.
#ifndef ULPFFT_TESTS_BENCH_FFTW_H_
#define ULPFFT_TESTS_BENCH_FFTW_H_

#include <dlfcn.h>

#include <complex>
#include <string>
#include <type_traits>

namespace ulpfft::bench {

constexpr int kFftwForward = -1;
constexpr unsigned kFftwMeasure = 0;

// The functions of libfftw3f.so.3 (float) or libfftw3.so.3 (double) that are used here.
template <typename T>
class Fftw {
 public:
  using Plan = void*;

  Fftw() {
    const bool single = std::is_same_v<T, float>;
    name_ = single ? "libfftw3f.so.3" : "libfftw3.so.3";
    library_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const std::string prefix = single ? "fftwf_" : "fftw_";
    load(plan_dft_1d_, prefix + "plan_dft_1d");
    load(execute_, prefix + "execute");
    load(destroy_plan_, prefix + "destroy_plan");
    load(forget_wisdom_, prefix + "forget_wisdom");
    load(cleanup_, prefix + "cleanup");
    const void* version = dlsym(library_, (prefix + "version").c_str());
    if (version != nullptr) version_ = static_cast<const char*>(version);
  }
  ~Fftw() {
    if (available()) cleanup_();
    if (library_ != nullptr) dlclose(library_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;

  bool available() const { return plan_dft_1d_ != nullptr && execute_ != nullptr && destroy_plan_ != nullptr && forget_wisdom_ != nullptr && cleanup_ != nullptr; }
  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }

  // Overwrites both arrays.
  Plan plan(int n, std::complex<T>* in, std::complex<T>* out) const { return plan_dft_1d_(n, in, out, kFftwForward, kFftwMeasure); }
  void execute(Plan plan) const { execute_(plan); }
  void destroy(Plan plan) const { destroy_plan_(plan); }
  void forget_wisdom() const { forget_wisdom_(); }

 private:
  template <typename F>
  void load(F& function, const std::string& symbol) {
    function = reinterpret_cast<F>(dlsym(library_, symbol.c_str()));
  }

  std::string name_;
  std::string version_;
  void* library_ = nullptr;
  Plan (*plan_dft_1d_)(int, std::complex<T>*, std::complex<T>*, int, unsigned) = nullptr;
  void (*execute_)(Plan) = nullptr;
  void (*destroy_plan_)(Plan) = nullptr;
  void (*forget_wisdom_)() = nullptr;
  void (*cleanup_)() = nullptr;
};

}  // namespace ulpfft::bench

#endif  // ULPFFT_TESTS_BENCH_FFTW_H_

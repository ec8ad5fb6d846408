// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/gpu/cufft.h"

#include <dlfcn.h>

#include <stdexcept>

#include "tests/gpu/libraries.h"

namespace ulpfft::test {
namespace {

constexpr int kPatientJit = 1;  // NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT
constexpr int kForward = -1;

void require_cufft(int result, const char* doing) {
  if (result != 0) throw std::runtime_error(std::string("cuFFT failed while ") + doing + ": result " + std::to_string(result) + ".");
}

}  // namespace

Cufft::Cufft() {
  void* const library = load_library({.title = "cuFFT",
                                      .variable = "ULPFFT_CUFFT",
                                      .names = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"},
                                      .folders = {"/usr/local/cuda/lib64"},
                                      .packages = {"cu13", "cufft"}});
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  find(set_property_, "cufftSetPlanPropertyInt64");
  if (!find(get_version_, "cufftGetVersion") || !find(create_, "cufftCreate") || !find(destroy_, "cufftDestroy") ||
      !find(make_plan_, "cufftXtMakePlanMany") || !find(execute_, "cufftXtExec")) {
    throw std::runtime_error("The library of cuFFT lacks functions.");
  }
}

std::string Cufft::version() const {
  int version = 0;
  require_cufft(get_version_(&version), "asking for its version");
  return std::to_string(version);
}

Cufft::Plan::Plan(const Cufft& of, std::int64_t n, std::int64_t batch, CudaComplex type, bool patient) : of_(of) {
  require_cufft(of.create_(&handle_), "creating a plan");
  try {
    make(n, batch, type, patient);
  } catch (...) {
    of.destroy_(handle_);
    throw;
  }
}
Cufft::Plan::~Plan() { of_.destroy_(handle_); }

void Cufft::Plan::make(std::int64_t n, std::int64_t batch, CudaComplex type, bool patient) {
  if (patient) {
    if (of_.set_property_ == nullptr) throw std::runtime_error("This cuFFT has no patient plans: cufftSetPlanPropertyInt64() is missing.");
    require_cufft(of_.set_property_(handle_, kPatientJit, 1), "asking for a patient plan");
  }
  long long length = n;
  std::size_t bytes = 0;
  const int kind = static_cast<int>(type);
  require_cufft(of_.make_plan_(handle_, 1, &length, nullptr, 1, n, kind, nullptr, 1, n, kind, batch, &bytes, kind), "making a plan");
}

void Cufft::Plan::execute(void* in, void* out) const { require_cufft(of_.execute_(handle_, in, out, kForward), "executing a plan"); }

}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/fftw.h"

#include <dlfcn.h>

#include <cstring>
#include <utility>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

template <typename Function>
bool find(void* library, const std::string& name, Function& function) {
  void* address = dlsym(library, name.c_str());
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
  return address != nullptr;
}

// The file that the loader found for a symbol's library.
std::string file_of(void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

// ".../libfftw3f.so.3" and "_threads" give ".../libfftw3f_threads.so.3".
std::string beside(const std::string& file, const std::string& suffix) {
  const std::size_t slash = file.rfind('/');
  const std::size_t dot = file.find(".so", slash == file.npos ? 0 : slash);
  return dot == file.npos ? file + suffix : file.substr(0, dot) + suffix + file.substr(dot);
}

// init_threads and plan_with_nthreads: of the library itself or of the one beside it. The loader may give the latter another
// library of the same name to lean on; then its threads would be for that one.
void find_threads(void* library, const std::string& prefix, FftwFunctions& functions) {
  void* execute = dlsym(library, (prefix + "execute").c_str());
  std::vector<void*> libraries = {library};
  for (const char* suffix : {"_threads", "_omp"}) {
    const std::string file = beside(file_of(execute), suffix);
    void* other = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (other != nullptr && dlsym(other, (prefix + "execute").c_str()) == execute) libraries.push_back(other);
  }
  for (void* candidate : libraries) {
    int (*init)() = nullptr;
    if (!find(candidate, prefix + "init_threads", init) || init() == 0) continue;
    if (find(candidate, prefix + "plan_with_nthreads", functions.plan_with_nthreads)) return;
  }
}

bool find_functions(void* library, const std::string& prefix, FftwFunctions& functions) {
  FftwFunctions found;
  const bool complete = find(library, prefix + "plan_guru64_dft", found.plan) && find(library, prefix + "execute", found.execute) &&
                        find(library, prefix + "destroy_plan", found.destroy);
  if (!complete) return false;
  find(library, prefix + "plan_guru64_split_dft", found.plan_split);
  find(library, prefix + "plan_guru64_dft_r2c", found.plan_r2c);
  find(library, prefix + "plan_guru64_dft_c2r", found.plan_c2r);
  find(library, prefix + "plan_guru64_r2r", found.plan_r2r);
  find(library, prefix + "forget_wisdom", found.forget_wisdom);
  find(library, prefix + "set_timelimit", found.set_timelimit);
  found.file = file_of(dlsym(library, (prefix + "execute").c_str()));
  if (const void* version = dlsym(library, (prefix + "version").c_str())) found.version = static_cast<const char*>(version);
  find_threads(library, prefix, found);
  functions = found;
  return true;
}

}  // namespace

std::string FftwLibrary::version() const {
  if (narrow.version.empty() || narrow.version == wide.version) return wide.version;
  return wide.version.empty() ? narrow.version : narrow.version + ", " + wide.version;
}

std::string FftwLibrary::add(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return "The library cannot be loaded: " + std::string(reason != nullptr ? reason : "no reason given") + ".";
  }
  const bool is_narrow = narrow.plan == nullptr && find_functions(library, "fftwf_", narrow);
  const bool is_wide = wide.plan == nullptr && find_functions(library, "fftw_", wide);
  if (is_narrow || is_wide) return "";
  return "The library lacks the FFTW3 interface: it has neither fftw_plan_guru64_dft nor fftwf_plan_guru64_dft with execute and destroy_plan.";
}

FftwLibrary FftwLibrary::system(std::string* reason) {
  FftwLibrary library;
  for (const auto& [file, found] : {std::pair{"libfftw3f.so.3", &FftwLibrary::narrow}, std::pair{"libfftw3.so.3", &FftwLibrary::wide}}) {
    std::string fault = library.add(file);
    if ((library.*found).version.ends_with("-ulpfft")) {
      library.*found = {};
      fault = std::string(file) + " is ulpfft's own here: LD_LIBRARY_PATH or LD_PRELOAD puts it in FFTW's place.";
    }
    if (reason != nullptr && !fault.empty()) *reason = fault;
  }
  return library;
}

FftwPlan::FftwPlan(const FftwFunctions& functions, const Dimensions& lengths, const Dimensions& batch, void* in, void* out, int sign, unsigned flags)
    : functions_(functions),
      plan_(functions.plan(static_cast<int>(lengths.size()), lengths.data(), static_cast<int>(batch.size()), batch.data(), in, out, sign, flags)) {
  if (plan_ == nullptr) throw Failure("FFTW makes no plan.");
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/fftw_folder.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAudit = "libulpfft_fftw3_audit.so";

// The folder of the shared library that has the C interface.
fs::path library_folder() {
  Dl_info about{};
  void* const function = dlsym(RTLD_DEFAULT, "ulpfft_plan_create");
  if (function == nullptr || dladdr(function, &about) == 0 || about.dli_fname == nullptr) return {};
  return fs::weakly_canonical(about.dli_fname).parent_path();
}

bool has_libraries(const fs::path& folder) {
  return fs::exists(folder / "libfftw3.so.3") && fs::exists(folder / "libfftw3f.so.3");
}

// Puts `first` before what the variable has.
void prepend(const char* variable, const std::string& first) {
  const char* const before = std::getenv(variable);
  const bool has_some = before != nullptr && *before != '\0';
  setenv(variable, (has_some ? first + ":" + before : first).c_str(), 1);
}

}  // namespace

std::string find_fftw_folder(const std::string& given) {
  const char* const named = std::getenv("ULPFFT_FFTW3_FOLDER");
  fs::path folder = !given.empty() ? given : named != nullptr ? named : "";
  if (folder.empty()) {
    const fs::path beside = library_folder();
    folder = beside / "ulpfft" / "fftw3";
    if (const fs::path built = beside.parent_path() / "bindings" / "fftw3"; !has_libraries(folder) && has_libraries(built))
      folder = built;
  }
  const std::string path = fs::weakly_canonical(fs::absolute(folder)).string();
  if (!has_libraries(path)) {
    throw Failure(
        path +
        " has no libfftw3.so.3 and libfftw3f.so.3 of ulpfft. Name the folder that has them by --folder or ULPFFT_FFTW3_FOLDER.");
  }
  if (path.find_first_of(" :;\t\n") != path.npos) {
    throw Failure("The path " + path +
                  " has a blank, colon or semicolon, at which the loader cuts lists of files. Name the folder by another path.");
  }
  return path;
}

void switch_environment(const std::string& folder) {
  std::string preloaded;
  for (const char* name : {"libfftw3", "libfftw3_threads", "libfftw3_omp", "libfftw3f", "libfftw3f_threads", "libfftw3f_omp"}) {
    const std::string file = folder + "/" + name + ".so.3";
    if (fs::exists(file)) preloaded += (preloaded.empty() ? "" : ":") + file;
  }
  setenv("ULPFFT_FFTW3_FOLDER", folder.c_str(), 1);
  prepend("LD_PRELOAD", preloaded);
  prepend("LD_LIBRARY_PATH", folder);
  if (const std::string audit = folder + "/" + kAudit; fs::exists(audit)) prepend("LD_AUDIT", audit);
}

}  // namespace ulpfft_tool

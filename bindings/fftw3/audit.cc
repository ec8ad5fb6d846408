// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// For LD_AUDIT: whatever file of FFTW the loader looks for, it finds the one in the folder ULPFFT_FFTW3_FOLDER. This reaches
// libraries with a name of their own, e.g. libfftw3-1a2b3c4d.so.3 of a Python wheel, and those opened by their path.
#include <link.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kNames[] = {"libfftw3",  "libfftw3_threads",  "libfftw3_omp",
                                  "libfftw3f", "libfftw3f_threads", "libfftw3f_omp"};
constexpr int kCount = sizeof kNames / sizeof *kNames;
char paths[kCount][PATH_MAX];  // "" where the folder has no such file

// Whether `file` is `name`, perhaps with a dash and a hash, then ".so" and perhaps a version of FFTW 3.
bool is_file_of(const char* file, const char* name) {
  const std::size_t length = std::strlen(name);
  if (std::strncmp(file, name, length) != 0) return false;
  file += length;
  if (*file == '-') file += 1 + std::strspn(file + 1, "0123456789abcdef");
  if (std::strncmp(file, ".so", 3) != 0) return false;
  file += 3;
  return *file == '\0' || (std::strncmp(file, ".3", 2) == 0 && (file[2] == '\0' || file[2] == '.'));
}

}  // namespace

extern "C" {

unsigned la_version(unsigned version) {
  const char* const folder = std::getenv("ULPFFT_FFTW3_FOLDER");
  for (int i = 0; folder != nullptr && i < kCount; ++i) {
    const int length = std::snprintf(paths[i], PATH_MAX, "%s/%s.so.3", folder, kNames[i]);
    std::FILE* const file = length < PATH_MAX ? std::fopen(paths[i], "r") : nullptr;
    if (file == nullptr) paths[i][0] = '\0';
    if (file != nullptr) std::fclose(file);
  }
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

char* la_objsearch(const char* name, std::uintptr_t*, unsigned flag) {
  const char* const slash = std::strrchr(name, '/');
  const char* const file = slash != nullptr ? slash + 1 : name;
  for (int i = 0; flag == LA_SER_ORIG && i < kCount; ++i) {
    if (paths[i][0] != '\0' && is_file_of(file, kNames[i])) return paths[i];
  }
  return const_cast<char*>(name);
}
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Libraries of NVIDIA that a check calls where they are installed: by the loader's rules, in the toolkit's folders, or in a Python package.
//
// Packages  PyTorch, JAX and CuPy bring cuFFT and CUPTI along as wheels, in site-packages/nvidia/<package>/lib. Those of PYTHONPATH,
//           VIRTUAL_ENV and CONDA_PREFIX come first, those of the user and of the system last.
#ifndef ULPFFT_TESTS_GPU_LIBRARIES_H_
#define ULPFFT_TESTS_GPU_LIBRARIES_H_

#include <string>
#include <vector>

namespace ulpfft::test {

struct LibraryWanted {
  const char* title = "";                // of sentences: "cuFFT"
  const char* variable = "";             // of the environment; if it is set, it names the library, and nothing else is tried
  std::vector<std::string> names{};      // best first
  std::vector<std::string> folders{};    // beside those of the loader
  std::vector<std::string> packages{};   // folders in site-packages/nvidia
};

// Files that may be tried, in order: names without a folder are the loader's.
std::vector<std::string> places_of(const LibraryWanted& wanted);

// A handle of dlopen(). Throws std::runtime_error with what was tried.
void* load_library(const LibraryWanted& wanted);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_LIBRARIES_H_

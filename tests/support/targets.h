// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every target this machine can run, each with a context of its own, made once per process.
#ifndef ULPFFT_TESTS_SUPPORT_TARGETS_H_
#define ULPFFT_TESTS_SUPPORT_TARGETS_H_

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {

struct Target {
  std::size_t index = 0;   // as in ulpfft_target_get
  std::string backend;
  std::string name;
  bool is_default = false;
  bool has_fma = false;
  std::size_t codelets = 0;
  ulpfft_context* context = nullptr;
};

std::ostream& operator<<(std::ostream& out, const Target& target);

// The default first; never empty in a working build.
const std::vector<Target>& targets();
const Target& default_target();
const Target& ref_target();

// Whether the library plans for CUDA. A build with -Dcuda=disabled refuses that as unavailable.
bool has_cuda();

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_TARGETS_H_

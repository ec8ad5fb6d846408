// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/wishes.h"

#include <cstdlib>

namespace ulpfft::fftw3 {

namespace {

std::string text_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

Wishes read_wishes() {
  constexpr int kMostThreads = 256;  // that ulpfft takes
  Wishes read;
  const int threads = std::atoi(text_of("ULPFFT_FFTW_THREADS").c_str());
  read.threads = threads >= 1 && threads <= kMostThreads ? threads : 0;
  read.same_bits = text_of("ULPFFT_FFTW_SAME_BITS") == "1";
  read.wisdom = text_of("ULPFFT_FFTW_WISDOM");
  read.report = text_of("ULPFFT_FFTW_REPORT");
  read.what_if = text_of("ULPFFT_FFTW_WHAT_IF");
  read.only = text_of("ULPFFT_FFTW_ONLY");
  return read;
}

}  // namespace

// Never destroyed, so that functions called while a program ends find it.
const Wishes& wishes() {
  static const Wishes& read = *new Wishes(read_wishes());
  return read;
}

}  // namespace ulpfft::fftw3

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the environment asks of all plans, whatever the program says: `ulpfft run` sets it. Read when the library is loaded.
#ifndef ULPFFT_BINDINGS_FFTW3_WISHES_H_
#define ULPFFT_BINDINGS_FFTW3_WISHES_H_

#include <string>

namespace ulpfft::fftw3 {

struct Wishes {
  int threads = 0;         // ULPFFT_FFTW_THREADS, 1 to 256; 0: those the program asks for
  bool same_bits = false;  // ULPFFT_FFTW_SAME_BITS=1: deterministic plans
  std::string wisdom;  // ULPFFT_FFTW_WISDOM: a file that is imported at the start and after wisdom was forgotten, and added to
                       // before that and at exit; "": none
  std::string report;  // ULPFFT_FFTW_REPORT: a folder that each process writes its transforms to; "": none
  std::string what_if;  // ULPFFT_FFTW_WHAT_IF: a SPEC a line, see question.h; "": none
  std::string only;     // ULPFFT_FFTW_ONLY: of problems whose text matches this, as names of files do; "": of all
};

const Wishes& wishes();

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_WISHES_H_

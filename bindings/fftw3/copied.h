// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Dense copies of the arrays of one execution.
#ifndef ULPFFT_BINDINGS_FFTW3_COPIED_H_
#define ULPFFT_BINDINGS_FFTW3_COPIED_H_

#include <cstdint>
#include <memory>

#include "bindings/fftw3/problem.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::fftw3 {

// Row-major: loops outside, then dims; complex numbers are interleaved. Buffer 0 holds the input, and the output where it has as
// many numbers of the same kind; else buffer 1 does.
class DenseBuffers {
 public:
  // Throws std::bad_alloc.
  explicit DenseBuffers(const Problem& problem);

  void* data(int buffer) const { return memory_[buffer].get(); }
  void gather(const Arrays& arrays) const;
  void scatter(const Arrays& arrays) const;

 private:
  struct Free {
    void operator()(void* memory) const { ulpfft_free(memory); }
  };
  void copy(bool out, const void* from, void* to) const;

  const Problem& problem_;
  std::unique_ptr<void, Free> memory_[2];
};

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_COPIED_H_

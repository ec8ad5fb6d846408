// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arguments of Fortran 77: arrays of lengths come with the dimension that varies fastest first, and guru dimensions as three
// arrays.
#ifndef ULPFFT_BINDINGS_FFTW3_FORTRAN_H_
#define ULPFFT_BINDINGS_FFTW3_FORTRAN_H_

namespace ulpfft::fftw3 {

constexpr int kMostFortranRank = 64;  // more dimensions of 2 or more numbers exceed 64 bits

// The rank, or -1, which planning refuses, for one that is too large to copy.
inline int fortran_rank(int rank) { return rank <= kMostFortranRank ? rank : -1; }

template <typename T>
class Reversed {
 public:
  Reversed(const T* given, int rank) : given_(given) {
    for (int i = 0; given != nullptr && i < fortran_rank(rank); ++i) values_[i] = given[rank - 1 - i];
  }
  const T* get() const { return given_ != nullptr ? values_ : nullptr; }

 private:
  const T* given_;
  T values_[kMostFortranRank] = {};
};

template <typename Iodim>
class GuruDims {
 public:
  GuruDims(int rank, const int* n, const int* in_strides, const int* out_strides) {
    for (int i = 0; i < fortran_rank(rank); ++i) dims_[i] = {n[i], in_strides[i], out_strides[i]};
  }
  const Iodim* get() const { return dims_; }

 private:
  Iodim dims_[kMostFortranRank] = {};
};

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_FORTRAN_H_

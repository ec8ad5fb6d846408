// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a planning function of FFTW's interface is asked for, as a value: the same for all of them, in both precisions.
#ifndef ULPFFT_BINDINGS_FFTW3_PROBLEM_H_
#define ULPFFT_BINDINGS_FFTW3_PROBLEM_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ulpfft::fftw3 {

// As ULPFFT_C2C, ... number them.
enum Kind : int { kC2C, kR2C, kC2R, kR2R };

// Which of the library's number types; defined beside the entry points, once in each library.
struct Precision {
  const char* storage;      // "f64"
  std::int64_t real_bytes;  // 8
};
extern const Precision kPrecision;

// Stands for sizes beyond 64 bits. The planner refuses it.
constexpr std::int64_t kTooLarge = std::numeric_limits<std::int64_t>::min();

// The product, or kTooLarge.
inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return a == kTooLarge || b == kTooLarge || __builtin_mul_overflow(a, b, &product) ? kTooLarge : product;
}

// Strides count real numbers on both sides: one complex number further is 2 in interleaved arrays.
struct Dim {
  std::int64_t n = 1, in_stride = 0, out_stride = 0;
};

struct Problem {
  Kind kind = kC2C;
  int sign = -1;           // of c2c in interleaved arrays; arrays of re and im say it by their order
  std::vector<Dim> dims;   // transformed; the last one of r2c and c2r is halved on the complex side
  std::vector<int> kinds;  // of r2r, one for each of dims
  std::vector<Dim> loops;  // in any order
};

// The four arrays of an execution: re and im of either side. A real side has its array twice. Parts of interleaved arrays are one
// real apart.
struct Arrays {
  const void* in[2] = {};
  void* out[2] = {};
};

inline bool is_complex_in(Kind kind) { return kind == kC2C || kind == kC2R; }
inline bool is_complex_out(Kind kind) { return kind == kC2C || kind == kR2C; }

// Whether nothing is to be transformed: a loop has no iterations.
bool is_empty(const Problem& problem);

// The same transform with fewer words: lengths of 1 that change nothing and loops of one iteration are left out, and loops that
// continue each other are one. At least one dimension remains.
Problem simplified(Problem problem);

// All of it as bytes: equal for equal problems.
std::string bytes_of(const Problem& problem);

// Transforms of the problem, and real numbers of a dense array of either side; kTooLarge beyond 64 bits.
std::int64_t loop_count(const Problem& problem);
// The length of dimension d as either side stores it.
std::int64_t stored_length(const Problem& problem, std::size_t d, bool out);

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_PROBLEM_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A problem on dense arrays of f32 or f64, of which it is asked how other formats would compute it.
//
// Arrays are row-major, batch outside. Complex numbers are interleaved, or all re of an array lie before all its im.
#ifndef ULPFFT_BINDINGS_WHAT_IF_SUBJECT_H_
#define ULPFFT_BINDINGS_WHAT_IF_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ulpfft/ulpfft.h"

namespace ulpfft::what_if {

struct Subject {
  int kind = ULPFFT_C2C;
  std::vector<std::int64_t> lengths;
  std::vector<int> kinds;  // of r2r
  std::int64_t batch = 1;
  bool is_double = true;
  std::string threads;  // as words of a problem text
};

// How complex numbers lie, and the direction of c2c.
enum Form : int { kForward, kBackward, kSplit };

// Real numbers of a number of that side.
inline std::int64_t width(const Subject& subject, bool out) {
  return subject.kind == ULPFFT_C2C || subject.kind == (out ? ULPFFT_R2C : ULPFFT_C2R) ? 2 : 1;
}

// The lengths of that side as it is stored, batch first.
inline std::vector<std::int64_t> stored_lengths(const Subject& subject, bool out) {
  std::vector<std::int64_t> lengths{subject.batch};
  lengths.insert(lengths.end(), subject.lengths.begin(), subject.lengths.end());
  if (subject.kind == (out ? ULPFFT_R2C : ULPFFT_C2R)) lengths.back() = lengths.back() / 2 + 1;
  return lengths;
}

struct FreeMemory {
  void operator()(void* memory) const { ulpfft_free(memory); }
};
using Memory = std::unique_ptr<void, FreeMemory>;

// Throws std::bad_alloc, also for less than 0.
Memory make_memory(std::int64_t bytes);

}  // namespace ulpfft::what_if

#endif  // ULPFFT_BINDINGS_WHAT_IF_SUBJECT_H_

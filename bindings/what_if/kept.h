// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One side of a subject in a storage of the library, from the subject's own type and back.
#ifndef ULPFFT_BINDINGS_WHAT_IF_KEPT_H_
#define ULPFFT_BINDINGS_WHAT_IF_KEPT_H_

#include <cstdint>
#include <string>

#include "bindings/what_if/subject.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::what_if {

// How a side is kept.
struct Kept {
  // False where the storage has no such layout; ulpfft_last_error() tells why.
  bool set(const Subject& subject, bool out, bool split, const std::string& name);
  std::int64_t bytes() const { return parts * (layout.data_bytes + layout.scale_bytes); }

  std::string storage;
  bool is_wide = false;                       // f32 or f64, which have no codes
  bool from_double = true;                    // the type of the subject
  int parts = 1;                              // arrays: re and im apart are two
  std::int64_t reals = 0, count = 0;          // of a row of one part, and of that part
  ulpfft_layout layout = ULPFFT_LAYOUT_INIT;  // of one part
};

class KeptArray {
 public:
  // Throws std::bad_alloc. `kept` outlives this.
  explicit KeptArray(const Kept& kept);
  ulpfft_array array() const;
  // Every number is rounded once. Those beyond the largest value become it, and are added to the count.
  bool encode(const void* dense, std::int64_t* saturated) const;
  bool decode(void* dense) const;

 private:
  const Kept& kept_;
  Memory data_[2], scales_[2];
};

}  // namespace ulpfft::what_if

#endif  // ULPFFT_BINDINGS_WHAT_IF_KEPT_H_

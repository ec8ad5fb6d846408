// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays that plans of all storages share. They are all zeros, which in most formats are zeros: times do not depend on values,
// nor do transforms in place make them grow.
#ifndef ULPFFT_PLANNER_PARETO_SHARED_ARRAYS_H_
#define ULPFFT_PLANNER_PARETO_SHARED_ARRAYS_H_

#include <array>
#include <cstddef>
#include <optional>

#include "planner/backend/shared_bytes.h"
#include "planner/convert/side.h"

namespace ulpfft {

// Codes and scales of a side of a dense problem.
double bytes_of_side(const Problem& problem, bool output);

class SharedArrays {
 public:
  // Keeps the references.
  SharedArrays(const Memory& memory, Poll& poll) : memory_(memory), poll_(poll) {}
  // Room for one more problem; before the first use.
  void reserve(const Problem& problem);
  // As an execution takes it. Both sides are one array in place.
  ArrayAddress address(const Problem& problem, bool output);

 private:
  struct Piece {
    std::size_t bytes = 0;
    std::optional<SharedBytes> memory;
  };
  Piece& piece(bool output, bool scales, int part) {
    return pieces_[(output ? 4U : 0U) + (scales ? 2U : 0U) + static_cast<std::size_t>(part)];
  }
  void* start(Piece& piece);

  const Memory& memory_;
  Poll& poll_;
  std::array<Piece, 8> pieces_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PARETO_SHARED_ARRAYS_H_

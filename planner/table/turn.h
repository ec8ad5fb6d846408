// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Angles as parts of a turn in 128 bits, for chirps whose frequencies are any numbers.
//
// Sums and products with integers wrap around at whole turns, so that j^2 times an angle loses nothing, however large it is.
//
// Units    2^-128 of a turn.
// Error    a frequency in f64 of magnitude 2^-75 or more is exact; smaller ones, and 1 / points, are off by half a unit.
//          unit_root(angle) is exact to 2^-100, and the angle itself.
#ifndef ULPFFT_PLANNER_TABLE_TURN_H_
#define ULPFFT_PLANNER_TABLE_TURN_H_

#include <cstdint>

#include "codelets/contract/unit_root.h"
#include "wisdom/zoom.h"

namespace ulpfft {

__extension__ using Turn = unsigned __int128;

// The fraction of a finite number of turns.
Turn turn_of(double turns);
// exp(-2 pi i angle)
UnitRoot unit_root_of(Turn angle);

// The angles of a chirp transform: j k step = (j^2 + k^2 - (k - j)^2) step / 2.
struct ZoomTurns {
  // `inputs`: as many outputs as these where zoom.points is 0.
  ZoomTurns(const Zoom& zoom, std::int64_t inputs);
  Turn start;
  Turn half_step;

  // The angle of the chirp at j.
  Turn chirp(std::int64_t j) const { return half_step * static_cast<Turn>(j) * static_cast<Turn>(j); }
  // The angle that input j is multiplied by.
  Turn of_input(std::int64_t j) const { return start * static_cast<Turn>(j) + chirp(j); }
  // The angle from an input to the next in the sum of output k.
  Turn of_output(std::int64_t k) const { return start + 2 * half_step * static_cast<Turn>(k); }
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_TURN_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The caller's arrays as the verifier of programs knows them: which reals, or which codes and scales, belong to a problem.
//
// A side whose numbers are codes is one that passes convert: narrow, or wide and converted by groups. Codes lie at their first bit, counted
// in units that all begin at a multiple of; scales at their byte.
#ifndef ULPFFT_PLANNER_PROGRAM_CALLER_MEMORY_H_
#define ULPFFT_PLANNER_PROGRAM_CALLER_MEMORY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "planner/convert/side.h"
#include "planner/program/memory.h"
#include "planner/program/narrow_runs.h"
#include "planner/program/program.h"
#include "wisdom/problem.h"

namespace ulpfft {

class CallerMemory {
 public:
  // Sides are looked at that have no codes, or fewer than kMostCodes, and all of whose passes say how they convert.
  CallerMemory(const Program& program, const Problem& problem);

  // What a reader or writer touches; null: it is not looked at.
  struct Touched {
    bool has_codes = false;
    std::int64_t unit = 1;  // bytes of a real; bits between places of codes
    std::shared_ptr<CheckedMemory> numbers[2];  // by part; in place both sides have the same
    std::shared_ptr<CheckedMemory> scales[2];
    Storage storage;
  };
  const Touched& side(bool output) const { return touched_[output ? 1 : 0]; }

  // What of the output nothing has written, as a sentence; empty: all of it is written.
  std::string unwritten() const;

 private:
  static constexpr std::int64_t kMostCodes = 1 << 16;

  void settle(const Program& program, bool output);
  template <typename Visit>
  void each_real(bool output, const Visit& visit) const;
  void add(bool output);

  const Problem& problem_;
  const Sides sides_;
  Touched touched_[2];
  bool looks_[2] = {};
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_CALLER_MEMORY_H_

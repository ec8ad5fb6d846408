// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the verifier knows of each real: which array it was last written by, and which iterations touched it.
#ifndef ULPFFT_PLANNER_PROGRAM_MEMORY_H_
#define ULPFFT_PLANNER_PROGRAM_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/program/array.h"

namespace ulpfft {

// What can be wrong with one access.
enum class AccessFault : std::uint8_t { kNone, kOutside, kGap, kUnwritten, kOverwritten, kShared };

// A parallel loop, or pass, that is running. Iterations of all of them are numbered together, upwards.
struct ParallelLevel {
  std::uint32_t first = 0;  // of its iterations
  std::uint32_t now = 0;
};

class CheckedMemory {
 public:
  CheckedMemory() = default;
  // `low`: of the first real. `depth`: levels around it, whose iterations each have such memory of their own.
  CheckedMemory(std::int64_t low, std::int64_t reals, std::size_t depth)
      : low_(low), depth_(depth), owner_(static_cast<std::size_t>(reals), kNever) {}

  bool is_outside(std::int64_t at) const { return at < low_ || at - low_ >= static_cast<std::int64_t>(owner_.size()); }
  // Not in any array: between rows of the caller's.
  void set_gaps() { owner_.assign(owner_.size(), kNoOwner); }
  // As if written by way of an array; by none: it may be.
  void set_owner(std::int64_t at, ArrayId array) { owner_[index(at)] = static_cast<std::int16_t>(array); }
  void set_unwritten(std::int64_t at) { owner_[index(at)] = kNever; }
  bool is_written(std::int64_t at, ArrayId array) const { return owner_[index(at)] == static_cast<std::int16_t>(array); }

  AccessFault read(std::int64_t at, ArrayId array, const std::vector<ParallelLevel>& levels) {
    if (is_outside(at)) return AccessFault::kOutside;
    const std::int16_t owner = owner_[index(at)];
    if (owner == kNoOwner) return AccessFault::kGap;
    if (owner == kNever) return AccessFault::kUnwritten;
    if (owner != static_cast<std::int16_t>(array)) return AccessFault::kOverwritten;
    return note(at, levels, false) ? AccessFault::kNone : AccessFault::kShared;
  }

  AccessFault write(std::int64_t at, ArrayId array, const std::vector<ParallelLevel>& levels) {
    if (is_outside(at)) return AccessFault::kOutside;
    std::int16_t& owner = owner_[index(at)];
    if (owner == kNoOwner) return AccessFault::kGap;
    owner = static_cast<std::int16_t>(array);
    return note(at, levels, true) ? AccessFault::kNone : AccessFault::kShared;
  }

 private:
  static constexpr std::int16_t kNever = -2, kNoOwner = -3;
  // Iterations that touched a real last, of one level; 0: none.
  struct Stamp {
    std::uint32_t writer = 0;
    std::uint32_t reader = 0;
    bool is_read_by_more = false;
  };

  std::size_t index(std::int64_t at) const { return static_cast<std::size_t>(at - low_); }

  bool note(std::int64_t at, const std::vector<ParallelLevel>& levels, bool writes) {
    for (std::size_t d = depth_; d < levels.size(); ++d) {
      if (stamps_.size() <= d - depth_) stamps_.resize(d - depth_ + 1);
      std::vector<Stamp>& stamps = stamps_[d - depth_];
      if (stamps.empty()) stamps.resize(owner_.size());
      if (!note(stamps[index(at)], levels[d], writes)) return false;
    }
    return true;
  }

  static bool note(Stamp& stamp, const ParallelLevel& level, bool writes) {
    if (stamp.writer >= level.first && stamp.writer != level.now) return false;
    const bool is_read = stamp.reader >= level.first;
    if (writes) {
      if (is_read && (stamp.reader != level.now || stamp.is_read_by_more)) return false;
      stamp.writer = level.now;
      return true;
    }
    if (!is_read) stamp = {stamp.writer, level.now, false};
    else stamp.is_read_by_more = stamp.is_read_by_more || stamp.reader != level.now;
    return true;
  }

  std::int64_t low_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::int16_t> owner_;
  std::vector<std::vector<Stamp>> stamps_;  // by level from depth_ on
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_MEMORY_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Addresses by the name of the array they lie in, and their distance from its origin.
//
// Every array has a window of memory of its own, its origin in the middle: an address before or behind an array is still known as
// one of that array. What lies in no window is memory of the planner's own: tiles on the stack, whose distances depend on the
// compiler.
#ifndef ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_PLACES_H_
#define ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_PLACES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codelets/contract/step.h"

namespace ulpfft::test {

class Places {
 public:
  static constexpr std::uintptr_t kWindow = std::uintptr_t{128} << 20;  // only what is touched takes memory

  struct Found {
    std::string_view name;
    std::int64_t offset;  // bytes
  };

  Places(std::uintptr_t base, std::vector<std::string_view> names) : base_(base), names_(std::move(names)) {}

  std::optional<Found> find(std::uintptr_t address) const {
    const std::uintptr_t index = (address - base_) / kWindow;  // below the base: beyond all windows
    if (index >= names_.size()) return std::nullopt;
    return Found{names_[index], static_cast<std::int64_t>(address - origin(index))};
  }
  std::optional<Found> find(const void* address) const { return find(reinterpret_cast<std::uintptr_t>(address)); }
  std::uintptr_t origin(std::size_t index) const { return base_ + index * kWindow + kWindow / 2; }

 private:
  std::uintptr_t base_;
  std::vector<std::string_view> names_;
};

// Slots by name, for steps that are only printed: nothing is there.
const Places& slot_places();
Buffers slot_buffers();

// The arrays of an execution: memory that is zero at first.
class Arena {
 public:
  // clang-format off
  enum Area : std::size_t {
    kIn, kInIm, kInScales, kInScalesIm, kOut, kOutIm, kOutScales, kOutScalesIm, kInExponents, kOutExponents, kFactors, kWork, kAreas
  };
  // clang-format on

  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  const Places& places() const { return places_; }
  void* at(Area area) const { return reinterpret_cast<void*>(places_.origin(area)); }
  void clear();

 private:
  void* memory_;
  Places places_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_PLACES_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/place.h"

#include <algorithm>
#include <string>
#include <vector>

#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// The workspace is a stack: arrays are given back in the opposite order.
class Placer {
 public:
  Placer(Program& program, const Recipe& recipe)
      : program_(program), recipe_(recipe), real_(static_cast<std::int64_t>(real_bytes(program.compute))) {}

  void place() {
    place_body(program_.body);
    program_.workspace_bytes = static_cast<std::size_t>(peak_);
  }

 private:
  struct Taken {
    ArrayId array;
    std::int64_t used_before;  // bytes
  };

  void place_body(std::vector<Item>& body) {
    for (Item& item : body) {
      if (const Take* take = std::get_if<Take>(&item)) {
        this->take(take->array);
      } else if (const Release* release = std::get_if<Release>(&item)) {
        this->release(release->first);
      } else if (Loop* loop = item.loop()) {
        place_loop(*loop);
      }
    }
  }

  void place_loop(Loop& loop) {
    const std::int64_t before = used_, outer_peak = peak_;
    peak_ = used_;
    if (loop.parallel) loop.private_from = next_slot();
    place_body(loop.body);
    if (loop.parallel) {
      loop.private_bytes = peak_ - before;
      loop.private_begin = before;
    }
    peak_ = std::max(peak_, outer_peak);
  }

  std::uint8_t next_slot() const { return static_cast<std::uint8_t>(static_cast<std::size_t>(Slot::kWork0) + live_.size()); }

  void take(ArrayId id) {
    if (next_slot() >= kSlots) {
      refuse("Transforms are nested too deeply: there are " + std::to_string(kSlots - static_cast<int>(Slot::kWork0)) + " work slots");
    }
    Array& array = work_of(program_, id);
    if (array.reals > kMostWorkspace / real_ - used_) refuse("The workspace would exceed 2^62 bytes");
    array.slot = static_cast<Slot>(next_slot());
    array.offset = used_ / real_;
    live_.push_back({id, used_});
    constexpr std::int64_t kAlignment = static_cast<std::int64_t>(kBufferAlignment);
    used_ += (array.reals * real_ + kAlignment - 1) / kAlignment * kAlignment;
    peak_ = std::max(peak_, used_);
  }

  void release(ArrayId first) {
    for (; !live_.empty() && live_.back().array >= first; live_.pop_back()) used_ = live_.back().used_before;
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", message + " (recipe " + print_recipe(recipe_) + ")");
  }

  Program& program_;
  const Recipe& recipe_;
  const std::int64_t real_;
  std::vector<Taken> live_;
  std::int64_t used_ = 0, peak_ = 0;  // bytes
};

}  // namespace

void place(Program& program, const Recipe& recipe) { Placer(program, recipe).place(); }

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/plan_golden/places.h"

#include <sys/mman.h>

#include <new>
#include <stdexcept>

namespace ulpfft::test {
namespace {

constexpr std::size_t kArenaBytes = Arena::kAreas * Places::kWindow;

void* map_memory() {
  void* const memory = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

const Places& slot_places() {
  static const Places places(
      std::uintptr_t{1} << 50,
      {"in",    "in.im",    "out",     "out.im",   "in.scales", "in.scales.im", "out.scales", "out.scales.im",
       "exp",   "exp.out",  "factors", "",         "work0",     "work0.im",     "work1",      "work1.im",
       "work2", "work2.im", "work3",   "work3.im", "work4",     "work4.im",     "work5",      "work5.im"});
  return places;
}

Buffers slot_buffers() {
  Buffers buffers{};
  for (std::size_t s = 0; s < kSlots; ++s) {
    buffers.slot[s] = {reinterpret_cast<void*>(slot_places().origin(2 * s)),
                       reinterpret_cast<void*>(slot_places().origin(2 * s + 1))};
  }
  return buffers;
}

Arena::Arena()
    : memory_(map_memory()),
      places_(reinterpret_cast<std::uintptr_t>(memory_), {"in", "in.im", "in.scales", "in.scales.im", "out", "out.im",
                                                          "out.scales", "out.scales.im", "exp", "exp.out", "factors", "work"}) {}

Arena::~Arena() { munmap(memory_, kArenaBytes); }

void Arena::clear() {
  if (madvise(memory_, kArenaBytes, MADV_DONTNEED) != 0) throw std::runtime_error("the arrays cannot be cleared");
}

}  // namespace ulpfft::test

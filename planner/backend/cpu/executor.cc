// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/executor.h"

#include <algorithm>
#include <atomic>

namespace ulpfft {
namespace {

// A part that is absent stays null; the choice is a conditional move.
void* moved(void* part, std::int64_t bytes) { return static_cast<char*>(part) + (part != nullptr ? bytes : 0); }

void advance(SlotAddress& slot, std::int64_t bytes) {
  slot.re = moved(slot.re, bytes);
  slot.im = moved(slot.im, bytes);
}

void advance_iterations(const Step& repeat, Buffers& buffers, std::int64_t iterations) {
  for (int s = 0; s < kSlots; ++s) {
    if (repeat.increment[s] != 0) advance(buffers.slot[s], repeat.increment[s] * iterations);
  }
}

// Calls body(buffers) for iterations first .. first + count - 1 of a repeat.
template <typename Body>
void iterate(const Step& repeat, const Buffers& buffers, std::int64_t first, std::int64_t count, const Body& body) {
  Buffers inner = buffers;
  if (first != 0) advance_iterations(repeat, inner, first);
  for (std::int64_t i = first; i < first + count; ++i) {
    if (repeat.numbered) inner.number = i;
    body(inner);
    advance_iterations(repeat, inner, 1);
  }
}

// Iterations of a split step that one of its parts begins with. Whoever has nothing left takes some of what others have begun.
// No std::atomic members: those of all kMaxThreads would be written whenever a step begins.
struct alignas(64) Range {
  std::int64_t next;  // atomic
  std::int64_t end;
  int begun;          // atomic
};

// A thread that is late, slow or held up by another program costs its smallest piece, not half of a step. Pieces begin as a quarter of
// what is left and end at a 64th of a range: long enough that claiming does not show, and neighbours stay with one thread.
constexpr std::int64_t kPiece = 4;
constexpr std::int64_t kSmallestPiece = 64;

struct Share {
  const Step* step;
  const Buffers* buffers;
  int threads;
  Range range[kMaxThreads];  // by part; only `threads` of them are set
};

// The next iterations of a range; count 0: none are left.
std::int64_t claim(Range& range, std::int64_t smallest, std::int64_t& first) {
  const std::atomic_ref next(range.next);
  first = next.load(std::memory_order_relaxed);
  while (first < range.end) {
    const std::int64_t left = range.end - first;
    const std::int64_t count = std::min(left, std::max(left / kPiece, smallest));
    if (next.compare_exchange_weak(first, first + count, std::memory_order_relaxed)) return count;
  }
  return 0;
}

// Part `index` of a split step: its range, then what is left of others'.
void run_part(void* data, int index) {
  Share& share = *static_cast<Share*>(data);
  const Step& step = *share.step;
  const Step* const body = &step + 1;
  const std::int64_t smallest = std::max<std::int64_t>(1, step.count / share.threads / kSmallestPiece);
  Buffers own = *share.buffers;
  for (int s = step.private_from; s < kSlots; ++s) advance(own.slot[s], index * step.private_bytes);
  std::atomic_ref(share.range[index].begun).store(1, std::memory_order_relaxed);
  for (int offset = 0; offset < share.threads; ++offset) {
    Range& range = share.range[(index + offset) % share.threads];
    // What nobody has begun is some thread's part yet.
    if (std::atomic_ref(range.begun).load(std::memory_order_relaxed) == 0) continue;
    std::int64_t first = 0;
    while (const std::int64_t count = claim(range, smallest, first)) {
      if (step.run != nullptr) {
        step.run(step.args, own, first, count);
      } else {
        iterate(step, own, first, count, [&](const Buffers& inner) { run_steps(body, body + step.body, inner); });
      }
    }
  }
  finish_streams();
}

void run_split(const Step& step, const Buffers& buffers, Team& team, int threads) {
  Share share;
  share.step = &step;
  share.buffers = &buffers;
  share.threads = threads;
  for (int i = 0; i < threads; ++i) {
    share.range[i].next = step.count * i / threads;
    share.range[i].end = step.count * (i + 1) / threads;
    share.range[i].begun = 0;
  }
  team.run(threads, &run_part, &share);
}

}  // namespace

void run_steps(const Step* step, const Step* end, const Buffers& buffers) {
  while (step != end) {
    if (step->run != nullptr) {
      step->run(step->args, buffers, 0, step->count);
      ++step;
      continue;
    }
    const Step* const body = step + 1;
    const Step* const after = body + step->body;
    iterate(*step, buffers, 0, step->count, [&](const Buffers& inner) { run_steps(body, after, inner); });
    step = after;
  }
}

void run_steps_shared(const Step* step, const Step* end, const Buffers& buffers, Team& team, int threads) {
  while (step != end) {
    const Step* const body = step + 1;
    const Step* const after = step->run != nullptr ? body : body + step->body;
    if (step->split) {
      run_split(*step, buffers, team, threads);
    } else if (step->run != nullptr) {
      step->run(step->args, buffers, 0, step->count);
    } else {
      iterate(*step, buffers, 0, step->count, [&](const Buffers& inner) { run_steps_shared(body, after, inner, team, threads); });
    }
    step = after;
  }
}

}  // namespace ulpfft

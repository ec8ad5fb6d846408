// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

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

// Runs iterations first .. first + count - 1.
void run_split(const Step& step, const Buffers& buffers, Team& team, int threads, std::int64_t first, std::int64_t count) {
  Share share;
  share.step = &step;
  share.buffers = &buffers;
  share.threads = threads;
  for (int i = 0; i < threads; ++i) {
    share.range[i].next = first + count * i / threads;
    share.range[i].end = first + count * (i + 1) / threads;
    share.range[i].begun = 0;
  }
  team.run(threads, &run_part, &share);
}

// A walk that asks. It learns how long each step takes, because a clock read around every short step would show in its time.
class AskingWalk {
 public:
  AskingWalk(const Step* first, const Step* end, Team* team, int threads, Poll& poll)
      : first_(first), paces_(static_cast<std::size_t>(end - first)), team_(team), threads_(threads), poll_(poll) {}

  void run(const Step* step, const Step* end, const Buffers& buffers) {
    while (step != end) {
      const Step* const body = step + 1;
      const Step* const after = step->run != nullptr ? body : body + step->body;
      const bool shared = team_ != nullptr && step->split;
      if (shared || step->run != nullptr) {
        run_in_pieces(*step, buffers, shared);
      } else {
        iterate(*step, buffers, 0, step->count, [&](const Buffers& inner) { run(body, after, inner); });
      }
      step = after;
    }
  }

 private:
  static constexpr double kPiece = 1e-3;  // seconds between two questions, and of a piece of a step
  // Iterations that run between two questions, and their seconds once they are known.
  struct Pace {
    std::int64_t piece = 1;
    double seconds = 0;
    bool known = false;
  };

  void run_in_pieces(const Step& step, const Buffers& buffers, bool shared) {
    Pace& pace = paces_[static_cast<std::size_t>(&step - first_)];
    for (std::int64_t first = 0; first < step.count;) {
      const std::int64_t least = shared ? threads_ : 1;
      const std::int64_t count = step.parallel ? std::min(pace.piece * least, step.count - first) : step.count;
      if (pace.known) {
        run_iterations(step, buffers, shared, first, count);
        unasked_ += pace.seconds;
      } else {
        const double begin = seconds();
        run_iterations(step, buffers, shared, first, count);
        pace.seconds = seconds() - begin;
        unasked_ += pace.seconds;
        pace.known = pace.seconds >= kPiece || count == step.count;
        if (!pace.known) pace.piece *= 2;
      }
      first += count;
      if (unasked_ < kPiece) continue;
      unasked_ = 0;
      poll_.count(Poll::kWork);
    }
  }

  void run_iterations(const Step& step, const Buffers& buffers, bool shared, std::int64_t first, std::int64_t count) {
    if (shared) {
      run_split(step, buffers, *team_, threads_, first, count);
    } else {
      step.run(step.args, buffers, first, count);
    }
  }

  static double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

  const Step* first_;
  std::vector<Pace> paces_;  // by step
  Team* team_;
  int threads_;
  Poll& poll_;
  double unasked_ = 0;
};

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
      run_split(*step, buffers, team, threads, 0, step->count);
    } else if (step->run != nullptr) {
      step->run(step->args, buffers, 0, step->count);
    } else {
      iterate(*step, buffers, 0, step->count, [&](const Buffers& inner) { run_steps_shared(body, after, inner, team, threads); });
    }
    step = after;
  }
}

void run_steps_asking(const Step* step, const Step* end, const Buffers& buffers, Team* team, int threads, Poll& poll) {
  AskingWalk(step, end, team, threads, poll).run(step, end, buffers);
}

}  // namespace ulpfft

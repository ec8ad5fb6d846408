#include "planner/executor.h"

namespace ulpfft {
namespace {

void advance(SlotAddress& slot, std::int64_t bytes) {
  slot.re = static_cast<char*>(slot.re) + bytes;
  slot.im = static_cast<char*>(slot.im) + bytes;
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

struct Share {
  const Step* step;
  const Buffers* buffers;
  int threads;
};

// Part `index` of a split step.
void run_part(void* data, int index) {
  const Share& share = *static_cast<const Share*>(data);
  const Step& step = *share.step;
  const std::int64_t first = step.count * index / share.threads;
  const std::int64_t count = step.count * (index + 1) / share.threads - first;
  if (count == 0) return;
  if (step.run != nullptr) {
    step.run(step.args, *share.buffers, first, count);
    finish_streams();
    return;
  }
  Buffers own = *share.buffers;
  for (int s = step.private_from; s < kSlots; ++s) advance(own.slot[s], index * step.private_bytes);
  const Step* const body = &step + 1;
  iterate(step, own, first, count, [&](const Buffers& inner) { run_steps(body, body + step.body, inner); });
  finish_streams();
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
      Share share{step, &buffers, threads};
      team.run(threads, &run_part, &share);
    } else if (step->run != nullptr) {
      step->run(step->args, buffers, 0, step->count);
    } else {
      iterate(*step, buffers, 0, step->count, [&](const Buffers& inner) { run_steps_shared(body, after, inner, team, threads); });
    }
    step = after;
  }
}

}  // namespace ulpfft

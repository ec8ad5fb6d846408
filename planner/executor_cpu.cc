#include "planner/executor.h"

namespace ulpfft {
namespace {

void advance(SlotAddress& slot, std::int64_t bytes) {
  slot.re = static_cast<char*>(slot.re) + bytes;
  slot.im = static_cast<char*>(slot.im) + bytes;
}

}  // namespace

void run_steps(const Step* step, const Step* end, const Buffers& buffers) {
  while (step != end) {
    if (step->run != nullptr) {
      step->run(step->args, buffers, 0, step->count);
      ++step;
      continue;
    }
    Buffers inner = buffers;
    const Step* body = step + 1;
    const Step* after = body + step->body;
    for (std::int64_t i = 0; i < step->count; ++i) {
      run_steps(body, after, inner);
      for (int s = 0; s < kSlots; ++s) {
        if (step->increment[s] != 0) advance(inner.slot[s], step->increment[s]);
      }
    }
    step = after;
  }
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The hash of a plan's output for a fixed input.
#include <cstring>
#include <new>

#include "planner/judge/dense_plan.h"
#include "planner/judge/stored_array.h"
#include "planner/plan/memory_need.h"
#include "planner/plan/plan.h"

namespace ulpfft {
namespace {

class Fnv {
 public:
  void add(const void* data, std::int64_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::int64_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ at[i]) * 0x100000001b3u;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

// Calls visit(element offset) for every element of one side: dimensions in row-major order, the batch outside.
template <typename Visit>
void for_each_element(const Problem& problem, bool output, const Visit& visit) {
  struct Loop {
    std::int64_t length, stride, index;
  };
  const bool rows = side_of(problem, output).rows;
  std::vector<Loop> loops;
  for (const std::vector<Dimension>* list : {&problem.batch, &problem.dims}) {
    for (const Dimension& d : *list) loops.push_back({stored_length(problem, d, output), elements_of_stride(problem, output, d, rows), 0});
  }
  std::int64_t at = 0;
  while (true) {
    visit(at);
    std::size_t d = loops.size();
    while (d > 0) {
      Loop& loop = loops[--d];
      at += loop.stride;
      if (++loop.index < loop.length) break;
      at -= loop.length * loop.stride;
      loop.index = 0;
      if (d == 0) return;
    }
  }
}

}  // namespace

std::uint64_t hash_of_fixed_input(const ulpfft_plan& given) {
  const DensePlan dense(given);
  const ulpfft_plan& plan = *dense;
  const Problem& problem = plan.problem;
  require_memory_of_process(bytes_of_arrays(problem), "Hashing the result of this plan");
  const Memory& memory = plan.executable->backend.memory;
  const OwnArray own_in(problem, false, memory);
  const StoredArray& in = own_in.view();
  std::uint64_t state = 20261120;
  const auto next = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    // Both wide formats hold these 21 bits in [-1, 1) exactly.
    return static_cast<double>(static_cast<std::int64_t>(state >> 43) - (1 << 20)) * 0x1p-20;
  };
  std::vector<std::complex<double>> row(static_cast<std::size_t>(in.row_points()));
  std::size_t filled = 0;
  for_each_element(problem, false, [&](std::int64_t i) {
    const double re = next();
    const std::complex<double> value(re, plan.in_shape.real ? 0.0 : next());
    if (!in.rows()) return in.set(i, value);
    row[filled] = value;
    if (++filled < row.size()) return;
    in.set_row(i - static_cast<std::int64_t>(filled - 1), row);
    filled = 0;
  });
  own_in.send();
  const OwnArray own_out(problem, true, memory);
  const OwnArray& result = plan.in_place ? own_in : own_out;
  require_executed(run_arrays(plan, own_in.on_backend(), result.on_backend(), nullptr));
  result.fetch();
  const StoredArray out = result.view_of(problem, true);
  Fnv hash;
  const Side& shape = plan.out_shape;
  const std::int64_t real = shape.storage.element->bits / 8;
  std::int64_t passed = 0;
  for_each_element(problem, true, [&](std::int64_t o) {
    if (!shape.rows) {
      for (int part = 0; part < (shape.real ? 1 : 2); ++part) {
        hash.add(static_cast<const char*>(out.address().data[part]) + (shape.element_reals() == 1 ? o : 2 * o + part) * real, real);
      }
      return;
    }
    if (++passed < out.row_points()) return;
    const std::int64_t number = (o - (passed - 1)) / passed;
    passed = 0;
    for (int part = 0; part < shape.parts(); ++part) {
      hash.add(static_cast<const char*>(out.address().data[part]) + number * shape.outer_bytes, shape.outer_bytes);
      if (shape.scale_bytes <= 0) continue;
      hash.add(static_cast<const char*>(out.address().scales[part]) + number * shape.scale_bytes, shape.scale_bytes);
    }
  });
  return hash.value();
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/caller_memory.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ulpfft {
namespace {

// Whether passes address numbers of an array that a later stage makes them convert.
bool awaits_store(const Program& program, ArrayId array) {
  bool awaits = false;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    const auto* const compute = std::get_if<Compute>(&pass.op);
    if (compute == nullptr) return;
    const View& view = array == ArrayId::kOut ? pass.args.out : pass.args.in;
    awaits = awaits || (view.array == array && (narrow_rows(program, array) != nullptr || compute->line != nullptr));
  });
  return awaits;
}

bool launches(const Program& program) {
  bool found = false;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    found = found || std::holds_alternative<Launch>(pass.op);
  });
  return found;
}

}  // namespace

CallerMemory::CallerMemory(const Program& program, const Problem& problem) : problem_(problem), sides_(problem) {
  for (const bool output : {false, true}) settle(program, output);
  const bool in_place = problem.placement == Placement::kInPlace;
  if (in_place && (problem.storage_in != problem.storage_out || touched_[0].has_codes != touched_[1].has_codes)) return;
  for (const bool output : {false, true}) {
    if (!looks_[output ? 1 : 0]) continue;
    if (output && in_place && looks_[0]) touched_[1] = touched_[0];
    else add(output);
  }
}

void CallerMemory::settle(const Program& program, bool output) {
  Touched& side = touched_[output ? 1 : 0];
  const Side& shape = sides_[output];
  const auto converts = [&](const std::shared_ptr<const StoredRows>& rows) { return rows->output == output; };
  side.storage = shape.storage;
  // Launches address narrow numbers one by one, as if they were reals of so many bytes.
  side.has_codes = !launches(program) &&
                   (!shape.wide || shape.power || std::any_of(program.stored_rows.begin(), program.stored_rows.end(), converts));
  const int bits = shape.storage.element->bits;
  side.unit = side.has_codes ? std::gcd(bits, 8) : bits / 8;
  const bool is_short = stored_points(problem_, output) * batch_count(problem_) < kMostCodes;
  looks_[output ? 1 : 0] = side.has_codes ? is_short && !awaits_store(program, output ? ArrayId::kOut : ArrayId::kIn)
                                          : problem_.prescale_kind == PrescaleKind::kNone;
}

// Calls visit(part, number of the real, or unit of its code, byte of its scale) for the reals of all elements.
template <typename Visit>
void CallerMemory::each_real(bool output, const Visit& visit) const {
  const Touched& side = touched_[output ? 1 : 0];
  const Side& shape = sides_[output];
  const std::int64_t of_element = shape.element_reals(), bits = shape.storage.element->bits;
  std::vector<const Dimension*> dims;
  for (const Dimension& d : problem_.batch) dims.push_back(&d);
  for (const Dimension& d : problem_.dims) dims.push_back(&d);
  const auto element = [&](std::int64_t at, std::int64_t inside) {
    for (int part = 0; part < shape.parts(); ++part) {
      for (std::int64_t real = inside * of_element; real < (inside + 1) * of_element; ++real) {
        if (!side.has_codes) {
          visit(part, at * of_element + real, kNoScale);
          continue;
        }
        const std::int64_t block = shape.storage.length == 0 ? 0 : real / shape.storage.length;
        const std::int64_t size = shape.storage.scale == nullptr ? 0 : (shape.storage.scale->bits + 7) / 8;
        visit(part, (8 * at * shape.outer_bytes + real * bits) / side.unit, size == 0 ? kNoScale : at * shape.scale_bytes + block * size);
      }
    }
  };
  const auto walk = [&](const auto& self, std::size_t d, std::int64_t at) -> void {
    if (d == dims.size()) return element(at, 0);
    const std::int64_t stride = shape.stride(*dims[d]), length = stored_length(problem_, *dims[d], output);
    const bool is_row = side.has_codes && shape.rows && d + 1 == dims.size();
    for (std::int64_t i = 0; i < length; ++i) is_row ? element(at, i) : self(self, d + 1, at + i * stride);
  };
  walk(walk, 0, 0);
}

// An input in place has room for the output, whose rows may be longer.
void CallerMemory::add(bool output) {
  Touched& side = touched_[output ? 1 : 0];
  const bool both = problem_.placement == Placement::kInPlace;
  Extent numbers, scales;
  for (const bool of : {false, true}) {
    if (of != output && !both) continue;
    each_real(of, [&](int, std::int64_t number, std::int64_t scale) {
      numbers = {std::min(numbers.low, number), std::max(numbers.high, number)};
      if (scale != kNoScale) scales = {std::min(scales.low, scale), std::max(scales.high, scale)};
    });
  }
  for (int part = 0; part < sides_[output].parts(); ++part) {
    side.numbers[part] = std::make_shared<CheckedMemory>(numbers.low, numbers.high - numbers.low + 1, 0);
    side.scales[part] = std::make_shared<CheckedMemory>(scales.low, scales.high - scales.low + 1, 0);
    side.numbers[part]->set_gaps();
    side.scales[part]->set_gaps();
  }
  if (output || both) {
    each_real(true, [&](int part, std::int64_t number, std::int64_t scale) {
      side.numbers[part]->set_unwritten(number);
      if (scale != kNoScale) side.scales[part]->set_unwritten(scale);
    });
  }
  if (output) return;
  each_real(false, [&](int part, std::int64_t number, std::int64_t scale) {
    side.numbers[part]->set_owner(number, ArrayId::kIn);
    if (scale != kNoScale) side.scales[part]->set_owner(scale, ArrayId::kIn);
  });
}

std::string CallerMemory::unwritten() const {
  const Touched& out = touched_[1];
  std::string sentence;
  if (out.numbers[0] == nullptr) return sentence;
  each_real(true, [&](int part, std::int64_t number, std::int64_t scale) {
    if (!sentence.empty()) return;
    if (!out.numbers[part]->is_written(number, ArrayId::kOut)) sentence = "out[" + std::to_string(number) + "] is never written.";
    else if (scale != kNoScale && !out.scales[part]->is_written(scale, ArrayId::kOut))
      sentence = "The scale at byte " + std::to_string(scale) + " of the output is never written.";
  });
  return sentence;
}

}  // namespace ulpfft

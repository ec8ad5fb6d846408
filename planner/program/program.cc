// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/program.h"

#include <algorithm>
#include <stdexcept>

#include "planner/scheme/mx.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/split.h"
#include "planner/system/buffer.h"

namespace ulpfft {
namespace {

template <typename T>
bool has_same_before(const std::vector<T>& list, std::size_t i) {
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(list.begin(), end, list[i]) != end;
}

// Tables that passes of a scheme have for themselves.
void add_pass_tables(const auto&, const Program&, double&) {}

void add_pass_tables(const MxScheme& scheme, const Program& program, double& bytes) {
  std::vector<MxProducts> products;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    if (const auto* mx = std::get_if<MxProducts>(&pass.op)) products.push_back(*mx);
  });
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (has_same_before(products, i)) continue;
    const MxProducts& p = products[i];
    bytes += static_cast<double>(mx_table_bytes(mx_pass(scheme, p.radix, p.length, p.butterflies, p.ones)));
    if (!p.digits.empty()) bytes += static_cast<double>(p.radix * p.butterflies / p.digits[0]) * sizeof(std::uint32_t);
  }
}

void add_pass_tables(const SplitScheme& scheme, const Program& program, double& bytes) {
  std::vector<SplitProducts> products;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    if (const auto* op = std::get_if<SplitProducts>(&pass.op); op != nullptr && !op->finds_norms) products.push_back(*op);
  });
  for (std::size_t i = 0; i < products.size(); ++i) {
    const SplitProducts& p = products[i];
    if (!has_same_before(products, i)) bytes += split_table_bytes(split_pass(scheme, p.radix, p.length, p.points, p.next));
  }
}

}  // namespace

void Moves::add(ArrayId array, std::int64_t by) {
  if (size_ == kMost) throw std::logic_error("A loop moves more arrays than there are.");
  moves_[size_++] = {array, by};
}

Pass::Pass() = default;
Pass::Pass(const Pass&) = default;
Pass::Pass(Pass&&) noexcept = default;
Pass::~Pass() = default;

Loop::Loop() = default;
Loop::Loop(const Loop&) = default;
Loop::Loop(Loop&&) noexcept = default;
Loop::~Loop() = default;

Program::Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

std::int64_t addressed_reals(const Array& array, ComputeType compute) {
  if (array.narrow == nullptr) return array.reals;
  return array.scales_at * static_cast<std::int64_t>(real_bytes(compute)) / array.narrow->row_bytes * array.narrow->row_reals;
}

std::int64_t add_beside(Array& array, std::int64_t reals, ComputeType compute) {
  const std::int64_t aligned = static_cast<std::int64_t>(kBufferAlignment / real_bytes(compute));
  const std::int64_t offset = (array.reals + aligned - 1) / aligned * aligned;
  array.reals = offset + reals;
  return offset;
}

double table_bytes(const Program& program) {
  double bytes = 0;
  for (std::size_t i = 0; i < program.tables.size(); ++i) {
    if (!has_same_before(program.tables, i)) bytes += bytes_of_table(program.tables[i], program.compute);
  }
  for (const RowOrder& rows : program.rows) bytes += static_cast<double>(rows.count) * sizeof(std::uint32_t);
  std::visit([&](const auto& constants) { add_pass_tables(constants, program, bytes); }, program.scheme.constants);
  return bytes;
}

}  // namespace ulpfft

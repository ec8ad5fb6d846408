// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/entry_point.h"

#include <algorithm>
#include <vector>

#include "planner/convert/side.h"
#include "planner/scheme/scheme.h"

namespace ulpfft {
namespace {

constexpr std::size_t kMostPasses = 3;  // one, and a conversion before and after it

// The passes in their order; none where there is a loop, or where there are more than an entry point has.
std::vector<const Pass*> passes_without_loops(const Program& program) {
  if (program.passes.size() > kMostPasses) return {};
  std::vector<const Pass*> passes;
  for (const Item& item : program.body) {
    if (item.loop() != nullptr) return {};
    if (item.pass() != nullptr) passes.push_back(item.pass());
  }
  return passes;
}

// A pass over one line that neither wraps nor scales.
bool is_plain(const Pass& pass) {
  const Operands& args = pass.args;
  return pass.extent == 1 && args.axes[1].count == 1 && args.lanes == 1 && args.scale == 1.0 && args.in.wrap == 0 && args.out.wrap == 0;
}

bool is_between_arrays(const Operands& args) { return args.in.array == ArrayId::kIn && args.out.array == ArrayId::kOut; }
bool is_of_caller(const Operands& args) { return is_between_arrays(args) && args.in.offset == 0 && args.out.offset == 0; }

bool is_line_at_start(const StoredRows& rows) { return rows.is_plain && rows.is_line && rows.transforms == 1 && rows.origin.codes == 0; }

// Points whose powers go by way of the tile: of f32 it has room for twice as many as are converted otherwise.
std::int64_t most_powers(ComputeType compute) {
  return kMostTiledPoints * static_cast<std::int64_t>(sizeof(double) / real_bytes(compute));
}

bool is_tiled(const Program& program, const std::vector<const Pass*>& passes) {
  const auto is = [](const Pass* pass, ConvertGroup::Work work) {
    const auto* const convert = std::get_if<ConvertGroup>(&pass->op);
    return convert != nullptr && convert->work == work;
  };
  const std::size_t at = is(passes.front(), ConvertGroup::Work::kDecode) ? 1 : 0;
  const bool encodes = is(passes.back(), ConvertGroup::Work::kEncode);
  if (passes.size() != at + (encodes ? 2 : 1) || program.stored_rows.size() + 1 != passes.size())
    return false;
  const Pass& pass = *passes[at];
  const auto* const compute = std::get_if<Compute>(&pass.op);
  const bool in_registers =
      compute != nullptr && compute->fused == nullptr && pass.codelet->kind == PassKind::kPacked && pass.codelet->direct != nullptr;
  const auto is_line = [](const auto& rows) { return is_line_at_start(*rows); };
  if (!in_registers || !is_plain(pass) || pass.args.in.swap != pass.args.out.swap) return false;
  const std::int64_t points = pass.codelet->body->radix * (pass.codelet->second != nullptr ? pass.codelet->second->radix : 1);
  const bool is_power = encodes && program.stored_rows.back()->power != nullptr;
  const std::int64_t most = is_power ? most_powers(program.compute) : kMostTiledPoints;
  return points <= most && std::all_of(program.stored_rows.begin(), program.stored_rows.end(), is_line);
}

// Lines as CodeletInfo::direct of a real transform takes them.
bool has_direct_lines(const CodeletInfo& codelet, const Operands& args) {
  const auto is_adjacent = [](const View& view, bool is_complex) {
    if (view.swap) return false;
    if (!is_complex) return view.point_stride == 1;
    return view.layout == Layout::kPaired && view.im_offset == 1 && view.point_stride == 2 && !view.half_complex;
  };
  const RealTransform transform = codelet.body->transform;
  return is_adjacent(args.in, has_complex_input(transform)) && is_adjacent(args.out, has_complex_output(transform));
}

// Lines of sines, as kReal has them (codelet.h): signs at one end, and the other one from its end.
bool has_direct_sines(const CodeletInfo& codelet, const Operands& args) {
  const RealTransform transform = codelet.body->transform;
  const bool is_type_2 = transform == RealTransform::kRedft10;
  if (!is_type_2 && transform != RealTransform::kRedft01 && transform != RealTransform::kRedft11) return false;
  const View &signs = is_type_2 ? args.in : args.out, &backwards = is_type_2 ? args.out : args.in;
  return signs.swap && signs.point_stride == 1 && signs.offset == 0 && !backwards.swap && backwards.point_stride == -1 &&
         backwards.offset == codelet.body->radix - 1;
}

// A codelet that runs one line between the beginnings of two arrays.
bool is_direct(const Pass& pass, ArrayId in, ArrayId out) {
  const auto* const compute = std::get_if<Compute>(&pass.op);
  if (compute == nullptr || compute->fused != nullptr || pass.codelet->direct == nullptr) return false;
  const Operands& args = pass.args;
  const auto is_at = [](const View& view, ArrayId array) {
    return view.array == array && view.offset == 0 && view.layout == Layout::kPaired && view.im_offset == 1 && view.point_stride == 2;
  };
  const bool packed = pass.codelet->kind == PassKind::kPacked;
  if (packed ? !is_plain(pass) || args.in.swap != args.out.swap : pass.extent != 1 || args.axes[1].count != 1) return false;
  return packed ? args.in.array == in && args.out.array == out : is_at(args.in, in) && is_at(args.out, out);
}

// Whether the first two passes go from the input to an array and stay there.
bool is_pair(const std::vector<const Pass*>& passes, ArrayId to) {
  if (passes.size() < 2 || !is_direct(*passes[0], ArrayId::kIn, to) || !is_direct(*passes[1], to, to)) return false;
  const PassKind first = passes[0]->codelet->kind, second = passes[1]->codelet->kind;
  return first == PassKind::kPacked ? second == PassKind::kUntangle : first == PassKind::kTangle && second == PassKind::kPacked;
}

// Whether a pair is followed by the powers of its line alone.
bool is_tiled_pair(const Program& program, const std::vector<const Pass*>& passes) {
  const auto* const convert = passes.size() == 3 ? std::get_if<ConvertGroup>(&passes[2]->op) : nullptr;
  if (convert == nullptr || convert->work != ConvertGroup::Work::kEncode || program.stored_rows.size() != 1) return false;
  const StoredRows& rows = *convert->rows;
  if (rows.power == nullptr || rows.prescale_target != 0) return false;
  if (!is_line_at_start(rows) || rows.row_points > most_powers(program.compute)) return false;
  return is_pair(passes, passes[0]->args.out.array);
}

}  // namespace

bool is_direct_of_sines(const Pass& pass) {
  return pass.codelet->kind == PassKind::kReal && has_direct_sines(*pass.codelet, pass.args);
}

EntryPoint find_entry_point(const Problem& problem, const Program& program) {
  const std::vector<const Pass*> passes = passes_without_loops(program);
  const bool counts = program.scheme.family->counts;  // by arguments of a step
  if (passes.empty() || problem.dims.size() != 1 || !problem.chain.empty() || counts) return EntryPoint::kSteps;
  if (passes.size() > 1 && problem.prescale_kind != PrescaleKind::kNone) return EntryPoint::kSteps;
  if (problem.kind != Kind::kC2C && passes.size() > 1) {
    if (passes.size() == 2) return is_pair(passes, ArrayId::kOut) ? EntryPoint::kPair : EntryPoint::kSteps;
    return is_tiled_pair(program, passes) ? EntryPoint::kTiled : EntryPoint::kSteps;
  }
  if (passes.size() > 1) return is_tiled(program, passes) ? EntryPoint::kTiled : EntryPoint::kSteps;
  const Pass& pass = *passes[0];
  const auto* const compute = std::get_if<Compute>(&pass.op);
  const Operands& args = pass.args;
  if (compute == nullptr || !is_plain(pass)) return EntryPoint::kSteps;
  if (is_between_arrays(args) && is_direct_of_sines(pass) && pass.codelet->direct != nullptr) return EntryPoint::kDirect;
  if (!is_of_caller(args)) return EntryPoint::kSteps;
  if (pass.codelet->kind == PassKind::kWhole)
    return args.in.layout == Layout::kPaired || !args.in.swap ? EntryPoint::kBare : EntryPoint::kSteps;
  const CodeletInfo& codelet = compute->fused != nullptr ? *compute->fused : *pass.codelet;
  if (codelet.direct == nullptr) return EntryPoint::kSteps;
  const bool is_direct = codelet.kind == PassKind::kReal ? has_direct_lines(codelet, args)
                                                         : codelet.kind == PassKind::kPacked && args.in.swap == args.out.swap;
  return is_direct ? EntryPoint::kDirect : EntryPoint::kSteps;
}

}  // namespace ulpfft

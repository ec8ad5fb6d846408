// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes that decode narrow input or encode narrow output themselves, where the recipe says so.
//
// Which codelets do is a matter of the target and its vectors, and of speed alone: without them an end is converted apart, to the same
// bits. What no target could convert is refused on all of them.
#include "planner/backend/cpu/expand/fused.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/whole.h"
#include "planner/convert/side.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

bool is_ref(const CodeletTable& codelets) { return std::string_view(codelets.backend) == "ref"; }

// Rows in blocks that a first pass can decode.
bool has_byte_blocks(const Side& side) {
  return side.rows && !is_packed(*side.storage.element) && side.storage.element->bits == 8 && !side.output;
}

}  // namespace

static void check_converted_end(const Scope& scope, const Side& side);

// Flags belong to a line that is the whole transform, with a narrow array at that end.
void check_flags(const Scope& scope, const Node& node, bool root) {
  if (node.decode || node.encode) {
    if (const char* const no_conversions = scope.scheme.family->no_conversions) scope.refuse(no_conversions);
    if (scope.problem.prescale_kind != PrescaleKind::kNone) scope.refuse("Passes of prescaled transforms neither 'decode' nor 'encode'");
    if (node.decode && scope.sides.in.windowed) scope.refuse("No pass decodes an input that has a window");
    if (!root || node.kind != Node::Kind::kDit || scope.problem.dims.size() != 1)
      scope.refuse("Only a dit that is the whole transform can 'decode' or 'encode'");
    if (std::any_of(node.passes.begin(), node.passes.end(), [](const PassSpec& pass) { return !pass.format.empty(); })) {
      scope.refuse("Narrow storage between passes goes with conversions of their own, not with 'decode' and 'encode'");
    }
    if (node.decode) check_converted_end(scope, scope.sides.in);
    if (node.encode) check_converted_end(scope, scope.sides.out);
  }
  for (const Node& child : node.children) check_flags(scope, child, false);
}

static void check_converted_end(const Scope& scope, const Side& side) {
  if (side.wide)
    scope.refuse(std::string(side.output ? "'encode' is for narrow output, which " : "'decode' is for narrow input, which ") + side.format +
                 " is not");
  if (side.rows && !has_byte_blocks(side))
    scope.refuse("No pass converts " + scope.problem.storage(side.output) + ", which is packed or in blocks");
  const char* const fault = side.power                                                     ? "they are powers of what it computes"
                            : scope.problem.layout != ArrayLayout::kInterleaved           ? "the array is split"
                            : !side.rows && side.stride(scope.problem.dims[0]) != 1 ? "its numbers are not adjacent"
                            : scope.problem.centered                                      ? "the transform is centred"
                            : side.rows && side.storage.length == 0                       ? "its rows have one scale each"
                                                                                          : nullptr;
  if (fault != nullptr)
    scope.refuse(std::string(side.output ? "The last pass cannot encode " : "The first pass cannot decode ") +
                 scope.problem.storage(side.output) + ": " + fault);
}

// What keeps a pass of dit from converting at its outer end on this target, the last clause of a sentence; empty: nothing.
static std::string fused_end_fault(const Scope& scope, const Node& node, const Place& place, bool output) {
  const LineEnd& end = output ? place.out : place.in;
  const PassSpec& pass = output ? node.passes.back() : node.passes[0];
  const std::int64_t r1 = node.passes[0].radix;
  if (!has_loops(scope, node)) return "its bodies serve transforms in registers alone";
  if (r1 % scope.lanes != 0) return "rows of " + std::to_string(r1) + " are no whole vectors of " + std::to_string(scope.lanes);
  if (!output && place.n / r1 < scope.lanes) return "it has fewer columns than a vector, " + std::to_string(scope.lanes);
  if (end.blocks != nullptr) {
    const std::int64_t length = end.blocks->storage.length;
    if (length % (2 * scope.lanes) != 0) {
      return "blocks of " + std::to_string(length) + " reals are no whole vectors of " + std::to_string(scope.lanes) + " numbers";
    }
    if (place.n / r1 % scope.lanes != 0) return "its columns are no whole vectors of " + std::to_string(scope.lanes);
    const std::int64_t count = 2 * place.n / length;
    if (count > BlockRows::kMostBlocks || count < scope.lanes) return "it has " + std::to_string(count) + " blocks";
  }
  const CodeletInfo* codelet =
      output ? find_fused(scope.codelets, PassKind::kTwiddled, scope.program.compute, pass.radix, pass.form, 0, "", end.format)
             : find_fused(scope.codelets, PassKind::kFirst, scope.program.compute, pass.radix, TwiddleForm::kNone, 0, end.format, "");
  if (codelet != nullptr) return "";
  const std::string suffix(output ? twiddle_suffix(pass.form) : "");
  return std::string("target ") + scope.codelets.target + " has no codelet of radix " + std::to_string(pass.radix) +
         (suffix.empty() ? "" : ":" + suffix) + " for it";
}

void take_fused(Scope& scope, StoredSide& side) {
  const std::int64_t bytes = side.storage.element->bits / 8;
  side.how = Converted::kInThePass;
  if (!has_byte_blocks(side)) side.unit /= bytes;  // of rows in blocks, codes are bytes
  CallerArray& array = side.output ? scope.program.out : scope.program.in;
  array.format = side.format;
  array.unit_bytes = bytes;
  (side.output ? scope.program.encodes : scope.program.decodes) = true;
}

void take_fused(Scope& scope, const Node& node, StoredSide& in, StoredSide& out) {
  const bool decode = scope.recipe.root.decode, encode = scope.recipe.root.encode;
  if ((!decode && !encode) || node.passes.size() < 2) return;
  BlockRows blocks;
  blocks.storage = in.storage;
  const auto end_of = [&](const StoredSide& side, bool fused) {
    LineEnd end;
    const bool user = fused || side.direct();
    end.array = user ? side.array : ArrayId::kFirstWork;
    if (user && !side.rows) end.stride = 2 * (side.output ? scope.problem.dims[0].out_stride : scope.problem.dims[0].in_stride);
    if (fused) end.format = side.format;
    if (fused && side.rows) end.blocks = &blocks;
    return end;
  };
  // Both ends, or where one of them cannot be, the other.
  for (const auto& [decodes, encodes] : {std::pair{decode, encode}, std::pair{decode, false}, std::pair{false, encode}}) {
    Place place;
    place.n = scope.problem.dims[0].length;
    place.in = end_of(in, decodes);
    place.out = end_of(out, encodes);
    const bool packed = packed_fused_codelet(scope, node, place) != nullptr;
    const auto fault = [&](bool output) {
      return is_ref(scope.codelets) ? "ref converts before and after all passes"
             : packed               ? std::string()
                                    : fused_end_fault(scope, node, place, output);
    };
    const std::string in_fault = decodes ? fault(false) : "", out_fault = encodes ? fault(true) : "";
    if (decodes) scope.program.decodes_not = in_fault;
    if (encodes) scope.program.encodes_not = out_fault;
    if (!in_fault.empty() || !out_fault.empty()) continue;
    if (decodes) take_fused(scope, in);
    if (encodes) take_fused(scope, out);
    return;
  }
}

}  // namespace ulpfft

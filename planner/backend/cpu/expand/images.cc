// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/images.h"

#include <numbers>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

ImageLines ends_of_kind(R2rKind kind, int n, bool weighted) {
  const R2rKind base = cosines_of(kind);
  const bool sines = is_sine_transform(kind) && kind != R2rKind::kDST1;
  ImageLines lines;
  lines.n = n;
  (base == R2rKind::kDCT2 ? lines.negates_in : lines.negates_out) = sines;
  (base == R2rKind::kDCT2 ? lines.backwards_out : lines.backwards_in) = sines;
  if (!weighted || kind == R2rKind::kDST1) return lines;
  // The first real of a line, of kinds of sines the last one, of dct1 both.
  const bool is_type_1 = base == R2rKind::kDCT1;
  constexpr double kRoot = std::numbers::sqrt2;
  if (is_type_1 || base == R2rKind::kDCT3) (sines ? lines.last_in : lines.first_in) = kRoot;
  if (is_type_1 || base == R2rKind::kDCT2) (sines ? lines.last_out : lines.first_out) = kRoot / 2;
  if (is_type_1) lines.last_in = kRoot, lines.last_out = kRoot / 2;
  return lines;
}

namespace {

// The body of a length; none where the length has no codelet, or a complex end.
ImageLines lines_of(const Scope& scope, const Node& node, R2rKind kind) {
  const bool is_complex = kind == R2rKind::kR2HC || kind == R2rKind::kHC2R;
  if (node.kind != Node::Kind::kN || is_complex) return {};
  const CodeletInfo* const codelet = find_real_codelet(scope.codelets, transform_of(kind), scope.scheme.compute, node.n);
  if (codelet == nullptr || codelet->whole == nullptr) return {};
  ImageLines lines = ends_of_kind(kind, static_cast<int>(node.n), scope.problem.scale_kind == ScaleKind::kOrtho);
  lines.body = codelet->whole;
  return lines;
}

// Time of two passes over that of one, AVX-512 on Zen 4. A few small images, 4x4 to 8x8: 0.87 to 0.96. Columns of rows of 16 reals and
// more fill vectors where they lie: with 4, 8, 16 or 32 rows 1.01 to 1.24, else 0.57 to 1.13; 16x16*8192 and 8x16*32768 f32, in memory, 0.8
// to 0.9.
constexpr std::int64_t kFewReals = 128, kLongRow = 16;
// Bytes of both arrays from which on images are fetched ahead: 8x8*65536 f32 takes 0.77 of the time so, 8x8*4096 f32 1.5.
constexpr double kInMemory = 12 << 20;

bool is_faster(std::int64_t n0, std::int64_t n1, std::int64_t count, double bytes) {
  if (count * n0 * n1 < kFewReals) return false;
  return n1 < kLongRow || (n0 >= 4 && (n0 & (n0 - 1)) == 0 && bytes < kInMemory);
}

}  // namespace

std::shared_ptr<const RealImages> find_images(const Scope& scope, const std::vector<const Node*>& nodes, const SeenArrays& arrays) {
  const Problem& problem = scope.problem;
  if (nodes.size() < 2) return nullptr;
  const std::size_t last = nodes.size() - 1, before = last - 1;
  const ArrayLines &in = arrays.in, &out = arrays.out;
  RealImages images;
  images.pass.rows = lines_of(scope, *nodes[last], problem.kinds[last]);
  images.pass.columns = lines_of(scope, *nodes[before], problem.kinds[before]);
  if (images.pass.rows.body == nullptr || images.pass.columns.body == nullptr || in.dims[last] != 1 || out.dims[last] != 1) return nullptr;
  if (image_pass(scope.codelets, scope.scheme.compute) == nullptr) return nullptr;
  const auto real = static_cast<int>(real_bytes(scope.program.compute));
  if (!images_fit(1, problem.dims[before].length, problem.dims[last].length, scope.lanes, real)) return nullptr;
  Place place;
  place.in = in.base;
  place.out = out.base;
  place.loops = arrays.batch;
  for (std::size_t d = 0; d < before; ++d) {
    if (problem.dims[d].length > 1) place.loops.push_back({problem.dims[d].length, in.dims[d], out.dims[d]});
  }
  merge_loops(place.loops);
  if (place.loops.size() > 1) return nullptr;
  const LoopAround loop = place.loops.empty() ? LoopAround{1, 0, 0} : place.loops[0];
  // In place an image is written where it was read, and nowhere else.
  const bool stays = in.dims[before] == out.dims[before] && loop.in_stride == loop.out_stride && in.base.offset == out.base.offset;
  if (scope.rewrites(place) && !stays) return nullptr;
  images.args.in = scope.edge_of(in.base, in.dims[before], 1);
  images.args.out = scope.edge_of(out.base, out.dims[before], 1);
  images.args.axes[0] = {loop.count, loop.in_stride, loop.out_stride, 0};
  images.args.scale = rounded_scale(scope);
  const double bytes = 2.0 * real * static_cast<double>(transform_points(problem)) * static_cast<double>(batch_count(problem));
  images.args.ahead.fetches = bytes >= kInMemory;
  if (!is_faster(problem.dims[before].length, problem.dims[last].length, loop.count, bytes)) return nullptr;
  return std::make_shared<const RealImages>(images);
}

}  // namespace ulpfft

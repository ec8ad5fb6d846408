// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of real numbers: a group of transforms goes to half a spectrum in the workspace, which the operation changes, and back from there.
// Arrays of the type of the arithmetic are read and written by the passes; around others a group is converted (seen_arrays.h), and its
// spectrum lies where its numbers are converted. The last length goes first and comes last. Between them are the passes of a complex chain
// of the other lengths: panels of columns that are transformed, changed and transformed back while they are in the caches, where the recipe
// has them.
#include "planner/backend/cpu/expand/real_chain.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "planner/backend/cpu/expand/chain.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_line.h"
#include "planner/backend/cpu/expand/seen_arrays.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

class RealChain {
 public:
  RealChain(Scope& scope, const std::vector<const Node*>& there, const SeenArrays& arrays)
      : scope_(scope),
        problem_(scope.problem),
        there_(there),
        last_(problem_.dims.size() - 1),
        points_(spectrum_points(problem_)),
        in_(arrays.in),
        out_(arrays.out),
        backward_(problem_.direction == Direction::kBackward),
        batch_(arrays.batch),
        first_(arrays.first),
        by_lines_(arrays.by_lines) {
    for (std::size_t d = last_; d-- > 0;) {
      if (problem_.dims[d].length > 1) others_.push_back(d);
    }
    merge_loops(batch_);
  }

  void expand() {
    const auto real = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    scope_.keeps_spectrum = 2 * points_ * real < kSpectrumStreams;
    const LoopAround loop = batch_.empty() ? LoopAround{1, 0, 0} : batch_.back();
    if (by_lines_ != nullptr || is_work(in_.base.array) || is_work(out_.base.array)) return expand_group(loop, 0, loop.count);
    const std::int64_t row = problem_.dims[last_].length;
    std::int64_t size = kRealGroupBytes / (transform_points(problem_) / row * 2 * child_length(row) * real);
    if (scope_.threads > 1) size = std::min(size, loop.count / (4 * scope_.threads));
    size = std::clamp<std::int64_t>(size, 1, loop.count);
    std::size_t opened = 0;
    std::int64_t inner = 1;
    for (const LoopAround& around : batch_) inner *= around.count;
    for (; opened + 1 < batch_.size(); ++opened) {
      inner /= batch_[opened].count;
      open_transforms(batch_[opened], batch_[opened].count, 1, inner);
    }
    const std::int64_t whole = loop.count / size;
    if (whole > 1) open_transforms(loop, whole, size, size);
    expand_group(loop, 0, size);
    if (whole > 1) scope_.end_repeat();
    if (loop.count % size != 0) expand_group(loop, whole * size, loop.count % size);
    for (; opened > 0; --opened) scope_.end_repeat();
  }

 private:
  // Of a group: transform `first` of the innermost loop of the batch and those after it. Spectra are dense.
  struct Group {
    LoopAround loop;
    std::int64_t first, transforms;
    ArrayLines spectrum;
  };

  // A loop over a part of the batch, whose iterations have `transforms` transforms each, `steps` of the loop.
  void open_transforms(const LoopAround& loop, std::int64_t count, std::int64_t steps, std::int64_t transforms) {
    scope_.begin_parallel(count, {{ArrayId::kIn, steps * loop.in_stride},
                                  {ArrayId::kOut, steps * loop.out_stride},
                                  {ArrayId::kExponents, transforms * static_cast<std::int64_t>(sizeof(std::int32_t))}});
  }

  void expand_group(const LoopAround& loop, std::int64_t first, std::int64_t transforms) {
    scope_.grown = grown_;
    const Scope::Level before = scope_.level();
    Group group{loop, first, transforms, take_spectra(transforms)};
    add_last(group, true);
    add_others(group);
    add_last(group, false);
    scope_.leave(before);
  }

  // Of a group. Numbers that are converted lie in the workspace, where their spectrum has room.
  ArrayLines take_spectra(std::int64_t transforms) {
    ArrayLines spectra;
    if (is_work(out_.base.array)) {
      spectra.base = out_.base;
    } else if (is_work(in_.base.array) && by_lines_ == nullptr) {
      spectra.base = in_.base;
    } else {
      const Area area = scope_.allocate(2 * points_ * transforms);
      spectra.base.array = area.array;
      spectra.base.offset = area.offset;
    }
    spectra.dims.resize(problem_.dims.size());
    std::int64_t stride = 2;
    for (std::size_t d = problem_.dims.size(); d-- > 0;) {
      spectra.dims[d] = stride;
      stride *= stored(d);
    }
    return spectra;
  }

  // Centred problems have index 0 of every length in its middle, but for the half of the spectrum that is stored.
  std::int64_t shift(std::size_t d) const { return problem_.centered ? problem_.dims[d].length / 2 : 0; }

  // The numbers of a row of the spectrum.
  std::int64_t stored(std::size_t d) const { return d == last_ ? problem_.dims[d].length / 2 + 1 : problem_.dims[d].length; }

  void add_last(const Group& group, bool forward) {
    if (forward && by_lines_ != nullptr) {
      return expand_decoded_lines(scope_, *by_lines_, *there_[last_], group.spectrum, rounded_scale(scope_));
    }
    const ArrayLines &source = forward ? in_ : group.spectrum, &target = forward ? group.spectrum : out_;
    Place place;
    place.n = problem_.dims[last_].length;
    place.in = source.base;
    place.out = target.base;
    place.in.stride = source.dims[last_];
    place.out.stride = target.dims[last_];
    (forward ? place.in : place.out).shift = shift(last_);
    (forward ? place.in : place.out).offset += group.first * (forward ? group.loop.in_stride : group.loop.out_stride);
    place.scale = forward ? rounded_scale(scope_) : 1.0;
    if (group.transforms > 1) {
      const std::int64_t spectrum = 2 * points_;
      place.loops.push_back({group.transforms, forward ? group.loop.in_stride : spectrum, forward ? spectrum : group.loop.out_stride});
    }
    for (std::size_t i = others_.size(); i-- > 0;) {
      const std::size_t d = others_[i];
      place.loops.push_back({problem_.dims[d].length, source.dims[d], target.dims[d]});
    }
    expand_real_line(scope_, forward ? *there_[last_] : *scope_.back[last_], place, forward, forward);
  }

  // The other lengths there, the operation, and the same lengths back.
  void add_others(const Group& group) {
    scope_.scope_points = static_cast<double>(points_ * batch_count(problem_));
    const bool fused = !others_.empty() && columns_are_fused(*there_[others_.back()], *scope_.back[others_.back()]);
    const std::size_t apart = others_.size() - (fused ? 1 : 0);  // dimensions transformed on their own
    for (std::size_t i = 0; i < apart; ++i) {
      add_other(group, *there_[others_[i]], others_[i], backward_ && i == 0, backward_ && i + 1 == others_.size());
    }
    if (fused) {
      if (group.transforms > 1) {
        scope_.begin_parallel(group.transforms, {{group.spectrum.base.array, 2 * points_},
                                                 {ArrayId::kExponents, static_cast<std::int64_t>(sizeof(std::int32_t))}});
      }
      const std::size_t d = others_.back();
      expand_chain_columns(scope_, *there_[d], *scope_.back[d], d, group.spectrum, first_ + group.first, apart == 0);
      if (group.transforms > 1) scope_.end_repeat();
    } else {
      add_spectrum_group(scope_, group.spectrum.base, points_, first_ + group.first, group.transforms);
    }
    for (std::size_t i = apart; i-- > 0;) {
      add_other(group, *scope_.back[others_[i]], others_[i], !backward_ && i + 1 == others_.size(), !backward_ && i == 0);
    }
  }

  void add_other(const Group& group, const Node& node, std::size_t d, bool swaps_in, bool swaps_out) {
    const ArrayLines& spectrum = group.spectrum;
    Place place;
    place.n = problem_.dims[d].length;
    place.in = place.out = spectrum.base;
    place.in.stride = place.out.stride = spectrum.dims[d];
    place.in.shift = place.out.shift = shift(d);
    place.in.swap = swaps_in;
    place.out.swap = swaps_out;
    const auto add_loop = [&](std::int64_t count, std::int64_t stride) {
      if (count > 1) place.loops.push_back({count, stride, stride});
    };
    add_loop(group.transforms, 2 * points_);
    for (std::size_t other = 0; other < problem_.dims.size(); ++other) {
      if (other != d) add_loop(stored(other), spectrum.dims[other]);
    }
    merge_loops(place.loops);
    expand_node(scope_, node, place);
  }

  Scope& scope_;
  const Problem& problem_;
  const std::vector<const Node*>& there_;
  const std::size_t last_;
  const std::int64_t points_;  // of a spectrum
  const ArrayLines in_, out_;
  const bool backward_;
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last, in the order there
  std::vector<LoopAround> batch_;
  const std::int64_t first_;         // as in SeenArrays
  const StoredSide* const by_lines_;
  const double grown_ = scope_.grown;
};

}  // namespace

void expand_real_chain(Scope& scope, const std::vector<const Node*>& nodes) {
  expand_between(scope, *nodes.back(), [&](const SeenArrays& arrays) { RealChain(scope, nodes, arrays).expand(); });
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of real numbers: a group of transforms goes to half a spectrum in the workspace (between.h), which the operation changes, and back
// from there. The last length goes first and comes last. Between them are the passes of a complex chain of the other lengths: panels of
// columns that are transformed, changed and transformed back while they are in the caches, where the recipe has them.
#include "planner/backend/cpu/expand/real_chain.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "planner/backend/cpu/expand/between.h"
#include "planner/backend/cpu/expand/chain.h"
#include "planner/backend/cpu/expand/decoded_lines.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_line.h"

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
        spectrum_(arrays.spectrum),
        backward_(problem_.direction == Direction::kBackward),
        transforms_(arrays.batch.empty() ? 1 : arrays.batch[0].count),
        first_(arrays.first),
        by_lines_(arrays.by_lines) {
    for (std::size_t d = last_; d-- > 0;) {
      if (problem_.dims[d].length > 1) others_.push_back(d);
    }
  }

  void expand() {
    scope_.keeps_spectrum = 2 * points_ * static_cast<std::int64_t>(real_bytes(scope_.program.compute)) < kSpectrumStreams;
    add_last(true);
    add_others();
    add_last(false);
  }

 private:
  // Centred problems have index 0 of every length in its middle, but for the half of the spectrum that is stored.
  std::int64_t shift(std::size_t d) const { return problem_.centered ? problem_.dims[d].length / 2 : 0; }

  // The numbers of a row of the spectrum.
  std::int64_t stored(std::size_t d) const { return d == last_ ? problem_.dims[d].length / 2 + 1 : problem_.dims[d].length; }

  void add_last(bool forward) {
    if (forward && by_lines_ != nullptr) {
      return expand_decoded_lines(scope_, *by_lines_, *there_[last_], spectrum_, rounded_scale(scope_));
    }
    const ArrayLines &source = forward ? in_ : spectrum_, &target = forward ? spectrum_ : out_;
    Place place;
    place.n = problem_.dims[last_].length;
    place.in = source.base;
    place.out = target.base;
    place.in.stride = source.dims[last_];
    place.out.stride = target.dims[last_];
    (forward ? place.in : place.out).shift = shift(last_);
    place.scale = forward ? rounded_scale(scope_) : 1.0;
    if (transforms_ > 1) place.loops.push_back({transforms_, source.step, target.step});
    for (std::size_t i = others_.size(); i-- > 0;) {
      const std::size_t d = others_[i];
      place.loops.push_back({problem_.dims[d].length, source.dims[d], target.dims[d]});
    }
    expand_real_line(scope_, forward ? *there_[last_] : *scope_.back[last_], place, forward, forward);
  }

  // The other lengths there, the operation, and the same lengths back.
  void add_others() {
    scope_.scope_points = static_cast<double>(points_ * batch_count(problem_));
    const bool fused = !others_.empty() && columns_are_fused(*there_[others_.back()], *scope_.back[others_.back()]);
    const std::size_t apart = others_.size() - (fused ? 1 : 0);  // dimensions transformed on their own
    for (std::size_t i = 0; i < apart; ++i) {
      add_other(*there_[others_[i]], others_[i], backward_ && i == 0, backward_ && i + 1 == others_.size());
    }
    if (fused) {
      if (transforms_ > 1) {
        scope_.begin_parallel(transforms_, {{spectrum_.base.array, 2 * points_},
                                                 {ArrayId::kExponents, static_cast<std::int64_t>(sizeof(std::int32_t))}});
      }
      const std::size_t d = others_.back();
      expand_chain_columns(scope_, *there_[d], *scope_.back[d], d, spectrum_, first_, apart == 0);
      if (transforms_ > 1) scope_.end_repeat();
    } else {
      add_spectrum_group(scope_, spectrum_.base, points_, first_, transforms_);
    }
    for (std::size_t i = apart; i-- > 0;) {
      add_other(*scope_.back[others_[i]], others_[i], !backward_ && i + 1 == others_.size(), !backward_ && i == 0);
    }
  }

  void add_other(const Node& node, std::size_t d, bool swaps_in, bool swaps_out) {
    const ArrayLines& spectrum = spectrum_;
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
    add_loop(transforms_, 2 * points_);
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
  const ArrayLines in_, out_, spectrum_;
  const bool backward_;
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last, in the order there
  const std::int64_t transforms_;    // of the group
  const std::int64_t first_;         // as in SeenArrays
  const StoredSide* const by_lines_;
};

}  // namespace

void expand_real_chain(Scope& scope, const std::vector<const Node*>& nodes) {
  const SettledEnds ends = settle_real_ends(scope, *nodes.back());
  expand_between(scope, ends, [&](const SeenArrays& arrays) { RealChain(scope, nodes, arrays).expand(); });
}

}  // namespace ulpfft

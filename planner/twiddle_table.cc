#include "planner/twiddle_table.h"

#include <algorithm>

namespace ulpfft {
namespace {

struct Selected {
  DoubleDouble scale;
  DoubleDouble ratio;
  bool sine;
};

Selected select(const UnitRoot& w) {
  if (abs(w.re) >= abs(w.im)) return {w.re, w.im / w.re, false};
  return {w.im, w.re / w.im, true};
}

const DoubleDouble kSqrtHalf = sqrt(DoubleDouble(0.5));

class Filler {
 public:
  Filler(const TwiddleRequest& request, RootCache& roots)
      : request_(request), roots_(roots.get(request.length * request.body->radix)), radix_(request.body->radix) {}

  bool dual_select() const { return request_.body->form == TwiddleForm::kDualSelect; }

  UnitRoot root(std::int64_t k, int j) const { return roots_.get(k * j % roots_.n()); }

  // Bit j-1 of the result: point j takes the sine path.
  std::uint32_t path(std::int64_t k) const {
    std::uint32_t bits = 0;
    for (int j = 1; j < radix_; ++j) {
      const UnitRoot w = root(k, j);
      if (abs(w.re) < abs(w.im)) bits |= 1u << (j - 1);
    }
    return bits;
  }

  // kStraddle when the k of the group do not share one path.
  std::uint32_t group_path(std::int64_t k) const {
    const std::int64_t begin = k / kPathGroup * kPathGroup;
    const std::int64_t end = std::min<std::int64_t>(begin + kPathGroup, request_.length);
    const std::uint32_t first = path(begin);
    for (std::int64_t i = begin + 1; i < end; ++i) {
      if (path(i) != first) return kStraddle;
    }
    return first;
  }

  // Values of one k in table order: the declared terms, or (re, im) of j = 1.. for the standard fall-back.
  void values(std::int64_t k, bool standard, std::vector<DoubleDouble>& out) const {
    out.clear();
    if (standard) {
      for (int j = 1; j < radix_; ++j) {
        const UnitRoot w = root(k, j);
        out.push_back(w.re);
        out.push_back(w.im);
      }
    } else {
      for (const TableTerm& term : request_.body->table) out.push_back(value(k, term));
    }
  }

 private:
  DoubleDouble scale(std::int64_t k, int j, bool primed) const {
    const Selected s = select(root(k, j));
    return primed && s.sine ? -s.scale : s.scale;
  }

  DoubleDouble value(std::int64_t k, const TableTerm& term) const {
    switch (term.kind) {
      case TableTerm::Kind::kRe: return root(k, term.j).re;
      case TableTerm::Kind::kIm: return root(k, term.j).im;
      case TableTerm::Kind::kRatio: return select(root(k, term.j)).ratio;
      case TableTerm::Kind::kSign: return DoubleDouble(select(root(k, term.j)).sine ? -1.0 : 1.0);
      case TableTerm::Kind::kScale: break;
    }
    DoubleDouble v = scale(k, term.j, term.primed);
    if (term.over_j != 0) v = v / scale(k, term.over_j, term.over_primed);
    return term.sqrt_half ? v * kSqrtHalf : v;
  }

  const TwiddleRequest& request_;
  const RootTable& roots_;
  int radix_;
};

template <typename T>
TwiddleTable fill(const TwiddleRequest& request, RootCache& roots) {
  const Filler filler(request, roots);
  const int lanes = request.lanes;
  const std::int64_t count = request.end - request.begin;
  const std::int64_t chunks = (count + lanes - 1) / lanes;
  const std::size_t per_lane = request.body->table.size();
  TwiddleTable table;
  table.values = AlignedBuffer(static_cast<std::size_t>(chunks) * per_lane * static_cast<std::size_t>(lanes) * sizeof(T));
  T* at = static_cast<T*>(table.values.data());
  std::vector<DoubleDouble> values;
  std::uint32_t path = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::int64_t k0 = request.begin + chunk * lanes;
    if (filler.dual_select() && (request.broadcast || chunk == 0 || k0 % kPathGroup == 0)) {
      path = request.broadcast ? filler.path(k0) : filler.group_path(k0);
      table.paths.push_back(path);
    }
    for (int lane = 0; lane < lanes; ++lane) {
      const int index = request.lane_order ? index_of_lane(lane, lanes, request.lanes_per_block) : lane;
      // Lanes past the end repeat the last k: their results are never stored.
      const std::int64_t k = std::min(k0 + index, request.end - 1);
      filler.values(k, filler.dual_select() && path == kStraddle, values);
      for (std::size_t v = 0; v < values.size(); ++v) {
        at[v * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane)] = round_to<T>(values[v]);
      }
    }
    at += per_lane * static_cast<std::size_t>(lanes);
  }
  return table;
}

}  // namespace

const RootTable& RootCache::get(std::int64_t n) {
  for (const auto& [length, table] : tables_) {
    if (length == n) return *table;
  }
  std::unique_ptr<RootTable>& slot = tables_[n];
  slot = std::make_unique<RootTable>(n);
  return *slot;
}

TwiddleTable make_twiddle_table(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  switch (compute) {
    case ComputeType::kF32: return fill<float>(request, roots);
    case ComputeType::kF64: return fill<double>(request, roots);
    case ComputeType::kDoubleDouble: return fill<DoubleDouble>(request, roots);
  }
  return {};
}

}  // namespace ulpfft

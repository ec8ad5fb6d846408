#include "planner/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/estimate.h"
#include "planner/strategy/strategy.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr std::size_t kTimedPerDimension = 10;
constexpr std::size_t kTimedForms = 3;       // of the best of them also in the other twiddle forms
constexpr std::size_t kTimedCombinations = 4;
constexpr std::int64_t kLargestTimed = std::int64_t{1} << 30;  // bytes of arrays

// Dimensions longer than one, from the last to the first: the order build_plan executes.
std::vector<std::size_t> execution_order(const Problem& problem) {
  std::vector<std::size_t> order;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    if (problem.dims[d].length > 1) order.push_back(d);
  }
  if (order.empty()) order.push_back(problem.dims.size() - 1);
  return order;
}

// Dimension `d` alone, everything else as batch. Only the first one executed reads the input array.
Problem line_of(const Problem& problem, std::size_t d, bool first) {
  Problem line = problem;
  line.dims = {problem.dims[d]};
  for (std::size_t other = 0; other < problem.dims.size(); ++other) {
    if (other != d && problem.dims[other].length > 1) line.batch.push_back(problem.dims[other]);
  }
  if (!first) {
    line.placement = Placement::kInPlace;
    line.scale_kind = ScaleKind::kNone;
    line.direction = Direction::kForward;
    for (Dimension& dim : line.dims) dim.in_stride = dim.out_stride;
    for (Dimension& dim : line.batch) dim.in_stride = dim.out_stride;
  }
  return line;
}

LineProblem describe_line(const Problem& line, ComputeType compute) {
  LineProblem out;
  const Dimension& dim = line.dims[0];
  out.n = dim.length;
  out.compute = compute;
  std::int64_t smallest = INT64_MAX;
  for (const Dimension& loop : line.batch) {
    if (loop.length == 1) continue;
    const std::int64_t span = std::abs(loop.in_stride) + std::abs(loop.out_stride);
    if (span < smallest) {
      smallest = span;
      out.columns = loop.length;
    }
  }
  return out;
}

// Stable, by index: std::stable_sort asks for a temporary buffer by a function that C++17 deprecates.
template <typename Less>
void sort_by(std::vector<Candidate>& candidates, const Less& less) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (less(candidates[a], candidates[b])) return true;
    return !less(candidates[b], candidates[a]) && a < b;
  });
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const std::size_t i : order) sorted.push_back(std::move(candidates[i]));
  candidates = std::move(sorted);
}

[[noreturn]] void refuse_length(const Problem& problem, std::size_t d) {
  std::int64_t rest = problem.dims[d].length;
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (rest % p == 0) rest /= p;
  }
  const std::string field = "lengths[" + std::to_string(d) + "]";
  const std::string length = std::to_string(problem.dims[d].length);
  if (rest > 1) {
    throw PlanError(ULPFFT_UNSUPPORTED, field,
                    field + " is " + length + ", which is not a product of 2, 3, 5, 7, 11 and 13 (left over: " + std::to_string(rest) +
                        "). This version transforms such lengths only; the next larger ones may do.");
  }
  throw PlanError(ULPFFT_UNSUPPORTED, field, "No strategy of this version transforms " + field + " = " + length + ".");
}

std::vector<Candidate> predict_line(const Problem& problem, std::size_t d, bool first, const CodeletTable& codelets, TableCache& cache,
                                    NodeRanker& ranker) {
  const Problem line = line_of(problem, d, first);
  const ComputeType compute = compute_type_of_scheme(scheme_of(problem));
  const LineProblem description = describe_line(line, compute);
  std::vector<Node> nodes;
  for (const Strategy& strategy : strategies()) strategy.propose(description, codelets, ranker, nodes);
  std::vector<Candidate> candidates;
  for (Node& node : nodes) {
    Candidate candidate;
    candidate.recipe = {scheme_of(problem), std::move(node)};
    try {
      candidate.predicted_seconds = estimate_seconds(build_plan(line, candidate.recipe, codelets, cache, false), codelets);
    } catch (const PlanError&) {
      continue;  // a proposal that does not fit here; the others may
    }
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) refuse_length(problem, d);
  sort_by(candidates, [](const Candidate& a, const Candidate& b) { return a.predicted_seconds < b.predicted_seconds; });
  return candidates;
}

// A problem with fewer transforms that fits the timing buffers; `share` is its part of the whole. False when one transform is too large.
bool timing_slice(const Problem& problem, Problem& slice, double& share) {
  slice = problem;
  share = 1;
  const auto too_large = [&] {
    const Extent in = array_extent(slice, false);
    const Extent out = array_extent(slice, true);
    const std::int64_t in_bytes = in.high - in.low;
    const std::int64_t out_bytes = slice.placement == Placement::kInPlace ? 0 : out.high - out.low;
    return in_bytes > kLargestTimed || out_bytes > kLargestTimed || in_bytes + out_bytes > kLargestTimed;
  };
  while (too_large()) {
    Dimension* longest = nullptr;
    for (Dimension& d : slice.batch) {
      if (d.length > 1 && (longest == nullptr || d.length * std::abs(d.out_stride) > longest->length * std::abs(longest->out_stride))) longest = &d;
    }
    if (longest == nullptr) return false;
    const std::int64_t half = (longest->length + 1) / 2;
    share *= static_cast<double>(half) / static_cast<double>(longest->length);
    longest->length = half;
  }
  return true;
}

class Search {
 public:
  Search(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options)
      : problem_(problem), codelets_(codelets), options_(options) {}

  std::unique_ptr<ulpfft_plan> run() {
    const std::vector<std::size_t> order = execution_order(problem_);
    std::vector<std::vector<Candidate>> lines(problem_.dims.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      lines[order[i]] = predict_line(problem_, order[i], i == 0, codelets_, cache_, ranker_);
    }
    if (options_.effort == Effort::kMeasure) {
      const double share = order.size() > 1 ? 0.7 / static_cast<double>(order.size()) : 0.9 / static_cast<double>(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        total_ = order.size() + (order.size() > 1 ? 1 : 0);
        done_ = i;
        time_line(lines[order[i]], line_of(problem_, order[i], i == 0), share * options_.time_limit_seconds);
      }
      done_ = order.size();
    }
    std::vector<Candidate> whole = combine(lines, order);
    if (options_.effort == Effort::kMeasure && order.size() > 1) {
      time_candidates(whole, problem_, std::min(kTimedCombinations, whole.size()), 0.25 * options_.time_limit_seconds);
      sort(whole);
    }
    const Candidate best = whole.front();
    std::unique_ptr<ulpfft_plan> plan = make_plan(problem_, best.recipe, codelets_, build_plan(problem_, best.recipe, codelets_, cache_));
    plan->seconds = best.seconds;
    plan->spread = best.spread;
    plan->candidates = std::move(whole);
    return plan;
  }

 private:
  static void sort(std::vector<Candidate>& candidates) {
    // Timed before untimed, each by its seconds.
    sort_by(candidates, [](const Candidate& a, const Candidate& b) {
      if ((a.seconds > 0) != (b.seconds > 0)) return a.seconds > 0;
      return a.seconds > 0 ? a.seconds < b.seconds : a.predicted_seconds < b.predicted_seconds;
    });
  }

  // Times the first `count` candidates; leaves the others untimed.
  void time_candidates(std::vector<Candidate>& candidates, const Problem& problem, std::size_t count, double limit) {
    Problem slice;
    double share = 1;
    if (!timing_slice(problem, slice, share)) return;
    std::vector<std::unique_ptr<ulpfft_plan>> plans;
    std::vector<const ulpfft_plan*> handles;
    const double begin = options_.clock();
    for (std::size_t i = 0; i < count; ++i) {
      // Making tables counts against the limit too; one candidate is always timed.
      const double before = options_.clock();
      if (i > 0 && before - begin + longest_build_ > 0.6 * limit) break;
      plans.push_back(make_plan(slice, candidates[i].recipe, codelets_, build_plan(slice, candidates[i].recipe, codelets_, cache_)));
      handles.push_back(plans.back().get());
      longest_build_ = std::max(longest_build_, options_.clock() - before);
    }
    const double left = std::max(0.0, limit - (options_.clock() - begin));
    const std::vector<Timing> timings = time_plans(slice, handles, options_.clock, left, [&](std::size_t i) {
      if (!options_.progress) return true;
      const double inside = std::min(1.0, (options_.clock() - begin) / std::max(limit, 1e-9));
      fraction_ = std::min(1.0, std::max(fraction_, (static_cast<double>(done_) + inside) / static_cast<double>(total_)));
      if (options_.progress(fraction_, print_recipe(candidates[i].recipe))) return true;
      throw PlanError(ULPFFT_CANCELLED, "progress", "Planning was cancelled by the progress callback.");
    });
    for (std::size_t i = 0; i < timings.size(); ++i) {
      candidates[i].seconds = timings[i].seconds / share;
      candidates[i].spread = timings[i].spread;
    }
  }

  void time_line(std::vector<Candidate>& candidates, const Problem& line, double limit) {
    const double begin = options_.clock();
    time_candidates(candidates, line, std::min(kTimedPerDimension, candidates.size()), 0.7 * limit);
    sort(candidates);
    if (options_.clock() - begin + longest_build_ > 0.9 * limit) return;
    // The other twiddle forms of the best.
    std::vector<Candidate> forms;
    for (std::size_t i = 0; i < std::min(kTimedForms, candidates.size()); ++i) {
      if (candidates[i].seconds <= 0) break;
      if (i > 0 && candidates[i].seconds > 1.15 * candidates[0].seconds) break;
      forms.push_back(candidates[i]);
      for (const TwiddleForm form : {TwiddleForm::kChained, TwiddleForm::kDualSelect}) {
        Candidate changed = candidates[i];
        Node* dit = &changed.recipe.root;
        if (dit->kind == Node::Kind::kCols) dit = &dit->children[0];
        if (dit->kind != Node::Kind::kDit) continue;
        for (std::size_t p = 1; p < dit->passes.size(); ++p) dit->passes[p].form = form;
        try {
          changed.predicted_seconds = estimate_seconds(build_plan(line, changed.recipe, codelets_, cache_, false), codelets_);
        } catch (const PlanError&) {
          continue;  // no codelet in that form
        }
        changed.seconds = 0;
        forms.push_back(std::move(changed));
      }
    }
    if (forms.size() < 2) return;
    time_candidates(forms, line, forms.size(), 0.3 * limit);
    for (Candidate& candidate : forms) {
      const auto same = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.recipe == candidate.recipe; });
      if (same == candidates.end()) {
        candidates.push_back(candidate);
      } else if (candidate.seconds > 0) {
        *same = candidate;
      }
    }
    sort(candidates);
  }

  // Whole recipes: the best node everywhere first, then with one dimension by one of its runners-up.
  std::vector<Candidate> combine(const std::vector<std::vector<Candidate>>& lines, const std::vector<std::size_t>& order) const {
    if (problem_.dims.size() == 1) return lines[0];
    const auto put_together = [&](const std::vector<std::size_t>& choice) {
      Candidate candidate;
      candidate.recipe.scheme = scheme_of(problem_);
      candidate.recipe.root.kind = Node::Kind::kRank;
      for (std::size_t d = 0; d < lines.size(); ++d) {
        Node node;
        node.kind = Node::Kind::kN;
        node.n = 1;
        if (!lines[d].empty()) {
          node = lines[d][choice[d]].recipe.root;
          candidate.predicted_seconds += lines[d][choice[d]].predicted_seconds;
        }
        candidate.recipe.root.children.push_back(std::move(node));
      }
      return candidate;
    };
    std::vector<std::size_t> choice(lines.size(), 0);
    std::vector<Candidate> whole{put_together(choice)};
    for (std::size_t next = 1; next < 4; ++next) {
      for (const std::size_t d : order) {
        if (lines[d].size() <= next) continue;
        std::vector<std::size_t> changed = choice;
        changed[d] = next;
        whole.push_back(put_together(changed));
      }
    }
    return whole;
  }

  const Problem& problem_;
  const CodeletTable& codelets_;
  const SearchOptions& options_;
  TableCache cache_;
  NodeRanker ranker_{codelets_, cache_, options_.costs};
  std::size_t done_ = 0;
  std::size_t total_ = 1;
  double fraction_ = 0;       // reported so far; never falls
  double longest_build_ = 0;  // seconds; what the next candidate may cost before it is timed
};

}  // namespace

std::unique_ptr<ulpfft_plan> search_plan(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  return Search(problem, codelets, options).run();
}

std::vector<std::vector<Candidate>> predicted_candidates(const Problem& problem, const CodeletTable& codelets) {
  TableCache cache;
  NodeRanker ranker(codelets, cache, nullptr);
  const std::vector<std::size_t> order = execution_order(problem);
  std::vector<std::vector<Candidate>> lines(problem.dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) lines[order[i]] = predict_line(problem, order[i], i == 0, codelets, cache, ranker);
  return lines;
}

}  // namespace ulpfft

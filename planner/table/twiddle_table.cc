// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/twiddle_table.h"

#include <algorithm>
#include <type_traits>

#include "codelets/contract/rounded.h"
#include "codelets/contract/sums_alone.h"
#include "codelets/contract/table_values.h"
#include "codelets/contract/unit_root.h"

namespace ulpfft {
namespace {

constexpr int kMaxTwiddledRadix = 32;  // a path word has 32 bits
constexpr int kMostPackedRadix = 64;

class Filler {
 public:
  Filler(const TwiddleRequest& request, RootCache& roots)
      : request_(request), roots_(roots.get(request.length * request.body->radix)), radix_(request.body->radix), plain_(is_plain(*request.body)) {}

  bool selects() const { return selects_path(request_.body->form); }

  // kStraddle when the k of the group do not share one path.
  std::uint32_t group_path(std::int64_t k) {
    const std::int64_t begin = k / kPathGroup * kPathGroup;
    const std::int64_t end = std::min<std::int64_t>(begin + kPathGroup, request_.length);
    const std::uint32_t first = path(begin);
    for (std::int64_t i = begin + 1; i < end; ++i) {
      if (path(i) != first) return kStraddle;
    }
    return first;
  }

  // Bit j - 1 of the result says that point j takes the sine path.
  std::uint32_t path(std::int64_t k) {
    find_roots(k);
    return sine_paths(request_.body->form, w_, radix_);
  }

  // Calls put(index, value) for every value of one k in table order. The values are the declared
  // terms or, for the standard body, (re, im) of j = 1, 2, ...
  template <typename Put>
  void values(std::int64_t k, bool standard, const Put& put) {
    if (standard || plain_) {
      for_each_root(k, [&](int j, const UnitRoot& w) {
        put(2 * j - 2, w.re);
        put(2 * j - 1, w.im);
      });
      return;
    }
    find_roots(k);
    int index = 0;
    for (const TableTerm& term : request_.body->table) put(index++, term_value(term, request_.body->form, w_));
  }

 private:
  // Whether the declared terms are (re, im) of j = 1, 2, ...
  static bool is_plain(const BodyFacts& body) {
    if (body.table.size() != 2 * static_cast<std::size_t>(body.radix) - 2) return false;
    for (std::size_t i = 0; i < body.table.size(); ++i) {
      const TableTerm& term = body.table[i];
      if (term.kind != (i % 2 == 0 ? TableTerm::Kind::kRe : TableTerm::Kind::kIm) || term.j != i / 2 + 1) return false;
    }
    return true;
  }

  // Calls visit(j, w^(jk)).
  template <typename Visit>
  void for_each_root(std::int64_t k, const Visit& visit) const {
    std::int64_t at = 0;
    for (int j = 1; j < radix_; ++j) {
      at += k;
      if (at >= roots_.n()) at -= roots_.n();
      visit(j, roots_.get(at));
    }
  }
  // w_[j] = w^(jk).
  void find_roots(std::int64_t k) {
    for_each_root(k, [&](int j, const UnitRoot& w) { w_[j] = w; });
  }

  const TwiddleRequest& request_;
  const RootTable& roots_;
  int radix_;
  bool plain_;
  UnitRoot w_[kMaxTwiddledRadix] = {};
};

// The chunks of a table: how many k a row has, how many chunks a row has, and how many chunks there are.
struct Chunks {
  std::int64_t row, of_row, all;

  explicit Chunks(const TwiddleRequest& request) {
    const std::int64_t count = request.end - request.begin;
    row = request.row != 0 ? request.row : count;
    of_row = request.row != 0 ? vectors_of(row, request.lanes) : (count + request.lanes - 1) / request.lanes;
    all = count / row * of_row;
  }
};

AlignedBuffer buffer_for(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  return AlignedBuffer(static_cast<std::size_t>(twiddle_table_bytes(request, compute)), &roots.poll);
}

// What a table of them has besides that of a pair without them.
std::int64_t sums_values(const TwiddleRequest& request) {
  const int radix = sums_of(request);
  if (radix == 0) return 0;
  const int half = (radix - 1) / 2, lanes = sums_lanes(2 * request.lanes, radix);
  return 2 * request.lanes + std::int64_t{2} * half * vectors_of(half, lanes) * lanes;
}

// Two vectors of k at a time, j by j. One text for both types.
void fill_sums(int radix, int lanes, const RootTable& roots, ComputeType compute, std::int64_t at, void* values) {
  const auto put = [&](const DoubleDouble& value) {
    if (compute == ComputeType::kF32) {
      static_cast<float*>(values)[at++] = round_to<float>(value);
    } else {
      static_cast<double*>(values)[at++] = round_to<double>(value);
    }
  };
  const int half = (radix - 1) / 2, vectors = vectors_of(half, lanes);
  for (int block = 0; block < vectors; block += 2) {
    for (int j = 1; j <= half; ++j) {
      for (int vector = block; vector < std::min(block + 2, vectors); ++vector) {
        for (const bool sine : {false, true}) {
          for (int lane = 1; lane <= lanes; ++lane) {
            const UnitRoot w = roots.get(j * (vector_begin(vector, half, lanes) + lane) % radix);
            put(sine ? -w.im : w.re);
          }
        }
      }
    }
  }
}

template <typename T>
TwiddleTable fill_packed(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  Filler filler(request, roots);
  const int lanes = request.lanes;
  const std::int64_t count = request.end - request.begin;
  const std::size_t per_lane = request.body->table.size();
  const std::int64_t chunks = per_lane == 0 ? 0 : Chunks(request).all;
  TwiddleTable table;
  table.values = buffer_for(request, compute, roots);
  T* at = static_cast<T*>(table.values.data());
  const auto put = [&](std::size_t vector, int lane, const DoubleDouble& even, const DoubleDouble& odd) {
    T* const to = at + vector * static_cast<std::size_t>(2 * lanes) + 2 * lane;
    to[0] = round_to<T>(even);
    to[1] = round_to<T>(odd);
  };
  const int radix = sums_of(request);
  const std::size_t begin = radix != 0 ? 2 : 1;  // vectors before the twiddles
  // A product would lose the sign of -0.
  const auto turn = [&](const DoubleDouble& value) { return request.packed < 0 ? -value : value; };
  for (int lane = 0; lane < lanes; ++lane) {
    put(0, lane, turn(1.0), turn(-1.0));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      filler.values(request.begin + std::min(chunk * lanes, count - lanes) + lane, false, [&](int entry, const DoubleDouble& value) {
        const bool turned = request.body->table[static_cast<std::size_t>(entry)].kind == TableTerm::Kind::kIm;
        put(begin + static_cast<std::size_t>(chunk) * per_lane + static_cast<std::size_t>(entry), lane, turned ? turn(value) : value,
            turned ? turn(-value) : value);
      });
    }
  }
  if (radix != 0) {
    std::fill_n(at + 2 * lanes, 2 * lanes, static_cast<T>(radix));
    const std::size_t before = (begin + static_cast<std::size_t>(chunks) * per_lane) * static_cast<std::size_t>(2 * lanes);
    fill_sums(radix, sums_lanes(2 * lanes, radix), roots.get(radix), compute, static_cast<std::int64_t>(before), at);
  }
  return table;
}

template <typename T>
TwiddleTable fill(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  Filler filler(request, roots);
  const int lanes = request.lanes;
  const Chunks counted(request);
  const std::int64_t row = counted.row, row_chunks = counted.of_row, chunks = counted.all;
  const std::size_t per_lane = request.body->table.size();
  if constexpr (std::is_floating_point_v<T>) {
    if (request.packed != 0) return fill_packed<T>(request, compute, roots);
  }
  TwiddleTable table;
  table.values = buffer_for(request, compute, roots);
  T* const start = static_cast<T*>(table.values.data());
  const std::size_t standard_per_lane = 2 * (static_cast<std::size_t>(request.body->radix) - 1);
  std::uint32_t path = 0;
  std::int64_t run = 0;  // the first chunk of the current run of straddling groups
  bool in_run = false;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    roots.poll.count(static_cast<std::int64_t>(per_lane) * lanes);
    const std::int64_t row_begin = request.begin + chunk / row_chunks * row;
    const std::int64_t in_row = chunk % row_chunks;
    const std::int64_t k0 = row_begin + (request.row != 0 ? vector_begin(in_row, row, lanes) : in_row * lanes);
    if (filler.selects() && (request.broadcast || chunk == 0 || k0 % kPathGroup == 0)) {
      path = request.broadcast ? filler.path(k0) : filler.group_path(k0);
      table.paths.push_back(path);
    }
    const bool straddles = filler.selects() && path == kStraddle;
    if (!straddles || !in_run) run = chunk;
    in_run = straddles;
    const std::size_t before = static_cast<std::size_t>(run) * per_lane + static_cast<std::size_t>(chunk - run) * standard_per_lane;
    T* const at = start + before * static_cast<std::size_t>(lanes);
    for (int lane = 0; lane < lanes; ++lane) {
      const int index = request.lane_order ? index_of_lane(lane, lanes, request.lanes_per_block) : lane;
      // Lanes past the end repeat the last k; their results are never stored, or are stored over.
      const std::int64_t k = std::min(k0 + index, row_begin + row - 1);
      filler.values(k, straddles, [&](int entry, const DoubleDouble& value) { at[entry * lanes + lane] = round_to<T>(value); });
    }
  }
  return table;
}

// Fills the table of a rounded scheme: blocks of `lanes` k, value by value. The last k is repeated to the end of its block.
template <typename T>
TwiddleTable fill_rounded(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  Filler filler(request, roots);
  const std::int64_t lanes = request.lanes;
  const std::int64_t count = request.end - request.begin;
  const std::int64_t block = lanes * static_cast<std::int64_t>(request.body->table.size());
  TwiddleTable table;
  table.values = buffer_for(request, compute, roots);
  T* const start = static_cast<T*>(table.values.data());
  for (std::int64_t i = 0; i < (count + lanes - 1) / lanes * lanes; ++i) {
    roots.poll.count(block / lanes);
    T* const at = start + i / lanes * block + i % lanes;
    const std::int64_t k = request.begin + std::min(i, count - 1);
    filler.values(k, false, [&](int entry, const DoubleDouble& value) {
      at[entry * lanes] = static_cast<T>(round_to_element(*request.element, value));
    });
    if (filler.selects() && i < count) table.paths.push_back(filler.path(k));
  }
  return table;
}

}  // namespace

int sums_of(const TwiddleRequest& request) {
  if (request.packed == 0) return 0;
  const bool alone = request.body->form == TwiddleForm::kNone;
  const int radix = alone ? request.body->radix : static_cast<int>(std::min<std::int64_t>(request.length, kMostPackedRadix));
  return is_of_sums(radix, alone) ? radix : 0;
}

const RootTable& RootCache::get(std::int64_t n) {
  for (const auto& [length, table] : tables_) {
    if (length == n) return *table;
  }
  return *tables_.emplace(n, std::make_unique<RootTable>(n, poll)).first->second;
}

TwiddleTable make_twiddle_table(const TwiddleRequest& request, ComputeType compute, RootCache& roots) {
  switch (compute) {
    case ComputeType::kF32: return fill<float>(request, compute, roots);
    case ComputeType::kF64: return fill<double>(request, compute, roots);
    case ComputeType::kDoubleDouble: return fill<DoubleDouble>(request, compute, roots);
    case ComputeType::kRoundedF32: return fill_rounded<float>(request, compute, roots);
    case ComputeType::kRoundedF64: return fill_rounded<double>(request, compute, roots);
  }
  return {};
}

double twiddle_table_bytes(const TwiddleRequest& request, ComputeType compute) {
  const Chunks chunks(request);
  const double values = static_cast<double>(chunks.all) * static_cast<double>(request.body->table.size());
  if (request.packed != 0)
    return ((1 + values) * 2 * request.lanes + static_cast<double>(sums_values(request))) * static_cast<double>(real_bytes(compute));
  return values * request.lanes * static_cast<double>(real_bytes(compute));
}

}  // namespace ulpfft

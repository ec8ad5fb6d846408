// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Fills the tables of twiddled passes from the terms that a codelet declares (BodyFacts::table).
//
// A pass of radix r after sub-transforms of length l multiplies point j of index k by w^(jk), w = exp(-2 pi i / (r l)).
// Order    Vector tables hold chunks of `lanes` consecutive k; each value of a chunk is a vector. Broadcast tables are ordered k by k.
//          In dual-select passes the standard body computes runs of straddling groups. The chunks of a run hold the values of the standard
//          body and follow each other closely; the first of them begins where it would begin anyway.
//          Tables of kPacked begin with a vector of (1, -1) pairs. Then each value stands twice; imaginary parts are multiplied by the
//          pair. The roots of is_of_sums() bodies come last (kPacked).
// Error    Every value is rounded once from double-double.
#ifndef ULPFFT_PLANNER_TABLE_TWIDDLE_TABLE_H_
#define ULPFFT_PLANNER_TABLE_TWIDDLE_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/format_info.h"
#include "planner/system/buffer.h"
#include "planner/system/poll.h"
#include "planner/table/root_table.h"

namespace ulpfft {

// Bytes of a real of the compute type.
constexpr std::size_t real_bytes(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: case ComputeType::kRoundedF32: return 4;
    case ComputeType::kF64: case ComputeType::kRoundedF64: return 8;
    case ComputeType::kDoubleDouble: return 16;
  }
  return 8;
}

struct TwiddleRequest {
  const BodyFacts* body = nullptr;
  std::int64_t length = 1;        // l
  std::int64_t begin = 0;         // k range
  std::int64_t end = 1;
  std::int64_t row = 0;           // k of a row, which has vectors_of() vectors that begin at vector_begin(); 0: one row
  int lanes = 1;                  // lanes of a vector; 1 with broadcast
  bool lane_order = false;        // lanes hold k in index_of_lane order
  int lanes_per_block = 1;        // reals in 128 bits, for index_of_lane
  bool broadcast = false;         // each k has values, and a path, of its own
  const FormatInfo* element = nullptr;  // rounded schemes round values to it and have a path word for every k
  int packed = 0;                 // kPacked: 1 for the forward transform, -1 for swapped ends; lanes are complex numbers
  bool operator==(const TwiddleRequest&) const = default;
};

struct TwiddleTable {
  AlignedBuffer values;
  std::vector<std::uint32_t> paths;  // dual-select only
};

// Roots by length, shared by the candidates of one planning. `poll` counts the values of all tables that are made of them.
class RootCache {
 public:
  const RootTable& get(std::int64_t n);  // kept until forget()
  void forget() { tables_.clear(); }

  Poll poll;

 private:
  std::map<std::int64_t, std::unique_ptr<RootTable>> tables_;
};

// The prime whose roots follow the twiddles of a table of kPacked, or 0.
int sums_of(const TwiddleRequest& request);

TwiddleTable make_twiddle_table(const TwiddleRequest& request, ComputeType compute, RootCache& roots);
// Bytes of the values of a table, which is not made.
double twiddle_table_bytes(const TwiddleRequest& request, ComputeType compute);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_TWIDDLE_TABLE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The costs of passes on a machine. They are measured once and kept in wisdom; a table shipped with the library serves until then.
//
// There is one row for each codelet and one for the machine. A row may be missing: never measured, or of another digest. Then the shipped
// row of the target replaces it; where that is missing, the row that another processor has for this target; else a model of the operation
// counts. All are scaled to the rows of the same kind that are known.
//
// Units   nanoseconds for a chunk. A chunk is one vector of butterflies, one vector of points in passes without a body, or one transform of
//         kWhole, kWholeTwo and kPacked.
#ifndef ULPFFT_PLANNER_COST_COST_TABLE_H_
#define ULPFFT_PLANNER_COST_COST_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/cost/streams_from.h"
#include "planner/system/clock.h"

namespace ulpfft {

// The levels are working sets of 16 KiB, 256 KiB, 4 MiB and 64 MiB, whatever the sizes of the
// caches. Data stay planar where a pass can keep them so.
enum class Cost : std::uint8_t {
  // The points of a butterfly are near each other (kFirst: at a distance that is no multiple of 4 KiB).
  kL1, kL2, kL3, kMemory,
  // The points are at a multiple of 4 KiB, where they meet in few cache sets. Twiddles are a stream as long as the data.
  kFarL2, kFarL3, kFarMemory,
  kInterleaved,            // L1, stored interleaved; kTwist: not transposed
  kNatural,                // the same from lanes in index order (kTwiddled)
  kStrided,                // L1, through a tile, because lanes are not adjacent at one end
  kStridedFar,             // the same for lanes 8 KiB apart
  kPartial, kPartialMost,  // L1, a chunk of one lane, and of all lanes but one
  kRow,                    // added once for every run of chunks; line passes of real transforms: for every line of a call but the first
  kCall,                   // added once for every call of the pass
};
inline constexpr std::size_t kCosts = 15;
// How far apart the lanes of Cost::kStridedFar are.
inline constexpr std::int64_t kFarLaneBytes = 8192;

struct CodeletCost {
  std::array<float, kCosts> ns{};
  double operator[](Cost cost) const { return static_cast<double>(ns[static_cast<std::size_t>(cost)]); }
  float& at(Cost cost) { return ns[static_cast<std::size_t>(cost)]; }
};

// Nanoseconds of one chunk of a light pass with a working set of 2^(14 + i) bytes. They tell how
// the time of a sweep grows from level to level.
inline constexpr int kFirstSweep = 14;
inline constexpr std::size_t kSweeps = 13;
struct MachineCost {
  std::array<float, kSweeps> sweep{};
  StreamsFrom streams;  // no row has it: it follows from the processor
};

// Rows as they are shipped, in picoseconds.
struct ShippedCost {
  PassKind kind;
  ComputeType compute;
  char name[12];                    // name of the body; "n16+t8" for a pair
  std::array<std::uint32_t, kCosts> ps;
};
struct ShippedCosts {
  std::string_view target;
  std::string_view processor;
  std::array<std::uint32_t, kSweeps> sweep_ps;
  std::span<const ShippedCost> rows;
};
// Best target first, and for each target the processor for which the library was tuned; never empty.
std::span<const ShippedCosts> shipped_costs();
// The shipped processor that is nearest to this one.
std::string_view nearest_processor();

// A value; copies are cheap enough to hand to a search. It keeps the address of its codelets.
class CostTable {
 public:
  // The shipped costs of these codelets, equal on every machine.
  static CostTable shipped(const CodeletTable& codelets);
  // Those of a processor that ships; of the first one where the target has none of it.
  static CostTable shipped(const CodeletTable& codelets, std::string_view processor);
  // The shipped costs of the nearest processor, with what is known of this one. Made when it is first needed and then kept. Null if the
  // codelets are not those of a registered target.
  static const CostTable* default_for(const CodeletTable& codelets);
  // Times every codelet at every memory level for about `seconds`; 0: 2 s, but one whole round however long it takes.
  // A codelet that was not timed at every level keeps its shipped row.
  static CostTable measure(const CodeletTable& codelets, double seconds, const Clock& clock = steady_clock());

  // Rows of the wisdom table "costs", flat JSON objects on one line each (wisdom/schema.md); `machine` is part of every row. Rows of
  // other machines, other digests, or with a bad field are skipped; is_measured() is false when none was left.
  static CostTable from_rows(const std::vector<std::string>& rows, const std::string& machine, const CodeletTable& codelets);
  std::vector<std::string> rows(const std::string& machine) const;  // only rows that were measured

  bool is_measured() const { return measured_; }

  // Null for a codelet of another table.
  const CodeletCost* find(const CodeletInfo& codelet) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(codelets_.data());
    const std::uintptr_t at = (reinterpret_cast<std::uintptr_t>(&codelet) - begin) / sizeof codelet;
    return at < costs_.size() ? &costs_[at] : nullptr;
  }
  const MachineCost& machine() const { return machine_; }

 private:
  friend class CostMeasurement;
  // Replaces rows that are not of this machine by the shipped ones of a processor, scaled.
  void complete(const CodeletTable& codelets, std::string_view processor);

  std::span<const CodeletInfo> codelets_;
  std::vector<CodeletCost> costs_;      // by position in codelets_
  std::vector<std::uint8_t> is_own_;    // whether the row was measured on this machine
  MachineCost machine_;
  bool measured_ = false;
};

// The name of a codelet in rows: "twiddled t8_ds f32".
std::string codelet_label(const CodeletInfo& codelet);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_COST_TABLE_H_

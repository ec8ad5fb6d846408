// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What is remembered of one plan, and the content of a wisdom text.
//
// An entry is flat: scalars only. Its identity is (problem_key, machine, threads). Text forms and limits: wisdom/schema.md.
#ifndef ULPFFT_WISDOM_ENTRY_H_
#define ULPFFT_WISDOM_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ulpfft {

// A name and a JSON scalar as text, e.g. {"note", "\"quiet machine\""}: what a newer version wrote and this one only carries.
using UnknownField = std::pair<std::string, std::string>;

struct Entry {
  std::string problem_key;  // problem_key() of a problem
  std::string machine;      // machine_slug()
  int threads = 1;          // chosen, 1..4096
  std::string recipe;
  std::string codelets;                   // the target of narrower vectors whose codelets the plan uses; empty: that of the machine
  std::uint64_t digest = 0;               // of the codelets the recipe uses
  double seconds = 0;                     // median of one execution; 0: not timed
  double spread = 0;                      // relative median absolute deviation
  double error = 0;                       // relative L2
  std::string error_level = "predicted";  // "predicted", "sampled", "full"
  std::string effort = "measure";         // "estimate", "measure", "patient", "exhaustive"
  std::string library_version;
  std::vector<UnknownField> unknown;  // sorted by name

  bool operator==(const Entry&) const = default;
};

inline constexpr std::size_t kMaxWisdomString = 256;
inline constexpr std::size_t kMaxWisdomRows = 100'000;  // plans and rows of other tables, together
inline constexpr std::size_t kMaxWisdomBytes = std::size_t{64} << 20;
inline constexpr int kMaxEntryThreads = 4096;

// How hard the planner looked: 1 estimate, 2 measure, 3 patient, 4 exhaustive; 0 for a word this version does not know.
int effort_rank(std::string_view effort);

// Why an entry cannot be written or used, as a sentence; empty when all fields are in range. Texts are checked for their
// characters only.
std::string entry_fault(const Entry& entry);

// The schema an entry needs: 1 for what the first version of the library can use, which rejects entries with other words and drops
// them when it saves; it carries entries of schema 2 as they are. The newest word says which: those of problems by their rows
// (problem_fields.h), all others by schema.md.
int entry_schema(const Entry& entry);
int newest_entry_schema();  // that this version reads

// A wisdom text as a value.
struct Document {
  std::vector<Entry> plans;
  std::vector<std::string> newer_plans;                    // entries of a newer schema, each a flat JSON object on one line
  std::map<std::string, std::vector<std::string>> tables;  // other top-level arrays (e.g. "costs"), rows as above
  std::map<std::string, std::string> values;               // other top-level scalars, as JSON text

  bool operator==(const Document&) const = default;
};

// What became of the entries of a wisdom text.
struct ImportReport {
  std::size_t accepted = 0;          // usable here
  std::size_t stale = 0;             // made by codelets this build does not have: kept out
  std::size_t foreign = 0;           // another machine or a newer schema: kept for export, not used
  std::size_t malformed = 0;         // a bad field: dropped
  std::vector<std::string> details;  // "stale: <which>: <why>", one per entry not accepted; at most kMaxDetails, counts go on

  static constexpr std::size_t kMaxDetails = 1000;
  void add_stale(const std::string& which, const std::string& why);
  void add_foreign(const std::string& which, const std::string& why);
  void add_malformed(const std::string& which, const std::string& why);
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_ENTRY_H_

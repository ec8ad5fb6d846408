// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Remembered plans in memory.
//
// Identity   (problem_key, machine, threads). Of two entries with one identity the higher effort is kept; at equal effort the one
//            that arrives later. Unknown fields of the loser pass to the winner when both have the same recipe.
// Cost       a look-up does not depend on the number of entries; find_within() on that of limits for its problem.
// Threads    every function may be called at any time; callbacks run without the lock.
// Failure    import() and merge() change everything or, when they throw, nothing.
#ifndef ULPFFT_WISDOM_STORE_H_
#define ULPFFT_WISDOM_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wisdom/entry.h"
#include "wisdom/fork.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// What can be used here: the planner's part of an import.
struct ImportPolicy {
  // Slugs of this machine, e.g. one per target; entries of others are foreign.
  std::vector<std::string> machines;
  // Digest of the codelets a recipe would use here, those of the target `codelets` where that is not empty; nullopt when it cannot be
  // built, which makes the entry stale, as does a PlanError (its message becomes the reason). Empty: digests are not compared. The problem
  // may be one that check() refuses.
  std::function<std::optional<std::uint64_t>(const Problem& problem, const Recipe& recipe, const std::string& codelets)> digest;
};

class Store {
 public:
  Store() = default;
  Store(const Store& other);
  Store& operator=(const Store& other) = delete;

  // The best entry of at least this effort, whatever its thread count: the highest effort, then the fewest seconds.
  std::optional<Entry> find(const std::string& problem_key, const std::string& machine,
                            std::string_view effort_at_least = "estimate") const;

  // The fastest entry for the same problem, under any error limit, whose error was measured to be at most `max_error`.
  // A recipe that was the fastest within a looser limit is the fastest within every limit it keeps; one made for a stricter limit is
  // admissible, but something faster may exist.
  std::optional<Entry> find_within(const std::string& problem_key, const std::string& machine, double max_error,
                                   std::string_view effort_at_least = "estimate") const;

  // Returns whether the entry is now the one kept; false, too, when the store holds kMaxWisdomRows. Throws PlanError
  // (ULPFFT_INVALID_ARGUMENT) for an entry that could not be written, see entry_fault().
  bool remember(Entry entry);

  // Adds what decode_wisdom() read: accepted, stale, foreign or malformed are counted in the report (malformed here: a key or
  // recipe that does not parse, or an identity that stands twice). Throws PlanError (ULPFFT_UNSUPPORTED) beyond kMaxWisdomRows.
  void import(const Document& document, const ImportPolicy& policy, ImportReport& report);

  // Adds everything of another store as if it arrived now. Throws as import().
  void merge(const Store& other);

  // A table beside the plans, e.g. "costs": each row a flat JSON object on one line (parse_flat_row() in wisdom/codec.h). A row may
  // name its "machine"; those that do are replaced together: by replace_table_rows(), and on import and merge by arriving rows of
  // that machine. Rows that name none are kept as a set.
  std::vector<std::string> table_rows(const std::string& table) const;
  // Throws PlanError: a row that is not a flat object (ULPFFT_INVALID_TEXT) or names another machine, a bad name of a table
  // (ULPFFT_INVALID_ARGUMENT), more than kMaxWisdomRows (ULPFFT_UNSUPPORTED). The store is then as before. No rows: none of that
  // machine stay.
  void replace_table_rows(const std::string& table, const std::string& machine, std::vector<std::string> rows);

  // Everything, sorted; encode_wisdom() makes a text of it.
  Document document() const;
  // Plans that find() may return on some machine; entries of a newer schema and other tables are not counted.
  std::size_t size() const;
  // By position in the order of document(); nullopt at and beyond size(). Positions change when the store does.
  std::optional<Entry> entry(std::size_t index) const;
  void forget();

 private:
  using ByThreads = std::map<int, Entry>;
  using ByMachine = std::map<std::string, std::set<std::string>>;  // "" for rows that name none
  struct State {
    std::unordered_map<std::string, ByThreads> plans;  // by problem key, newline, machine
    std::unordered_map<std::string, std::set<std::string>> limits;  // keys of plans under an error limit, by the key without it
    std::size_t plan_count = 0;
    std::set<std::string> newer_plans;
    std::map<std::string, ByMachine> tables;
    std::map<std::string, std::string> values;

    std::size_t rows() const;
    bool put(Entry entry);
    void put_rest(const Document& document);
    Document document() const;
  };
  static std::vector<const Entry*> sorted(const State& state);
  State copy() const;
  void add(const std::vector<Entry>& plans, const Document& rest);

  mutable ForkSafeMutex mutex_;
  State state_;
  mutable std::optional<std::vector<const Entry*>> order_;  // for entry(), made when first asked for
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_STORE_H_

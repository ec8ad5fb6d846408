// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/store.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wisdom/codec.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

std::string key_of(const std::string& problem_key, const std::string& machine) { return problem_key + '\n' + machine; }

// A problem without its error limit, which stands as one word in its key; empty where it has none.
std::string without_limit(const std::string& problem_key) {
  constexpr std::string_view kWord = " max_error=";
  const std::size_t begin = problem_key.find(kWord);
  if (begin == std::string::npos) return "";
  std::string rest = problem_key;
  return rest.erase(begin, rest.find(' ', begin + kWord.size()) - begin);
}

// Untimed entries (seconds 0) come after timed ones of the same effort.
auto rank_by_effort(const Entry& entry) { return std::make_tuple(-effort_rank(entry.effort), entry.seconds == 0, entry.seconds); }

// What is called which in a report.
std::string name_of(const Entry& entry) {
  return in_quotes(entry.problem_key) + " on " + entry.machine +
         (entry.threads == 1 ? "" : " with " + std::to_string(entry.threads) + " threads");
}

// What the texts of an entry say; `fault`: why they cannot be read here, or empty. check() is left to the planner: for hostile strides it
// takes long.
struct Texts {
  Problem problem;
  Recipe recipe;
  std::string fault;

  explicit Texts(const Entry& entry) {
    try {
      problem = parse_problem(entry.problem_key);
      if (problem_key(problem) != entry.problem_key) fault = "its problem is not a key as this version prints it.";
      recipe = parse_recipe(entry.recipe);
    } catch (const PlanError& error) {
      fault = error.message;
    }
  }
};

// What a row of a table says of its machine; empty when nothing.
std::string machine_of(const FlatRow& row) {
  const auto found = row.find("machine");
  if (found == row.end() || !std::holds_alternative<std::string>(found->second)) return "";
  return std::get<std::string>(found->second);
}

[[noreturn]] void refuse_rows(std::size_t rows) {
  throw PlanError(ULPFFT_UNSUPPORTED, "wisdom",
                  "The wisdom would have " + std::to_string(rows) + " rows; at most " + std::to_string(kMaxWisdomRows) +
                      " are kept. Forget some of it.");
}

void refuse_names(std::size_t names) {
  if (names + 2 <= kMaxWisdomNames) return;
  throw PlanError(ULPFFT_UNSUPPORTED, "wisdom",
                  "The wisdom would have " + std::to_string(names + 2) + " names at the top level; at most " +
                      std::to_string(kMaxWisdomNames) + " are kept. Forget some of it.");
}

void inherit_unknown(Entry& winner, const Entry& loser) {
  if (winner.recipe != loser.recipe) return;
  for (const UnknownField& field : loser.unknown) {
    const bool present =
        std::any_of(winner.unknown.begin(), winner.unknown.end(), [&](const UnknownField& f) { return f.first == field.first; });
    if (!present) winner.unknown.push_back(field);
  }
  std::sort(winner.unknown.begin(), winner.unknown.end());
}

}  // namespace

std::size_t Store::State::rows() const {
  std::size_t count = plan_count + newer_plans.size();
  for (const auto& [name, table] : tables) {
    for (const auto& [machine, lines] : table) count += lines.size();
  }
  return count;
}

bool Store::State::put(Entry entry) {
  const std::string key = key_of(entry.problem_key, entry.machine);
  ByThreads& entries = plans[key];
  if (const std::string problem = without_limit(entry.problem_key); !problem.empty()) limits[key_of(problem, entry.machine)].insert(key);
  const auto found = entries.find(entry.threads);
  if (found == entries.end()) {
    entries.emplace(entry.threads, std::move(entry));
    ++plan_count;
    return true;
  }
  Entry& present = found->second;
  const bool wins = effort_rank(entry.effort) >= effort_rank(present.effort);
  if (wins) std::swap(present, entry);
  inherit_unknown(present, entry);
  return wins;
}

void Store::State::put_rest(const Document& document) {
  newer_plans.insert(document.newer_plans.begin(), document.newer_plans.end());
  for (const auto& [name, lines] : document.tables) {
    ByMachine arriving;
    for (const std::string& line : lines) arriving[machine_of(parse_flat_row(line))].insert(line);
    values.erase(name);  // a text has each name once; a table counts more than a lone value
    ByMachine& table = tables[name];
    for (auto& [machine, rows_of_machine] : arriving) {
      if (machine.empty()) {
        table[machine].merge(rows_of_machine);
      } else {
        table[machine] = std::move(rows_of_machine);
      }
    }
  }
  for (const auto& [name, value] : document.values) {
    if (!tables.contains(name)) values[name] = value;
  }
}

std::vector<const Entry*> Store::sorted(const State& state) {
  std::vector<const Entry*> entries;
  for (const auto& [key, by_threads] : state.plans) {
    for (const auto& [threads, entry] : by_threads) entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) {
    return std::tie(a->machine, a->problem_key, a->threads) < std::tie(b->machine, b->problem_key, b->threads);
  });
  return entries;
}

Document Store::State::document() const {
  Document result;
  for (const Entry* entry : sorted(*this)) result.plans.push_back(*entry);
  result.newer_plans.assign(newer_plans.begin(), newer_plans.end());
  for (const auto& [name, table] : tables) {
    std::vector<std::string>& lines = result.tables[name];
    for (const auto& [machine, rows_of_machine] : table) lines.insert(lines.end(), rows_of_machine.begin(), rows_of_machine.end());
    std::sort(lines.begin(), lines.end());
  }
  result.values = values;
  return result;
}

Store::State Store::copy() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Store::Store(const Store& other) : state_(other.copy()) {}

std::optional<Entry> Store::find(const std::string& problem_key, const std::string& machine,
                                 std::string_view effort_at_least) const {
  const int least = effort_rank(effort_at_least);
  const std::string key = key_of(problem_key, machine);
  const std::lock_guard lock(mutex_);
  const auto found = state_.plans.find(key);
  if (found == state_.plans.end()) return std::nullopt;
  const Entry* best = nullptr;
  for (const auto& [threads, entry] : found->second) {
    if (effort_rank(entry.effort) >= least && (best == nullptr || rank_by_effort(entry) < rank_by_effort(*best))) best = &entry;
  }
  return best == nullptr ? std::nullopt : std::optional<Entry>(*best);
}

std::optional<Entry> Store::find_within(const std::string& problem_key, const std::string& machine, double max_error,
                                        std::string_view effort_at_least) const {
  const int least = effort_rank(effort_at_least);
  const auto rank = [](const Entry& entry) { return std::make_pair(entry.seconds == 0, entry.seconds); };
  const std::lock_guard lock(mutex_);
  const auto limits = state_.limits.find(key_of(without_limit(problem_key), machine));
  if (limits == state_.limits.end()) return std::nullopt;
  const Entry* best = nullptr;
  for (const std::string& key : limits->second) {
    for (const auto& [threads, entry] : state_.plans.at(key)) {
      if (entry.error_level == "predicted" || !(entry.error <= max_error) || effort_rank(entry.effort) < least) continue;
      if (best == nullptr || rank(entry) < rank(*best)) best = &entry;
    }
  }
  return best == nullptr ? std::nullopt : std::optional<Entry>(*best);
}

bool Store::remember(Entry entry) {
  if (const std::string fault = entry_fault(entry); !fault.empty()) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "wisdom", "The plan cannot be remembered: " + fault);
  }
  const std::lock_guard lock(mutex_);
  if (state_.rows() >= kMaxWisdomRows) {
    const auto found = state_.plans.find(key_of(entry.problem_key, entry.machine));
    if (found == state_.plans.end() || !found->second.contains(entry.threads)) return false;
  }
  order_.reset();
  return state_.put(std::move(entry));
}

// On a copy, so that a failure half-way leaves the store as it was.
void Store::add(const std::vector<Entry>& plans, const Document& rest) {
  const std::lock_guard lock(mutex_);
  State next = state_;
  for (const Entry& entry : plans) next.put(entry);
  next.put_rest(rest);
  if (next.rows() > kMaxWisdomRows) refuse_rows(next.rows());
  refuse_names(next.tables.size() + next.values.size());
  order_.reset();
  std::swap(state_, next);
}

void Store::import(const Document& document, const ImportPolicy& policy, ImportReport& report) {
  ImportReport result = report;
  std::vector<Entry> kept;
  std::set<std::tuple<std::string, std::string, int>> seen;
  for (const Entry& entry : document.plans) {
    if (const std::string fault = entry_fault(entry); !fault.empty()) {
      result.add_malformed(name_of(entry), fault);
    } else if (!seen.emplace(entry.problem_key, entry.machine, entry.threads).second) {
      result.add_malformed(name_of(entry), "the entry stands twice; the first one counts.");
    } else if (std::find(policy.machines.begin(), policy.machines.end(), entry.machine) == policy.machines.end()) {
      // Whether the device is here would take its driver to say.
      const bool is_of_device = entry.problem_key.find(" backend=") != std::string::npos;
      result.add_foreign(name_of(entry), is_of_device ? "it is of a device. Plans for that device find it, if it is here."
                                                      : "it was planned on another machine.");
      kept.push_back(entry);
    } else if (const Texts texts(entry); !texts.fault.empty()) {
      result.add_malformed(name_of(entry), texts.fault);
    } else {
      std::string stale;
      try {
        const std::optional<std::uint64_t> digest =
            policy.digest ? policy.digest(texts.problem, texts.recipe, entry.codelets) : entry.digest;
        if (!digest) {
          stale = "its recipe " + in_quotes(entry.recipe) + " cannot be built here.";
        } else if (*digest != entry.digest) {
          stale = "its codelets or formats have changed since.";
        }
      } catch (const PlanError& error) {
        stale = error.message;
      }
      if (!stale.empty()) {
        result.add_stale(name_of(entry), stale);
      } else {
        ++result.accepted;
        kept.push_back(entry);
      }
    }
  }
  for (const std::string& row : document.newer_plans) result.add_foreign(in_quotes(row), "it was written by a newer version.");
  add(kept, document);
  report = std::move(result);
}

void Store::merge(const Store& other) {
  const Document document = other.document();
  add(document.plans, document);
}

std::vector<std::string> Store::table_rows(const std::string& table) const {
  std::vector<std::string> lines;
  const std::lock_guard lock(mutex_);
  const auto found = state_.tables.find(table);
  if (found == state_.tables.end()) return lines;
  for (const auto& [machine, rows] : found->second) lines.insert(lines.end(), rows.begin(), rows.end());
  return lines;
}

void Store::replace_table_rows(const std::string& table, const std::string& machine, std::vector<std::string> rows) {
  if (!is_table_name(table)) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "table", in_quotes(table) + " is not the name of a table beside the plans.");
  }
  if (machine.empty()) throw PlanError(ULPFFT_INVALID_ARGUMENT, "machine", "Rows of a table are replaced by machine; it is empty.");
  std::set<std::string> lines;
  for (const std::string& row : rows) {
    const FlatRow members = parse_flat_row(row);
    if (machine_of(members) != machine) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "row", "The row " + in_quotes(row) + " does not say machine " + in_quotes(machine) + ".");
    }
    lines.insert(print_flat_row(members));
  }
  const std::lock_guard lock(mutex_);
  const auto found = state_.tables.find(table);
  std::size_t before = 0;
  if (found != state_.tables.end()) {
    const auto present = found->second.find(machine);
    if (present != found->second.end()) before = present->second.size();
  }
  const std::size_t after = state_.rows() - before + lines.size();
  if (after > kMaxWisdomRows) refuse_rows(after);
  if (!lines.empty()) {
    if (found == state_.tables.end()) refuse_names(state_.tables.size() + 1 + state_.values.size() - state_.values.count(table));
    state_.values.erase(table);
    state_.tables[table][machine] = std::move(lines);
  } else if (before > 0) {
    found->second.erase(machine);
  }
}

Document Store::document() const {
  const std::lock_guard lock(mutex_);
  return state_.document();
}

std::size_t Store::size() const {
  const std::lock_guard lock(mutex_);
  return state_.plan_count;
}

std::optional<Entry> Store::entry(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  if (!order_) order_ = sorted(state_);
  if (index >= order_->size()) return std::nullopt;
  return *(*order_)[index];
}

void Store::forget() {
  const std::lock_guard lock(mutex_);
  order_.reset();
  state_ = State();
}

}  // namespace ulpfft

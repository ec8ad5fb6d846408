// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/cost/cost_table.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "codelets/registry.h"
#include "planner/cost/cost_model.h"
#include "planner/cost/median.h"
#include "wisdom/codec.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr const char* kCostNames[kCosts] = {"l1",          "l2",      "l3",      "memory",      "far_l2",  "far_l3",       "far_memory",
                                            "interleaved", "natural", "strided", "strided_far", "partial", "partial_most", "row",
                                            "call"};
constexpr const char* kMachineLabel = "machine";
constexpr double kLargestNs = 1e7;

const char* kind_label(PassKind kind) { return has_body(kind) ? row_of(kind).name : "line"; }

std::string body_label(const CodeletInfo& codelet) {
  return std::string(codelet.body->name) + (codelet.second != nullptr ? std::string("+") + codelet.second->name : "");
}

bool has_row(const CodeletInfo& codelet) {
  return codelet.body != nullptr && (codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kF64);
}

std::string digest_text(const CodeletInfo& codelet) {
  std::uint64_t digest = codelet.body->digest;
  if (codelet.second != nullptr) digest = digest * 0x100000001b3u ^ codelet.second->digest;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

// A number of a row, or NaN.
double number_of(const FlatRow& row, const std::string& name) {
  const auto at = row.find(name);
  const double* number = at == row.end() ? nullptr : std::get_if<double>(&at->second);
  return number != nullptr ? *number : std::nan("");
}

std::string text_of(const FlatRow& row, const std::string& name) {
  const auto at = row.find(name);
  const std::string* text = at == row.end() ? nullptr : std::get_if<std::string>(&at->second);
  return text != nullptr ? *text : std::string();
}

bool is_cost(double ns) { return ns >= 0 && ns <= kLargestNs; }

// The number with four digits, because people read rows as well.
double rounded(float ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", static_cast<double>(ns));
  return std::strtod(text, nullptr);
}

float nanoseconds(std::uint32_t ps) { return static_cast<float>(1e-3 * static_cast<double>(ps)); }

// Costs of every processor for this target, that of the named processor first.
std::vector<const ShippedCosts*> shipped_for(const CodeletTable& codelets, std::string_view processor) {
  std::vector<const ShippedCosts*> found;
  for (const ShippedCosts& costs : shipped_costs()) {
    if (costs.target == codelets.target) found.insert(costs.processor == processor ? found.begin() : found.end(), &costs);
  }
  return found;
}

bool is_of(const ShippedCost& row, const CodeletInfo& codelet) {
  if (row.kind != codelet.kind || row.compute != codelet.compute) return false;
  const std::string_view first = codelet.body->name, name = row.name;
  if (name.substr(0, first.size()) != first) return false;
  if (codelet.second == nullptr) return name.size() == first.size();
  return name.size() > first.size() && name[first.size()] == '+' && name.substr(first.size() + 1) == codelet.second->name;
}

// Costs of codelets by their position in a table, as far as they are known.
struct KnownRows {
  std::vector<CodeletCost> costs;
  std::vector<std::uint8_t> has;

  explicit KnownRows(std::size_t codelets) : costs(codelets), has(codelets, 0) {}
  KnownRows(std::vector<CodeletCost> known, std::vector<std::uint8_t> is_known) : costs(std::move(known)), has(std::move(is_known)) {}

  bool are_all(std::span<const CodeletInfo> codelets) const {
    for (std::size_t i = 0; i < codelets.size(); ++i) {
      if (has_row(codelets[i]) && !has[i]) return false;
    }
    return true;
  }

  // Fills rows that are missing with rows of `from`, which returns null where it has none, times the median ratio of the rows that both
  // have: of the same kind and type if there are some, else of all.
  template <typename From>
  void fill(std::span<const CodeletInfo> codelets, const From& from) {
    if (are_all(codelets)) return;
    std::map<std::pair<PassKind, ComputeType>, std::vector<std::size_t>> missing, known;
    for (std::size_t i = 0; i < codelets.size(); ++i) {
      if (has_row(codelets[i])) (has[i] ? known : missing)[{codelets[i].kind, codelets[i].compute}].push_back(i);
    }
    const auto ratios_of = [&](const std::vector<std::size_t>& rows, std::vector<double>& ratios) {
      for (const std::size_t i : rows) {
        const CodeletCost* const other = from(i);
        if (other != nullptr && (*other)[Cost::kL1] > 0) ratios.push_back(costs[i][Cost::kL1] / (*other)[Cost::kL1]);
      }
    };
    for (const auto& [kind, rows] : missing) {
      std::vector<double> ratios;
      if (const auto same = known.find(kind); same != known.end()) ratios_of(same->second, ratios);
      if (ratios.empty()) {
        for (const auto& [any, others] : known) ratios_of(others, ratios);
      }
      const double scale = ratios.empty() ? 1.0 : median(ratios);
      for (const std::size_t i : rows) {
        const CodeletCost* const other = from(i);
        if (other == nullptr) continue;
        for (std::size_t c = 0; c < kCosts; ++c) costs[i].ns[c] = static_cast<float>(scale * static_cast<double>(other->ns[c]));
        has[i] = 1;
      }
    }
  }
};

KnownRows rows_of(const ShippedCosts& shipped, std::span<const CodeletInfo> codelets) {
  KnownRows known(codelets.size());
  std::size_t at = 0;  // rows mostly have the order of the codelets
  for (std::size_t i = 0; i < codelets.size(); ++i) {
    if (!has_row(codelets[i])) continue;
    for (std::size_t looked = 0; looked < shipped.rows.size(); ++looked) {
      const ShippedCost& row = shipped.rows[at];
      at = at + 1 == shipped.rows.size() ? 0 : at + 1;
      if (!is_of(row, codelets[i])) continue;
      for (std::size_t c = 0; c < kCosts; ++c) known.costs[i].ns[c] = nanoseconds(row.ps[c]);
      known.has[i] = 1;
      break;
    }
  }
  return known;
}

// A list without a lock, because a lock would stay held in a child process if another thread forked while holding it. If two threads come
// first together, both may keep their table.
struct DefaultTable {
  const CodeletInfo* codelets;
  CostTable costs;
  DefaultTable* next;
};
struct DefaultTables {
  std::atomic<DefaultTable*> first{nullptr};
  ~DefaultTables() {
    for (DefaultTable* table = first.load(); table != nullptr;) delete std::exchange(table, table->next);
  }
};
constinit DefaultTables default_tables;

}  // namespace

std::string codelet_label(const CodeletInfo& codelet) {
  const bool is_f32 = codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kRoundedF32;
  return std::string(kind_label(codelet.kind)) + ' ' + body_label(codelet) + (is_f32 ? " f32" : " f64") +
         (is_rounded(codelet.compute) ? " rounded" : "");
}

void CostTable::complete(const CodeletTable& codelets, std::string_view processor) {
  codelets_ = codelets.codelets;
  costs_.resize(codelets_.size());
  is_own_.resize(codelets_.size(), 0);
  const std::vector<const ShippedCosts*> shipped = shipped_for(codelets, processor);
  // Targets without shipped costs get the sweep of the first target of the list.
  if (machine_.sweep[0] <= 0) {
    const ShippedCosts& like = shipped.empty() ? shipped_costs()[0] : *shipped[0];
    for (std::size_t i = 0; i < kSweeps; ++i) machine_.sweep[i] = nanoseconds(like.sweep_ps[i]);
  }
  KnownRows known = shipped.empty() ? KnownRows(codelets_.size()) : rows_of(*shipped[0], codelets_);
  for (std::size_t p = 1; p < shipped.size() && !known.are_all(codelets_); ++p) {
    const KnownRows rows = rows_of(*shipped[p], codelets_);
    known.fill(codelets_, [&](std::size_t i) { return rows.has[i] ? &rows.costs[i] : nullptr; });
  }
  CodeletCost modelled;
  known.fill(codelets_, [&](std::size_t i) {
    modelled = modelled_cost(codelets_[i], codelets);
    return &modelled;
  });
  if (!measured_) {
    costs_ = std::move(known.costs);
    return;
  }
  KnownRows own(std::move(costs_), is_own_);
  own.fill(codelets_, [&](std::size_t i) { return &known.costs[i]; });
  costs_ = std::move(own.costs);
}

CostTable CostTable::shipped(const CodeletTable& codelets) {
  return shipped(codelets, shipped_costs()[0].processor);
}

CostTable CostTable::shipped(const CodeletTable& codelets, std::string_view processor) {
  CostTable table;
  table.complete(codelets, processor);
  return table;
}

const CostTable* CostTable::default_for(const CodeletTable& codelets) {
  for (const DefaultTable* known = default_tables.first.load(std::memory_order_acquire); known != nullptr; known = known->next) {
    if (known->codelets == codelets.codelets.data()) return &known->costs;
  }
  const std::span<const RegisteredTarget> targets = registered_targets();
  const CodeletInfo* const key = codelets.codelets.data();
  const bool registered =
      std::any_of(targets.begin(), targets.end(), [&](const RegisteredTarget& t) { return t.table.codelets.data() == key; });
  if (!registered) return nullptr;
  auto made = std::make_unique<DefaultTable>(DefaultTable{key, shipped(codelets, nearest_processor()), default_tables.first.load(std::memory_order_acquire)});
  made->costs.machine_.streams = streams_from_here();
  while (!default_tables.first.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
  }
  return &made.release()->costs;
}

CostTable CostTable::from_rows(const std::vector<std::string>& rows, const std::string& machine, const CodeletTable& codelets) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < codelets.codelets.size(); ++i) {
    if (has_row(codelets.codelets[i])) places[codelet_label(codelets.codelets[i])] = i;
  }
  CostTable table;
  table.costs_.resize(codelets.codelets.size());
  table.is_own_.resize(codelets.codelets.size(), 0);
  for (const std::string& text : rows) {
    FlatRow row;
    try {
      row = parse_flat_row(text);
    } catch (const PlanError&) {
      continue;  // costs are hints, so an unreadable row is skipped
    }
    if (text_of(row, "machine") != machine) continue;
    const std::string label = text_of(row, "codelet");
    if (label == kMachineLabel) {
      MachineCost cost;
      bool good = true;
      for (std::size_t i = 0; i < kSweeps; ++i) {
        const double ns = number_of(row, "sweep_" + std::to_string(kFirstSweep + static_cast<int>(i)));
        good = good && is_cost(ns);
        if (good) cost.sweep[i] = static_cast<float>(ns);
        good = good && (i == 0 || cost.sweep[i] >= cost.sweep[i - 1]);
      }
      if (good && cost.sweep[0] > 0) table.machine_ = cost;
      continue;
    }
    const auto place = places.find(label);
    if (place == places.end() || text_of(row, "digest") != digest_text(codelets.codelets[place->second])) continue;
    CodeletCost cost;
    bool good = true;
    for (std::size_t c = 0; c < kCosts; ++c) {
      const double ns = number_of(row, kCostNames[c]);
      good = good && is_cost(ns);
      if (good) cost.ns[c] = static_cast<float>(ns);
    }
    if (!good || cost[Cost::kL1] <= 0) continue;
    table.costs_[place->second] = cost;
    table.is_own_[place->second] = 1;
    table.measured_ = true;
  }
  table.complete(codelets, nearest_processor());
  table.machine_.streams = streams_from_here();
  return table;
}

std::vector<std::string> CostTable::rows(const std::string& machine) const {
  std::vector<std::string> rows;
  if (!measured_) return rows;
  FlatRow first{{"machine", machine}, {"codelet", std::string(kMachineLabel)}};
  for (std::size_t i = 0; i < kSweeps; ++i) {
    first["sweep_" + std::to_string(kFirstSweep + static_cast<int>(i))] = rounded(machine_.sweep[i]);
  }
  rows.push_back(print_flat_row(first));
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    if (!is_own_[i]) continue;
    FlatRow row{{"machine", machine}, {"codelet", codelet_label(codelets_[i])}, {"digest", digest_text(codelets_[i])}};
    for (std::size_t c = 0; c < kCosts; ++c) row[kCostNames[c]] = rounded(costs_[i].ns[c]);
    rows.push_back(print_flat_row(row));
  }
  return rows;
}

}  // namespace ulpfft

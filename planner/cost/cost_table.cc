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

const char* kind_label(PassKind kind) {
  switch (kind) {
    case PassKind::kWhole: return "whole";
    case PassKind::kWholeTwo: return "whole_two";
    case PassKind::kPacked: return "packed";
    case PassKind::kFirst: return "first";
    case PassKind::kTwiddled: return "twiddled";
    case PassKind::kColumns: return "columns";
    case PassKind::kColumnsTwiddled: return "columns_twiddled";
    case PassKind::kReal: return "real";
    default: return "line";
  }
}

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

const ShippedCosts* shipped_for(const CodeletTable& codelets) {
  for (const ShippedCosts& costs : shipped_costs()) {
    if (costs.target == codelets.target) return &costs;
  }
  return nullptr;
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

void CostTable::complete(const CodeletTable& codelets) {
  codelets_ = codelets.codelets;
  costs_.resize(codelets_.size());
  is_own_.resize(codelets_.size(), 0);
  const ShippedCosts* shipped = shipped_for(codelets);
  // Targets without shipped costs get the sweep of the first target of the list.
  if (machine_.sweep[0] <= 0) {
    const ShippedCosts& like = shipped != nullptr ? *shipped : shipped_costs()[0];
    for (std::size_t i = 0; i < kSweeps; ++i) machine_.sweep[i] = nanoseconds(like.sweep_ps[i]);
  }

  std::vector<CodeletCost> known(codelets_.size());
  std::vector<std::uint8_t> is_known(codelets_.size(), 0);
  for (std::size_t i = 0; shipped != nullptr && i < codelets_.size(); ++i) {
    if (!has_row(codelets_[i])) continue;
    const std::string label = body_label(codelets_[i]);
    for (const ShippedCost& row : shipped->rows) {
      if (row.kind != codelets_[i].kind || row.compute != codelets_[i].compute || label != row.name) continue;
      for (std::size_t c = 0; c < kCosts; ++c) known[i].ns[c] = nanoseconds(row.ps[c]);
      is_known[i] = 1;
      break;
    }
  }
  // Fills the rows that `have` lacks with rows of `from`, times the median ratio of the rows that both have.
  const auto fill = [&](std::vector<CodeletCost>& have, std::vector<std::uint8_t>& has, const auto& from) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < codelets_.size(); ++i) {
      const CodeletCost* other = has_row(codelets_[i]) && has[i] ? from(i) : nullptr;
      if (other != nullptr && (*other)[Cost::kL1] > 0) ratios.push_back(have[i][Cost::kL1] / (*other)[Cost::kL1]);
    }
    const double scale = ratios.empty() ? 1.0 : median(ratios);
    for (std::size_t i = 0; i < codelets_.size(); ++i) {
      if (has[i] || !has_row(codelets_[i])) continue;
      const CodeletCost* other = from(i);
      if (other == nullptr) continue;
      for (std::size_t c = 0; c < kCosts; ++c) have[i].ns[c] = static_cast<float>(scale * static_cast<double>(other->ns[c]));
      has[i] = 1;
    }
  };
  CodeletCost modelled;
  fill(known, is_known, [&](std::size_t i) {
    modelled = modelled_cost(codelets_[i], codelets);
    return &modelled;
  });
  std::vector<std::uint8_t> has = is_own_;
  fill(costs_, has, [&](std::size_t i) { return &known[i]; });
}

CostTable CostTable::shipped(const CodeletTable& codelets) {
  CostTable table;
  table.complete(codelets);
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
  auto made = std::make_unique<DefaultTable>(DefaultTable{key, shipped(codelets), default_tables.first.load(std::memory_order_acquire)});
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
  table.complete(codelets);
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

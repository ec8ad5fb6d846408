// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan as a value: passes in loops, the tables they ask for, and what is known of them. Recipes are expanded to it; facts and estimates are
// read off it; a backend links it to steps.
#ifndef ULPFFT_PLANNER_PROGRAM_PROGRAM_H_
#define ULPFFT_PLANNER_PROGRAM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "planner/facts/plan_facts.h"
#include "planner/program/pass.h"
#include "planner/program/table_order.h"
#include "planner/table/row_list.h"

namespace ulpfft {

// A loop around passes and other loops.
struct Loop {
  std::int64_t count = 1;
  bool parallel = false;                    // iterations are independent
  bool numbered = false;                    // passes inside see which iteration it is
  bool split = false;                       // threads share the iterations
  std::uint8_t private_from = kSlots;       // parallel: slots from here on point to memory that iterations must not share
  std::int64_t private_bytes = 0;           // parallel: of that memory
  std::int64_t private_begin = 0;           // parallel: where that memory begins in the workspace, bytes
  std::int64_t increment[kSlots] = {};      // bytes that each slot moves on per iteration
  std::vector<Item> body;
};

struct Item : std::variant<Pass, Loop> {
  using variant::variant;
  const Pass* pass() const { return std::get_if<Pass>(this); }
  const Loop* loop() const { return std::get_if<Loop>(this); }
  Pass* pass() { return std::get_if<Pass>(this); }
  Loop* loop() { return std::get_if<Loop>(this); }
};

// One transform in registers, with a conversion before or after it by way of a tile on the stack.
struct TiledEntry {
  static constexpr std::int64_t kMostPoints = 512;
  const StoredRows* in = nullptr;   // null: the end is wide
  const StoredRows* out = nullptr;
};

struct Program : PlanFacts {
  std::string scheme;
  std::vector<Item> body;
  std::vector<TableOrder> tables;
  std::vector<RowOrder> rows;
  // Of an mx scheme, whose twiddles are known when they are made: what replaces predicted_error then.
  struct MxErrors {
    double block = 0;             // relative, of rounding data to a block
    std::vector<double> squares;  // of everything else, in the order they are added
  };
  MxErrors mx_errors;
  // Owned here, named by passes.
  std::vector<std::shared_ptr<const StoredRows>> stored_rows;
  std::vector<std::shared_ptr<const BlockRows>> block_rows;
  std::vector<std::shared_ptr<const StoredStage>> stored_stages;
  // How an execution may begin, where it needs no walk over steps.
  bool bare = false;             // one kWhole pass that needs no loop, shift or scale
  bool direct = false;           // one kPacked pass without a loop
  bool direct_fused = false;     // the same that converts at both ends
  bool tiled = false;
  TiledEntry tile;
  bool work_may_be_out = false;  // a vector-aligned output array can serve as kWork0
  // Where passes decode or encode: the same arithmetic with conversions of their own, for executions with exponents per transform.
  std::shared_ptr<const Program> with_exponents;
};

// Of all tables and row lists of the program, each counted once; Program::table_bytes.
double table_bytes(const Program& program);

// Calls visit(pass, loops) for every pass in the order of execution; loops: those around it, outermost first.
template <typename Visit>
void visit_passes(const std::vector<Item>& body, std::vector<const Loop*>& loops, const Visit& visit) {
  for (const Item& item : body) {
    if (const Pass* pass = item.pass()) {
      visit(*pass, loops);
    } else {
      loops.push_back(item.loop());
      visit_passes(item.loop()->body, loops, visit);
      loops.pop_back();
    }
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PROGRAM_H_

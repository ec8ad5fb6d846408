// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan as a value: passes in loops, the tables they ask for, and what is known of them. Recipes are expanded to it; facts and estimates
// are read off it; a backend links it to steps.
#ifndef ULPFFT_PLANNER_PROGRAM_PROGRAM_H_
#define ULPFFT_PLANNER_PROGRAM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codelets/contract/real_images.h"
#include "planner/program/plan_facts.h"
#include "planner/program/array.h"
#include "planner/program/pass.h"
#include "planner/program/table_order.h"
#include "planner/scheme/scheme.h"
#include "planner/table/row_list.h"

namespace ulpfft {

struct Item;

// Whether a loop runs. Where the output has exponents, passes run once more before anything is encoded: they find that of a transform. The
// first pass of such a loop is FindExponent.
enum class When : std::uint8_t { kAlways, kIfExponents };

// By how much arrays move on from one iteration of a loop to the next. A list without memory of its own: planning makes thousands of them.
class Moves {
 public:
  struct Move {
    ArrayId array;
    std::int64_t by;
  };
  Moves() = default;
  Moves(std::initializer_list<Move> moves) {
    for (const Move& move : moves) add(move.array, move.by);
  }
  void add(ArrayId array, std::int64_t by);
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }

 private:
  static constexpr std::size_t kMost = 6;  // the arrays of the caller, without factors, and one of the workspace
  Move moves_[kMost] = {};
  std::size_t size_ = 0;
};

// What the passes of a loop that runs once compute together: both dimensions of images, which the target has a pass for.
struct RealImages {
  ImagePass pass;
  Operands args;
};

// A loop around passes and other loops.
struct Loop {
  Loop();
  Loop(const Loop&);
  Loop(Loop&&) noexcept;
  Loop& operator=(const Loop&);
  Loop& operator=(Loop&&) noexcept;
  ~Loop();

  std::int64_t count = 1;
  bool parallel = false;                    // iterations are independent
  bool numbered = false;                    // passes inside see which iteration it is
  bool split = false;                       // threads share the iterations
  bool panels = false;                      // a loop that was cut: each iteration is a panel, and no part of a larger pass
  When when = When::kAlways;
  std::shared_ptr<const RealImages> images;  // one pass does what the body does; null otherwise
  Moves moves;                              // bytes
  // Of parallel loops, set by the place stage: arrays that are taken inside are private to an iteration.
  std::uint8_t private_from = kSlots;       // slots from here on
  std::int64_t private_bytes = 0;
  std::int64_t private_begin = 0;           // in the workspace
  std::vector<Item> body;
};

// A work array begins to exist, or those from `first` on cease to.
struct Take {
  ArrayId array;
};
struct Release {
  ArrayId first;
};

struct Item : std::variant<Pass, Loop, Take, Release> {
  using variant::variant;
  const Pass* pass() const { return std::get_if<Pass>(this); }
  const Loop* loop() const { return std::get_if<Loop>(this); }
  Pass* pass() { return std::get_if<Pass>(this); }
  Loop* loop() { return std::get_if<Loop>(this); }
};

// How an execution may begin, where it needs no walk over steps.
enum class EntryPoint : std::uint8_t {
  kSteps,
  kBare,    // one kWhole pass that needs no loop, shift or scale
  kDirect,  // one kPacked or kReal pass without a loop, which may convert at its ends
  kTiled,   // one kPacked pass, with conversions apart before or after it, by way of a tile on the stack
  kPair,    // one kPacked pass, and kUntangle after it or kTangle before it, each of one line
};
// Of kTiled.
inline constexpr std::int64_t kMostTiledPoints = 512;

// A filter of a convolution that a transform in f64 made, by passes like those from `begin` to `end` of PlanFacts::passes. The filters from
// `first_inside` on belong to them.
struct FilterUse {
  std::size_t begin = 0, end = 0;
  std::size_t first_inside = 0;
};

struct Program : PlanFacts {
  Program();
  Program(const Program&);
  Program(Program&&) noexcept;
  Program& operator=(const Program&);
  Program& operator=(Program&&) noexcept;
  ~Program();

  std::string scheme_name;
  Scheme scheme;
  std::vector<Item> body;
  CallerArray in, out;
  std::vector<Array> arrays;  // of the workspace, by ArrayId from kFirstWork on
  std::vector<TableOrder> tables;
  std::vector<RowOrder> rows;
  std::vector<FilterUse> filters;
  // Of an mx scheme, whose twiddles are known when they are made: what replaces predicted_error then.
  struct MxErrors {
    double block = 0;             // relative, of rounding data to a block
    std::vector<double> squares;  // of everything else, in the order they are added
  };
  MxErrors mx_errors;
  // Owned here, named by passes.
  std::vector<std::shared_ptr<const StoredRows>> stored_rows;
  std::vector<std::shared_ptr<const BlockRows>> block_rows;
  std::vector<std::shared_ptr<const RoundedStage>> rounded_stages;
  EntryPoint entry_point = EntryPoint::kSteps;
  bool work_may_be_out = false;  // a vector-aligned output array can serve as kWork0
  // Where passes decode or encode: the same arithmetic with conversions of their own, for executions with exponents per transform.
  std::shared_ptr<const Program> with_exponents;
};

constexpr ArrayId work_array(std::size_t index) { return static_cast<ArrayId>(static_cast<std::size_t>(ArrayId::kFirstWork) + index); }

// A workspace is refused where it would exceed so many bytes.
inline constexpr std::int64_t kMostWorkspace = std::int64_t{1} << 62;

inline const Array& work_of(const Program& program, ArrayId id) {
  return program.arrays[static_cast<std::size_t>(id) - static_cast<std::size_t>(ArrayId::kFirstWork)];
}
inline Array& work_of(Program& program, ArrayId id) { return const_cast<Array&>(work_of(std::as_const(program), id)); }
// Where the numbers of an array begin; those of the caller's arrays at 0 of a slot of their own.
inline Array placed(const Program& program, ArrayId id) {
  if (is_work(id)) return work_of(program, id);
  Array array;
  array.slot = id == ArrayId::kNone ? Slot::kWork0 : static_cast<Slot>(id);
  return array;
}
// Bytes of what offsets and strides of an array count.
inline std::int64_t unit_bytes(const Program& program, ArrayId id) {
  if (id == ArrayId::kIn) return program.in.unit_bytes;
  if (id == ArrayId::kOut) return program.out.unit_bytes;
  if (id < ArrayId::kFactors) return 1;  // scales and exponents
  return static_cast<std::int64_t>(real_bytes(program.compute));
}
// Null: the array holds reals, or no pass stages it.
inline const NarrowRows* narrow_rows(const Program& program, ArrayId id) {
  if (id == ArrayId::kIn) return program.in.narrow.get();
  if (id == ArrayId::kOut) return program.out.narrow.get();
  return is_work(id) ? work_of(program, id).narrow.get() : nullptr;
}
// Numbers that passes may address in a work array, as reals.
std::int64_t addressed_reals(const Array& array, ComputeType compute);
// Makes room for `reals` more in a work array, and returns where they begin: reals, aligned as arrays are.
std::int64_t add_beside(Array& array, std::int64_t reals, ComputeType compute);

// Of all tables and row lists of the program, each counted once; Program::table_bytes.
double table_bytes(const Program& program);

// Calls visit(pass, loops) for every pass in the order of execution; loops: those around it, outermost first. Passes that only run where an
// array has exponents are copies of others, and left out but for the first of a loop, FindExponent.
template <typename Visit>
void visit_passes(const std::vector<Item>& body, std::vector<const Loop*>& loops, const Visit& visit) {
  for (const Item& item : body) {
    if (const Pass* pass = item.pass()) {
      visit(*pass, loops);
    } else if (const Loop* loop = item.loop(); loop != nullptr && loop->when == When::kIfExponents) {
      visit(*loop->body.front().pass(), loops);
    } else if (loop != nullptr) {
      loops.push_back(loop);
      visit_passes(loop->body, loops, visit);
      loops.pop_back();
    }
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PROGRAM_H_

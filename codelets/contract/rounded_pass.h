// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of rounded schemes: generated bodies as lists of operations, run over many lanes at once, and what a plan tells them.
//
// One list serves every format: parameters of the rounding, and constants rounded to the format, come with the plan. An operation takes
// 15 to 25 instructions a vector, beside which reading it from a list costs little; as compiled text, bodies took 0.4 KB an operation
// for three targets.
#ifndef ULPFFT_CODELETS_CONTRACT_ROUNDED_PASS_H_
#define ULPFFT_CODELETS_CONTRACT_ROUNDED_PASS_H_

#include <cstdint>
#include <span>

#include "codelets/contract/context.h"
#include "codelets/contract/rounded.h"

namespace ulpfft {

// Operands and results are rows of a register file, a number for each lane; operand kRoundedTable + i is value i of the table.
// Products are exact and sums of three operands end in a sticky bit (round to odd), so that a rounding after them rounds once.
enum class RoundedOp : std::uint8_t {
  kLoad,      // point a into rows d (re) and b (im)
  kStore,     // rows a, b to point d
  kConstant,  // constant b + 256 c
  kAdd,       // a + b
  kSub,       // a - b
  kMul,       // a b
  kNeg,       // -a
  kFma,       // a b + c
  kFnma,      // c - a b
  kFms,       // a b - c
  kFnms,      // -a b - c
  kRound,     // a rounded to the element
  kRoundSum,  // a rounded to f32, where rows are wider
};
// The same operation with a rounding of its result.
inline constexpr std::uint8_t kThenRound = 0x80;
inline constexpr std::uint8_t kThenRoundSum = 0x40;
inline constexpr int kRoundedTable = 128;

struct RoundedStep {
  std::uint8_t op;  // RoundedOp, with a flag or none
  std::uint8_t d = 0, a = 0, b = 0, c = 0;
};

// A generated body, for both kinds of scheme.
struct RoundedBody {
  std::span<const RoundedStep> steps[2];  // rounded:<element>, rounded:<element>/f32
  int rows = 0;                           // of the register file
  int table_values = 0;
  const void* program = nullptr;          // instead: the reference has lists of its own, and rounds by itself
};

struct BodyFacts;
struct RoundedBodyEntry {
  const BodyFacts* facts;
  const RoundedBody* body;
};

// Lanes of a row: 256 bytes. Tables of rounded passes come in blocks of so many k, value by value; what lies past the last k repeats it.
constexpr int rounded_lanes(int real_bytes) { return 256 / real_bytes; }
inline constexpr int kMostRoundedRows = 96;

// PassArgs::context of passes of rounded schemes.
struct RoundedPass : ContextOf<RoundedPass> {
  RoundedScheme scheme;
  const RoundedBody* body = nullptr;  // CodeletInfo::rounded
  bool rounds_input = false;          // what is loaded may be any number: it is scaled and rounded first
  RoundingConstants<float> f32;       // of the element, for the carrier in use
  RoundingConstants<double> f64;
  const void* constants = nullptr;    // of all bodies, of the carrier's type, rounded
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_ROUNDED_PASS_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A scheme is the arithmetic of a transform. It is a value: its family, and the constants that its name spells.
//
// A family is a row with a file of its own in this folder; families.h lists the rows. Searches and expanders ask a row by name whether its
// schemes have something. A room that computes something by the scheme has a function for the type of Scheme::constants:
// backend/cpu/expand/expand.cc for nodes, program/program.cc for bytes of tables, facts/predicted_error.cc for errors,
// backend/cpu/link.cc for steps.
//
// Emulated  schemes do every operation of another arithmetic in their carrier (f32, f64), and then round. Their carrier computes the same
//           in fewer instructions and with less error. So an error limit chooses one only of a family that the caller names (Scheme::any).
#ifndef ULPFFT_PLANNER_SCHEME_SCHEME_H_
#define ULPFFT_PLANNER_SCHEME_SCHEME_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/mx_arithmetic.h"
#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/split_scheme.h"
#include "wisdom/recipe.h"

namespace ulpfft {

struct SchemeFamily;

// Schemes whose passes round to their carrier alone.
struct WideScheme {};

struct Scheme {
  const SchemeFamily* family = nullptr;
  ComputeType compute = ComputeType::kF64;  // of passes with a body
  ComputeType carrier = ComputeType::kF64;  // of passes without one; its reals hold the numbers of the scheme
  const FormatInfo* element = nullptr;      // the format that data and twiddles are rounded to; null: that of the carrier
  bool reference_bodies = false;            // passes with a body come from the reference on every target
  bool any = false;                         // stands for the listed schemes of its family, of which an error limit chooses one
  bool mixes_batches = false;               // transforms of a batch share a norm: their bits depend on each other
  std::variant<WideScheme, RoundedScheme, MxScheme, SplitScheme> constants = {};
};

// Bits of Node::Kind.
constexpr std::uint32_t node_kinds(std::initializer_list<Node::Kind> kinds) {
  std::uint32_t bits = 0;
  for (const Node::Kind kind : kinds) bits |= std::uint32_t{1} << static_cast<unsigned>(kind);
  return bits;
}
inline constexpr std::uint32_t kEveryNode = UINT32_MAX;

struct SchemeFamily {
  struct Listed {
    std::string name;    // as a problem spells it
    const char* format;  // the format whose rounding the scheme has
  };

  const char* kind;      // as ulpfft_scheme::kind has it
  const char* spelling;  // how messages spell its schemes; null: no caller may name one
  bool emulated = false;
  // Returns nothing for a name of another family. Throws PlanError where a name begins like those of the family and is none.
  std::optional<Scheme> (*parse)(const std::string& name);
  // The schemes of this build, the less precise first.
  std::vector<Listed> (*list)();
  // Names beside the list that between them spell every element and every option of the family. null: the list has them.
  std::vector<std::string> (*unlisted)() = nullptr;

  // Nodes of other kinds are refused for transforms of `shortest` points and more; any node copies fewer points.
  std::uint32_t nodes = kEveryNode;
  std::int64_t shortest = 1;
  // The sentences of refusals. null: the family has it.
  const char* no_node = nullptr;
  const char* no_chains = nullptr;
  const char* no_storage_between = nullptr;  // "|" between passes
  const char* no_conversions = nullptr;      // 'decode' and 'encode' of a dit
  const char* no_streams = nullptr;
  // Where no strategy transforms `n` points: which lengths the family has, the beginning of a sentence; null: that is not the reason.
  const char* (*lengths)(std::int64_t n) = nullptr;
  // The subject of the sentence that lists the passes that exist; null: targets differ in theirs, and the target is named.
  const char* owner_of_passes = nullptr;

  // How passes run.
  bool planes = true;        // two dimensions can be swept as planes
  bool tiles = true;         // passes read narrow input by tiles, and a narrow output is encoded from where they work
  bool side_by_side = true;  // narrow transforms whose numbers alternate are computed together
  bool path_groups = true;   // groups of indices share a path of dual-select, and straddling ones use the standard body
  bool counts = false;       // passes count saturated numbers
  int copies = 0;            // copies of a line that passes need beside their work array
  std::int64_t group_bytes = 0;  // of lines that passes transform side by side, whatever their storage; 0: one line at a time

  // What strategies propose.
  bool long_dits = false;        // dit at lengths that four has to itself
  bool uniform_radices = false;  // one radix as long as it goes: roundings count there, which follow the number of passes
  bool radix_17 = false;         // one pass of 17 at the end
  std::span<const std::int64_t> (*radices)() = nullptr;  // of its passes, falling; null: those of codelets

  bool has(Node::Kind node) const { return (nodes & node_kinds({node})) != 0; }
};

// Throws PlanError where there is no scheme of that name.
Scheme scheme_named(const std::string& name);

struct SchemeFacts {
  std::string name;     // as a problem spells it; mx schemes have the length and rule of their descriptors
  const char* kind;     // "wide", "rounded", "mx", "split"
  const char* format;   // the format whose rounding the scheme has
  const char* carrier;  // the storage that holds its numbers: "f32", "f64"
  bool emulated;
};

// Families are in the order of the list. The list is built once, then only read.
const std::vector<SchemeFacts>& all_schemes();

// Of every family that callers may name: its list, then what it has beside that.
std::vector<std::string> every_spelling();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_SCHEME_H_

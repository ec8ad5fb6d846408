// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan as a plain value with a text form.
//
//   recipe := scheme ":" node                              f32:rank(dit(16 16); cols(p64; dit(16 16)))
//   node   := "n" INT                                      one codelet, one call
//           | "dit(" pass {" " pass | " /"} [" stream"] [" decode"] [" encode"] ")"   first radix absorbs the digit reversal
//           | "four(" INT "x" INT " p" INT [" stream"] [" |" format] "; " node "; " node ")"
//           | "cols(" "p" INT [" stream"] "; " node ")" | "rank(" ["|" format "; "] node {"; " node} ")"
//           | "rader(" INT "; " node ")" | "bluestein(" INT "; " INT "; " node ")" | "real(" INT ["x" INT] "; " node ")"
//           | "r2r(" INT "; " node ")" | "chain(" node "; " op "; " node ")"
//   pass   := INT [":ds" | ":ch" | ":lf" | ":cos"] ["|" [format]]    a bare "|": the format of the "|" before
//
// "/" ends a group of passes: "dit(16 / 8 8 / 8 4)". The first group sweeps the whole transform pass by pass. A later group covers
// blocks of the product of all radices up to its end; for each block, the group before it (if that is not the first) is finished
// first, sub-block by sub-block, then its own passes sweep the block. So data stay in the cache level a block fits in.
//
// "stream": the arrays are larger than the caches. What goes out of place bypasses them, and while one transform of a batch or one panel
// is computed, the next one's input is fetched.
//
// "decode", "encode": the first pass decodes narrow input as it loads, the last one encodes narrow output as it stores; else both are
// converted before and after, by way of the workspace. The bits are the same. So it is where a target has no such pass.
//
// "|": a narrow storage between two passes, as notebook/narrow_between_passes.md says: of what a pass of dit leaves (not its
// last one), of the matrix between the sweeps of four, of the array between the dimensions of rank.
//
// The children of "rank" stand in the order of the lengths; execution goes from the last to the first.
// A text prints uniquely, parses back to the same value and has at most 256 bytes: one space between passes, "; " between parts,
// INT positive without leading zeros, scheme and format as in wisdom/words.h. At most 64 passes or children in a node.
#ifndef ULPFFT_WISDOM_RECIPE_H_
#define ULPFFT_WISDOM_RECIPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/contract/twiddle_form.h"

namespace ulpfft {

struct PassSpec {
  std::int64_t radix = 0;
  TwiddleForm form = TwiddleForm::kStandard;
  std::string format;             // storage of the result; empty: that of the scheme
  bool starts_group = false;      // a "/" stands before it; never on the first pass
  bool operator==(const PassSpec&) const = default;
};

struct Node {
  enum class Kind : std::uint8_t { kN, kDit, kFour, kCols, kRank, kRader, kBluestein, kReal, kR2R, kChain };
  Kind kind = Kind::kN;
  std::int64_t n = 0;             // kN: length; kFour: first factor; kRader, kBluestein, kReal, kR2R: length
  std::int64_t m = 0;             // kFour: second factor; kBluestein: padded length; kReal: length of a row, 0: not in rows
  std::int64_t panel = 0;         // kFour, kCols: columns of a panel
  bool stream = false;            // kDit, kFour, kCols
  bool decode = false;            // kDit
  bool encode = false;
  std::string format;             // kFour, kRank: storage between sweeps, between dimensions; empty: that of the scheme
  std::vector<PassSpec> passes;   // kDit
  std::vector<Node> children;
  std::string op;                 // kChain: "mul" or "user"
  bool operator==(const Node&) const = default;
};

struct Recipe {
  std::string scheme;             // "f32", "f64"
  Node root;
  bool operator==(const Recipe&) const = default;
};

inline constexpr std::size_t kMaxRecipeText = 256;
inline constexpr int kMaxRecipeDepth = 8;
inline constexpr std::size_t kMaxNodeParts = 64;

// Throws PlanError (ULPFFT_INVALID_TEXT, with the byte range of the word at fault). Checks form only; whether codelets exist
// and lengths multiply to n is the business of build_plan. Nesting deeper than 8 is refused.
Recipe parse_recipe(std::string_view text);
// Throws when the text would exceed kMaxRecipeText, or the value has no text (ULPFFT_INTERNAL).
std::string print_recipe(const Recipe& recipe);
// Bytes that the text has, or would have beyond kMaxRecipeText.
std::size_t recipe_text_bytes(const Recipe& recipe);

// Storages named by "|", each once, in the order they stand.
std::vector<std::string> intermediate_formats(const Node& node);

// Length of the transform a node computes, of one transform where it computes many; throws on overflow of 64 bits.
//   n: n    dit, dif: product of radices    four: n * m    rank: product over the children    rader, bluestein: n (not the padding)
//   real: n, the count of reals (the child transforms half as many complex numbers, n where n is odd, or m in rows)
//   r2r: n, the count of reals on both sides (the child transforms n/2 complex numbers, n where n is odd, n - 1 of dct1, n + 1 of dst1)
//   batch, cols, chain: that of the (first) child
std::int64_t node_length(const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_RECIPE_H_

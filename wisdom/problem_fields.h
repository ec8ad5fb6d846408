// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The fields of a problem, a row each: how each comes from the C interface, is written and read as a word of a problem text, is checked,
// and whether wisdom tells problems apart by it.
//
// A new option takes a member here (wisdom/problem.h), in C (include/ulpfft/c/problem.h) and in C++ (include/ulpfft/cpp/problem.hpp), and
// a row in problem_fields.cc. Whoever deals with all fields walks over the rows.
#ifndef ULPFFT_WISDOM_PROBLEM_FIELDS_H_
#define ULPFFT_WISDOM_PROBLEM_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.h"
#include "wisdom/problem.h"
#include "wisdom/text_reader.h"

namespace ulpfft {

// The words of a problem, as they are printed one behind the other.
class PrintedWords {
 public:
  explicit PrintedWords(const Problem& from) : problem(from) {}

  void add(std::string_view word) { (text += ' ') += word; }
  // Whether any stride of these dimensions is not the dense one.
  bool has_strides(std::vector<Dimension> Problem::*dims, std::int64_t Dimension::*stride);

  const Problem& problem;
  std::string text;

 private:
  enum class Strides : std::uint8_t { kNotLookedAt, kDense, kGiven, kBeyond64Bits };
  Strides strides_ = Strides::kNotLookedAt;  // kBeyond64Bits: dense ones do not fit, and all count as given
  Problem dense_;                            // kGiven: with dense strides
};

struct ProblemField {
  std::string_view word = {};                  // "threads" of threads=2, "inverse"; empty: known by its place before the words
  std::array<const char*, 2> members;          // of ulpfft_problem; errors name them. Null: there is one
  bool has_value = false;                      // of the word
  bool needs_others = false;                   // read after all fields that do not, because its default depends on them
  int schema = 1;                              // of wisdom, the first whose problems have the word
  std::size_t size_before = 0;                 // bytes of ulpfft_problem before its first member came; 0: others came with it
  void (*from_c)(const ulpfft_problem& from, Problem& to) = nullptr;         // null: not there. Throws PlanError
  void (*read)(TextReader& reader, TextRange value, Problem& to) = nullptr;  // of a flag the word
  void (*print)(PrintedWords& to) = nullptr;                                 // null: never printed. Defaults are left out
  void (*check)(const Problem& problem) = nullptr;                           // values that no problem has; throws PlanError
  void (*leave_out_of_key)(Problem& key) = nullptr;                          // null: part of the key
};

// In the order in which words are printed.
std::span<const ProblemField> problem_fields();
// By its word; null: there is none.
const ProblemField* find_field(std::string_view word);

// The sizes of ulpfft_problem in versions before today's, ascending.
std::span<const std::size_t> earlier_problem_sizes();

Direction direction_from_c(int direction);
// The kind along length `d`.
R2rKind r2r_kind_from_c(int kind, std::size_t d);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_PROBLEM_FIELDS_H_

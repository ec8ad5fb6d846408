// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which bodies this build has, read through the C interface, and recipes put together from them.
#ifndef ULPFFT_TESTS_SUPPORT_CODELETS_H_
#define ULPFFT_TESTS_SUPPORT_CODELETS_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

struct TwiddledBody {
  std::int64_t radix = 0;
  std::string form;  // "", "ds", "ch": the suffix in a recipe
  bool operator==(const TwiddledBody&) const = default;
  // "8:ds"
  std::string text() const { return std::to_string(radix) + (form.empty() ? "" : ':' + form); }
};

std::ostream& operator<<(std::ostream& out, const TwiddledBody& body);

// A pair in registers, whose bodies may have no other loop; or one body, where `second` is 1.
struct RegisterPair {
  std::string compute;  // "f32"
  std::int64_t first = 0, second = 0;
  std::int64_t n() const { return first * second; }
  // "f32:dit(24 15)", "f32:n37"
  std::string recipe() const {
    return compute + (second == 1 ? ":n" + std::to_string(first) : ":dit(" + std::to_string(first) + ' ' + std::to_string(second) + ')');
  }
};

// Ascending, each once: the n of "n8", the first radices of dit, and the bodies of its other passes, on lines and on panels.
std::vector<std::int64_t> whole_radices(const Target& target);
std::vector<std::int64_t> first_radices(const Target& target);
std::vector<TwiddledBody> twiddled_bodies(const Target& target);

std::vector<RegisterPair> pairs_in_registers(const Target& target);
std::vector<RegisterPair> bodies_in_registers(const Target& target);

// Whether a target has the bodies of a sound recipe: targets without FMA lack some forms, and some bodies serve pairs in registers alone.
bool has_bodies(const Target& target, const std::string& recipe);

// "f32:dit(16 8:ds / 4)" for a random factorisation of n into the bodies of `target`; nothing when n has none.
std::optional<std::string> random_dit(Random& random, const Target& target, const std::string& scheme, std::int64_t n);
// The same recipe with its outermost node streaming; nothing where it cannot.
std::optional<std::string> streaming(const std::string& recipe);
// Any recipe for one line: n, dit, four (of panels, of lines, of both), rader and bluestein nodes inside each other.
std::optional<std::string> random_recipe(Random& random, const Target& target, const std::string& scheme, std::int64_t n);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_CODELETS_H_

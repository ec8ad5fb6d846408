// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every codelet of every target, straight from the registry: sane facts, equal facts for equal arithmetic, and the bodies
// without twiddles run for every number of lanes. Bodies with twiddles need tables: tests/api/recipes_test.cc runs them; passes without
// a body have line_passes_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/pass_rows.h"
#include "codelets/contract/sums_alone.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/compare.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

bool twiddled(PassKind kind) { return row_of(kind).table == PassTable::kLaneValues || row_of(kind).table == PassTable::kAxisValues; }

std::string where(const CodeletTable& table, const CodeletInfo& codelet) {
  return std::string(table.target) + ' ' + codelet.body->name + (codelet.second != nullptr ? std::string("+") + codelet.second->name : "") +
         " kind " + std::to_string(static_cast<int>(codelet.kind)) + std::array{" f32", " f64", " dd", " rounded in f32", " rounded in f64"}[static_cast<std::size_t>(codelet.compute)];
}

std::string real_name(const BodyFacts& body) {
  constexpr const char* kNames[] = {"", "r2c", "c2r", "", "", "dht", "dct1_", "dct2_", "dct3_", "dct4_", "dst1_", "", "", ""};
  return kNames[static_cast<std::size_t>(body.transform)] + std::to_string(body.radix);
}

void check_body(const BodyFacts& body, bool with_twiddles, const std::string& place) {
  ASSERT_NE(body.name, nullptr) << place;
  const bool is_real = body.transform != RealTransform::kNone;
  const std::string expected = is_real ? real_name(body) : (with_twiddles ? "t" : "n") + std::to_string(body.radix) +
                               (twiddle_suffix(body.form).empty() ? "" : "_" + std::string(twiddle_suffix(body.form)));
  EXPECT_EQ(body.name, expected) << place;
  EXPECT_EQ(body.form == TwiddleForm::kNone, !with_twiddles) << place;
  EXPECT_GE(body.ops.add, 0) << place;
  EXPECT_GE(body.ops.mul, 0) << place;
  EXPECT_GE(body.ops.fma, 0) << place;
  EXPECT_EQ(body.table.empty(), !with_twiddles) << place;
  for (const TableTerm& term : body.table) {
    EXPECT_GE(term.j, 1) << place;
    EXPECT_LT(term.j, body.radix) << place;
    EXPECT_LT(term.over_j, body.radix) << place;
  }
  if (body.radix < 2) return;
  EXPECT_GT(body.ops.total(), 0) << place;
  EXPECT_GE(body.live_values, is_real ? 3 : 4) << place;
  EXPECT_NE(body.digest, 0U) << place;
  EXPECT_GT(body.f32.rms, 0.0) << place;
  EXPECT_LT(body.f32.rms, 4.0) << place;
}

TEST(EveryCodelet, HasSaneFacts) {
  for (const RegisteredTarget& target : registered_targets()) {
    EXPECT_EQ(target.table.version, kCodeletTableVersion);
    EXPECT_TRUE(!target.available || !target.table.codelets.empty()) << target.table.target;
    for (const CodeletInfo& codelet : target.table.codelets) {
      ASSERT_NE(codelet.body, nullptr);
      const std::string place = where(target.table, codelet);
      EXPECT_NE(codelet.run, nullptr) << place;
      if (!has_body(codelet.kind)) {
        EXPECT_EQ(codelet.body->radix, 1) << place << ": counts are per point";
        EXPECT_EQ(codelet.body->form, TwiddleForm::kNone) << place;
        EXPECT_NE(codelet.body->digest, 0U) << place;
        EXPECT_EQ(codelet.body->f32.rms > 0, codelet.body->ops.total() > 0) << place << ": copies are exact, products are not";
        EXPECT_EQ(codelet.second, nullptr) << place;
        continue;
      }
      check_body(*codelet.body, twiddled(codelet.kind), place);
      if (codelet.kind != PassKind::kPacked) {
        ASSERT_EQ(codelet.second != nullptr, codelet.kind == PassKind::kWholeTwo) << place;
      }
      EXPECT_EQ(codelet.body->transform != RealTransform::kNone, codelet.kind == PassKind::kReal) << place;
      if (codelet.kind != PassKind::kReal) {
        EXPECT_EQ(codelet.direct != nullptr, codelet.kind == PassKind::kPacked) << place;
      }
      if (codelet.second != nullptr) check_body(*codelet.second, true, place);
    }
  }
}

TEST(EveryCodelet, IsListedOncePerTarget) {
  for (const RegisteredTarget& target : registered_targets()) {
    std::set<std::string> seen;
    for (const CodeletInfo& codelet : target.table.codelets) {
      EXPECT_TRUE(seen.insert(where(target.table, codelet)).second) << "twice: " << where(target.table, codelet);
    }
  }
}

// A digest names an arithmetic: one per body, on every target alike; no two bodies share one.
TEST(EveryCodelet, HasTheDigestOfItsArithmeticAlone) {
  std::map<std::string, std::uint64_t> of_name;
  std::map<std::uint64_t, std::string> of_digest;
  for (const RegisteredTarget& target : registered_targets()) {
    for (const CodeletInfo& codelet : target.table.codelets) {
      const BodyFacts& body = *codelet.body;
      const std::string name = body.name;
      EXPECT_EQ(of_name.try_emplace(name, body.digest).first->second, body.digest) << where(target.table, codelet);
      EXPECT_EQ(of_digest.try_emplace(body.digest, name).first->second, name) << where(target.table, codelet);
    }
  }
  EXPECT_GE(of_name.size(), 40U);
}

// What a build must have: everything on ref and on every target with FMA, the small standard ones elsewhere.
TEST(EveryTarget, HasTheBodiesThatRecipesCountOn) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;  // left out of this build
    std::set<std::string> names;
    for (const CodeletInfo& codelet : target.table.codelets) names.insert(codelet.body->name);
    for (int n = 1; n <= 16; ++n) EXPECT_EQ(names.count("n" + std::to_string(n)), 1U) << target.table.target << " n" << n;
    for (const int n : {20, 25, 32, 64}) {
      if (!target.table.has_fma) continue;
      EXPECT_EQ(names.count("n" + std::to_string(n)), 1U) << target.table.target << " n" << n;
    }
    for (const int r : {2, 3, 4, 5, 7, 8, 9, 16}) {
      EXPECT_EQ(names.count("t" + std::to_string(r)), 1U) << target.table.target << " t" << r;
      if (!target.table.has_fma) continue;
      EXPECT_EQ(names.count("t" + std::to_string(r) + "_ds"), 1U) << target.table.target << " t" << r;
      EXPECT_EQ(names.count("t" + std::to_string(r) + "_ch"), 1U) << target.table.target << " t" << r;
    }
  }
}

TEST(EveryTarget, HasTheRealTransformsThatRecipesCountOn) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;  // left out of this build
    std::set<std::string> names;
    for (const CodeletInfo& codelet : target.table.codelets) names.insert(codelet.body->name);
    for (const char* const kind : {"r2c", "c2r"}) {
      for (int n = 2; n <= 16; ++n) EXPECT_TRUE(names.contains(kind + std::to_string(n))) << target.table.target << ' ' << kind << n;
      for (const int n : {20, 25, 32}) {
        EXPECT_EQ(names.contains(kind + std::to_string(n)), target.table.has_fma) << target.table.target << ' ' << kind << n;
      }
    }
    for (const char* const kind : {"dct2_", "dct3_", "dct4_"}) {
      for (const int n : {4, 8, 16}) EXPECT_TRUE(names.contains(kind + std::to_string(n))) << target.table.target << ' ' << kind << n;
    }
  }
}

// The codelets of a build: they exist in both types and have the facts of their rows.
TEST(EveryTarget, HasThePassesWithoutABody) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;  // left out of this build
    for (const ComputeType compute : {ComputeType::kF32, ComputeType::kF64}) {
      for (const PassRow& row : pass_rows::kAll) {
        if (has_body(row.kind)) continue;
        const CodeletInfo* const codelet = find(target.table, row.kind, compute);
        ASSERT_NE(codelet, nullptr) << target.table.target << ' ' << row.name;
        EXPECT_EQ(codelet->body, &row.body);
        EXPECT_EQ(std::string(row.name), row.body.name);
      }
    }
  }
}

// Where a row says that a target may convert in the pass, one does, and no other.
TEST(EveryTarget, ConvertsInPassesWhereTheirRowsSaySo) {
  std::set<std::pair<PassKind, bool>> found, said;
  for (const RegisteredTarget& target : registered_targets()) {
    for (const CodeletInfo& codelet : target.table.fused) {
      if (*codelet.in != '\0') found.emplace(codelet.kind, false);
      if (*codelet.out != '\0') found.emplace(codelet.kind, true);
    }
  }
  for (const PassRow& row : pass_rows::kAll) {
    if (row.in.narrow) said.emplace(row.kind, false);
    if (row.out.narrow) said.emplace(row.kind, true);
  }
  if (found.empty()) GTEST_SKIP() << "no target of this build converts in passes";
  EXPECT_EQ(found, said);
}

// Design 6.2: six FMAs a radix-2 butterfly, and the outer scales folded beyond.
TEST(DualSelect, TakesAtMost6And22And66Operations) {
  const std::map<std::string, int> limits{{"t2_ds", 6}, {"t4_ds", 22}, {"t8_ds", 66}};
  std::size_t found = 0;
  for (const CodeletInfo& codelet : registered_targets().back().table.codelets) {
    const auto limit = limits.find(codelet.body->name);
    if (limit == limits.end()) continue;
    ++found;
    EXPECT_LE(codelet.body->ops.total(), limit->second) << codelet.body->name;
  }
  EXPECT_GE(found, limits.size());
}

TEST(LaneOrder, IsAPermutationOfTheLanes) {
  for (const int w : {1, 2, 4, 8, 16, 32}) {
    for (const int e : {1, 2, 4}) {
      std::set<int> indices;
      for (int l = 0; l < w; ++l) indices.insert(index_of_lane(l, w, e));
      EXPECT_EQ(indices.size(), static_cast<std::size_t>(w)) << "w=" << w << " e=" << e;
      EXPECT_EQ(*indices.rbegin(), w - 1) << "w=" << w << " e=" << e;
    }
  }
}

// A transform in registers or with vectors of complex numbers: planning counts on these lengths wherever two numbers fit a vector.
TEST(EveryTarget, KeepsShortTransformsInRegisters) {
  std::size_t checked = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (std::string(target.table.backend) != "hwy" || target.table.codelets.empty()) continue;
    for (const ComputeType compute : {ComputeType::kF32, ComputeType::kF64}) {
      std::set<std::string> names;
      for (const CodeletInfo& codelet : target.table.codelets) {
        if (codelet.kind != PassKind::kPacked || codelet.compute != compute) continue;
        names.insert(std::string(codelet.body->name) + (codelet.second != nullptr ? std::string("+") + codelet.second->name : ""));
      }
      for (int n = 2; n <= 16; ++n) EXPECT_TRUE(names.contains("n" + std::to_string(n))) << target.table.target << " n" << n;
      // Every prime to 61, and with a small second body what begins with one of sums.
      for (const int prime : {17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}) {
        if (!target.table.has_fma) continue;
        const std::string body = "n" + std::to_string(prime);
        EXPECT_TRUE(names.contains(body)) << target.table.target << ' ' << body;
        for (int r = 2; r <= 11 && r * prime <= 512 && is_of_sums(prime); ++r) {
          EXPECT_TRUE(names.contains(body + "+t" + std::to_string(r))) << target.table.target << ' ' << body << " x " << r;
        }
      }
      const int lanes = compute == ComputeType::kF32 ? target.table.lanes_f32 : target.table.lanes_f64;
      if (lanes < 4 || std::string(target.table.target) == "sve_256") continue;
      for (const char* pair : {"n4+t2", "n4+t4", "n4+t8", "n8+t8", "n16+t8"}) EXPECT_TRUE(names.contains(pair)) << target.table.target << ' ' << pair;
      ++checked;
    }
  }
  const auto targets = registered_targets();
  EXPECT_EQ(checked > 0, std::any_of(targets.begin(), targets.end(), [](const RegisteredTarget& target) {
              return std::string(target.table.backend) == "hwy" && target.available && target.table.lanes_f32 >= 4;
            }));
}

struct Strides {
  std::int64_t point;
  std::int64_t lane;
};

// One codelet on `lanes` transforms between guard pages. Strides in complex elements. Empty when something else was written.
template <typename T>
std::vector<std::complex<T>> run(const CodeletInfo& codelet, std::int64_t lanes, const std::vector<std::complex<T>>& data, Strides in, Strides out) {
  const std::int64_t n = codelet.body->radix;
  const auto elements = [&](Strides strides) { return static_cast<std::size_t>((n - 1) * strides.point + (lanes - 1) * strides.lane + 1); };
  const auto at = [](std::int64_t j, std::int64_t l, Strides strides) { return j * strides.point + l * strides.lane; };
  GuardedBuffer from(elements(in) * sizeof(std::complex<T>));
  GuardedBuffer to(elements(out) * sizeof(std::complex<T>));
  std::vector<std::uint8_t> used(elements(out), 0);
  for (std::int64_t l = 0; l < lanes; ++l) {
    for (std::int64_t j = 0; j < n; ++j) {
      from.as<std::complex<T>>()[at(j, l, in)] = data[static_cast<std::size_t>(l * n + j)];
      used[static_cast<std::size_t>(at(j, l, out))] = 1;
    }
  }
  PassArgs args;
  args.in.slot = Slot::kIn;
  args.in.point_stride = 2 * in.point;
  args.in.lane_stride = 2 * in.lane;
  args.out.slot = Slot::kOut;
  args.out.point_stride = 2 * out.point;
  args.out.lane_stride = 2 * out.lane;
  args.lanes = lanes;
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)].re = from.data();
  buffers.slot[static_cast<int>(Slot::kOut)].re = to.data();
  codelet.run(args, buffers, 0, 1);
  if (to.first_touched_gap(used, sizeof(std::complex<T>)).has_value()) return {};
  std::vector<std::complex<T>> result(data.size());
  for (std::int64_t l = 0; l < lanes; ++l) {
    for (std::int64_t j = 0; j < n; ++j) result[static_cast<std::size_t>(l * n + j)] = to.as<std::complex<T>>()[at(j, l, out)];
  }
  return result;
}

// The bare body of a whole transform: interleaved, strided, backward by exchanging the pointers; the same bits as the pass.
template <typename T>
void check_whole(const RegisteredTarget& target, const CodeletInfo& codelet) {
  const std::int64_t n = codelet.body->radix;
  const auto data = random_signal<T>(static_cast<std::size_t>(n), static_cast<std::uint64_t>(n));
  std::vector<ComplexDD> wide(data.size());
  std::vector<ComplexDD> expected(data.size());
  for (std::size_t j = 0; j < data.size(); ++j) wide[j] = {static_cast<double>(data[j].real()), static_cast<double>(data[j].imag())};
  oracle_for(n)->forward(wide.data(), 1, expected.data());
  const auto pass = run<T>(codelet, 1, data, {1, 1}, {1, 1});
  ASSERT_FALSE(pass.empty()) << where(target.table, codelet) << " wrote outside its elements";
  EXPECT_LE(relative_l2<T>(pass, expected), theorem_bound<T>(n)) << where(target.table, codelet);
  if (codelet.whole == nullptr) return;
  for (const std::int64_t step : {1, 3}) {
    GuardedBuffer from(static_cast<std::size_t>((n - 1) * step + 1) * sizeof(std::complex<T>));
    GuardedBuffer to(static_cast<std::size_t>((n - 1) * step + 1) * sizeof(std::complex<T>));
    std::vector<std::uint8_t> used(to.size() / sizeof(std::complex<T>), 0);
    for (std::int64_t j = 0; j < n; ++j) {
      from.as<std::complex<T>>()[j * step] = data[static_cast<std::size_t>(j)];
      used[static_cast<std::size_t>(j * step)] = 1;
    }
    codelet.whole(from.as<T>(), from.as<T>() + 1, 2 * step, to.as<T>(), to.as<T>() + 1, 2 * step);
    EXPECT_FALSE(to.first_touched_gap(used, sizeof(std::complex<T>)).has_value()) << where(target.table, codelet) << " stride " << step;
    std::vector<std::complex<T>> result;
    for (std::int64_t j = 0; j < n; ++j) result.push_back(to.as<std::complex<T>>()[j * step]);
    EXPECT_FALSE(first_difference<std::complex<T>>(pass, result).has_value()) << where(target.table, codelet) << " stride " << step;
  }
}

TEST(Whole, BareAndAsAPassAreExactAndAlike) {
  std::size_t bare = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const CodeletInfo& codelet : target.table.codelets) {
      if (codelet.kind != PassKind::kWhole) continue;
      if (codelet.whole != nullptr) ++bare;
      if (codelet.compute == ComputeType::kF32) check_whole<float>(target, codelet);
      if (codelet.compute == ComputeType::kF64) check_whole<double>(target, codelet);
    }
  }
  EXPECT_GE(bare, 2U);
}

// A table of kPacked with one body, as codelet.h says.
template <typename T>
std::vector<T> packed_table(int radix, int lanes, bool swap) {
  std::vector<T> table;
  for (int number = 0; number < packed_numbers(lanes, radix); ++number) table.insert(table.end(), {swap ? T(-1) : T(1), swap ? T(1) : T(-1)});
  if (!is_of_sums_alone(radix)) return table;
  table.insert(table.end(), static_cast<std::size_t>(2 * packed_numbers(lanes, radix)), static_cast<T>(radix));
  const int half = (radix - 1) / 2, width = sums_lanes(lanes, radix);
  for (int block = 0; block < vectors_of(half, width); block += 2) {
    for (int j = 1; j <= half; ++j) {
      for (int vector = block; vector < std::min(block + 2, vectors_of(half, width)); ++vector) {
        for (const bool sine : {false, true}) {
          for (int lane = 0; lane < width; ++lane) {
            const int k = vector_begin(vector, half, width) + lane + 1;
            const UnitRoot w = unit_root(static_cast<std::uint64_t>(j * k), static_cast<std::uint64_t>(radix));
            table.push_back(round_to<T>(sine ? -w.im : w.re));
          }
        }
      }
    }
  }
  return table;
}

// One number a vector and scalar lanes: the same bits, forward and with both ends exchanged, as a pass and called directly.
template <typename T>
void check_packed(const RegisteredTarget& target, const CodeletInfo& packed, const CodeletInfo& whole) {
  const std::int64_t n = packed.body->radix;
  const std::int64_t count = 3;
  const auto data = random_signal<T>(static_cast<std::size_t>(n * count), static_cast<std::uint64_t>(n));
  for (const bool swap : {false, true}) {
    const std::vector<T> values = packed_table<T>(packed.body->radix, sizeof(T) == 4 ? target.table.lanes_f32 : target.table.lanes_f64, swap);
    std::vector<T> room(values.size() + 64 / sizeof(T));  // vectors of tables are aligned
    T* const table = room.data() + (64 - reinterpret_cast<std::uintptr_t>(room.data()) % 64) / sizeof(T);
    std::copy(values.begin(), values.end(), table);
    std::vector<std::vector<std::complex<T>>> results;
    for (const CodeletInfo* codelet : {&whole, &packed}) {
      GuardedBuffer from(data.size() * sizeof(std::complex<T>));
      GuardedBuffer to(data.size() * sizeof(std::complex<T>));
      std::copy(data.begin(), data.end(), from.as<std::complex<T>>());
      PassArgs args;
      args.in.slot = Slot::kIn;
      args.out.slot = Slot::kOut;
      args.in.swap = args.out.swap = swap;
      args.in.point_stride = args.out.point_stride = 2;
      args.axes[0] = {count, 2 * n, 2 * n, 0};
      args.table = table;
      Buffers buffers;
      buffers.slot[static_cast<int>(Slot::kIn)].re = from.data();
      buffers.slot[static_cast<int>(Slot::kOut)].re = to.data();
      codelet->run(args, buffers, 0, count);
      results.emplace_back(to.as<std::complex<T>>(), to.as<std::complex<T>>() + data.size());
    }
    EXPECT_FALSE(first_difference<std::complex<T>>(results[0], results[1]).has_value()) << where(target.table, packed) << " swap " << swap;
    GuardedBuffer from(static_cast<std::size_t>(n) * sizeof(std::complex<T>));
    GuardedBuffer to(static_cast<std::size_t>(n) * sizeof(std::complex<T>));
    std::copy(data.begin(), data.begin() + n, from.as<std::complex<T>>());
    EXPECT_EQ(packed.direct({packed.direct, table}, from.data(), from.data(), to.data(), to.data(), nullptr), 0);
    results[0].resize(static_cast<std::size_t>(n));
    const std::vector<std::complex<T>> direct(to.as<std::complex<T>>(), to.as<std::complex<T>>() + n);
    EXPECT_FALSE(first_difference<std::complex<T>>(results[0], direct).has_value()) << where(target.table, packed) << " directly, swap " << swap;
  }
}

TEST(Packed, OneBodyHasTheBitsOfScalarLanes) {
  std::size_t checked = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const CodeletInfo& packed : target.table.codelets) {
      if (packed.kind != PassKind::kPacked || packed.second != nullptr) continue;
      for (const CodeletInfo& whole : target.table.codelets) {
        if (whole.kind != PassKind::kWhole || whole.compute != packed.compute || whole.body != packed.body) continue;
        ++checked;
        if (packed.compute == ComputeType::kF32) check_packed<float>(target, packed, whole);
        if (packed.compute == ComputeType::kF64) check_packed<double>(target, packed, whole);
      }
    }
  }
  const auto targets = registered_targets();
  const bool has_vectors = std::any_of(targets.begin(), targets.end(), [](const RegisteredTarget& target) {
    return std::string(target.table.backend) == "hwy" && target.available;
  });
  EXPECT_GE(checked, has_vectors ? 30U : 0U);
}

template <typename T>
void check_columns(const RegisteredTarget& target, const CodeletInfo& codelet) {
  const std::int64_t n = codelet.body->radix;
  const int width = codelet.compute == ComputeType::kF32 ? target.table.lanes_f32 : target.table.lanes_f64;
  for (std::int64_t lanes = 1; lanes <= 2 * width + 1; ++lanes) {
    const auto data = random_signal<T>(static_cast<std::size_t>(n * lanes), static_cast<std::uint64_t>(n * 100 + lanes));
    std::vector<ComplexDD> expected(data.size());
    for (std::int64_t l = 0; l < lanes; ++l) {
      std::vector<ComplexDD> wide(static_cast<std::size_t>(n));
      for (std::int64_t j = 0; j < n; ++j) {
        const auto value = data[static_cast<std::size_t>(l * n + j)];
        wide[static_cast<std::size_t>(j)] = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
      }
      oracle_for(n)->forward(wide.data(), 1, expected.data() + l * n);
    }
    const Strides columns{lanes, 1};     // neighbouring columns
    const Strides rows{1, n};            // lanes far apart
    const Strides odd{2 * lanes + 3, 2};  // gaps
    const auto plain = run<T>(codelet, lanes, data, columns, columns);
    ASSERT_FALSE(plain.empty()) << where(target.table, codelet) << " wrote outside its elements, lanes " << lanes;
    EXPECT_LE(relative_l2<T>(plain, expected), theorem_bound<T>(n)) << where(target.table, codelet) << " lanes " << lanes;
    for (const auto& [in, out] : {std::pair{rows, columns}, std::pair{columns, rows}, std::pair{odd, odd}}) {
      const auto other = run<T>(codelet, lanes, data, in, out);
      EXPECT_FALSE(first_difference<std::complex<T>>(plain, other).has_value())
          << where(target.table, codelet) << " lanes " << lanes << ": other bits or other elements with strides " << in.point << ',' << in.lane << " to "
          << out.point << ',' << out.lane;
    }
  }
}

TEST(Columns, AreExactAndStayWithinTheirElementsForEveryNumberOfLanes) {
  std::size_t checked = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const CodeletInfo& codelet : target.table.codelets) {
      if (codelet.kind != PassKind::kColumns) continue;
      ++checked;
      if (codelet.compute == ComputeType::kF32) check_columns<float>(target, codelet);
      if (codelet.compute == ComputeType::kF64) check_columns<double>(target, codelet);
    }
  }
  EXPECT_GE(checked, 36U);
}

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of rounded schemes, bit for bit: against exact arithmetic in random formats, against each other, against the golden vectors.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/through_f32.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "tests/support/api.h"
#include "tests/support/exact_format.h"
#include "tests/support/golden.h"

namespace ulpfft::test {
namespace {

using Random = std::mt19937_64;

int draw(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

FormatInfo random_integer(Random& random) {
  FormatInfo f;
  f.name = "random";
  f.kind = FormatKind::kInteger;
  f.bits = draw(random, 3, 16);
  f.fraction_bits = draw(random, -20, 20);
  f.symmetric = draw(random, 0, 1) == 1;
  const int half = 1 << (f.bits - 1);
  if (draw(random, 0, 2) == 0) f.offset = draw(random, -half, half - 2) / 2.0;
  return f;
}

// Signed, with a zero: any split of 3 to 16 bits, any bias that f64 holds.
FormatInfo random_format(Random& random) {
  if (draw(random, 0, 3) == 0) return random_integer(random);
  FormatInfo f;
  f.name = "random";
  f.kind = FormatKind::kFloat;
  f.bits = draw(random, 4, 16);
  f.special = static_cast<Special>(draw(random, 0, 4));
  const bool ieee = f.special == Special::kIeee;
  f.exponent_bits = draw(random, ieee ? 2 : 1, std::min(f.bits - 1 - (ieee ? 1 : 0), 9));
  f.mantissa_bits = f.bits - 1 - f.exponent_bits;
  const int codes = 1 << f.exponent_bits;
  f.bias = draw(random, 0, 2) != 0 ? codes / 2 - 1 : draw(random, std::max(-500, codes - 1000), 1000);
  switch (f.special) {
    case Special::kIeee: f.nan = infinity_magnitude(f) | std::uint64_t{1} << (f.mantissa_bits - 1); break;
    case Special::kFnuz: case Special::kP3109: f.nan = sign_bit(f); break;
    default: f.nan = top_magnitude(f); break;
  }
  return f;
}

std::string text_of(const FormatInfo& f) {
  if (f.kind == FormatKind::kInteger) {
    return "integer of " + std::to_string(f.bits) + " bits, fraction " + std::to_string(f.fraction_bits) + ", offset " + std::to_string(f.offset) +
           (f.symmetric ? ", symmetric" : "");
  }
  return "1-" + std::to_string(f.exponent_bits) + "-" + std::to_string(f.mantissa_bits) + ", bias " + std::to_string(f.bias) + ", special " +
         std::to_string(static_cast<int>(f.special));
}

const CodeletTable& reference() { return registered_targets().back().table; }

// A pass over random data: everything a codelet reads.
template <class T>
struct Case {
  const FormatInfo& format;
  PassKind kind;
  const BodyFacts& body;
  bool f32_sums;
  std::int64_t lanes;
  std::int64_t positions;
  bool swap = false;
  double scale = 1.0;
  std::vector<T> in = {}, table = {}, constants = {};
  std::vector<std::uint32_t> rows = {}, paths = {};

  std::int64_t points() const { return lanes * positions * body.radix; }
  bool rounds_input() const { return kind != PassKind::kTwiddled; }
};

double some_value(Random& random, const FormatInfo& f) {
  const std::uint64_t code = random() & ((std::uint64_t{1} << f.bits) - 1);
  const double value = decode(f, code);
  // Mostly numbers near 1 or the largest: others seldom meet in a sum.
  if (std::isfinite(value) && f.kind != FormatKind::kInteger && draw(random, 0, 3) != 0) {
    const double middle = std::ldexp(std::normal_distribution<double>()(random), draw(random, 0, 5) == 0 ? floor_log2(largest_value(f)) - 1 : 0);
    return round_to_element(f, middle).value;
  }
  return value;
}

template <class T>
Case<T> random_case(Random& random, const FormatInfo& f, const CodeletInfo& codelet, bool f32_sums, std::int64_t lanes, std::int64_t positions) {
  Case<T> c{f, codelet.kind, *codelet.body, f32_sums, lanes, positions};
  bool overflow = false;
  const ExactFormat exact = exact_format(f);
  const auto small = [&] { return static_cast<T>(exact.round(std::uniform_real_distribution<double>(-1.4, 1.4)(random), overflow) + 0.0); };
  for (std::int64_t i = 0; i < 2 * c.points(); ++i) {
    double value = some_value(random, f);
    if (f32_sums || c.rounds_input()) value += some_value(random, f) * std::uniform_real_distribution<double>(-1, 1)(random);
    c.in.push_back(f32_sums ? static_cast<T>(static_cast<float>(value)) : static_cast<T>(value));
  }
  const std::int64_t block = rounded_lanes(sizeof(T));
  const auto values = static_cast<std::int64_t>(c.body.table.size());
  c.table.resize(static_cast<std::size_t>((lanes + block - 1) / block * block * values));
  for (T& value : c.table) value = small();
  if (selects_path(c.body.form)) {
    for (std::int64_t l = 0; l < lanes; ++l) c.paths.push_back(static_cast<std::uint32_t>(draw(random, 0, (1 << (c.body.radix - 1)) - 1)));
  }
  for (std::int64_t l = 0; l < lanes; ++l) c.rows.push_back(static_cast<std::uint32_t>(lanes - 1 - l));
  for (const BodyConstant& constant : rounded_body_constants()) {
    c.constants.push_back(static_cast<T>(exact.round(exact_sum(ulpfft::test::exact(constant.hi), ulpfft::test::exact(constant.lo)), overflow) + 0.0));
  }
  c.swap = c.rounds_input() && draw(random, 0, 1) == 1;
  if (c.rounds_input() && draw(random, 0, 2) == 0) c.scale = draw(random, 0, 1) == 0 ? 0.25 : 0.7;
  return c;
}

// Where point j of lane l of position p begins.
template <class T>
std::int64_t in_offset(const Case<T>& c, std::int64_t p, std::int64_t l, std::int64_t j) {
  return 2 * (p * c.lanes * c.body.radix + (c.kind == PassKind::kWhole ? l * c.body.radix + j : j * c.lanes + l));
}
template <class T>
std::int64_t out_offset(const Case<T>& c, std::int64_t p, std::int64_t l, std::int64_t j) {
  if (c.kind == PassKind::kFirst) return 2 * (p * c.lanes * c.body.radix + c.rows[static_cast<std::size_t>(l)] * c.body.radix + j);
  return in_offset(c, p, l, j);
}

template <class T>
struct Result {
  std::vector<T> out;
  std::int64_t overflows = 0;
};

template <class T>
Result<T> run(const CodeletInfo& codelet, Case<T> c) {
  RoundedPass pass;
  pass.scheme = {&c.format, c.f32_sums};
  pass.body = codelet.rounded;
  pass.rounds_input = c.rounds_input();
  if (carrier_of(c.format) != Carrier::kSlow) {
    if constexpr (sizeof(T) == 4) {
      pass.f32 = rounding_constants<float>(c.format);
    } else {
      pass.f64 = rounding_constants<double>(c.format);
    }
  }
  pass.constants = c.constants.data();
  PassArgs args;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  args.in.swap = c.swap;
  args.in.lane_stride = in_offset(c, 0, 1, 0);
  args.in.point_stride = in_offset(c, 0, 0, 1);
  args.out.lane_stride = args.in.lane_stride;
  args.out.point_stride = out_offset(c, 0, 0, 1) - out_offset(c, 0, 0, 0);
  args.axes[0] = {c.positions, in_offset(c, 1, 0, 0), in_offset(c, 1, 0, 0), 0};
  args.lanes = c.lanes;
  args.table = c.table.data();
  args.paths = c.paths.empty() ? nullptr : c.paths.data();
  args.rows = c.rows.data();
  args.row_stride = 2 * c.body.radix;
  args.scale = c.scale;
  args.context = &pass;
  Result<T> result;
  result.out.assign(c.in.size(), T(77));
  Narrow narrow;
  Buffers buffers{};
  buffers.narrow = &narrow;
  buffers.slot[static_cast<int>(Slot::kIn)] = {c.in.data(), c.in.data()};
  buffers.slot[static_cast<int>(Slot::kOut)] = {result.out.data(), result.out.data()};
  codelet.run(args, buffers, 0, c.positions);
  result.overflows = narrow.saturated;
  return result;
}

// The operations of a body in exact arithmetic.
template <class T>
Result<T> run_exactly(const RoundedBody& body, const Case<T>& c) {
  const ExactFormat format = exact_format(c.format);
  Result<T> result;
  result.out.assign(c.in.size(), T(77));
  const auto counted = [&](double value, bool overflow) {
    result.overflows += overflow ? 1 : 0;
    return value;
  };
  const auto fma = [&](double a, double b, double x) {
    bool overflow = false;
    const double value = format.fma(a, b, x, overflow);
    return counted(value, overflow);
  };
  const auto round = [&](double a) {
    bool overflow = false;
    const double value = format.round(a, overflow);
    return counted(value, overflow);
  };
  const std::int64_t block = rounded_lanes(sizeof(T));
  for (std::int64_t p = 0; p < c.positions; ++p) {
    for (std::int64_t l = 0; l < c.lanes; ++l) {
      std::vector<double> rows(kMostRoundedRows);
      const auto value = [&](int number) {
        if (number < kRoundedTable) return rows[static_cast<std::size_t>(number)];
        return static_cast<double>(c.table[static_cast<std::size_t>((l / block * body.table_values + number - kRoundedTable) * block + l % block)]);
      };
      for (const RoundedStep& s : body.steps[c.f32_sums ? 1 : 0]) {
        double& to = rows[s.d];
        const bool rounds = (s.op & kThenRound) != 0, sums = (s.op & kThenRoundSum) != 0;
        const auto op = static_cast<RoundedOp>(s.op & 0x3f);
        switch (op) {
          case RoundedOp::kLoad: {
            const bool exchange = c.swap != (s.a > 0 && !c.paths.empty() && (c.paths[static_cast<std::size_t>(l)] >> (s.a - 1) & 1) != 0);
            for (const int part : {0, 1}) {
              const T x = c.in[static_cast<std::size_t>(in_offset(c, p, l, s.a) + (exchange ? 1 - part : part))];
              double loaded = static_cast<double>(x);
              if (c.rounds_input()) loaded = static_cast<double>(static_cast<T>(x * static_cast<T>(c.scale)));
              if (c.rounds_input()) loaded = round(loaded);
              rows[part == 0 ? s.d : s.b] = loaded;
            }
            break;
          }
          case RoundedOp::kStore:
            for (const int part : {0, 1}) {
              const double stored = value(part == 0 ? s.a : s.b);
              result.out[static_cast<std::size_t>(out_offset(c, p, l, s.d) + part)] = std::isnan(stored) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(stored);
            }
            break;
          case RoundedOp::kConstant: to = static_cast<double>(c.constants[s.b + 256u * s.c]); break;
          case RoundedOp::kAdd:
          case RoundedOp::kSub: {
            const double a = value(s.a), b = op == RoundedOp::kAdd ? value(s.b) : -value(s.b);
            EXPECT_NE(rounds, sums);
            to = rounds ? fma(a, 1, b) : static_cast<double>(static_cast<float>(a) + static_cast<float>(b));
            break;
          }
          case RoundedOp::kMul: {
            EXPECT_TRUE(rounds);
            const double a = value(s.a), b = value(s.b);
            to = fma(a, b, std::signbit(a) != std::signbit(b) ? -0.0 : 0.0);
            break;
          }
          case RoundedOp::kNeg: to = rounds ? round(-value(s.a)) : -value(s.a); break;
          case RoundedOp::kFma: to = fma(value(s.a), value(s.b), value(s.c)); break;
          case RoundedOp::kFnma: to = fma(-value(s.a), value(s.b), value(s.c)); break;
          case RoundedOp::kFms: to = fma(value(s.a), value(s.b), -value(s.c)); break;
          case RoundedOp::kFnms: to = fma(-value(s.a), value(s.b), -value(s.c)); break;
          case RoundedOp::kRound: to = round(value(s.a)); break;
          case RoundedOp::kRoundSum: to = through_f32(value(s.a)); break;
        }
      }
    }
  }
  return result;
}

const RoundedBody& steps_of(const BodyFacts& body) {
  for (const RoundedBodyEntry& entry : rounded_bodies()) {
    if (entry.facts == &body) return *entry.body;
  }
  throw std::logic_error(body.name);
}

template <class T>
void expect_same(const Result<T>& expected, const Result<T>& got, const std::string& what) {
  ASSERT_EQ(expected.out.size(), got.out.size());
  for (std::size_t i = 0; i < got.out.size(); ++i) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    ASSERT_EQ(std::bit_cast<Bits>(expected.out[i]), std::bit_cast<Bits>(got.out[i]))
        << what << ": real " << i << " is " << got.out[i] << ", exactly " << expected.out[i];
  }
  EXPECT_EQ(expected.overflows, got.overflows) << what;
}

bool holds_in_f32(const FormatInfo& f) { return floor_log2(largest_value(f)) <= 126 && floor_log2(smallest_subnormal_value(f)) >= -149; }

// Calls visit.operator()<T>(target, codelet) for every rounded codelet that serves a format in T.
template <class Visit>
void for_each_codelet(const FormatInfo& f, const Visit& visit) {
  const Carrier carrier = carrier_of(f);
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    const bool is_reference = &target.table == &reference();
    for (const CodeletInfo& codelet : target.table.codelets) {
      if (codelet.compute == ComputeType::kRoundedF32 && carrier == Carrier::kF32) visit.template operator()<float>(target.table.target, codelet);
      if (codelet.compute == ComputeType::kRoundedF64 && (carrier != Carrier::kSlow || is_reference)) {
        visit.template operator()<double>(target.table.target, codelet);
      }
    }
  }
}

TEST(RoundedCodelets, GiveTheBitsOfExactArithmeticInRandomFormats) {
  Random random(20);
  const int formats = full_run() ? 400 : 24;
  int passes = 0;
  for (int i = 0; i < formats && !testing::Test::HasFatalFailure(); ++i) {
    const FormatInfo f = random_format(random);
    const std::uint64_t seed = random();
    for_each_codelet(f, [&]<typename T>(const char* target, const CodeletInfo& codelet) {
      // One in six; the same on every target.
      Random own(seed ^ (codelet.body->digest + static_cast<std::uint64_t>(codelet.kind)));
      if (draw(own, 0, 5) != 0 || testing::Test::HasFatalFailure()) return;
      const bool f32_sums = holds_in_f32(f) && draw(own, 0, 1) == 1;
      const Case<T> c = random_case<T>(own, f, codelet, f32_sums, draw(own, 1, 3), draw(own, 1, 2));
      expect_same(run_exactly(steps_of(*codelet.body), c), run(codelet, c),
                  std::string(target) + " " + codelet.body->name + (sizeof(T) == 4 ? " f32" : " f64") + (f32_sums ? " with f32 sums" : "") + " in " + text_of(f));
      ++passes;
    });
  }
  EXPECT_GE(passes, 8 * formats);
}

TEST(RoundedCodelets, GiveTheBitsAndCountsOfTheReferenceHoweverManyLanes) {
  Random random(21);
  for (int i = 0; i < (full_run() ? 100 : 8) && !testing::Test::HasFatalFailure(); ++i) {
    const FormatInfo f = random_format(random);
    const std::uint64_t seed = random();
    for_each_codelet(f, [&]<typename T>(const char* target, const CodeletInfo& codelet) {
      if (target == std::string("ref") || testing::Test::HasFatalFailure()) return;
      Random own(seed ^ codelet.body->digest);
      const bool f32_sums = holds_in_f32(f) && draw(own, 0, 1) == 1;
      const std::int64_t lanes[] = {1, 2, 5, 31, 64, 65, 130};
      const Case<T> c = random_case<T>(own, f, codelet, f32_sums, lanes[draw(own, 0, 6)], draw(own, 1, 5));
      for (const CodeletInfo& other : reference().codelets) {
        if (other.kind != codelet.kind || other.compute != codelet.compute || other.body != codelet.body) continue;
        expect_same(run(other, c), run(codelet, c), std::string(target) + " " + codelet.body->name + (f32_sums ? " with f32 sums" : "") + " in " + text_of(f) +
                                                        ", lanes " + std::to_string(c.lanes));
      }
    });
  }
}

TEST(RoundedCodelets, ServeEveryTargetAlike) {
  const auto names = [](const CodeletTable& table) {
    std::vector<std::string> list;
    for (const CodeletInfo& codelet : table.codelets) {
      if (is_rounded(codelet.compute)) list.push_back(std::string(codelet.body->name) + " " + std::to_string(static_cast<int>(codelet.compute)) + " " + std::to_string(static_cast<int>(codelet.kind)));
    }
    std::sort(list.begin(), list.end());
    return list;
  };
  const std::vector<std::string> expected = names(reference());
  EXPECT_GE(expected.size(), 2 * rounded_bodies().size());
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    EXPECT_EQ(names(target.table), expected) << target.table.target;
  }
}

TEST(ThroughF32, RoundsNeighboursToo) {
  std::vector<double> values = {0x1.0d6bcc7020915p+4, -0x1.33e6765887db5p+3, 0x1.37daeefe0c6f5p+2};
  for (double& value : values) value = through_f32(value);
  double pair[2] = {0x1.0d6bcc7020915p+4, -0x1.33e6765887db5p+3};
  pair[0] = through_f32(pair[0]);
  pair[1] = through_f32(pair[1]);
  EXPECT_EQ(values, (std::vector<double>{0x1.0d6bccp+4, -0x1.33e676p+3, 0x1.37daeep+2}));
  EXPECT_EQ(pair[0], values[0]);
  EXPECT_EQ(pair[1], values[1]);
}

// ---- golden vectors

using nlohmann::json;

const FormatInfo& golden_format(const std::string& name) { return *find_format(formats(), name == "binary16" ? "f16" : "bf16"); }

struct Butterfly {
  double ar, ai, br, bi, scale, ratio;
  bool sine;
};

// t2_ds on every lane a butterfly; the codes of (A, B), re and im.
template <class T>
std::vector<std::uint64_t> run_butterflies(const CodeletInfo& codelet, const FormatInfo& f, const std::vector<Butterfly>& list) {
  const auto lanes = static_cast<std::int64_t>(list.size());
  Case<T> c{f, PassKind::kTwiddled, *codelet.body, false, lanes, 1};
  c.in.resize(static_cast<std::size_t>(4 * lanes));
  const std::int64_t block = rounded_lanes(sizeof(T));
  const auto values = static_cast<std::int64_t>(c.body.table.size());
  c.table.resize(static_cast<std::size_t>((lanes + block - 1) / block * block * values));
  for (std::int64_t l = 0; l < lanes; ++l) {
    const Butterfly& b = list[static_cast<std::size_t>(l)];
    const double point[4] = {b.ar, b.ai, b.br, b.bi};
    for (int i = 0; i < 4; ++i) c.in[static_cast<std::size_t>(in_offset(c, 0, l, i / 2) + i % 2)] = static_cast<T>(point[i]);
    for (std::int64_t v = 0; v < values; ++v) {
      const TableTerm& term = c.body.table[static_cast<std::size_t>(v)];
      const double value = term.kind == TableTerm::Kind::kRatio ? b.ratio : term.primed && b.sine ? -b.scale : b.scale;
      c.table[static_cast<std::size_t>((l / block * values + v) * block + l % block)] = static_cast<T>(value);
    }
    c.paths.push_back(b.sine ? 1 : 0);
  }
  const Result<T> result = run(codelet, c);
  std::vector<std::uint64_t> codes;
  for (std::int64_t l = 0; l < lanes; ++l) {
    for (int i = 0; i < 4; ++i) codes.push_back(encode(f, static_cast<double>(result.out[static_cast<std::size_t>(out_offset(c, 0, l, i / 2) + i % 2)]), Rounding::kNearest).code);
  }
  return codes;
}

template <class Check>
void for_each_butterfly_codelet(const FormatInfo& f, const Check& check) {
  for_each_codelet(f, [&]<typename T>(const char* target, const CodeletInfo& codelet) {
    if (codelet.body->name == std::string("t2_ds")) check(target, [&](const std::vector<Butterfly>& list) { return run_butterflies<T>(codelet, f, list); });
  });
}

TEST(Golden, TwiddlesOfDualSelectAreRoundedOnce) {
  const json file = golden("fma_dual_select.json");
  for (const auto& [name, format] : file.items()) {
    const FormatInfo& f = golden_format(name);
    for (const auto& [length, table] : format["tables"].items()) {
      const auto n = static_cast<std::uint64_t>(std::stoi(length));
      for (std::uint64_t k = 0; k < n / 2; ++k) {
        const DualSelect w = dual_select(k, n);
        EXPECT_EQ(encode(f, round_to_element(f, w.scale), Rounding::kNearest).code, table["mult"][k].get<std::uint64_t>()) << name << " " << k << "/" << n;
        EXPECT_EQ(encode(f, round_to_element(f, w.ratio), Rounding::kNearest).code, table["ratio"][k].get<std::uint64_t>()) << name << " " << k << "/" << n;
        EXPECT_EQ(w.sine_path ? 0 : 1, table["cos_path"][k].get<int>()) << name << " " << k << "/" << n;
      }
    }
  }
}

TEST(Golden, FusedMultiplyAddsOfEveryTargetRoundOnce) {
  const json file = golden("fma_dual_select.json");
  for (const auto& [name, format] : file.items()) {
    const FormatInfo& f = golden_format(name);
    const json& list = format["fma"];
    std::vector<Butterfly> butterflies;
    const auto value = [&](const char* which, std::size_t i) { return decode(f, list[which][i].get<std::uint64_t>()); };
    // re of A is scale * (b_r - 0 b_i) + a_r.
    for (std::size_t i = 0; i < list["a"].size(); ++i) butterflies.push_back({value("c", i), 0, value("b", i), 0, value("a", i), 0, false});
    ASSERT_GE(butterflies.size(), 20u);
    for_each_butterfly_codelet(f, [&](const char* target, const auto& run_all) {
      const std::vector<std::uint64_t> codes = run_all(butterflies);
      for (std::size_t i = 0; i < butterflies.size(); ++i) EXPECT_EQ(codes[4 * i], list["r"][i].get<std::uint64_t>()) << name << " " << target << ", case " << i;
    });
  }
}

TEST(Golden, ButterfliesOfEveryTargetHaveTheseBits) {
  const json file = golden("fma_dual_select.json");
  for (const auto& [name, format] : file.items()) {
    const FormatInfo& f = golden_format(name);
    const json& list = format["butterflies"];
    std::vector<Butterfly> butterflies;
    const auto value = [&](const char* which, std::size_t i) { return decode(f, list[which][i].get<std::uint64_t>()); };
    for (std::size_t i = 0; i < list["k"].size(); ++i) {
      const DualSelect w = dual_select(list["k"][i].get<std::uint64_t>(), list["n"].get<std::uint64_t>());
      butterflies.push_back({value("ar", i), value("ai", i), value("br", i), value("bi", i), round_to_element(f, w.scale), round_to_element(f, w.ratio), w.sine_path});
    }
    ASSERT_GE(butterflies.size(), 20u);
    for_each_butterfly_codelet(f, [&](const char* target, const auto& run_all) {
      const std::vector<std::uint64_t> codes = run_all(butterflies);
      const char* const outputs[] = {"Ar", "Ai", "Br", "Bi"};
      for (std::size_t i = 0; i < codes.size(); ++i) {
        EXPECT_EQ(codes[i], list[outputs[i % 4]][i / 4].get<std::uint64_t>()) << name << " " << target << ", " << outputs[i % 4] << " of case " << i / 4;
      }
    });
  }
}

}  // namespace
}  // namespace ulpfft::test

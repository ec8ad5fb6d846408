// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of mx schemes on every target: the golden butterflies and transforms bit for bit, and everything else as ref has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/mx_pass.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "tests/support/golden.h"

namespace ulpfft::test {
namespace {

using nlohmann::json;

// NaN are equal whatever their bits.
std::uint32_t element_bits(float x) { return std::isnan(x) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(x); }

ScaleRule rule_named(const std::string& name) {
  int rule = 0;
  while (name != kScaleRuleNames[rule]) ++rule;
  return static_cast<ScaleRule>(rule);
}

MxScheme scheme_of(const std::string& element, int length, const std::string& rule, const std::string& product) {
  const std::string name = element == "int8" ? "int8q6" : element;
  return {{find_format(formats(), name), find_format(formats(), "e8m0"), length, rule_named(rule)},
          product == "fresh" ? MxProduct::kFresh : MxProduct::kCarry};
}

// A pass with its twiddles w[q - 1][b].
struct Pass {
  MxPass pass;
  std::vector<float> twiddles;
  std::vector<std::int32_t> exponents;

  Pass(const MxScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t butterflies, const std::vector<std::vector<float>>& w, bool ones = false) {
    pass.scheme = scheme;
    pass.parameters = mx_parameters(scheme);
    pass.radix = radix;
    pass.length = length;
    pass.butterflies = butterflies;
    pass.ones = ones;
    const std::int64_t entries = lay_out(pass);
    twiddles.resize(static_cast<std::size_t>(2 * entries));
    exponents.resize(twiddles.size() / static_cast<std::size_t>(scheme.storage.length));
    for (std::int64_t q = 1; q < radix; ++q) {
      const std::int64_t last = std::min(pass.period, butterflies);
      for (std::int64_t begin = 0; begin < 2 * last; begin += scheme.storage.length) {
        const std::int64_t count = std::min<std::int64_t>(scheme.storage.length, 2 * last - begin);
        double elements[kLongestMxBlock];
        int exponent = 0;
        EXPECT_TRUE(mx_elements(scheme.storage, w[static_cast<std::size_t>(q - 1)].data() + begin, count, elements, exponent));
        const std::int64_t at = 2 * (q - 1) * pass.period + begin;
        for (std::int64_t i = 0; i < count; ++i) twiddles[static_cast<std::size_t>(at + i)] = static_cast<float>(elements[i]);
        exponents[static_cast<std::size_t>(at / scheme.storage.length)] = exponent;
      }
    }
    pass.twiddles = twiddles.data();
    pass.exponents = exponents.data();
  }

  // In place; or from an array of its own, perhaps exchanged and scaled; or from planes.
  enum class Source { kInPlace, kElsewhere, kExchanged, kPlanar };
  // `parts`: in how many calls.
  std::vector<float> run(PassFn function, std::vector<float> data, int parts = 1, Source source = Source::kInPlace) const {
    PassArgs args;
    args.context = &pass;
    args.in.slot = args.out.slot = Slot::kWork0;
    Buffers buffers{};
    std::vector<float> from = data;
    if (source != Source::kInPlace) {
      args.in.slot = Slot::kIn;
      std::fill(data.begin(), data.end(), -7.0F);
    }
    if (source == Source::kExchanged) {
      args.in.swap = true;
      args.scale = 0.75;
    }
    if (source == Source::kPlanar) {
      args.in.planar = true;
      args.in.im_offset = static_cast<std::int64_t>(data.size() / 2);
      args.in.lane_stride = 1;
    }
    buffers.slot[static_cast<int>(Slot::kIn)].re = from.data();
    buffers.slot[static_cast<int>(Slot::kWork0)].re = data.data();
    const std::int64_t units = mx_units(pass);
    for (int part = 0; part < parts; ++part) {
      const std::int64_t first = units * part / parts, end = units * (part + 1) / parts;
      if (end > first) function(args, buffers, first, end - first);
    }
    return data;
  }
};

float part(double exact) { return static_cast<float>(exact); }

// Roots w^(q k), k = b % length, rounded once.
std::vector<std::vector<float>> roots(std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool inverse) {
  std::vector<std::vector<float>> w;
  for (std::int64_t q = 1; q < radix; ++q) {
    std::vector<float> row;
    for (std::int64_t b = 0; b < butterflies; ++b) {
      const UnitRoot root = unit_root(q * (b % length), radix * length);
      row.push_back(part(root.re.hi) + 0.0F);
      row.push_back((inverse ? -part(root.im.hi) : part(root.im.hi)) + 0.0F);
    }
    w.push_back(row);
  }
  return w;
}

struct Functions {
  std::string target;
  PassFn butterfly, multiply;
};
std::vector<Functions> available() {
  std::vector<Functions> found;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    found.push_back({target.table.target, target.table.mx_butterfly, target.table.mx_multiply});
    EXPECT_NE(found.back().butterfly, nullptr) << found.back().target;
    EXPECT_NE(found.back().multiply, nullptr) << found.back().target;
  }
  return found;
}

void expect_equal(const std::vector<float>& found, const std::vector<float>& wanted, const std::string& where) {
  ASSERT_EQ(found.size(), wanted.size()) << where;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(element_bits(found[i]), element_bits(wanted[i])) << where << " real " << i << ": " << found[i] << ", not " << wanted[i];
  }
}

TEST(MxGolden, ButterfliesStepByStep) {
  const json file = golden("mx_butterfly.json");
  for (const json& one : file["cases"]) {
    const int length = one["B"].get<int>();
    const MxScheme scheme = scheme_of(one["fmt"].get<std::string>(), length, one["rule"].get<std::string>(), one["product"].get<std::string>());
    const std::string where = one["fmt"].get<std::string>() + " b" + std::to_string(length) + " " + one["rule"].get<std::string>() + " " +
                              one["product"].get<std::string>();
    const FormatInfo& f = *scheme.storage.element;
    const std::vector<float> u = golden_reals<float>(one["u"]), v = golden_reals<float>(one["v"]), w = golden_reals<float>(one["w"]);
    double y[kLongestMxBlock];
    int ew = 0;
    ASSERT_TRUE(mx_elements(scheme.storage, w.data(), length, y, ew)) << where;
    EXPECT_EQ(ew + 127, one["sw"].get<int>()) << where;
    std::vector<float> twiddles;
    for (int i = 0; i < length; ++i) {
      EXPECT_EQ(y[i], decode(f, one["cw"][static_cast<std::size_t>(i)].get<std::uint64_t>())) << where;
      twiddles.push_back(static_cast<float>(y[i]));
    }
    const MxBlockProduct product = mx_multiply(scheme, v.data(), twiddles.data(), ew, length);
    EXPECT_EQ(product.exponent + 127, one["sp"].get<int>()) << where;
    expect_equal(std::vector<float>(product.p, product.p + length), golden_reals<float>(one["p"]), where + " p");
    for (int i = 0; i < length; ++i) {
      EXPECT_EQ(product.elements[i], decode(f, one["cp"][static_cast<std::size_t>(i)].get<std::uint64_t>())) << where;
    }
    std::vector<float> data = u, wanted = golden_reals<float>(one["y0"]);
    data.insert(data.end(), v.begin(), v.end());
    const std::vector<float> lower = golden_reals<float>(one["y1"]);
    wanted.insert(wanted.end(), lower.begin(), lower.end());
    const Pass pass(scheme, 2, length / 2, length / 2, {w});
    for (const Functions& target : available()) expect_equal(pass.run(target.butterfly, data), wanted, where + " on " + target.target);
  }
}

TEST(MxGolden, WholeTransforms) {
  const json file = golden("mx_fft.json");
  for (const json& one : file["cases"]) {
    const std::int64_t n = one["n"].get<std::int64_t>();
    const MxScheme scheme = scheme_of(one["fmt"].get<std::string>(), one["B"].get<int>(), one["rule"].get<std::string>(), one["product"].get<std::string>());
    const std::vector<float> in = golden_reals<float>(file["inputs"][std::to_string(n)]);
    for (const Functions& target : available()) {
      std::vector<float> data(in.size());
      for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t reversed = 0;
        for (std::int64_t bit = 1, at = i; bit < n; bit *= 2, at /= 2) reversed = 2 * reversed + at % 2;
        for (std::int64_t c = 0; c < 2; ++c) data[static_cast<std::size_t>(2 * i + c)] = in[static_cast<std::size_t>(2 * reversed + c)];
      }
      for (std::int64_t l = 1; l < n; l *= 2) {
        data = Pass(scheme, 2, l, n / 2, roots(2, l, n / 2, one["inverse"].get<int>() != 0)).run(target.butterfly, data);
      }
      expect_equal(data, golden_reals<float>(one["out"]), one["fmt"].get<std::string>() + " n " + std::to_string(n) + " b" + std::to_string(one["B"].get<int>()) +
                                                " on " + target.target);
    }
  }
}

// Every block format of this build in every length and rule, lengths that no block divides, magnitudes from subnormal to nearly infinite.
TEST(MxPasses, EqualRefOnEveryTarget) {
  std::mt19937_64 random(11);
  const auto below = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random() % bound); };
  std::size_t schemes = 0;
  for (const BlockInfo& block : block_formats()) {
    for (const int length : {2, 4, 8, 16, 32, 64}) {
      for (int rule = 0; rule < kPowerRules; ++rule) {
        for (const MxProduct product : {MxProduct::kCarry, MxProduct::kFresh}) {
          const MxScheme scheme{{find_format(formats(), block.element), find_format(formats(), block.scale), length, static_cast<ScaleRule>(rule)},
                                product};
          if (mx_refusal(scheme.storage) != nullptr) continue;
          ++schemes;
          const std::int64_t radix = below(2) == 0 ? 2 : 2 + below(7), l = std::int64_t(1) << below(7), groups = 1 + below(below(4) == 0 ? 400 : 40);
          const std::int64_t odd = below(3) == 0 ? l + below(5) : l;
          // One in four is a first pass: its twiddles are 1, and radix 2 reads by points.
          const bool first = below(4) == 0;
          const std::int64_t along = first ? (radix == 2 ? 1 : odd * groups) : odd;
          Pass pass(scheme, radix, along, odd * groups, roots(radix, first ? 1 : odd, odd * groups, below(2) == 1), first);
          std::vector<std::uint32_t> points(static_cast<std::size_t>(odd * groups));
          std::iota(points.begin(), points.end(), 0U);
          std::shuffle(points.begin(), points.end(), random);
          if (first && radix == 2) pass.pass.points = points.data();
          const auto source = static_cast<Pass::Source>(below(4) == 0 && pass.pass.points == nullptr ? 0 : 1 + below(3));
          std::vector<float> data(static_cast<std::size_t>(2 * radix * odd * groups));
          const int centre = static_cast<int>(below(250)) - 125;
          for (float& x : data) {
            const double uniform = static_cast<double>(static_cast<std::int64_t>(random()) >> 11) * 0x1p-52;
            const std::int64_t kind = below(40);
            x = static_cast<float>(std::ldexp(uniform, centre + static_cast<int>(below(kind < 20 ? 4 : 40))));
            if (kind == 0) x = std::copysign(0.0F, x);
            if (kind == 1) x = static_cast<float>(std::ldexp(1.0, centre));
            if (kind == 2 && below(20) == 0) x = below(2) == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
            if (kind == 3) x = std::bit_cast<float>(static_cast<std::uint32_t>(random() % 0x7f800000U));
          }
          const std::string where = std::string(block.name) + ":b" + std::to_string(length) + ":" + kScaleRuleNames[rule] + " radix " +
                                    std::to_string(radix) + " of " + std::to_string(odd) + " x " + std::to_string(groups) +
                                    (first ? " first" : "") + " from " + std::to_string(static_cast<int>(source));
          const std::vector<Functions> targets = available();
          const auto function = [&](const Functions& target) { return radix == 2 ? target.butterfly : target.multiply; };
          const std::vector<float> wanted = pass.run(function(targets.back()), data, 1, source);
          ASSERT_EQ(targets.back().target, "ref");
          for (const Functions& target : targets) expect_equal(pass.run(function(target), data, 1 + static_cast<int>(below(3)), source), wanted, where + " on " + target.target);
        }
      }
    }
  }
  EXPECT_GE(schemes, 6U * 6 * 5 * 2);  // six block formats at least
}

TEST(MxSchemes, AreRefusedWhereTheirProductsAreNotExact) {
  const FormatInfo* scale = find_format(formats(), "e8m0");
  const auto refusal = [&](const char* element, int length) {
    return mx_refusal({find_format(formats(), element), scale, length, ScaleRule::kRceil});
  };
  EXPECT_EQ(refusal("f16", 32), nullptr);
  EXPECT_NE(refusal("bf16", 32), nullptr);
  EXPECT_NE(refusal("u8", 32), nullptr);
  EXPECT_NE(refusal("i16", 32), nullptr);
  EXPECT_NE(refusal("e4m3", 0), nullptr);
  EXPECT_NE(mx_refusal({find_format(formats(), "e4m3"), nullptr, 0, ScaleRule::kRceil}), nullptr);
}

}  // namespace
}  // namespace ulpfft::test

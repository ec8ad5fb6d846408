// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rounded schemes as plans: whole transforms against an interpreter in exact arithmetic, the errors of golden accuracy.json, predictions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/codec.h"
#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/through_f32.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "planner/judge/assess.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "planner/scheme/scheme_of.h"
#include "tests/planner/best_target.h"
#include "tests/planner/built_plan.h"
#include "tests/support/api.h"
#include "tests/support/exact_format.h"
#include "tests/support/golden.h"
#include "tests/support/targets.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"

namespace ulpfft::test {
namespace {

// ---- an interpreter of recipes

using Numbers = std::vector<std::complex<double>>;

// A dit by its definition: transforms of the residues of the index, then one body per k.
class Interpreter {
 public:
  Interpreter(const FormatInfo& f, bool f32_sums, const std::vector<PassSpec>& passes) : format_(exact_format(f)), f32_sums_(f32_sums), passes_(passes) {}

  Numbers transform(Numbers x) {
    for (std::complex<double>& value : x) {
      const double re = round(value.real());
      value = {re, round(value.imag())};
    }
    return pass(x, passes_.size() - 1);
  }
  std::int64_t overflows() const { return overflows_; }

 private:
  Numbers pass(const Numbers& x, std::size_t last) {
    const auto radix = static_cast<std::size_t>(passes_[last].radix);
    if (last == 0) return body(x, TwiddleForm::kNone, 0, 1);
    const std::size_t length = x.size() / radix;
    std::vector<Numbers> parts;
    for (std::size_t j = 0; j < radix; ++j) {
      Numbers residues;
      for (std::size_t i = j; i < x.size(); i += radix) residues.push_back(x[i]);
      parts.push_back(pass(residues, last - 1));
    }
    Numbers y(x.size());
    for (std::size_t k = 0; k < length; ++k) {
      Numbers points;
      for (const Numbers& part : parts) points.push_back(part[k]);
      const Numbers done = body(points, passes_[last].form, k, x.size());
      for (std::size_t q = 0; q < radix; ++q) y[k + q * length] = done[q];
    }
    return y;
  }

  double counted(double value, bool overflow) {
    overflows_ += overflow ? 1 : 0;
    return value;
  }
  double round(double x) {
    bool overflow = false;
    const double value = format_.round(x, overflow);
    return counted(value, overflow);
  }
  double fma(double a, double b, double c) {
    bool overflow = false;
    const double value = format_.fma(a, b, c, overflow);
    return counted(value, overflow);
  }
  double rounded(const DoubleDouble& x) const {
    bool overflow = false;
    return format_.round(exact_sum(exact(x.hi), exact(x.lo)), overflow) + 0.0;
  }

  double table_value(const TableTerm& term, TwiddleForm form, std::uint64_t k, std::uint64_t n) const {
    const UnitRoot w = unit_root(k * term.j, n);
    if (term.kind == TableTerm::Kind::kRe) return rounded(w.re);
    if (term.kind == TableTerm::Kind::kIm) return rounded(w.im);
    const auto scale = [&](int j, bool primed) {
      const DualSelect s = select_path(form, unit_root(k * static_cast<std::uint64_t>(j), n));
      return primed && s.sine_path ? -s.scale : s.scale;
    };
    if (term.kind == TableTerm::Kind::kRatio) return rounded(select_path(form, w).ratio);
    if (term.kind == TableTerm::Kind::kSign) return select_path(form, w).sine_path ? -1 : 1;
    DoubleDouble value = scale(term.j, term.primed);
    if (term.over_j != 0) value = value / scale(term.over_j, term.over_primed);
    return rounded(term.sqrt_half ? value * sqrt(DoubleDouble(0.5)) : value);
  }

  Numbers body(const Numbers& x, TwiddleForm form, std::uint64_t k, std::uint64_t n) {
    const RoundedBodyEntry* found = nullptr;
    for (const RoundedBodyEntry& entry : rounded_bodies()) {
      if (entry.facts->radix == static_cast<int>(x.size()) && entry.facts->form == form) found = &entry;
    }
    if (found == nullptr) throw std::logic_error("no body");
    Numbers y(x.size());
    std::vector<double> rows(kMostRoundedRows);
    const auto value = [&](int number) {
      if (number < kRoundedTable) return rows[static_cast<std::size_t>(number)];
      return table_value(found->facts->table[static_cast<std::size_t>(number - kRoundedTable)], form, k, n);
    };
    for (const RoundedStep& s : found->body->steps[f32_sums_ ? 1 : 0]) {
      double& to = rows[s.d];
      const bool rounds = (s.op & kThenRound) != 0;
      const auto sum = [&](double a, double b) { return rounds ? fma(a, 1, b) : static_cast<double>(static_cast<float>(a) + static_cast<float>(b)); };
      switch (static_cast<RoundedOp>(s.op & 0x3f)) {
        case RoundedOp::kLoad: {
          const bool exchange = s.a > 0 && selects_path(form) && select_path(form, unit_root(k * s.a, n)).sine_path;
          rows[s.d] = exchange ? x[s.a].imag() : x[s.a].real();
          rows[s.b] = exchange ? x[s.a].real() : x[s.a].imag();
          break;
        }
        case RoundedOp::kStore: y[s.d] = {value(s.a), value(s.b)}; break;
        case RoundedOp::kConstant: {
          const BodyConstant& c = rounded_body_constants()[s.b + 256u * s.c];
          to = rounded({c.hi, c.lo});
          break;
        }
        case RoundedOp::kAdd: to = sum(value(s.a), value(s.b)); break;
        case RoundedOp::kSub: to = sum(value(s.a), -value(s.b)); break;
        case RoundedOp::kMul: to = fma(value(s.a), value(s.b), std::signbit(value(s.a)) != std::signbit(value(s.b)) ? -0.0 : 0.0); break;
        case RoundedOp::kNeg: to = rounds ? round(-value(s.a)) : -value(s.a); break;
        case RoundedOp::kFma: to = fma(value(s.a), value(s.b), value(s.c)); break;
        case RoundedOp::kFnma: to = fma(-value(s.a), value(s.b), value(s.c)); break;
        case RoundedOp::kFms: to = fma(value(s.a), value(s.b), -value(s.c)); break;
        case RoundedOp::kFnms: to = fma(-value(s.a), value(s.b), -value(s.c)); break;
        case RoundedOp::kRound: to = round(value(s.a)); break;
        case RoundedOp::kRoundSum: to = through_f32(value(s.a)); break;
      }
    }
    return y;
  }

  ExactFormat format_;
  bool f32_sums_;
  std::vector<PassSpec> passes_;
  std::int64_t overflows_ = 0;
};

std::string random_recipe(std::mt19937_64& random) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const char* const first[] = {"2", "3", "4", "5", "8"};
  const char* const later[] = {"2", "2:ds", "2:lf", "2:cos", "3", "4", "4:ds", "5", "7", "8", "8:ds"};
  std::string text = std::string("dit(") + first[draw(0, 4)];
  for (int passes = draw(1, 3); passes > 0; --passes) text += std::string(" ") + later[draw(0, 10)];
  return text + ")";
}

TEST(RoundedPlans, GiveTheBitsOfExactArithmeticOnRandomSmallTransforms) {
  std::mt19937_64 random(22);
  std::vector<const FormatInfo*> elements;
  for (const FormatInfo& f : formats()) {
    if (has_rounded_scheme(f)) elements.push_back(&f);
  }
  ASSERT_GE(elements.size(), 10u);
  std::int64_t overflows = 0;
  const int transforms = full_run() ? 2000 : 150;
  for (int i = 0; i < transforms && !testing::Test::HasFatalFailure(); ++i) {
    const FormatInfo& f = *elements[random() % elements.size()];
    const bool f32_sums = random() % 2 == 1 && f.compute == std::string_view("f32");
    const std::string scheme = std::string("rounded:") + f.name + (f32_sums ? "/f32" : "");
    const std::string text = scheme + ":" + random_recipe(random);
    const Recipe recipe = parse_recipe(text);
    const std::int64_t n = node_length(recipe.root);
    if (n > 256) continue;
    // Some of them large enough to overflow.
    const double rms = f.largest / (random() % 4 == 0 ? 2.0 : 16.0 * static_cast<double>(n));
    std::vector<double> in;
    Numbers x;
    for (std::int64_t j = 0; j < n; ++j) {
      for (int part = 0; part < 2; ++part) in.push_back(std::normal_distribution<double>(0, rms)(random));
      x.emplace_back(in[in.size() - 2], in[in.size() - 1]);
    }
    Interpreter interpreter(f, f32_sums, recipe.root.passes);
    // What the carrier of the passes makes of f64 storage.
    for (std::complex<double>& value : x) {
      if (compute_type_of_scheme(scheme) == ComputeType::kRoundedF32) value = {through_f32(value.real()), through_f32(value.imag())};
    }
    const Numbers expected = interpreter.transform(x);
    overflows += interpreter.overflows();
    for (const RegisteredTarget& target : registered_targets()) {
      if (!target.available) continue;
      const auto plan = plan_of(std::to_string(n) + " f64 scheme=" + scheme, text, target.table);
      std::vector<double> out(in.size(), 77.0);
      Counts counts{-1, -1};
      ArrayAddress from, to;
      from.data[0] = from.data[1] = in.data();
      to.data[0] = to.data[1] = out.data();
      ASSERT_EQ(run_arrays(*plan, from, to, nullptr, &counts), ULPFFT_OK);
      for (std::size_t j = 0; j < out.size(); ++j) {
        const double value = j % 2 == 0 ? expected[j / 2].real() : expected[j / 2].imag();
        const double settled = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(out[j]), std::bit_cast<std::uint64_t>(settled))
            << target.table.target << " " << text << ": real " << j << " is " << out[j] << ", exactly " << settled;
      }
      // In a scheme with f32 sums one value that overflows in several products counts once.
      EXPECT_EQ(counts.saturated, interpreter.overflows()) << target.table.target << " " << text;
    }
  }
  EXPECT_GT(overflows, 0);
}

// ---- errors

double measured_error(const std::string& problem, const std::string& recipe) {
  return measure_error(*plan_of(problem, recipe, best_table()), ErrorLevel::kFull).relative_l2;
}

std::string radix_2(std::int64_t n, const std::string& form) {
  std::string text = "dit(2";
  for (std::int64_t l = 2; l < n; l *= 2) text += " 2" + form;
  return text + ")";
}

TEST(RoundedPlans, ErrAsMuchAsTheyPredict) {
  for (const char* const scheme : {"rounded:f16", "rounded:bf16", "rounded:e4m3", "rounded:e5m2", "rounded:f16/f32", "rounded:bf16/f32"}) {
    for (const char* const node : {"360 dit(9 8 5)", "1024 dit(16 8 8)", "1024 dit(4 4:ds 4:ds 4:ds 4:ds)", "4096 dit(16 16 16)", "256 dit(2 2 2 2 2 2 2 2)"}) {
      const std::string text(node), n = text.substr(0, text.find(' '));
      const auto plan = plan_of(n + " f32 scheme=" + scheme, std::string(scheme) + ":" + text.substr(n.size() + 1), best_table());
      const double measured = measure_error(*plan, ErrorLevel::kSampled).relative_l2;
      EXPECT_NEAR(plan->facts->predicted_error / measured, 1, 0.25) << scheme << " " << node << ": " << measured;
    }
  }
}

TEST(Golden, ErrorsOfRoundedRadix2AreWithinTheirMargins) {
  const nlohmann::json table = golden("accuracy.json");
  const struct {
    const char* row;
    const char* scheme;
    const char* form;
  } rows[] = {{"binary16 all-16bit std", "rounded:f16", ""},      {"binary16 all-16bit dual fma", "rounded:f16", ":ds"},
              {"binary16 multiply-16/add-32", "rounded:f16/f32", ""}, {"bfloat16 all-16bit std", "rounded:bf16", ""},
              {"bfloat16 all-16bit dual fma", "rounded:bf16", ":ds"}, {"bfloat16 multiply-16/add-32", "rounded:bf16/f32", ""}};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < table["n"].size(); ++i) {
      const auto n = table["n"][i].get<std::int64_t>();
      if (n > 4096 && !full_run()) continue;
      const double expected = table["relative_l2"][row.row][i].get<double>();
      const double error = measured_error(std::to_string(n) + " f32 scheme=" + row.scheme, std::string(row.scheme) + ":" + radix_2(n, row.form));
      EXPECT_NEAR(error / expected, 1, n >= 1024 ? 0.15 : 0.30) << row.row << ", n = " << n;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of real transforms as the verifier, the interpreter of the tests and the printer see them: programs that are written by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/program/check.h"
#include "planner/program/print.h"
#include "planner/table/find_codelet.h"
#include "tests/planner/interpret.h"
#include "tests/support/signals.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

using Numbers = std::vector<Complex>;

View numbers_of(ArrayId array, bool split = false, bool conjugated = false) {
  View view;
  view.array = array;
  view.layout = split ? Layout::kSplit : Layout::kPaired;
  view.point_stride = split ? 1 : 2;
  view.swap = conjugated;
  return view;
}
View reals_of(ArrayId array, std::int64_t offset, std::int64_t stride) {
  View view;
  view.array = array;
  view.offset = offset;
  view.point_stride = stride;
  return view;
}

class Made : public Program {
 public:
  Made() {
    compute = ComputeType::kF64;
    scheme = scheme_named("f64");
    scheme_name = "f64";
  }
  ArrayId take(std::int64_t points) {
    Array array;
    array.reals = 2 * points;
    arrays.push_back(array);
    const ArrayId id = work_array(arrays.size() - 1);
    body.push_back(Take{id});
    return id;
  }
  void add(PassKind kind, const View& from, const View& to, std::int64_t lanes, double scale = 1.0) {
    Pass pass;
    pass.op = Compute{};
    pass.codelet = find_codelet(registered_targets().back().table, kind, compute, 1, TwiddleForm::kNone);
    pass.args.in = from;
    pass.args.out = to;
    pass.args.lanes = lanes;
    pass.args.scale = scale;
    pass.use = passes.size();
    if (kind == PassKind::kUntangle || kind == PassKind::kTangle) {
      pass.table = static_cast<int>(tables.size());
      tables.push_back(RealTwiddles{2 * lanes, kind == PassKind::kUntangle});
    }
    passes.push_back({.codelet = pass.codelet, .butterflies = lanes, .lanes = lanes});
    body.push_back(std::move(pass));
  }
};

Problem problem_of(std::int64_t points, bool split) { return parse_problem(std::to_string(points) + (split ? " f64 split" : " f64")); }

// One dense transform of a problem.
Numbers interpreted(const Program& program, const Problem& problem, const Numbers& in) {
  const bool split = problem.layout == ArrayLayout::kSplit;
  Interpreter interpreter(program, problem);
  std::vector<double> parts[2];
  for (const Complex& number : in) {
    parts[0].push_back(number.real());
    parts[split ? 1 : 0].push_back(number.imag());
  }
  const std::size_t reals = parts[0].size();
  for (int part = 0; part < 2; ++part) {
    interpreter.set(ArrayId::kIn, part, 0, parts[part]);
    interpreter.set(ArrayId::kOut, part, 0, std::vector<double>(reals));
  }
  interpreter.run();
  Numbers out;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(in.size()); ++i) {
    const double re = interpreter.real_at(ArrayId::kOut, 0, split ? i : 2 * i);
    out.emplace_back(re, interpreter.real_at(ArrayId::kOut, split ? 1 : 0, split ? i : 2 * i + 1));
  }
  return out;
}

void expect_near(const Numbers& got, const Numbers& expected, const std::string& where) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LE(std::abs(got[i] - expected[i]), 1e-12) << where << ", point " << i;
}

Numbers random_numbers(std::int64_t count) { return random_signal<double>(static_cast<std::size_t>(count), 5); }

// X is the transform of the reals whose pairs are the numbers that Z is the transform of.
TEST(RealPasses, UntangleTheTransformOfPairs) {
  for (std::int64_t h = 1; h <= 9; ++h) {
    for (const bool conjugated : {false, true}) {
      const Numbers numbers = random_numbers(h);
      Numbers reals;
      for (const Complex& number : numbers) reals.insert(reals.end(), {number.real(), number.imag()});
      Numbers z = dft(numbers), x = dft(reals);
      z.emplace_back();  // as many points as X
      x.resize(z.size());
      if (conjugated) {
        for (Complex& number : x) number = std::conj(number);
      }
      const Problem problem = problem_of(h + 1, false);
      Made program;
      program.add(PassKind::kUntangle, numbers_of(ArrayId::kIn), numbers_of(ArrayId::kOut, false, conjugated), h);
      ASSERT_EQ(check_program(program, &problem), "") << h;
      expect_near(interpreted(program, problem, z), x, std::to_string(h));
    }
  }
}

TEST(RealPasses, TangleWhatTheyUntangled) {
  for (std::int64_t h = 1; h <= 9; ++h) {
    for (const bool split : {false, true}) {
      const Problem problem = problem_of(h, split);
      const Numbers z = random_numbers(h);
      Made program;
      const ArrayId x = program.take(h + 1);
      program.add(PassKind::kUntangle, numbers_of(ArrayId::kIn, split), numbers_of(x, false, true), h);
      program.add(PassKind::kTangle, numbers_of(x, false, true), numbers_of(ArrayId::kOut, split), h, 0.5);
      ASSERT_EQ(check_program(program, &problem), "") << h;
      expect_near(interpreted(program, problem, z), z, std::to_string(h) + (split ? " split" : ""));
    }
  }
}

// The first n reals of the input become numbers, of which the first half is kept and mirrored; re goes to both parts of the output.
Made mirroring(std::int64_t n) {
  Made program;
  const ArrayId whole = program.take(n), half = program.take((n + 1) / 2), mirrored = program.take(n);
  program.add(PassKind::kFromReals, reals_of(ArrayId::kIn, 0, 1), numbers_of(whole), n, 2.0);
  program.add(PassKind::kHalf, numbers_of(whole), numbers_of(half), (n + 1) / 2);
  program.add(PassKind::kMirror, numbers_of(half), numbers_of(mirrored), n, 0.5);
  program.add(PassKind::kToReals, numbers_of(mirrored), reals_of(ArrayId::kOut, 0, 2), n);
  program.add(PassKind::kToReals, numbers_of(mirrored), reals_of(ArrayId::kOut, 1, 2), n);
  return program;
}

TEST(RealPasses, MoveRealsAndMirrorHalves) {
  for (std::int64_t n = 1; n <= 9; n += 2) {
    const Problem problem = problem_of(n, false);
    const Numbers in = random_numbers(n);
    std::vector<double> reals;
    for (const Complex& number : in) reals.insert(reals.end(), {number.real(), number.imag()});
    Numbers expected;
    for (std::int64_t j = 0; j < n; ++j) {
      const double real = reals[static_cast<std::size_t>(std::min(j, n - j))];
      expected.emplace_back(real, real);
    }
    const Made program = mirroring(n);
    ASSERT_EQ(check_program(program, &problem), "") << n;
    expect_near(interpreted(program, problem, in), expected, std::to_string(n));
  }
}

// im of halves and mirrored halves, and the conjugate of what is kept.
TEST(RealPasses, KeepImaginaryPartsButThatOfPoint0) {
  const std::int64_t n = 7;
  const Problem problem = problem_of(n, false);
  const Numbers in = random_numbers(n);
  Made program;
  const ArrayId half = program.take((n + 1) / 2);
  program.add(PassKind::kHalf, numbers_of(ArrayId::kIn), numbers_of(half, false, true), (n + 1) / 2);
  program.add(PassKind::kMirror, numbers_of(half), numbers_of(ArrayId::kOut), n);
  ASSERT_EQ(check_program(program, &problem), "");
  Numbers expected{in[0].real()};
  for (std::size_t k = 1; k < 7; ++k) expected.push_back(k <= 3 ? std::conj(in[k]) : in[7 - k]);
  expect_near(interpreted(program, problem, in), expected, "");
}

TEST(RealPasses, AreRefusedWhereTheyLeaveAnArray) {
  const Problem problem = problem_of(7, false);
  const auto fault_of = [&](std::size_t number, const auto& change) {
    Made program = mirroring(7);
    for (Item& item : program.body) {
      if (item.pass() != nullptr && item.pass()->use == number) change(item.pass()->args);
    }
    return check_program(program, &problem);
  };
  const auto further = [](View& view) { ++view.offset; };
  EXPECT_EQ(fault_of(0, [&](Operands& args) { args.in.offset = 7; }), "");  // of 14 reals
  EXPECT_NE(fault_of(0, [&](Operands& args) { args.in.offset = 8; }).find("outside"), std::string::npos);
  EXPECT_NE(fault_of(1, [&](Operands& args) { further(args.out); }).find("outside"), std::string::npos);
  EXPECT_NE(fault_of(2, [&](Operands& args) { args.lanes = 9; }).find("outside"), std::string::npos);
  EXPECT_NE(fault_of(4, [&](Operands& args) { further(args.out); }).find("outside"), std::string::npos);
  EXPECT_NE(fault_of(4, [&](Operands& args) { args.out.offset = 0; }).find("never written"), std::string::npos);
}

TEST(RealPasses, PrintWhatTheyConjugateAndTheirTables) {
  Made program;
  program.add(PassKind::kUntangle, numbers_of(ArrayId::kIn), numbers_of(ArrayId::kOut, false, true), 8);
  program.add(PassKind::kTangle, numbers_of(ArrayId::kIn), numbers_of(ArrayId::kOut), 8);
  const std::string text = print_program(program);
  for (const char* const part :
       {"untangle  in[2 p] -> out[2 p | conjugated]  p<8", "t0   twiddles of reals(16), halved\n", "t1   twiddles of reals(16)\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(bytes_of_table(program.tables[0], ComputeType::kF64), 5 * 16);
}

}  // namespace
}  // namespace ulpfft::test

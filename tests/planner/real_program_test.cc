// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs of transforms of real numbers: after each stage the verifier finds no fault, and what they compute is the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/pipeline.h"
#include "planner/program/check.h"
#include "planner/program/print.h"
#include "tests/planner/interpret_problem.h"
#include "tests/planner/made_program.h"
#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
#include "tests/support/signals.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// The elements of one side, transform by transform: visit(transform, indices of the lengths, first real).
template <typename Visit>
void each_element(const Problem& problem, bool output, const Visit& visit) {
  const bool split = problem.layout == ArrayLayout::kSplit && !holds_reals(problem, output);
  const std::int64_t unit = split || holds_reals(problem, output) ? 1 : 2;
  std::vector<const Dimension*> dims;
  for (const Dimension& d : problem.batch) dims.push_back(&d);
  for (const Dimension& d : problem.dims) dims.push_back(&d);
  std::vector<std::int64_t> index(dims.size(), 0);
  const auto walk = [&](const auto& self, std::size_t at_dim, std::int64_t at) -> void {
    if (at_dim == dims.size()) {
      std::int64_t transform = 0;
      for (std::size_t b = 0; b < problem.batch.size(); ++b) transform = transform * problem.batch[b].length + index[b];
      const auto first = index.begin() + static_cast<std::ptrdiff_t>(problem.batch.size());
      return visit(transform, std::vector<std::int64_t>(first, index.end()), at);
    }
    const Dimension& d = *dims[at_dim];
    for (std::int64_t i = 0; i < stored_length(problem, d, output); ++i) {
      index[at_dim] = i;
      self(self, at_dim + 1, at + i * unit * (output ? d.out_stride : d.in_stride));
    }
  };
  walk(walk, 0, 0);
}

std::size_t flat(const Problem& problem, const std::vector<std::int64_t>& index) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < index.size(); ++d) at = at * problem.dims[d].length + index[d];
  return static_cast<std::size_t>(at);
}

// The indices of the definition for those of the array.
std::vector<std::int64_t> logical(const Problem& problem, bool output, std::vector<std::int64_t> index) {
  for (std::size_t d = 0; d < index.size(); ++d) {
    const Dimension& dim = problem.dims[d];
    index[d] = (index[d] + dim.length - first_index(problem, dim, output)) % dim.length;
  }
  return index;
}

// The complex transform of an array of all lengths by its definition; sign of the exponent.
std::vector<Complex> transformed(const Problem& problem, const std::vector<Complex>& values, int sign) {
  std::vector<Complex> out = values;
  std::size_t stride = 1;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    const auto n = static_cast<std::size_t>(problem.dims[d].length);
    for (std::size_t first = 0; first < out.size(); ++first) {
      if (first / stride % n != 0) continue;
      std::vector<Complex> line(n);
      for (std::size_t j = 0; j < n; ++j) line[j] = sign < 0 ? out[first + j * stride] : std::conj(out[first + j * stride]);
      line = dft(line);
      for (std::size_t k = 0; k < n; ++k) out[first + k * stride] = sign < 0 ? line[k] : std::conj(line[k]);
    }
    stride *= n;
  }
  return out;
}

// One for each point of the stored half of a spectrum.
std::vector<Complex> stored_factors(const Problem& problem) {
  std::vector<Complex> factors(static_cast<std::size_t>(spectrum_points(problem)), 1.0);
  Random random(20261124);
  for (std::size_t i = 0; i < factors.size() && problem.chain == "mul"; ++i) {
    const double re = static_cast<double>(random.between(1, 1000)) / 1000;
    factors[i] = {re, static_cast<double>(random.between(1, 1000)) / 1000};
  }
  return factors;
}

// Where row `line` of the whole spectrum, or the row of its conjugates, lies among the stored ones.
std::int64_t stored_row(const Problem& problem, std::int64_t line, bool mirrored) {
  std::int64_t stored = 0, lines = 1;
  for (std::size_t d = problem.dims.size() - 1; d-- > 0; line /= problem.dims[d].length) {
    const std::int64_t length = problem.dims[d].length, k = line % length, first = problem.centered ? length / 2 : 0;
    stored += ((mirrored ? length - k : k) + first) % length * lines;
    lines *= length;
  }
  return stored;
}

// The same for the whole spectrum, whose other half has the conjugates.
std::vector<Complex> factors_of_whole(const Problem& problem) {
  const std::vector<Complex> stored = stored_factors(problem);
  const std::int64_t n = problem.dims.back().length, row = n / 2 + 1;
  std::vector<Complex> whole;
  for (std::int64_t i = 0; i < transform_points(problem); ++i) {
    const bool mirrored = i % n >= row;
    const std::int64_t column = mirrored ? n - i % n : i % n;
    const Complex factor = stored[static_cast<std::size_t>(stored_row(problem, i / n, mirrored) * row + column)];
    whole.push_back(mirrored ? std::conj(factor) : factor);
  }
  return whole;
}

// What the problem computes of its input elements, in their order.
std::vector<Complex> expected_r2r(const Problem& problem, const std::vector<Complex>& in) {
  Case one;
  one.kind = ULPFFT_R2R;
  for (const Dimension& d : problem.dims) one.dims.push_back({d.length, 1, 1});
  for (const Dimension& d : problem.batch) one.batch.push_back({d.length, 1, 1});
  for (const R2rKind kind : problem.kinds) one.kinds.push_back(static_cast<int>(kind));
  one.scale_kind = static_cast<int>(problem.scale_kind);
  std::vector<ComplexDD> data;
  for (const Complex& value : in) data.push_back({DoubleDouble(value.real()), DoubleDouble(0.0)});
  std::vector<Complex> out;
  for (const ComplexDD& value : exact_result(one, data)) out.emplace_back(value.re.value());
  return out;
}

std::vector<Complex> expected(const Problem& problem, const std::vector<Complex>& in) {
  if (problem.kind == Kind::kR2R) return expected_r2r(problem, in);
  const bool r2c = problem.kind == Kind::kR2C, backward = problem.direction == Direction::kBackward;
  const auto points = static_cast<std::size_t>(transform_points(problem)), batch = static_cast<std::size_t>(batch_count(problem));
  std::vector<std::vector<Complex>> whole(batch, std::vector<Complex>(points));
  std::size_t i = 0;
  each_element(problem, false, [&](std::int64_t transform, const std::vector<std::int64_t>& stored, std::int64_t) {
    const std::vector<std::int64_t> index = logical(problem, false, stored);
    std::vector<Complex>& values = whole[static_cast<std::size_t>(transform)];
    values[flat(problem, index)] = in[i++];
    if (r2c) return;
    std::vector<std::int64_t> other(index.size());
    for (std::size_t d = 0; d < index.size(); ++d) other[d] = (problem.dims[d].length - index[d]) % problem.dims[d].length;
    if (other.back() > problem.dims.back().length / 2) values[flat(problem, other)] = std::conj(in[i - 1]);
  });
  for (std::vector<Complex>& values : whole) values = transformed(problem, values, r2c != backward ? -1 : 1);
  if (is_real_chain(problem)) {
    const std::vector<Complex> factors = factors_of_whole(problem);
    for (std::vector<Complex>& values : whole) {
      for (std::size_t k = 0; k < points; ++k) values[k] *= factors[k];
      values = transformed(problem, values, backward ? -1 : 1);
    }
  }
  std::vector<Complex> out;
  each_element(problem, true, [&](std::int64_t transform, const std::vector<std::int64_t>& index, std::int64_t) {
    const Complex value = scale_factor(problem) * whole[static_cast<std::size_t>(transform)][flat(problem, logical(problem, true, index))];
    const bool is_power = problem.output_kind == OutputKind::kPower;
    out.push_back(is_power ? std::norm(value) : holds_reals(problem, true) ? value.real() : value);
  });
  return out;
}

std::vector<Complex> random_input(const Problem& problem) {
  Random random(20261123);
  const auto next = [&] { return static_cast<double>(random.between(-1000, 1000)) / 1000; };
  std::vector<Complex> in;
  each_element(problem, false, [&](std::int64_t, const std::vector<std::int64_t>&, std::int64_t) {
    const double re = next();
    in.emplace_back(re, holds_reals(problem, false) ? 0.0 : next());
  });
  return in;
}

std::vector<Complex> chain_factors(const Problem& problem) {
  return is_real_chain(problem) ? stored_factors(problem) : std::vector<Complex>();
}

double difference_from_definition(const Program& program, const Problem& problem) {
  const std::vector<Complex> in = random_input(problem), is = interpreted(program, problem, in, chain_factors(problem)), should = expected(problem, in);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < should.size(); ++i) {
    difference += std::norm(is[i] - should[i]);
    size += std::norm(should[i]);
  }
  return std::sqrt(difference / size);
}

// f64 arithmetic, and a scale that f32 plans round to f32.
constexpr double kMostDifference = 1e-6;

bool computes_the_definition(const Program& program, const Problem& problem) {
  try {
    return difference_from_definition(program, problem) <= kMostDifference;
  } catch (const std::out_of_range&) {
    return false;
  }
}

// The definition is computed before the stage `fold` has made loops those of passes, too; without a full run one of both, by `turn`.
void expect_sound(const Asked& one, std::size_t turn) {
  std::string first_fault;
  Program unfolded;
  const Program program = made(one, [&](const Stage& stage, const Program& so_far) {
    if (std::string_view(stage.name) == "place") unfolded = so_far;
    if (!first_fault.empty() || !changes_body(stage)) return;
    const std::string fault = check_program(so_far, &one.problem);
    if (!fault.empty()) first_fault = std::string("after ") + stage.name + ": " + fault;
  });
  EXPECT_EQ(first_fault, "") << one.name << "\n" << print_program(program);
  if (!reason_not_interpreted(program, one.problem).empty()) return;
  const bool folds = loops_in(unfolded.body) != loops_in(program.body), is_even = turn % 2 == 0;
  if (!folds || is_even || full_run()) {
    EXPECT_TRUE(computes_the_definition(program, one.problem)) << one.name << "\n" << print_program(program);
  }
  if (!folds || (is_even && !full_run())) return;
  EXPECT_TRUE(computes_the_definition(unfolded, one.problem)) << one.name << "\n" << print_program(unfolded);
}

struct Named {
  const char *problem, *recipe;
};
constexpr Named kNamed[] = {
    {"r2c 2 f32", "f32:real(2; n1)"},
    {"r2c 1 f32", "f32:real(1; n1)"},
    {"r2c 16 f32", "f32:real(16; n8)"},
    {"r2c 18 f64 inverse", "f64:real(18; n9)"},
    {"r2c 256 f32 scale=ortho", "f32:real(256; dit(16 8))"},
    {"r2c 256*3 f32", "f32:real(256; dit(16 8))"},
    {"r2c 12*100 f64", "f64:real(12; n6)"},
    {"r2c 200 f32 inplace", "f32:real(200; dit(10 10))"},
    {"r2c 20*7 f32 inplace inverse", "f32:real(20; dit(5 2))"},
    {"r2c 15 f32", "f32:real(15; n15)"},
    {"r2c 105*3 f64 inverse", "f64:real(105; dit(15 7))"},
    {"r2c 34 f32", "f32:real(34; rader(17; n16))"},
    {"r2c 512 f32 split", "f32:real(512; four(16x16 p8; n16; n16))"},
    {"r2c 64 f32 in_strides=3 out_strides=2", "f32:real(64; dit(8 4))"},
    {"r2c 60*3 f32 centered", "f32:real(60; dit(6 5))"},
    {"r2c 30 f64 centered inverse", "f64:real(30; dit(5 3))"},
    {"r2c 64 f64 centered inplace", "f64:real(64; dit(8 4))"},
    {"r2c 18*2 f64 centered inplace", "f64:real(18; n9)"},
    {"r2c 105*3 f64 centered", "f64:real(105; dit(15 7))"},
    {"r2c 5x6x8 f32 centered", "f32:rank(n5; n6; real(8; n4))"},
    {"c2r 60*3 f32 centered", "f32:real(60; dit(6 5))"},
    {"c2r 30 f64 centered inverse", "f64:real(30; dit(5 3))"},
    {"c2r 64 f64 centered inplace", "f64:real(64; dit(8 4))"},
    {"c2r 18*2 f64 centered inplace", "f64:real(18; n9)"},
    {"c2r 105*3 f64 centered", "f64:real(105; dit(15 7))"},
    {"c2r 5x6x8 f32 centered", "f32:rank(n5; n6; real(8; n4))"},
    {"r2c 12x16 f64", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"r2c 12x16 f64 inplace inverse", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"r2c 6x5x8*2 f32 inverse", "f32:rank(cols(p4; n6); n5; real(8; n4))"},
    {"r2c 8x9 f32 split", "f32:rank(n8; real(9; n9))"},
    {"r2c 2 f32", "f32:n2"},
    {"r2c 16*3 f32 inverse", "f32:n16"},
    {"r2c 15*40 f64 scale=1/n", "f64:n15"},
    {"r2c 9*5 f32 inplace", "f32:n9"},
    {"r2c 8 f32 split in_strides=3 out_strides=2", "f32:n8"},
    {"r2c 6x5x8*2 f32 inverse", "f32:rank(cols(p4; n6); n5; n8)"},
    {"r2c 5x7 f64 inplace", "f64:rank(n5; n7)"},
    {"c2r 2 f32", "f32:n2"},
    {"c2r 16*3 f32 inverse", "f32:n16"},
    {"c2r 15*40 f64 scale=1/n", "f64:n15"},
    {"c2r 8*5 f32 inplace", "f32:n8"},
    {"c2r 8 f32 split in_strides=3 out_strides=2", "f32:n8"},
    {"c2r 6x5x8*2 f32 inverse", "f32:rank(cols(p4; n6); n5; n8)"},
    {"c2r 5x7 f64 inplace", "f64:rank(n5; n7)"},
    {"r2c 45 f32", "f32:real(9x5; n5)"},
    {"r2c 225*3 f64 inverse", "f64:real(9x25; dit(5 5))"},
    {"r2c 51 f32 inplace", "f32:real(3x17; rader(17; n16))"},
    {"r2c 45 f32 in_strides=3 out_strides=2", "f32:real(5x9; n9)"},
    {"r2c 105*3 f64 centered", "f64:real(7x15; dit(5 3))"},
    {"r2c 4x315 f32 split scale=ortho", "f32:rank(n4; real(15x21; dit(7 3)))"},
    {"r2c 45*3 i16->f16", "f32:real(9x5; n5)"},
    {"c2r 45 f32", "f32:real(9x5; n5)"},
    {"c2r 225*3 f64 inverse scale=1/n", "f64:real(9x25; dit(5 5))"},
    {"c2r 51 f32 inplace", "f32:real(3x17; rader(17; n16))"},
    {"c2r 45 f32 in_strides=3 out_strides=2", "f32:real(5x9; n9)"},
    {"c2r 105*3 f64 centered", "f64:real(7x15; dit(5 3))"},
    {"c2r 4x315 f32 split", "f32:rank(n4; real(15x21; dit(7 3)))"},
    {"c2r 2 f32", "f32:real(2; n1)"},
    {"c2r 1 f32", "f32:real(1; n1)"},
    {"c2r 16 f32", "f32:real(16; n8)"},
    {"c2r 18 f64 inverse", "f64:real(18; n9)"},
    {"c2r 256 f32 scale=1/n", "f32:real(256; dit(16 8))"},
    {"c2r 256*3 f32", "f32:real(256; dit(16 8))"},
    {"c2r 12*100 f64", "f64:real(12; n6)"},
    {"c2r 200 f32 inplace", "f32:real(200; dit(10 10))"},
    {"c2r 15 f32 inverse", "f32:real(15; n15)"},
    {"c2r 105*3 f64", "f64:real(105; dit(15 7))"},
    {"c2r 34 f32", "f32:real(34; rader(17; n16))"},
    {"c2r 512 f32 split", "f32:real(512; four(16x16 p8; n16; n16))"},
    {"c2r 64 f32 in_strides=3 out_strides=2", "f32:real(64; dit(8 4))"},
    {"c2r 12x16 f64", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"c2r 12x16 f64 inplace inverse", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"c2r 6x5x8*2 f32 inverse", "f32:rank(cols(p4; n6); n5; real(8; n4))"},
    {"c2r 8x9 f32 split", "f32:rank(n8; real(9; n9))"},
    {"r2c 256*9 i16->f16", "f32:real(256; dit(16 8))"},
    {"r2c 256*9 i16->f16 output=power", "f32:real(256; dit(16 8))"},
    {"r2c 16*3 f32 output=power", "f32:n16"},
    {"r2c 45*3 f64->mxfp8_e4m3 inverse scale=0.1 output=power", "f64:real(45; dit(9 5))"},
    {"r2c 6x5x18*2 f32->e2m3 centered output=power", "f32:rank(cols(p4; n6); n5; real(18; n9))"},
    {"r2c 40x90*2 f16->f32 threads=2 output=power", "f32:rank(dit(8 5); real(90; dit(9 5)))"},
    {"r2c 10000 f64 threads=2 output=power", "f64:real(10000; dit(10 10 10 5))"},
    {"c2r 105*3 mxfp8_e4m3", "f32:real(105; dit(15 7))"},
    {"r2c 105*3 f32->e2m1 inverse", "f32:real(105; dit(15 7))"},
    {"r2c 12x16 f32->f64", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"c2r 12x16*2 f32->f64", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"c2r 6x5x8*2 bf16 centered prescale=amax", "f32:rank(cols(p4; n6); n5; real(8; n4))"},
    {"r2c 6x5x18*2 f16 centered inplace", "f32:rank(cols(p4; n6); n5; real(18; n9))"},
    {"r2c 64 f64->f16 in_strides=3 out_strides=2", "f64:real(64; dit(8 4))"},
    {"c2r 9x10 f16->f32 split", "f32:rank(n9; real(10; n5))"},
    {"c2r 12x16*2 f64 destroy_input", "f64:rank(cols(p4; dit(4 3)); real(16; n8))"},
    {"c2r 6x5x9 f32 split inverse destroy_input", "f32:rank(cols(p4; n6); n5; real(9; n9))"},
    {"r2c 256*3 f32 chain=mul", "f32:chain(real(256; dit(16 8)); mul; real(256; dit(8 16)))"},
    {"r2c 15*7 f64 inverse inplace chain=mul", "f64:chain(real(15; n15); mul; real(15; dit(5 3)))"},
    {"r2c 10000 f64 chain=mul", "f64:chain(real(10000; dit(10 10 10 5)); mul; real(10000; dit(10 10 10 5)))"},
    {"r2c 12x16 f64 chain=mul", "f64:chain(rank(cols(p4; dit(4 3)); real(16; n8)); mul; rank(cols(p4; dit(4 3)); real(16; n8)))"},
    {"r2c 12x16*3 f32 inverse chain=mul", "f32:chain(rank(cols(p4; dit(4 3)); real(16; n8)); mul; rank(cols(p8; dit(4 3)); real(16; n8)))"},
    {"r2c 6x5x9*2 f32 inverse inplace chain=mul",
     "f32:chain(rank(cols(p4; n6); n5; real(9; n9)); mul; rank(cols(p4; n6); n5; real(9; n9)))"},
    {"r2c 8x9*5 f32 in_strides=20,2 out_strides=11,1 batch_strides=170,90 chain=user",
     "f32:chain(rank(n8; real(9; n9)); user; rank(n8; real(9; n9)))"},
    {"r2c 12x16*3 f32 centered chain=mul", "f32:chain(rank(cols(p4; dit(4 3)); real(16; n8)); mul; rank(cols(p4; dit(4 3)); real(16; n8)))"},
    {"r2c 5x18*2 f64 centered inverse chain=mul", "f64:chain(rank(n5; real(18; n9)); mul; rank(n5; real(18; n9)))"},
    {"r2c 7*3 f32 centered chain=user", "f32:chain(real(7; n7); user; real(7; n7))"},
    {"r2c 256*9 i16->f16 chain=mul", "f32:chain(real(256; dit(16 8)); mul; real(256; dit(8 16)))"},
    {"r2c 12x18*9 f32->e2m1 centered chain=mul", "f32:chain(rank(cols(p4; dit(4 3)); real(18; n9)); mul; rank(cols(p4; dit(4 3)); real(18; n9)))"},
    {"r2c 40x90 mxfp8_e4m3->f32 chain=user", "f32:chain(rank(dit(8 5); real(90; dit(9 5))); user; rank(dit(8 5); real(90; dit(9 5))))"},
    {"r2c 40x90*2 f32->f64 inverse chain=mul", "f64:chain(rank(dit(8 5); real(90; dit(9 5))); mul; rank(dit(8 5); real(90; dit(9 5))))"},
    {"r2c 40x90*2 i16->f32", "f32:rank(dit(8 5); real(90; dit(9 5)))"},
    {"r2c 3x40x45 f16 centered", "f32:rank(n3; dit(8 5); real(45; dit(9 5)))"},
    {"r2c 40x90 e2m1->f64 split inverse", "f64:rank(cols(p4; dit(8 5)); real(90; dit(9 5)))"},
    {"r2c 512*3 i16->f32", "f32:real(512; four(16x16 p8; n16; n16))"},
    {"r2c 512*3 e2m1->f16 centered inverse", "f32:real(512; four(16x16 p8; n16; n16))"},
    {"r2c 512 f32 scale=1/n", "f32:real(512; four(16x16 p8 |f16; n16; n16))"},
    {"c2r 512*2 f64 inverse scale=1/n", "f64:real(512; four(16x16 p8 |bf16; n16; n16))"},
    {"r2c 16x512 i16->f32 scale=1/n", "f32:rank(n16; real(512; four(16x16 p8 |f16; n16; n16)))"},
    {"c2r 225x16 f32 scale=1/n", "f32:rank(four(15x15 p8 |f16; n15; n15); real(16; n8))"},
    {"r2r 2 f32 kinds=dct2", "f32:r2r(2; n1)"},
    {"r2r 1 f32 kinds=dst4 scale=ortho", "f32:r2r(1; n1)"},
    {"r2r 16 f32 kinds=dct2 scale=ortho", "f32:r2r(16; n8)"},
    {"r2r 16 f64 kinds=dst2 scale=ortho", "f64:r2r(16; n8)"},
    {"r2r 18*3 f64 kinds=dct3 scale=ortho", "f64:r2r(18; n9)"},
    {"r2r 18 f32 kinds=dst3 inplace", "f32:r2r(18; n9)"},
    {"r2r 256*3 f32 kinds=dct4", "f32:r2r(256; dit(16 8))"},
    {"r2r 34 f64 kinds=dst4 in_strides=3 out_strides=2", "f64:r2r(34; rader(17; n16))"},
    {"r2r 20*7 f32 kinds=r2hc inplace", "f32:r2r(20; dit(5 2))"},
    {"r2r 20*7 f32 kinds=hc2r scale=1/n", "f32:r2r(20; dit(5 2))"},
    {"r2r 24 f64 kinds=dht", "f64:r2r(24; n12)"},
    {"r2r 15 f32 kinds=dct2 scale=ortho", "f32:r2r(15; n15)"},
    {"r2r 15*2 f64 kinds=dst3 scale=ortho", "f64:r2r(15; dit(5 3))"},
    {"r2r 15 f32 kinds=dct4", "f32:r2r(15; n15)"},
    {"r2r 15 f32 kinds=dst2 inplace", "f32:r2r(15; n15)"},
    {"r2r 15 f32 kinds=r2hc", "f32:r2r(15; n15)"},
    {"r2r 15 f32 kinds=hc2r", "f32:r2r(15; n15)"},
    {"r2r 15 f32 kinds=dht", "f32:r2r(15; n15)"},
    {"r2r 45 f32 kinds=r2hc", "f32:r2r(45; real(9x5; n5))"},
    {"r2r 45*3 f64 kinds=hc2r scale=1/n", "f64:r2r(45; real(5x9; n9))"},
    {"r2r 45 f32 kinds=dct2 scale=ortho", "f32:r2r(45; real(3x15; n15))"},
    {"r2r 63*3 f32 kinds=dst2 inplace", "f32:r2r(63; real(9x7; n7))"},
    {"r2r 45 f64 kinds=dct3 scale=ortho in_strides=3 out_strides=2", "f64:r2r(45; real(9x5; n5))"},
    {"r2r 63*7 f32 kinds=dst3 scale=ortho", "f32:r2r(63; real(7x9; n9))"},
    {"r2r 35x8x15*2 f32 kinds=dst2,dct4,dct3 inplace", "f32:rank(r2r(35; real(7x5; n5)); r2r(8; n4); r2r(15; real(5x3; n3)))"},
    {"r2r 45*3 f16 kinds=dct2", "f32:r2r(45; real(9x5; n5))"},
    {"r2r 9*5 f64 kinds=dct1 scale=ortho", "f64:r2r(9; n8)"},
    {"r2r 7 f32 kinds=dst1", "f32:r2r(7; n8)"},
    {"r2r 8x12 f32 kinds=dct2,dst4", "f32:rank(r2r(8; n4); r2r(12; n6))"},
    {"r2r 6x15x8*2 f64 kinds=dct3,dct1,dht inplace", "f64:rank(r2r(6; n3); r2r(15; n14); r2r(8; n4))"},
    {"r2r 8x8*20 f32 kinds=dct2,dct2 scale=ortho", "f32:rank(n8; n8)"},
    {"r2r 8x8*20 f32 kinds=dst3,dct3 scale=ortho inplace", "f32:rank(n8; n8)"},
    {"r2r 8*3 f64 kinds=dct3 scale=ortho", "f64:n8"},
    {"r2r 8*3 f64 kinds=r2hc", "f64:n8"},
    {"r2r 8*3 f64 kinds=hc2r", "f64:n8"},
    {"r2r 4*3 f64 kinds=dst2", "f64:n4"},
    {"r2r 16*9 i16->f16 kinds=dct2", "f32:r2r(16; n8)"},
    {"r2r 8x12*2 mxfp8_e4m3 kinds=dct2,dst4 scale=ortho", "f32:rank(r2r(8; n4); r2r(12; n6))"},
    {"r2r 8x8*20 f64->f32 kinds=dct3,dct2 scale=ortho", "f64:rank(n8; n8)"},
    {"r2r 15*3 f16 kinds=dst1 inplace prescale=amax", "f32:r2r(15; n16)"},
    {"r2r 6x15x8*2 f32->e2m1 kinds=dct3,dct1,dht", "f32:rank(r2r(6; n3); r2r(15; n14); r2r(8; n4))"},
    {"r2r 8 f32 kinds=dst2", "f32:n8"},
    {"r2r 8 f64 kinds=dst4 inplace", "f64:n8"},
};

TEST(RealPrograms, AreSoundAfterEveryStageAndComputeTheTransform) {
  std::size_t programs = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;
    for (const Named& named : kNamed) {
      try {
        expect_sound(asked(named.problem, named.recipe, target.table.target), programs);
        ++programs;
      } catch (const PlanError& error) {
        EXPECT_NE(std::string_view(target.table.backend), "ref") << named.problem << " " << named.recipe << ": " << error.message;
      }
    }
  }
  EXPECT_GE(programs, std::size(kNamed));
}

// ---- mutants

TEST(RealPrograms, MutantsOfTheirViewsAreFound) {
  constexpr std::int64_t View::*kFields[] = {&View::offset, &View::point_stride, &View::im_offset};
  const Asked bases[] = {asked("r2c 60*3 f64", "f64:real(60; dit(6 5))", "ref"),
                         asked("c2r 60*3 f64", "f64:real(60; dit(6 5))", "ref"),
                         asked("r2c 15*2 f64 inverse", "f64:real(15; dit(5 3))", "ref"),
                         asked("c2r 15*2 f64 inverse", "f64:real(15; dit(5 3))", "ref"),
                         asked("r2c 45*2 f64 inverse", "f64:real(5x9; n9)", "ref"),
                         asked("c2r 45*2 f64 inverse", "f64:real(5x9; n9)", "ref"),
                         asked("r2c 6x8 f64 inplace inverse", "f64:rank(cols(p4; n6); real(8; n4))", "ref"),
                         asked("c2r 6x8 f64 inverse", "f64:rank(cols(p4; n6); real(8; n4))", "ref"),
                         asked("r2c 12*3 f64 inverse", "f64:n12", "ref"),
                         asked("c2r 12*3 f64", "f64:n12", "ref"),
                         asked("r2r 20*3 f64 kinds=dst2", "f64:r2r(20; dit(5 2))", "ref"),
                         asked("r2r 20*3 f64 kinds=dct3 in_strides=2", "f64:r2r(20; dit(5 2))", "ref"),
                         asked("r2r 20*3 f64 kinds=dst4", "f64:r2r(20; dit(5 2))", "ref"),
                         asked("r2r 15*3 f64 kinds=dct2", "f64:r2r(15; dit(5 3))", "ref")};
  std::size_t mutants = 0;
  for (const Asked& base : bases) {
    const Program sound = made(base);
    const std::string text = print_program(sound);
    for (std::size_t number = 0; number < sound.passes.size(); ++number) {
      for (const bool output : {false, true}) {
        for (const auto field : kFields) {
          Program mutant = sound;
          each_pass(mutant.body, [&](Pass& pass) {
            // Reals have no imaginary parts.
            const PassKind real_end = output ? PassKind::kToReals : PassKind::kFromReals;
            const RealTransform transform = pass.codelet->body->transform;
            const bool is_real = pass.codelet->kind == real_end || (pass.codelet->kind == PassKind::kReal &&
                                                                    !(output ? has_complex_output(transform) : has_complex_input(transform)));
            if (field == &View::im_offset && (is_real || is_of_r2r_transform(pass.codelet->kind))) return;
            View& view = output ? pass.args.out : pass.args.in;
            if (pass.use == number) view.*field += 2;
          });
          const std::string mutant_text = print_program(mutant);
          if (mutant_text == text) continue;
          ++mutants;
          EXPECT_TRUE(!check_program(mutant, &base.problem).empty() || !computes_the_definition(mutant, base.problem)) << base.name << "\n" << mutant_text;
        }
        Program mutant = sound;
        each_pass(mutant.body, [&](Pass& pass) {
          View& view = output ? pass.args.out : pass.args.in;
          if (pass.use == number) view.swap = !view.swap;
        });
        if (print_program(mutant) == text) continue;
        ++mutants;
        EXPECT_TRUE(!check_program(mutant, &base.problem).empty() || !computes_the_definition(mutant, base.problem)) << base.name << "\n" << print_program(mutant);
      }
    }
  }
  EXPECT_GT(mutants, 80U);
}

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem.h"

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "tests/wisdom/testing.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

using testing::draw;
using testing::error_of;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Problem dense(const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& batch = {}) {
  Problem problem;
  for (const std::int64_t length : lengths) problem.dims.push_back({length, 0, 0});
  for (const std::int64_t length : batch) problem.batch.push_back({length, 0, 0});
  set_dense_strides(problem);
  return problem;
}

void expect_refused(const Problem& problem, ulpfft_status status, const std::string& field) {
  const PlanError error = error_of([&] { check(problem); });
  EXPECT_EQ(error.status, status) << error.message;
  EXPECT_EQ(error.field, field) << error.message;
  EXPECT_FALSE(error.message.empty());
}

TEST(Problem, DenseStridesAreRowMajorWithTheBatchOutside) {
  const Problem problem = dense({3, 4}, {2, 5});
  EXPECT_EQ(problem.dims, (std::vector<Dimension>{{3, 4, 4}, {4, 1, 1}}));
  EXPECT_EQ(problem.batch, (std::vector<Dimension>{{2, 60, 60}, {5, 12, 12}}));
  EXPECT_TRUE(has_dense_strides(problem));
  EXPECT_EQ(transform_points(problem), 12);
  EXPECT_EQ(batch_count(problem), 10);
  EXPECT_NO_THROW(check(problem));
}

TEST(Problem, DenseStridesOfASpectrumOfRealsCountTheElementsItStores) {
  for (const std::int64_t n : {1, 2, 9, 10}) {
    const std::int64_t half = n / 2 + 1;
    for (const auto& [kind, in, out] : {std::tuple{Kind::kC2C, n, n}, {Kind::kR2C, n, half}, {Kind::kC2R, half, n}, {Kind::kR2R, n, n}}) {
      Problem problem = dense({3, n}, {2});
      problem.kind = kind;
      EXPECT_EQ(stored_length(problem, problem.dims[1], false), in);
      EXPECT_EQ(stored_length(problem, problem.dims[1], true), out);
      EXPECT_EQ(stored_length(problem, problem.dims[0], true), 3);
      EXPECT_EQ(stored_length(problem, problem.batch[0], true), 2);
      set_dense_strides(problem);
      EXPECT_EQ(problem.dims, (std::vector<Dimension>{{3, in, out}, {n, 1, 1}}));
      EXPECT_EQ(problem.batch, (std::vector<Dimension>{{2, 3 * in, 3 * out}}));
      EXPECT_TRUE(has_dense_strides(problem));
      problem.batch[0].out_stride += 1;
      EXPECT_FALSE(has_dense_strides(problem));
      problem.storage_in = problem.storage_out = "mxfp8_e4m3";  // strides of rows
      set_dense_strides(problem);
      EXPECT_EQ(problem.dims[0], (Dimension{3, 1, 1}));
      EXPECT_EQ(problem.batch[0], (Dimension{2, 3, 3}));
    }
  }
}

TEST(Problem, ScaleFactorsAreThoseOfTheirNames) {
  Problem problem = dense({4, 4}, {7});
  EXPECT_EQ(scale_factor(problem), 1.0);
  problem.scale_kind = ScaleKind::kOrtho;
  EXPECT_EQ(scale_factor(problem), 0.25);
  problem.scale_kind = ScaleKind::kByN;
  EXPECT_EQ(scale_factor(problem), 0.0625);
  problem.scale_kind = ScaleKind::kValue;
  problem.scale_value = -3.5;
  EXPECT_EQ(scale_factor(problem), -3.5);
}

TEST(Problem, RanksOutsideOneToEightAreRefused) {
  expect_refused(Problem(), ULPFFT_INVALID_ARGUMENT, "rank");
  EXPECT_NO_THROW(check(dense(std::vector<std::int64_t>(8, 2), std::vector<std::int64_t>(8, 2))));
  expect_refused(dense(std::vector<std::int64_t>(9, 2)), ULPFFT_INVALID_ARGUMENT, "rank");
  expect_refused(dense({2}, std::vector<std::int64_t>(9, 2)), ULPFFT_INVALID_ARGUMENT, "batch_rank");
}

TEST(Problem, LengthsBelowOneAreRefused) {
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{-1}, kMin}) {
    Problem problem = dense({8, 8}, {2});
    problem.dims[1].length = length;
    expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "lengths[1]");
    problem = dense({8}, {2});
    problem.batch[0].length = length;
    expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "batch_lengths[0]");
  }
}

TEST(Problem, CountsAndExtentsBeyondSixtyFourBitsAreRefused) {
  EXPECT_THROW(dense({kMax, 2}), PlanError);
  Problem problem = dense({8, 8});
  problem.dims[0].length = kMax;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "lengths[1]");

  // 2^59 elements of 16 bytes are 2^63 bytes: one too many.
  expect_refused(dense({std::int64_t{1} << 59}), ULPFFT_INVALID_ARGUMENT, "lengths");
  EXPECT_NO_THROW(check(dense({(std::int64_t{1} << 59) - 1})));
  expect_refused(dense({1 << 20}, {std::int64_t{1} << 40}), ULPFFT_INVALID_ARGUMENT, "batch_lengths");

  for (const std::int64_t stride : {kMax, kMin, kMin + 1, kMax / 16, -(kMax / 16)}) {
    problem = dense({8});
    problem.dims[0].in_stride = stride;
    expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "in_strides[0]");
    problem = dense({8}, {2});
    problem.batch[0].out_stride = stride;
    expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]");
  }
}

TEST(Problem, StrideZeroIsRefusedWhereItMoves) {
  Problem problem = dense({8, 1});
  problem.dims[1] = {1, 0, 0};
  EXPECT_NO_THROW(check(problem));
  problem.dims[0].in_stride = 0;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "in_strides[0]");
}

TEST(Problem, NegativeStridesAreAllowed) {
  Problem problem = dense({8, 4});
  for (Dimension& dim : problem.dims) dim = {dim.length, -dim.in_stride, -dim.out_stride};
  EXPECT_NO_THROW(check(problem));
}

TEST(Problem, OverlappingRowsAreRefusedInTheOutputOnly) {
  Problem problem = dense({4, 128});
  problem.dims[0].in_stride = 100;
  EXPECT_NO_THROW(check(problem));  // reading an element twice is harmless
  problem.dims[0].out_stride = 100;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "out_strides[0]");
  EXPECT_NE(error_of([&] { check(problem); }).message.find("Use 128 or more"), std::string::npos);
  problem.dims[0].out_stride = 128;
  EXPECT_NO_THROW(check(problem));
}

// The rule is exact wherever all elements can be listed.
TEST(Problem, OutputsCoincideExactlyWhenTwoOffsetsAreEqual) {
  std::mt19937_64 random(11);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    Problem problem = dense({1});
    problem.dims.clear();
    const std::int64_t rank = draw(random, 1, 4);
    for (std::int64_t i = 0; i < rank; ++i) {
      std::int64_t stride = draw(random, 1, 40) * (draw(random, 0, 1) == 0 ? 1 : -1);
      problem.dims.push_back({draw(random, 1, 5), 1, stride});
    }
    std::vector<std::int64_t> offsets{0};
    for (const Dimension& dim : problem.dims) {
      std::vector<std::int64_t> next;
      for (const std::int64_t offset : offsets) {
        for (std::int64_t i = 0; i < dim.length; ++i) next.push_back(offset + i * dim.out_stride);
      }
      offsets = next;
    }
    const bool coincide = std::set<std::int64_t>(offsets.begin(), offsets.end()).size() != offsets.size();
    bool thrown = false;
    try {
      check(problem);
    } catch (const PlanError&) {
      thrown = true;
    }
    ASSERT_EQ(thrown, coincide) << print_problem(problem);
    refused += thrown ? 1 : 0;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 19000);
}

TEST(Problem, InterleavedDimensionsTooLargeToListAreRefusedUnlessTwoDecide) {
  // Two dimensions: 5a = 7b has its first solution at a = 7, b = 5.
  Problem problem = dense({1 << 20, 5});
  problem.dims[0].out_stride = 5;
  problem.dims[1].out_stride = 7;
  EXPECT_NO_THROW(check(problem));
  problem.dims[1].length = 6;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "out_strides[1]");

  // Three: 30 a = 42 b = 70 c within these ranges only at 0, but nothing here proves it.
  problem = dense({2048, 1024, 2});
  problem.dims[0].out_stride = 1000003;
  problem.dims[1].out_stride = 1000033;
  problem.dims[2].out_stride = 1000037;
  const PlanError error = error_of([&] { check(problem); });
  EXPECT_NE(error.message.find("not decided"), std::string::npos) << error.message;
}

TEST(Problem, InPlaceNeedsEqualStridesAndOneFormat) {
  Problem problem = dense({8, 8}, {2});
  problem.placement = Placement::kInPlace;
  EXPECT_NO_THROW(check(problem));
  problem.storage_out = "f64";
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "storage_out");
  problem.storage_out = "f32";
  problem.dims[0].out_stride = 9;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "out_strides[0]");
  problem = dense({8, 8}, {2});
  problem.placement = Placement::kInPlace;
  problem.batch[0].in_stride = 80;
  expect_refused(problem, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]");
}

TEST(Problem, WhatIsReservedIsUnsupported) {
  const auto with = [](auto change) {
    Problem problem = dense({8});
    change(problem);
    return problem;
  };
  expect_refused(with([](Problem& p) { p.chain = "mask"; }), ULPFFT_INVALID_ARGUMENT, "chain");
  expect_refused(with([](Problem& p) { p.chain = "mul", p.prescale_kind = PrescaleKind::kAmax; }), ULPFFT_UNSUPPORTED, "prescale_kind");
  expect_refused(with([](Problem& p) { p.prescale_kind = PrescaleKind::kTarget; }), ULPFFT_INVALID_ARGUMENT, "prescale_target");
  expect_refused(with([](Problem& p) { p.prescale_kind = static_cast<PrescaleKind>(3); }), ULPFFT_INVALID_ARGUMENT, "prescale_kind");
  expect_refused(with([](Problem& p) { p.chain = "mul", p.intermediate = "f16"; }), ULPFFT_UNSUPPORTED, "intermediate");
}

TEST(Problem, ValuesOutsideTheirRangeAreInvalid) {
  const auto with = [](auto change) {
    Problem problem = dense({8});
    change(problem);
    return problem;
  };
  for (const double scale : {0.0, -0.0, double{INFINITY}, double{NAN}}) {
    expect_refused(with([&](Problem& p) {
                     p.scale_kind = ScaleKind::kValue;
                     p.scale_value = scale;
                   }),
                   ULPFFT_INVALID_ARGUMENT, "scale_value");
    if (scale != 0.0) expect_refused(with([&](Problem& p) { p.max_error = scale; }), ULPFFT_INVALID_ARGUMENT, "max_error");
  }
  expect_refused(with([](Problem& p) { p.max_error = -1e-3; }), ULPFFT_INVALID_ARGUMENT, "max_error");
  for (const double limit : {0.0, -0.0, 5e-324, 1e-6, 1.0, 1e308})
    EXPECT_NO_THROW(check(with([&](Problem& p) { p.max_error = limit; }))) << limit;
  for (const int threads : {-1, 0, 257, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    expect_refused(with([&](Problem& p) { p.threads = threads; }), ULPFFT_INVALID_ARGUMENT, "threads");
  for (const int threads : {1, 2, 256}) EXPECT_NO_THROW(check(with([&](Problem& p) { p.threads = threads; }))) << threads;
  expect_refused(with([](Problem& p) { p.kind = static_cast<Kind>(5); }), ULPFFT_INVALID_ARGUMENT, "kind");
  expect_refused(with([](Problem& p) { p.direction = static_cast<Direction>(2); }), ULPFFT_INVALID_ARGUMENT, "direction");
  expect_refused(with([](Problem& p) { p.layout = static_cast<ArrayLayout>(2); }), ULPFFT_INVALID_ARGUMENT, "layout");
  expect_refused(with([](Problem& p) { p.placement = static_cast<Placement>(2); }), ULPFFT_INVALID_ARGUMENT, "placement");
  expect_refused(with([](Problem& p) { p.scale_kind = static_cast<ScaleKind>(4); }), ULPFFT_INVALID_ARGUMENT, "scale_kind");
  for (const char* name : {"", "F32", "3f", "f 32", "f32\n", "f32->f64"}) {
    expect_refused(with([&](Problem& p) { p.storage_in = name; }), ULPFFT_INVALID_ARGUMENT, "storage_in");
    expect_refused(with([&](Problem& p) { p.storage_out = name; }), ULPFFT_INVALID_ARGUMENT, "storage_out");
  }
  expect_refused(with([](Problem& p) { p.scheme = "f32:"; }), ULPFFT_INVALID_ARGUMENT, "scheme");
  expect_refused(with([](Problem& p) { p.backend = "h w"; }), ULPFFT_INVALID_ARGUMENT, "backend");
}

// ---- r2c and c2r ----------------------------------------------------------------------------------------------------

Problem real_problem(Kind kind, const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& batch = {},
                     Placement placement = Placement::kOutOfPlace) {
  Problem problem = dense(lengths, batch);
  problem.kind = kind;
  problem.placement = placement;
  set_dense_strides(problem);
  return problem;
}

// Whether every check but the last one, which refuses kinds that have no plans, accepts it.
void expect_valid(const Problem& problem) {
  try {
    check(problem);
  } catch (const PlanError& error) {
    EXPECT_EQ(error.field, "kind") << print_problem(problem) << ": " << error.message;
  }
}

void expect_message(const Problem& problem, ulpfft_status status, const std::string& field, const std::string& says) {
  expect_refused(problem, status, field);
  const PlanError error = error_of([&] { check(problem); });
  EXPECT_NE(error.message.find(says), std::string::npos) << error.message;
}

Problem r2r_problem(const std::vector<std::int64_t>& lengths, const std::vector<R2rKind>& kinds) {
  Problem problem = dense(lengths);
  problem.kind = Kind::kR2R;
  problem.kinds = kinds;
  return problem;
}

TEST(R2rProblem, HasAKindPerLengthAndNoDirection) {
  expect_valid(r2r_problem({8}, {R2rKind::kDCT2}));
  expect_valid(r2r_problem({1, 9}, {R2rKind::kDST1, R2rKind::kDHT}));
  expect_message(r2r_problem({8, 8}, {}), ULPFFT_INVALID_ARGUMENT, "kinds", "one kind per length, e.g. kinds=dct2,dct2");
  expect_message(r2r_problem({8}, {R2rKind::kDCT2, R2rKind::kDCT2}), ULPFFT_INVALID_ARGUMENT, "kinds", "There are 2 kinds");
  expect_message(r2r_problem({8}, {static_cast<R2rKind>(11)}), ULPFFT_INVALID_ARGUMENT, "kinds[0]", "0 to 10");
  expect_message(r2r_problem({8, 1}, {R2rKind::kDCT2, R2rKind::kDCT1}), ULPFFT_INVALID_ARGUMENT, "lengths[1]", "2 or more");
  Problem narrow = r2r_problem({8}, {R2rKind::kDCT2});
  narrow.intermediate = "f16";
  expect_message(narrow, ULPFFT_UNSUPPORTED, "intermediate", "keep their numbers in the type of the arithmetic");
  Problem backward = r2r_problem({8, 8}, {R2rKind::kR2HC, R2rKind::kDST3});
  backward.direction = Direction::kBackward;
  expect_message(backward, ULPFFT_UNSUPPORTED, "direction", "kinds=hc2r,dst2");
  Problem split = r2r_problem({8}, {R2rKind::kDCT4});
  split.layout = ArrayLayout::kSplit;
  expect_message(split, ULPFFT_UNSUPPORTED, "layout", "no parts to split");
  Problem complex = dense({8});
  complex.kinds = {R2rKind::kDCT2};
  expect_message(complex, ULPFFT_INVALID_ARGUMENT, "kinds", "leave 'kinds' out");
}

TEST(R2rProblem, IsScaledByItsLogicalLengths) {
  const std::pair<R2rKind, std::int64_t> logical[] = {{R2rKind::kR2HC, 10}, {R2rKind::kHC2R, 10}, {R2rKind::kDHT, 10},  {R2rKind::kDCT1, 18},
                                                      {R2rKind::kDCT2, 20}, {R2rKind::kDCT3, 20}, {R2rKind::kDCT4, 20}, {R2rKind::kDST1, 22},
                                                      {R2rKind::kDST2, 20}, {R2rKind::kDST3, 20}, {R2rKind::kDST4, 20}};
  for (const auto& [kind, length] : logical) {
    Problem problem = r2r_problem({10, 3}, {kind, R2rKind::kDCT2});
    EXPECT_EQ(scale_points(problem), 6 * length) << name_of(kind);
    problem.scale_kind = ScaleKind::kByN;
    EXPECT_EQ(scale_factor(problem), 1.0 / static_cast<double>(6 * length)) << name_of(kind);
  }
}

TEST(R2rProblem, KindsHaveNamesAndInverses) {
  for (int i = 0; i <= static_cast<int>(R2rKind::kDST4); ++i) {
    const auto kind = static_cast<R2rKind>(i);
    EXPECT_EQ(r2r_kind_named(name_of(kind)), kind);
    EXPECT_EQ(inverse_of(inverse_of(kind)), kind);
    EXPECT_EQ(is_sine_transform(kind), cosines_of(kind) != kind);
  }
  EXPECT_EQ(r2r_kind_named("redft10"), R2rKind::kDCT2);
  EXPECT_EQ(r2r_kind_named("rodft01"), R2rKind::kDST3);
  EXPECT_EQ(r2r_kind_named("hartley"), R2rKind::kDHT);
  EXPECT_EQ(r2r_kind_named(""), std::nullopt);
  EXPECT_EQ(r2r_kind_named("dct5"), std::nullopt);
}

constexpr Kind kRealKinds[] = {Kind::kR2C, Kind::kC2R};

TEST(RealProblem, SidesOfRealsAreThoseOfTheKind) {
  for (const auto& [kind, in, out] :
       {std::tuple{Kind::kC2C, false, false}, {Kind::kR2C, true, false}, {Kind::kC2R, false, true}, {Kind::kR2R, true, true}}) {
    Problem problem = dense({3, 10}, {2});
    problem.kind = kind;
    EXPECT_EQ(holds_reals(problem, false), in);
    EXPECT_EQ(holds_reals(problem, true), out);
  }
  EXPECT_EQ(stored_points(real_problem(Kind::kR2C, {3, 10}, {2}), false), 30);
  EXPECT_EQ(stored_points(real_problem(Kind::kR2C, {3, 10}, {2}), true), 18);
  EXPECT_EQ(stored_points(real_problem(Kind::kC2R, {3, 9}), false), 15);
  EXPECT_EQ(stored_points(dense({3, 10}), true), 30);
}

TEST(RealProblem, EveryLengthRankAndBatchIsValid) {
  for (const Kind kind : kRealKinds) {
    for (const Placement placement : {Placement::kOutOfPlace, Placement::kInPlace}) {
      for (const char* storage : {"f32", "f64"}) {
        for (const std::int64_t n : {1, 2, 3, 7, 8, 1000, 1 << 30}) {
          for (Problem problem : {real_problem(kind, {n}, {}, placement), real_problem(kind, {n}, {5}, placement),
                                  real_problem(kind, {3, 1, n}, {2, 1, 4}, placement), real_problem(kind, {n, 6}, {}, placement)}) {
            problem.storage_in = problem.storage_out = storage;
            expect_valid(problem);
            EXPECT_TRUE(has_dense_strides(problem));
            problem.scheme = storage;
            problem.direction = Direction::kBackward;
            problem.scale_kind = ScaleKind::kByN;
            problem.threads = 4;
            expect_valid(problem);
          }
        }
      }
    }
    Problem split = real_problem(kind, {3, 10}, {2});
    split.layout = ArrayLayout::kSplit;
    expect_valid(split);
    EXPECT_NO_THROW(dense({kMax}));
    expect_refused(real_problem(kind, {kMax}), ULPFFT_INVALID_ARGUMENT, "lengths");
    EXPECT_EQ(error_of([&] { real_problem(kind, {kMax}, {}, Placement::kInPlace); }).field, "lengths");
  }
}

TEST(RealProblem, WhatDoesNotExistIsUnsupportedByItsField) {
  for (const Kind kind : kRealKinds) {
    const std::string name = kind == Kind::kR2C ? "r2c" : "c2r";
    const auto refused = [&](const std::string& field, auto change) {
      Problem problem = real_problem(kind, {8, 8});
      change(problem);
      expect_message(problem, ULPFFT_UNSUPPORTED, field, name);
    };
    for (const char* scheme : {"mx:mxfp8_e4m3", "mx:mxfp4_e2m1:b8:fresh"}) {
      refused("scheme", [&](Problem& p) { p.scheme = scheme; });
    }
    Problem narrow_between = real_problem(kind, {8, 8});
    narrow_between.intermediate = "f16";
    check(narrow_between);
    if (kind == Kind::kC2R) refused("chain", [](Problem& p) { p.chain = "mul"; });
    for (const char* rows : {"e3m2", "mxfp8_e4m3"}) {
      Problem in_place = real_problem(kind, {8, 8}, {}, Placement::kInPlace);
      in_place.storage_in = in_place.storage_out = rows;
      expect_refused(in_place, ULPFFT_UNSUPPORTED, "placement");
    }
    Problem split = real_problem(kind, {8}, {}, Placement::kInPlace);
    split.layout = ArrayLayout::kSplit;
    expect_refused(split, ULPFFT_UNSUPPORTED, "layout");
  }
}

TEST(RealProblem, AChainHasRealNumbersOnBothSidesAndNoPadding) {
  Problem problem = dense({3, 9}, {2});
  problem.kind = Kind::kR2C;
  problem.chain = "mul";
  for (const Placement placement : {Placement::kOutOfPlace, Placement::kInPlace}) {
    problem.placement = placement;
    set_dense_strides(problem);
    check(problem);
    EXPECT_EQ(problem.dims, dense({3, 9}, {2}).dims);
    EXPECT_EQ(problem.batch, dense({3, 9}, {2}).batch);
    for (const bool output : {false, true}) {
      EXPECT_TRUE(holds_reals(problem, output));
      EXPECT_EQ(stored_points(problem, output), 27);
    }
    EXPECT_EQ(spectrum_points(problem), 15);
    const Problem alone = transform_of_chain(problem);
    check(alone);
    EXPECT_EQ(alone.placement, Placement::kOutOfPlace);
    EXPECT_EQ(stored_points(alone, true), 15);
    EXPECT_EQ(alone.dims[0].in_stride, 9);
    EXPECT_EQ(alone.dims[0].out_stride, 5);
  }
  const auto refused = [&](const std::string& field, const auto& change, ulpfft_status status = ULPFFT_UNSUPPORTED) {
    Problem wrong = problem;
    change(wrong);
    expect_refused(wrong, status, field);
  };
  refused("out_strides[0]", [](Problem& p) { p.dims[0].out_stride = 10; }, ULPFFT_INVALID_ARGUMENT);
  Problem centered = problem;
  centered.centered = true;
  centered.scheme = "f64";
  centered.storage_in = centered.storage_out = "f16";
  check(centered);
  for (const bool output : {false, true}) EXPECT_EQ(first_index(centered, centered.dims[1], output), 4);
  EXPECT_EQ(first_index(transform_of_chain(centered), centered.dims[0], true), 1);
  refused("storage_out", [](Problem& p) { p.storage_out = "mxint8"; }, ULPFFT_INVALID_ARGUMENT);  // in place
  refused("scheme", [](Problem& p) { p.scheme = "mx:mxint8"; });
  refused("chain", [](Problem& p) { p.kind = Kind::kC2R; });
  refused("chain", [](Problem& p) { p.kind = Kind::kR2R, p.kinds = {R2rKind::kDCT2, R2rKind::kDCT2}; });
  refused("intermediate", [](Problem& p) { p.intermediate = "f16"; });
  refused("prescale_kind", [](Problem& p) { p.prescale_kind = PrescaleKind::kAmax; });
  EXPECT_EQ(spectrum_points(dense({3, 10})), 30);
}

TEST(RealProblem, InPlaceRowsOfRealsArePaddedToTheirSpectrum) {
  for (const std::int64_t n : {1, 2, 9, 10}) {
    const std::int64_t half = n / 2 + 1;
    const Problem r2c = real_problem(Kind::kR2C, {3, n}, {2}, Placement::kInPlace);
    EXPECT_EQ(r2c.dims, (std::vector<Dimension>{{3, 2 * half, half}, {n, 1, 1}}));
    EXPECT_EQ(r2c.batch, (std::vector<Dimension>{{2, 6 * half, 3 * half}}));
    const Problem c2r = real_problem(Kind::kC2R, {3, n}, {2}, Placement::kInPlace);
    EXPECT_EQ(c2r.dims, (std::vector<Dimension>{{3, half, 2 * half}, {n, 1, 1}}));
    EXPECT_EQ(c2r.batch, (std::vector<Dimension>{{2, 3 * half, 6 * half}}));
  }
}

TEST(RealProblem, InPlaceRowsOfBothSidesBeginTogether) {
  for (const Kind kind : kRealKinds) {
    const auto with = [&](auto change) {
      Problem problem = real_problem(kind, {3, 10}, {2}, Placement::kInPlace);
      change(problem);
      return problem;
    };
    const auto set = [&](Dimension& d, std::int64_t real, std::int64_t complex) {
      d.in_stride = kind == Kind::kR2C ? real : complex;
      d.out_stride = kind == Kind::kR2C ? complex : real;
    };
    expect_valid(with([&](Problem& p) { set(p.dims[0], 14, 7), set(p.batch[0], -60, -30); }));
    expect_message(with([&](Problem& p) { set(p.dims[0], 14, 8); }), ULPFFT_INVALID_ARGUMENT, "out_strides[0]", "twice");
    expect_message(with([&](Problem& p) { set(p.batch[0], 61, 30); }), ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]", "twice");
    expect_message(with([&](Problem& p) { p.dims[1].in_stride = 2; }), ULPFFT_INVALID_ARGUMENT, "in_strides[1]", "Use 1");
    expect_message(with([&](Problem& p) { p.dims[1].out_stride = -1; }), ULPFFT_INVALID_ARGUMENT, "out_strides[1]", "Use 1");
    expect_refused(with([&](Problem& p) { p.storage_out = "f64"; }), ULPFFT_INVALID_ARGUMENT, "storage_out");
    // Rows of 10 reals lie 10 apart, but 6 complex numbers reach into the next one.
    expect_refused(with([&](Problem& p) { set(p.dims[0], 10, 5); }), ULPFFT_INVALID_ARGUMENT,
                   kind == Kind::kR2C ? "out_strides[0]" : "in_strides[0]");
  }
}

TEST(RealProblem, OutputsCoincideByTheElementsOfTheirSide) {
  Problem problem = real_problem(Kind::kR2C, {3, 10});
  problem.dims[0].out_stride = 6;
  expect_valid(problem);
  problem.dims[0].out_stride = 5;
  expect_message(problem, ULPFFT_INVALID_ARGUMENT, "out_strides[0]", "Use 6 or more");
  problem = real_problem(Kind::kC2R, {3, 10});
  problem.dims[0].in_stride = 1;  // reading twice is harmless
  expect_valid(problem);
  problem.dims[0].out_stride = 9;
  expect_message(problem, ULPFFT_INVALID_ARGUMENT, "out_strides[0]", "Use 10 or more");
  problem = real_problem(Kind::kC2R, {1});
  problem.dims[0] = {1, 0, 0};
  expect_valid(problem);
}

TEST(Problem, OneWhoseTextWouldBeTooLongIsRefused) {
  Problem problem = dense(std::vector<std::int64_t>(8, 2), std::vector<std::int64_t>(8, 2));
  for (std::size_t i = 0; i < 8; ++i) {
    problem.dims[i].in_stride = problem.dims[i].out_stride = std::int64_t{1} << (30 + i);
    problem.batch[i].in_stride = problem.batch[i].out_stride = std::int64_t{1} << (38 + i);
  }
  expect_refused(problem, ULPFFT_UNSUPPORTED, "problem");
}

}  // namespace
}  // namespace ulpfft

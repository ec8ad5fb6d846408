// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays of real numbers and of their spectra, which are n/2 + 1 complex numbers along the last length n. Plans refuse some of the
// storages; their shapes are asked directly.
#include "planner/convert/side.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "planner/judge/stored_array.h"
#include "planner/plan/memory_need.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kRows = 3, kLength = 10, kHalf = 6, kTransforms = 4;

// 3x10*4 in dense arrays.
Problem dense(Kind kind, const std::string& storage) {
  Problem problem;
  problem.kind = kind;
  problem.dims = {{kRows, 1, 1}, {kLength, 1, 1}};
  problem.batch = {{kTransforms, 1, 1}};
  problem.storage_in = problem.storage_out = storage;
  set_dense_strides(problem);
  return problem;
}

// The side of the spectrum, and the problem of complex numbers with an array of that very shape.
struct Spectrum {
  Kind kind;
  bool output;
};
constexpr Spectrum kSpectra[] = {{Kind::kR2C, true}, {Kind::kC2R, false}};

Problem complex_of(const std::string& storage) {
  Problem problem = dense(Kind::kC2C, storage);
  problem.dims[1].length = kHalf;
  set_dense_strides(problem);
  return problem;
}

TEST(Side, ASpectrumOfRealsHasTheShapeOfTheComplexArrayOfItsLength) {
  for (const auto& [kind, output] : kSpectra) {
    for (const char* storage : {"f32", "f64", "bf16", "e2m1", "mxfp8_e4m3"}) {
      for (const ArrayLayout layout : {ArrayLayout::kInterleaved, ArrayLayout::kSplit}) {
        Problem problem = dense(kind, storage), same = complex_of(storage);
        problem.layout = same.layout = layout;
        const Side shape = side_of(problem, output), expected = side_of(same, output);
        EXPECT_EQ(shape.row_reals, expected.row_reals) << storage;
        EXPECT_EQ(shape.outer_bytes, expected.outer_bytes) << storage;
        EXPECT_EQ(shape.scale_bytes, expected.scale_bytes) << storage;
        EXPECT_EQ(shape.codes.high, expected.codes.high) << storage;
        EXPECT_EQ(shape.scales.high, expected.scales.high) << storage;
        EXPECT_EQ(bytes_of_array(problem, output), bytes_of_array(same, output)) << storage;
      }
    }
  }
}

// The side of the real numbers has the shape of one part of a split array, in either layout.
TEST(Side, ASideOfRealsHasTheShapeOfOnePartOfASplitArray) {
  for (const auto& [kind, output] : kSpectra) {
    for (const char* storage : {"f32", "f64", "bf16", "e2m1", "mxfp8_e4m3"}) {
      for (const ArrayLayout layout : {ArrayLayout::kInterleaved, ArrayLayout::kSplit}) {
        Problem problem = dense(kind, storage), same = dense(Kind::kC2C, storage);
        problem.layout = layout;
        same.layout = ArrayLayout::kSplit;
        const Side shape = side_of(problem, !output), expected = side_of(same, !output);
        EXPECT_TRUE(shape.real) << storage;
        EXPECT_FALSE(shape.split) << storage;
        EXPECT_EQ(shape.parts(), 1) << storage;
        EXPECT_EQ(shape.alignment, expected.alignment) << storage;
        EXPECT_EQ(shape.row_reals, kLength) << storage;
        EXPECT_EQ(shape.element_bytes, expected.element_bytes) << storage;
        EXPECT_EQ(shape.outer_bytes, expected.outer_bytes) << storage;
        EXPECT_EQ(shape.codes.high, expected.codes.high) << storage;
        EXPECT_EQ(shape.scales.high, expected.scales.high) << storage;
        EXPECT_EQ(2 * bytes_of_array(problem, !output), bytes_of_array(same, !output)) << storage;
        EXPECT_FALSE(side_of(problem, output).real) << storage;
        EXPECT_EQ(side_of(problem, output).split, layout == ArrayLayout::kSplit) << storage;
      }
    }
  }
}

TEST(Side, MemoryInPlaceHoldsBothSides) {
  for (const auto& [kind, output] : kSpectra) {
    Problem problem = dense(kind, "f32");
    problem.placement = Placement::kInPlace;
    set_dense_strides(problem);
    problem.batch[0] = {kTransforms, -problem.batch[0].in_stride, -problem.batch[0].out_stride};
    const Extent spectrum = array_extent(problem, output), real = array_extent(problem, !output);
    EXPECT_EQ(spectrum.low, real.low);
    EXPECT_EQ(spectrum.high, real.high + 8);  // rows of 10 reals in 12
    for (const bool side : {false, true}) {
      EXPECT_EQ(memory_of_side(problem, side).codes.low, spectrum.low);
      EXPECT_EQ(memory_of_side(problem, side).codes.high, spectrum.high);
      EXPECT_EQ(memory_of_side(problem, side).real, side != output);
    }
    EXPECT_EQ(bytes_of_arrays(problem), static_cast<double>(spectrum.high - spectrum.low));
    problem.placement = Placement::kOutOfPlace;
    EXPECT_EQ(memory_of_side(problem, !output).codes.high, real.high);
  }
}

TEST(Side, ExtentsEndWithTheLastStoredElement) {
  const Problem problem = dense(Kind::kR2C, "f32");
  EXPECT_EQ(side_of(problem, true).row_reals, 2 * kHalf);
  EXPECT_EQ(array_extent(problem, true).high, kTransforms * kRows * kHalf * 8);
  Problem reversed = problem;
  reversed.dims[1].out_stride = -1;
  const Extent extent = array_extent(reversed, true);
  EXPECT_EQ(extent.low, -(kHalf - 1) * 8);
  EXPECT_EQ(extent.high, (kTransforms * kRows * kHalf - kHalf + 1) * 8);
}

TEST(StoredArray, VisitsTheElementsOfASpectrumByTheirIndexInTheTransform) {
  for (const auto& [kind, output] : kSpectra) {
    for (const char* storage : {"f32", "mxfp8_e4m3"}) {
      const Problem problem = dense(kind, storage);
      std::set<std::int64_t> offsets;
      for (std::int64_t t = 0; t < kTransforms; ++t) {
        std::vector<std::int64_t> indices;
        visit_transform(problem, output, t, [&](std::int64_t index, std::int64_t offset) {
          indices.push_back(index);
          offsets.insert(offset);
          EXPECT_EQ(element_offset(problem, output, t, index), offset) << storage << " " << index;
        });
        std::vector<std::int64_t> expected;
        for (std::int64_t row = 0; row < kRows; ++row) {
          for (std::int64_t j = 0; j < kHalf; ++j) expected.push_back(row * kLength + j);
        }
        EXPECT_EQ(indices, expected) << storage;
      }
      // Dense: every element of the array once.
      EXPECT_EQ(static_cast<std::int64_t>(offsets.size()), kTransforms * kRows * kHalf) << storage;
      EXPECT_EQ(*offsets.begin(), 0) << storage;
      EXPECT_EQ(*offsets.rbegin(), kTransforms * kRows * kHalf - 1) << storage;
    }
  }
}

TEST(StoredArray, ReadsBackTheRealNumbersThatItStored) {
  for (const auto& [kind, output] : kSpectra) {
    for (const char* storage : {"f32", "f64", "bf16", "e2m3", "mxfp8_e4m3"}) {
      for (const ArrayLayout layout : {ArrayLayout::kInterleaved, ArrayLayout::kSplit}) {
        Problem problem = dense(kind, storage);
        problem.layout = layout;
        const OwnArray own(problem, !output, backends().front()->memory);
        std::vector<std::complex<double>> values(static_cast<std::size_t>(kRows * kLength));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = {static_cast<double>(i % 16) / 2, 100};
        for (std::int64_t t = 0; t < kTransforms; ++t) store_transform(problem, !output, own.view(), t, values);
        std::int64_t visited = 0;
        for (std::int64_t t = 0; t < kTransforms; ++t) {
          visit_transform(problem, !output, t, [&](std::int64_t index, std::int64_t offset) {
            EXPECT_EQ(own.view().get(offset), values[static_cast<std::size_t>(index)].real()) << storage << " " << t << " " << index;
            ++visited;
          });
        }
        EXPECT_EQ(visited, kTransforms * kRows * kLength) << storage;
      }
    }
  }
}

TEST(StoredArray, MirrorsIndicesModuloTheLengths) {
  const Problem problem = dense(Kind::kR2C, "f32");
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int64_t j = 0; j < kLength; ++j) {
      const std::int64_t index = i * kLength + j, mirrored = mirrored_index(problem, index);
      EXPECT_EQ((mirrored / kLength + i) % kRows, 0) << index;
      EXPECT_EQ((mirrored % kLength + j) % kLength, 0) << index;
      EXPECT_LT(mirrored, kRows * kLength) << index;
      EXPECT_TRUE(is_stored(problem, false, index)) << index;
      EXPECT_EQ(is_stored(problem, true, index), j < kHalf) << index;
      EXPECT_TRUE(is_stored(problem, true, index) || is_stored(problem, true, mirrored)) << index;
    }
  }
}

TEST(StoredArray, ReadsBackTheSpectraThatItStored) {
  for (const auto& [kind, output] : kSpectra) {
    for (const char* storage : {"f32", "mxfp8_e4m3"}) {
      const Problem problem = dense(kind, storage);
      const OwnArray own(problem, output, backends().front()->memory);
      std::vector<std::complex<double>> values(static_cast<std::size_t>(kRows * kLength));
      // Halves up to 7.5 have four significant bits, which e4m3 holds whatever a block's power of two.
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = {static_cast<double>(i % 16) / 2, -static_cast<double>(i % 7) / 2};
      for (std::int64_t t = 0; t < kTransforms; ++t) store_transform(problem, output, own.view(), t, values);
      for (std::int64_t t = 0; t < kTransforms; ++t) {
        visit_transform(problem, output, t, [&](std::int64_t index, std::int64_t offset) {
          EXPECT_EQ(own.view().get(offset), values[static_cast<std::size_t>(index)]) << storage << " " << t << " " << index;
        });
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a transform should give, in long double: one reference for all contenders and both storages.
//
// Covers   c2c, r2c, c2r and r2r, every length, strides, batches, several dimensions, both directions, scales, centred transforms; storage in =
//          storage out.
// Outputs  all of a few transforms of the batch, evenly spread. Where a length has a large prime factor, some outputs of each; then
//          one dimension alone is covered.
// Cost     up to kMostOperations complex multiplications, 5 to 10 ns each, for one input.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/long_sums.h"

namespace ulpfft_tool::bench {

// A mean over several inputs: ||y - Y|| / ||Y|| of all of them together.
struct ErrorSum {
  long double difference = 0;
  long double norm = 0;
  double relative_l2() const;
};

class Reference {
 public:
  // wanted: outputs of one comparison at least, where there are so many.
  Reference(const Facts& facts, std::int64_t wanted);
  // How many inputs it takes to compare as many as wanted; where outputs are dear, one has to do.
  std::int64_t inputs() const;
  // Outputs of one input that are compared; 0: nothing is known, the problem is too large or of a kind that is not covered.
  std::int64_t outputs() const;
  // Computes what the input that the arrays hold transforms to.
  void expect(const Arrays& arrays, std::uint64_t seed);
  void compare(const std::vector<double>& output, ErrorSum& sum) const;

 private:
  using Complex = LongSums::Complex;
  struct Expected {
    std::int64_t transform;
    std::vector<std::int64_t> indices;  // of the outputs; empty: all in order
    std::vector<Complex> values;
  };
  std::vector<Complex> read(const std::vector<double>& input, std::int64_t transform) const;
  void transform_axes(std::vector<Complex>& x) const;
  std::int64_t batch_offset(std::int64_t transform, std::int64_t Axis::*stride) const;
  // Of the element with this index, slowest dimension first; centred ones begin in the middle. `stored`, of numbers along each axis: of
  // an element that is not stored the offset of its conjugate.
  struct Place {
    std::int64_t offset = 0;
    bool is_conjugate = false;
  };
  Place place(std::int64_t index, std::int64_t Axis::*stored, std::int64_t Axis::*stride) const;

  const Facts facts_;
  std::vector<std::int64_t> transforms_;  // of the batch, that are compared
  std::vector<LongSums> sums_;            // of each dimension
  std::int64_t wanted_ = 0;
  int some_ = 0;                          // outputs of each transform; 0: all
  std::vector<Expected> expected_;
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_

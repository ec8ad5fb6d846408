// What a transform should give, where that is cheap: for f32 our own f64 transform of the same numbers, for f64 short sums in
// long double.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

// A mean over several inputs: ||y - Y|| / ||Y|| of all of them together.
struct ErrorSum {
  long double difference = 0;
  long double norm = 0;
  double relative_l2() const;
};

class Reference {
 public:
  // Nothing is known when the problem is too large, or of a kind that is not covered.
  Reference(ulpfft::Context& context, const Facts& facts);
  // Outputs that one comparison looks at: all of them (f32), those of the first transform (f64); 0: nothing is known.
  std::int64_t outputs() const { return outputs_; }
  // Computes what the arrays filled with this seed and rms 1 transform to.
  void expect(std::uint64_t seed, const Arrays& arrays);
  void compare(const std::vector<double>& output, ErrorSum& sum) const;

 private:
  const Facts facts_;
  std::int64_t outputs_ = 0;
  Facts wide_facts_;
  std::optional<ulpfft::Plan> wide_plan_;
  std::optional<Arrays> wide_;
  std::vector<long double> root_;   // cos, sin, ... of one turn
  std::vector<double> expected_;    // whole output
  std::vector<long double> first_;  // of the first transform, re, im, ...
};

// One execution of a plan for whatever layout.
void execute(const ulpfft::Plan& plan, const Facts& facts, const Arrays& arrays);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_REFERENCE_H_

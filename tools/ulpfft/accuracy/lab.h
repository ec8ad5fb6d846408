// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors as a user sees them: numbers are rounded to their storage, transformed, decoded, and compared with the transform in f64 of the
// numbers as they were before; so the error of the input's storage counts, unlike in ulpfft_plan_measure_error().
//
// Data       complex normal, fixed seed, `sigma` per part, or uniform; numbers of f32, or of f64 if that is the storage; two transforms,
//            and at least 2^14 outputs
// Overflows  what the library counts as saturated: in narrow storage numbers, in rounded schemes operations
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_LAB_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_LAB_H_

#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

struct Trial {
  std::int64_t n = 1;
  std::string lengths;  // of an array of n points, e.g. "16x4"; "": one dimension
  std::string storage = "f32";
  std::string scheme;  // "": that of the storage
  std::string words;   // more of the problem, e.g. "scale=ortho"
  std::string node;    // recipe without its scheme; "": the planner's
  double sigma = 1;
  double range = 0;  // parts are uniform in -range .. range; 0: normal
};

struct Outcome {
  double error = 0;       // relative L2; infinite where an output is not finite
  double overflows = 0;   // of a transform, in the mean
  double not_finite = 0;  // of the outputs, as a fraction
  std::string recipe;
  std::string reason;  // why there is no number
};

// By the library's own account: of a plan that it chose, relative to the numbers that the input holds.
struct Prediction {
  double measured = 0, predicted = 0;
  std::string recipe;
  std::string reason;  // why there is no number
};

// Of numbers as they were before they were stored.
struct RoundTrip {
  double chain = 0;    // there and back as one plan
  double plans = 0;    // as two, with the spectrum in the same storage between them
  std::string recipe;  // of the chain
  std::string reason;  // why there are no numbers
};

// Of numbers that went there and back several times, relative L2.
struct Trips {
  std::vector<double> errors;  // after the counts asked for; infinite where a number is not finite
  std::string recipe;
  std::string reason;  // why there are no numbers
};

class Lab {
 public:
  explicit Lab(const std::string& target);  // an instruction set; "": the best of this machine

  // A problem or recipe that this build refuses is an outcome, too.
  Outcome run(const Trial& trial);
  Prediction predict(const Trial& trial);  // whose node and sigma do not count
  RoundTrip round_trip(std::int64_t n, const std::string& storage);
  // There and back by two orthonormal plans of the trial, `counts` times (ascending). `products`: each time the spectrum is multiplied by
  // factors of magnitude 1, which f64 holds, in f64, and stored. lab_trips.cc.
  Trips trips(const Trial& trial, const std::vector<int>& counts, bool products);
  // Outputs of the exact transform of such data whose parts lie beyond `largest`; of a transform, in the mean.
  double beyond(std::int64_t n, double sigma, double largest);

  const std::vector<ulpfft_format>& formats() const { return formats_; }
  const ulpfft_format* format(std::string_view name) const;  // null: none
  // Standard deviation, a power of two, that the range of a storage suits: 1 unless it does not hold eight times that.
  double fitting_sigma(const std::string& storage) const;

 private:
  struct Signal {
    std::vector<std::complex<double>> in;   // before they are stored
    std::vector<std::complex<double>> out;  // exact transform
  };
  static std::int64_t transforms(std::int64_t n);  // so many give enough outputs
  static std::string problem_of(const Trial& trial);
  const Signal& signal(const Trial& trial);
  ulpfft::Plan plan_of(const Trial& trial, const std::string& problem);
  Outcome measure(const Trial& trial, const std::string& problem);

  ulpfft::Context context_;
  std::map<std::string, Outcome> known_;  // studies share trials
  std::vector<ulpfft_format> formats_;
  std::map<std::string, Signal> signals_;
};

// Relative L2 distance from `exact` times `scale`; infinite where a number is not finite.
double distance(const std::vector<std::complex<double>>& numbers, const std::vector<std::complex<double>>& exact, double scale);

// dit(2 2 2 2), each but the first pass with `suffix`, e.g. ":ds"; radix 4 or 8: what remains of n comes first.
std::string radix_node(std::int64_t n, int radix, const std::string& suffix);
// Of a split scheme: as many passes of `radix` as there are, 4, 16 or 256, and what remains of n by the largest radices below. n is a power
// of two.
std::string split_node(std::int64_t n, std::int64_t radix);
// Radix-2 stages with the data stored in `format` after every `stages` of them but the last.
std::string stored_node(std::int64_t n, int stages, const std::string& format);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_LAB_H_

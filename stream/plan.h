// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The plans of a stream, made and executed through ulpfft.h. Failures throw PlanError with the library's own sentence.
#ifndef ULPFFT_STREAM_PLAN_H_
#define ULPFFT_STREAM_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stream/stream.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft {

// A transform of one line, out of place, by the arithmetic of the stream.
struct LineTransform {
  int kind = ULPFFT_R2C;  // ULPFFT_R2C, ULPFFT_C2R, ULPFFT_C2C
  std::int64_t length = 0;
  int direction = ULPFFT_FORWARD;
  int layout = ULPFFT_SPLIT;  // of complex sides: re and im in arrays of their own, or ULPFFT_INTERLEAVED
  std::string in = {};   // storage of the sides; empty: that of the stream
  std::string out = {};
  std::vector<double> window = {};  // factors of the input; none: it is not multiplied
  bool power = false;    // |X|^2 instead of X
  double scale = 1;      // of X
};

// The library's last error goes on as an exception.
void check_call(ulpfft_status status);

class StreamPlan {
 public:
  StreamPlan(const StreamRequest& request, const LineTransform& transform);
  // Sides of real numbers, and interleaved ones, have no im.
  void execute(const void* in_re, const void* in_im, void* out_re, void* out_im) const;
  // One array on either side; `scales`: of an output in blocks, else null.
  void execute_row(const void* in, void* out, void* scales) const;
  double error() const noexcept { return ulpfft_plan_error(plan_.get()); }
  // Tables and one workspace.
  std::uint64_t bytes() const;

 private:
  struct Destroy {
    void operator()(ulpfft_plan* plan) const noexcept { ulpfft_plan_destroy(plan); }
  };
  std::unique_ptr<ulpfft_plan, Destroy> plan_;
};

struct TransformEstimate {
  double seconds = 0;
  double error = 0;
  std::uint64_t bytes = 0;
};
// The estimate of the plan that ULPFFT_ESTIMATE makes.
TransformEstimate estimate_transform(const StreamRequest& request, const LineTransform& transform);

// Refuses (ULPFFT_NO_MEMORY) what this process may not use.
void require_memory(const StreamRequest& request, std::uint64_t bytes);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_PLAN_H_

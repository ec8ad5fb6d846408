// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A problem with the plans of ulpfft that compute it: one for each form and placement of arrays that an execution came with.
//
// Plans are made for the arrays named at planning time, and for others when they first appear, by estimate. Arrays that no plan
// of ulpfft takes (in place with other strides on the other side, re and im of an output between each other, re given as im,
// strides of 0, more than 8 dimensions, numbers that are not aligned) are copied to dense ones and back: FFTW allows all of them.
// Threads  any number may execute and describe one transform at once.
#ifndef ULPFFT_BINDINGS_FFTW3_TRANSFORM_H_
#define ULPFFT_BINDINGS_FFTW3_TRANSFORM_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bindings/fftw3/problem.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::fftw3 {

// How plans are looked for.
struct Search {
  int effort = ULPFFT_ESTIMATE;
  double seconds = 0;  // 0: those of the effort
};

struct Settings {
  std::shared_ptr<ulpfft_context> context;
  int threads = 1;
  bool destroy_input = false;
};

// How re and im lie: adjacent; adjacent and exchanged, which is the other direction; in two arrays.
enum Form : int { kInterleaved, kExchanged, kSplit };

// What arrays a plan is made for.
struct Occasion {
  Form form = kInterleaved;
  bool in_place = false;
  bool unknown = false;  // no arrays are named: FFTW reads that as in place
};
// Interleaved or real arrays, in the problem's direction.
Occasion occasion_of(const Problem& problem, const void* in, const void* out);
// Arrays of re and im, for a forward transform.
Occasion occasion_of(Kind kind, const Arrays& arrays);

class Transform {
 public:
  // Makes the plan for these arrays, and if they are unknown those for both placements. Null where ulpfft refuses: its last error
  // tells why.
  static std::shared_ptr<Transform> make(const Problem& problem, const Settings& settings, const Search& search,
                                         const Occasion& occasion);
  ~Transform();
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  // Transforms interleaved or real arrays, in the problem's direction.
  void run(const void* in, void* out);
  // Transforms forward; the order of re and im tells another direction.
  void run(const Arrays& arrays);

  // The plan for interleaved arrays with the problem's direction; null where the arrays are copied.
  const ulpfft_plan* plain_plan(bool in_place) { return plan_for(plain_form_, in_place); }

  // Bytes of tables and workspaces.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Visits the plans of one execution as it was planned.
  void each_plan(const std::function<void(const ulpfft_plan*)>& visit) const;

 private:
  struct Step {
    ulpfft_plan* plan;
    int from, to;  // buffers
  };
  // Plans on dense buffers: 0 holds the input, 1 the output where it has another size.
  struct Dense {
    ~Dense();
    std::vector<Step> steps;
  };

  Transform(const Problem& problem, const Settings& settings);
  const ulpfft_plan* plan_for(Form form, bool in_place);
  const ulpfft_plan* fill(Form form, bool in_place, const Search& search);
  ulpfft_status create(Form form, bool in_place, bool destroy, const Search& search, ulpfft_plan** plan) const;
  bool execute(const Arrays& arrays);
  void run_copied(const Arrays& arrays);
  const Dense* dense_for(const Search& search);
  std::unique_ptr<Dense> make_dense(const Search& search) const;
  ulpfft_plan* dense_step(int kind, int direction, std::size_t first, std::size_t last, bool in_place,
                          const Search& search) const;
  void add_bytes(const ulpfft_plan* plan);

  const Problem problem_;
  const Settings settings_;
  const bool empty_;
  const Form plain_form_;
  std::atomic<ulpfft_plan*> plans_[3][2] = {};
  std::atomic<Dense*> dense_{nullptr};
  std::atomic<std::uint64_t> bytes_{0};
  const ulpfft_plan* first_ = nullptr;  // the plan made first; null where arrays are copied
};

// Tells people what an execution could not do, on the error stream.
void complain(const char* sentence);

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_TRANSFORM_H_

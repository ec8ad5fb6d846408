// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a caller asks for: the problem and how hard to look for its recipe.
#ifndef ULPFFT_CPP_PROBLEM_HPP_
#define ULPFFT_CPP_PROBLEM_HPP_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

enum class Kind : int { kC2C = ULPFFT_C2C, kR2C = ULPFFT_R2C, kC2R = ULPFFT_C2R, kR2R = ULPFFT_R2R, kCzt = ULPFFT_CZT };
// Of a length of Kind::kR2R; ulpfft.h has the formulas.
enum class R2r : int {
  kR2HC = ULPFFT_R2HC, kHC2R = ULPFFT_HC2R, kDHT = ULPFFT_DHT,
  kDCT1 = ULPFFT_REDFT00, kDCT2 = ULPFFT_REDFT10, kDCT3 = ULPFFT_REDFT01, kDCT4 = ULPFFT_REDFT11,
  kDST1 = ULPFFT_RODFT00, kDST2 = ULPFFT_RODFT10, kDST3 = ULPFFT_RODFT01, kDST4 = ULPFFT_RODFT11,
};
// The sign of the exponent: forward is FFTW's -1, inverse its +1. Of kC2R it is the other way round: forward is +1.
enum class Direction : int { kForward = ULPFFT_FORWARD, kInverse = ULPFFT_BACKWARD };
enum class Layout : int { kInterleaved = ULPFFT_INTERLEAVED, kSplit = ULPFFT_SPLIT };
enum class Placement : int { kOutOfPlace = ULPFFT_OUT_OF_PLACE, kInPlace = ULPFFT_IN_PLACE };
enum class Output : int { kSpectrum = ULPFFT_OUTPUT_SPECTRUM, kPower = ULPFFT_OUTPUT_POWER };  // kPower: |X|^2, real numbers
enum class Effort : int {
  kEstimate = ULPFFT_ESTIMATE,  // choose by a cost model; no timing
  kMeasure = ULPFFT_MEASURE,    // time the most promising recipes on the library's own buffers; 1 s at most unless said otherwise
  kPatient = ULPFFT_PATIENT,    // more recipes and more kinds of them; 10 s
  kExhaustive = ULPFFT_EXHAUSTIVE,   // every recipe the strategies can propose; 60 s
  kWisdomOnly = ULPFFT_WISDOM_ONLY,  // what wisdom holds, or an error (Status::kUnavailable)
};
// How an error is known.
enum class ErrorLevel : int {
  kPredicted = ULPFFT_ERROR_PREDICTED,  // from the rms error of every pass
  kSampled = ULPFFT_ERROR_SAMPLED,      // measured on normal data
  kFull = ULPFFT_ERROR_FULL,            // measured, every output of the transforms looked at
};

// The factor of the result: Scale::kNone (1), kOrtho (1/sqrt(product of lengths)), kByN (1/product of lengths), or any
// finite number other than zero: Scale::value(0.5).
class Scale {
 public:
  enum Named : int { kNone = ULPFFT_SCALE_NONE, kOrtho = ULPFFT_SCALE_ORTHO, kByN = ULPFFT_SCALE_BY_N };
  constexpr Scale(Named named) noexcept : kind_(named) {}
  static constexpr Scale value(double factor) noexcept { return Scale(factor); }

  constexpr int kind() const noexcept { return kind_; }       // ULPFFT_SCALE_...
  constexpr double factor() const noexcept { return factor_; }  // of value(); 0 for the named ones

 private:
  explicit constexpr Scale(double number) noexcept : kind_(ULPFFT_SCALE_VALUE), factor_(number) {}
  int kind_;
  double factor_ = 0.0;
};

// The power of two by which every transform is multiplied before the arithmetic, so that small ranges suit it; undone on the result.
class Prescale {
 public:
  enum Named : int { kNone = ULPFFT_PRESCALE_NONE, kAmax = ULPFFT_PRESCALE_AMAX };  // kAmax: by the range of the arithmetic
  constexpr Prescale(Named named) noexcept : kind_(named) {}
  // The largest magnitude comes nearest to this.
  static constexpr Prescale target(double magnitude) noexcept { return Prescale(magnitude); }

  constexpr int kind() const noexcept { return kind_; }             // ULPFFT_PRESCALE_...
  constexpr double magnitude() const noexcept { return magnitude_; }  // of target(); 0 for the named ones

 private:
  explicit constexpr Prescale(double magnitude) noexcept : kind_(ULPFFT_PRESCALE_TARGET), magnitude_(magnitude) {}
  int kind_;
  double magnitude_ = 0.0;
};

// Lengths, batch sizes or strides: an integer, a list of integers of any type, or a vector.
class Shape {
 public:
  Shape() = default;
  Shape(std::vector<std::int64_t> list) : values_(std::move(list)) {}
  template <std::integral First, std::integral... More>
    requires(!std::same_as<First, bool>)
  Shape(First first, More... more) : values_{static_cast<std::int64_t>(first), static_cast<std::int64_t>(more)...} {}

  bool empty() const noexcept { return values_.empty(); }
  std::size_t size() const noexcept { return values_.size(); }
  std::int64_t operator[](std::size_t index) const { return values_[index]; }
  auto begin() const noexcept { return values_.begin(); }
  auto end() const noexcept { return values_.end(); }
  const std::vector<std::int64_t>& values() const noexcept { return values_; }
  void push_back(std::int64_t next) { values_.push_back(next); }
  // What the C interface wants: null when empty, which asks for the default.
  const std::int64_t* data_or_null() const noexcept { return values_.empty() ? nullptr : values_.data(); }

 private:
  std::vector<std::int64_t> values_;
};

// Problem::max_workspace: plans work in one transform, though some were faster in more (ulpfft.h, ULPFFT_WORKSPACE_ONE).
inline constexpr std::int64_t kWorkspaceOne = ULPFFT_WORKSPACE_ONE;

// Everything but the lengths has a default; write the members you need, in this order: {.lengths = {1000}, .scale = ...}.
struct Problem {
  Kind kind = Kind::kC2C;
  Shape lengths = {};                // 1 to 8 transformed dimensions, row-major; of kR2C and kC2R they count real numbers
  Shape batch = {};                  // a number, or up to 8 dimensions, outermost first: {8} or {4, 8}; empty: one transform
  std::string storage = "f32";       // format of the input: "f32" or "f64"
  std::string storage_out = {};      // empty: as storage
  Direction direction = Direction::kForward;
  Scale scale = Scale::kNone;
  bool centered = false;             // index 0 of space and frequency at floor(n/2) of every length but a halved one, on both sides
  Layout layout = Layout::kInterleaved;
  Placement placement = Placement::kOutOfPlace;
  Shape in_strides = {};             // one per length; empty: dense
  Shape out_strides = {};
  Shape batch_in_strides = {};       // one per batch dimension; empty: dense
  Shape batch_out_strides = {};
  std::string scheme = {};           // arithmetic: "f32", "f64", "rounded:f16", "rounded:f16/f32", ...; empty: that of the storage, or what
                                     // max_error allows
  std::string backend = {};          // "hwy", "ref" or "cuda"; empty: the context's target
  double max_error = 0.0;            // limit of the relative L2 error, then measured; 0: none (ulpfft.h, ulpfft_problem)
  int threads = 1;                   // at most so many, 1 to 256; the planner may find fewer faster
  std::string chain = {};            // "mul", "user": there, an operation on the spectrum, and back (Plan::execute_chain); empty: a
                                     // transform
  std::string intermediate = {};     // narrow storage a plan may use between its passes where that is faster; empty: none
  Prescale prescale = Prescale::kNone;  // by a power of two before the arithmetic, see Prescale
  bool destroy_input = false;        // the input array is unspecified after an execution, even if it is passed as const; saves the
                                     // workspace of c2r of several dimensions
  std::vector<R2r> kinds = {};       // of kR2R: one per length; else empty
  std::int64_t max_workspace = 0;    // bytes that one execution may work in, or kWorkspaceOne; 0: no limit
  Output output = Output::kSpectrum;
  std::string window = {};           // the input is multiplied by it: "hann", "kaiser:8.6:symmetric", ... (ulpfft.h, Windows); empty: none
  std::vector<double> window_factors = {};  // a window of the caller: those of every length, one after the other; empty: none
  std::int64_t points = 0;           // of kCzt: numbers of the output; 0: as many as the input has
  double start = 0.0;                // of kCzt: the first frequency, a part of the sampling rate
  double step = 0.0;                 // of kCzt: from each frequency to the next; 0: 1 / points
};

// Bytes of a problem and of its plan (ulpfft.h, ulpfft_memory).
struct Memory {
  std::uint64_t in = 0;
  std::uint64_t out = 0;  // 0 in place
  std::uint64_t tables = 0;
  std::uint64_t making = 0;  // for a while, as tables are filled
  std::uint64_t workspace = 0;
  std::uint64_t process = 0;  // what this process may use
};

// Of one execution; subtractions are adds, and a fused multiply-add counts as one.
struct OperationCounts {
  double adds = 0.0;
  double muls = 0.0;
  double fmas = 0.0;
};

struct PlanOptions {
  Effort effort = Effort::kMeasure;
  double time_limit_seconds = 0.0;  // of planning; 0: that of the effort (ulpfft.h, ulpfft_plan_options)
  // Called from the planning thread with a fraction in 0..1 and the recipe being timed. Return false to cancel; an
  // exception cancels too and leaves plan() unchanged.
  std::function<bool(double fraction, std::string_view recipe)> progress = {};
  bool deterministic = false;       // estimate by the shipped cost table, whatever the effort: equal problems give equal recipes everywhere
  ErrorLevel error_level = ErrorLevel::kPredicted;  // or kSampled: how Plan::error() is found; max_error asks for sampled by itself
  // An input array of the problem whose error counts instead of that of random numbers (ulpfft.h, ulpfft_plan_options); only read.
  const ulpfft_array* judge = nullptr;
  std::uint64_t max_memory = 0;     // the most bytes that planning takes at a time; 0: the context's limit
};

// One recipe the planner considered.
struct Candidate {
  std::string recipe;
  double seconds = 0.0;            // median of one execution; 0: not timed
  double spread = 0.0;             // relative median absolute deviation
  double predicted_seconds = 0.0;  // by the cost model
  std::string kind = {};           // what proposed it, or what was varied (ulpfft.h, ulpfft_candidate)
  int threads = 1;
  double error = 0.0;              // relative L2; predicted unless a limit made the planner measure it
};

// A measured error, against a reference of at least twice the digits of the plan's arithmetic.
struct ErrorReport {
  double relative_l2 = 0.0;
  double relative_largest = 0.0;  // largest deviation over the largest exact output
  std::int64_t outputs = 0;       // compared
  ErrorLevel level = ErrorLevel::kSampled;
};

namespace detail {

template <typename Read>
Memory read_memory(const Read& read) {
  ulpfft_memory from{};
  from.size = sizeof from;
  check(read(&from));
  return {from.in_bytes, from.out_bytes, from.table_bytes, from.making_bytes, from.workspace_bytes, from.process_bytes};
}

inline const char* null_if_empty(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

inline void check_entries(const Shape& strides, const Shape& lengths, const char* field) {
  if (strides.empty() || strides.size() == lengths.size()) return;
  throw Error(Status::kInvalidArgument, field,
              std::string(field) + " has " + std::to_string(strides.size()) + " entries; " + std::to_string(lengths.size()) +
                  " are needed, or none for dense arrays.");
}

// Calls `use` with the problem as the C interface takes it, which lives as long as the call.
template <typename Use>
std::invoke_result_t<const Use&, const ulpfft_problem&> with_problem(const Problem& problem, const Use& use) {
  ulpfft_problem given{};
  given.size = sizeof given;
  given.kind = static_cast<int>(problem.kind);
  given.rank = static_cast<int>(problem.lengths.size());
  given.lengths = problem.lengths.data_or_null();
  check_entries(problem.in_strides, problem.lengths, "in_strides");
  check_entries(problem.out_strides, problem.lengths, "out_strides");
  check_entries(problem.batch_in_strides, problem.batch, "batch_in_strides");
  check_entries(problem.batch_out_strides, problem.batch, "batch_out_strides");
  given.in_strides = problem.in_strides.data_or_null();
  given.out_strides = problem.out_strides.data_or_null();
  given.batch_rank = static_cast<int>(problem.batch.size());
  given.batch_lengths = problem.batch.data_or_null();
  given.batch_in_strides = problem.batch_in_strides.data_or_null();
  given.batch_out_strides = problem.batch_out_strides.data_or_null();
  given.storage_in = null_if_empty(problem.storage);
  given.storage_out = null_if_empty(problem.storage_out);
  given.scheme = null_if_empty(problem.scheme);
  given.backend = null_if_empty(problem.backend);
  given.layout = static_cast<int>(problem.layout);
  given.placement = static_cast<int>(problem.placement);
  given.direction = static_cast<int>(problem.direction);
  given.centered = problem.centered ? 1 : 0;
  given.scale_kind = problem.scale.kind();
  given.scale_value = problem.scale.factor();
  given.max_error = problem.max_error;
  given.threads = problem.threads;
  given.chain = null_if_empty(problem.chain);
  given.intermediate = null_if_empty(problem.intermediate);
  given.prescale_kind = problem.prescale.kind();
  given.prescale_target = problem.prescale.magnitude();
  given.destroy_input = problem.destroy_input ? 1 : 0;
  given.max_workspace = problem.max_workspace;
  given.output = static_cast<int>(problem.output);
  given.window = null_if_empty(problem.window);
  given.window_factors = problem.window_factors.empty() ? nullptr : problem.window_factors.data();
  given.window_count = static_cast<std::int64_t>(problem.window_factors.size());
  given.points = problem.points;
  given.start = problem.start;
  given.step = problem.step;
  std::vector<int> kinds;
  for (const R2r kind : problem.kinds) kinds.push_back(static_cast<int>(kind));
  if (!kinds.empty() && kinds.size() != problem.lengths.size()) {
    throw Error(Status::kInvalidArgument, "kinds",
                "kinds has " + std::to_string(kinds.size()) + " entries; " + std::to_string(problem.lengths.size()) +
                    " are needed, one per length.");
  }
  given.kinds = kinds.empty() ? nullptr : kinds.data();
  return use(given);
}

}  // namespace detail

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_PROBLEM_HPP_

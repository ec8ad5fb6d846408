// Complex transforms of one length at a time against Debian's FFTW, in one process on one core, taking turns on the same arrays.
//
// FFTW is planned with MEASURE three times from forgotten wisdom and its best is kept; ulpfft is planned once with MEASURE.
// Prints speed, error against the double-double oracle and planning times, then the goals and whether they were met. Numbers,
// not a test: the exit status says only whether it ran.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/bench/fftw.h"
#include "tests/bench/timing.h"
#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/signals.h"

namespace ulpfft::bench {
namespace {

using test::ContextPtr;
using test::PlanPtr;
using test::Storage;

struct Options {
  bool f32 = true;
  bool f64 = true;
  std::int64_t first = 8;
  std::int64_t last = 1 << 16;
  std::vector<std::int64_t> list;  // instead of the powers of two
  std::string recipe;              // instead of planning
  std::string target;
  int alternations = 15;
  double batch_seconds = 2e-3;
  int core = 0;
};

constexpr char kUsage[] =
    "compare_fftw [--type f32|f64] [--min N] [--max N] [--list N,N,...] [--recipe TEXT] [--target NAME]\n"
    "             [--alternations K] [--batch-ms MS] [--core C]\n"
    "  Powers of two from --min 8 to --max 65536, or the lengths of --list; --recipe is for one length.\n";

[[noreturn]] void usage(int status) {
  std::fputs(kUsage, status == 0 ? stdout : stderr);
  std::exit(status);
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help" || name == "-h") usage(0);
    if (i + 1 >= count) usage(2);
    const char* value = arguments[++i];
    if (name == "--type") {
      options.f32 = std::string_view(value) != "f64";
      options.f64 = std::string_view(value) != "f32";
    } else if (name == "--min") {
      options.first = std::atoll(value);
    } else if (name == "--max") {
      options.last = std::atoll(value);
    } else if (name == "--list") {
      for (char* at = const_cast<char*>(value); *at != '\0';) {
        options.list.push_back(std::strtoll(at, &at, 10));
        if (*at == ',') ++at;
        else if (*at != '\0') usage(2);
      }
    } else if (name == "--recipe") {
      options.recipe = value;
    } else if (name == "--target") {
      options.target = value;
    } else if (name == "--alternations") {
      options.alternations = std::max(1, std::atoi(value));
    } else if (name == "--batch-ms") {
      options.batch_seconds = 1e-3 * std::atof(value);
    } else if (name == "--core") {
      options.core = std::atoi(value);
    } else {
      usage(2);
    }
  }
  if (options.list.empty()) {
    for (std::int64_t n = 1; n <= options.last; n *= 2) {
      if (n >= options.first) options.list.push_back(n);
    }
  }
  return options;
}

// Two arrays aligned to 64 bytes, at different places modulo a page: loads and stores of equal index do not collide.
template <typename T>
class Arrays {
 public:
  explicit Arrays(std::int64_t n) {
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(std::complex<T>) + 4095) / 4096 * 4096;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(4096, 2 * bytes + 4096)));
    in = reinterpret_cast<std::complex<T>*>(memory_.get());
    out = reinterpret_cast<std::complex<T>*>(memory_.get() + bytes + 17 * 64);
  }
  void fill(std::int64_t n) {
    const auto data = test::random_signal<T>(static_cast<std::size_t>(n), 1);
    std::copy(data.begin(), data.end(), in);
  }

  std::complex<T>* in = nullptr;
  std::complex<T>* out = nullptr;

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

// The fastest of three plans.
template <typename T>
typename Fftw<T>::Plan best_plan(const Fftw<T>& fftw, std::int64_t n, Arrays<T>& arrays) {
  typename Fftw<T>::Plan best = nullptr;
  double best_seconds = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 3; ++attempt) {
    fftw.forget_wisdom();
    auto plan = fftw.plan(static_cast<int>(n), arrays.in, arrays.out);
    arrays.fill(n);
    const auto work = [&] { fftw.execute(plan); };
    const std::int64_t repeats = calibrate(work, 1e-3);
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) times.push_back(seconds_of(work, repeats) / static_cast<double>(repeats));
    if (const double seconds = median(times); seconds < best_seconds) {
      best_seconds = seconds;
      std::swap(best, plan);
    }
    if (plan != nullptr) fftw.destroy(plan);
  }
  return best;
}

struct Errors {
  double ours = 0;
  double fftw = 0;
};

// Mean over enough transforms for 2^14 outputs.
template <typename T>
Errors errors_of(const ulpfft_plan* plan, const Fftw<T>& fftw, typename Fftw<T>::Plan fftw_plan, std::int64_t n, Arrays<T>& arrays) {
  test::ErrorSum ours;
  test::ErrorSum theirs;
  const auto oracle = test::oracle_for(n);
  const auto size = static_cast<std::size_t>(n);
  std::vector<test::ComplexDD> expected(size);
  for (std::int64_t t = 0; t * n < test::kGateOutputs; ++t) {
    const auto data = test::random_signal<T>(size, static_cast<std::uint64_t>(t) + 100);
    std::copy(data.begin(), data.end(), arrays.in);
    const auto wide = test::widen(data);
    oracle->forward(wide.data(), 1, expected.data());
    ulpfft_execute(plan, arrays.in, arrays.out);
    for (std::size_t k = 0; k < size; ++k) ours.add(arrays.out[k], expected[k]);
    if (fftw_plan == nullptr) continue;
    fftw.execute(fftw_plan);
    for (std::size_t k = 0; k < size; ++k) theirs.add(arrays.out[k], expected[k]);
  }
  return {ours.relative_l2(), theirs.relative_l2()};
}

struct Line {
  std::int64_t n = 0;
  Comparison times;
  Errors errors;
  double estimate_seconds = 0;
  double measure_seconds = 0;
};

// Null, with a message, when the library refuses.
PlanPtr planned(ulpfft_context* context, const std::string& problem, int effort, double& seconds) {
  auto options = test::sized<ulpfft_plan_options>();
  options.effort = effort;
  ulpfft_plan* plan = nullptr;
  const double start = now();
  const ulpfft_status status = ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
  seconds = now() - start;
  if (status != ULPFFT_OK) std::fprintf(stderr, "%s: %s\n", problem.c_str(), test::last_error_text().c_str());
  return PlanPtr(plan);
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

void verdict(const char* type, const char* goal, double value, const char* unit, bool met) {
  std::printf("%s  %-58s %9.3g%s  %s\n", type, goal, value, unit, met ? "met" : "MISSED");
}

template <typename T>
void summarise(const std::vector<Line>& lines, bool with_fftw) {
  const char* type = Storage<T>::kName;
  double worst_small = 0;
  double worst_large = 0;
  double worst_measure = 0;
  for (const Line& line : lines) {
    (line.n <= 4096 ? worst_small : worst_large) = std::max(line.n <= 4096 ? worst_small : worst_large, line.estimate_seconds);
    worst_measure = std::max(worst_measure, line.measure_seconds);
  }
  if (with_fftw) {
    std::vector<double> ratios;
    std::vector<double> errors;
    double slowest = std::numeric_limits<double>::infinity();
    double least_exact = 0;
    for (const Line& line : lines) {
      ratios.push_back(line.times.ratio);
      errors.push_back(line.errors.ours / line.errors.fftw);
      slowest = std::min(slowest, line.times.ratio);
      least_exact = std::max(least_exact, errors.back());
    }
    verdict(type, "speed, geometric mean over FFTW (goal >= 1.0)", geometric_mean(ratios), "x", geometric_mean(ratios) >= 1.0);
    verdict(type, "speed, slowest length over FFTW (goal >= 0.7)", slowest, "x", slowest >= 0.7);
    verdict(type, "error, geometric mean over FFTW's (goal <= 1.0)", geometric_mean(errors), "x", geometric_mean(errors) <= 1.0);
    verdict(type, "error, worst length over FFTW's (goal <= 1.1)", least_exact, "x", least_exact <= 1.1);
  }
  verdict(type, "estimate planning up to n = 4096 (goal < 1 ms)", 1e3 * worst_small, " ms", worst_small < 1e-3);
  verdict(type, "estimate planning above (goal < 5 ms up to 2^16)", 1e3 * worst_large, " ms", worst_large < 5e-3);
  verdict(type, "measure planning (goal < 0.3 s up to 2^16)", worst_measure, " s", worst_measure < 0.3);
  std::printf("\n");
}

template <typename T>
bool run(const Options& options) {
  const char* type = Storage<T>::kName;
  const Fftw<T> fftw;
  const bool with_fftw = fftw.available();
  if (!with_fftw) std::printf("SKIP comparison in %s: %s is not installed\n", type, fftw.name().c_str());
  std::printf("%s against %s; one core, %d alternations of >= %.1f ms each; error: relative L2 in u sqrt(log2 n)\n", type,
              with_fftw ? fftw.version().c_str() : "nothing", options.alternations, 1e3 * options.batch_seconds);
  std::printf("%8s %10s %8s %10s %7s %7s %8s %8s %8s %8s  recipe\n", "n", "ns", "GFLOP/s", "FFTW ns", "ratio", "spread", "error", "FFTW's", "est ms",
              "meas ms");
  std::vector<Line> lines;
  for (const std::int64_t n : options.list) {
    const std::string problem = std::to_string(n) + ' ' + type;
    Line line;
    line.n = n;
    // A context of its own: wisdom of one length must not shorten the planning of another.
    auto context_options = test::sized<ulpfft_context_options>();
    context_options.target = options.target.empty() ? nullptr : options.target.c_str();
    ulpfft_context* context = nullptr;
    if (ulpfft_context_create(&context_options, &context) != ULPFFT_OK) {
      std::fprintf(stderr, "%s\n", test::last_error_text().c_str());
      return false;
    }
    const ContextPtr owner(context);
    PlanPtr plan;
    if (options.recipe.empty()) {
      planned(context, problem, ULPFFT_ESTIMATE, line.estimate_seconds);
      plan = planned(context, problem, ULPFFT_MEASURE, line.measure_seconds);
    } else {
      plan = test::try_plan(context, problem, options.recipe);
      if (plan == nullptr) std::fprintf(stderr, "%s\n", test::last_error_text().c_str());
    }
    if (plan == nullptr) return false;
    Arrays<T> arrays(n);
    arrays.fill(n);
    typename Fftw<T>::Plan fftw_plan = with_fftw ? best_plan(fftw, n, arrays) : nullptr;
    arrays.fill(n);
    const auto ours = [&] { ulpfft_execute(plan.get(), arrays.in, arrays.out); };
    const auto theirs = [&] { fftw.execute(fftw_plan); };
    line.times = with_fftw ? alternate(ours, theirs, options.alternations, options.batch_seconds)
                           : alternate(ours, ours, options.alternations, options.batch_seconds);
    line.errors = errors_of<T>(plan.get(), fftw, fftw_plan, n, arrays);
    const double unit = n > 1 ? test::gate<T>(n) : Storage<T>::kUnitRoundoff;
    const double flops = 5.0 * static_cast<double>(n) * std::log2(static_cast<double>(n));
    std::printf("%8lld %10.1f %8.1f %10.1f %7.2f %6.1f%% %8.2f %8.2f %8.2f %8.1f  %s\n", static_cast<long long>(n), 1e9 * line.times.first_seconds,
                1e-9 * flops / line.times.first_seconds, with_fftw ? 1e9 * line.times.second_seconds : 0.0, with_fftw ? line.times.ratio : 0.0,
                100 * line.times.ratio_spread, line.errors.ours / unit, line.errors.fftw / unit, 1e3 * line.estimate_seconds, 1e3 * line.measure_seconds,
                test::recipe_of(plan.get()).c_str());
    std::fflush(stdout);
    if (fftw_plan != nullptr) fftw.destroy(fftw_plan);
    lines.push_back(line);
  }
  if (!lines.empty()) summarise<T>(lines, with_fftw);
  return true;
}

int main_of(int count, char** arguments) {
  const Options options = parse(count, arguments);
  if (!pin(options.core)) std::printf("not pinned: the system refuses core %d\n", options.core);
  bool ok = true;
  if (options.f32) ok = run<float>(options) && ok;
  if (options.f64) ok = run<double>(options) && ok;
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int count, char** arguments) { return ulpfft::bench::main_of(count, arguments); }

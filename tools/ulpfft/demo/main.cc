// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft-demo: images from the k-space of several coils, compared with BART and FFTW, on one HTML page.
//
// A program of its own, not a command of the tool: it is also the longest example of how the C++ interface is used, and it
// knows things that a tool should not, such as FFTW and where `tools/dev demo` puts its files: kspace_N.cfl and bart_N.cfl,
// the output of `bart fft -iu 3`, for each size N. It reads its arguments by place: a parser would take longer to compile than all of it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/demo/page.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Complex = std::complex<float>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = Clock::now();
  work();
  return seconds_since(start);
}

// Median, not mean: one interruption by the system must not show.
Timing summarize(std::vector<double> samples) {
  const auto median = [](std::vector<double>& list) {
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    std::nth_element(list.begin(), middle, list.end());
    return *middle;
  };
  const double center = median(samples);
  for (double& sample : samples) sample = std::abs(sample - center);
  return {center, median(samples) / center};
}

// Aligned as either library likes it.
class AlignedArray {
 public:
  explicit AlignedArray(std::size_t count)
      : count_(count), data_(static_cast<Complex*>(std::aligned_alloc(64, (count * sizeof(Complex) + 63) / 64 * 64)), std::free) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::fill_n(data_.get(), count, Complex());
  }
  std::span<Complex> span() const { return {data_.get(), count_}; }

 private:
  std::size_t count_;
  std::unique_ptr<Complex, void (*)(void*)> data_;
};

double relative_l2(std::span<const Complex> a, std::span<const Complex> b) {
  double difference = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(std::complex<double>(a[i]) - std::complex<double>(b[i]));
    norm += std::norm(std::complex<double>(b[i]));
  }
  return std::sqrt(difference / norm);
}

struct Coils {
  int size;
  int count;
  std::vector<Complex> data;  // coil by coil, then the second k-space direction, then the first, which varies fastest
};

Coils read_coils(const std::string& path, int size) {
  Array array = read_cfl(path);
  if (array.shape[0] != size || array.shape[1] != size ||
      count_elements(path, array.shape) != static_cast<std::size_t>(size * size * array.shape[3])) {
    throw Failure(path + ": the shape is " + show_lengths(array.shape) + ", not " + std::to_string(size) + " x " +
                  std::to_string(size) + " x 1 x coils.");
  }
  return {size, static_cast<int>(array.shape[3]), std::get<0>(std::move(array.data))};
}

// value(i) for the pixels of a picture, turned so that the head is upright: the first direction of the file goes down.
template <typename Value>
Picture picture_of(int size, const Value& value) {
  Picture picture{size, size, std::vector<float>(static_cast<std::size_t>(size) * size)};
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      picture.values[static_cast<std::size_t>(row) * size + column] =
          static_cast<float>(value(static_cast<std::size_t>(column) * size + row));
    }
  }
  return picture;
}

// Root of the sum over the coils of |value|^2 at one pixel.
template <typename Value>
double root_sum_of_squares(const Coils& coils, std::size_t pixel, const Value& value) {
  const std::size_t pixels = static_cast<std::size_t>(coils.size) * coils.size;
  double sum = 0.0;
  for (int coil = 0; coil < coils.count; ++coil) sum += std::norm(value(coil * pixels + pixel));
  return std::sqrt(sum);
}

// Both libraries in turn on the same arrays, a few executions at a time, so that neither finds its data evicted by the other.
Comparison compare(const FftwFunctions& fftw, ulpfft::Context& context, const Coils& coils) {
  const ulpfft::Plan plan =
      context.plan({.lengths = {coils.size, coils.size}, .batch = coils.count, .direction = ulpfft::Direction::kInverse});
  // Unscaled and not centred: FFTW has neither.
  const std::ptrdiff_t size = coils.size;
  const AlignedArray in_array(coils.data.size()), out_array(coils.data.size());
  const std::span<Complex> in = in_array.span(), out = out_array.span();
  const FftwPlan theirs(fftw, {{size, size, size}, {size, 1, 1}}, {{coils.count, size * size, size * size}}, in.data(), out.data(), kFftwBackward,
                        kFftwMeasure);
  std::copy(coils.data.begin(), coils.data.end(), in.begin());
  constexpr double kSeconds = 2.5;  // long enough to sit out what else the machine does
  constexpr int kWarmUp = 3;
  constexpr int kExecutions = 4;
  std::vector<double> our_times, their_times, ratios;
  std::vector<Complex> ours;
  const auto start = Clock::now();
  for (int round = -kWarmUp; round < 31 || seconds_since(start) < kSeconds; ++round) {
    const double our_time = seconds_of([&] {
      for (int i = 0; i < kExecutions; ++i) plan.execute(in, out);
    });
    if (ours.empty()) ours.assign(out.begin(), out.end());
    const double their_time = seconds_of([&] {
      for (int i = 0; i < kExecutions; ++i) theirs.execute();
    });
    if (round < 0) continue;
    our_times.push_back(our_time / kExecutions);
    their_times.push_back(their_time / kExecutions);
    ratios.push_back(their_time / our_time);
  }
  const Timing our_time = summarize(our_times);
  const Timing their_time = summarize(their_times);
  return {our_time, their_time, their_time.seconds / our_time.seconds, summarize(ratios).spread, relative_l2(ours, out)};
}

// Plans, and says how long that took and how many recipes were timed.
ulpfft::Plan make_plan(ulpfft::Context& context, const Coils& coils, double& seconds, std::size_t& timed) {
  ProgressBar bar("planning");
  const auto start = Clock::now();
  ulpfft::Plan plan = context.plan({.lengths = {coils.size, coils.size},
                                    .batch = coils.count,
                                    .direction = ulpfft::Direction::kInverse,
                                    .scale = ulpfft::Scale::kOrtho,
                                    .centered = true},
                                   {.progress = [&](double fraction, std::string_view recipe) {
                                     bar.show(fraction, recipe);
                                     return true;
                                   }});
  seconds = seconds_since(start);
  const auto candidates = plan.candidates();
  timed = static_cast<std::size_t>(
      std::count_if(candidates.begin(), candidates.end(), [](const auto& one) { return one.seconds > 0; }));
  return plan;
}

Result reconstruct(const std::string& folder, int size, const FftwFunctions& fftw) {
  const std::string wisdom = folder + "/wisdom.json";
  const Coils kspace = read_coils(folder + "/kspace_" + std::to_string(size) + ".cfl", size);
  const Coils reference = read_coils(folder + "/bart_" + std::to_string(size) + ".cfl", size);
  Result result;
  result.size = size;
  result.coils = kspace.count;

  ulpfft::Context context;
  const ulpfft::Plan plan = make_plan(context, kspace, result.planning_seconds, result.timed);
  result.problem = plan.problem();
  result.recipe = plan.recipe();
  result.predicted_error = plan.error();
  std::vector<Complex> images(kspace.data.size());
  std::vector<double> times(51);
  for (double& seconds : times) seconds = seconds_of([&] { plan.execute(kspace.data, images); });
  result.execution = summarize(times);
  result.error = relative_l2(images, reference.data);
  context.export_wisdom(wisdom);

  // As a later program would: a new context that knows nothing but the file.
  ulpfft::Context later;
  later.import_wisdom(wisdom);
  std::size_t timed_again = 0;
  const ulpfft::Plan again = make_plan(later, kspace, result.replanning_seconds, timed_again);
  result.second_from_wisdom = again.from_wisdom() && again.recipe() == plan.recipe();

  if (fftw.plan != nullptr) result.comparison = compare(fftw, context, kspace);

  result.kspace = picture_of(size, [&](std::size_t i) {
    return std::log1p(2e3 * std::abs(kspace.data[i]) /
                      std::abs(kspace.data[static_cast<std::size_t>(size) * (size / 2) + size / 2]));
  });
  result.image = picture_of(size, [&](std::size_t i) {
    return root_sum_of_squares(kspace, i, [&](std::size_t at) { return std::complex<double>(images[at]); });
  });
  const double brightest = *std::max_element(result.image.values.begin(), result.image.values.end());
  result.difference = picture_of(size, [&](std::size_t i) {
    return 1e6 / brightest * root_sum_of_squares(kspace, i, [&](std::size_t at) {
             return std::complex<double>(images[at]) - std::complex<double>(reference.data[at]);
           });
  });
  result.largest_difference = *std::max_element(result.difference.values.begin(), result.difference.values.end());
  return result;
}

void print(const Result& result) {
  std::printf("    %d x %d, %d coils\n", result.size, result.size, result.coils);
  std::printf("      recipe      %s\n", result.recipe.c_str());
  std::printf("      time        %s\n", show_seconds(result.execution.seconds).c_str());
  std::printf("      difference  of all coil images from those of bart, relative L2: %.2e; the limit is %.0e\n", result.error, kErrorLimit);
  std::printf("      planning    %s, %zu recipes timed; again from wisdom %s, %s\n",
              show_seconds(result.planning_seconds).c_str(), result.timed, show_seconds(result.replanning_seconds).c_str(),
              result.second_from_wisdom ? "nothing timed" : "TIMED AGAIN");
  if (result.comparison) {
    std::printf("      plain inverse transform: ulpfft %s, FFTW %s, ratio %.2f, spread %s\n",
                show_seconds(result.comparison->ulpfft.seconds).c_str(), show_seconds(result.comparison->fftw.seconds).c_str(),
                result.comparison->ratio, show_percent(result.comparison->spread).c_str());
    if (result.comparison->is_noisy()) std::puts("      the spread is large: the machine was busy, so take these times with caution");
  }
}

int run(const std::string& folder, const std::vector<int>& sizes, const std::string& bart_version) {
  const FftwFunctions fftw = FftwLibrary::system().narrow;
  std::vector<Result> results;
  for (const int size : sizes) {
    results.push_back(reconstruct(folder, size, fftw));
    print(results.back());
  }
  const Machine machine = {processor_name(),  "machine " + ulpfft::Context::process_wide().machine(),
                           ulpfft::version(), fftw.version,
                           bart_version,      today()};
  OutputFile page(folder + "/demo.html");
  page.write(make_page(results, machine));
  page.finish();
  page.commit();
  const bool good =
      std::all_of(results.begin(), results.end(), [](const Result& r) { return r.error <= kErrorLimit && r.second_from_wisdom; });
  if (!good) std::fputs("error: a difference is above its limit, or wisdom was not used.\n", stderr);
  return good ? kSuccess : kFailure;
}

// As a program would that starts tomorrow: everything it knows is in the file.
void plan_again(const std::string& problem, const std::string& wisdom) {
  ulpfft::Context context;
  context.import_wisdom(wisdom);
  const ulpfft::Plan plan = context.parse(problem);
  std::printf("    recipe      %s\n    timed       %s\n", plan.recipe().c_str(), plan.from_wisdom() ? "nothing: it is in the wisdom" : "again");
}

// Every format on the slices of a file, at three sizes: `ulpfft mri sweep KSPACE -o PAGE --csv CSV`.
void judge_formats(const std::string& kspace, const std::string& page_path, const std::string& csv_path) {
  ulpfft::Context context;
  const std::unique_ptr<KspaceReader> reader = open_kspace(kspace, {}, context);
  ProgressBar bar("formats");
  const Sweep result = sweep(context, kspace, *reader, {.count = reader->facts().slices}, {64, 128, 256},
                             [&](double fraction, std::string_view what) { bar.show(fraction, what); });
  OutputFile csv(csv_path), page(page_path);
  csv.write(sweep_csv(result));
  page.write(sweep_page(result, kspace));
  csv.finish();
  page.finish();
  csv.commit();
  page.commit();
  std::fputs(sweep_text(result).c_str(), stdout);
}

int usage() {
  std::fputs(
      "Usage, as tools/dev demo calls it:\n"
      "  ulpfft-demo images FOLDER BART_VERSION SIZE...  reconstruct kspace_SIZE.cfl, compare with bart_SIZE.cfl, write demo.html there\n"
      "  ulpfft-demo again PROBLEM WISDOM                plan a problem from a file of wisdom\n"
      "  ulpfft-demo formats KSPACE PAGE CSV             judge every number format on the images of KSPACE\n",
      stderr);
  return kUsage;
}

int run_command(const std::vector<std::string>& words) {
  if (words.size() >= 4 && words[0] == "images") {
    std::vector<int> sizes;
    for (std::size_t i = 3; i < words.size(); ++i) sizes.push_back(std::stoi(words[i]));
    return run(words[1], sizes, words[2]);
  }
  if (words.size() == 3 && words[0] == "again") {
    plan_again(words[1], words[2]);
    return kSuccess;
  }
  if (words.size() == 4 && words[0] == "formats") {
    judge_formats(words[1], words[2], words[3]);
    return kSuccess;
  }
  return usage();
}

}  // namespace
}  // namespace ulpfft_tool

int main(int argc, char** argv) {
  try {
    return ulpfft_tool::run_command({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return ulpfft_tool::kFailure;
  }
}

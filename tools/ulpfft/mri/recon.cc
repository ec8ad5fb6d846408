// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/recon.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

using Clock = std::chrono::steady_clock;

ulpfft::Problem exact_problem(const SeriesFacts& facts, ulpfft::Direction direction) {
  return {.lengths = {facts.ny, facts.nx},
          .storage = "f64",
          .direction = direction,
          .scale = ulpfft::Scale::kOrtho,
          .centered = true,
          .placement = ulpfft::Placement::kInPlace};
}

ulpfft::Problem narrow_problem(const SeriesFacts& facts, const Arithmetic& arithmetic, ulpfft::Direction direction) {
  ulpfft::Problem problem = exact_problem(facts, direction);
  problem.batch = {facts.coils};
  problem.storage = arithmetic.storage.name;
  problem.scheme = arithmetic.scheme;
  return problem;
}

// Beyond this range numbers of MRI do not come close to an end of it.
constexpr double kWideEnough = 0x1p100;

// Where the largest magnitude is to come: half the largest value of storage and scheme, which have no scales of their own.
double prescale_target(const Arithmetic& arithmetic) {
  const auto half = [](const StorageFacts& format) {
    return format.wide || format.blocks || format.format.largest > kWideEnough ? 0.0 : 0.5 * std::min(format.format.largest, -format.format.lowest);
  };
  double target = half(arithmetic.storage);
  constexpr std::string_view kRounded = "rounded:";
  if (arithmetic.scheme.starts_with(kRounded)) {
    const std::string element = arithmetic.scheme.substr(kRounded.size(), arithmetic.scheme.find('/') - kRounded.size());
    const double other = half(storage_facts(element, arithmetic.scheme, kRounded.size()));
    if (other > 0.0) target = target > 0.0 ? std::min(target, other) : other;
  }
  return target;
}

int exponent_for(double peak, double target) {
  if (target == 0.0) return 0;
  const Complex64 largest = peak;
  ulpfft_prescale how{};
  how.size = sizeof how;
  how.real_type = "f64";
  how.count = 1;
  how.target = target;
  how.lowest = -1000;
  how.highest = 1000;
  int exponent = 0;
  ulpfft::detail::check(ulpfft_prescale_apply(&how, &largest, nullptr, &exponent));
  return exponent;
}

void multiply(std::vector<Complex64>& numbers, int exponent) {
  if (exponent == 0) return;
  const double factor = std::ldexp(1.0, exponent);
  for (Complex64& number : numbers) number *= factor;
}

void add_squares(const std::vector<Complex64>& coil, std::vector<double>& sums) {
  for (std::size_t i = 0; i < coil.size(); ++i) sums[i] += std::norm(coil[i]);
}

void take_roots(std::vector<double>& sums) {
  for (double& sum : sums) sum = std::sqrt(sum);
}

double largest_magnitude(const std::vector<Complex64>& coil) {
  double largest = 0.0;
  for (const Complex64& number : coil) largest = std::max(largest, std::norm(number));
  return std::sqrt(largest);
}

}  // namespace

ExactTransform::ExactTransform(ulpfft::Context& context, const SeriesFacts& facts)
    : inverse_(context.plan(exact_problem(facts, ulpfft::Direction::kInverse), {.effort = ulpfft::Effort::kEstimate})),
      forward_(context.plan(exact_problem(facts, ulpfft::Direction::kForward), {.effort = ulpfft::Effort::kEstimate})) {}

ExactTransform::Image ExactTransform::reconstruct(const Slice& slice, std::vector<double>& image) const {
  Image result;
  std::vector<Complex64> coil(slice.pixels());
  image.assign(slice.pixels(), 0.0);
  for (std::int64_t c = 0; c < slice.coils; ++c) {
    slice.copy_coil(c, coil);
    result.peak = std::max(result.peak, largest_magnitude(coil));
    to_image(coil);
    result.peak = std::max(result.peak, largest_magnitude(coil));
    add_squares(coil, image);
  }
  take_roots(image);
  return result;
}

NarrowTransform::NarrowTransform(ulpfft::Context& context, const SeriesFacts& facts, const Arithmetic& arithmetic, ulpfft::Effort effort)
    : facts_(facts), arithmetic_(arithmetic), target_(prescale_target(arithmetic)),
      inverse_(context.plan(narrow_problem(facts, arithmetic, ulpfft::Direction::kInverse), {.effort = effort})) {
  if (arithmetic.round_trip) forward_ = context.plan(narrow_problem(facts, arithmetic, ulpfft::Direction::kForward), {.effort = effort});
  if (arithmetic.storage.wide) {
    codes_.resize(facts.samples_of_slice() * (arithmetic.storage.format.bits == 64 ? 16 : 8));
  } else {
    const std::int64_t lengths[] = {facts.coils * facts.ny, 2 * facts.nx};
    const ulpfft_layout layout = ulpfft::format_layout(arithmetic.storage.name, lengths);
    codes_.resize(static_cast<std::size_t>(layout.data_bytes));
    scales_.resize(static_cast<std::size_t>(layout.scale_bytes));
  }
}

double NarrowTransform::bytes_per_sample() const {
  return static_cast<double>(codes_.size() + scales_.size()) / static_cast<double>(facts_.samples_of_slice());
}

ulpfft_conversion NarrowTransform::conversion() const {
  ulpfft_conversion job{};
  job.size = sizeof job;
  job.storage = arithmetic_.storage.name.c_str();
  job.real_type = "f64";
  job.rows = facts_.ny;
  job.reals = 2 * facts_.nx;
  return job;
}

std::int64_t NarrowTransform::store(std::int64_t coil, std::vector<Complex64>& numbers) {
  std::byte* codes = codes_.data() + static_cast<std::size_t>(coil) * coil_bytes();
  if (arithmetic_.storage.wide) {
    if (arithmetic_.storage.format.bits == 64) {
      std::copy(numbers.begin(), numbers.end(), reinterpret_cast<Complex64*>(codes));
    } else {
      std::transform(numbers.begin(), numbers.end(), reinterpret_cast<std::complex<float>*>(codes), [](const Complex64& number) { return std::complex<float>(number); });
    }
    return 0;
  }
  const ulpfft_conversion job = conversion();
  std::byte* scales = scales_.empty() ? nullptr : scales_.data() + static_cast<std::size_t>(coil) * coil_scale_bytes();
  std::int64_t saturated = 0;
  ulpfft::detail::check(ulpfft_encode(nullptr, &job, numbers.data(), codes, scales, &saturated));
  return saturated;
}

void NarrowTransform::load(std::int64_t coil, std::vector<Complex64>& numbers) const {
  const std::byte* codes = codes_.data() + static_cast<std::size_t>(coil) * coil_bytes();
  if (arithmetic_.storage.wide) {
    if (arithmetic_.storage.format.bits == 64) {
      std::copy_n(reinterpret_cast<const Complex64*>(codes), numbers.size(), numbers.begin());
    } else {
      std::copy_n(reinterpret_cast<const std::complex<float>*>(codes), numbers.size(), numbers.begin());
    }
    return;
  }
  const ulpfft_conversion job = conversion();
  const std::byte* scales = scales_.empty() ? nullptr : scales_.data() + static_cast<std::size_t>(coil) * coil_scale_bytes();
  ulpfft::detail::check(ulpfft_decode(nullptr, &job, codes, scales, numbers.data()));
}

double NarrowTransform::execute(const ulpfft::Plan& plan, std::int64_t& saturated) {
  ulpfft_array array{};
  array.size = sizeof array;
  array.data[0] = codes_.data();
  array.scales[0] = scales_.empty() ? nullptr : scales_.data();
  ulpfft_array out = array;
  std::int64_t count = 0;
  if (!arithmetic_.storage.wide) out.saturated = &count;
  const auto start = Clock::now();
  ulpfft::detail::check(ulpfft_execute_arrays(plan.get(), &array, &out, nullptr));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  saturated += count;
  return seconds;
}

NarrowTransform::Outcome NarrowTransform::run(const Slice& slice, const ExactTransform& exact, double peak, std::vector<double>& image) {
  Outcome outcome;
  outcome.exponent = exponent_for(peak, target_);
  std::vector<Complex64> coil(slice.pixels()), read(slice.pixels());
  const auto compare = [&](std::int64_t c) {  // `coil` is what k-space became
    slice.copy_coil(c, read);
    for (std::size_t i = 0; i < coil.size(); ++i) {
      outcome.signal += std::norm(read[i]);
      outcome.error += std::norm(coil[i] - read[i]);
    }
  };
  for (std::int64_t c = 0; c < slice.coils; ++c) {
    slice.copy_coil(c, coil);
    if (forward_) exact.to_image(coil);
    multiply(coil, outcome.exponent);
    outcome.saturated += store(c, coil);
  }
  if (forward_) {
    outcome.seconds += execute(*forward_, outcome.saturated);
    for (std::int64_t c = 0; c < slice.coils; ++c) {
      load(c, coil);
      multiply(coil, -outcome.exponent);
      compare(c);
    }
  }
  outcome.seconds += execute(inverse_, outcome.saturated);
  image.assign(slice.pixels(), 0.0);
  for (std::int64_t c = 0; c < slice.coils; ++c) {
    load(c, coil);
    multiply(coil, -outcome.exponent);
    add_squares(coil, image);
    if (forward_) continue;
    exact.to_kspace(coil);
    compare(c);
  }
  take_roots(image);
  return outcome;
}

double NarrowTransform::time() {
  // Orthonormal transforms of their own results: the energy stays.
  constexpr std::size_t kExecutions = 9;
  std::vector<double> seconds;
  std::int64_t saturated = 0;
  for (std::size_t i = 0; i < kExecutions; ++i) {
    seconds.push_back((forward_ ? execute(*forward_, saturated) : 0.0) + execute(inverse_, saturated));
  }
  std::nth_element(seconds.begin(), seconds.begin() + kExecutions / 2, seconds.end());
  return seconds[kExecutions / 2];
}

StorageFacts storage_for_mri(const std::string& name, const std::string& text) {
  const StorageFacts storage = storage_facts(name, text);
  if (!storage.wide && !storage.blocks && storage.format.lowest >= 0.0) {
    throw UsageError(name + " holds no negative numbers, so no k-space.", text, 0, text.size());
  }
  return storage;
}

Words with_blocks(Words words, int block, const std::string& rule) {
  if (block == 0 && rule.empty()) return words;
  const std::string suffix = (block == 0 ? "" : ":b" + std::to_string(block)) + (rule.empty() ? "" : ":" + rule);
  const bool of_storage = storage_facts(words.storage, words.storage).blocks;
  const bool of_scheme = words.scheme.starts_with("mx:");
  if (!of_storage && !of_scheme) {
    throw UsageError("--block and --rule belong to formats with blocks, and neither storage nor scheme has any.", words.storage, 0, words.storage.size());
  }
  const auto add = [&](const std::string& name, std::size_t from) {
    const std::size_t colon = name.find(':', from);
    if (colon != name.npos) throw UsageError("A block or rule is named here already; --block and --rule are for names without.", name, colon + 1, name.size());
    return name + suffix;
  };
  if (of_storage) words.storage = add(words.storage, 0);
  if (of_scheme) {
    const std::size_t fresh = words.scheme.find(":fresh");
    const std::string tail = fresh == words.scheme.npos ? "" : words.scheme.substr(fresh);
    words.scheme = add(words.scheme.substr(0, fresh), 3) + tail;
  }
  return words;
}

}  // namespace ulpfft_tool

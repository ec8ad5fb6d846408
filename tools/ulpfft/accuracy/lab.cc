// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/lab.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kOutputs = 1 << 14;

std::int64_t transforms(std::int64_t n) { return std::max<std::int64_t>(2, kOutputs / n); }

std::string problem_of(const Trial& trial) {
  std::string problem = std::to_string(trial.n) + "*" + std::to_string(transforms(trial.n)) + " " + trial.storage;
  if (!trial.scheme.empty()) problem += " scheme=" + trial.scheme;
  if (!trial.words.empty()) problem += " " + trial.words;
  return problem;
}

template <typename T>
ulpfft_array plain(std::vector<std::complex<T>>& data) {
  ulpfft_array array{};
  array.size = sizeof array;
  array.data[0] = data.data();
  return array;
}

std::span<const float> reals(const std::vector<std::complex<float>>& data) {
  return {reinterpret_cast<const float*>(data.data()), 2 * data.size()};
}

}  // namespace

Lab::Lab(const std::string& target) : context_(open_context(target)), formats_(ulpfft::formats()) {}

const ulpfft_format* Lab::format(std::string_view name) const {
  const auto found = std::find_if(formats_.begin(), formats_.end(), [name](const ulpfft_format& f) { return name == f.name; });
  return found == formats_.end() ? nullptr : &*found;
}

double Lab::fitting_sigma(const std::string& storage) const {
  const ulpfft_format* f = format(storage.substr(0, storage.find(':')));
  if (f == nullptr || f->kind == std::string_view("block")) return 1;
  const double fits = (f->lowest < 0 ? std::min(f->largest, -f->lowest) : f->largest) / 8;
  return std::exp2(
      std::floor(std::log2(f->kind == std::string_view("integer") ? fits : std::min(fits, std::max(1.0, f->smallest_normal)))));
}

const Lab::Signal& Lab::signal(std::int64_t n) {
  Signal& made = signals_[n];
  if (!made.in.empty()) return made;
  const std::int64_t batch = transforms(n);
  std::mt19937_64 random(static_cast<std::uint64_t>(n) + 20261121);
  std::normal_distribution<double> normal;
  std::vector<std::complex<double>> wide(static_cast<std::size_t>(n * batch));
  made.in.resize(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const double re = normal(random), im = normal(random);
    made.in[i] = {static_cast<float>(re), static_cast<float>(im)};
    wide[i] = made.in[i];
  }
  made.out.resize(wide.size());
  context_.parse(std::to_string(n) + "*" + std::to_string(batch) + " f64", {.effort = ulpfft::Effort::kEstimate}).execute(wide, made.out);
  return made;
}

double Lab::beyond(std::int64_t n, double sigma, double largest) {
  const Signal& known = signal(n);
  double count = 0;
  for (const std::complex<double>& y : known.out) count += (std::abs(sigma * y.real()) > largest) + (std::abs(sigma * y.imag()) > largest);
  return count / static_cast<double>(transforms(n));
}

Outcome Lab::run(const Trial& trial) {
  const std::string problem = problem_of(trial);
  const std::string key = problem + " by " + trial.node + " of " + std::to_string(trial.sigma);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  try {
    return known_[key] = measure(trial, problem);
  } catch (const ulpfft::Error& error) {
    Outcome refused;
    refused.reason = error.message();
    return refused;
  }
}

Prediction Lab::predict(const Trial& trial) {
  Prediction found;
  try {
    const ulpfft::Plan plan = context_.parse(problem_of(trial), {.effort = ulpfft::Effort::kEstimate});
    found = {plan.measure_error(ulpfft::ErrorLevel::kFull).relative_l2, plan.error(), plan.recipe(), ""};
  } catch (const ulpfft::Error& error) {
    found.reason = error.message();
  }
  return found;
}

RoundTrip Lab::round_trip(std::int64_t n, const std::string& storage) {
  RoundTrip trip;
  try {
    const std::int64_t batch = transforms(n);
    const std::string problem = std::to_string(n) + "*" + std::to_string(batch) + " " + storage;
    const ulpfft::PlanOptions estimate{.effort = ulpfft::Effort::kEstimate};
    const ulpfft::Plan chain = context_.parse(problem + " scale=1/n chain=user", estimate);
    const ulpfft::Plan there = context_.parse(problem + " scale=ortho", estimate), back = context_.parse(problem + " inverse scale=ortho", estimate);
    std::vector<std::complex<float>> in = signal(n).in;
    for (std::complex<float>& value : in) value *= static_cast<float>(fitting_sigma(storage));
    ulpfft::NarrowArray from(storage, batch, 2 * n), spectrum = from, to = from;
    from.encode(reals(in));
    const auto error = [&](const ulpfft::NarrowArray& result) {
      std::vector<float> out(2 * in.size());
      result.decode(std::span<float>(out));
      double sum = 0, norm = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double difference = static_cast<double>(out[i]) - static_cast<double>(reals(in)[i]);
        sum += difference * difference;
        norm += static_cast<double>(reals(in)[i]) * static_cast<double>(reals(in)[i]);
      }
      return std::sqrt(sum / norm);
    };
    ulpfft_operation nothing{};
    nothing.size = sizeof nothing;
    nothing.apply = [](void*, const ulpfft_tile*) {};
    const ulpfft_array input = from.array(), output = to.array();
    ulpfft::detail::check(ulpfft_execute_chain(chain.get(), &input, &output, &nothing, nullptr));
    trip.chain = error(to);
    there.execute(from.array(), spectrum.array());
    back.execute(spectrum.array(), to.array());
    trip.plans = error(to);
    trip.recipe = chain.recipe();
  } catch (const ulpfft::Error& failure) {
    trip.reason = failure.message();
  }
  return trip;
}

Outcome Lab::measure(const Trial& trial, const std::string& problem) {
  const std::int64_t batch = transforms(trial.n);
  const ulpfft_format* stored = format(trial.storage.substr(0, trial.storage.find(':')));
  const std::string scheme = !trial.scheme.empty() ? trial.scheme : stored != nullptr ? stored->compute : "f32";
  const ulpfft::Plan plan = trial.node.empty() ? context_.parse(problem, {.effort = ulpfft::Effort::kEstimate})
                                               : context_.from_recipe(problem, scheme + ":" + trial.node);
  const Signal& known = signal(trial.n);
  std::vector<std::complex<float>> in(known.in), out(known.in.size());
  // What f32 makes of sigma times a number would count as an error: powers of two are exact.
  for (std::complex<float>& value : in) value *= static_cast<float>(trial.sigma);

  Outcome outcome;
  outcome.recipe = plan.recipe();
  std::int64_t overflows = 0;
  if (trial.storage == "f32") {
    overflows = plan.execute(plain(in), plain(out));
  } else {
    ulpfft::NarrowArray from(trial.storage, batch, 2 * trial.n), to(trial.storage, batch, 2 * trial.n);
    overflows = from.encode(reals(in));
    overflows += plan.execute(from.array(), to.array());
    to.decode(std::span<float>(reinterpret_cast<float*>(out.data()), 2 * out.size()));
  }
  // The scale of the problem belongs to the exact transform, too.
  const double scale =
      trial.sigma * (trial.words.find("scale=ortho") != trial.words.npos ? 1 / std::sqrt(static_cast<double>(trial.n)) : 1);
  double error = 0, norm = 0;
  std::int64_t not_finite = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::complex<double> y(out[i].real(), out[i].imag()), exact = scale * known.out[i];
    not_finite += !std::isfinite(y.real()) + !std::isfinite(y.imag());
    error += std::norm(y - exact);
    norm += std::norm(exact);
  }
  outcome.error = not_finite > 0 ? std::numeric_limits<double>::infinity() : std::sqrt(error / norm);
  outcome.overflows = static_cast<double>(overflows) / static_cast<double>(batch);
  outcome.not_finite = static_cast<double>(not_finite) / (2 * static_cast<double>(out.size()));
  return outcome;
}

std::string radix_node(std::int64_t n, int radix, const std::string& suffix) {
  std::vector<std::int64_t> passes;
  for (; n >= radix; n /= radix) passes.push_back(radix);
  if (n > 1) passes.insert(passes.begin(), n);
  std::string text = "dit(";
  for (std::size_t i = 0; i < passes.size(); ++i) text += (i > 0 ? " " : "") + std::to_string(passes[i]) + (i > 0 ? suffix : "");
  return text + ")";
}

std::string stored_node(std::int64_t n, int stages, const std::string& format) {
  std::string text = "dit(";
  for (int stage = 1; n > 1; ++stage) {
    n /= 2;
    text += n == 1 ? "2)" : stage % stages != 0 ? "2 " : text.find('|') == text.npos ? "2|" + format + " " : "2| ";
  }
  return text;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/lab.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tools/ulpfft/accuracy/stored_numbers.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kOutputs = 1 << 14;

}  // namespace

std::int64_t Lab::transforms(std::int64_t n) { return std::max<std::int64_t>(2, kOutputs / n); }

std::string Lab::problem_of(const Trial& trial) {
  const std::string lengths = trial.lengths.empty() ? std::to_string(trial.n) : trial.lengths;
  std::string problem = lengths + "*" + std::to_string(transforms(trial.n)) + " " + trial.storage;
  if (!trial.scheme.empty()) problem += " scheme=" + trial.scheme;
  if (!trial.words.empty()) problem += " " + trial.words;
  return problem;
}

double distance(const std::vector<std::complex<double>>& numbers, const std::vector<std::complex<double>>& exact, double scale) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::complex<double> wanted = scale * exact[i];
    error += std::norm(numbers[i] - wanted);
    norm += std::norm(wanted);
  }
  return std::isfinite(error) ? std::sqrt(error / norm) : std::numeric_limits<double>::infinity();
}

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

const Lab::Signal& Lab::signal(const Trial& trial) {
  Trial exact;
  exact.n = trial.n;
  exact.lengths = trial.lengths;
  exact.storage = "f64";
  const bool wide = trial.storage == "f64";
  Signal& made = signals_[problem_of(exact) + (wide ? " wide" : "") + " within " + number("%g", trial.range)];
  if (!made.in.empty()) return made;
  std::mt19937_64 random(static_cast<std::uint64_t>(trial.n) + 20261121);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto next = [&] {
    const double x = trial.range > 0 ? trial.range * uniform(random) : normal(random);
    return wide ? x : static_cast<double>(static_cast<float>(x));
  };
  made.in.resize(static_cast<std::size_t>(trial.n * transforms(trial.n)));
  for (std::complex<double>& value : made.in) {
    const double re = next(), im = next();
    value = {re, im};
  }
  made.out.resize(made.in.size());
  context_.parse(problem_of(exact), {.effort = ulpfft::Effort::kEstimate}).execute(made.in, made.out);
  return made;
}

ulpfft::Plan Lab::plan_of(const Trial& trial, const std::string& problem) {
  if (trial.node.empty()) return context_.parse(problem, {.effort = ulpfft::Effort::kEstimate});
  const ulpfft_format* stored = format(trial.storage.substr(0, trial.storage.find(':')));
  const std::string scheme = !trial.scheme.empty() ? trial.scheme : stored != nullptr ? stored->compute : "f32";
  return context_.from_recipe(problem, scheme + ":" + trial.node);
}

double Lab::beyond(std::int64_t n, double sigma, double largest) {
  Trial trial;
  trial.n = n;
  const Signal& known = signal(trial);
  double count = 0;
  for (const std::complex<double>& y : known.out) count += (std::abs(sigma * y.real()) > largest) + (std::abs(sigma * y.imag()) > largest);
  return count / static_cast<double>(transforms(n));
}

Outcome Lab::run(const Trial& trial) {
  const std::string problem = problem_of(trial);
  const std::string key = problem + " by " + trial.node + " of " + number("%g", trial.sigma) + " within " + number("%g", trial.range);
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
    const ulpfft::Plan there = context_.parse(problem + " scale=ortho", estimate);
    const ulpfft::Plan back = context_.parse(problem + " inverse scale=ortho", estimate);
    Trial trial;
    trial.n = n;
    std::vector<std::complex<double>> in = signal(trial).in;
    for (std::complex<double>& value : in) value *= fitting_sigma(storage);
    StoredNumbers from(storage, batch, n), spectrum = from, to = from;
    from.set(in);
    ulpfft_operation nothing{};
    nothing.size = sizeof nothing;
    nothing.apply = [](void*, const ulpfft_tile*) {};
    const ulpfft_array input = from.array(), output = to.array();
    ulpfft::detail::check(ulpfft_execute_chain(chain.get(), &input, &output, &nothing, nullptr));
    trip.chain = distance(to.numbers(), in, 1);
    there.execute(from.array(), spectrum.array());
    back.execute(spectrum.array(), to.array());
    trip.plans = distance(to.numbers(), in, 1);
    trip.recipe = chain.recipe();
  } catch (const ulpfft::Error& failure) {
    trip.reason = failure.message();
  }
  return trip;
}

Outcome Lab::measure(const Trial& trial, const std::string& problem) {
  const std::int64_t batch = transforms(trial.n);
  const ulpfft::Plan plan = plan_of(trial, problem);
  const Signal& known = signal(trial);
  std::vector<std::complex<double>> in = known.in;
  // What f32 makes of sigma times a number would count as an error: powers of two are exact.
  for (std::complex<double>& value : in) value *= trial.sigma;
  StoredNumbers from(trial.storage, batch, trial.n), to = from;

  Outcome outcome;
  outcome.recipe = plan.recipe();
  std::int64_t overflows = from.set(in);
  overflows += plan.execute(from.array(), to.array());
  const std::vector<std::complex<double>> out = to.numbers();
  std::int64_t not_finite = 0;
  for (const std::complex<double>& y : out) not_finite += !std::isfinite(y.real()) + !std::isfinite(y.imag());
  // The scale of the problem belongs to the exact transform, too.
  const double ortho = trial.words.find("scale=ortho") != trial.words.npos ? 1 / std::sqrt(static_cast<double>(trial.n)) : 1;
  outcome.error = distance(out, known.out, trial.sigma * ortho);
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

std::string split_node(std::int64_t n, std::int64_t radix) {
  std::string passes;
  int count = 0;
  for (const std::int64_t r : {256, 128, 64, 16, 8, 4, 2}) {
    for (; r <= radix && n % r == 0; n /= r, ++count) passes += (count > 0 ? " " : "") + std::to_string(r);
  }
  return count == 0 ? "n1" : count == 1 ? "n" + passes : "dit(" + passes + ")";
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

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of transforms: numbers that go there and back many times.
#include <cmath>
#include <numbers>
#include <random>

#include "tools/ulpfft/accuracy/lab.h"
#include "tools/ulpfft/accuracy/stored_numbers.h"

namespace ulpfft_tool {
namespace {

using Spectrum = std::vector<std::complex<double>>;

// Of the factors of a spectrum: they shift energy nowhere, so that a hundred products change the size of no number.
std::vector<double> random_phases(std::int64_t n) {
  std::mt19937_64 random(26);
  std::uniform_real_distribution<double> uniform(-std::numbers::pi, std::numbers::pi);
  std::vector<double> phases(static_cast<std::size_t>(n));
  for (double& phase : phases) phase = uniform(random);
  return phases;
}

// Each transform of `spectrum` times the factors to the power of `count`.
void turn(Spectrum& spectrum, const std::vector<double>& phases, int count) {
  for (std::size_t i = 0; i < spectrum.size(); ++i) spectrum[i] *= std::polar(1.0, count * phases[i % phases.size()]);
}

}  // namespace

Trips Lab::trips(const Trial& trial, const std::vector<int>& counts, bool products) {
  Trips found;
  try {
    Trial ortho = trial;
    ortho.words = "scale=ortho";
    const ulpfft::Plan there = plan_of(ortho, problem_of(ortho));
    ortho.words += " inverse";
    const ulpfft::Plan back = plan_of(ortho, problem_of(ortho));
    Trial exact;
    exact.n = trial.n;
    exact.storage = "f64";
    exact.words = "inverse scale=1/n";
    const ulpfft::Plan exact_back = plan_of(exact, problem_of(exact));
    const Signal& known = signal(trial);
    const std::vector<double> phases = random_phases(trial.n);
    StoredNumbers numbers(trial.storage, transforms(trial.n), trial.n), spectrum = numbers;
    numbers.set(known.in);
    int done = 0;
    for (const int count : counts) {
      for (; done < count; ++done) {
        there.execute(numbers.array(), spectrum.array());
        if (products) {
          Spectrum turned = spectrum.numbers();
          turn(turned, phases, 1);
          spectrum.set(turned);
        }
        back.execute(spectrum.array(), numbers.array());
      }
      Spectrum wanted = known.in;
      if (products) {
        Spectrum turned = known.out;
        turn(turned, phases, count);
        exact_back.execute(turned, wanted);
      }
      found.errors.push_back(distance(numbers.numbers(), wanted, 1));
    }
    found.recipe = there.recipe();
  } catch (const ulpfft::Error& failure) {
    found.reason = failure.message();
  }
  return found;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Times of powers of two beside cuFFT and a copy. Contenders take turns, each sample is a few executions between two events, and the result
// is the median of the samples.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>

#include "tests/gpu/cufft.h"
#include "tests/gpu/json.h"
#include "tests/gpu/parts.h"
#include "tests/gpu/stored_reals.h"

namespace ulpfft::test {
namespace {

constexpr double kSampleSeconds = 2e-3;  // far above the resolution of events, half a microsecond
constexpr double kPlanSeconds = 0.5;
// What matters most comes first, in case time runs out.
constexpr int kLengths[] = {12, 20, 8, 16, 24, 10, 14, 18, 22, 26, 6, 13, 15, 17, 11, 9, 7, 19, 21, 23, 25};
// A patient plan of cuFFT is compiled while it is made, which may take seconds.
constexpr int kPatientLengths[] = {8, 12, 16, 20, 24};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Contender {
  std::string name;
  std::function<void()> run;  // begins one execution on the default stream; empty: there is none
  std::string absence;        // why
  int repeats = 1;
  std::vector<double> samples;  // seconds of one execution

  double seconds() const { return median(samples); }
  double spread() const {
    std::vector<double> distances;
    for (const double sample : samples) distances.push_back(std::abs(sample - seconds()));
    return median(distances) / seconds();
  }
};

double time_of(const Contender& contender, int repeats) {
  const Event begin, end;
  begin.record();
  for (int i = 0; i < repeats; ++i) contender.run();
  end.record();
  return end.seconds_since(begin) / repeats;
}

// One that fails is absent from then on.
void attempt(Contender& contender, const std::function<void()>& work) {
  if (!contender.run) return;
  try {
    work();
  } catch (const std::runtime_error& error) {
    contender.run = nullptr;
    contender.absence = error.what();
  }
}

void time_by_turns(std::vector<Contender>& contenders, int samples, bool is_fake) {
  for (Contender& contender : contenders) {
    attempt(contender, [&] {
      time_of(contender, 1);
      const double once = std::max(1e-7, time_of(contender, 1));
      contender.repeats = is_fake ? 1 : std::clamp(static_cast<int>(kSampleSeconds / once), 1, 200);
    });
  }
  for (int sample = 0; sample < samples; ++sample) {
    for (Contender& contender : contenders) {
      attempt(contender, [&] { contender.samples.push_back(time_of(contender, contender.repeats)); });
    }
  }
}

class Grid {
 public:
  Grid(Machine& machine, const GridWanted& wanted)
      : machine_(machine), wanted_(wanted), storage_(storage_of(wanted.storage)),
        bytes_((std::size_t{1} << wanted.points_log2) * 2 * storage_.bytes), in_(bytes_), out_(bytes_) {
    const std::vector<std::byte> data = random_reals(storage_, bytes_ / storage_.bytes);
    in_.from_host(data.data(), data.size());
    try {
      cufft_.emplace();
    } catch (const std::runtime_error& error) {
      no_cufft_ = error.what();
    }
  }

  // A line of JSON, and one for people. `passed` becomes false where results differ or our plan fails.
  std::string run(int log2_n, bool& passed);

 private:
  void add_ours(const std::string& problem);
  void add_cufft(const char* name, bool patient, int log2_n);
  std::optional<double> difference(std::int64_t n);
  std::string json_of(const Contender& contender, double flops) const;

  Machine& machine_;
  const GridWanted& wanted_;
  StoredReals storage_;
  std::size_t bytes_;
  DeviceArray in_, out_;
  std::optional<Cufft> cufft_;
  std::string no_cufft_;
  // Of the length that is run.
  PlanPtr plan_;
  std::optional<DeviceArray> workspace_;
  std::optional<Cufft::Plan> default_, patient_;
  std::vector<Contender> contenders_;
  bool ours_failed_ = false;
};

void Grid::add_ours(const std::string& problem) {
  Contender& ours = contenders_.emplace_back();
  ours.name = "ulpfft";
  auto options = sized<ulpfft_plan_options>();
  options.time_limit_seconds = std::min(kPlanSeconds, wanted_.seconds / 40);
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(check_context(), (problem + " backend=cuda").c_str(), &options, &plan);
  plan_.reset(plan);
  if (status != ULPFFT_OK) {
    ours.absence = last_error_text();
    ours_failed_ = status != ULPFFT_UNSUPPORTED;
    return;
  }
  workspace_.reset();
  if (const std::size_t bytes = ulpfft_plan_workspace_bytes(plan); bytes > 0) workspace_.emplace(bytes);
  ours.run = [this] {
    void* const workspace = workspace_.has_value() ? workspace_->data() : nullptr;
    if (ulpfft_execute_on(plan_.get(), nullptr, in_.data(), out_.data(), workspace) != ULPFFT_OK) {
      throw std::runtime_error(last_error_text());
    }
  };
}

void Grid::add_cufft(const char* name, bool patient, int log2_n) {
  Contender& theirs = contenders_.emplace_back();
  theirs.name = name;
  std::optional<Cufft::Plan>& plan = patient ? patient_ : default_;
  plan.reset();
  theirs.absence = no_cufft_;
  if (!cufft_.has_value()) return;
  if (patient && std::find(std::begin(kPatientLengths), std::end(kPatientLengths), log2_n) == std::end(kPatientLengths)) {
    theirs.absence = "patient plans are timed for 2^8, 2^12, 2^16, 2^20 and 2^24";
    return;
  }
  try {
    plan.emplace(*cufft_, std::int64_t{1} << log2_n, std::int64_t{1} << (wanted_.points_log2 - log2_n), storage_.type, patient);
    theirs.run = [this, &plan] { plan->execute(in_.data(), out_.data()); };
  } catch (const std::runtime_error& error) {
    theirs.absence = error.what();
  }
}

// Relative distance of the first transforms of both, in the l2 norm.
std::optional<double> Grid::difference(std::int64_t n) {
  if (!contenders_[0].run || !contenders_[1].run) return std::nullopt;
  std::vector<double> results[2];
  for (int i = 0; i < 2; ++i) {
    attempt(contenders_[i], [&] {
      contenders_[i].run();
      results[i] = as_doubles(storage_, out_.to_host(static_cast<std::size_t>(n) * 2 * storage_.bytes));
    });
  }
  if (results[0].size() != results[1].size() || results[0].empty()) return std::nullopt;
  double distance = 0, norm = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    distance += (results[0][i] - results[1][i]) * (results[0][i] - results[1][i]);
    norm += results[1][i] * results[1][i];
  }
  return std::sqrt(distance / norm);
}

std::string Grid::json_of(const Contender& contender, double flops) const {
  std::string json = quoted(contender.name) + ": {";
  if (!contender.run) return json + "\"status\": \"not timed\", \"reason\": " + quoted(contender.absence) + "}";
  json += "\"status\": \"timed\", \"seconds\": " + number(contender.seconds()) + ", \"spread\": " + number(contender.spread());
  json += ", \"samples\": " + std::to_string(contender.samples.size());
  json += ", \"executions_per_sample\": " + std::to_string(contender.repeats);
  if (contender.name == "copy") {
    return json + ", \"bytes_per_second\": " + number(2 * static_cast<double>(bytes_) / contender.seconds()) + "}";
  }
  json += ", \"gflops\": " + number(1e-9 * flops / contender.seconds());
  const Contender& copy = contenders_.back();
  if (copy.run) json += ", \"fraction_of_copy\": " + number(copy.seconds() / contender.seconds());
  return json + "}";
}

std::string Grid::run(int log2_n, bool& passed) {
  const std::int64_t n = std::int64_t{1} << log2_n, batch = std::int64_t{1} << (wanted_.points_log2 - log2_n);
  const std::string problem = std::to_string(n) + "*" + std::to_string(batch) + " " + wanted_.storage;
  contenders_.clear();
  ours_failed_ = false;
  add_ours(problem);
  add_cufft("cufft_default", false, log2_n);
  add_cufft("cufft_patient", true, log2_n);
  Contender& copy_contender = contenders_.emplace_back();
  copy_contender.name = "copy";
  copy_contender.run = [this] { machine_.copy_on_device(out_.data(), in_.data(), bytes_); };
  const bool had_ours = static_cast<bool>(contenders_[0].run);
  const std::optional<double> distance = difference(n);
  time_by_turns(contenders_, wanted_.samples, machine_.is_fake());

  // Twice the bound of Higham, Accuracy and Stability, theorem 24.2, for rounding to the storage at every level: (1 + 4 sqrt 2) u log2 n.
  const double limit = 2 * 6.66 * storage_.unit_roundoff * log2_n;
  const bool agrees = !distance.has_value() || *distance <= limit;
  const bool failed = ours_failed_ || (had_ours && !contenders_[0].run) || !agrees;
  passed = passed && !failed;
  const double flops = 5.0 * static_cast<double>(n) * log2_n * static_cast<double>(batch);
  std::string json = "{\"problem\": " + quoted(problem) + ", \"clock\": " +
                     quoted(machine_.is_fake() ? "fake driver: time of the host, not of a device" : "events of the device") +
                     ", \"failed\": " + (failed ? "true" : "false");
  if (plan_ != nullptr) json += ", \"recipe\": " + quoted(recipe_of(plan_.get()));
  if (distance.has_value()) json += ", \"distance_to_cufft\": " + number(*distance) + ", \"distance_limit\": " + number(limit);
  std::string text = problem + std::string(problem.size() < 24 ? 24 - problem.size() : 1, ' ');
  for (const Contender& contender : contenders_) {
    json += ", " + json_of(contender, flops);
    char field[96] = "            -        -      -";
    const double copy = contenders_.back().run ? contenders_.back().seconds() : 0;
    if (contender.run && contender.name == "copy") {
      std::snprintf(field, sizeof field, " %9.1f", 2e-9 * static_cast<double>(bytes_) / contender.seconds());
    } else if (contender.run) {
      std::snprintf(field, sizeof field, " %12.2f %8.1f %6.3f", 1e6 * contender.seconds(), 1e-9 * flops / contender.seconds(),
                    copy / contender.seconds());
    }
    text += field;
  }
  std::printf("%s%s\n", text.c_str(), failed ? "  FAILED" : "");
  for (const Contender& contender : contenders_) {
    if (!contender.run) std::printf("  %s: %s\n", contender.name.c_str(), contender.absence.c_str());
  }
  if (!agrees) std::printf("  the results differ by %g, at most %g can be rounding\n", *distance, limit);
  return json + "}";
}

}  // namespace

PartState run_grid(Machine& machine, const GridWanted& wanted, const std::string& json_file) {
  const double begin = now();
  Grid grid(machine, wanted);
  bool passed = true;
  int left_out = 0;
  std::ofstream json(json_file);
  std::printf("%s\n", machine.is_fake() ? "FAKE DRIVER: the times below are of the host and say nothing about a device." :
                                          "Times by events of the device, launches included; medians of samples by turns.");
  std::printf("us: microseconds of an execution of the batch; GF: 5 n log2(n) operations, 1e9 per second; share: time of a copy of the\n"
              "input to the output over that of the transform; copy: 1e9 bytes per second, read and written\n");
  std::printf("%-24s %12s %8s %6s %12s %8s %6s %12s %8s %6s %9s\n", "problem", "ulpfft us", "GF", "share", "cuFFT us", "GF", "share",
              "patient us", "GF", "share", "copy");
  for (const int log2_n : kLengths) {
    if (log2_n > wanted.points_log2) continue;
    if (now() - begin > wanted.seconds) {
      ++left_out;
      std::printf("2^%d: not run, because the %g s of this part are over\n", log2_n, wanted.seconds);
      const std::string name = "2^" + std::to_string(log2_n) + " " + wanted.storage;
      json << "{\"problem\": " << quoted(name) << ", \"status\": \"not run: out of time\"}" << std::endl;
      continue;
    }
    json << grid.run(log2_n, passed) << std::endl;
  }
  if (!passed) return PartState::kFailed;
  if (left_out == 0) return PartState::kPassed;
  std::printf("INCOMPLETE %d lengths are left out, because the time of this part is over\n", left_out);
  return PartState::kIncomplete;
}

}  // namespace ulpfft::test

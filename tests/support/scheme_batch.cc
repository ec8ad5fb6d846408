// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/scheme_batch.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Bytes = std::vector<std::byte>;

std::size_t real_bytes(const std::string& storage) { return storage == "f64" ? 8 : storage == "f32" ? 4 : 2; }

// A bf16 is the upper half of an f32.
void store_real(const std::string& storage, double value, std::byte* to) {
  const auto f32 = static_cast<float>(value);
  const auto bf16 = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(f32) >> 16);
  if (storage == "f64") std::memcpy(to, &value, sizeof value);
  if (storage == "f32") std::memcpy(to, &f32, sizeof f32);
  if (storage == "bf16") std::memcpy(to, &bf16, sizeof bf16);
}
double load_real(const std::string& storage, const std::byte* from) {
  double f64 = 0;
  float f32 = 0;
  std::uint16_t bf16 = 0;
  if (storage == "f64") std::memcpy(&f64, from, sizeof f64);
  if (storage == "f32") std::memcpy(&f32, from, sizeof f32);
  if (storage == "bf16") std::memcpy(&bf16, from, sizeof bf16);
  if (storage == "f64") return f64;
  return static_cast<double>(storage == "f32" ? f32 : std::bit_cast<float>(std::uint32_t{bf16} << 16));
}

std::int64_t points_of(const SchemeBatch& batch) {
  std::int64_t points = 1;
  for (const std::int64_t length : batch.lengths) points *= length;
  return points;
}

// Magnitudes stay below 2^121, so that a transform of 200 points is finite in f32.
double level_of(const SchemeBatch& batch, Member member) {
  if (member == Member::kHuge) return batch.extreme ? 0x1p112 : 0x1p40;
  if (member == Member::kTiny) return batch.extreme ? 0x1p-130 : 0x1p-40;
  return 1;
}

// Re and im of its points, in row-major order.
std::vector<double> signal_of(const SchemeBatch& batch, Member member) {
  Random random(static_cast<std::uint64_t>(member) + 100);
  const double level = level_of(batch, member);
  std::vector<double> reals(2 * static_cast<std::size_t>(points_of(batch)));
  for (double& x : reals) x = level * (static_cast<double>(random.between(-(1 << 20), 1 << 20)) / (1 << 20));
  const double bad = batch.extreme ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (member == Member::kNaN) reals[random.below(reals.size())] = bad;
  return reals;
}

std::string problem_of(const SchemeBatch& batch, std::size_t count, int threads) {
  std::string text;
  for (const std::int64_t length : batch.lengths) text += (text.empty() ? "" : "x") + std::to_string(length);
  text += "*" + std::to_string(count) + " " + batch.storage + (batch.backward ? " inverse" : "") + " scheme=" + batch.scheme;
  if (!batch.back.empty()) text += " chain=mul";
  if (batch.in_place) text += " inplace";
  if (threads > 1) text += " threads=" + std::to_string(threads);
  if (!batch.side_by_side) return text;
  std::string strides;
  std::int64_t stride = static_cast<std::int64_t>(count);
  for (std::size_t d = batch.lengths.size(); d-- > 0; stride *= batch.lengths[d]) {
    strides = std::to_string(stride) + (strides.empty() ? "" : ",") + strides;
  }
  return text + " in_strides=" + strides + " out_strides=" + strides + " batch_strides=1,1";
}

std::string recipe_of(const SchemeBatch& batch) {
  return batch.scheme + ":" + (batch.back.empty() ? batch.there : "chain(" + batch.there + "; mul; " + batch.back + ")");
}

// Bytes from the first number of an array to point `point` of transform `transform`.
std::size_t offset_of(const SchemeBatch& batch, std::size_t count, std::size_t transform, std::size_t point) {
  const auto points = static_cast<std::size_t>(points_of(batch));
  return 2 * real_bytes(batch.storage) * (batch.side_by_side ? point * count + transform : transform * points + point);
}

class Runner {
 public:
  Runner(const SchemeBatch& batch, const Target& target) : batch_(batch), target_(target) {
    const std::vector<double> phases = signal_of(batch, Member::kThird);
    const std::size_t real = batch.f64_factors ? 8 : 4;
    factors_.resize(phases.size() * real);
    for (std::size_t i = 0; i < phases.size(); ++i) store_real(batch.f64_factors ? "f64" : "f32", phases[i], &factors_[i * real]);
  }

  // Row-major, transforms outermost, whatever the strides; empty where the target refuses the recipe.
  std::vector<Bytes> run(const std::vector<Member>& members, int threads) {
    PlanPtr& plan = plans_[{members.size(), threads}];
    if (plan == nullptr) plan = try_plan(target_.context, problem_of(batch_, members.size(), threads), recipe_of(batch_));
    if (plan == nullptr) return {};
    const auto points = static_cast<std::size_t>(points_of(batch_));
    const std::size_t real = real_bytes(batch_.storage);
    Bytes in(2 * real * points * members.size()), out(in.size());
    for (std::size_t t = 0; t < members.size(); ++t) {
      const std::vector<double>& signal = signal_of_member(members[t]);
      for (std::size_t i = 0; i < signal.size(); ++i) {
        store_real(batch_.storage, signal[i], &in[offset_of(batch_, members.size(), t, i / 2) + i % 2 * real]);
      }
    }
    const Bytes& result = batch_.in_place ? in : out;
    if (execute(plan.get(), in.data(), batch_.in_place ? in.data() : out.data()) != ULPFFT_OK) trouble_ = last_error_text();
    std::vector<Bytes> transforms(members.size(), Bytes(2 * real * points));
    for (std::size_t t = 0; t < members.size(); ++t) {
      for (std::size_t i = 0; i < points; ++i) {
        std::memcpy(&transforms[t][2 * real * i], &result[offset_of(batch_, members.size(), t, i)], 2 * real);
      }
    }
    return transforms;
  }

  const Bytes& alone(Member member) {
    Bytes& known = alone_[member];
    if (known.empty()) {
      const std::vector<Bytes> one = run({member}, 1);
      if (!one.empty()) known = one[0];
    }
    return known;
  }

  const Target& target() const { return target_; }
  const std::string& trouble() const { return trouble_; }

 private:
  const std::vector<double>& signal_of_member(Member member) {
    std::vector<double>& signal = signals_[member];
    if (signal.empty()) signal = signal_of(batch_, member);
    return signal;
  }

  ulpfft_status execute(const ulpfft_plan* plan, void* in, void* out) const {
    if (batch_.back.empty()) return ulpfft_execute(plan, in, out);
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    from.data[0] = in;
    to.data[0] = out;
    auto operation = sized<ulpfft_operation>();
    operation.factors = factors_.data();
    return ulpfft_execute_chain(plan, &from, &to, &operation, nullptr);
  }

  const SchemeBatch& batch_;
  const Target& target_;
  std::map<std::pair<std::size_t, int>, PlanPtr> plans_;
  std::map<Member, Bytes> alone_;
  std::map<Member, std::vector<double>> signals_;
  Bytes factors_;
  std::string trouble_;
};

// The first real whose bits differ, and that is no NaN on both sides; -1: there is none.
std::int64_t first_difference(const std::string& storage, const Bytes& a, const Bytes& b) {
  if (a == b) return -1;
  const std::size_t real = real_bytes(storage);
  for (std::size_t i = 0; i < a.size(); i += real) {
    if (std::memcmp(&a[i], &b[i], real) == 0) continue;
    if (std::isnan(load_real(storage, &a[i])) && std::isnan(load_real(storage, &b[i]))) continue;
    return static_cast<std::int64_t>(i / real);
  }
  return -1;
}

constexpr const char* kNames[kMembers] = {"first", "second", "third", "huge", "tiny", "nan"};

// Compares everything with what is known first: a transform with itself alone on the same target, and that with other targets.
class Comparison {
 public:
  explicit Comparison(const SchemeBatch& batch) : batch_(batch) {}

  void compare(const Bytes& got, const Bytes& expected, const std::string& what) {
    if (!outcome.trouble.empty()) return;
    if (got.size() != expected.size()) {
      outcome.trouble = what + ", recipe " + recipe_of(batch_) + ": one of both is refused";
      return;
    }
    ++outcome.transforms;
    const std::int64_t at = first_difference(batch_.storage, got, expected);
    if (at < 0) return;
    const auto shown = [&](const Bytes& bytes) {
      return std::to_string(load_real(batch_.storage, &bytes[static_cast<std::size_t>(at) * real_bytes(batch_.storage)]));
    };
    outcome.trouble = what + ", recipe " + recipe_of(batch_) + (batch_.extreme ? ", extreme numbers" : "") + ": real " +
                      std::to_string(at) + " is " + shown(got) + ", not " + shown(expected);
  }

  // Of targets with equal rules.
  void compare_targets(const std::string& key, const Target& target, const Bytes& got) {
    Bytes& first = first_[{key, batch_.same_with_fma || target.has_fma}];
    if (first.empty()) {
      first = got;
    } else {
      compare(got, first, key + " on " + target.name + ", against another target");
    }
  }

  BatchOutcome outcome;

 private:
  const SchemeBatch& batch_;
  std::map<std::pair<std::string, bool>, Bytes> first_;
};

}  // namespace

BatchOutcome run_scheme_batch(const SchemeBatch& batch, const std::vector<BatchRun>& runs) {
  Comparison all(batch);
  for (const Target& target : targets()) {
    Runner runner(batch, target);
    for (const BatchRun& run : runs) {
      const std::vector<Bytes> got = runner.run(run.members, run.threads);
      std::string held;
      for (const Member member : run.members) held += (held.empty() ? "" : " ") + std::string(kNames[static_cast<std::size_t>(member)]);
      for (std::size_t t = 0; t < got.size(); ++t) {
        const std::string which = "\"" + problem_of(batch, run.members.size(), 1) + "\", transform " + std::to_string(t) + " of " + held;
        if (batch.mixes) {
          all.compare_targets(which, target, got[t]);
          continue;
        }
        const Bytes& alone = runner.alone(run.members[t]);
        all.compare(got[t], alone, which + " on " + target.name + " with " + std::to_string(run.threads) + " threads");
        all.compare_targets("\"" + problem_of(batch, 1, 1) + "\", " + kNames[static_cast<std::size_t>(run.members[t])], target, alone);
      }
    }
    if (!runner.trouble().empty()) all.outcome.trouble = problem_of(batch, 1, 1) + ", recipe " + recipe_of(batch) + ": " + runner.trouble();
    if (!all.outcome.trouble.empty()) break;
  }
  return std::move(all.outcome);
}

}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/peer.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "tools/ulpfft/bench/our_plan.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/target_names.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::string_view kTarget = "target:";

class FftwContender : public Contender {
 public:
  FftwContender(const FftwFunctions& functions, void* plan) : plan_(functions, plan) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) plan_.execute();
  }

 private:
  const FftwPlan plan_;
};

FftwPlan::Dimensions dimensions(const std::vector<Axis>& axes) {
  FftwPlan::Dimensions list;
  for (const Axis& axis : axes) list.push_back({axis.n, axis.in_stride, axis.out_stride});
  return list;
}

class FftwPeer : public Peer {
 public:
  FftwPeer(std::string name, FftwLibrary library) : Peer(std::move(name)), library_(std::move(library)) {}
  std::string version() const override { return library_.version(); }
  int plans() const override { return 3; }

  // FFTW 3.3.10 on a Zen 4 core, n = 2^6 to 2^20 and primes, takes within a factor of 3 of this; patient 12 times as long.
  double planning_seconds(const Facts& facts, const Efforts& efforts) const override {
    if (efforts.theirs == PeerEffort::kEstimate || !refusal(facts).empty()) return 0;
    const double measure = std::min(30.0, 0.03 * std::log2(static_cast<double>(facts.size())) + 6e-5 * static_cast<double>(facts.points()));
    const double seconds = efforts.theirs == PeerEffort::kPatient ? 12 * measure : measure;
    return efforts.their_limit > 0 ? std::min(seconds, efforts.their_limit) : seconds;
  }

  std::string refusal(const Facts& facts) const override {
    if (facts.kind != "c2c") return "only c2c is compared, not " + facts.kind;
    if (facts.centered) return "its interface has no centered transform";
    if (facts.scale_factor() != 1.0) return "its interface has no scale";
    if (facts.storage_in != facts.storage_out) return "it cannot change the format from " + facts.storage_in + " to " + facts.storage_out;
    if (facts.storage_in != "f32" && facts.storage_in != "f64") return "it has no storage " + facts.storage_in;
    if (!facts.scheme.empty() && facts.scheme != facts.storage_in) return "it computes in " + facts.storage_in + ", not in " + facts.scheme;
    const FftwFunctions& found = functions(facts);
    if (found.plan == nullptr) return "it has no " + facts.storage_in + " functions";
    if (facts.split && found.plan_split == nullptr) return "it has no guru64_split_dft";
    if (facts.threads > 1 && found.plan_with_nthreads == nullptr) return "its threads library is not beside it";
    return "";
  }

  std::unique_ptr<Contender> plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts, std::string&) const override {
    const FftwFunctions& found = functions(facts);
    if (found.forget_wisdom != nullptr) found.forget_wisdom();
    if (found.plan_with_nthreads != nullptr) found.plan_with_nthreads(facts.threads);
    if (found.set_timelimit != nullptr) found.set_timelimit(efforts.their_limit > 0 ? efforts.their_limit : -1.0);
    const unsigned flags = efforts.theirs == PeerEffort::kEstimate  ? kFftwEstimate
                           : efforts.theirs == PeerEffort::kPatient ? kFftwPatient
                                                                    : kFftwMeasure;
    const auto lengths = dimensions(facts.lengths);
    const auto batch = dimensions(facts.batch);
    const int rank = static_cast<int>(lengths.size());
    const int batch_rank = static_cast<int>(batch.size());
    void* made = nullptr;
    if (facts.split) {
      const int re = facts.inverse ? 1 : 0;  // the split interface knows forward alone: inverse = re and im exchanged
      made = found.plan_split(rank, lengths.data(), batch_rank, batch.data(), arrays.in(re), arrays.in(1 - re), arrays.out(re),
                              arrays.out(1 - re), flags);
    } else {
      made = found.plan(rank, lengths.data(), batch_rank, batch.data(), arrays.in(), arrays.out(),
                        facts.inverse ? kFftwBackward : kFftwForward, flags);
    }
    return made == nullptr ? nullptr : std::make_unique<FftwContender>(found, made);
  }

 private:
  const FftwFunctions& functions(const Facts& facts) const { return facts.storage_in == "f64" ? library_.wide : library_.narrow; }

  FftwLibrary library_;
};

// This library, same problem, same effort; a context of its own.
class TargetPeer : public Peer {
 public:
  TargetPeer(const std::string& what, const std::string& target) : Peer(what), context_(open_context(target)) {}
  std::string version() const override { return std::string("ulpfft ") + ulpfft::version() + ", machine " + show_target(context_.machine()); }
  int plans() const override { return 1; }
  // The time limits of the efforts, which short transforms do not use up.
  double planning_seconds(const Facts&, const Efforts& efforts) const override {
    return efforts.ours == ULPFFT_ESTIMATE ? 0 : efforts.ours == ULPFFT_MEASURE ? 1 : efforts.ours == ULPFFT_PATIENT ? 10 : 60;
  }
  std::string refusal(const Facts&) const override { return ""; }

  std::unique_ptr<Contender> plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts, std::string& recipe) const override {
    try {
      ulpfft::Plan plan = context_.parse(facts.text, {.effort = static_cast<ulpfft::Effort>(efforts.ours)});
      recipe = plan.recipe();
      return std::make_unique<OurPlan>(std::move(plan), facts, arrays);
    } catch (const ulpfft::Error&) {
      return nullptr;  // e.g. a scheme that this instruction set lacks
    }
  }

  void import_wisdom(const std::string& path) override { context_.import_wisdom(path); }
  void export_wisdom(const std::string& path) override { context_.export_wisdom(path); }

 private:
  mutable ulpfft::Context context_;  // planning adds to what it remembers
};

}  // namespace

std::unique_ptr<Peer> load_peer(const std::string& what) {
  if (what.starts_with(kTarget)) {
    const std::string target = what.substr(kTarget.size());
    if (target.empty()) throw UsageError("An instruction set is needed, e.g. target:avx2; see ulpfft info.", what, 0, what.size());
    return std::make_unique<TargetPeer>(what, target);
  }
  if (what == "fftw") {
    std::string fault;
    FftwLibrary library = FftwLibrary::system(&fault);
    if (library.narrow.plan == nullptr && library.wide.plan == nullptr) throw UsageError(fault, what, 0, what.size());
    return std::make_unique<FftwPeer>(what, std::move(library));
  }
  const std::size_t equals = what.find('=');
  const std::string file = equals == what.npos ? what : what.substr(equals + 1);
  const std::string name = equals == what.npos ? file.substr(file.rfind('/') + 1) : what.substr(0, equals);
  if (name.empty() || file.empty()) throw UsageError("A name, '=' and a file are needed, or a file alone.", what, 0, what.size());
  FftwLibrary library;
  const std::string fault = library.add(file);
  if (!fault.empty()) throw UsageError(fault, file, 0, file.size());
  return std::make_unique<FftwPeer>(name, std::move(library));
}

}  // namespace ulpfft_tool::bench

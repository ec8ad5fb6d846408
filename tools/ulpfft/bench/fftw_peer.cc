// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/fftw_peer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ulpfft_tool::bench {
namespace {

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
  bool is_ulpfft() const override { return false; }
  int plans() const override { return 3; }

  // FFTW 3.3.10 on a Zen 4 core, n = 2^6 to 2^20 and primes, takes within a factor of 3 of this; patient 12 times as long.
  double planning_seconds(const Facts& facts, const Efforts& efforts) const override {
    if (efforts.theirs == PeerEffort::kEstimate || !refusal(facts).empty()) return 0;
    const double measure = std::min(30.0, 0.03 * std::log2(static_cast<double>(facts.size())) + 6e-5 * static_cast<double>(facts.points()));
    const double seconds = efforts.theirs == PeerEffort::kPatient ? 12 * measure : measure;
    return efforts.their_limit > 0 ? std::min(seconds, efforts.their_limit) : seconds;
  }

  std::string refusal(const Facts& facts) const override {
    if (facts.centered) return "its interface has no centered transform";
    if (facts.scale_factor() != 1.0) return "its interface has no scale";
    if (facts.storage_in != facts.storage_out) return "it cannot change the format from " + facts.storage_in + " to " + facts.storage_out;
    if (facts.storage_in != "f32" && facts.storage_in != "f64") return "it has no storage " + facts.storage_in;
    if (!facts.scheme.empty() && facts.scheme != facts.storage_in) return "it computes in " + facts.storage_in + ", not in " + facts.scheme;
    const FftwFunctions& found = functions(facts);
    if (found.plan == nullptr) return "it has no " + facts.storage_in + " functions";
    if (facts.is_r2r()) {
      if (found.plan_r2r == nullptr) return "it has no guru64_r2r";
      if (!facts.has_kinds()) return "it needs a kind per length";
      return facts.threads > 1 && found.plan_with_nthreads == nullptr ? "its threads library is not beside it" : "";
    }
    if (facts.is_real() && facts.inverse) return "its interface has one sign of " + facts.kind;
    if (facts.is_real() && facts.split) return "only interleaved spectra of real numbers are compared";
    if (facts.is_real() && real_function(facts) == nullptr) return "it has no guru64_dft_" + facts.kind;
    if (facts.split && found.plan_split == nullptr) return "it has no guru64_split_dft";
    if (facts.threads > 1 && found.plan_with_nthreads == nullptr) return "its threads library is not beside it";
    return "";
  }

  PeerPlan plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts) const override {
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
    if (facts.is_r2r()) {
      made = found.plan_r2r(rank, lengths.data(), batch_rank, batch.data(), arrays.in(), arrays.out(), facts.r2r_kinds.data(), flags);
    } else if (facts.is_real()) {
      made = real_function(facts)(rank, lengths.data(), batch_rank, batch.data(), arrays.in(), arrays.out(), flags);
    } else if (facts.split) {
      const int re = facts.inverse ? 1 : 0;  // the split interface knows forward alone: inverse = re and im exchanged
      made = found.plan_split(rank, lengths.data(), batch_rank, batch.data(), arrays.in(re), arrays.in(1 - re), arrays.out(re),
                              arrays.out(1 - re), flags);
    } else {
      made = found.plan(rank, lengths.data(), batch_rank, batch.data(), arrays.in(), arrays.out(),
                        facts.inverse ? kFftwBackward : kFftwForward, flags);
    }
    if (made == nullptr) return {nullptr, "", "it makes no plan for this problem"};
    return {std::make_unique<FftwContender>(found, made), "", ""};
  }

 private:
  const FftwFunctions& functions(const Facts& facts) const { return facts.storage_in == "f64" ? library_.wide : library_.narrow; }
  FftwFunctions::GuruReal real_function(const Facts& facts) const {
    return facts.in_is_real() ? functions(facts).plan_r2c : functions(facts).plan_c2r;
  }

  FftwLibrary library_;
};

}  // namespace

std::unique_ptr<Peer> fftw_peer(std::string name, FftwLibrary library) {
  return std::make_unique<FftwPeer>(std::move(name), std::move(library));
}

}  // namespace ulpfft_tool::bench

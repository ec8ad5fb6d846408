// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a problem is compared with. Other libraries are opponents; this one on another instruction set and other builds of it are not.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_

#include <memory>
#include <string>
#include <utility>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/bench/ulpfft_plan.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

enum class PeerEffort { kEstimate, kMeasure, kPatient };

struct Efforts {
  int ours = ULPFFT_MEASURE;  // this library, on whichever instruction set, and other builds of it
  PeerEffort theirs = PeerEffort::kMeasure;
  double their_limit = 0;  // seconds of one planning of another library; 0: none
};

// A plan of a peer, or why there is none.
struct PeerPlan {
  std::unique_ptr<Contender> contender;
  std::string recipe;  // where the peer has such a thing
  std::string reason;
};

class Peer {
 public:
  virtual ~Peer() = default;
  const std::string& name() const { return name_; }
  virtual std::string version() const = 0;
  // This library on another instruction set, or another build of it.
  virtual bool is_ulpfft() const = 0;
  // Why this problem would be unequal work for it, or no work at all: a sentence; "" if it can be compared.
  virtual std::string refusal(const Facts& facts) const = 0;
  // Overwrites the arrays.
  virtual PeerPlan plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts) const = 0;
  // The plan for a problem of any storage, for arrays that come with the execution; of peers that are ulpfft.
  virtual UlpfftPlan plan_text(const std::string&, const Efforts&) const { return {}; }
  // About how many seconds one planning of it takes: an order of magnitude, to be told before the work.
  virtual double planning_seconds(const Facts& facts, const Efforts& efforts) const = 0;
  // How many plans to choose the fastest from.
  virtual int plans() const = 0;
  virtual void import_wisdom(const std::string&) {}
  virtual void export_wisdom(const std::string&) {}

 protected:
  explicit Peer(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_

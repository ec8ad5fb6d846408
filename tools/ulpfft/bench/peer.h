// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a problem is compared with: other libraries with the FFTW3 interface, or this one on another instruction set.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_

#include <memory>
#include <string>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/timing.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

enum class PeerEffort { kEstimate, kMeasure, kPatient };

struct Efforts {
  int ours = ULPFFT_MEASURE;  // this library, on whichever instruction set
  PeerEffort theirs = PeerEffort::kMeasure;
  double their_limit = 0;  // seconds of one planning of another library; 0: none
};

class Peer {
 public:
  virtual ~Peer() = default;
  const std::string& name() const { return name_; }
  virtual std::string version() const = 0;
  // Why this problem would be unequal work for it, or no work at all: a sentence; "" if it can be compared.
  virtual std::string refusal(const Facts& facts) const = 0;
  // Overwrites the arrays. Null when the library makes no plan. recipe: set where the peer has such a thing.
  virtual std::unique_ptr<Contender> plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts, std::string& recipe) const = 0;
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

// `what`: "fftw" for Debian's two libraries, NAME=FILE, or FILE, where the name is that of the file; or "target:NAME" for this library
// on that instruction set. Throws UsageError.
std::unique_ptr<Peer> load_peer(const std::string& what);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PEER_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A machine for searches: real codelets by name, which compute nothing and take times made up by the test on a clock of its own.
#ifndef ULPFFT_TESTS_PLANNER_FAKE_MACHINE_H_
#define ULPFFT_TESTS_PLANNER_FAKE_MACHINE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/search/measure.h"
#include "planner/system/team.h"

namespace ulpfft::test {

// One at a time: codelets are plain functions, so what they do is found through a static.
class FakeMachine {
 public:
  // Seconds of one call; `points` are the complex numbers it computes.
  using Cost = std::function<double(const CodeletInfo& codelet, double points)>;

  explicit FakeMachine(Cost cost) : cost_(std::move(cost)) {
    const CodeletTable& real = registered_targets().front().table;  // facts only: it need not be one this machine can run
    originals_.assign(real.codelets.begin(), real.codelets.end());
    if (originals_.size() > kMost) throw std::logic_error("more codelets than the fake machine has functions");
    entries_ = originals_;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i].run = functions()[i].run;
      if (entries_[i].whole != nullptr) entries_[i].whole = functions()[i].whole;
      if (entries_[i].direct != nullptr) entries_[i].direct = functions()[i].direct;
    }
    table_ = real;
    table_.codelets = entries_;
    current() = this;
  }
  ~FakeMachine() { current() = nullptr; }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  const CodeletTable& codelets() const { return table_; }
  Clock clock() {
    return [this] { return now_; };
  }
  // Of the work alone, without what a disturbance adds.
  Clock work_clock() {
    return [this] { return worked_; };
  }
  double now() const { return now_; }
  // The machine's seconds per second from now on; a function of the time.
  void set_pace(std::function<double(double)> pace) {
    if (!pace) return set_disturbance(nullptr);
    set_disturbance([pace = std::move(pace)](double now, double seconds) { return seconds * pace(now); });
  }
  // What work takes from now on that begins at a time and would take so many seconds by itself.
  using Disturbance = std::function<double(double now, double seconds)>;
  void set_disturbance(Disturbance disturbance) { disturbance_ = std::move(disturbance); }

  // `count` pieces of work at once, which cost `seconds` more.
  class FakeTeam : public Team {
   public:
    FakeTeam(FakeMachine& machine, int size, double seconds) : machine_(machine), size_(size), seconds_(seconds) {}
    int size() const override { return size_; }
    void run(int count, Work work, void* data) noexcept override {
      const double begin = machine_.now_;
      double end = begin;
      for (int i = 0; i < count; ++i) {
        machine_.now_ = begin;
        work(data, i);
        end = std::max(end, machine_.now_);
      }
      machine_.now_ = end + seconds_;
    }

   private:
    FakeMachine& machine_;
    int size_;
    double seconds_;
  };

 private:
  static constexpr std::size_t kMost = 1536;
  struct Entry {
    PassFn run;
    WholeFn whole;
    DirectCall::Run direct;
  };
  using Functions = std::array<Entry, kMost>;

  static FakeMachine*& current() {
    static FakeMachine* machine = nullptr;
    return machine;
  }
  void spend(std::size_t index, double points) {
    const double seconds = cost_(originals_[index], points);
    now_ += disturbance_ ? disturbance_(now_, seconds) : seconds;
    worked_ += seconds;
  }

  template <std::size_t Index>
  static void run(const PassArgs& args, const Buffers&, std::int64_t, std::int64_t count) {
    const CodeletInfo& codelet = current()->originals_[Index];
    double points = static_cast<double>(count) * static_cast<double>(args.axes[1].count) * static_cast<double>(args.lanes);
    if (codelet.kind == PassKind::kTwist) points *= static_cast<double>(args.twist.rows);
    if (codelet.body != nullptr) points *= codelet.body->radix;
    if (codelet.second != nullptr) points *= codelet.second->radix;
    current()->spend(Index, points);
  }
  template <std::size_t Index>
  static void whole(const void*, const void*, std::int64_t, void*, void*, std::int64_t) {
    current()->spend(Index, current()->originals_[Index].body->radix);
  }
  template <std::size_t Index>
  static int direct(const DirectCall&, void*, void*, void*, void*, void*) {
    const CodeletInfo& codelet = current()->originals_[Index];
    current()->spend(Index, codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1));
    return 0;
  }
  template <std::size_t... Index>
  static Functions make_functions(std::index_sequence<Index...>) {
    return Functions{{{&run<Index>, &whole<Index>, &direct<Index>}...}};
  }
  static const Functions& functions() {
    static const Functions all = make_functions(std::make_index_sequence<kMost>());
    return all;
  }

  Cost cost_;
  std::vector<CodeletInfo> originals_;
  std::vector<CodeletInfo> entries_;
  CodeletTable table_;
  double now_ = 0;
  double worked_ = 0;
  Disturbance disturbance_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_FAKE_MACHINE_H_

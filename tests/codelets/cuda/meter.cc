// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/codelets/cuda/meter.h"

#include <algorithm>
#include <stdexcept>

namespace ulpfft::cuda::test {
namespace {

constexpr std::size_t kWarp = 32;
constexpr std::uintptr_t kBanks = 32, kWordBytes = 4, kSector = 32;
constexpr int kWavefrontBytes = 128;

bool is_shared(std::size_t kind) { return kind <= static_cast<std::size_t>(host::Access::kSharedWrite); }

std::int64_t distinct(std::vector<std::uintptr_t>& values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

}  // namespace

void Meter::begin_block(const void* shared, std::size_t shared_bytes, int threads) {
  shared_ = reinterpret_cast<std::uintptr_t>(shared);
  shared_bytes_ = shared_bytes;
  threads_.assign(static_cast<std::size_t>(threads), {});
  words_.assign((shared_bytes + kWordBytes - 1) / kWordBytes, {});
}

void Meter::access(host::Access kind, const void* address, int bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  threads_[thread_][static_cast<std::size_t>(kind)].push_back({at, bytes});
  if (is_shared(static_cast<std::size_t>(kind))) touch(at, bytes, kind == host::Access::kSharedWrite);
}

void Meter::touch(std::uintptr_t address, int bytes, bool writes) {
  const std::uintptr_t begin = address - shared_, end = begin + static_cast<std::uintptr_t>(bytes);
  if (address < shared_ || end > shared_bytes_) throw std::out_of_range("a kernel left its shared memory");
  const auto thread = static_cast<std::int32_t>(thread_);
  for (std::uintptr_t w = begin / kWordBytes; w * kWordBytes < end; ++w) {
    Word& word = words_[w];
    if (word.interval != interval_) word = {.interval = interval_, .thread = thread};
    const bool other = word.several || word.thread != thread;
    if (other && (writes || word.written) && !word.raced) {
      word.raced = true;
      ++races_;
    }
    word.several = other;
    word.written |= writes;
  }
}

void Meter::barrier() {
  ++barriers_;
  end_interval();
}
void Meter::end_block() { end_interval(); }

void Meter::end_interval() {
  for (std::size_t warp = 0; warp < threads_.size(); warp += kWarp) end_warp(warp, std::min(threads_.size(), warp + kWarp));
  for (Logs& logs : threads_) {
    for (auto& log : logs) log.clear();
  }
  ++interval_;
}

void Meter::end_warp(std::size_t begin, std::size_t end) {
  bool diverges = false;
  std::vector<Entry> lanes;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::size_t most = 0;
    for (std::size_t t = begin; t < end; ++t) {
      most = std::max(most, threads_[t][kind].size());
      diverges |= threads_[t][kind].size() != threads_[begin][kind].size();
    }
    for (std::size_t i = 0; i < most; ++i) {
      lanes.assign(kWarp, {0, 0});  // lanes without the access have no bytes
      for (std::size_t t = begin; t < end; ++t) {
        if (i < threads_[t][kind].size()) lanes[t - begin] = threads_[t][kind][i];
      }
      add_request(kind, lanes);
    }
  }
  divergent_ += diverges ? 1 : 0;
}

void Meter::add_request(std::size_t kind, const std::vector<Entry>& lanes) {
  int bytes = 0, widest = 0;
  for (const Entry& lane : lanes) {
    bytes += lane.bytes;
    widest = std::max(widest, lane.bytes);
  }
  Totals& sum = totals_[kind];
  ++sum.requests;
  std::vector<std::uintptr_t> touched;
  if (!is_shared(kind)) {
    for (const Entry& lane : lanes) {
      const std::uintptr_t end = lane.address + static_cast<std::uintptr_t>(lane.bytes);
      for (std::uintptr_t s = lane.address / kSector; lane.bytes > 0 && s * kSector < end; ++s) touched.push_back(s);
    }
    sum.actual += distinct(touched);
    sum.ideal += (bytes + static_cast<int>(kSector) - 1) / static_cast<int>(kSector);
    return;
  }
  const auto together = static_cast<std::size_t>(kWavefrontBytes / std::max(widest, static_cast<int>(kWordBytes)));
  for (std::size_t first = 0; first < kWarp; first += together) {
    touched.clear();
    for (std::size_t lane = first; lane < std::min(first + together, kWarp); ++lane) {
      for (int byte = 0; byte < lanes[lane].bytes; byte += static_cast<int>(kWordBytes)) {
        touched.push_back((lanes[lane].address - shared_ + static_cast<std::uintptr_t>(byte)) / kWordBytes);
      }
    }
    if (touched.empty()) continue;
    const auto words = static_cast<std::size_t>(distinct(touched));
    std::array<int, kBanks> in_bank{};
    for (std::size_t w = 0; w < words; ++w) ++in_bank[touched[w] % kBanks];
    sum.actual += *std::max_element(in_bank.begin(), in_bank.end());
    ++sum.ideal;
  }
}

}  // namespace ulpfft::cuda::test

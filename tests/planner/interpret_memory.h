// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What lies in memory while a program is interpreted: reals by their number, or codes and scales by their first bit.
//
// A code stands for a real that is not rounded, and a scale or an exponent for a factor that no other block has. So a wrong place gives a
// wrong number. What is not there, or was written over in part, is NaN or std::out_of_range.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_MEMORY_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_MEMORY_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace ulpfft::test {

inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Factors between 0.5 and 1.5, each another one.
class OtherFactors {
 public:
  double next() { return 0.5 + std::fmod(0.6180339887498949 * static_cast<double>(++count_), 1.0); }

 private:
  int count_ = 0;
};

class RealMemory {
 public:
  RealMemory() = default;
  RealMemory(std::int64_t low, std::vector<double> reals) : low_(low), reals_(std::move(reals)) {}
  double& at(std::int64_t real) { return reals_.at(static_cast<std::size_t>(real - low_)); }

 private:
  std::int64_t low_ = 0;
  std::vector<double> reals_;
};

// Values that take some bits each.
class BitMemory {
 public:
  BitMemory() = default;
  // A place between 0 and `bytes` is as good as another; without, only those that were added are.
  explicit BitMemory(std::int64_t bytes) : bytes_(bytes) {}

  void add(std::int64_t bit, int width, double value) { entries_[bit] = {width, value}; }

  double read(std::int64_t bit, int width) const {
    const Entry& entry = entries_.at(bit);
    return entry.width == width ? entry.value : kNothing;
  }

  void write(std::int64_t bit, int width, double value) {
    if (bytes_ < 0 && entries_.count(bit) == 0) throw std::out_of_range("no element of the array");
    if (bytes_ >= 0 && (bit < 0 || bit + width > 8 * bytes_)) throw std::out_of_range("outside the array");
    spoil(bit, width);
    entries_[bit] = {width, value};
  }

  // Values that lie there, if only with a bit, are no more.
  void spoil(std::int64_t bit, std::int64_t width) {
    constexpr int kWidest = 64;
    for (auto it = entries_.lower_bound(bit - kWidest); it != entries_.end() && it->first < bit + width; ++it) {
      if (it->first + it->second.width > bit) it->second.value = kNothing;
    }
  }

 private:
  struct Entry {
    int width = 0;
    double value = 0;
  };
  std::int64_t bytes_ = -1;
  std::map<std::int64_t, Entry> entries_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_MEMORY_H_

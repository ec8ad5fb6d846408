// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numbers>

namespace ulpfft_tool::bench {
namespace {

constexpr std::size_t kPage = 4096;

// Splitmix64; its numbers do not depend on the standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {  // in (0, 1]
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>(((bits ^ (bits >> 31)) >> 11) + 1) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

void store(std::byte* at, std::size_t real_bytes, double value) {
  const float narrow = static_cast<float>(value);
  std::memcpy(at, real_bytes == 8 ? static_cast<const void*>(&value) : &narrow, real_bytes);
}

double load(const std::byte* at, std::size_t real_bytes) {
  double wide = 0;
  float narrow = 0;
  std::memcpy(real_bytes == 8 ? static_cast<void*>(&wide) : &narrow, at, real_bytes);
  return real_bytes == 8 ? wide : static_cast<double>(narrow);
}

}  // namespace

void Arrays::Free::operator()(std::byte* memory) const { std::free(memory); }

Arrays::Arrays(const Facts& facts)
    : real_bytes_(facts.real_bytes()), parts_(facts.split ? 2 : 1), in_place_(facts.in_place) {
  const Extent in = facts.in_extent();
  const Extent out = facts.out_extent();
  in_elements_ = in_place_ ? std::max(in.elements, out.elements) : in.elements;
  out_elements_ = in_place_ ? in_elements_ : out.elements;
  const std::size_t element_bytes = real_bytes_ * (facts.split ? 1 : 2);
  std::size_t used = 0;
  auto place = [&, region = std::size_t{0}](std::size_t elements) mutable {
    const std::size_t begin = used + 17 * 64 * region++;
    used = (begin + elements * element_bytes + kPage - 1) / kPage * kPage;
    return begin;
  };
  std::size_t in_at[2] = {}, out_at[2] = {};
  for (int part = 0; part < parts_; ++part) in_at[part] = place(in_elements_);
  for (int part = 0; part < parts_; ++part) out_at[part] = in_place_ ? in_at[part] : place(out_elements_);
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, used)));
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, used);
  for (int part = 0; part < parts_; ++part) {
    in_start_[part] = memory_.get() + in_at[part];
    out_start_[part] = memory_.get() + out_at[part];
    in_[part] = in_start_[part] + in.origin * element_bytes;
    out_[part] = out_start_[part] + (in_place_ ? in.origin : out.origin) * element_bytes;
  }
  pristine_.resize(in_elements_ * element_bytes * static_cast<std::size_t>(parts_));
}

void Arrays::fill(std::uint64_t seed, double rms) {
  Random random(seed);
  std::byte* re = pristine_.data();
  std::byte* im = parts_ == 2 ? re + in_elements_ * real_bytes_ : re + real_bytes_;
  const std::size_t step = parts_ == 2 ? real_bytes_ : 2 * real_bytes_;
  for (std::size_t i = 0; i < in_elements_; ++i) {
    const double radius = std::sqrt(-std::log(random.uniform()));
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    store(re + i * step, real_bytes_, rms * radius * std::cos(angle));
    store(im + i * step, real_bytes_, rms * radius * std::sin(angle));
  }
  refresh();
}

void Arrays::refresh() const {
  const std::size_t bytes = pristine_.size() / static_cast<std::size_t>(parts_);
  for (int part = 0; part < parts_; ++part) std::memcpy(in_start_[part], pristine_.data() + static_cast<std::size_t>(part) * bytes, bytes);
}

void Arrays::clear_output() const {
  if (in_place_) return;
  const std::size_t bytes = out_elements_ * real_bytes_ * (parts_ == 2 ? 1 : 2);
  for (int part = 0; part < parts_; ++part) std::memset(out_start_[part], 0, bytes);
}

std::size_t Arrays::common_bytes() const { return std::min(in_elements_, out_elements_) * real_bytes_ * (parts_ == 2 ? 1 : 2); }

std::vector<double> Arrays::read(std::byte* const* parts, std::size_t elements) const {
  std::vector<double> values(2 * elements);
  const std::size_t step = parts_ == 2 ? real_bytes_ : 2 * real_bytes_;
  const std::byte* im = parts_ == 2 ? parts[1] : parts[0] + real_bytes_;
  for (std::size_t i = 0; i < elements; ++i) {
    values[2 * i] = load(parts[0] + i * step, real_bytes_);
    values[2 * i + 1] = load(im + i * step, real_bytes_);
  }
  return values;
}

std::vector<double> Arrays::input() const { return read(in_start_, in_elements_); }
std::vector<double> Arrays::output() const { return read(out_start_, out_elements_); }

double relative_l2(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  if (difference == 0) return 0;
  return std::sqrt(difference / norm);
}

}  // namespace ulpfft_tool::bench

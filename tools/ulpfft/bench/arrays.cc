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
    : facts_(facts),
      real_bytes_(facts.real_bytes()),
      in_end_{facts.in_parts(), facts.in_extent().elements, facts.in_element_bytes(), facts.in_is_real()},
      out_end_{facts.out_parts(), facts.out_extent().elements, facts.out_element_bytes(), facts.out_is_real()} {
  std::size_t used = 0;
  auto place = [&, region = std::size_t{0}](std::size_t bytes) mutable {
    const std::size_t begin = used + 17 * 64 * region++;
    used = (begin + bytes + kPage - 1) / kPage * kPage;
    return begin;
  };
  const std::size_t in_bytes = facts.in_place ? std::max(in_end_.bytes(), out_end_.bytes()) : in_end_.bytes();
  std::size_t in_at[2] = {}, out_at[2] = {};
  for (int part = 0; part < in_end_.parts; ++part) in_at[part] = place(in_bytes);
  for (int part = 0; part < out_end_.parts; ++part) out_at[part] = facts.in_place ? in_at[part] : place(out_end_.bytes());
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, used)));
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, used);
  const std::size_t in_origin = facts.in_extent().origin * in_end_.element_bytes;
  for (int part = 0; part < in_end_.parts; ++part) {
    in_start_[part] = memory_.get() + in_at[part];
    in_[part] = in_start_[part] + in_origin;
  }
  for (int part = 0; part < out_end_.parts; ++part) {
    out_start_[part] = memory_.get() + out_at[part];
    out_[part] = out_start_[part] + (facts.in_place ? in_origin : facts.out_extent().origin * out_end_.element_bytes);
  }
  pristine_.resize(in_end_.bytes() * static_cast<std::size_t>(in_end_.parts));
}

void Arrays::fill(std::uint64_t seed, double rms) {
  Random random(seed);
  std::byte* re = pristine_.data();
  std::byte* im = in_end_.parts == 2 ? re + in_end_.bytes() : re + real_bytes_;
  const std::size_t step = in_end_.element_bytes;
  for (std::size_t i = 0; i < in_end_.elements; ++i) {
    const double radius = std::sqrt((in_end_.is_real ? -2 : -1) * std::log(random.uniform()));
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    store(re + i * step, real_bytes_, rms * radius * std::cos(angle));
    if (!in_end_.is_real) store(im + i * step, real_bytes_, rms * radius * std::sin(angle));
  }
  if (out_end_.is_real) make_symmetric(rms);
  refresh();
}

void Arrays::make_symmetric(double rms) {
  std::vector<Axis> axes = facts_.batch;
  axes.insert(axes.end(), facts_.lengths.begin(), facts_.lengths.end());
  const Axis last = axes.back();
  axes.pop_back();
  std::int64_t rows = 1;
  for (const Axis& axis : axes) rows *= axis.in_n;
  std::byte* re = pristine_.data();
  std::byte* im = in_end_.parts == 2 ? re + in_end_.bytes() : re + real_bytes_;
  for (std::int64_t row = 0; row < rows; ++row) {
    auto at = static_cast<std::int64_t>(facts_.in_extent().origin);
    std::int64_t rest = row;
    for (std::size_t i = axes.size(); i-- > 0; rest /= axes[i].in_n) at += rest % axes[i].in_n * axes[i].in_stride;
    for (const std::int64_t k : {std::int64_t{0}, last.n / 2}) {
      if (2 * k % last.n != 0) continue;
      const auto offset = static_cast<std::size_t>(at + k * last.in_stride) * in_end_.element_bytes;
      store(re + offset, real_bytes_, rms);
      store(im + offset, real_bytes_, 0);
    }
  }
}

void Arrays::refresh() const {
  for (int part = 0; part < in_end_.parts; ++part) {
    std::memcpy(in_start_[part], pristine_.data() + static_cast<std::size_t>(part) * in_end_.bytes(), in_end_.bytes());
  }
}

void Arrays::clear_output() const {
  if (facts_.in_place) return;
  for (int part = 0; part < out_end_.parts; ++part) std::memset(out_start_[part], 0, out_end_.bytes());
}

std::size_t Arrays::common_bytes() const { return std::min(in_end_.bytes(), out_end_.bytes()); }

std::vector<double> Arrays::read(std::byte* const* parts, const End& end) const {
  std::vector<double> values;
  values.reserve((end.is_real ? 1 : 2) * end.elements);
  const std::byte* im = end.parts == 2 ? parts[1] : parts[0] + real_bytes_;
  for (std::size_t i = 0; i < end.elements; ++i) {
    values.push_back(load(parts[0] + i * end.element_bytes, real_bytes_));
    if (!end.is_real) values.push_back(load(im + i * end.element_bytes, real_bytes_));
  }
  return values;
}

std::vector<double> Arrays::input() const { return read(in_start_, in_end_); }
std::vector<double> Arrays::output() const { return read(out_start_, out_end_); }

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

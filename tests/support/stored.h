// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in narrow storage for tests: dense rows of codes and scales, conversions of them, data that suit a format.
#ifndef ULPFFT_TESTS_SUPPORT_STORED_H_
#define ULPFFT_TESTS_SUPPORT_STORED_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {

// Every other block of 64 bytes in size decides whether memory begins a cache line, or 16 bytes behind one as malloc's often does: plans use
// an output that begins one as their work array.
template <typename T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLines() = default;
  template <typename U>
  CacheLines(const CacheLines<U>&) {}  // NOLINT(google-explicit-constructor)
  static std::size_t before(std::size_t count) { return count * sizeof(T) / 64 % 2 * 16; }
  T* allocate(std::size_t count) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(operator new(count * sizeof(T) + before(count), kLine)) + before(count));
  }
  void deallocate(T* memory, std::size_t count) { operator delete(reinterpret_cast<std::byte*>(memory) - before(count), kLine); }
  friend bool operator==(const CacheLines&, const CacheLines&) { return true; }
};

using Bytes = std::vector<std::uint8_t, CacheLines<std::uint8_t>>;

// A dense array of rows in some storage.
struct Stored {
  std::string storage;
  std::int64_t rows = 0, reals = 0;
  ulpfft_layout layout = sized<ulpfft_layout>();
  Bytes codes, scales;

  Stored(std::string name, std::int64_t row_count, std::int64_t row_reals) : storage(std::move(name)), rows(row_count), reals(row_reals) {
    const std::int64_t lengths[2] = {rows, reals};
    EXPECT_EQ(ulpfft_format_layout(storage.c_str(), 2, lengths, &layout), ULPFFT_OK) << last_error_text();
    codes.assign(static_cast<std::size_t>(layout.data_bytes), 0xa5);
    scales.assign(static_cast<std::size_t>(layout.scale_bytes), 0xa5);
  }
  bool wide() const { return storage == "f32" || storage == "f64"; }
  ulpfft_conversion conversion(const char* type) const {
    auto job = sized<ulpfft_conversion>();
    job.storage = storage.c_str();
    job.real_type = type;
    job.rows = rows;
    job.reals = reals;
    return job;
  }
  template <typename T>
  std::int64_t encode(const std::vector<T>& from) {
    if (wide()) {
      EXPECT_EQ(codes.size(), from.size() * sizeof(T));
      std::memcpy(codes.data(), from.data(), codes.size());
      return 0;
    }
    std::int64_t saturated = -1;
    const ulpfft_conversion job = conversion(sizeof(T) == 8 ? "f64" : "f32");
    EXPECT_EQ(ulpfft_encode(nullptr, &job, from.data(), codes.data(), scales.empty() ? nullptr : scales.data(), &saturated), ULPFFT_OK)
        << last_error_text();
    return saturated;
  }
  template <typename T>
  std::vector<T> decode() const {
    std::vector<T> to(static_cast<std::size_t>(rows * reals));
    if (wide()) {
      EXPECT_EQ(codes.size(), to.size() * sizeof(T));
      std::memcpy(to.data(), codes.data(), codes.size());
      return to;
    }
    const ulpfft_conversion job = conversion(sizeof(T) == 8 ? "f64" : "f32");
    EXPECT_EQ(ulpfft_decode(nullptr, &job, codes.data(), scales.empty() ? nullptr : scales.data(), to.data()), ULPFFT_OK) << last_error_text();
    return to;
  }
  ulpfft_array array() {
    auto value = sized<ulpfft_array>();
    value.data[0] = codes.data();
    if (!scales.empty()) value.scales[0] = scales.data();
    return value;
  }
};

inline ulpfft_status execute(const PlanPtr& plan, Stored& in, Stored& out, std::int64_t* saturated = nullptr, std::int32_t* in_exponents = nullptr,
                      std::int32_t* out_exponents = nullptr, std::int64_t* underflowed = nullptr) {
  ulpfft_array from = in.array(), to = out.array();
  from.exponents = in_exponents;
  to.exponents = out_exponents;
  to.saturated = saturated;
  to.underflowed = underflowed;
  return ulpfft_execute_arrays(plan.get(), &from, &to, nullptr);
}

template <typename T>
std::vector<T> normal(std::size_t count, double rms, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw(0, rms);
  std::vector<T> data(count);
  for (T& x : data) x = static_cast<T>(draw(random));
  return data;
}

inline std::vector<ulpfft_format> all_formats() {
  std::vector<ulpfft_format> list(ulpfft_format_count());
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].size = sizeof(ulpfft_format);
    EXPECT_EQ(ulpfft_format_get(i, &list[i]), ULPFFT_OK);
  }
  return list;
}

// Narrow formats that hold numbers of both signs.
inline std::vector<std::string> narrow_formats() {
  std::vector<std::string> names;
  for (const ulpfft_format& format : all_formats()) {
    if (std::string(format.kind) != "wide" && format.lowest < 0) names.emplace_back(format.name);
  }
  return names;
}

inline ulpfft_format format_of(const std::string& storage) {
  for (const ulpfft_format& format : all_formats()) {
    if (storage.substr(0, storage.find(':')) == format.name) return format;
  }
  ADD_FAILURE() << storage;
  return {};
}

// A real rms that a format holds.
inline double fitting_rms(const std::string& storage) {
  const ulpfft_format format = format_of(storage);
  const std::string kind = format.kind;
  if (kind == "wide") return 1;
  if (kind == "block") {  // 1, too, where scales of 2^-127 to 2^127 bring the elements there
    return std::min(std::max(1.0, std::ldexp(format.smallest_normal, -127)), std::ldexp(format.largest, 127) / 8);
  }
  return kind == "integer" ? std::min(format.largest, -format.lowest) / 8 : std::min(format.largest / 8, std::max(1.0, format.smallest_normal));
}

// Whether f32 lacks values of the format.
inline bool needs_f64(const std::string& storage) {
  const ulpfft_format format = format_of(storage);
  return std::string(std::string(format.kind) == "block" ? format_of(format.element).compute : format.compute) == "f64";
}

inline double relative(const std::vector<double>& got, const std::vector<double>& expected) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    error += (got[i] - expected[i]) * (got[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(error / norm);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_STORED_H_

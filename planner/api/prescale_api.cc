// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prescaling arrays through the C interface.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "planner/api/guard.h"
#include "planner/convert/prescale.h"
#include "wisdom/error.h"
#include "wisdom/words.h"

using namespace ulpfft;

namespace {

[[noreturn]] void refuse(const char* field, const std::string& what) {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field, std::string(field) + " is " + what);
}

std::string shown_value(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

PrescaleRule checked(const ulpfft_prescale& given) {
  PrescaleRule rule;
  rule.target = given.target == 0 ? 1 : given.target;
  rule.percentile = given.percentile;
  rule.least = given.least;
  if (given.lowest != 0 || given.highest != 0) {
    rule.lowest = given.lowest;
    rule.highest = given.highest;
  }
  if (!(rule.target > 0) || !std::isfinite(rule.target))
    refuse("target", shown_value(given.target) + "; a finite number above 0 is needed.");
  if (!(rule.percentile >= 0 && rule.percentile <= 100)) refuse("percentile", shown_value(given.percentile) + "; 0 to 100 are possible.");
  if (!(rule.least >= 0) || !std::isfinite(rule.least)) {
    refuse("least", shown_value(given.least) + "; 0 or a finite number above it is needed.");
  }
  if (rule.lowest > rule.highest) {
    refuse("lowest", std::to_string(rule.lowest) + ", above highest, which is " + std::to_string(rule.highest) + ".");
  }
  for (const int end : {rule.lowest, rule.highest}) {
    if (end < -1000 || end > 1000) refuse(end == rule.lowest ? "lowest" : "highest", std::to_string(end) + "; -1000 to 1000 are possible.");
  }
  return rule;
}

template <typename T>
int apply(const ulpfft_prescale& given, const PrescaleRule& rule, const void* in, void* out) {
  const T* from = static_cast<const T*>(in);
  const int k = prescale_exponent(from, from + 1, 2, given.count, rule);
  if (out == nullptr) return k;
  T* to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < 2 * given.count; ++i) to[i] = std::ldexp(from[i], k);
  return k;
}

}  // namespace

ulpfft_status ulpfft_prescale_apply(const ulpfft_prescale* prescale, const void* in, void* out, int* exponent) {
  return guard([&] {
    require_pointer(prescale, "prescale");
    const ulpfft_prescale given = read_sized(*prescale, "prescale.size");
    require_pointer(exponent, "exponent");
    const PrescaleRule rule = checked(given);
    const std::string_view type = given.real_type == nullptr ? "f32" : given.real_type;
    if (type != "f32" && type != "f64") {
      throw PlanError(ULPFFT_UNKNOWN_NAME, "real_type", in_quotes(type) + " is no type of reals; f32 and f64 are.");
    }
    if (given.count < 0 || given.count > (std::int64_t{1} << 56)) {
      refuse("count", std::to_string(given.count) + "; 0 to 2^56 numbers are possible.");
    }
    if (given.count > 0) require_pointer(in, "in");
    const std::size_t real = type == "f64" ? 8 : 4;
    for (const auto& [pointer, field] : {std::pair{in, "in"}, std::pair{static_cast<const void*>(out), "out"}}) {
      if (reinterpret_cast<std::uintptr_t>(pointer) % real == 0) continue;
      refuse(field, "not aligned to the " + std::to_string(real) + " bytes of a real.");
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(in), other = reinterpret_cast<std::uintptr_t>(out);
    const std::uintptr_t bytes = 2 * real * static_cast<std::uintptr_t>(given.count);
    if (out != nullptr && in != out && begin < other + bytes && other < begin + bytes) {
      refuse("out", "overlapping in; the same array or another one is possible.");
    }
    *exponent = type == "f64" ? apply<double>(given, rule, in, out) : apply<float>(given, rule, in, out);
  });
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The short forms of the C interface: a plan by its lengths and a few words, and memory for its arrays.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "planner/api/guard.h"
#include "planner/api/short_form.h"
#include "planner/system/buffer.h"

using namespace ulpfft;

namespace {

// Arguments are called n or n0, n1, n2, and their kinds accordingly.
ShortForm dense_form(Kind kind, std::vector<std::int64_t> lengths, const char* storage, int effort) {
  ShortForm form;
  form.kind = kind;
  form.storage = storage;
  form.effort = effort;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string number = lengths.size() == 1 ? "" : std::to_string(i), index = "[" + std::to_string(i) + "]";
    form.names.push_back({"lengths" + index, "n" + number, "n" + number});
    form.names.push_back({"kinds" + index, "kind" + number, "kind" + number});
  }
  form.names.push_back({"lengths", form.names.front().argument, ""});
  form.lengths = std::move(lengths);
  return form;
}

ulpfft_plan* c2c_plan(const std::vector<std::int64_t>& lengths, const char* storage, int direction, int effort) {
  return plan_of([&] {
    ShortForm form = dense_form(Kind::kC2C, lengths, storage, effort);
    form.settle = [direction](Problem& problem, std::string_view text) { set_direction(problem, text, direction); };
    return form;
  });
}

ulpfft_plan* real_plan(Kind kind, const std::vector<std::int64_t>& lengths, const char* storage, int effort) {
  return plan_of([&] { return dense_form(kind, lengths, storage, effort); });
}

ulpfft_plan* r2r_plan(const std::vector<std::int64_t>& lengths, const char* storage, const std::array<int, 3>& kinds, int effort) {
  return plan_of([&] {
    ShortForm form = dense_form(Kind::kR2R, lengths, storage, effort);
    form.settle = [&](Problem& problem, std::string_view text) { set_kinds(problem, text, kinds.data()); };
    return form;
  });
}

}  // namespace

extern "C" {

ulpfft_plan* ulpfft_plan_1d(int64_t n, const char* storage, int direction, int effort) { return c2c_plan({n}, storage, direction, effort); }
ulpfft_plan* ulpfft_plan_2d(int64_t n0, int64_t n1, const char* storage, int direction, int effort) {
  return c2c_plan({n0, n1}, storage, direction, effort);
}
ulpfft_plan* ulpfft_plan_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int direction, int effort) {
  return c2c_plan({n0, n1, n2}, storage, direction, effort);
}

ulpfft_plan* ulpfft_plan_r2c_1d(int64_t n, const char* storage, int effort) { return real_plan(Kind::kR2C, {n}, storage, effort); }
ulpfft_plan* ulpfft_plan_r2c_2d(int64_t n0, int64_t n1, const char* storage, int effort) {
  return real_plan(Kind::kR2C, {n0, n1}, storage, effort);
}
ulpfft_plan* ulpfft_plan_r2c_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int effort) {
  return real_plan(Kind::kR2C, {n0, n1, n2}, storage, effort);
}

ulpfft_plan* ulpfft_plan_c2r_1d(int64_t n, const char* storage, int effort) { return real_plan(Kind::kC2R, {n}, storage, effort); }
ulpfft_plan* ulpfft_plan_c2r_2d(int64_t n0, int64_t n1, const char* storage, int effort) {
  return real_plan(Kind::kC2R, {n0, n1}, storage, effort);
}
ulpfft_plan* ulpfft_plan_c2r_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int effort) {
  return real_plan(Kind::kC2R, {n0, n1, n2}, storage, effort);
}

ulpfft_plan* ulpfft_plan_r2r_1d(int64_t n, const char* storage, int kind, int effort) { return r2r_plan({n}, storage, {kind}, effort); }
ulpfft_plan* ulpfft_plan_r2r_2d(int64_t n0, int64_t n1, const char* storage, int kind0, int kind1, int effort) {
  return r2r_plan({n0, n1}, storage, {kind0, kind1}, effort);
}
ulpfft_plan* ulpfft_plan_r2r_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int kind0, int kind1, int kind2, int effort) {
  return r2r_plan({n0, n1, n2}, storage, {kind0, kind1, kind2}, effort);
}

void* ulpfft_malloc(size_t bytes) {
  static_assert(kBufferAlignment == 64, "ulpfft.h says so");
  void* memory = bytes <= PTRDIFF_MAX - kBufferAlignment ? allocate_aligned(bytes) : nullptr;
  if (memory == nullptr) {
    guard([&] { throw PlanError(ULPFFT_NO_MEMORY, "bytes", "There is no memory of " + std::to_string(bytes) + " bytes."); });
  }
  return memory;
}

void ulpfft_free(void* memory) { free_aligned(memory); }

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft_plan_many() and its kin: batches of transforms by strides, distances and the arrays around them, as FFTW has them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/api/guard.h"
#include "planner/api/short_form.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"
#include "wisdom/storage_names.h"

using namespace ulpfft;

namespace {

struct ArrayOfMany {
  const std::int64_t* embed;
  std::int64_t stride, distance;
};

// The arguments of all of these functions.
struct Many {
  Kind kind;
  int rank;
  const std::int64_t* lengths;
  std::int64_t batch;
  ArrayOfMany in, out;
  const char* storage;
  int effort;
  int direction = ULPFFT_FORWARD;  // of c2c
  const int* kinds = nullptr;      // of r2r
};

// The stride of the last length is an argument. Those of the others are products of it with lengths of the array.
void add_names(std::vector<ShortForm::Renamed>& names, const std::string& side, const ArrayOfMany& given, int rank) {
  const std::string stride = side + "_stride", distance = side + "_distance";
  names.push_back({"batch_" + stride + "s[0]", distance, distance});
  for (int i = 0; i < rank; ++i) {
    const std::string index = "[" + std::to_string(i) + "]", field = stride + "s" + index;
    if (i + 1 == rank) {
      names.push_back({field, stride, stride});
    } else {
      names.push_back({field, given.embed != nullptr ? side + "_embed" : stride,
                       "the " + side + "put's stride of lengths" + index + ", a multiple of " + stride + ","});
    }
  }
}

// The words have made the problem, with dense strides: those of a stride of 1 in an array of the transform's size.
void set_strides(Problem& problem, bool output, const ArrayOfMany& given) {
  const std::string side = output ? "out" : "in";
  const auto stride = output ? &Dimension::out_stride : &Dimension::in_stride;
  const bool rows = keeps_rows(output ? problem.storage_out : problem.storage_in);
  const auto refuse = [](const std::string& field, std::int64_t value, const std::string& sentence) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is " + std::to_string(value) + sentence);
  };
  const std::string beyond = "; the array would exceed 64 bits of bytes.";
  std::int64_t next = given.stride;  // of the dimension, in an array around the transform
  for (std::size_t i = problem.dims.size(); i-- > 0;) {
    Dimension& d = problem.dims[i];
    if (given.embed == nullptr) {
      if (__builtin_mul_overflow(d.*stride, given.stride, &(d.*stride))) refuse(side + "_stride", given.stride, beyond);
      continue;
    }
    d.*stride = next;
    if (i == 0) break;
    const bool is_row = rows && i + 1 == problem.dims.size();
    const std::string index = "[" + std::to_string(i) + "]", field = side + "_embed" + index;
    const std::int64_t stored = stored_length(problem, d, output), around = given.embed[i];
    if (around < stored || (is_row && around > stored)) {
      refuse(field, around, ", but the " + side + "put has " + std::to_string(stored) + " numbers along lengths" + index + ". Use " +
                                std::to_string(stored) + (is_row ? ": rows of this storage follow each other without gaps." : " or more."));
    }
    if (!is_row && __builtin_mul_overflow(next, around, &next)) refuse(field, around, beyond);
  }
  if (!problem.batch.empty()) problem.batch.front().*stride = given.distance;
}

void settle(Problem& problem, std::string_view text, const Many& many) {
  if (many.kind == Kind::kC2C) set_direction(problem, text, many.direction);
  if (many.kind == Kind::kR2R) set_kinds(problem, text, many.kinds);
  for (const char* field : {"in_strides[0]", "out_strides[0]", "batch_in_strides[0]"}) {
    if (const TextRange range = field_range(text, field); range.begin == range.end) continue;
    refuse_words(text, field, "storage has strides, but strides and distances are arguments of their own: leave the word out.");
  }
  set_strides(problem, false, many.in);
  set_strides(problem, true, many.out);
}

ulpfft_plan* many_plan(const Many& many) {
  return plan_of([&] {
    if (many.rank < 1 || many.rank > kMaxRank) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "rank",
                      "rank is " + std::to_string(many.rank) + ", expected 1.." + std::to_string(kMaxRank) + ".");
    }
    require_pointer(many.lengths, "lengths");
    if (many.kind == Kind::kR2R) require_pointer(many.kinds, "kinds");
    ShortForm form{many.kind, {many.lengths, many.lengths + many.rank}, many.batch, many.storage, many.effort, {}, {}};
    add_names(form.names, "in", many.in, many.rank);
    add_names(form.names, "out", many.out, many.rank);
    form.names.push_back({"batch_lengths[0]", "batch", "batch"});
    form.names.push_back({"batch_lengths", "batch", ""});
    form.settle = [&](Problem& problem, std::string_view text) { settle(problem, text, many); };
    return form;
  });
}

}  // namespace

extern "C" {

ulpfft_plan* ulpfft_plan_many(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                              int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                              const char* storage, int direction, int effort) {
  const ArrayOfMany in{in_embed, in_stride, in_distance}, out{out_embed, out_stride, out_distance};
  return many_plan({Kind::kC2C, rank, lengths, batch, in, out, storage, effort, direction});
}
ulpfft_plan* ulpfft_plan_many_r2c(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                  int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                  const char* storage, int effort) {
  const ArrayOfMany in{in_embed, in_stride, in_distance}, out{out_embed, out_stride, out_distance};
  return many_plan({Kind::kR2C, rank, lengths, batch, in, out, storage, effort});
}
ulpfft_plan* ulpfft_plan_many_c2r(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                  int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                  const char* storage, int effort) {
  const ArrayOfMany in{in_embed, in_stride, in_distance}, out{out_embed, out_stride, out_distance};
  return many_plan({Kind::kC2R, rank, lengths, batch, in, out, storage, effort});
}
ulpfft_plan* ulpfft_plan_many_r2r(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                  int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                  const char* storage, const int* kinds, int effort) {
  const ArrayOfMany in{in_embed, in_stride, in_distance}, out{out_embed, out_stride, out_distance};
  return many_plan({Kind::kR2R, rank, lengths, batch, in, out, storage, effort, ULPFFT_FORWARD, kinds});
}

}  // extern "C"

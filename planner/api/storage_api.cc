// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in narrow storage through the C interface: their sizes, and conversions to them and from them.
#include <algorithm>
#include <cstddef>

#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/convert/side.h"
#include "planner/convert/padded_rows.h"
#include "planner/convert/storage_by_name.h"
#include "wisdom/error.h"
#include "wisdom/words.h"

using namespace ulpfft;

namespace {

std::string text_of(std::int64_t value) { return std::to_string(value); }

std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* field) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw PlanError(ULPFFT_INVALID_ARGUMENT, field, "The array would exceed 64 bits of bytes.");
  return product;
}

// Refuses rows of so many reals that the bytes of their codes or scales exceed 64 bits.
void check_row(std::int64_t reals, const char* field) {
  if (reals < 1 || reals > (std::int64_t{1} << 56)) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, std::string(field) + " is " + text_of(reals) + "; 1 to 2^56 numbers are possible.");
  }
}

// The checked arguments that encode and decode share.
struct Conversion {
  Codec codec;
  ConversionArgs args;
};

// The distance between rows in units of `unit` bytes. Refuses rows that overlap, and distances for which all rows exceed 64 bits of bytes.
std::int64_t row_step(std::int64_t given, std::int64_t dense, std::int64_t rows, std::int64_t unit, const char* field) {
  const std::int64_t step = given == 0 || rows <= 1 ? dense : given;
  if (step > -dense && step < dense) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                    std::string(field) + " is " + text_of(given) + ", but a row has " + text_of(dense) + ": rows would overlap.");
  }
  checked_product(checked_product(step, std::max<std::int64_t>(rows, 1), given == 0 ? "rows" : field), unit, given == 0 ? "rows" : field);
  return step;
}

void require_aligned(const void* data, std::int64_t alignment, const char* field) {
  require_pointer(data, field);
  if (reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment) != 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, std::string(field) + " is not aligned to " + text_of(alignment) + " bytes.");
  }
}

Conversion checked(ulpfft_context* context, const ulpfft_conversion* given, const void* reals, const void* codes, const void* scales) {
  require_pointer(given, "conversion");
  require_size(*given, "conversion.size");
  require_pointer(given->storage, "storage");
  Conversion result;
  const Storage storage = require_format(given->storage, "storage");
  if (storage.element->kind == FormatKind::kWide) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "storage", std::string(given->storage) + " is a type of reals, not narrow storage.");
  }
  const std::string_view type = given->real_type == nullptr ? "f32" : given->real_type;
  if (type != "f32" && type != "f64") {
    throw PlanError(ULPFFT_UNKNOWN_NAME, "real_type", in_quotes(type) + " is no type of reals; f32 and f64 are.");
  }
  if (given->rows < 0) throw PlanError(ULPFFT_INVALID_ARGUMENT, "rows", "rows is " + text_of(given->rows) + "; 0 or more are possible.");
  check_row(given->reals, "reals");
  const bool is_f64 = type == "f64";
  const std::string_view name = given->storage;
  result.codec = find_codec(context_of(context).target.table, storage, name, is_f64);
  if (result.codec.decode == nullptr)
    throw PlanError(ULPFFT_UNSUPPORTED, "storage", "There is no conversion of " + std::string(name) + ".");
  if (given->rounding < ULPFFT_ROUND_SATURATE || given->rounding > ULPFFT_ROUND_STOCHASTIC) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "rounding",
                    "rounding is " + text_of(given->rounding) + ", expected ULPFFT_ROUND_SATURATE (0), _NEAREST (1) or _STOCHASTIC (2).");
  }
  if (given->rows > 0) {  // empty arrays may be null
    require_aligned(reals, is_f64 ? 8 : 4, "reals");
    require_aligned(codes, is_packed(*storage.element) ? 1 : storage.element->bits / 8, "codes");
  }
  if (storage.scale != nullptr) {
    if (given->rows > 0) require_pointer(scales, "scales");
  } else if (scales != nullptr) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "scales", std::string(name) + " has no scales: leave them null.");
  }
  ConversionArgs& args = result.args;
  args.rows = given->rows;
  args.count = given->reals;
  args.code_row_bytes = row_step(given->code_row_bytes, code_bytes(storage, given->reals), given->rows, 1, "code_row_bytes");
  args.scale_row_bytes = row_step(given->scale_row_bytes, scale_bytes(storage, given->reals), given->rows, 1, "scale_row_bytes");
  args.real_row_stride = row_step(given->real_row_stride, given->reals, given->rows, is_f64 ? 8 : 4, "real_row_stride");
  if (!is_packed(*storage.element) && args.code_row_bytes % (storage.element->bits / 8) != 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "code_row_bytes",
                    "code_row_bytes is " + text_of(args.code_row_bytes) + ", no multiple of the bytes of a code.");
  }
  args.rounding = static_cast<Rounding>(given->rounding);
  args.seed = given->seed;
  args.index = given->index;
  args.index_row_stride = static_cast<std::uint64_t>(given->reals);
  return result;
}
static_assert(static_cast<int>(Rounding::kNearestSaturate) == ULPFFT_ROUND_SATURATE);
static_assert(static_cast<int>(Rounding::kNearest) == ULPFFT_ROUND_NEAREST);
static_assert(static_cast<int>(Rounding::kStochastic) == ULPFFT_ROUND_STOCHASTIC);

}  // namespace

extern "C" {

ulpfft_status ulpfft_format_layout(const char* storage, int rank, const int64_t* lengths, ulpfft_layout* layout) {
  return guard([&] {
    require_pointer(storage, "storage");
    require_pointer(layout, "layout");
    require_size(*layout, "layout.size");
    constexpr int kMostLengths = 2 * kMaxRank;  // lengths of the batch and of the transform
    if (rank < 1 || rank > kMostLengths) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "rank", "rank is " + text_of(rank) + ", expected 1.." + text_of(kMostLengths) + ".");
    }
    require_pointer(lengths, "lengths");
    const Storage found = require_format(storage, "storage");
    std::int64_t rows = 1;
    for (int d = 0; d + 1 < rank; ++d) {
      const std::string field = "lengths[" + text_of(d) + "]";
      if (lengths[d] < 1) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is " + text_of(lengths[d]) + "; a length is 1 or more.");
      }
      rows = checked_product(rows, lengths[d], field.c_str());
    }
    const std::int64_t reals = lengths[rank - 1];
    check_row(reals, ("lengths[" + text_of(rank - 1) + "]").c_str());
    layout->rows = rows;
    layout->row_bytes = code_bytes(found, reals);
    layout->scale_row_bytes = scale_bytes(found, reals);
    layout->data_bytes = checked_product(rows, layout->row_bytes, "lengths");
    layout->scale_bytes = checked_product(rows, layout->scale_row_bytes, "lengths");
  });
}

ulpfft_status ulpfft_encode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* reals, void* codes, void* scales,
                            int64_t* saturated) {
  return guard([&] {
    Conversion job = checked(context, conversion, reals, codes, scales);
    job.args.storage = &job.codec.storage;
    job.args.reals = const_cast<void*>(reals);
    job.args.codes = codes;
    job.args.scales = scales;
    const std::int64_t count = encode_rows(job.codec, job.args);
    if (saturated != nullptr) *saturated = count;
  });
}

ulpfft_status ulpfft_decode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* codes, const void* scales,
                            void* reals) {
  return guard([&] {
    Conversion job = checked(context, conversion, reals, codes, scales);
    job.args.storage = &job.codec.storage;
    job.args.reals = reals;
    job.args.codes = const_cast<void*>(codes);
    job.args.scales = const_cast<void*>(scales);
    decode_rows(job.codec, job.args);
  });
}

}  // extern "C"

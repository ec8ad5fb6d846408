// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Formats, schemes and targets of this build and machine, through the C interface.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "codelets/contract/pass_rows.h"
#include "codelets/contract/storage.h"
#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "planner/scheme/scheme.h"

using namespace ulpfft;

namespace {

const char* compute_name(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: return "f32";
    case ComputeType::kF64: return "f64";
    case ComputeType::kDoubleDouble: return "double-double";
    case ComputeType::kRoundedF32: return "rounded in f32";
    case ComputeType::kRoundedF64: return "rounded in f64";
  }
  return "";
}

void copy_numbers(const FormatInfo& from, ulpfft_format* format) {
  const char* kinds[] = {"wide", "element", "integer"};
  const char* specials[] = {"ieee", "fn", "fnuz", "p3109", "none"};
  format->bits = from.bits;
  format->exponent_bits = from.exponent_bits;
  format->mantissa_bits = from.mantissa_bits;
  format->bias = from.bias;
  format->largest = from.largest;
  format->smallest_normal = from.smallest_normal;
  format->smallest_subnormal = from.smallest_subnormal;
  format->kind = kinds[static_cast<std::size_t>(from.kind)];
  format->compute = from.compute;
  format->special = from.kind == FormatKind::kInteger ? "" : specials[static_cast<std::size_t>(from.special)];
  format->is_signed = from.is_signed ? 1 : 0;
  format->fraction_bits = from.fraction_bits;
  format->offset = from.offset;
  format->lowest = lowest_value(from);
}

ulpfft_format facts_of(const FormatInfo& from) {
  ulpfft_format format = ULPFFT_FORMAT_INIT;
  copy_numbers(from, &format);
  format.name = from.name;
  format.source = from.source;
  format.rms_error = from.rms_error;
  format.element = format.scale = format.rule = "";
  return format;
}

ulpfft_format facts_of(const BlockInfo& from) {
  ulpfft_format format = facts_of(*find_format(formats(), from.element));
  format.name = from.name;
  format.source = from.source;
  format.rms_error = from.rms_error;
  format.kind = "block";
  format.element = from.element;
  format.scale = from.scale;
  format.rule = kScaleRuleNames[static_cast<std::size_t>(from.rule)];
  format.block_length = from.length;
  return format;
}

void require_index(std::size_t index, std::size_t count, const char* field) {
  if (index < count) return;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                  std::string(field) + " is " + std::to_string(index) + ", there are " + std::to_string(count) + ".");
}

}  // namespace

#define ULPFFT_TEXT_OF(x) #x
#define ULPFFT_VERSION_TEXT(a, b, c) ULPFFT_TEXT_OF(a) "." ULPFFT_TEXT_OF(b) "." ULPFFT_TEXT_OF(c)

extern "C" {

const char* ulpfft_version(void) { return ULPFFT_VERSION_TEXT(ULPFFT_VERSION_MAJOR, ULPFFT_VERSION_MINOR, ULPFFT_VERSION_PATCH); }

size_t ulpfft_target_count(void) {
  size_t count = 0;
  guard([&] { count = registered_targets().size(); });
  return count;
}

ulpfft_status ulpfft_target_get(size_t index, ulpfft_target* target) {
  return guard([&] {
    require_pointer(target, "target");
    require_size(*target, "target.size");
    require_index(index, registered_targets().size(), "index");
    const RegisteredTarget& from = registered_targets()[index];
    target->backend = from.table.backend;
    target->name = from.table.target;
    target->available = from.available ? 1 : 0;
    target->is_default = &from == &choose_target(nullptr) ? 1 : 0;
    target->reason = from.reason.c_str();
    target->has_fma = from.table.has_fma ? 1 : 0;
    target->lanes_f32 = from.table.lanes_f32;
    target->lanes_f64 = from.table.lanes_f64;
    target->codelets = from.table.codelets.size();
  });
}

ulpfft_status ulpfft_codelet_get(size_t target_index, size_t index, ulpfft_codelet* codelet) {
  return guard([&] {
    require_pointer(codelet, "codelet");
    require_size(*codelet, "codelet.size");
    require_index(target_index, registered_targets().size(), "target_index");
    const CodeletTable& table = registered_targets()[target_index].table;
    require_index(index, table.codelets.size(), "index");
    const CodeletInfo& from = table.codelets[index];
    const BodyFacts& body = *from.body;
    codelet->name = body.name;
    codelet->kind = row_of(from.kind).name;
    codelet->compute = compute_name(from.compute);
    codelet->radix = body.radix;
    codelet->adds = body.ops.add;
    codelet->muls = body.ops.mul;
    codelet->fmas = body.ops.fma;
    codelet->live_values = body.live_values;
    codelet->digest = body.digest;
    if (from.second != nullptr) {
      codelet->radix = body.radix * from.second->radix;
      codelet->adds = body.ops.add * from.second->radix + from.second->ops.add * body.radix;
      codelet->muls = body.ops.mul * from.second->radix + from.second->ops.mul * body.radix;
      codelet->fmas = body.ops.fma * from.second->radix + from.second->ops.fma * body.radix;
      codelet->live_values = std::max(body.live_values, from.second->live_values);
      codelet->digest = body.digest * 0x9e3779b97f4a7c15u + from.second->digest;
    }
  });
}

size_t ulpfft_format_count(void) { return formats().size() + block_formats().size(); }

ulpfft_status ulpfft_format_get(size_t index, ulpfft_format* format) {
  return guard([&] {
    require_pointer(format, "format");
    require_size(*format, "format.size");
    require_index(index, ulpfft_format_count(), "index");
    ulpfft_format to = index < formats().size() ? facts_of(formats()[index]) : facts_of(block_formats()[index - formats().size()]);
    to.size = format->size;
    std::memcpy(format, &to, std::min(to.size, sizeof to));
  });
}

ulpfft_status ulpfft_format_value(size_t index, uint64_t code, double* value) {
  return guard([&] {
    require_pointer(value, "value");
    require_index(index, ulpfft_format_count(), "index");
    if (index >= formats().size()) {
      const BlockInfo& block = block_formats()[index - formats().size()];
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "index",
                      "Codes of " + std::string(block.name) + " have no value without a scale; those of its elements, " + block.element +
                          ", have.");
    }
    const FormatInfo& format = formats()[index];
    if (format.bits < 64 && code >> format.bits != 0) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "code",
                      "code is " + std::to_string(code) + ", but codes of " + format.name + " have " + std::to_string(format.bits) +
                          " bits.");
    }
    *value = decode(format, code);
  });
}

size_t ulpfft_scheme_count(void) {
  size_t count = 0;
  guard([&] { count = all_schemes().size(); });
  return count;
}

ulpfft_status ulpfft_scheme_get(size_t index, ulpfft_scheme* scheme) {
  return guard([&] {
    require_pointer(scheme, "scheme");
    require_size(*scheme, "scheme.size");
    require_index(index, all_schemes().size(), "index");
    const SchemeFacts& from = all_schemes()[index];
    scheme->name = from.name.c_str();
    scheme->kind = from.kind;
    scheme->format = from.format;
    scheme->carrier = from.carrier;
    scheme->emulated = from.emulated ? 1 : 0;
  });
}

}  // extern "C"

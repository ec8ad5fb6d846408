// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/storage_by_name.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "wisdom/error.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

// What other programs call formats, where the letters alone do not tell which is meant.
constexpr std::pair<std::string_view, std::string_view> kNamesElsewhere[] = {
    {"half", "f16"},   {"float16", "f16"}, {"bfloat16", "bf16"},  {"float", "f32"}, {"float32", "f32"}, {"complex64", "f32"},
    {"double", "f64"}, {"float64", "f64"}, {"complex128", "f64"}, {"cs16", "i16"},  {"cf32", "f32"},
    {"sc16", "i16"},   {"sc8", "i8"},      {"int16", "i16"},      {"int8", "i8"}};

// Names that several formats share, and what to choose by.
constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
    {"fp8", "FP8 is e4m3 (more digits) or e5m2 (more range)."},
    {"f8", "FP8 is e4m3 (more digits) or e5m2 (more range)."},
    {"fp6", "FP6 is e2m3 (more digits) or e3m2 (more range)."},
    {"fp4", "FP4 is e2m1, in blocks mxfp4_e2m1."},
    {"mxfp8", "MXFP8 is mxfp8_e4m3 (more digits) or mxfp8_e5m2 (more range)."},
    {"mxfp6", "MXFP6 is mxfp6_e2m3 (more digits) or mxfp6_e3m2 (more range)."},
    {"mxfp4", "MXFP4 is mxfp4_e2m1."}};

constexpr FormatInfo kDoubleDouble = {.name = "dd", .bits = 128};

}  // namespace

std::string no_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FormatInfo& format : formats()) names.emplace_back(format.name);
  for (const BlockInfo& block : block_formats()) names.emplace_back(block.name);
  const auto elsewhere =
      std::find_if(std::begin(kNamesElsewhere), std::end(kNamesElsewhere), [&](const auto& pair) { return pair.first == name; });
  std::string meant =
      elsewhere == std::end(kNamesElsewhere) ? did_you_mean(name, names) : " Did you mean '" + std::string(elsewhere->second) + "'?";
  for (const auto& [family, which] : kFamilies) {
    if (family == name) meant = " " + std::string(which);
  }
  std::string list;
  for (const std::string_view known : names) list += (list.empty() ? "" : ", ") + std::string(known);
  return "There is no format " + in_quotes(name) + (meant.empty() ? "; this build has " : "." + meant + " This build has ") + list + ".";
}

Codec find_codec(const CodeletTable& table, const Storage& storage, std::string_view name, bool is_f64) {
  const std::string_view format = name.substr(0, name.find(':'));
  for (const CodeletTable* from : {&table, &registered_targets().back().table}) {
    for (const ConversionEntry& entry : from->conversions) {
      if (format == entry.format && entry.is_f64 == is_f64)
        return {.storage = storage, .decode = entry.decode, .encode = entry.encode, .is_f64 = is_f64};
    }
  }
  return {.storage = storage};
}

Storage find_storage_of(const std::string& name, const char* field) {
  if (name == kDoubleDouble.name) return {.element = &kDoubleDouble};
  const StorageNameResult parsed = parse_storage_name(name);
  if (parsed.error != nullptr) throw PlanError(ULPFFT_INVALID_ARGUMENT, field, in_quotes(name) + ": " + parsed.error);
  const StorageResult found = find_storage(parsed.name, formats(), block_formats());
  if (found.error == nullptr) return found.storage;
  const auto is_named = [&](const auto& format) { return parsed.name.format == format.name; };
  if (find_format(formats(), parsed.name.format) != nullptr || std::ranges::any_of(block_formats(), is_named))
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, in_quotes(name) + ": " + found.error);
  throw PlanError(ULPFFT_UNKNOWN_NAME, field, no_format(parsed.name.format));
}

bool is_wide(const std::string& name) { return name == "f32" || name == "f64" || name == kDoubleDouble.name; }

double storage_bits(const std::string& name) { return storage_bits(find_storage_of(name, "storage")); }

double storage_bits(const Storage& storage) {
  if (storage.scale == nullptr) return storage.element->bits;
  return storage.element->bits + (storage.length > 0 ? static_cast<double>((storage.scale->bits + 7) / 8 * 8) / storage.length : 0.0);
}

std::size_t storage_real_bytes(const std::string& storage) { return storage == "dd" ? 16 : storage == "f64" ? 8 : 4; }

}  // namespace ulpfft

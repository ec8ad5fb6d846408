// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/rounded.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/registry.h"
#include "planner/scheme/families.h"
#include "planner/table/number_theory.h"
#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::string_view kRoundedPrefix = "rounded";
constexpr std::string_view kSums = "/f32";

[[noreturn]] void refuse_rounded(ulpfft_status status, const std::string& message) { throw PlanError(status, "scheme", message); }

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const FormatInfo& f : formats()) {
    if (has_rounded_scheme(f)) names.push_back(f.name);
  }
  return names;
}

// "f16, bf16, ...".
std::string rounded_formats() {
  std::string names;
  for (const std::string_view name : format_names()) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

std::string possible_rounded() { return " Possible are rounded:<element> and rounded:<element>/f32 of " + rounded_formats() + "."; }

[[noreturn]] void refuse_format(const std::string& name, const FormatInfo* f) {
  const std::string shown = "'" + name + "'";
  if (f != nullptr && f->kind == FormatKind::kWide) {
    refuse_rounded(ULPFFT_INVALID_ARGUMENT, "Rounding to " + name + " is what the scheme " + name + " does." + possible_rounded());
  }
  if (f != nullptr) {
    const char* const lack = f->is_signed ? " has no zero" : " has no negative numbers";
    refuse_rounded(ULPFFT_UNSUPPORTED, "The format " + shown + lack + ": a transform cannot be computed in it." + possible_rounded());
  }
  for (const BlockInfo& block : block_formats()) {
    if (name != block.name) continue;
    refuse_rounded(ULPFFT_UNSUPPORTED,
                   shown + " is a format of blocks; the scheme rounded:" + block.element + " rounds to its elements." + possible_rounded());
  }
  refuse_rounded(ULPFFT_UNKNOWN_NAME, "There is no element format " + in_quotes(name) + "." + did_you_mean(name, format_names()) +
                                          possible_rounded());
}

std::optional<RoundedScheme> rounded_constants_of(const std::string& scheme) {
  if (!scheme.starts_with(kRoundedPrefix)) return std::nullopt;
  if (scheme.size() <= kRoundedPrefix.size() || scheme[kRoundedPrefix.size()] != ':') {
    refuse_rounded(ULPFFT_UNKNOWN_NAME, "There is no scheme " + in_quotes(scheme) + "." + possible_rounded());
  }
  std::string name = scheme.substr(kRoundedPrefix.size() + 1);
  RoundedScheme found;
  if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
    if (name.substr(slash) != kSums) {
      const std::string element = name.substr(0, slash);
      refuse_rounded(ULPFFT_UNKNOWN_NAME, "Sums in " + in_quotes(name.substr(slash + 1)) + " are not possible: " + in_quotes(scheme) +
                                              " could be rounded:" + element + " or rounded:" + element + "/f32." + possible_rounded());
    }
    found.f32_sums = true;
    name.resize(slash);
  }
  found.element = find_format(formats(), name);
  if (found.element == nullptr || !has_rounded_scheme(*found.element)) refuse_format(name, found.element);
  if (found.f32_sums && found.element->compute != std::string_view("f32")) {
    refuse_rounded(ULPFFT_UNSUPPORTED, "f32 does not hold every value of " + name + ": use rounded:" + name + ", without /f32.");
  }
  return found;
}

std::optional<Scheme> parse_rounded(const std::string& name) {
  const std::optional<RoundedScheme> constants = rounded_constants_of(name);
  if (!constants) return std::nullopt;
  const Carrier carrier = carrier_of(*constants->element);
  const bool f32 = carrier == Carrier::kF32;
  return Scheme{.family = &kRoundedFamily,
                .compute = f32 ? ComputeType::kRoundedF32 : ComputeType::kRoundedF64,
                .carrier = f32 ? ComputeType::kF32 : ComputeType::kF64,
                .element = constants->element,
                .reference_bodies = carrier == Carrier::kSlow,
                .constants = *constants};
}

std::vector<SchemeFamily::Listed> list_rounded() {
  std::vector<SchemeFamily::Listed> schemes;
  for (const FormatInfo& f : formats()) {
    if (!has_rounded_scheme(f)) continue;
    const std::string name = std::string("rounded:") + f.name;
    schemes.push_back({name, f.name});
    // Sums in f32 are possible for formats whose values f32 holds.
    if (f.compute == std::string_view("f32")) schemes.push_back({name + "/f32", f.name});
  }
  return schemes;
}

const char* rounded_lengths(std::int64_t n) {
  return rough_part(n) > 1 ? "Rounded schemes transform lengths without prime factors above 13" : nullptr;
}

}  // namespace

constinit const SchemeFamily kRoundedFamily{
    .kind = "rounded",
    .spelling = "rounded:<element>, e.g. rounded:f16",
    .emulated = true,
    .parse = &parse_rounded,
    .list = &list_rounded,
    .nodes = node_kinds({Node::Kind::kN, Node::Kind::kDit}),
    .no_node = "Rounded schemes are computed by n and dit nodes, and rank nodes of them",
    .no_chains = kNoChains,
    .no_storage_between = kNoStorageBetween,
    .no_conversions = kNoConversions,
    .lengths = &rounded_lengths,
    .owner_of_passes = "Rounded schemes",
    .side_by_side = false,
    .path_groups = false,
    .counts = true,
    .long_dits = true,
};

AlignedBuffer rounded_constants(const RoundedScheme& scheme) {
  const auto fill = [&]<typename T>(T) {
    const std::span<const BodyConstant> constants = rounded_body_constants();
    AlignedBuffer buffer(constants.size() * sizeof(T));
    for (std::size_t i = 0; i < constants.size(); ++i) {
      static_cast<T*>(buffer.data())[i] = static_cast<T>(round_to_element(*scheme.element, DoubleDouble(constants[i].hi, constants[i].lo)));
    }
    return buffer;
  };
  return carrier_of(*scheme.element) == Carrier::kF32 ? fill(float{}) : fill(double{});
}

// The part of the errors of a body that remains with sums in f32: 0.66 to 0.68 with radices 8 and 16 (n = 1024, 4096), 0.79 with radix 2.
constexpr double kF32Sums = 0.7;

double rounded_share(const RoundedScheme& scheme) { return scheme.f32_sums ? kF32Sums : 1.0; }

}  // namespace ulpfft

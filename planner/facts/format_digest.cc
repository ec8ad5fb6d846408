// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/format_digest.h"

#include <bit>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "codelets/contract/split_scheme.h"
#include "codelets/contract/storage.h"
#include "codelets/registry.h"

namespace ulpfft {
namespace {

std::uint64_t hash_of(std::initializer_list<std::uint64_t> values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t value : values) {
    for (int i = 0; i < 8; ++i) hash = (hash ^ ((value >> (8 * i)) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

// "mxfp8_e4m3" for "mx:mxfp8_e4m3:b8:fresh", "f16" for "rounded:f16/f32" and "split:f16x2"; empty: the scheme has no format.
std::string_view format_of_scheme(std::string_view scheme) {
  const std::size_t colon = scheme.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view name = scheme.substr(colon + 1);
  if (scheme.substr(0, colon) == "split") return parse_split_name(name).name.element;
  return name.substr(0, name.find_first_of(":/"));
}

// What split_arithmetic.h and split_pass.h compute, which no digest of a codelet tells. Numbered by hand: raise it where results of split
// schemes change, whose hashes tests/golden/plans/schemes.txt holds.
constexpr std::uint64_t kSplitArithmetic = 1;

// The digest of the arithmetic of a split scheme, without its element; 0: another scheme.
std::uint64_t split_digest(std::string_view scheme) {
  constexpr std::string_view kFamily = "split:";
  if (!scheme.starts_with(kFamily)) return 0;
  const SplitName name = parse_split_name(scheme.substr(kFamily.size())).name;
  const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
  return hash_of({kSplitArithmetic, number(name.parts), number(name.matrix_parts), number(name.every_product), number(name.tile),
                  number(name.whole), number(name.arbitrary)});
}

}  // namespace

std::uint64_t digest_of(const FormatInfo& f) {
  const auto bits = [](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
  return hash_of({bits(f.kind), bits(f.bits), bits(f.is_signed), bits(f.exponent_bits), bits(f.mantissa_bits), bits(f.bias),
                  bits(f.has_zero), bits(f.special), f.nan, bits(f.fraction_bits), std::bit_cast<std::uint64_t>(f.offset),
                  bits(f.symmetric), bits(f.overflow)});
}

std::uint64_t digest_of(const BlockInfo& block, const FormatInfo& element, const FormatInfo& scale) {
  return hash_of({static_cast<std::uint64_t>(block.length), static_cast<std::uint64_t>(block.rule), digest_of(element), digest_of(scale)});
}

std::uint64_t formats_digest(const Problem& problem, const Recipe& recipe) {
  std::set<std::string> names{problem.storage_in, problem.storage_out, problem.intermediate, std::string(format_of_scheme(recipe.scheme))};
  for (const std::string& between : intermediate_formats(recipe.root)) names.insert(between);
  std::uint64_t digest = split_digest(recipe.scheme);
  for (const std::string& name : names) {
    const std::string_view base = std::string_view(name).substr(0, name.find(':'));
    const FormatInfo* const format = find_format(formats(), base);
    if (format != nullptr && format->kind != FormatKind::kWide) digest = hash_of({digest, digest_of(*format)});
    for (const BlockInfo& block : block_formats()) {
      if (base != block.name) continue;
      digest = hash_of({digest, digest_of(block, *find_format(formats(), block.element), *find_format(formats(), block.scale))});
    }
  }
  return digest;
}

}  // namespace ulpfft

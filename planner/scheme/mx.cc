// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/mx.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codelets/registry.h"
#include "planner/scheme/families.h"
#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::string_view kMxPrefix = "mx:";
constexpr std::string_view kFresh = ":fresh";

Storage storage_of(const BlockInfo& block) { return find_storage({.format = block.name}, formats(), block_formats()).storage; }

// "mxfp8_e4m3, ...".
std::string mx_formats() {
  std::string names;
  for (const BlockInfo& block : block_formats()) {
    Storage storage = storage_of(block);
    if (storage.length == 0) storage.length = 32;
    if (mx_refusal(storage) == nullptr) names += (names.empty() ? "" : ", ") + std::string(block.name);
  }
  return names;
}

std::string possible_mx() { return " Possible are mx:<block>[:carry|:fresh] of " + mx_formats() + ", e.g. mx:mxfp8_e4m3:b8:floor."; }

[[noreturn]] void refuse_mx(ulpfft_status status, const std::string& message) {
  throw PlanError(status, "scheme", message + possible_mx());
}

std::optional<MxScheme> mx_constants_of(const std::string& scheme) {
  if (scheme != "mx" && !scheme.starts_with(kMxPrefix)) return std::nullopt;
  std::string name = scheme.substr(std::min(kMxPrefix.size(), scheme.size()));
  MxScheme found;
  if (name.ends_with(kFresh)) {
    found.product = MxProduct::kFresh;
    name.resize(name.size() - kFresh.size());
  }
  const StorageNameResult parsed = parse_storage_name(name);
  if (parsed.error != nullptr) refuse_mx(ULPFFT_UNKNOWN_NAME, "There is no scheme " + in_quotes(scheme) + ": " + parsed.error);
  const StorageResult storage = find_storage(parsed.name, formats(), block_formats());
  if (storage.error != nullptr) {
    std::vector<std::string_view> names;
    for (const BlockInfo& block : block_formats()) names.emplace_back(block.name);
    refuse_mx(ULPFFT_UNKNOWN_NAME, "There is no scheme " + in_quotes(scheme) + ": " + storage.error +
                                       did_you_mean(parsed.name.format, names));
  }
  found.storage = storage.storage;
  if (const char* reason = mx_refusal(found.storage)) {
    refuse_mx(ULPFFT_UNSUPPORTED, "There is no scheme " + in_quotes(scheme) + ": " + name + " " + reason + ".");
  }
  return found;
}

std::optional<Scheme> parse_mx(const std::string& name) {
  const std::optional<MxScheme> constants = mx_constants_of(name);
  if (!constants) return std::nullopt;
  return Scheme{.family = &kMxFamily, .compute = ComputeType::kF32, .carrier = ComputeType::kF32, .constants = *constants};
}

std::vector<SchemeFamily::Listed> list_mx() {
  std::vector<SchemeFamily::Listed> schemes;
  for (const BlockInfo& block : block_formats()) {
    try {
      for (const std::string& name : {std::string("mx:") + block.name, std::string("mx:") + block.name + ":fresh"}) {
        mx_constants_of(name);
        schemes.push_back({name, block.name});
      }
    } catch (const PlanError&) {
      // Blocks that are no MX blocks have no scheme without a length and a rule of their own.
    }
  }
  return schemes;
}

// Every block with each scale rule, and with every length of blocks by turns.
std::vector<std::string> unlisted_mx() {
  std::vector<std::string> names;
  int turn = 0;
  for (const BlockInfo& block : block_formats()) {
    for (int rule = 0; rule < kPowerRules; ++rule) {
      const std::int64_t length = std::int64_t{2} << (turn++ % 6);
      const std::string name = "mx:" + std::string(block.name) + ":b" + std::to_string(length) + ":" + kScaleRuleNames[rule];
      try {
        mx_constants_of(name);
        names.push_back(turn % 2 == 0 ? name : name + std::string(kFresh));
      } catch (const PlanError&) {
        // Some blocks have no such length.
      }
    }
  }
  return names;
}

// Every length without a recipe has this refusal.
const char* mx_lengths(std::int64_t) { return "mx schemes transform lengths of the primes up to 13, and once 17"; }

}  // namespace

constinit const SchemeFamily kMxFamily{
    .kind = "mx",
    .spelling = "mx:<block>, e.g. mx:mxfp8_e4m3",
    .emulated = true,
    .parse = &parse_mx,
    .list = &list_mx,
    .unlisted = &unlisted_mx,
    .nodes = node_kinds({Node::Kind::kN, Node::Kind::kDit}),
    .shortest = 2,
    .no_node = "mx schemes are computed by n and dit nodes and rank nodes of them: lengths of the primes up to 13, and once 17",
    .no_chains = kNoChains,
    .no_storage_between = kNoStorageBetween,
    .no_conversions = kNoConversions,
    .no_streams = "Passes of mx schemes do not stream",
    .lengths = &mx_lengths,
    .planes = false,
    .tiles = false,
    .side_by_side = false,
    .path_groups = false,
    .copies = 1,
    .uniform_radices = true,
    .radix_17 = true,
};

MxPass mx_pass(const MxScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool ones) {
  MxPass pass;
  pass.scheme = scheme;
  pass.parameters = mx_parameters(scheme);
  pass.radix = radix;
  pass.length = length;
  pass.butterflies = butterflies;
  pass.ones = ones;
  lay_out(pass);
  return pass;
}

std::int64_t mx_table_bytes(const MxPass& pass) {
  MxPass laid_out = pass;
  const std::int64_t entries = lay_out(laid_out);
  return 2 * entries * static_cast<std::int64_t>(sizeof(float)) +
         2 * entries / pass.scheme.storage.length * static_cast<std::int64_t>(sizeof(std::int32_t));
}

double mx_square(const MxPass& pass, double share, double block, double twiddles) {
  // The data, the twiddles and the products are rounded to elements. A product with 1 or -i, whose parts are elements, is exact.
  const bool exact = pass.ones || pass.length * pass.radix <= 4;
  return share * (exact ? block * block : 2 * block * block + twiddles);
}

std::shared_ptr<const MxTables> make_mx_tables(const MxPass& outline, std::vector<std::uint32_t> points, RootCache& roots) {
  auto tables = std::make_shared<MxTables>();
  MxPass& pass = tables->pass;
  pass = outline;
  const std::int64_t entries = lay_out(pass);
  const MxScheme& scheme = pass.scheme;
  const std::int64_t radix = pass.radix, length = pass.length, butterflies = pass.butterflies;
  const bool ones = pass.ones;
  tables->points = std::move(points);
  if (!tables->points.empty()) pass.points = tables->points.data();
  const std::int64_t block = scheme.storage.length;
  tables->twiddles.resize(static_cast<std::size_t>(2 * entries));
  tables->exponents.resize(static_cast<std::size_t>(2 * entries / block));
  const RootTable& table = roots.get(ones ? 1 : radix * length);
  double error = 0;
  float exact[kLongestMxBlock];
  double elements[kLongestMxBlock];
  for (std::int64_t q = 1; q < radix; ++q) {
    const std::int64_t last = std::min(pass.period, butterflies);
    for (std::int64_t begin = 0; begin < 2 * last; begin += block) {
      const std::int64_t count = std::min(block, 2 * last - begin);
      roots.poll.count(4 * count);
      for (std::int64_t i = 0; i < count; i += 2) {
        const UnitRoot root = table.get(ones ? 0 : q * ((begin + i) / 2 % length));
        // Adding 0 makes a zero positive.
        exact[i] = static_cast<float>(root.re.hi) + 0.0F;
        exact[i + 1] = static_cast<float>(root.im.hi) + 0.0F;
      }
      int exponent = 0;
      mx_elements(scheme.storage, exact, count, elements, exponent);
      const std::int64_t at = 2 * (q - 1) * pass.period + begin;
      for (std::int64_t i = 0; i < count; ++i) {
        tables->twiddles[static_cast<std::size_t>(at + i)] = static_cast<float>(elements[i]);
        error += std::pow(std::ldexp(elements[i], exponent) - static_cast<double>(exact[i]), 2);
      }
      tables->exponents[static_cast<std::size_t>(at / block)] = exponent;
    }
  }
  tables->twiddle_error = error / static_cast<double>((radix - 1) * std::min(pass.period, butterflies));
  pass.twiddles = tables->twiddles.data();
  pass.exponents = tables->exponents.data();
  return tables;
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/split.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "planner/scheme/families.h"
#include "planner/scheme/rounding.h"
#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::string_view kSplitPrefix = "split:";
constexpr std::int64_t kRadices[] = {256, 128, 64, 16, 13, 11, 9, 8, 7, 5, 4, 3, 2};

std::vector<std::string_view> element_names() {
  std::vector<std::string_view> names;
  for (const FormatInfo& f : formats()) {
    if (split_refusal(f) == nullptr) names.push_back(f.name);
  }
  return names;
}

std::string possible_split() {
  std::string names;
  for (const std::string_view name : element_names()) names += (names.empty() ? "" : ", ") + std::string(name);
  return " Possible are split:<element>[xPARTS][:tileN] of " + names + ", e.g. split:bf16x3.";
}

[[noreturn]] void refuse_split(ulpfft_status status, const std::string& scheme, const std::string& reason) {
  throw PlanError(status, "scheme", "There is no scheme " + in_quotes(scheme) + ": " + reason + possible_split());
}

std::optional<SplitScheme> split_constants_of(const std::string& scheme) {
  if (!scheme.starts_with(kSplitPrefix)) return std::nullopt;
  const SplitNameResult parsed = parse_split_name(std::string_view(scheme).substr(kSplitPrefix.size()));
  if (parsed.error != nullptr) refuse_split(ULPFFT_UNKNOWN_NAME, scheme, parsed.error);
  const SplitName& name = parsed.name;
  SplitScheme found{find_format(formats(), name.element), name.parts, name.matrix_parts, name.every_product};
  const std::string element(name.element);
  if (found.element == nullptr) {
    refuse_split(ULPFFT_UNKNOWN_NAME, scheme, "there is no element format " + in_quotes(element) + "." +
                                                  did_you_mean(element, element_names()));
  }
  if (const char* const reason = split_refusal(*found.element)) refuse_split(ULPFFT_UNSUPPORTED, scheme, element + " " + reason + ".");
  const bool has_norm = !found.slices() && !has_range_of_f32(*found.element);
  if (!has_norm && (name.tile > 0 || name.whole || name.arbitrary)) {
    refuse_split(ULPFFT_UNSUPPORTED, scheme,
                 element + (found.slices() ? " has a norm for every column." : " has the range of f32 and no norm."));
  }
  found.arbitrary = name.arbitrary;
  if (has_norm) found.norm = name.tile > 0 ? SplitNorm::kTile : name.whole ? SplitNorm::kWhole : SplitNorm::kLine;
  if (found.slices()) found.norm = SplitNorm::kTile;
  found.tile = found.slices() ? 1 : name.tile;
  return found;
}

std::optional<Scheme> parse_split(const std::string& name) {
  // A choice among all of them sees the problem as f32 does.
  const bool any = name == "split";
  const std::optional<SplitScheme> constants = split_constants_of(any ? "split:bf16x3" : name);
  if (!constants) return std::nullopt;
  const ComputeType carrier = constants->slices() ? ComputeType::kF64 : ComputeType::kF32;
  return Scheme{.family = &kSplitFamily,
                .compute = carrier,
                .carrier = carrier,
                .any = any,
                .mixes_batches = constants->norm == SplitNorm::kWhole,
                .constants = *constants};
}

// Variants as published, which lose to these, are left to those who name them.
std::vector<SchemeFamily::Listed> list_split() {
  return {{"split:bf16", "bf16"},     {"split:bf16x2", "bf16"}, {"split:f16x2", "f16"},
          {"split:f16x2:tile16", "f16"}, {"split:bf16x3", "bf16"}, {"split:i8x4", "i8"}};
}

// What may follow an element and its parts: at each place nothing, or one of its options.
std::vector<SplitName> option_sets() {
  constexpr std::int64_t kPoints[] = {1, 7, 8, 16, 64};
  std::vector<SplitName> sets{{}};
  int place = -1;
  std::size_t before = 0;  // sets without an option of this place
  for (const SplitOption& option : kSplitOptions) {
    if (option.place != place) before = sets.size();
    place = option.place;
    for (std::size_t i = 0; i < before; ++i) {
      SplitName set = sets[i];
      if (option.flag != nullptr) set.*option.flag = true;
      for (const std::int64_t points : option.points != nullptr ? std::span(kPoints) : std::span(kPoints).first(1)) {
        if (option.points != nullptr) set.*option.points = points;
        sets.push_back(set);
      }
    }
  }
  return sets;
}

// Every set of options, with the elements by turns and all of them with f16; every number of parts.
std::vector<std::string> unlisted_split() {
  std::vector<std::string> names;
  const auto add = [&](const SplitName& name) {
    const std::string text = std::string(kSplitPrefix) + print_split_name(name);
    try {
      split_constants_of(text);
      names.push_back(text);
    } catch (const PlanError&) {
      // Elements without a norm have no options.
    }
  };
  const std::vector<std::string_view> elements = element_names();
  std::vector<SplitName> sets = option_sets();
  for (std::size_t i = 0; i < std::max(elements.size(), sets.size()); ++i) {
    SplitName name = sets[i % sets.size()];
    name.parts = name.matrix_parts = 1 + static_cast<int>(i) % kMostSplitParts;
    for (const std::string_view element : {elements[i % elements.size()], std::string_view("f16")}) {
      name.element = element;
      add(name);
    }
    SplitName plain;
    plain.element = elements[i % elements.size()];
    plain.parts = name.parts;
    plain.matrix_parts = 1 + static_cast<int>(i / kMostSplitParts) % kMostSplitParts;
    plain.every_product = true;
    add(plain);
  }
  return names;
}

const char* split_lengths(std::int64_t) { return "split schemes transform lengths of the primes up to 13"; }

}  // namespace

constinit const SchemeFamily kSplitFamily{
    .kind = "split",
    .spelling = "split:<element>[xPARTS], e.g. split:bf16x3",
    .emulated = true,
    .parse = &parse_split,
    .list = &list_split,
    .unlisted = &unlisted_split,
    .nodes = node_kinds({Node::Kind::kN, Node::Kind::kDit}),
    .shortest = 2,
    .no_node = "split schemes are computed by n and dit nodes and rank nodes of them: lengths of the primes up to 13",
    .no_storage_between = "Split schemes keep the numbers of f32 or f64 between passes, no other storage",
    .no_conversions = "Passes of split schemes neither 'decode' nor 'encode'",
    .no_streams = "Passes of split schemes do not stream",
    .lengths = &split_lengths,
    .planes = false,
    .tiles = false,
    .side_by_side = false,
    .path_groups = false,
    .copies = 1,
    .group_bytes = 128 << 10,  // in two work arrays
    .radices = &split_radices,
};

std::span<const std::int64_t> split_radices() { return kRadices; }
bool has_split_pass(std::int64_t radix) { return std::find(std::begin(kRadices), std::end(kRadices), radix) != std::end(kRadices); }

SplitPass split_pass(const SplitScheme& scheme, std::int64_t radix, std::int64_t length, std::int64_t points, std::int64_t next) {
  SplitPass pass;
  pass.scheme = scheme;
  pass.element = split_element(*scheme.element);
  pass.radix = radix;
  pass.length = length;
  pass.points = points;
  pass.next = next;
  for (int sum = scheme.parts + scheme.matrix_parts - 2; sum >= 0; --sum) {
    for (int data = 0; data < scheme.parts; ++data) {
      const int matrix = sum - data;
      if (matrix < 0 || matrix >= scheme.matrix_parts || !scheme.multiplies(data, matrix)) continue;
      // 1, -1, i and -i are elements, and a matrix of radix 2 or 4 has no others.
      if (matrix > 0 && 4 % radix == 0) continue;
      pass.products[pass.product_count++] = {data, matrix};
    }
  }
  pass.matrix_stride = split_matrix_reals(radix);
  return pass;
}

double split_table_bytes(const SplitPass& pass) {
  const double real = pass.scheme.slices() ? 8 : 4;
  const double matrix = static_cast<double>(pass.scheme.matrix_parts * pass.matrix_stride) * sizeof(float);
  return matrix + 2 * real * static_cast<double>(pass.length * pass.radix * pass.next);
}

namespace {

// A number of the matrix as parts, which mean digits of a scale of their own where the element is an integer.
void take_matrix_parts(const SplitScheme& scheme, const SplitElement& element, double x, float* parts) {
  if (scheme.slices()) return take_slices(x, 127.0 / 128.0, scheme.matrix_parts, parts);
  double rest = x, grow = 1;
  for (int i = 0; i < scheme.matrix_parts; ++i) {
    // From f64, because rounding it to f32 first would be a second rounding.
    const Encoded encoded = encode(*scheme.element, rest * grow, Rounding::kNearestSaturate);
    parts[i] = static_cast<float>(decode(*scheme.element, encoded.code) / grow);
    rest -= static_cast<double>(parts[i]);
    grow *= static_cast<double>(element.grow);
  }
}

}  // namespace

std::shared_ptr<const SplitTables> make_split_tables(const SplitPass& outline, RootCache& roots) {
  auto tables = std::make_shared<SplitTables>();
  const SplitScheme& scheme = outline.scheme;
  const std::int64_t radix = outline.radix, stride = outline.matrix_stride;
  tables->matrix = AlignedBuffer(static_cast<std::size_t>(scheme.matrix_parts * stride) * sizeof(float));
  float* const matrix = static_cast<float*>(tables->matrix.data());
  std::fill_n(matrix, scheme.matrix_parts * stride, 0.0F);
  const RootTable& of_radix = roots.get(radix);
  float re[kMostSplitParts], im[kMostSplitParts];
  for (std::int64_t q = 0; q < radix; ++q) {
    roots.poll.count(radix);
    for (std::int64_t j = 0; j < radix; ++j) {
      const UnitRoot root = of_radix.get(j * q % radix);
      take_matrix_parts(scheme, outline.element, root.re.hi + 0.0, re);
      take_matrix_parts(scheme, outline.element, root.im.hi + 0.0, im);
      for (int i = 0; i < scheme.matrix_parts; ++i) {
        float* const at = matrix + i * stride + split_matrix_at(radix, q, j);
        at[0] = re[i];
        at[kSplitOutputs] = im[i];
      }
    }
  }
  if (outline.next == 0) return tables;
  const std::int64_t length = outline.length * radix, count = length * outline.next;
  const RootTable& all = roots.get(count);
  const auto fill = [&]<typename T>(T) {
    tables->twiddles = AlignedBuffer(static_cast<std::size_t>(2 * count) * sizeof(T));
    T* const values = static_cast<T*>(tables->twiddles.data());
    for (std::int64_t j = 0; j < outline.next; ++j) {
      roots.poll.count(length);
      for (std::int64_t k = 0; k < length; ++k) {
        const UnitRoot root = all.get(j * k % count);
        values[j * length + k] = static_cast<T>(root.re.hi);
        values[count + j * length + k] = static_cast<T>(root.im.hi);
      }
    }
  };
  scheme.slices() ? fill(double{}) : fill(float{});
  return tables;
}

void use_tables(SplitPass& pass, const SplitTables& tables) {
  pass.matrix = static_cast<const float*>(tables.matrix.data());
  if (pass.next == 0) return;
  const std::int64_t count = pass.length * pass.radix * pass.next;
  const auto real = static_cast<std::int64_t>(pass.scheme.slices() ? sizeof(double) : sizeof(float));
  pass.twiddles_re = tables.twiddles.data();
  pass.twiddles_im = static_cast<const std::byte*>(pass.twiddles_re) + count * real;
}

// ---- errors

namespace {

double squared(double x) { return x * x; }

// Rounding a number anywhere between two powers of two to m bits after the leading one errs by kRmsOfUnit 2^-(m + 1). What a
// rounding leaves is uniform up to a power of two: half of it lies in the uppermost binade, a quarter below, and so on, so that another
// rounding leaves 4^-m / 28 of its square.
constexpr double kUniform = 1.0 / 28 / (kRmsOfUnit * kRmsOfUnit / 4);

// Mean squares of what is left of a matrix after i parts, over those of its numbers, which have magnitude 1. Returns what is left after all
// parts along the matrix itself.
double matrix_rests(const SplitPass& pass, double* rests) {
  const SplitScheme& scheme = pass.scheme;
  const std::int64_t radix = pass.radix;
  std::vector<double> times(static_cast<std::size_t>(radix), 0.0);
  for (std::int64_t q = 0; q < radix; ++q) {
    for (std::int64_t j = 0; j < radix; ++j) times[static_cast<std::size_t>(j * q % radix)] += 1;
  }
  std::fill_n(rests, scheme.matrix_parts + 1, 0.0);
  double along = 0;
  float parts[kMostSplitParts];
  for (std::int64_t m = 0; m < radix; ++m) {
    const UnitRoot root = unit_root(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(radix));
    for (const double x : {root.re.hi, root.im.hi}) {
      take_matrix_parts(scheme, pass.element, x, parts);
      double rest = x, digit = 1.0 / 127;
      for (int i = 0; i <= scheme.matrix_parts; ++i) {
        rests[i] += times[static_cast<std::size_t>(m)] * rest * rest;
        if (i == scheme.matrix_parts) {
          along += times[static_cast<std::size_t>(m)] * rest * x;
          break;
        }
        rest -= scheme.slices() ? static_cast<double>(parts[i]) * digit : static_cast<double>(parts[i]);
        digit /= 256;
      }
    }
  }
  for (int i = 0; i <= scheme.matrix_parts; ++i) rests[i] /= static_cast<double>(radix * radix);
  return along / static_cast<double>(radix * radix);
}

// The mean of the squared norm of `count` normal numbers of this rms; bound: the part of a norm that they may reach.
double squared_norm(double count, double rms, double bound) {
  double sum = 0, below = 0;
  for (int e = std::ilogb(rms) - 8; e < std::ilogb(rms) + 8; ++e) {
    const double within = std::pow(std::erf(bound * std::ldexp(1.0, e) / (rms * std::sqrt(2.0))), count);
    sum += (within - below) * std::ldexp(1.0, 2 * e);
    below = within;
  }
  return sum;
}

// Mean squares of what is left of data after i parts, over those of the data.
void data_rests(const SplitPass& pass, double rms, double* rests) {
  const SplitScheme& scheme = pass.scheme;
  rests[0] = 1;
  const double together = static_cast<double>(scheme.norm == SplitNorm::kTile ? split_tile(scheme, pass.radix) * pass.radix : pass.points);
  if (scheme.slices()) {
    const double norm = squared_norm(2 * together, rms, 127.0 / 128) / (rms * rms);
    // Uniform over a step of the last digit.
    for (int i = 1; i <= scheme.parts; ++i) rests[i] = norm * std::ldexp(1.0, 2 - 16 * i) / 12;
    return;
  }
  double norm = scheme.norm == SplitNorm::kNone ? 1 : std::sqrt(squared_norm(2 * together, rms, 1));
  for (int i = 0; i < scheme.parts; ++i) {
    rests[i + 1] = rests[i] * squared(quantisation_error(*scheme.element, rms * std::sqrt(rests[i]) / norm)) * (i > 0 ? kUniform : 1);
    norm *= static_cast<double>(pass.element.shrink);
  }
}

// Squared errors of the sums of an output in f32, in roundings of its size. A sum has the share of the square that its terms have, and the
// first term of a sum is not rounded. Where parts have few digits, sums of products with 1, -1, i and -i are exact, and maybe all.
double roundings_of_sums(const SplitPass& pass) {
  if (pass.scheme.slices()) return 0;
  const int digits = pass.scheme.element->mantissa_bits + 1;
  const bool exact = digits + kDigitsOfSums <= 24, all_exact = 2 * digits + kDigitsOfSums <= 24;
  const std::int64_t radix = pass.radix;
  const auto points = static_cast<double>(radix);
  const double blocks = std::ceil(points / kSplitBlock);
  const double of_blocks = (blocks + 1) / 2 - (pass.product_count > 1 ? 0 : 1 / blocks);
  if (all_exact) return of_blocks;
  // Few numbers of a large matrix are trivial.
  if (radix > kSplitBlock) return of_blocks + (2 * kSplitBlock + 1) / 2.0;
  double sum = 0;
  for (std::int64_t q = 0; q < radix; ++q) {
    double share = 0, roundings = 0;
    bool trivial = true, first = true;
    for (std::int64_t j = 0; j < radix; ++j) {
      trivial = trivial && 4 * j * q % radix == 0;
      const double angle = 2 * std::numbers::pi * static_cast<double>(j * q % radix) / points;
      for (const double w : {std::cos(angle), std::sin(angle)}) {
        if (std::abs(w) < 1e-9) continue;
        share += w * w / points;
        if (!first) roundings += share;
        first = false;
      }
    }
    if (!trivial || !exact) sum += roundings / points;
  }
  return of_blocks + sum;
}

}  // namespace

SplitError split_error(const SplitPass& pass, double rms) {
  const SplitScheme& scheme = pass.scheme;
  double data[kMostSplitParts + 1], matrix[kMostSplitParts + 1];
  data_rests(pass, rms, data);
  const double bias = -matrix_rests(pass, matrix);
  double sum = data[scheme.parts] + matrix[scheme.matrix_parts];
  for (int i = 0; i < scheme.parts; ++i) {
    for (int j = 0; j < scheme.matrix_parts; ++j) {
      if (!scheme.multiplies(i, j)) sum += data[i] * matrix[j];
    }
  }
  const double u = scheme.slices() ? 0x1p-53 : 0x1p-24;
  double roundings = roundings_of_sums(pass) + (scheme.arbitrary ? 2 : 0);
  // A product with a twiddle rounds both products, their sum, and the twiddle.
  if (pass.next > 0) roundings += 3 * (1 - 1 / static_cast<double>(pass.next));
  return {sum + squared(kRmsOfUnit * u) * roundings, bias};
}

}  // namespace ulpfft

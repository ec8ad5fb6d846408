// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Speed of the conversions: decode to f32 and encode from f32, in L1 and beyond the caches, beside a copy of as many bytes.
//
// A copy that reads and writes as many bytes in all as the conversion, (bytes in + bytes out) / 2 of each, alternates with it; what counts
// is the median of the ratios of neighbours. Arguments: names of formats and of targets (default: all that matter, best target).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/registry.h"

namespace {

using namespace ulpfft;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

struct Measured {
  double ns_per_real = 0;
  double ratio_to_copy = 0;
  double spread = 0;  // median absolute deviation of the ratio, relative
};

template <typename Work>
Measured measure(Work&& work, std::int64_t reals, std::int64_t bytes, int repeats) {
  // Twice as much as is copied: a copy of half the bytes reads and writes all of them together.
  static std::vector<char> from, to;
  const auto half = static_cast<std::size_t>(bytes / 2);
  if (from.size() < half) from.assign(half, 1), to.assign(half, 2);
  std::vector<double> times, ratios;
  for (int i = 0; i < 41; ++i) {
    const double start = seconds();
    for (int r = 0; r < repeats; ++r) work();
    const double middle = seconds();
    for (int r = 0; r < repeats; ++r) {
      std::memcpy(to.data(), from.data(), half);
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    const double end = seconds();
    if (i == 0) continue;  // first touch
    times.push_back(middle - start);
    ratios.push_back((middle - start) / (end - middle));
    if (i > 8 && end - start > 0.2) break;
  }
  Measured m{1e9 * median(times) / repeats / static_cast<double>(reals), median(ratios), 0};
  for (double& ratio : ratios) ratio = std::abs(ratio - m.ratio_to_copy);
  m.spread = median(ratios) / m.ratio_to_copy;
  return m;
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::string> wanted(argv + 1, argv + argc);
  const std::set<std::string> targets = [&] {
    std::set<std::string> found;
    for (const RegisteredTarget& target : registered_targets()) {
      if (wanted.erase(target.table.target) != 0) found.insert(target.table.target);
    }
    for (const RegisteredTarget& target : registered_targets()) {
      if (found.empty() && target.available) found.insert(target.table.target);
    }
    return found;
  }();
  if (wanted.empty()) wanted = {"f16", "bf16", "e4m3", "e5m2", "i16", "u8", "mxfp8_e4m3", "mxint8", "mxfp6_e2m3", "mxfp4_e2m1"};
  std::printf("%-6s %-12s | L1, ns per real, ratio to copy: %-31s | memory: %s\n", "target", "format", "decode, encode", "decode, encode");
  std::mt19937_64 generator(1);
  std::normal_distribution<float> normal;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || !targets.contains(target.table.target)) continue;
    for (const ConversionEntry& entry : target.table.conversions) {
      if (entry.is_f64) continue;
      StorageName name{.format = entry.format};
      bool found = wanted.contains(entry.format);
      std::string text = entry.format;
      for (const std::string& w : wanted) {  // with a length and a rule, too
        if (w.starts_with(text + ":")) name = parse_storage_name(w).name, found = true;
      }
      if (!found) continue;
      const Storage s = find_storage(name, formats(), block_formats()).storage;
      std::printf("%-6s %-12s |", target.table.target, entry.format);
      for (const std::int64_t reals : {std::int64_t(2048), std::int64_t(1) << 25}) {
        std::vector<float> values(static_cast<std::size_t>(reals));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < 65536 ? normal(generator) : values[i - 65536];
        std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, reals))), scales(static_cast<std::size_t>(scale_bytes(s, reals)));
        const ConversionArgs args{.storage = &s, .codes = codes.data(), .scales = scales.data(), .reals = values.data(), .count = reals};
        const std::int64_t bytes = code_bytes(s, reals) + scale_bytes(s, reals) + 4 * reals;
        const int repeats = reals < 4096 ? 200 : 1;
        entry.encode(args);
        const Measured decoding = measure([&] { entry.decode(args); }, reals, bytes, repeats);
        const Measured encoding = measure([&] { entry.encode(args); }, reals, bytes, repeats);
        for (const Measured& m : {decoding, encoding}) std::printf(" %7.3f %6.2f +-%4.1f %%", m.ns_per_real, m.ratio_to_copy, 100 * m.spread);
        std::printf(" |");
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  return 0;
}

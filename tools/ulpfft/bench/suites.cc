// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/suites.h"

#include <algorithm>

namespace ulpfft_tool::bench {

// Streaming batches hold 2^24 points with --full and 2^22 without: both lie beyond the caches.
const std::vector<Band>& bands() {
  static const std::vector<std::string_view> kNarrow = {"f16", "bf16", "mxfp8_e4m3", "mxint8", "i16->f32"};
  static const std::vector<std::string_view> kMx = {"f32 scheme=mx:mxfp8_e4m3:b8", "f32 scheme=mx:mxfp8_e4m3", "f32 scheme=mx:mxint8:b8",
                                                    "f32 scheme=mx:mxint8", "f32 scheme=mx:mxfp4_e2m1:b8", "f32 scheme=mx:mxfp4_e2m1"};
  static const std::vector<std::string_view> kShort = {"8", "16", "32", "64", "128", "256", "512"};
  static const std::vector<std::string_view> kMiddle = {"1024", "2048", "4096", "8192", "16384", "32768", "65536", "131072"};
  static const std::vector<std::string_view> kLong = {"262144", "524288", "1048576"};
  static const std::vector<std::string_view> kLongest = {"262144", "524288", "1048576", "2097152", "4194304"};
  static const std::vector<std::string_view> kBlocks = {"8x8*4096", "16x16*1024"};
  static const std::vector<std::string_view> kSmooth = {"12",   "24",   "60",    "100",   "120",    "360",
                                                        "1000", "1080", "10000", "44100", "100000", "1000000"};
  static const std::vector<std::string_view> kMany = {"256*16384", "1024*4096", "4096*1024"};
  static const std::vector<std::string_view> kStreaming = {"256*65536", "1024*16384", "4096*4096"};
  static const std::vector<std::string_view> kSplitShapes = {"256", "1000", "4096", "65536", "256*256", "4096*16", "256x256"};
  static const std::vector<Band> table = {
      {"c2c", "c2c 2..16", {"2", "4", "8", "16"}, {}, ""},
      {"c2c", "c2c 32..64", {"32", "64"}, {}, ""},
      {"c2c", "c2c 128..2048", {"128", "256", "512", "1024", "2048"}, {}, ""},
      {"c2c", "c2c 4096..8192", {"4096", "8192"}, {}, ""},
      {"c2c", "c2c 2^14..2^17", {"16384", "32768", "65536", "131072"}, {}, ""},
      {"c2c", "c2c 2^18..2^20", {"262144", "524288", "1048576"}, {}, ""},
      {"c2c", "c2c 2^21..2^24", {}, {"2097152", "4194304", "8388608", "16777216"}, ""},
      {"batch", "batch 64,256", {"64*65536", "256*16384"}, {"64*262144", "256*65536"}, ""},
      {"batch", "batch 1024,4096", {"1024*4096", "4096*1024"}, {"1024*16384", "4096*4096"}, ""},
      {"rank2", "rank2", {"256x256", "1024x1024", "4096x4096", "128x128x128"}, {}, ""},
      {"sizes", "smooth", kSmooth, {}, ""},
      {"sizes", "odd", {"13", "15", "17", "25", "625", "2187", "3125", "4725", "15625"}, {}, ""},
      {"sizes", "primes", {"101", "1009", "10007", "65537"}, {}, ""},
      {"r2c", "r2c 8..512", kShort, {}, "", {}, "r2c"},
      {"r2c", "r2c 1024..2^17", kMiddle, {}, "", {}, "r2c"},
      {"r2c", "r2c 2^18..2^22", kLong, kLongest, "", {}, "r2c"},
      {"r2c", "r2c smooth", kSmooth, {}, "", {}, "r2c"},
      {"r2c", "r2c batch", kMany, kStreaming, "", {}, "r2c"},
      {"r2c", "r2c rank2, rank3", {"1024x1024"}, {"1024x1024", "256x256x256"}, "", {}, "r2c"},
      {"r2c", "c2r 8..512", kShort, {}, "", {}, "c2r"},
      {"r2c", "c2r 1024..2^17", kMiddle, {}, "", {}, "c2r"},
      {"r2c", "c2r 2^18..2^22", kLong, kLongest, "", {}, "c2r"},
      {"r2c", "c2r smooth", kSmooth, {}, "", {}, "c2r"},
      {"r2c", "c2r batch", kMany, kStreaming, "", {}, "c2r"},
      {"r2c", "c2r rank2, rank3", {"1024x1024"}, {"1024x1024", "256x256x256"}, "", {}, "c2r"},
      {"r2r", "dct2 8..512", kShort, {}, "kinds=dct2", {}, "r2r"},
      {"r2r", "dct2 1024..2^17", kMiddle, {}, "kinds=dct2", {}, "r2r"},
      {"r2r", "dct3 8..512", kShort, {}, "kinds=dct3", {}, "r2r"},
      {"r2r", "dct3 1024..2^17", kMiddle, {}, "kinds=dct3", {}, "r2r"},
      {"r2r", "dct4 8..512", kShort, {}, "kinds=dct4", {}, "r2r"},
      {"r2r", "dct4 1024..2^17", kMiddle, {}, "kinds=dct4", {}, "r2r"},
      {"r2r", "dst2 8..512", kShort, {}, "kinds=dst2", {}, "r2r"},
      {"r2r", "dst2 1024..2^17", kMiddle, {}, "kinds=dst2", {}, "r2r"},
      {"r2r", "dst3 8..512", kShort, {}, "kinds=dst3", {}, "r2r"},
      {"r2r", "dst3 1024..2^17", kMiddle, {}, "kinds=dst3", {}, "r2r"},
      {"r2r", "dst4 8..512", kShort, {}, "kinds=dst4", {}, "r2r"},
      {"r2r", "dst4 1024..2^17", kMiddle, {}, "kinds=dst4", {}, "r2r"},
      {"r2r", "dct2 blocks", kBlocks, {}, "kinds=dct2,dct2", {}, "r2r"},
      {"r2r", "dct3 blocks", kBlocks, {}, "kinds=dct3,dct3", {}, "r2r"},
      {"r2r", "dct2 images", {"512x512", "1024x1024"}, {}, "kinds=dct2,dct2", {}, "r2r"},
      {"threads", "threads", {"1048576", "4194304", "4096*512", "1024x1024"},
       {"1048576", "2097152", "4194304", "8388608", "16777216", "4096*512", "1024x1024"}, "threads=2"},
      {"storage", "narrow batches", {"256*16384", "1024*4096", "4096*1024"}, {"256*65536", "1024*16384", "4096*4096"}, "", kNarrow},
      {"storage", "narrow in cache", {"64", "256", "1024", "1024*4", "4096", "16384", "65536"}, {}, "", kNarrow},
      {"mx", "mx arithmetic", {"256", "4096", "65536"}, {}, "", kMx},
      {"split", "split:bf16", kSplitShapes, {}, "", {"f32 scheme=split:bf16"}},
      {"split", "split:bf16x2", kSplitShapes, {}, "", {"f32 scheme=split:bf16x2"}},
      {"split", "split:bf16x3", kSplitShapes, {}, "", {"f32 scheme=split:bf16x3"}},
      {"split", "split:f16x2", kSplitShapes, {}, "", {"f32 scheme=split:f16x2"}},
      {"split", "split:f16x2:tile16", kSplitShapes, {}, "", {"f32 scheme=split:f16x2:tile16"}},
      {"split", "split:i8x4", kSplitShapes, {}, "", {"f64 scheme=split:i8x4"}},
  };
  return table;
}

std::string_view format_of(std::string_view storage) {
  constexpr std::string_view kScheme = " scheme=mx:";
  if (constexpr std::string_view kSplit = " scheme=split:"; storage.find(kSplit) != storage.npos) {
    storage.remove_prefix(storage.find(kSplit) + kSplit.size());
    return storage.substr(0, storage.find_first_of(":x"));
  }
  const std::size_t scheme = storage.find(kScheme);
  if (scheme != storage.npos) storage.remove_prefix(scheme + kScheme.size());
  return storage.substr(0, storage.find_first_of(":-"));
}

const Band* find_band(std::string_view name) {
  const auto found = std::find_if(bands().begin(), bands().end(), [&](const Band& band) { return band.name == name; });
  return found == bands().end() ? nullptr : &*found;
}

std::vector<std::string_view> suite_names() {
  std::vector<std::string_view> names;
  for (const Band& band : bands()) {
    if (names.empty() || names.back() != band.suite) names.push_back(band.suite);
  }
  return names;
}

std::vector<std::string> problems_of(const Band& band, std::string_view storage, bool full) {
  std::vector<std::string> problems;
  for (const std::string_view shape : full && !band.full_shapes.empty() ? band.full_shapes : band.shapes) {
    problems.push_back(std::string(band.kind) + (band.kind.empty() ? "" : " ") + std::string(shape) + ' ' + std::string(storage) +
                       (band.options.empty() ? "" : " ") + std::string(band.options));
  }
  return problems;
}

}  // namespace ulpfft_tool::bench

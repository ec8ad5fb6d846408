// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a problem text says, as numbers: shapes and strides for the arrays and for a peer's plan, sizes for the report.
//
// The text is one that the library's parser accepts. Strides count complex elements (interleaved) or real ones (split).
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_FACTS_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool::bench {

struct Axis {
  std::int64_t n = 1;
  std::int64_t in_stride = 1;
  std::int64_t out_stride = 1;
};

// The elements an array must have, and the index in it of the element at all-zero indices (above 0 for negative strides).
struct Extent {
  std::size_t elements = 1;
  std::size_t origin = 0;
};

struct Facts {
  std::string text;
  std::string kind = "c2c";
  std::vector<Axis> lengths;  // transformed, slowest first
  std::vector<Axis> batch;
  std::string storage_in;
  std::string storage_out;
  std::string scheme;      // "" when the text leaves it open
  std::string scale = "none";
  bool inverse = false;
  bool centered = false;
  bool split = false;
  bool in_place = false;
  int threads = 1;

  std::int64_t size() const;    // product of the lengths: n
  std::int64_t points() const;  // of all transforms
  double nominal_flops() const;  // 5 points log2 n
  double scale_factor() const;
  std::size_t real_bytes() const;  // of the storage: 4 or 8
  Extent in_extent() const;
  Extent out_extent() const;
  double bytes_touched() const;  // every element of the transforms read once and written once
};

Facts read_facts(const std::string& problem_text);

// The same problem on one thread.
std::string on_one_thread(const Facts& facts);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_FACTS_H_

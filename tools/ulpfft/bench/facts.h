// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a problem text says, as numbers: shapes and strides for the arrays and for a peer's plan, sizes for the report.
//
// The text is one that the library's parser accepts. Strides count complex elements (interleaved) or real ones (split, and of a real end).
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
  std::int64_t in_n = n;  // numbers stored along it: n/2 + 1 of the last length of a spectrum of real numbers
  std::int64_t out_n = n;
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
  std::vector<int> r2r_kinds; // of r2r: one per length, by FFTW's numbers
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
  bool is_r2r() const { return kind == "r2r"; }
  bool has_kinds() const { return r2r_kinds.size() == lengths.size(); }
  bool is_real() const { return in_is_real() || out_is_real(); }
  bool in_is_real() const { return kind == "r2c" || is_r2r(); }
  bool out_is_real() const { return kind == "c2r" || is_r2r(); }
  bool has_positive_sign() const { return inverse != (kind == "c2r"); }  // exp(+2 pi i j k / n)
  double nominal_flops() const;  // 5 points log2 n; half of it where an end is real
  double scale_factor() const;   // but for the weights of ends of r2r with scale=ortho
  std::size_t real_bytes() const;  // of the storage: 4 or 8
  int in_parts() const { return split && !in_is_real() ? 2 : 1; }  // arrays
  int out_parts() const { return split && !out_is_real() ? 2 : 1; }
  std::size_t in_element_bytes() const { return real_bytes() * (split || in_is_real() ? 1 : 2); }  // of each of them
  std::size_t out_element_bytes() const { return real_bytes() * (split || out_is_real() ? 1 : 2); }
  Extent in_extent() const;
  Extent out_extent() const;
  double bytes_touched() const;  // every element of the transforms read once and written once
};

Facts read_facts(const std::string& problem_text);

// The same problem on one thread.
std::string on_one_thread(const Facts& facts);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_FACTS_H_

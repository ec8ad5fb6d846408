// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From k-space of several coils to one image: the inverse, centred, orthonormal transform of every coil, then the root of the sum of their
// squares. Once in f64, for reference, and once in the storage and scheme in question, all coils as one plan, in place.
//
// Round trip   the images of the coils, by f64, are stored narrow, transformed to k-space and back; else k-space is stored narrow and
//              transformed once.
// Prescale     numbers are multiplied by a power of two, one for each slice, where storage or scheme have a narrower range than f32 and no
//              scales of their own: the largest magnitude of k-space and images comes next to half the largest value. It is undone on
//              the result.
// Memory       ExactTransform: two coils of f64. NarrowTransform: a slice in its storage, two coils of f64.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_RECON_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_RECON_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/narrow_file.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

using Complex64 = std::complex<double>;

// One coil at a time, f64.
class ExactTransform {
 public:
  ExactTransform(ulpfft::Context& context, const SeriesFacts& facts);
  void to_image(std::vector<Complex64>& coil) const { inverse_.execute(coil); }
  void to_kspace(std::vector<Complex64>& coil) const { forward_.execute(coil); }

  struct Image {
    double peak = 0.0;  // largest magnitude of k-space and of the images of the coils
  };
  // Root of the sum of squares.
  Image reconstruct(const Slice& slice, std::vector<double>& image) const;

 private:
  ulpfft::Plan inverse_;
  ulpfft::Plan forward_;
};

// Storage and scheme in question.
struct Arithmetic {
  StorageFacts storage;
  std::string scheme;  // empty: that of the storage
  bool round_trip = false;
};

class NarrowTransform {
 public:
  NarrowTransform(ulpfft::Context& context, const SeriesFacts& facts, const Arithmetic& arithmetic, ulpfft::Effort effort = ulpfft::Effort::kEstimate);

  struct Outcome {
    double seconds = 0.0;           // of the transforms alone
    int exponent = 0;               // of the power of two
    std::int64_t saturated = 0;     // real numbers, at the input, between passes and at the end
    double signal = 0.0;            // energy of k-space as read,
    double error = 0.0;             // and of what k-space became less that: after the round trip's first half, or as the images tell
  };
  // `peak` of ExactTransform::reconstruct(). Writes the root of the sum of squares to `image`.
  Outcome run(const Slice& slice, const ExactTransform& exact, double peak, std::vector<double>& image);

  // Seconds of the transforms of one slice, median of several: times what the last run() left, and spoils it.
  double time();

  std::string problem() const { return inverse_.problem(); }
  std::string recipe() const { return inverse_.recipe(); }
  double bytes_per_sample() const;  // of a complex number, its share of scales included
  bool prescaled() const { return target_ > 0.0; }

 private:
  std::int64_t store(std::int64_t coil, std::vector<Complex64>& numbers);  // overwrites `numbers`
  void load(std::int64_t coil, std::vector<Complex64>& numbers) const;
  double execute(const ulpfft::Plan& plan, std::int64_t& saturated);
  std::size_t coil_bytes() const { return codes_.size() / static_cast<std::size_t>(facts_.coils); }
  std::size_t coil_scale_bytes() const { return scales_.size() / static_cast<std::size_t>(facts_.coils); }
  ulpfft_conversion conversion() const;

  SeriesFacts facts_;
  Arithmetic arithmetic_;
  double target_ = 0.0;  // of the largest magnitude; 0: not prescaled
  ulpfft::Plan inverse_;
  std::optional<ulpfft::Plan> forward_;
  std::vector<std::byte> codes_, scales_;  // all coils
};

// As storage_facts(), for signed numbers; `text` is the argument of the command line.
StorageFacts storage_for_mri(const std::string& name, const std::string& text);

// The words of a storage and a scheme with the block length and rule that --block and --rule add; a UsageError where neither has blocks.
struct Words {
  std::string storage;
  std::string scheme;
};
Words with_blocks(Words words, int block, const std::string& rule);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_RECON_H_

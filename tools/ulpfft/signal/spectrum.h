// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A power spectrum of a whole signal: its axis, sums over the items of a psd stream, what stands out of it.
//
// Order    Bins are by ascending frequency: of complex samples those below the centre come first.
// Units    Powers are those of the stream over full scale squared: 1 is 0 dBFS; with density scaling they are per Hz.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_SPECTRUM_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_SPECTRUM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/signal/source.h"
#include "tools/ulpfft/signal/window.h"
#include "ulpfft/stream.h"

namespace ulpfft_tool::signals {

struct Averaging {
  int kind = ULPFFT_AVERAGE_MEAN;
  double weight = 0;
  std::string name = "mean";
};

struct PsdSettings {
  std::int64_t length = 4096, hop = 2048;
  Window window;
  Averaging averaging;
  bool density = false;
  std::optional<double> rate;
  double center = 0;
  double crop = 0;  // fraction of the bins
  int threads = 1;
};

// Frequencies of the bins that are kept, in Hz, or in cycles per sample without a rate.
struct SpectrumAxis {
  double first = 0, step = 1;
  std::size_t bins = 0;       // that are kept
  std::size_t first_bin = 0;  // of the stream, of those kept
  std::size_t of_stream = 0;
  bool has_rate = false;
  double at(double bin) const { return first + bin * step; }
};
SpectrumAxis axis_of(const PsdSettings& settings, const SampleType& type);

// Options of the stream; window_factors point into the settings.
ulpfft_stream_options stream_options(const PsdSettings& settings, const SampleType& type, std::int64_t rows_of_item);

// An item of the stream as powers of the bins that are kept.
void powers_of_item(const SpectrumAxis& axis, const SampleType& type, const void* item, std::span<double> powers);

// Over items of some rows each, as the stream does it over the rows of an item.
class SpectrumSum {
 public:
  explicit SpectrumSum(const Averaging& averaging) : kind_(averaging.kind) {}
  void add(std::span<const double> powers, std::int64_t rows);
  std::int64_t rows() const { return rows_; }
  std::vector<double> powers() const;  // empty where no row was added
  void clear();

 private:
  int kind_;
  std::int64_t rows_ = 0;
  std::vector<double> sums_;
};

// Rows that N samples have, and samples that are in none: at the end, and between rows of a hop above the length.
struct RowCount {
  std::int64_t rows = 0, left_over = 0, between = 0;
};
RowCount count_rows(std::int64_t samples, std::int64_t length, std::int64_t hop);

struct Peak {
  double frequency;
  double power;       // of the tone: sum of the bins of its main lobe over the noise bandwidth; or of the largest bin
  double largest;     // of its bins
  double over_floor;  // of that, a factor
};
// The strongest, at most `most`, at least 10 dB above the floor; stronger ones hide those in their lobe, and those from
// which no dip of 6 dB parts them. Lobes are summed up where powers
// have the scaling of spectra.
std::vector<Peak> find_peaks(const Window& window, bool sum_lobes, const SpectrumAxis& axis, std::span<const double> powers,
                             std::size_t most);

double median_of(std::vector<double> values);

// Powers of an earlier --csv, by which others are divided. Throws Failure where its frequencies are others.
std::vector<double> read_baseline(const std::string& path, const SpectrumAxis& axis);

// "dBFS", "dBFS/Hz", "dB over the baseline".
std::string decibel_unit(const PsdSettings& settings, bool baseline);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_SPECTRUM_H_

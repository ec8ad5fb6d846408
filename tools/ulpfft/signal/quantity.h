// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Numbers as people write them on a command line, frequencies and times with their units, and axes.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_QUANTITY_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_QUANTITY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ulpfft_tool::signals {

// "2.4M", "-50k", "100e6", "0.5G": k is 1000, M a million, G a thousand millions; with or without Hz or s behind it.
std::optional<double> read_quantity(const std::string& text);

// For an option: replaces the text by its number, or says what is wrong with it; `what` is e.g. "a rate above 0, e.g. 2.4M".
enum class Allowed { kAny, kAboveZero, kZeroAndAbove };
std::function<std::string(std::string&)> quantity(Allowed allowed, const std::string& what);
// Likewise of whole numbers from 1, where k = 1024, as lengths have it elsewhere in this tool.
std::function<std::string(std::string&)> whole_number(std::int64_t most, const std::string& what);

// A unit that suits all of a range: numbers are divided by `size`.
struct Unit {
  double size = 1;
  std::string name;
};
Unit frequency_unit(double largest, bool has_rate);  // "MHz"; without a rate cycles per sample
Unit time_unit(double largest, bool has_rate);       // "ms"; without a rate samples

std::string show_frequency(double hertz, bool has_rate, double step = 0);  // "100.3 MHz", with digits to tell steps apart
std::string show_count(double count);                                      // "2,400,000"

// Places of ticks from `low` to `high`, a step of 1, 2 or 5 times a power of ten, at most `most` of them; and a pattern for
// printf. None where f64 does not tell them apart.
struct Ticks {
  std::vector<double> places;
  std::string pattern = "%.0f";
};
Ticks ticks_between(double low, double high, int most);

double decibels(double power);  // 10 log10

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_QUANTITY_H_

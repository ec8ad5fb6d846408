// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/window.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/signal/source.h"

namespace ulpfft_tool::signals {
namespace {

constexpr std::size_t kMostNumbers = std::size_t{1} << 24;

// w = sum_i (-1)^i terms[i] cos(2 pi i x).
struct CosineSum {
  const char* name;
  int half_lobe;
  std::vector<double> terms;
};

const std::vector<CosineSum>& cosine_sums() {
  static const std::vector<CosineSum> table = {
      {"hann", 2, {0.5, 0.5}},
      {"hamming", 2, {0.54, 0.46}},
      {"blackman", 3, {0.42, 0.5, 0.08}},
      {"blackmanharris", 4, {0.35875, 0.48829, 0.14128, 0.01168}},
      {"nuttall", 4, {0.3635819, 0.4891775, 0.1365995, 0.0106411}},
      {"flattop", 5, {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
      {"boxcar", 1, {1}},
  };
  return table;
}

[[noreturn]] void wrong_window(const std::string& word, const std::string& why) {
  throw UsageError(
      "--window takes hann, hamming, blackman, blackmanharris, nuttall, flattop, boxcar, kaiser:B, gauss:S, each with or "
      "without :symmetric, or a file of factors; " +
          why,
      word, 0, word.size());
}

double parameter_of(const std::string& word, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || !(value >= least) || !(value <= most)) {
    wrong_window(word, "the number behind the name is " +
                           (text.empty() ? std::string("missing.")
                                         : "none from " + std::to_string(least) + " to " + std::to_string(most) + "."));
  }
  return value;
}

Window of_file(const std::string& name, std::int64_t length) {
  const FileNumbers numbers = read_numbers_of(name);
  if (numbers.is_complex) wrong_window(name, "those of this file are complex.");
  if (static_cast<std::int64_t>(numbers.count()) != length) {
    throw UsageError("The window in " + name + " has " + std::to_string(numbers.count()) + " factors, and --length is " +
                         std::to_string(length) + ": a row needs one for each of its samples.",
                     name, 0, name.size());
  }
  return {name, numbers.reals, 4};
}

FileNumbers read_text_numbers(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Failure(path + ": cannot be opened.");
  FileNumbers found;
  std::size_t line = 0;
  for (std::string text; std::getline(file, text);) {
    ++line;
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream words(text.substr(0, text.find('#')));
    std::vector<double> of_line;
    for (std::string word; words >> word;) {
      double value = 0;
      const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (failure != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
        refuse(path, "line " + std::to_string(line), "'" + word + "' is no number.");
      of_line.push_back(value);
    }
    if (of_line.empty()) continue;
    if (found.reals.empty()) found.is_complex = of_line.size() == 2;
    if (of_line.size() != (found.is_complex ? 2U : 1U)) {
      refuse(path, "line " + std::to_string(line),
             "has " + std::to_string(of_line.size()) + " numbers, and a line has one, or two where all are complex.");
    }
    found.reals.insert(found.reals.end(), of_line.begin(), of_line.end());
    if (found.reals.size() > kMostNumbers) refuse(path, "data", "has more than 2^24 numbers.");
  }
  return found;
}

}  // namespace

double Window::sum() const {
  double total = 0;
  for (const double factor : factors) total += factor;
  return total;
}

double Window::squares() const {
  double total = 0;
  for (const double factor : factors) total += factor * factor;
  return total;
}

double Window::noise_bins() const { return static_cast<double>(factors.size()) * squares() / (sum() * sum()); }

long double bessel_i0(long double x) {
  long double term = 1, total = 1;
  for (int k = 1; term > 1e-22L * total; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    total += term;
  }
  return total;
}

Window make_window(const std::string& name, std::int64_t length) {
  if (name.ends_with(".npy") || name.ends_with(".txt") || type_by_extension(name)) return of_file(name, length);
  constexpr std::string_view kSymmetric = ":symmetric";
  const bool symmetric = name.ends_with(kSymmetric);
  const std::string plain = symmetric ? name.substr(0, name.size() - kSymmetric.size()) : name;
  const std::size_t colon = plain.find(':');
  const std::string kind = plain.substr(0, colon), number = colon == plain.npos ? "" : plain.substr(colon + 1);
  Window window{name, std::vector<double>(static_cast<std::size_t>(length), 1.0), 1};
  const long double n = static_cast<long double>(length) - (symmetric ? 1 : 0);
  // Factors are rounded once: those of double arithmetic would be off by several roundings.
  const auto fill = [&](const auto& factor) {
    for (std::size_t j = 0; j < window.factors.size() && length > 1; ++j) {
      window.factors[j] = static_cast<double>(factor(static_cast<long double>(j)));
    }
  };
  std::vector<std::string> names = {"kaiser", "gauss"};
  for (const CosineSum& one : cosine_sums()) {
    names.emplace_back(one.name);
    if (kind != one.name || colon != plain.npos) continue;
    window.half_lobe = one.half_lobe;
    fill([&](long double j) {
      long double total = 0;
      for (std::size_t i = 0; i < one.terms.size(); ++i) {
        const long double turns = std::fmod(static_cast<long double>(i) * j, n) / n;
        total += (i % 2 == 0 ? 1 : -1) * one.terms[i] * std::cos(2 * std::numbers::pi_v<long double> * turns);
      }
      return total;
    });
    return window;
  }
  if (kind == "kaiser") {
    const double beta = parameter_of(name, number, 0, 700);
    window.half_lobe = static_cast<int>(std::ceil(std::hypot(1.0, beta / std::numbers::pi)));
    const long double middle = bessel_i0(beta);
    fill([&](long double j) { return bessel_i0(beta * 2 * std::sqrt(j * (n - j)) / n) / middle; });
    return window;
  }
  if (kind == "gauss") {
    const double deviation = parameter_of(name, number, 1e-3, 1e9);
    window.half_lobe = static_cast<int>(std::clamp(std::ceil(3 * static_cast<double>(n) / (2 * std::numbers::pi * deviation)), 1.0, 64.0));
    fill([&](long double j) { return std::exp(-(j - n / 2) * (j - n / 2) / (2 * deviation * deviation)); });
    return window;
  }
  wrong_window(name, "'" + name + "' is none of them." + did_you_mean(kind, names));
}

FileNumbers read_numbers_of(const std::string& path) {
  if (!path.ends_with(".npy") && !type_by_extension(path)) return read_text_numbers(path);
  Source source({.path = path, .raw = "", .channel = "", .drop_partial = false});
  const SampleType& type = source.facts().type;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(source.facts().samples, 0));
  if (count * type.parts() > kMostNumbers) refuse(path, "data", "has more than 2^24 numbers.");
  FileNumbers found;
  found.is_complex = type.is_complex;
  std::vector<std::byte> bytes(count * type.bytes());
  for (std::size_t done = 0, got = 1; done < bytes.size(); done += got) {
    got = source.read(std::span(bytes).subspan(done));
    if (got == 0) refuse(path, "data", "the file became shorter while it was read.");
  }
  found.reals.resize(count * type.parts());
  if (type.is_wide()) {
    widen(type, bytes, found.reals.data());
  } else {
    std::vector<float> floats(found.reals.size());
    widen(type, bytes, floats.data());
    std::copy(floats.begin(), floats.end(), found.reals.begin());
  }
  const auto isnt = std::find_if(found.reals.begin(), found.reals.end(), [](double number) { return !std::isfinite(number); });
  if (isnt != found.reals.end()) {
    const auto place = static_cast<std::size_t>(isnt - found.reals.begin()) / type.parts();
    refuse(path, "data", "number " + std::to_string(place + 1) + " is not finite.");
  }
  return found;
}

}  // namespace ulpfft_tool::signals

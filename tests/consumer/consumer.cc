// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A C++ program as a user writes it: a context, a batched centred plan, wisdom, one-call forms, an error caught.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <ulpfft/ulpfft.hpp>

int main() {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = {16, 16},
                                          .batch = 2,
                                          .direction = ulpfft::Direction::kInverse,
                                          .scale = ulpfft::Scale::kOrtho,
                                          .centered = true});
  std::vector<std::complex<float>> in(2 * 16 * 16);
  std::vector<std::complex<float>> out(in.size());
  in[8 * 16 + 8] = 16.0F;  // index 0 of a centred array lies at 8: every output of the first transform is 1
  plan.execute(in, out);
  for (std::size_t i = 0; i < 256; ++i) {
    if (std::abs(out[i] - 1.0F) > 1e-6F || out[256 + i] != 0.0F) {
      std::fprintf(stderr, "output %zu is wrong\n", i);
      return 1;
    }
  }

  ulpfft::Context other;
  const auto report = other.import_wisdom_text(context.export_wisdom_text());
  if (report.malformed != 0 || report.foreign != 0) return 1;

  std::vector<std::complex<double>> data(60);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = {static_cast<double>(i), -1.0};
  std::vector<std::complex<double>> spectrum(data.size());
  std::vector<std::complex<double>> back(data.size());
  ulpfft::fft(data, spectrum);
  ulpfft::ifft(spectrum, back);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (std::abs(back[i] - data[i]) > 1e-13 * 60) return 1;
  }

  // An image of 6 rows: both axes, then its columns alone back, then its rows.
  ulpfft::fft2(data, spectrum, {6, 10});
  ulpfft::ifft(spectrum, back, {6, 10}, 0);
  ulpfft::ifft(back, back, {6, 10});
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (std::abs(back[i] - data[i]) > 1e-13 * 60) return 1;
  }

  try {
    (void)context.plan({.lengths = {0}});
    return 1;
  } catch (const ulpfft::Error& error) {
    if (error.field() != "lengths[0]") {
      std::fprintf(stderr, "field is %s\n", error.field().c_str());
      return 1;
    }
  }
  std::printf("C++, ulpfft %s: ok\n", ulpfft::version().c_str());
  return 0;
}

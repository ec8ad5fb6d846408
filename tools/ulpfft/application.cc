// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/application.h"

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/help.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {
namespace {

constexpr const char* kFooter =
    R"(Examples:
  ulpfft plan 1000 f32                                  choose and time a recipe for one transform of 1000 points
  ulpfft plan 256x256*8 f32 inverse centered            eight two-dimensional inverse transforms, index 0 in the middle
  ulpfft transform in.npy out.npy --axes -1             transform the last axis of a NumPy file
  ulpfft transform kspace.cfl image.cfl --axes 0,1 --inverse --centered --scale ortho
  ulpfft convert in.npy in8.json --to mxfp8_e4m3        keep an array in a narrow format; transform reads it as it is
  ulpfft accuracy --html accuracy.html                  errors of lengths, formats and schemes, beside FFTW
  ulpfft bench 2^20 f32 --vs fftw                       speed and error beside another library
  ulpfft mri recon kspace.h5 --storage mxfp8_e4m3 -o DIR  what a format does to an image
  ulpfft psd capture.cu8 --rate 2.4M --center 100M --html w.html   spectrum and waterfall of a capture
  ulpfft filter in.wav out.wav --lowpass 3k             a filter of a signal of any size; stft: short-time spectra
  ulpfft run -- ./simulation input.dat                  a program made for FFTW, on ulpfft
  ulpfft info                                           what this build and this machine offer

)"
    "A PROBLEM is [KIND] LENGTHS[*BATCH] [FORMAT] [inverse] [centered] [scale=none|ortho|1/n|X] [inplace] [split] ..., the "
    "text that the library reads (ulpfft.h, ulpfft_plan_parse). It needs no quotes. FORMAT is one for both arrays, or "
    "IN:OUT, e.g. i16:f32; without it f32. (The library also reads and prints IN->OUT, which a shell takes for an output "
    "to the file OUT unless it is quoted.)\n\n"
    "The tool also takes lengths such as 2^20, 2**20, 64k, 1M and 1e6 (k = 1024, M = 1024 * 1024), formats by the names "
    "of other programs: half, fp16, float16, bfloat16, float, complex64 (f32), double, complex128 (f64), int16, cs16, "
    "sc16 (i16), cu8 (u8), cf32 (f32), and transforms by those of NumPy and SciPy: rfft, irfft, ifft2, dct, idst, "
    "norm=ortho, backward. What it prints has the library's words. ifft, irfft, idct and idst are scaled by 1/n, as "
    "there.\n"
    R"(
avx3, among the instruction sets, is AVX-512.

Exit status: 0 done; 1 the work failed, or what was asked cannot be had; 2 a word of the command line is wrong.)";

}  // namespace

std::unique_ptr<CLI::App> make_application(const std::vector<std::string>& program) {
  auto made = std::make_unique<CLI::App>("Fast Fourier transforms with the number format as a choice: plan, run, measure and compare them.", "ulpfft");
  CLI::App& app = *made;
  app.formatter(std::make_shared<WrappedHelp>());
  app.set_version_flag("-V,-v,--version", "ulpfft " + ulpfft::version());
  app.require_subcommand(1);
  app.footer(kFooter);
  add_info(app);
  add_plan(app);
  add_transform(app);
  add_wisdom(app);
  add_formats(app);
  add_convert(app);
  add_accuracy(app);
  add_bench(app);
  add_mri(app);
  add_psd(app);
  add_stft(app);
  add_filter(app);
  add_run(app, program);
  return made;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft: the command-line tool. One file per command, cmd_*.cc; here are the application and its exit status.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/command_line.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kFooter = R"(Examples:
  ulpfft plan 1000 f32                                  choose and time a recipe for one transform of 1000 points
  ulpfft plan 256x256*8 f32 inverse centered            eight two-dimensional inverse transforms, index 0 in the middle
  ulpfft transform in.npy out.npy --axes -1             transform the last axis of a NumPy file
  ulpfft transform kspace.cfl image.cfl --axes 0,1 --inverse --centered --scale ortho
  ulpfft convert in.npy in8.json --to mxfp8_e4m3        keep an array in a narrow format; transform reads it as it is
  ulpfft accuracy --html accuracy.html                  errors of lengths, formats and schemes, beside FFTW
  ulpfft bench 2^20 f32 --vs fftw                       speed and error beside another library
  ulpfft mri recon kspace.h5 --storage mxfp8_e4m3 -o DIR  what a format does to an image
  ulpfft info                                           what this build and this machine offer

A PROBLEM is LENGTHS[*BATCH] FORMAT [inverse] [centered] [scale=none|ortho|1/n|X] [inplace] [split] ...,
the text that the library reads (ulpfft.h, ulpfft_plan_parse), with or without quotes. The tool also takes lengths such as
2^20, 64k and 1M (k = 1024, M = 1024 * 1024; the library is given the digits), and formats by the names of other programs: half,
fp16, bfloat16, float, complex64 (f32), double, complex128 (f64), cs16 (i16), cu8 (u8), cf32 (f32).

avx3, among the instruction sets, is AVX-512.

Exit status: 0 done; 1 the work failed; 2 a word of the command line is wrong.)";

int run(int argc, char** argv) {
  const CommandLine line(argc, argv);
  CLI::App app{"Fast Fourier transforms with the number format as a choice: plan, run, measure and compare them.", "ulpfft"};
  app.set_version_flag("-V,--version", "ulpfft " + ulpfft::version());
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
  try {
    if (line.words.empty()) {
      std::fputs(list_of_commands(app).c_str(), stderr);
      return kUsage;
    }
    require_known_command(app, line);
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Failure("Writing to the standard output failed.");
    return kSuccess;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return explain(error, app, line);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), underline(error.text(), error.begin(), error.end()).c_str());
    return kUsage;
  } catch (const ulpfft::Error& error) {
    const std::string field = error.field().empty() ? "" : " [" + error.field() + "]";
    std::fprintf(stderr, "error: %s%s\n", error.what(), field.c_str());
    return kFailure;
  } catch (const std::bad_alloc&) {
    std::fputs("error: There is not enough memory.\n", stderr);
    return kFailure;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kFailure;
  }
}

}  // namespace
}  // namespace ulpfft_tool

int main(int argc, char** argv) {
  // Beyond the limit on file sizes a write fails, is told, and what was begun is removed; the default action would end the tool instead.
  std::signal(SIGXFSZ, SIG_IGN);
  return ulpfft_tool::run(argc, argv);
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft: the command-line tool. One file per command, cmd_*.cc; here are the application and its exit status.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/command_line.h"
#include "tools/ulpfft/help.h"
#include "tools/ulpfft/run/what_if.h"
#include "tools/ulpfft/text.h"

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

// "help plan" as "plan --help", "version" as "--version"; and --json of bench with no file behind it as one that goes to the standard
// output.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  if (words.front() == "version") words.front() = "--version";
  if (words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.front() == "bench") name_standard_output(words);
  return words;
}

// Takes the program of "run [OPTIONS] -- PROGRAM ARGS" away from the words: they are no words of the tool. Those of a SPEC become one.
std::vector<std::string> take_program(std::vector<std::string>& words) {
  const auto dashes = !words.empty() && words.front() == "run" ? std::find(words.begin(), words.end(), "--") : words.end();
  if (dashes == words.end()) return {};
  const std::vector<std::string> program(dashes + 1, words.end());
  words.erase(dashes, words.end());
  join_specs(words);
  return program;
}

int run(int argc, char** argv) {
  std::vector<std::string> words = words_of(argc, argv);
  const std::vector<std::string> program = take_program(words);
  const CommandLine line(words);
  CLI::App app{"Fast Fourier transforms with the number format as a choice: plan, run, measure and compare them.", "ulpfft"};
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
  add_run(app, program);
  try {
    if (line.words.empty()) {
      std::fputs(list_of_commands(app).c_str(), stderr);
      return kUsage;
    }
    require_known_command(app, line);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
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
    return error.status();
  } catch (const ulpfft::Error& error) {
    const std::string field = error.field().empty() ? "" : " [" + error.field() + "]";
    std::fprintf(stderr, "error: %s%s\n", error.what(), field.c_str());
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "error: %s: %s.\n", error.path1().c_str(), error.code().message().c_str());
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

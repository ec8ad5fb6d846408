// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft run: starts a program that was made for FFTW, and has the loader give it ulpfft's libraries of the same names.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/run/fftw_folder.h"
#include "tools/ulpfft/run/program.h"

namespace ulpfft_tool {
namespace {

struct Options {
  std::string folder;
  std::vector<std::string> program;
};

// Becomes the program, so that its status, signals and terminal are its own.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::signal(SIGXFSZ, SIG_DFL);  // as the tool found it
  execv(path.c_str(), arguments.data());
  throw Failure(path + " cannot be started: " + std::strerror(errno) + ".");
}

void run_program(const Options& options) {
  if (options.program.empty()) throw UsageError("run needs two dashes and a program: ulpfft run [OPTIONS] -- PROGRAM ARGS.", "ulpfft run", 7, 10);
  const std::string folder = find_fftw_folder(options.folder);
  const std::string path = find_program(options.program.front());
  if (const std::string remark = require_replaceable(path); !remark.empty()) std::fprintf(stderr, "note: %s\n", remark.c_str());
  switch_environment(folder);
  become(path, options.program);
}

}  // namespace

void add_run(CLI::App& app, std::vector<std::string> program) {
  CLI::App* command = app.add_subcommand("run", "Run a program that was made for FFTW on ulpfft: run [OPTIONS] -- PROGRAM ARGS");
  command->footer(
      "The program is not changed. libfftw3 and libfftw3f are replaced in it and in what it starts, under whatever name it loads them. "
      "The exit status is the program's. Where FFTW cannot be replaced, a sentence says why, the program is not started, and the status is 1.\n\n"
      "Examples:\n"
      "  ulpfft run -- ./simulation input.dat\n"
      "  ulpfft run -- python3 script.py                  pyFFTW, of PyPI as well\n");
  const auto options = std::make_shared<Options>();
  options->program = std::move(program);
  command->add_option("--folder", options->folder,
                      "The folder with ulpfft's libfftw3.so.3; unless said otherwise ULPFFT_FFTW3_FOLDER, else the one that was installed or built with this tool");
  command->callback([options] { run_program(*options); });
}

}  // namespace ulpfft_tool

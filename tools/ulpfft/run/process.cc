// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

volatile std::sig_atomic_t child = 0;

void pass_on(int signal) {
  if (child > 0) kill(child, signal);
}

}  // namespace

void become(const std::string& path, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::signal(SIGXFSZ, SIG_DFL);  // as the tool found it
  execv(path.c_str(), arguments.data());
  throw Failure(path + " cannot be started: " + std::strerror(errno) + ".");
}

int run_and_wait(const std::string& path, const std::vector<std::string>& words) {
  std::fflush(nullptr);
  const pid_t made = fork();
  if (made < 0) throw Failure(std::string("No process can be started: ") + std::strerror(errno) + ".");
  if (made == 0) {
    try {
      become(path, words);
    } catch (const Failure& failure) {
      std::fprintf(stderr, "error: %s\n", failure.what());
      _exit(kFailure);
    }
  }
  child = made;
  for (const int signal : {SIGTERM, SIGHUP}) std::signal(signal, pass_on);
  for (const int signal : {SIGINT, SIGQUIT}) std::signal(signal, SIG_IGN);
  int how = 0;
  while (waitpid(made, &how, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return how;
}

void end_like(int how) {
  std::fflush(nullptr);
  if (WIFSIGNALED(how)) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(WTERMSIG(how), SIG_DFL);
    std::raise(WTERMSIG(how));
    std::exit(128 + WTERMSIG(how));
  }
  std::exit(WEXITSTATUS(how));
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A forked child that must come to an end by itself.
#ifndef ULPFFT_TESTS_ROBUST_CHILD_H_
#define ULPFFT_TESTS_ROBUST_CHILD_H_

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/support/hang.h"

namespace ulpfft::test {

// Runs body() in a child with a watchdog; "" when it returned 0, else how the child ended.
template <typename Body>
std::string end_of_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kHangSeconds);  // a deadlock ends here
    _exit(body());
  }
  int status = 0;
  if (child < 0) return "fork failed";
  if (waitpid(child, &status, 0) != child) return "waitpid failed";
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? "hung" : "signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "step " + std::to_string(WEXITSTATUS(status)) + " failed";
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_ROBUST_CHILD_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/interruption.h"

#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

namespace ulpfft_tool {
namespace {

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

KeptOnInterrupt::KeptOnInterrupt(std::function<void()> keep) {
  struct sigaction action {};
  if (sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiting_ = std::thread([this, keep = std::move(keep)] { wait(keep); });
}

KeptOnInterrupt::~KeptOnInterrupt() {
  if (!waiting_.joinable()) return;
  over_ = true;
  pthread_kill(waiting_.native_handle(), SIGINT);  // wakes it
  waiting_.join();
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void KeptOnInterrupt::wait(const std::function<void()>& keep) {
  const sigset_t set = interrupts();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  if (over_) return;
  try {
    keep();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  std::fflush(stdout);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(SIGINT);  // as without this class: files that are not complete are removed, and the process ends
}

}  // namespace ulpfft_tool

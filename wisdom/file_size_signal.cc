// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/file_size_signal.h"

#include <cerrno>
#include <ctime>

namespace ulpfft {
namespace {

sigset_t file_size_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

FileSizeSignalHeld::FileSizeSignalHeld() : was_pending_(is_pending()) {
  const sigset_t held = file_size_signal();
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

FileSizeSignalHeld::~FileSizeSignalHeld() {
  const int error = errno;  // of the write
  if (!was_pending_ && is_pending()) {
    const sigset_t held = file_size_signal();
    const timespec at_once{0, 0};
    while (sigtimedwait(&held, nullptr, &at_once) == -1 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace ulpfft

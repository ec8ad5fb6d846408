// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Writes beyond the process's limit on file sizes (RLIMIT_FSIZE) as errors.
//
// The kernel sends SIGXFSZ to the thread that writes, and its default action ends the process. While a value of this class lives, the
// signal is held back from this thread, so that write() fails with EFBIG; at the end the signal of our own write is taken away. Handlers and
// other threads are not touched. A caller's own pending signal stays, and so does a caller's mask.
#ifndef ULPFFT_WISDOM_FILE_SIZE_SIGNAL_H_
#define ULPFFT_WISDOM_FILE_SIZE_SIGNAL_H_

#include <signal.h>

namespace ulpfft {

class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld();
  ~FileSizeSignalHeld();
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

 private:
  sigset_t before_;    // the mask of this thread
  bool was_pending_;   // a caller that blocks the signal may have one waiting
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_FILE_SIZE_SIGNAL_H_

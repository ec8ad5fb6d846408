// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// When a process or a thread is taken to hang.
#ifndef ULPFFT_TESTS_SUPPORT_HANG_H_
#define ULPFFT_TESTS_SUPPORT_HANG_H_

namespace ulpfft::test {

// Wall seconds, short of the 3600 after which meson ends a test: a deadlock is told by its name. What waits takes milliseconds, so that no
// load makes it so late.
inline constexpr int kHangSeconds = 3000;

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_HANG_H_

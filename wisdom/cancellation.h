// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// While one exists, pthread_cancel() of this thread waits: file functions are cancellation points, and unwinding from one inside a
// destructor would end the process.
#ifndef ULPFFT_WISDOM_CANCELLATION_H_
#define ULPFFT_WISDOM_CANCELLATION_H_

#include <pthread.h>

namespace ulpfft {

class CancellationOff {
 public:
  CancellationOff() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationOff() { pthread_setcancelstate(before_, nullptr); }
  CancellationOff(const CancellationOff&) = delete;
  CancellationOff& operator=(const CancellationOff&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_CANCELLATION_H_

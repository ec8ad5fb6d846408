// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Ctrl-C during work whose results so far are worth keeping.
#ifndef ULPFFT_TOOLS_ULPFFT_INTERRUPTION_H_
#define ULPFFT_TOOLS_ULPFFT_INTERRUPTION_H_

#include <atomic>
#include <functional>
#include <thread>

namespace ulpfft_tool {

// As long as it lives, SIGINT calls `keep` on a thread of its own, whatever the others do; then the process ends as by SIGINT. Make it before
// other threads: they inherit that SIGINT is not for them. Where SIGINT is ignored (nohup), it stays so. What `keep` throws is printed.
class KeptOnInterrupt {
 public:
  explicit KeptOnInterrupt(std::function<void()> keep);
  ~KeptOnInterrupt();  // waits for `keep`, if that was called: then it does not return
  KeptOnInterrupt(const KeptOnInterrupt&) = delete;
  KeptOnInterrupt& operator=(const KeptOnInterrupt&) = delete;

 private:
  void wait(const std::function<void()>& keep);
  std::atomic<bool> over_{false};
  std::thread waiting_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_INTERRUPTION_H_

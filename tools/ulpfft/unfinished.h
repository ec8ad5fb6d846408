// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Files that are not complete yet, under names of their own: NAME.part and the number of the process.
//
// A signal that ends the process (SIGINT, SIGTERM, SIGHUP) removes those it has begun; what is left by one that was killed is removed by the next that
// writes the same file. Files being written are locked (flock), so that those of other processes that still run are told from it.
#ifndef ULPFFT_TOOLS_ULPFFT_UNFINISHED_H_
#define ULPFFT_TOOLS_ULPFFT_UNFINISHED_H_

#include <cstddef>
#include <functional>
#include <string>

namespace ulpfft_tool {

// From now on a signal removes the file, which need not be there, as long as this lives.
class RemovedBySignals {
 public:
  explicit RemovedBySignals(const std::string& path);
  ~RemovedBySignals();
  RemovedBySignals(const RemovedBySignals&) = delete;
  RemovedBySignals& operator=(const RemovedBySignals&) = delete;

 private:
  std::size_t slot_;
};

std::string unfinished_name(const std::string& path);

// Opens the file of that name for writing, locked; -1 and errno if that fails.
int open_unfinished(const std::string& path);

// Removes files that were begun under this name and that nobody writes any more.
void remove_left_behind(const std::string& path);

// Removes files NAME.partN of the folder that nobody writes any more, where `is_ours` says so of NAME.
void remove_unfinished(const std::string& folder, const std::function<bool(const std::string& name)>& is_ours);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_UNFINISHED_H_

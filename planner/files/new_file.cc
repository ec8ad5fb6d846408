// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/files/new_file.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "planner/files/input_file.h"
#include "wisdom/error.h"
#include "wisdom/file_size_signal.h"

namespace ulpfft {
namespace {

// Other threads, and processes of this number that were killed, may have begun the same file.
constexpr int kMostTries = 1000;

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)), file_(-1) {
  struct stat facts = {};
  // Nothing could take the name of a folder, and a device or a FIFO would lose it.
  if (::stat(path_.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    throw PlanError(ULPFFT_IO, "path",
                    path_ + (S_ISDIR(facts.st_mode) ? ": is a folder." : ": is no regular file, and would be replaced by one."));
  }
  const std::string first = path_ + ".part" + std::to_string(::getpid());
  for (int i = 0; i < kMostTries; ++i) {
    begun_ = first + (i == 0 ? "" : std::to_string(i));
    file_ = open_file(begun_, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file_.get() == -1 && errno == EEXIST) continue;
    // Whoever tidies up may have taken it for one left behind, just before it was locked.
    if (file_.get() == -1 || retried([&] { return ::flock(file_.get(), LOCK_EX); }) != 0) break;
    if (::fstat(file_.get(), &facts) != 0 || facts.st_nlink > 0) break;
  }
  if (file_.get() == -1) {
    begun_.clear();
    refuse_file(path_, "cannot be written", errno);
  }
}

NewFile::~NewFile() {
  if (!begun_.empty()) ::unlink(begun_.c_str());
}

void NewFile::write(std::span<const std::byte> bytes) {
  const FileSizeSignalHeld held;
  while (!bytes.empty()) {
    const std::size_t most = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    const ssize_t count = retried([&] { return ::write(file_.get(), bytes.data(), most); });
    if (count < 0) refuse_file(path_, "writing failed", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void NewFile::finish() {
  if (retried([&] { return ::fsync(file_.get()); }) != 0 && errno != EINVAL) refuse_file(path_, "writing failed", errno);
}

// The lock is kept until the file has its name.
void NewFile::take_name() {
  if (std::rename(begun_.c_str(), path_.c_str()) != 0) refuse_file(path_, "renaming failed", errno);
  begun_.clear();
  if (!file_.close()) refuse_file(path_, "writing failed", errno);
}

}  // namespace ulpfft

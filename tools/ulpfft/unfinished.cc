// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/unfinished.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace ulpfft_tool {
namespace {

constexpr std::string_view kPart = ".part";

// What the handler reads: nothing here is ever moved or freed.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> removed_by_signals{false};
  std::array<char, 4096> path{};
};
std::array<Slot, 16> slots;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remove_and_end(int signal) {
  for (Slot& slot : slots) {
    if (slot.removed_by_signals) unlink(slot.path.data());
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void install_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;  // e.g. ignored, by nohup
    action.sa_handler = remove_and_end;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

// Where there is no slot left, the file stays if a signal comes, for the next run to remove.
RemovedBySignals::RemovedBySignals(const std::string& path) : slot_(slots.size()) {
  static const bool installed = (install_handlers(), true);
  if (!installed || path.size() >= slots[0].path.size()) return;
  for (slot_ = 0; slot_ < slots.size(); ++slot_) {
    if (slots[slot_].taken.exchange(true)) continue;
    std::memcpy(slots[slot_].path.data(), path.c_str(), path.size() + 1);
    slots[slot_].removed_by_signals = true;
    return;
  }
}

RemovedBySignals::~RemovedBySignals() {
  if (slot_ == slots.size()) return;
  slots[slot_].removed_by_signals = false;
  slots[slot_].taken = false;
}

std::string unfinished_name(const std::string& path) { return path + std::string(kPart) + std::to_string(getpid()); }

void remove_left_behind(const std::string& path) {
  const std::filesystem::path whole(path);
  remove_unfinished(whole.parent_path().string(), [&](const std::string& name) { return name == whole.filename().string(); });
}

int open_unfinished(const std::string& path) {
  remove_left_behind(path);
  for (;;) {
    const int descriptor = open(unfinished_name(path).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return descriptor;
    struct stat facts {};
    // Another process may have taken it for one left behind, just before it was locked. Where files cannot be locked, none is taken for that.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor, &facts) != 0 || facts.st_nlink > 0) return descriptor;
    close(descriptor);
  }
}

void remove_unfinished(const std::string& folder, const std::function<bool(const std::string& name)>& is_ours) {
  std::error_code failure;
  const std::filesystem::directory_iterator all(folder.empty() ? "." : folder, failure);
  if (failure) return;  // writing there will say why
  for (const std::filesystem::directory_entry& entry : all) {
    const std::string name = entry.path().filename().string();
    const std::size_t part = name.rfind(kPart);
    if (part == name.npos || part + kPart.size() == name.size()) continue;
    if (!std::all_of(name.begin() + static_cast<std::ptrdiff_t>(part + kPart.size()), name.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    if (!is_ours(name.substr(0, part))) continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat facts {};
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
    close(descriptor);
  }
}

}  // namespace ulpfft_tool

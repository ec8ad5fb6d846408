// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "wisdom/codec.h"
#include "wisdom/descriptor.h"
#include "wisdom/error.h"
#include "wisdom/file_size_signal.h"

namespace ulpfft {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse(const std::string& sentence) { throw PlanError(ULPFFT_IO, "path", sentence); }

// "Cannot open '/x/y': No such file or directory."
[[noreturn]] void refuse_errno(const std::string& action, const std::string& path, int error) {
  refuse("Cannot " + action + " '" + path + "': " + std::generic_category().message(error) + ".");
}

struct Content {
  std::string text;
  struct stat status = {};
};

// nullopt when there is no such file and that is allowed.
std::optional<Content> read_file(const std::string& path, bool may_be_missing) {
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  const File file = open_file(path, O_RDONLY | O_NONBLOCK);
  if (file.get() == -1) {
    if ((errno == ENOENT || errno == ENOTDIR) && may_be_missing) return std::nullopt;
    refuse_errno("open", path, errno);
  }
  Content content;
  if (::fstat(file.get(), &content.status) != 0) refuse_errno("read", path, errno);
  if (S_ISDIR(content.status.st_mode)) refuse_errno("read", path, EISDIR);
  if (!S_ISREG(content.status.st_mode)) refuse("Cannot read '" + path + "': it is not a regular file.");
  const auto refuse_size = [&] {
    refuse("Cannot read '" + path + "': it is larger than " + std::to_string(kMaxWisdomBytes) + " bytes.");
  };
  if (content.status.st_size > static_cast<off_t>(kMaxWisdomBytes)) refuse_size();
  content.text.reserve(static_cast<std::size_t>(content.status.st_size));
  std::array<char, 1 << 16> block;
  while (true) {
    const ssize_t count = retried([&] { return ::read(file.get(), block.data(), block.size()); });
    if (count < 0) refuse_errno("read", path, errno);
    if (count == 0) return content;
    content.text.append(block.data(), static_cast<std::size_t>(count));
    if (content.text.size() > kMaxWisdomBytes) refuse_size();  // it grew meanwhile
  }
}

struct Location {
  std::string path;  // of the file itself, links followed
  std::string directory;
  std::string name;
};

// A link is followed here, because rename() would replace it instead of the file it names.
Location locate(const std::string& path) {
  if (path.empty()) refuse("The path of a wisdom file is empty.");
  Location location{path, ".", path};
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    const std::unique_ptr<char, void (*)(void*)> target(::realpath(path.c_str(), nullptr), std::free);
    if (!target) refuse_errno("follow", path, errno);
    location.path = location.name = target.get();
  }
  const std::size_t slash = location.path.rfind('/');
  if (slash != std::string::npos) {
    location.directory = slash == 0 ? "/" : location.path.substr(0, slash);
    location.name = location.path.substr(slash + 1);
  }
  if (location.name.empty() || (::stat(location.path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)))
    refuse_errno("write", path, EISDIR);
  return location;
}

// Held while a file is read, merged and replaced. The data file cannot carry the lock itself: each save gives it a new inode. The
// lock file stays: were it removed, a writer waiting on the old one and a writer making a new one would both proceed.
class Lock {
 public:
  // A lock file that is not there is made only after check(), which throws for a target that no save would replace: nothing must appear
  // beside a file of somebody else's.
  template <typename Check>
  Lock(const std::string& path, std::chrono::milliseconds timeout, const Check& check) : file_(open_file(path, O_RDWR | O_NOFOLLOW)) {
    if (file_.get() == -1 && errno == ENOENT) {
      check();
      file_ = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
    }
    if (file_.get() == -1) refuse_errno("open the lock file", path, errno);
    const Clock::time_point end = Clock::now() + timeout;
    while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) refuse_errno("lock", path, errno);
      if (Clock::now() >= end) {
        refuse("Another process has held '" + path + "' for " + std::to_string(timeout.count()) +
               " ms. Nothing was written; try again.");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  // Unlocked by hand: a child forked meanwhile shares the lock, and closing our descriptor would leave it held.
  ~Lock() { ::flock(file_.get(), LOCK_UN); }

 private:
  File file_;
};

// "<name>.tmp.<process>.<16 hex digits>"
std::string temporary_prefix(const Location& location) { return location.name + ".tmp."; }

bool is_temporary(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  const std::size_t dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos || name.size() - dot - 1 != 16) return false;
  return name.substr(0, dot).find_first_not_of("0123456789") == std::string_view::npos &&
         name.substr(dot + 1).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Called under the lock, so whoever made these is dead. A failure to tidy up is no reason not to save.
void remove_stale_temporaries(const Location& location) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(location.directory.c_str()), ::closedir);
  if (!directory) return;
  const std::string prefix = temporary_prefix(location);
  while (const dirent* item = ::readdir(directory.get())) {
    if (is_temporary(item->d_name, prefix)) ::unlink((location.directory + "/" + item->d_name).c_str());
  }
}

// Unlinked on destruction unless it took its final name.
class Temporary {
 public:
  Temporary(const Location& location, mode_t mode) {
    std::uint64_t number = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
    for (int attempt = 0; attempt < 16; ++attempt, number = number * 6364136223846793005u + 1442695040888963407u) {
      char digits[17];
      std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
      path_ = location.directory + "/" + temporary_prefix(location) + std::to_string(::getpid()) + "." + digits;
      const int descriptor =
          retried([&] { return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode); });
      if (descriptor != -1) {
        file_.emplace(descriptor);
        return;
      }
      if (errno != EEXIST) break;
    }
    const int error = errno;
    path_.clear();
    refuse_errno("write into the directory of", location.path, error);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  // As the file it replaces. Its owner is kept where permitted, which for other users than root it need not be.
  void take_over(const struct stat& status) {
    if (::fchown(file_->get(), status.st_uid, status.st_gid) != 0 && errno != EPERM)
      refuse_errno("set the owner of", path_, errno);
    if (::fchmod(file_->get(), status.st_mode & 07777) != 0) refuse_errno("set the permissions of", path_, errno);
  }

  void write(std::string_view text) {
    const FileSizeSignalHeld held;
    while (!text.empty()) {
      const ssize_t count = retried([&] { return ::write(file_->get(), text.data(), text.size()); });
      if (count < 0) refuse_errno("write", path_, errno);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (retried([&] { return ::fsync(file_->get()); }) != 0) refuse_errno("write", path_, errno);
    if (!file_->close()) refuse_errno("write", path_, errno);
  }

  void rename_to(const Location& location) {
    if (::rename(path_.c_str(), location.path.c_str()) != 0) refuse_errno("replace", location.path, errno);
    path_.clear();
    // The new name is on disk only when the directory is. Some file systems cannot be asked to (EINVAL).
    const File directory = open_file(location.directory, O_RDONLY | O_DIRECTORY);
    if (directory.get() == -1) refuse_errno("open the directory of", location.path, errno);
    if (retried([&] { return ::fsync(directory.get()); }) != 0 && errno != EINVAL)
      refuse_errno("write the directory of", location.path, errno);
  }

 private:
  std::optional<File> file_;
  std::string path_;
};

// What a save merges with, and what becomes of it.
struct Target {
  Store store;
  ImportReport report;
  std::optional<struct stat> status;  // of the file, where there is one
};

// Throws where a save must not replace the file: it is no regular file, cannot be read, or is not wisdom. `path`: as the caller named it.
Target read_target(const Location& location, const std::string& path, const ImportPolicy& policy) {
  Target target;
  const std::optional<Content> existing = read_file(location.path, true);
  if (!existing) return target;
  target.status = existing->status;
  if (existing->text.empty()) return target;
  try {
    target.report = import_wisdom(target.store, existing->text, policy);
  } catch (const PlanError& error) {
    refuse("'" + path + "' exists but cannot be merged, so it was not overwritten: " + error.message);
  }
  return target;
}

}  // namespace

ImportReport import_wisdom(Store& store, std::string_view text, const ImportPolicy& policy) {
  ImportReport report;
  const Document document = decode_wisdom(text, report);
  store.import(document, policy, report);
  return report;
}

ImportReport import_wisdom_file(Store& store, const std::string& path, const ImportPolicy& policy) {
  return import_wisdom(store, read_file(path, false)->text, policy);
}

std::optional<std::string> read_trusted_wisdom_file(const std::string& path) {
  std::optional<Content> content = read_file(path, true);
  if (!content) return std::nullopt;
  // The facts of the descriptor that was read: a name could mean another file by now.
  const struct stat& status = content->status;
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    refuse("Cannot trust '" + path + "': it belongs to user " + std::to_string(status.st_uid) + ", neither to you nor to root.");
  }
  if ((status.st_mode & S_IWOTH) != 0) refuse("Cannot trust '" + path + "': everybody may write to it. Take that right away.");
  return std::move(content->text);
}

std::string export_wisdom(const Store& store) { return encode_wisdom(store.document()); }

ImportReport save_wisdom_file(const Store& store, const std::string& path, const ImportPolicy& policy,
                              std::chrono::milliseconds lock_timeout) {
  const Location location = locate(path);
  // Another writer may replace the target until the lock is held, so what is merged is read again then.
  const Lock lock(location.path + ".lock", lock_timeout, [&] { read_target(location, path, policy); });
  remove_stale_temporaries(location);

  Target target = read_target(location, path, policy);
  target.store.merge(store);
  const std::string text = export_wisdom(target.store);

  // A new file gets its permissions from the kernel, the only one who can read umask without changing it.
  Temporary temporary(location, target.status ? 0600 : 0644);
  if (target.status) temporary.take_over(*target.status);
  temporary.write(text);
  temporary.rename_to(location);
  return target.report;
}

}  // namespace ulpfft

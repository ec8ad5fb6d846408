// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>
#include <utility>

#include "tests/support/hang.h"
#include "tests/wisdom/testing.h"

namespace ulpfft {
namespace {

namespace fs = std::filesystem;
using testing::draw;
using testing::entry_of;
using testing::policy_here;
constexpr std::chrono::seconds kHang(test::kHangSeconds);  // for locks that become free, however late

class WisdomFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "ulpfft-wisdom-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    path_ = name + "/plans.json";
  }
  void TearDown() override { fs::remove_all(directory_); }

  static void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  static Store store_of(const std::vector<std::string>& problems) {
    Store store;
    for (const std::string& problem : problems) store.remember(entry_of(problem));
    return Store(store);
  }
  Store load() const {
    Store store;
    const ImportReport report = import_wisdom_file(store, path_, policy_here());
    EXPECT_EQ(report.malformed + report.stale, 0u);
    return Store(store);
  }
  static void expect_io(const Store& store, const std::string& path, const std::string& says) {
    const PlanError error = testing::error_of([&] { save_wisdom_file(store, path, policy_here()); });
    EXPECT_EQ(error.status, ULPFFT_IO) << error.message;
    EXPECT_EQ(error.field, "path");
    EXPECT_NE(error.message.find(says), std::string::npos) << error.message;
  }

  std::string directory_;
  std::string path_;
};

TEST_F(WisdomFile, LoadsWhatItSaved) {
  const Store store = store_of({"8 f32", "16 f32"});
  save_wisdom_file(store, path_, policy_here());
  EXPECT_EQ(load().document(), store.document());
  EXPECT_EQ(files(), 2u);  // and the lock file
  save_wisdom_file(store, path_, policy_here());
  EXPECT_EQ(load().document(), store.document());
}

TEST_F(WisdomFile, RelativePathsWork) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  save_wisdom_file(store_of({"8 f32"}), "plans.json", policy_here());
  fs::current_path(before);
  EXPECT_EQ(load().size(), 1u);
}

TEST_F(WisdomFile, SavingMergesWithTheFile) {
  const std::string held =
      "{\"ulpfft_wisdom\": 1, \"plans\": ["
      "{\"problem\": \"8 f32\", \"machine\": \"elsewhere\", \"recipe\": \"x\", \"digest\": \"0000000000000001\", \"effort\": "
      "\"measure\", \"joule\": 2},"
      "{\"problem\": \"8 f32\", \"machine\": \"x86.25.17.avx3\", \"recipe\": \"f32:n8\", \"digest\": \"0000000000000001\", "
      "\"effort\": \"measure\"},"
      "{\"problem\": \"broken\"}, {\"schema\": 1000}], \"costs\": [{\"seconds\": 1}]}";
  write(path_, held);
  Store store = store_of({"16 f32"});
  const ImportReport report = save_wisdom_file(store, path_, policy_here());
  EXPECT_EQ(report.foreign, 2u);
  EXPECT_EQ(report.stale, 1u);
  EXPECT_EQ(report.malformed, 1u);
  const Document document = load().document();
  ASSERT_EQ(document.plans.size(), 2u);
  EXPECT_EQ(document.plans[0].machine, "elsewhere");
  EXPECT_EQ(document.plans[0].unknown, (std::vector<UnknownField>{{"joule", "2"}}));
  EXPECT_EQ(document.plans[1].problem_key, "16 f32");
  EXPECT_EQ(document.newer_plans.size(), 1u);
  EXPECT_EQ(document.tables.at("costs").size(), 1u);
  EXPECT_EQ(store.size(), 1u);  // the store itself is not changed
}

TEST_F(WisdomFile, AFileThatIsNotWisdomIsNotOverwritten) {
  for (const char* held : {"not wisdom", "{\"ulpfft_wisdom\": 2}", "{}", "{\"ulpfft_wisdom\": 1"}) {
    write(path_, held);
    expect_io(store_of({"8 f32"}), path_, "was not overwritten");
    EXPECT_EQ(read(path_), held);
  }
  write(path_, "");
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  EXPECT_EQ(load().size(), 1u);
}

TEST_F(WisdomFile, WrongPathsAreErrors) {
  const Store store = store_of({"8 f32"});
  write(directory_ + "/file", "x");
  ASSERT_EQ(::mkfifo((directory_ + "/pipe").c_str(), 0600), 0);
  ASSERT_EQ(::symlink("nowhere/at-all", (directory_ + "/dangling").c_str()), 0);
  expect_io(store, "", "empty");
  expect_io(store, directory_, "directory");
  expect_io(store, directory_ + "/", "directory");
  expect_io(store, directory_ + "/missing/plans.json", "No such file");
  expect_io(store, directory_ + "/file/plans.json", "Not a directory");
  expect_io(store, directory_ + "/pipe", "regular file");
  expect_io(store, directory_ + "/dangling", "No such file");
  expect_io(store, directory_ + "/" + std::string(300, 'n'), "too long");
  // /proc takes no new files, even from root.
  expect_io(store, "/proc/plans.json", "/proc/plans.json");

  const auto import_error = [&](const std::string& path) {
    Store target;
    return testing::error_of([&] { import_wisdom_file(target, path, policy_here()); });
  };
  EXPECT_EQ(import_error(path_).status, ULPFFT_IO);
  EXPECT_NE(import_error(path_).message.find(path_), std::string::npos);
  EXPECT_EQ(import_error(directory_).status, ULPFFT_IO);
  EXPECT_EQ(import_error(directory_ + "/pipe").status, ULPFFT_IO);
  EXPECT_EQ(import_error(directory_ + "/file").status, ULPFFT_INVALID_TEXT);
}

TEST_F(WisdomFile, AFileBeyondTheLimitIsNotRead) {
  write(path_, "{");
  fs::resize_file(path_, kMaxWisdomBytes + 1);
  Store store;
  EXPECT_EQ(testing::error_of([&] { import_wisdom_file(store, path_, policy_here()); }).status, ULPFFT_IO);
  expect_io(store, path_, "larger than");
}

TEST_F(WisdomFile, PermissionsAndLinksAreKept) {
  const mode_t before = ::umask(027);
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  struct stat status = {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  ASSERT_EQ(::chmod(path_.c_str(), 0604), 0);
  const std::string link = directory_ + "/link.json";
  ASSERT_EQ(::symlink(path_.c_str(), link.c_str()), 0);
  save_wisdom_file(store_of({"16 f32"}), link, policy_here());
  ::umask(before);
  EXPECT_TRUE(fs::is_symlink(link));
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0604u);
  EXPECT_EQ(load().size(), 2u);
}

TEST_F(WisdomFile, TemporariesOfDeadWritersAreRemovedAndNothingElse) {
  write(path_ + ".tmp.123.0123456789abcdef", "half");
  const std::vector<std::string> others = {".tmp.123.0123456789abcde", ".tmp.x.0123456789abcdef", ".tmp.0123456789abcdef", ".tmp",
                                           ".bak"};
  for (const std::string& other : others) write(path_ + other, "keep");
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  EXPECT_FALSE(fs::exists(path_ + ".tmp.123.0123456789abcdef"));
  for (const std::string& other : others) EXPECT_TRUE(fs::exists(path_ + other)) << other;
}

TEST_F(WisdomFile, ALockHeldByAnotherIsAnErrorInTime) {
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  const std::string held = read(path_);
  const int lock = ::open((path_ + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const PlanError error =
      testing::error_of([&] { save_wisdom_file(store_of({"16 f32"}), path_, policy_here(), std::chrono::milliseconds(50)); });
  EXPECT_EQ(error.status, ULPFFT_IO);
  EXPECT_NE(error.message.find("50 ms"), std::string::npos) << error.message;
  EXPECT_EQ(read(path_), held);

  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::flock(lock, LOCK_UN);
  });
  EXPECT_NO_THROW(save_wisdom_file(store_of({"16 f32"}), path_, policy_here(), kHang));
  release.join();
  ::close(lock);
  EXPECT_EQ(load().size(), 2u);
}

// Runs in a child process, so that limits, signals and crashes stay there. The child's exit status.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(WisdomFile, AFullDiskLeavesTheOldFile) {
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  const std::string held = read(path_);
  std::vector<std::string> problems;
  for (int i = 1; i <= 100; ++i) problems.push_back(std::to_string(i) + " f32");
  const Store many = store_of(problems);
  for (const rlim_t limit : {0, 1, 100, 4096, 20000}) {
    const int result = in_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit file_size = {limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &file_size);
      try {
        save_wisdom_file(many, path_, policy_here());
      } catch (const PlanError& error) {
        return error.status == ULPFFT_IO ? 0 : 2;
      }
      return 1;
    });
    EXPECT_EQ(result, 0) << limit;
    EXPECT_EQ(read(path_), held);
    EXPECT_EQ(files(), 2u);
  }
}

// How a caller may have SIGXFSZ set up. Each is as it was after a save that met the limit.
enum class Disposition { kDefault, kIgnored, kHandled };
constexpr int kPendingBefore = 2;  // blocked, and one is waiting
constexpr int kBlockedBefore = 1;

volatile std::sig_atomic_t size_signals = 0;

sigset_t size_signal() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGXFSZ);
  return set;
}

// 0: the save was refused and nothing of the signal changed. Runs in a child process, which it would end otherwise.
int save_beyond_the_limit(const Store& store, const std::string& path, Disposition disposition, int before, rlim_t limit) {
  const auto handler = [](int) { size_signals = size_signals + 1; };
  struct sigaction action = {};
  action.sa_handler = disposition == Disposition::kDefault ? SIG_DFL : disposition == Disposition::kIgnored ? SIG_IGN : +handler;
  ::sigaction(SIGXFSZ, &action, nullptr);
  const sigset_t set = size_signal();
  if (before != 0) ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  if (before == kPendingBefore) ::pthread_kill(::pthread_self(), SIGXFSZ);
  const rlimit file_size = {limit, limit};
  ::setrlimit(RLIMIT_FSIZE, &file_size);
  try {
    save_wisdom_file(store, path, policy_here());
    return 1;
  } catch (const PlanError& error) {
    if (error.status != ULPFFT_IO || error.message.find("too large") == std::string::npos) return 2;
  }
  sigset_t mask, pending;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  if (::sigismember(&mask, SIGXFSZ) != (before != 0 ? 1 : 0)) return 3;
  ::sigpending(&pending);
  if (::sigismember(&pending, SIGXFSZ) != (before == kPendingBefore ? 1 : 0)) return 4;
  struct sigaction after = {};
  ::sigaction(SIGXFSZ, nullptr, &after);
  if (after.sa_handler != action.sa_handler) return 5;
  return size_signals == 0 ? 0 : 6;
}

TEST_F(WisdomFile, ALimitOnFileSizesIsAnErrorHoweverItsSignalIsSetUp) {
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  const std::string held = read(path_);
  std::vector<std::string> problems;
  for (int i = 1; i <= 100; ++i) problems.push_back(std::to_string(i) + " f32");
  const Store many = store_of(problems);
  for (const Disposition disposition : {Disposition::kDefault, Disposition::kIgnored, Disposition::kHandled}) {
    for (const int before : {0, kBlockedBefore, kPendingBefore}) {
      for (const rlim_t limit : {0, 1, 4096}) {
        for (const bool on_a_thread : {false, true}) {
          const int result = in_child([&] {
            int code = -1;
            const auto save = [&] { code = save_beyond_the_limit(many, path_, disposition, before, limit); };
            if (on_a_thread) {
              std::thread(save).join();
            } else {
              save();
            }
            return code;
          });
          const std::string where = "disposition " + std::to_string(static_cast<int>(disposition)) + ", before " + std::to_string(before) + ", limit " +
                                    std::to_string(limit) + (on_a_thread ? ", on a thread" : "");
          EXPECT_EQ(result, 0) << where;
          EXPECT_EQ(read(path_), held) << where;
          EXPECT_EQ(files(), 2u) << where;
        }
      }
    }
  }
}

// Whatever makes a save refuse its target, nothing appears beside it, whether the path names the target or a link to it.
TEST_F(WisdomFile, ARefusedTargetGetsNoLockFile) {
  const Store store = store_of({"8 f32"});
  const std::string there = directory_ + "/there";
  const std::string target = there + "/target";
  const std::string link = directory_ + "/link.json";
  const std::vector<std::pair<std::string, std::function<void()>>> targets = {
      {"text", [&] { write(target, "root:x:0:0:root:/root:/bin/bash\n"); }},
      {"JSON that is no wisdom", [&] { write(target, "{}"); }},
      {"newer wisdom", [&] { write(target, "{\"ulpfft_wisdom\": 2}"); }},
      {"half a file", [&] { write(target, "{\"ulpfft_wisdom\": 1"); }},
      {"zero bytes", [&] { write(target, std::string(100, '\0')); }},
      {"a file beyond the limit", [&] {
         write(target, "");
         fs::resize_file(target, kMaxWisdomBytes + 1);
       }},
      {"a folder", [&] { fs::create_directory(target); }},
      {"a pipe", [&] { ASSERT_EQ(::mkfifo(target.c_str(), 0600), 0); }},
      {"a link to itself", [&] { fs::create_symlink(target, target); }},
      {"a link to nothing", [&] { fs::create_symlink(directory_ + "/nothing", target); }},
      {"a link to a device", [&] { fs::create_symlink("/dev/null", target); }},
  };
  for (const auto& [name, make] : targets) {
    fs::create_directory(there);
    make();
    fs::create_symlink(target, link);
    std::error_code none;
    const bool regular = fs::is_regular_file(target, none);
    const std::uintmax_t size = regular ? fs::file_size(target) : 0;
    for (const std::string& path : {target, link}) {
      const PlanError error = testing::error_of([&] { save_wisdom_file(store, path, policy_here()); });
      EXPECT_EQ(error.status, ULPFFT_IO) << name << ": " << error.message;
      EXPECT_EQ(files(), 2u) << name;  // the link and the folder
      EXPECT_EQ(std::distance(fs::directory_iterator(there), fs::directory_iterator()), 1) << name << " by " << path;
      EXPECT_EQ(regular ? fs::file_size(target) : 0, size) << name;
    }
    EXPECT_FALSE(fs::exists("/dev/null.lock"));
    fs::remove(link);
    fs::remove_all(there);
  }
}

// A disk of 64 KiB of our own, seen by the child alone.
TEST_F(WisdomFile, ADiskOf64KibThatFillsUpKeepsTheOldFile) {
  constexpr int kNoDisk = 77;
  std::vector<std::string> problems;
  for (int i = 1; i <= 1000; ++i) problems.push_back(std::to_string(i) + " f32");
  const Store many = store_of(problems);
  const Store few = store_of({"8 f32"});
  const int result = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", directory_.c_str(), "tmpfs", 0, "size=64k") != 0) {
      return kNoDisk;
    }
    save_wisdom_file(few, path_, policy_here());
    const std::string held = read(path_);
    for (int attempt = 0; attempt < 3; ++attempt) {
      try {
        save_wisdom_file(many, path_, policy_here());
        return 1;
      } catch (const PlanError& error) {
        if (error.status != ULPFFT_IO || error.message.find("No space left") == std::string::npos) return 2;
      }
      if (read(path_) != held) return 3;
      if (files() != 2) return 4;
    }
    save_wisdom_file(few, path_, policy_here());  // there is room for this one still
    return load().size() == 1 ? 0 : 5;
  });
  if (result == kNoDisk) GTEST_SKIP() << "no right to mount a small disk here; AFullDiskLeavesTheOldFile limits the file size instead";
  EXPECT_EQ(result, 0);
}

TEST_F(WisdomFile, AReadOnlyFolderIsAnErrorAndKeepsTheFile) {
  save_wisdom_file(store_of({"8 f32"}), path_, policy_here());
  const std::string held = read(path_);
  const Store other = store_of({"16 f32"});
  ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
  ASSERT_EQ(::chmod(directory_.c_str(), 0555), 0);
  const int result = in_child([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 1;  // root may write anywhere
    for (const std::string& path : {path_, directory_ + "/new.json"}) {
      try {
        save_wisdom_file(other, path, policy_here());
        return 2;
      } catch (const PlanError& error) {
        if (error.status != ULPFFT_IO || error.message.find(path) == std::string::npos) return 3;
      }
    }
    return load().size() == 1 ? 0 : 4;  // reading needs no right to write
  });
  ASSERT_EQ(::chmod(directory_.c_str(), 0755), 0);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(read(path_), held);
  EXPECT_EQ(files(), 2u);
}

TEST_F(WisdomFile, AKilledWriterLeavesTheOldFileOrTheNewAndNoRubbish) {
  std::mt19937_64 random(41);
  std::vector<std::string> problems;
  for (int i = 1; i <= 100; ++i) problems.push_back(std::to_string(i) + " f32");
  const Store one = store_of(problems);
  Store two(one);
  Document changed = one.document();
  for (Entry& entry : changed.plans) {
    entry.recipe = "f32:n8";
    two.remember(entry);
  }
  const std::string first = export_wisdom(one);
  const std::string second = export_wisdom(two);
  save_wisdom_file(one, path_, policy_here());
  // What a writer takes to begin and to save once, here and now: it is killed within some such times.
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kSaves = 5;
  for (int i = 0; i < kSaves; ++i) {
    ASSERT_EQ(in_child([&] {
                save_wisdom_file(one, path_, policy_here());
                return 0;
              }),
              0);
  }
  const auto one_save = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count() / kSaves;
  std::int64_t longest = std::max<std::int64_t>(2 * one_save, 12000);
  int seen_first = 0, changes = 0;
  std::string before = first;
  constexpr int kRounds = 500, kWatched = 25;
  for (int round = 0; round < kRounds; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = round;; ++i) save_wisdom_file(i % 2 == 0 ? two : one, path_, policy_here());
    }
    std::this_thread::sleep_for(std::chrono::microseconds(draw(random, 0, longest)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string text = read(path_);
    ASSERT_TRUE(text == first || text == second) << "round " << round << ": " << text.size() << " bytes";
    seen_first += text == first ? 1 : 0;
    changes += text != before ? 1 : 0;
    before = text;
    // What saves take may grow; few changes tell that few were done.
    if (round % kWatched == kWatched - 1) {
      if (changes < kWatched / 5) longest *= 2;
      changes = 0;
    }
  }
  EXPECT_GT(seen_first, kRounds / 10) << "the writers were killed too early";
  EXPECT_LT(seen_first, kRounds - kRounds / 10) << "the writers were killed too early";
  save_wisdom_file(one, path_, policy_here());
  EXPECT_EQ(files(), 2u);
}

TEST_F(WisdomFile, EightProcessesKeepTheUnion) {
  constexpr int kProcesses = 8;
  const int saves = testing::full_run() ? 200 : 25;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        for (int i = 0; i < saves; ++i) {
          save_wisdom_file(store_of({std::to_string(1 + process * 1000 + i) + " f32"}), path_, policy_here(), kHang);
        }
      } catch (const PlanError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Store all = load();
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kProcesses * saves));
  for (int process = 0; process < kProcesses; ++process) {
    for (int i = 0; i < saves; ++i) {
      const std::string problem = std::to_string(1 + process * 1000 + i) + " f32";
      ASSERT_TRUE(all.find(problem, "x86.25.17.avx3").has_value()) << problem;
    }
  }
  EXPECT_EQ(files(), 2u);
}

TEST_F(WisdomFile, ThreadsOfOneProcessKeepTheUnion) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) save_wisdom_file(store_of({std::to_string(1 + t * 1000 + i) + " f32"}), path_, policy_here(), kHang);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(load().size(), 40u);
}

}  // namespace
}  // namespace ulpfft

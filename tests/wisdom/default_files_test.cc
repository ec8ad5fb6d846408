// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/default_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/wisdom/testing.h"
#include "wisdom/file.h"

namespace ulpfft {
namespace {

namespace fs = std::filesystem;
using testing::entry_of;
using testing::error_of;
using testing::policy_here;

// Environment variables that get their values back.
class Variables {
 public:
  Variables() {
    for (const char* name : {"ULPFFT_WISDOM", "XDG_CACHE_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      before_.emplace_back(name, value != nullptr ? std::optional<std::string>(value) : std::nullopt);
    }
  }
  ~Variables() {
    for (const auto& [name, value] : before_) set(name, value ? value->c_str() : nullptr);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  static void set(const std::string& name, const char* value) {
    value != nullptr ? ::setenv(name.c_str(), value, 1) : ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

class DefaultFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "ulpfft-wisdom-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ + "/" + name, std::ios::binary) << text;
    return directory_ + "/" + name;
  }
  static std::string text_of(const std::string& problem, const std::string& recipe = "f32:n8") {
    Store store;
    Entry entry = entry_of(problem);
    entry.recipe = recipe;
    store.remember(entry);
    return export_wisdom(store);
  }
  std::string directory_;
};

TEST_F(DefaultFiles, TheUsersPathIsTheFirstVariableThatIsSet) {
  const Variables variables;
  const auto path = [](const char* wisdom, const char* cache, const char* home) {
    Variables::set("ULPFFT_WISDOM", wisdom);
    Variables::set("XDG_CACHE_HOME", cache);
    Variables::set("HOME", home);
    return user_wisdom_path();
  };
  EXPECT_EQ(path("here.json", "/cache", "/home/u"), "here.json");
  EXPECT_EQ(path(nullptr, "/cache", "/home/u"), "/cache/ulpfft/wisdom.json");
  EXPECT_EQ(path("", "/cache", "/home/u"), "/cache/ulpfft/wisdom.json");
  EXPECT_EQ(path(nullptr, nullptr, "/home/u"), "/home/u/.cache/ulpfft/wisdom.json");
  EXPECT_EQ(path(nullptr, "relative", "/home/u"), "/home/u/.cache/ulpfft/wisdom.json");
  EXPECT_EQ(path(nullptr, "", ""), "");
  EXPECT_EQ(path(nullptr, nullptr, nullptr), "");
}

TEST_F(DefaultFiles, AreReadInOrderAndTheLaterWins) {
  const std::string system = write("system.json", text_of("8 f32", "f32:n4"));
  const std::string user = write("user.json", text_of("8 f32", "f32:dit(2 4)"));
  const std::string other = write("other.json", text_of("16 f32"));
  Store store;
  const ImportReport report = import_default_wisdom(store, {system, user, other}, policy_here());
  EXPECT_EQ(report.accepted, 3u);
  EXPECT_EQ(store.size(), 2u);
  EXPECT_EQ(store.find("8 f32", "x86.25.17.avx3")->recipe, "f32:dit(2 4)");
}

TEST_F(DefaultFiles, WhatIsNotThereIsNoError) {
  const std::string file = write("file", "x");
  const std::string empty = write("empty.json", "");
  Store store;
  const ImportReport report =
      import_default_wisdom(store, {"", directory_ + "/missing.json", directory_ + "/no/folder.json", file + "/below.json", empty}, policy_here());
  EXPECT_EQ(report.accepted + report.stale + report.foreign + report.malformed, 0u);
  EXPECT_EQ(store.document(), Document());
}

TEST_F(DefaultFiles, AreAllOrNothingAndTheErrorNamesTheFile) {
  const std::string good = write("good.json", text_of("8 f32"));
  const std::string bad = write("bad.json", "{\"ulpfft_wisdom\": 1");
  Store store;
  const PlanError error = error_of([&] { import_default_wisdom(store, {good, bad}, policy_here()); });
  EXPECT_EQ(error.status, ULPFFT_INVALID_TEXT);
  EXPECT_NE(error.message.find(bad), std::string::npos) << error.message;
  EXPECT_EQ(store.size(), 0u);
  EXPECT_EQ(error_of([&] { import_default_wisdom(store, {good, directory_}, policy_here()); }).status, ULPFFT_IO);
  EXPECT_EQ(store.size(), 0u);
}

TEST_F(DefaultFiles, AFileThatOthersCanWriteIsRefused) {
  const std::string path = write("plans.json", text_of("8 f32"));
  const auto import = [&] {
    Store store;
    return import_default_wisdom(store, {path}, policy_here()).accepted;
  };
  for (const mode_t mode : {0600, 0644, 0664}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(import(), 1u) << std::oct << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  const PlanError error = error_of(import);
  EXPECT_EQ(error.status, ULPFFT_IO);
  EXPECT_EQ(error.field, "path");
  EXPECT_NE(error.message.find("everybody may write"), std::string::npos) << error.message;

  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  EXPECT_NE(error_of(import).message.find("belongs to user 65534"), std::string::npos);
}

TEST_F(DefaultFiles, SavingMakesTheFoldersThatAreMissing) {
  Store store;
  store.remember(entry_of("8 f32"));
  const std::string path = directory_ + "/cache//ulpfft/wisdom.json";
  for (int round = 0; round < 2; ++round) {
    save_default_wisdom(store, path, policy_here());
    Store read;
    EXPECT_EQ(import_default_wisdom(read, {path}, policy_here()).accepted, 1u);
  }
  struct stat status = {};
  ASSERT_EQ(::stat((directory_ + "/cache/ulpfft").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);

  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  EXPECT_NO_THROW(save_default_wisdom(store, "plain.json", policy_here()));
  EXPECT_NO_THROW(save_default_wisdom(store, "sub/plain.json", policy_here()));
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(directory_ + "/plain.json"));
  EXPECT_TRUE(fs::exists(directory_ + "/sub/plain.json"));
}

TEST_F(DefaultFiles, WithoutAPlaceSavingIsAnError) {
  const Store store;
  const auto says = [&](const std::string& path) {
    const PlanError error = error_of([&] { save_default_wisdom(store, path, policy_here()); });
    EXPECT_EQ(error.status, ULPFFT_IO);
    EXPECT_EQ(error.field, "path");
    return error.message;
  };
  EXPECT_NE(says("").find("ULPFFT_WISDOM"), std::string::npos);
  const std::string file = write("file", "x");
  EXPECT_NE(says(file + "/sub/wisdom.json").find("Not a directory"), std::string::npos);
  EXPECT_NE(says("/proc/ulpfft/wisdom.json").find("/proc/ulpfft"), std::string::npos);
}

}  // namespace
}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// pthread_cancel() of a thread inside the library: the call completes, the thread ends after it, nothing stays locked or open.
#include <dirent.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

struct Pthread {
  Pthread(void* (*body)(void*), void* argument) { EXPECT_EQ(pthread_create(&handle, nullptr, body, argument), 0); }
  bool was_cancelled() {
    void* result = nullptr;
    EXPECT_EQ(pthread_join(handle, &result), 0);
    return result == PTHREAD_CANCELED;
  }
  pthread_t handle{};
};

int open_descriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto& item : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

struct Planning {
  ulpfft_context* context = nullptr;
  ulpfft_plan* plan = nullptr;
  ulpfft_status status = ULPFFT_INTERNAL;
  std::atomic<int> progress_calls{0};
};

int cancel_myself(void* user, double, const char*) {
  ++static_cast<Planning*>(user)->progress_calls;
  pthread_cancel(pthread_self());
  pthread_testcancel();
  return 0;
}

TEST(Cancellation, InsideTheProgressCallbackWaitsForTheEndOfPlanning) {
  const ContextPtr context = make_context();
  ASSERT_NE(context, nullptr);
  Planning planning;
  planning.context = context.get();
  Pthread thread(
      [](void* argument) -> void* {
        Planning& mine = *static_cast<Planning*>(argument);
        auto options = sized<ulpfft_plan_options>();
        options.effort = ULPFFT_MEASURE;
        options.time_limit_seconds = 0.01;
        options.progress = &cancel_myself;
        options.progress_user = &mine;
        mine.status = ulpfft_plan_parse_options(mine.context, "1000 f32", &options, &mine.plan);
        pthread_testcancel();
        return nullptr;
      },
      &planning);
  EXPECT_TRUE(thread.was_cancelled());
  EXPECT_EQ(planning.status, ULPFFT_OK);
  EXPECT_GT(planning.progress_calls, 0);
  EXPECT_NE(planning.plan, nullptr);
  ulpfft_plan_destroy(planning.plan);
  EXPECT_NE(make_plan(context.get(), "1000 f32"), nullptr);
}

struct Exchange {
  ulpfft_context* context = nullptr;
  std::string path;
  int type = PTHREAD_CANCEL_DEFERRED;
  std::atomic<int> failures{0};
};

// The thread offers no cancellation point of its own but one at the end of each turn, where nothing is owned.
void* exchange(void* argument) {
  Exchange& mine = *static_cast<Exchange*>(argument);
  while (true) {
    ulpfft_plan* plan = nullptr;
    mine.failures += ulpfft_plan_parse(mine.context, "48 f32", &plan) != ULPFFT_OK;
    ulpfft_plan_destroy(plan);
    mine.failures += ulpfft_wisdom_export_file(mine.context, mine.path.c_str()) != ULPFFT_OK;
    mine.failures += ulpfft_wisdom_import_file(mine.context, mine.path.c_str(), nullptr) != ULPFFT_OK;
    ulpfft_string_free(ulpfft_wisdom_export_string(mine.context));
    pthread_testcancel();
  }
  return nullptr;
}

TEST(Cancellation, AtAnyMomentOfAWisdomExchangeLeavesNothingLockedOrOpen) {
  char folder[] = "/tmp/ulpfft_cancel_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const ContextPtr context = make_context();
  ASSERT_NE(context, nullptr);
  ASSERT_NE(make_plan(context.get(), "48 f32", ULPFFT_MEASURE), nullptr);
  Exchange state;
  state.context = context.get();
  state.path = std::string(folder) + "/wisdom.json";
  const int before = open_descriptors();
  const int repeats = full_run() ? 3000 : 200;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Pthread thread(&exchange, &state);
    std::this_thread::sleep_for(std::chrono::microseconds(37 * (repeat % 50)));
    ASSERT_EQ(pthread_cancel(thread.handle), 0);
    ASSERT_TRUE(thread.was_cancelled()) << "repeat " << repeat;
  }
  EXPECT_EQ(state.failures, 0);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(ulpfft_wisdom_export_file(context.get(), state.path.c_str()), ULPFFT_OK) << last_error_text();
  const ContextPtr reader = make_context();
  EXPECT_EQ(ulpfft_wisdom_import_file(reader.get(), state.path.c_str(), nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(ulpfft_wisdom_count(reader.get()), ulpfft_wisdom_count(context.get()));
  int files = 0;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_EQ(item.path().filename().string().rfind("wisdom.json", 0), 0U) << item.path();
    EXPECT_EQ(item.path().filename().string().find(".tmp."), std::string::npos) << item.path();
  }
  EXPECT_LE(files, 2);  // the file and its lock
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ulpfft::test

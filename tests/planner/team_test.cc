// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Threads that share work: every index once, whoever calls, after a fork too.
#include "planner/system/team.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/hang.h"

namespace ulpfft::test {
namespace {

// Calls body(index) through a team.
void run(Team& team, int count, const std::function<void(int)>& body) {
  team.run(count, [](void* data, int index) { (*static_cast<const std::function<void(int)>*>(data))(index); },
           const_cast<std::function<void(int)>*>(&body));
}

// How many of the indices were not called exactly once.
int wrong_calls(Team& team, int count) {
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count) + 1);
  std::atomic<int> outside{0};
  run(team, count, [&](int i) { ++(i >= 0 && i < count ? calls[static_cast<std::size_t>(i)] : outside); });
  int wrong = outside;
  for (int i = 0; i < count; ++i) wrong += calls[static_cast<std::size_t>(i)] != 1;
  return wrong;
}

// Waits until `threads` threads are inside, so that each must be a thread of its own; false after kHangSeconds.
class Gathering {
 public:
  explicit Gathering(int threads) : missing_(threads) {}
  bool join() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kHangSeconds);
    --missing_;
    while (missing_ > 0) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

 private:
  std::atomic<int> missing_;
};

bool works_at_once(Team& team, int threads) {
  Gathering gathering(threads);
  std::atomic<int> alone{0};
  run(team, threads, [&](int) { alone += !gathering.join(); });
  return alone == 0;
}

// What a forked child returns from `body`, or a number from 1000 on when it did not end by itself within kHangSeconds.
int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kHangSeconds);  // a deadlock ends here
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Pool, LeavesTheFirstIndexToTheCaller) {
  const std::shared_ptr<Team> pool = make_pool(4);
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> by_caller{false};
    const std::thread::id caller = std::this_thread::get_id();
    run(*pool, 1 + round % 9, [&](int i) {
      if (i == 0) by_caller = std::this_thread::get_id() == caller;
    });
    ASSERT_TRUE(by_caller) << "round " << round;
  }
}

TEST(Pool, CallsEveryIndexOnceForCountsUpTo1000AndSizesUpTo16) {
  for (int size = 1; size <= 16; ++size) {
    const std::shared_ptr<Team> pool = make_pool(size);
    EXPECT_EQ(pool->size(), size);
    for (int count = 0; count <= 1000; count += count < 40 ? 1 : 37) {
      ASSERT_EQ(wrong_calls(*pool, count), 0) << "size " << size << ", count " << count;
    }
    ASSERT_EQ(wrong_calls(*pool, 1000), 0) << "size " << size;
  }
}

TEST(Pool, CallsEveryIndexOnceInManyShortRounds) {
  const std::shared_ptr<Team> pool = make_pool(4);
  for (int round = 0; round < 20000; ++round) ASSERT_EQ(wrong_calls(*pool, 2 + round % 7), 0) << "round " << round;
}

TEST(Pool, HasAsManyThreadsAsItSays) {
  for (const int size : {1, 2, 3, 8, 16}) {
    const std::shared_ptr<Team> pool = make_pool(size);
    EXPECT_TRUE(works_at_once(*pool, size)) << size;
    EXPECT_TRUE(works_at_once(*pool, size)) << size << ", second time";
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // they sleep now
    EXPECT_TRUE(works_at_once(*pool, size)) << size << ", after a pause";
  }
}

TEST(Pool, LetsTheCallerDoAllOfAnInnerRun) {
  const std::shared_ptr<Team> pool = make_pool(4);
  std::atomic<int> calls{0};
  std::atomic<int> elsewhere{0};
  run(*pool, 16, [&](int) {
    const std::thread::id outer = std::this_thread::get_id();
    run(*pool, 16, [&](int) {
      ++calls;
      elsewhere += std::this_thread::get_id() != outer;
    });
  });
  EXPECT_EQ(calls, 256);
  EXPECT_EQ(elsewhere, 0);
}

TEST(Pool, ServesEightCallersAtOnce) {
  const std::shared_ptr<Team> pool = make_pool(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) wrong += wrong_calls(*pool, 1 + round % 20);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, IsDestroyedWhileItsThreadsSpinAndWhileTheySleep) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::shared_ptr<Team> pool = make_pool(1 + repeat % 5);
    ASSERT_EQ(wrong_calls(*pool, repeat), 0);
    if (repeat % 2 == 1) std::this_thread::sleep_for(std::chrono::microseconds(300));
    pool.reset();
  }
}

TEST(Pool, RoundsAsTheCallerDoesOnEveryThread) {
  const std::shared_ptr<Team> pool = make_pool(4);
  ASSERT_TRUE(works_at_once(*pool, 4));  // the threads exist, and began in the default mode
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    Gathering gathering(4);
    std::atomic<int> other{0};
    run(*pool, 4, [&](int) {
      gathering.join();
      other += std::fegetround() != mode;
    });
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(other, 0) << "mode " << mode;
  }
}

TEST(Pool, StartsThreadsOfItsOwnInAForkedChild) {
  const std::shared_ptr<Team> pool = make_pool(4);
  ASSERT_TRUE(works_at_once(*pool, 4));
  for (int repeat = 0; repeat < 5; ++repeat) {
    const int result = in_child([&] {
      if (!works_at_once(*pool, 4)) return 1;
      if (wrong_calls(*pool, 100) != 0) return 2;
      return in_child([&] { return works_at_once(*pool, 4) ? 0 : 3; });  // and in its child
    });
    EXPECT_EQ(result, 0) << "repeat " << repeat;
  }
  EXPECT_TRUE(works_at_once(*pool, 4)) << "the parent's threads are gone";
}

TEST(Pool, IsDestroyedInAForkedChild) {
  std::shared_ptr<Team> pool = make_pool(4);
  ASSERT_TRUE(works_at_once(*pool, 4));
  EXPECT_EQ(in_child([&] {
              pool.reset();
              return 0;
            }), 0);
}

TEST(Pool, WorksInAChildForkedWhileAnotherThreadRunsOnIt) {
  const std::shared_ptr<Team> pool = make_pool(3);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) wrong_calls(*pool, 50);
  });
  for (int repeat = 0; repeat < 20; ++repeat) {
    ASSERT_EQ(in_child([&] { return works_at_once(*pool, 3) ? 0 : 1; }), 0) << "repeat " << repeat;
  }
  stop = true;
  other.join();
}

struct Hook {
  int calls = 0;
  int count = 0;
};

TEST(HookedTeam, GivesTheCallersLoopAllOfTheWork) {
  Hook hook;
  const auto backwards = [](void* user, int count, Team::Work work, void* data) {
    Hook& seen = *static_cast<Hook*>(user);
    ++seen.calls;
    seen.count = count;
    for (int i = count; i-- > 0;) work(data, i);
  };
  const std::shared_ptr<Team> team = make_hooked_team(7, backwards, &hook);
  EXPECT_EQ(team->size(), 7);
  EXPECT_EQ(wrong_calls(*team, 20), 0);
  EXPECT_EQ(hook.calls, 1);
  EXPECT_EQ(hook.count, 20);
  EXPECT_EQ(wrong_calls(*team, 1), 0);
}

TEST(HookedTeam, WorksWithALoopThatStartsThreads) {
  const auto threads = [](void*, int count, Team::Work work, void* data) {
    std::vector<std::thread> all;
    for (int i = 0; i < count; ++i) all.emplace_back(work, data, i);
    for (std::thread& thread : all) thread.join();
  };
  const std::shared_ptr<Team> team = make_hooked_team(4, threads, nullptr);
  EXPECT_TRUE(works_at_once(*team, 4));
}

TEST(AvailableCpus, IsAtLeastOne) { EXPECT_GE(available_cpus(), 1); }

}  // namespace
}  // namespace ulpfft::test

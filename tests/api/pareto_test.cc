// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Time against error through the C interface: which rows there are and in which order, fronts, limits of time, and cancelling.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

struct ParetoDelete {
  void operator()(ulpfft_pareto* pareto) const { ulpfft_pareto_destroy(pareto); }
};
using ParetoPtr = std::unique_ptr<ulpfft_pareto, ParetoDelete>;

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

ParetoPtr measure(const std::string& problem, const ulpfft_pareto_options& options) {
  ulpfft_pareto* pareto = nullptr;
  const ContextPtr context = make_context();
  EXPECT_EQ(ulpfft_pareto_measure(context.get(), problem.c_str(), &options, &pareto), ULPFFT_OK)
      << problem << ": " << last_error_text();
  return ParetoPtr(pareto);
}

std::vector<ulpfft_pareto_row> rows_of(const ParetoPtr& pareto) {
  auto facts = sized<ulpfft_pareto_facts>();
  EXPECT_EQ(ulpfft_pareto_get(pareto.get(), &facts), ULPFFT_OK);
  std::vector<ulpfft_pareto_row> rows;
  for (std::size_t i = 0; i < facts.rows; ++i) {
    rows.push_back(sized<ulpfft_pareto_row>());
    EXPECT_EQ(ulpfft_pareto_row_get(pareto.get(), i, &rows.back()), ULPFFT_OK);
  }
  return rows;
}

TEST(Pareto, HasEverySchemeWithEveryStorageAskedFor) {
  const char* const others[] = {"f16", "mxfp8_e4m3:b8"};
  auto options = sized<ulpfft_pareto_options>();
  options.time_limit_seconds = 1000;
  options.storages = others;
  options.storage_count = 2;
  const ParetoPtr pareto = measure("64*4 f32", options);
  std::set<std::string> found;
  double error = 0;
  for (const ulpfft_pareto_row& row : rows_of(pareto)) {
    ASSERT_STREQ(row.reason, "") << row.problem;
    if (*row.between == '\0') {
      found.insert(std::string(row.storage_in) + " " + row.scheme);
    } else {
      EXPECT_TRUE(row.own != 0 && row.emulated == 0 && std::string(row.recipe).find(row.between) != std::string::npos) << row.recipe;
    }
    EXPECT_EQ(row.own != 0, std::string(row.storage_in) == "f32");
    EXPECT_GE(row.error, error) << "sorted";
    error = row.error;
    EXPECT_GT(row.seconds, 0);
    EXPECT_GT(row.transforms, 0);
    EXPECT_LT(row.error, 1.5 * row.predicted_error + 1e-18) << row.problem << " " << row.recipe;
    const double reals = std::string(row.storage_in) == "f32" ? 16 : std::string(row.storage_in) == "f16" ? 8 : 4.5;
    EXPECT_EQ(row.bytes_per_point, reals) << row.storage_in;
    // The problem and the recipe of a row make its plan.
    EXPECT_NE(make_plan(nullptr, row.problem, row.recipe), nullptr);
  }
  std::set<std::string> wanted;
  for (const ulpfft_scheme& scheme : schemes()) {
    for (const char* storage : {"f32", "f16", "mxfp8_e4m3:b8"}) wanted.insert(std::string(storage) + " " + scheme.name);
  }
  EXPECT_EQ(found, wanted);
}

TEST(Pareto, FrontsAreThoseThatNoRowBeats) {
  const char* const others[] = {"f16"};
  auto options = sized<ulpfft_pareto_options>();
  options.time_limit_seconds = 1000;
  options.storages = others;
  options.storage_count = 1;
  const ParetoPtr pareto = measure("r2c 256 f32 max_error=1e-3", options);
  const std::vector<ulpfft_pareto_row> rows = rows_of(pareto);
  for (const ulpfft_pareto_row& row : rows) {
    bool front = true, own_front = row.own != 0;
    for (const ulpfft_pareto_row& other : rows) {
      const bool beats = *other.reason == '\0' && other.error <= row.error && other.seconds <= row.seconds &&
                         (other.error < row.error || other.seconds < row.seconds);
      front = front && !beats;
      own_front = own_front && !(beats && other.own != 0);
    }
    if (*row.reason != '\0' || !std::isfinite(row.error)) continue;
    EXPECT_EQ(row.front != 0, front) << row.recipe;
    EXPECT_EQ(row.own_front != 0, own_front) << row.recipe;
  }
  auto facts = sized<ulpfft_pareto_facts>();
  ASSERT_EQ(ulpfft_pareto_get(pareto.get(), &facts), ULPFFT_OK);
  EXPECT_STREQ(facts.problem, "r2c 256 f32");
  EXPECT_EQ(facts.max_error, 1e-3);
  EXPECT_EQ(facts.points, 256);
}

// When the rows after the first began.
struct FirstRow {
  std::string name;
  double ended = 0;
};
int watch_first_row(void* user, double, const char* what) {
  FirstRow& row = *static_cast<FirstRow*>(user);
  if (row.name.empty()) row.name = what;
  if (row.ended == 0 && row.name != what) row.ended = seconds_now();
  return 0;
}

TEST(Pareto, KeepsItsLimitOfTime) {
  constexpr double kLimit = 0.4,
                   kStep = 0.1;  // the longest work between two looks at the clock, on a machine that others use too
  for (const char* problem : {"1024*16 f32", "2^17 f64", "2^20 f32"}) {
    FirstRow first;
    auto options = sized<ulpfft_pareto_options>();
    options.time_limit_seconds = kLimit;
    options.progress = watch_first_row;
    options.progress_user = &first;
    const double begin = seconds_now();
    const ParetoPtr pareto = measure(problem, options);
    const double took = seconds_now() - begin;
    bool measured = false, left_out = false;
    for (const ulpfft_pareto_row& row : rows_of(pareto)) {
      measured = measured || *row.reason == '\0';
      left_out = left_out || row.out_of_time != 0;
    }
    EXPECT_TRUE(measured && left_out) << problem;
    // The first row has all the time it needs. Where it took too long, no other one began, and it ended with the call.
    if (first.ended > 0) {
      EXPECT_LT(took, std::max(1.1 * kLimit, first.ended - begin) + kStep) << problem;
    }
  }
}

struct Canceller {
  double after = 0;  // seconds from the first call on
  double first = 0;
  double asked = 0;  // when it cancelled
};
int cancel(void* user, double fraction, const char* what) {
  Canceller& canceller = *static_cast<Canceller*>(user);
  EXPECT_TRUE(fraction >= 0 && fraction <= 1 && what != nullptr);
  const double now = seconds_now();
  if (canceller.first == 0) canceller.first = now;
  if (now - canceller.first < canceller.after) return 0;
  if (canceller.asked == 0) canceller.asked = now;
  return 1;
}

TEST(Pareto, EndsSoonAfterItIsCancelled) {
  for (const char* problem : {"1024*64 f32", "2^19 f64"}) {
    for (const double after : {0.0, 0.13, 0.31}) {
      Canceller canceller{after};
      auto options = sized<ulpfft_pareto_options>();
      options.progress = cancel;
      options.progress_user = &canceller;
      ulpfft_pareto* pareto = reinterpret_cast<ulpfft_pareto*>(1);
      const ulpfft_status status = ulpfft_pareto_measure(nullptr, problem, &options, &pareto);
      const double ended = seconds_now();
      EXPECT_EQ(status, ULPFFT_CANCELLED) << last_error_text();
      EXPECT_EQ(pareto, nullptr);
      EXPECT_LT(ended - canceller.asked, 0.1) << problem << ", from the answer to the end";
      // From the moment a caller wants it to the next question: 30 ms, and the longest step between two.
      EXPECT_LT(canceller.asked - canceller.first - after, 0.2) << problem << ", until it was asked";
    }
  }
}

TEST(Pareto, JudgesOnTheNumbersOfTheCaller) {
  std::vector<std::complex<float>> impulse(64);
  impulse[16] = 1;  // its transform is made of 1, i, -1, -i, which every storage holds
  auto array = sized<ulpfft_array>();
  array.data[0] = impulse.data();
  auto options = sized<ulpfft_pareto_options>();
  options.judge = &array;
  options.time_limit_seconds = 1000;
  for (const ulpfft_pareto_row& row : rows_of(measure("64 f32 scheme=split", options))) {
    EXPECT_EQ(row.own, 1);
    EXPECT_LT(row.error, 1e-7) << row.recipe;
  }
}

TEST(Pareto, RefusesByFieldAndWord) {
  struct Refused {
    const char *problem, *word, *field;
    ulpfft_status status;
  };
  for (const Refused& refused : {Refused{"64 f3", "f3", "storage_in", ULPFFT_UNKNOWN_NAME},
                                 {"64 f32 scheme=f64", "scheme=f64", "scheme", ULPFFT_UNSUPPORTED},
                                 {"64 f32 intermediate=f16", "intermediate=f16", "intermediate", ULPFFT_UNSUPPORTED},
                                 {"64 f32 chain=mul", "chain=mul", "chain", ULPFFT_UNSUPPORTED},
                                 {"64 f32 in_strides=2", "in_strides=2", "in_strides[0]", ULPFFT_UNSUPPORTED},
                                 {"8x8*4 f32 batch_strides=64,128", "128", "batch_out_strides[0]", ULPFFT_UNSUPPORTED},
                                 {"64 f32 max_error=x", "x", "max_error", ULPFFT_INVALID_TEXT}}) {
    ulpfft_pareto* pareto = nullptr;
    EXPECT_EQ(ulpfft_pareto_measure(nullptr, refused.problem, nullptr, &pareto), refused.status) << last_error_text();
    const LastError error = last_error();
    EXPECT_EQ(error.field, refused.field) << error.message;
    const std::string word = std::string(refused.problem).substr(error.begin, error.end - error.begin);
    EXPECT_TRUE(word == refused.word || std::string(refused.word).ends_with("=" + word)) << refused.problem << ": " << word;
  }
  auto options = sized<ulpfft_pareto_options>();
  const char* const names[] = {"f16", "e8m0", "f61"};
  options.storages = names + 1;
  options.storage_count = 1;
  ulpfft_pareto* pareto = nullptr;
  EXPECT_EQ(ulpfft_pareto_measure(nullptr, "64 f32", &options, &pareto), ULPFFT_UNSUPPORTED);
  EXPECT_EQ(last_error().field, "storages[0]");
  options.storages = names;
  options.storage_count = 3;
  options.time_limit_seconds = NAN;
  EXPECT_EQ(ulpfft_pareto_measure(nullptr, "64 f32", &options, &pareto), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "time_limit_seconds");
  auto judge = sized<ulpfft_array>();
  options = sized<ulpfft_pareto_options>();
  options.judge = &judge;
  EXPECT_EQ(ulpfft_pareto_measure(nullptr, "64 f32", &options, &pareto), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "judge.data[0]") << last_error_text();
  EXPECT_EQ(ulpfft_pareto_measure(nullptr, nullptr, nullptr, &pareto), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_pareto_measure(nullptr, "64 f32", nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  ulpfft_pareto_destroy(nullptr);
}

}  // namespace
}  // namespace ulpfft::test

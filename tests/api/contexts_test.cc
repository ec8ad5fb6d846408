// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The options of a context: threads, the caller's loop, and callers compiled with an older, smaller struct.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

ulpfft_status create(const ulpfft_context_options& options, ContextPtr& context) {
  ulpfft_context* made = nullptr;
  const ulpfft_status status = ulpfft_context_create(&options, &made);
  context.reset(made);
  return status;
}

TEST(ContextThreads, From0To256AreAccepted) {
  for (const int threads : {0, 1, 2, 255, 256}) {
    auto options = sized<ulpfft_context_options>();
    options.threads = threads;
    ContextPtr context;
    EXPECT_EQ(create(options, context), ULPFFT_OK) << threads << ": " << last_error_text();
  }
}

TEST(ContextThreads, OthersAreRefusedByName) {
  for (const int threads : {-1, 257, 1 << 30}) {
    auto options = sized<ulpfft_context_options>();
    options.threads = threads;
    ContextPtr context;
    EXPECT_EQ(create(options, context), ULPFFT_INVALID_ARGUMENT) << threads;
    EXPECT_EQ(last_error().field, "threads");
    EXPECT_NE(last_error().message.find("256"), std::string::npos) << last_error().message;
  }
}

// Version 0.1 of the struct held size and target.
TEST(ContextOptions, OfTheFirstPublishedSizeStillWork) {
  constexpr std::size_t kFirst = offsetof(ulpfft_context_options, threads);
  std::vector<char> small(kFirst);  // its end is the end of the memory: a sanitizer sees a read beyond it
  ulpfft_context_options options{};
  options.size = kFirst;
  options.target = "ref";
  std::memcpy(small.data(), &options, kFirst);
  ulpfft_context* context = nullptr;
  ASSERT_EQ(ulpfft_context_create(reinterpret_cast<const ulpfft_context_options*>(small.data()), &context), ULPFFT_OK) << last_error_text();
  EXPECT_NE(std::string(ulpfft_machine(context)).find(".ref"), std::string::npos);
  ulpfft_context_destroy(context);
}

TEST(ContextOptions, SmallerThanTheFirstPublishedSizeAreRefused) {
  for (const std::size_t size : {std::size_t{0}, offsetof(ulpfft_context_options, threads) - 1}) {
    auto options = sized<ulpfft_context_options>();
    options.size = size;
    ContextPtr context;
    EXPECT_EQ(create(options, context), ULPFFT_INVALID_ARGUMENT) << size;
    EXPECT_EQ(last_error().field, "options.size");
  }
}

// What lies beyond `size` is not the library's to read: here it would be refused.
TEST(ContextOptions, FieldsBeyondTheirSizeAreNotRead) {
  auto options = sized<ulpfft_context_options>();
  options.size = offsetof(ulpfft_context_options, threads);
  options.threads = -1;
  ContextPtr context;
  EXPECT_EQ(create(options, context), ULPFFT_OK) << last_error_text();
}

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Signals through streams, whole or cut into pushes and takes of random sizes.
#ifndef ULPFFT_TESTS_STREAM_STREAM_RUN_H_
#define ULPFFT_TESTS_STREAM_STREAM_RUN_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "ulpfft/stream.h"

namespace ulpfft::test {

struct StreamDelete {
  void operator()(ulpfft_stream* stream) const { ulpfft_stream_destroy(stream); }
};
using StreamPtr = std::unique_ptr<ulpfft_stream, StreamDelete>;

// Null, and a test failure, where the library refuses.
inline StreamPtr make_stream(const ulpfft_stream_options& options, ulpfft_context* context = nullptr) {
  ulpfft_stream* stream = nullptr;
  EXPECT_EQ(ulpfft_stream_create(context, &options, nullptr, &stream), ULPFFT_OK) << last_error_text();
  return StreamPtr(stream);
}

inline ulpfft_stream_facts facts_of(const StreamPtr& stream) {
  auto facts = sized<ulpfft_stream_facts>();
  EXPECT_EQ(ulpfft_stream_facts_get(stream.get(), &facts), ULPFFT_OK) << last_error_text();
  return facts;
}

using Bytes = std::vector<std::byte>;

// All items of a signal. `cuts`: null, or pushes and takes have random sizes.
inline Bytes run_stream(const StreamPtr& stream, const void* samples, std::int64_t count, Random* cuts = nullptr) {
  const ulpfft_stream_facts facts = facts_of(stream);
  const std::size_t item = facts.item_bytes;
  Bytes all;
  const auto take = [&](std::int64_t most) {
    Bytes items(static_cast<std::size_t>(most) * item);
    std::int64_t taken = 0;
    EXPECT_EQ(ulpfft_stream_take(stream.get(), items.data(), most, &taken), ULPFFT_OK) << last_error_text();
    EXPECT_LE(taken, most);
    all.insert(all.end(), items.begin(), items.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(taken) * item));
    return taken;
  };
  const std::int64_t most_cut = cuts != nullptr ? cuts->between(1, 2 * facts.block + 10) : 0;
  const std::int64_t whole = std::max<std::int64_t>(facts.room, 1);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t more = std::min(count - done, cuts != nullptr ? cuts->between(0, most_cut) : count);
    std::int64_t pushed = 0;
    const std::byte* from = static_cast<const std::byte*>(samples) + static_cast<std::size_t>(done) * facts.sample_bytes;
    EXPECT_EQ(ulpfft_stream_push(stream.get(), from, more, &pushed), ULPFFT_OK) << last_error_text();
    EXPECT_LE(ulpfft_stream_ready(stream.get()), facts.room);
    done += pushed;
    take(cuts != nullptr ? cuts->between(0, most_cut) : whole);
  }
  EXPECT_EQ(ulpfft_stream_flush(stream.get()), ULPFFT_OK) << last_error_text();
  while (take(cuts != nullptr ? cuts->between(1, most_cut) : whole) > 0) {
  }
  return all;
}

// Normal real numbers of variance 1 as bytes of f32 or f64.
inline Bytes normal_numbers(std::int64_t count, bool f64, std::uint64_t seed) {
  Random random(seed);
  Bytes bytes(static_cast<std::size_t>(count) * (f64 ? sizeof(double) : sizeof(float)));
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = random.normal();
    const auto narrow = static_cast<float>(value);
    if (f64) std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof value, &value, sizeof value);
    else std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof narrow, &narrow, sizeof narrow);
  }
  return bytes;
}

// Pushes of up to the stated size are taken whole where all ready items were taken before.
inline void expect_whole_pushes(const StreamPtr& stream, std::int64_t most_pushed, bool f64, std::uint64_t seed) {
  const ulpfft_stream_facts facts = facts_of(stream);
  const Bytes signal = normal_numbers(2 * most_pushed, f64, 3);
  Bytes items(static_cast<std::size_t>(facts.room) * facts.item_bytes);
  Random random(seed);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t count = random.chance(0.5) ? most_pushed : random.between(1, most_pushed);
    std::int64_t pushed = 0;
    std::int64_t taken = 0;
    ASSERT_EQ(ulpfft_stream_push(stream.get(), signal.data(), count, &pushed), ULPFFT_OK);
    ASSERT_EQ(pushed, count);
    ASSERT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
  }
}

// Number i of an array of f32 or f64.
inline long double number_at(const Bytes& bytes, std::int64_t i, bool f64) {
  if (!f64) {
    float value = 0;
    std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
    return value;
  }
  double value = 0;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
  return value;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_STREAM_STREAM_RUN_H_

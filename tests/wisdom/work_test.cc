// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How work grows with the number of entries, counted instead of timed.
#include <cstdlib>
#include <new>

#include "tests/wisdom/testing.h"
#include "wisdom/codec.h"
#include "wisdom/file.h"

namespace {

thread_local std::size_t allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ulpfft {
namespace {

using testing::entry_of;
using testing::policy_here;

std::string text_of(std::size_t entries) {
  Document document;
  for (std::size_t i = 0; i < entries; ++i) document.plans.push_back(entry_of(std::to_string(i + 100000) + " f32"));
  return encode_wisdom(document);
}

template <typename Work>
std::size_t allocations_of(const Work& work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

TEST(Work, OfAnImportIsInProportionToItsEntries) {
  std::size_t calls = 0;
  ImportPolicy policy = policy_here();
  policy.digest = [&](const Problem&, const Recipe&, const std::string&) {
    ++calls;
    return std::optional<std::uint64_t>(0x0123456789abcdef);
  };
  const auto work_of = [&](std::size_t entries) {
    const std::string text = text_of(entries);
    Store store;
    calls = 0;
    const std::size_t count = allocations_of([&] { EXPECT_EQ(import_wisdom(store, text, policy).accepted, entries); });
    EXPECT_EQ(calls, entries) << "the planner is asked once for each entry";
    return count;
  };
  const std::size_t thousand = work_of(1000);
  const std::size_t ten_thousand = work_of(10000);
  EXPECT_LE(ten_thousand, 11 * thousand) << thousand << " allocations for 1000 entries";
}

TEST(Work, OfALookUpDoesNotDependOnTheEntries) {
  const auto work_of = [](std::size_t entries) {
    Store store;
    import_wisdom(store, text_of(entries), policy_here());
    return allocations_of([&] { EXPECT_TRUE(store.find("100005 f32", "x86.25.17.avx3").has_value()); });
  };
  EXPECT_EQ(work_of(10), work_of(10000));
}

}  // namespace
}  // namespace ulpfft

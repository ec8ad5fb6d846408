// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/pump.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tools/ulpfft/text.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::signals {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kMostItemBytes = std::size_t{1} << 20;

struct Block {
  std::vector<double> numbers;  // of f64, or twice as many of f32, or codes
  std::int64_t samples = 0;     // 0: the end
};

// Reads and widens a block.
class Reader {
 public:
  Reader(Source& source, Blocks held)
      : source_(source),
        held_(held),
        bytes_(std::max(kBlockBytes / source.facts().type.bytes(), std::size_t{1}) * source.facts().type.bytes()) {}

  void fill(Block& block) {
    const SampleType& type = source_.facts().type;
    if (held_ == Blocks::kAsTheyAre) {
      block.numbers.resize(bytes_.size() / sizeof(double) + 1);
      const auto room = std::as_writable_bytes(std::span(block.numbers)).first(bytes_.size());
      block.samples = static_cast<std::int64_t>(source_.read(room) / type.bytes());
      return;
    }
    const std::size_t got = source_.read(bytes_);
    block.numbers.resize(bytes_.size() / type.real_bytes());
    widen(type, std::span(bytes_).first(got), block.numbers.data());
    block.samples = static_cast<std::int64_t>(got / type.bytes());
  }

 private:
  Source& source_;
  Blocks held_;
  std::vector<std::byte> bytes_;
};

// Blocks that another thread fills, in turn.
class FilledBeside {
 public:
  FilledBeside(Source& source, Blocks held) : reader_(source, held), filling_([this] { fill_all(); }) {}
  ~FilledBeside() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    filling_.join();
  }
  FilledBeside(const FilledBeside&) = delete;
  FilledBeside& operator=(const FilledBeside&) = delete;

  const Block& next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return filled_ > taken_ || failure_; });
    if (filled_ == taken_) std::rethrow_exception(failure_);
    return blocks_[taken_ % blocks_.size()];
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      ++taken_;
    }
    changed_.notify_all();
  }

 private:
  void fill_all() {
    try {
      for (bool more = true; more;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return filled_ - taken_ < blocks_.size() || over_; });
        if (over_) return;
        Block& block = blocks_[filled_ % blocks_.size()];
        lock.unlock();
        reader_.fill(block);
        more = block.samples > 0;
        lock.lock();
        ++filled_;
        lock.unlock();
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  Reader reader_;
  std::array<Block, 3> blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0, taken_ = 0;
  bool over_ = false;
  std::exception_ptr failure_;
  std::thread filling_;  // the last: the others are there when it begins
};

}  // namespace

std::int64_t pump(Source& source, Blocks held, int threads, const std::string& title, const UseBlock& use) {
  const SourceFacts& facts = source.facts();
  std::optional<ProgressBar> bar;
  if (!title.empty() && facts.samples > 0) bar.emplace(title);
  std::int64_t samples = 0;
  const auto take = [&](const Block& block) {
    if (block.samples > 0) use(block.numbers.data(), block.samples);
    samples += block.samples;
    if (!bar) return;
    const double bytes = static_cast<double>(facts.type.bytes());
    bar->show(static_cast<double>(samples) / static_cast<double>(facts.samples),
              show_bytes(static_cast<std::size_t>(static_cast<double>(samples) * bytes)) + " of " +
                  show_bytes(static_cast<std::size_t>(static_cast<double>(facts.samples) * bytes)));
  };
  if (threads <= 1) {
    Reader reader(source, held);
    Block block;
    do {
      reader.fill(block);
      take(block);
    } while (block.samples > 0);
    return samples;
  }
  FilledBeside blocks(source, held);
  for (std::int64_t now = 1; now > 0; blocks.release()) {
    const Block& block = blocks.next();
    now = block.samples;
    take(block);
  }
  return samples;
}

StreamFeed::StreamFeed(const ulpfft_stream_options& options, UseItems use) : use_(std::move(use)) {
  ulpfft::detail::check(ulpfft_stream_create(nullptr, &options, nullptr, &stream_));
  ulpfft::detail::check(ulpfft_stream_facts_get(stream_, &facts_));
  room_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(kMostItemBytes / facts_.item_bytes), 1,
                                   std::max<std::int64_t>(facts_.room, 1));
  items_.resize(static_cast<std::size_t>(room_) * facts_.item_bytes);
}

double StreamFeed::rounding_floor() const {
  ulpfft_stream_floor floor = ULPFFT_STREAM_FLOOR_INIT;
  ulpfft::detail::check(ulpfft_stream_floor_get(stream_, &floor));
  return floor.power;
}

void StreamFeed::take_all() {
  for (std::int64_t taken = 1; taken > 0;) {
    ulpfft::detail::check(ulpfft_stream_take(stream_, items_.data(), room_, &taken));
    if (taken > 0) use_(items_.data(), taken);
  }
}

void StreamFeed::push(const void* numbers, std::int64_t samples) {
  const auto* from = static_cast<const std::byte*>(numbers);
  for (std::int64_t done = 0, pushed = 0; done < samples; done += pushed) {
    ulpfft::detail::check(
        ulpfft_stream_push(stream_, from + static_cast<std::size_t>(done) * facts_.sample_bytes, samples - done, &pushed));
    take_all();
  }
}

void StreamFeed::finish() {
  ulpfft::detail::check(ulpfft_stream_flush(stream_));
  take_all();
}

}  // namespace ulpfft_tool::signals

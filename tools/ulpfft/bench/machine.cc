// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/machine.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "tools/ulpfft/bench/machine_kernels.h"
#include "tools/ulpfft/bench/memory.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::bench {
namespace {

constexpr int kSamples = 7;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Bytes of a cache, or what is usual where the system does not say. Not by sysconf: what it reads from the processor is that of
// the host's whole package in some guests (384 MiB for an L3 of 32).
std::size_t cache_bytes(int level, std::size_t usual) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = first_line(folder + "type");
    if (first_line(folder + "level") != std::to_string(level) || (type != "Data" && type != "Unified")) continue;
    const std::string size = first_line(folder + "size");  // "48K"
    const std::size_t unit = size.ends_with('K') ? std::size_t{1} << 10 : size.ends_with('M') ? std::size_t{1} << 20 : 1;
    const std::size_t bytes = unit * std::strtoull(size.c_str(), nullptr, 10);
    if (bytes >= 2 * kCopyStep) return bytes;
  }
  return usual;
}

template <typename Work>
class Loop : public Contender {
 public:
  explicit Loop(const Work& work) : work_(work) {}
  void run(std::int64_t repeats) override { work_(repeats); }

 private:
  const Work& work_;
};

// Seconds of one repeat, sample by sample.
template <typename Work>
std::vector<double> time(const Work& work, double seconds) {
  Loop<Work> loop(work);
  const Stopwatch watch(true);
  const double target = seconds / kSamples;
  std::int64_t repeats = 1;
  for (double took = 0; (took = watch.seconds_of(loop, repeats)) < target;) {
    const double factor = took > 0 ? std::min(1.2 * target / took, 100.0) : 100.0;
    repeats = std::max(repeats + 1, static_cast<std::int64_t>(static_cast<double>(repeats) * factor));
  }
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) samples.push_back(watch.seconds_of(loop, repeats) / static_cast<double>(repeats));
  return samples;
}

volatile double sink;  // what the loops compute is used

// The fastest sample: a peak is what the machine reaches undisturbed.
template <typename T>
double peak(T (*multiply_add)(std::int64_t), std::size_t vector_bytes, double seconds) {
  const std::vector<double> samples =
      time([&](std::int64_t repeats) { sink = static_cast<double>(multiply_add(repeats)); }, seconds);
  const double flops = 2.0 * kChains * static_cast<double>(vector_bytes / sizeof(T));
  return flops / *std::min_element(samples.begin(), samples.end());
}

double copy_speed(void (*copy)(const std::byte*, std::byte*, std::size_t), std::size_t bytes, double seconds) {
  const std::size_t half = bytes / 2 / kCopyStep * kCopyStep;
  const std::size_t apart = (half + 4095) / 4096 * 4096 + 17 * 64;  // not at equal places of a page
  const Memory memory(static_cast<std::byte*>(std::aligned_alloc(4096, (apart + half + 4095) / 4096 * 4096)));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill(memory.get(), memory.get() + apart + half, std::byte{1});
  const std::vector<double> samples = time(
      [&](std::int64_t repeats) {
        for (std::int64_t i = 0; i < repeats; ++i) copy(memory.get(), memory.get() + apart, half);
      },
      seconds);
  return 2.0 * static_cast<double>(half) / median_of(samples).value;
}

}  // namespace

const CopySpeed* Machine::level_of(double bytes) const {
  for (const CopySpeed& copy : copies) {
    if (copy.capacity == 0 || bytes <= static_cast<double>(copy.capacity)) return &copy;
  }
  return nullptr;
}

Machine measure_machine(double seconds, double largest_bytes) {
  const MachineKernels& kernels = machine_kernels();
  Machine machine;
  machine.processor = processor_name();
  machine.cpus = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  machine.instructions = kernels.instructions;
  machine.fused = kernels.fused;
  const std::size_t l1 = cache_bytes(1, std::size_t{32} << 10);
  const std::size_t l2 = cache_bytes(2, std::size_t{1} << 20);
  const std::size_t l3 = cache_bytes(3, std::size_t{16} << 20);
  const std::size_t beyond = std::clamp(4 * l3, std::size_t{64} << 20, std::size_t{512} << 20);
  machine.copies = {{"L1", l1, l1 / 2, 0, 0}, {"L2", l2, l2 / 2, 0, 0}, {"L3", l3, l3 / 2, 0, 0}, {"DRAM", 0, beyond, 0, 0}};
  if (const CopySpeed* last = machine.level_of(largest_bytes)) machine.copies.resize(static_cast<std::size_t>(last - machine.copies.data()) + 1);
  const double each = seconds / 10;  // two types, four levels twice
  machine.flops_f32 = peak(kernels.multiply_add_f32, kernels.vector_bytes, each);
  machine.flops_f64 = peak(kernels.multiply_add_f64, kernels.vector_bytes, each);
  for (CopySpeed& copy : machine.copies) {
    copy.plain = copy_speed(kernels.copy, copy.bytes, each);
    if (kernels.copy_streaming != nullptr) copy.streaming = copy_speed(kernels.copy_streaming, copy.bytes, each);
  }
  return machine;
}

}  // namespace ulpfft_tool::bench

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the kernels of one execution need: registers, shared memory, blocks and time of ours and of cuFFT's, as CUPTI records them. Plans
// are the default ones. Code of cuFFT is called and not read.
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "tests/gpu/cufft.h"
#include "tests/gpu/json.h"
#include "tests/gpu/parts.h"
#include "tests/gpu/stored_reals.h"

namespace ulpfft::test {
namespace {

constexpr int kLengths[] = {8, 10, 12, 13, 14, 16, 20, 24};
constexpr const char* kStorages[] = {"f32", "f64", "f16", "bf16"};

std::string three(const int (&sizes)[3]) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

void print_record(const std::string& problem, const char* by, const KernelRecord& record) {
  std::printf("%-22s %-7s %5d %8d %8d %6d %16s %12s %10.2f  %.60s\n", problem.c_str(), by, record.registers, record.static_shared_bytes,
              record.dynamic_shared_bytes, record.local_bytes, three(record.grid).c_str(), three(record.block).c_str(),
              1e6 * record.seconds, record.name.c_str());
}

std::string json_of(const std::string& problem, const char* by, const KernelRecord& record) {
  return "{\"problem\": " + quoted(problem) + ", \"by\": " + quoted(by) + ", \"kernel\": " + quoted(record.name) +
         ", \"registers\": " + std::to_string(record.registers) +
         ", \"static_shared_bytes\": " + std::to_string(record.static_shared_bytes) +
         ", \"dynamic_shared_bytes\": " + std::to_string(record.dynamic_shared_bytes) +
         ", \"local_bytes\": " + std::to_string(record.local_bytes) + ", \"grid\": " + quoted(three(record.grid)) +
         ", \"block\": " + quoted(three(record.block)) + ", \"seconds\": " + number(record.seconds) + "}";
}

class Records {
 public:
  Records(const Cupti& cupti, int points_log2) : cupti_(cupti), points_log2_(points_log2) {
    try {
      cufft_.emplace();
    } catch (const std::runtime_error& error) {
      std::printf("%s\n", error.what());
    }
  }

  void add_storage(const char* storage_name) {
    const StoredReals storage = storage_of(storage_name);
    const std::size_t bytes = (std::size_t{1} << points_log2_) * 2 * storage.bytes;
    const DeviceArray in(bytes), out(bytes);
    const std::vector<std::byte> data = random_reals(storage, bytes / storage.bytes);
    in.from_host(data.data(), data.size());
    for (const int log2_n : kLengths) {
      if (log2_n <= points_log2_) add(storage_name, storage.type, log2_n, in, out);
    }
  }

  std::string json() const { return "{\"cupti\": " + std::to_string(cupti_.version()) + ", \"kernels\": [" + rows_ + "]}"; }

 private:
  void add(const std::string& storage, CudaComplex type, int log2_n, const DeviceArray& in, const DeviceArray& out) {
    const std::int64_t n = std::int64_t{1} << log2_n, batch = std::int64_t{1} << (points_log2_ - log2_n);
    const std::string problem = std::to_string(n) + "*" + std::to_string(batch) + " " + storage;
    const PlanPtr plan = make_plan(check_context(), problem + " backend=cuda");
    if (plan == nullptr) throw std::runtime_error(problem + ": " + last_error_text());
    record(problem, "ulpfft", out, [&] {
      if (ulpfft_execute(plan.get(), in.data(), out.data()) != ULPFFT_OK) throw std::runtime_error(problem + ": " + last_error_text());
    });
    if (!cufft_.has_value()) return;
    std::optional<Cufft::Plan> theirs;
    try {
      theirs.emplace(*cufft_, n, batch, type, false);
    } catch (const std::runtime_error& error) {
      std::printf("%-22s cuFFT: %s\n", problem.c_str(), error.what());
      return;
    }
    record(problem, "cuFFT", out, [&] { theirs->execute(in.data(), out.data()); });
  }

  // Of the second execution.
  template <class Run>
  void record(const std::string& problem, const char* by, const DeviceArray& out, const Run& run) {
    run();
    out.to_host(1);  // waits
    cupti_.take();
    run();
    out.to_host(1);
    const std::vector<KernelRecord> records = cupti_.take();
    if (records.empty()) throw std::runtime_error(problem + ": CUPTI has recorded no kernel of " + by + ".");
    for (const KernelRecord& one : records) {
      print_record(problem, by, one);
      rows_ += (rows_.empty() ? "\n" : ",\n") + json_of(problem, by, one);
    }
  }

  const Cupti& cupti_;
  const int points_log2_;
  std::optional<Cufft> cufft_;
  std::string rows_;
};

}  // namespace

bool run_records(const Cupti& cupti, bool is_fake, int points_log2, const std::string& json_file) {
  std::printf("%s\n", is_fake ? "FAKE DRIVER: the records below are of no device." : "Records of CUPTI, of the second execution.");
  std::printf("%-22s %-7s %5s %8s %8s %6s %16s %12s %10s  %s\n", "problem", "by", "regs", "static", "dynamic", "local", "grid", "block",
              "us", "kernel");
  Records records(cupti, points_log2);
  for (const char* storage : kStorages) records.add_storage(storage);
  std::ofstream(json_file) << records.json() << "\n";
  return true;
}

}  // namespace ulpfft::test

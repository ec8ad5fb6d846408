// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One part of the check of a GPU: tools/gpu_check has the list. Ends with 0: passed, 1: failed, 77: skipped, with the reason printed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "tests/gpu/cufft.h"
#include "tests/gpu/json.h"
#include "tests/gpu/parts.h"

namespace ulpfft::test {
namespace {

constexpr int kSkipped = 77;
constexpr const char* kUsage =
    "gpu_check_runner kind | write-hashes FILE | info JSON | api JSON | spoiled JSON | hashes JSON FILE STEP |\n"
    "  grid JSON STORAGE POINTS_LOG2 SECONDS SAMPLES | records JSON POINTS_LOG2 |\n"
    "  chunks JSON POINTS_LOG2 SAMPLES\n";

Machine* current = nullptr;

int run_tests(const std::string& filter, const std::string& json_file) {
  std::string program = "gpu_check_runner", filter_option = "--gtest_filter=" + filter, output = "--gtest_output=json:" + json_file;
  char* arguments[] = {program.data(), filter_option.data(), output.data(), nullptr};
  int count = 3;
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}

int run_part(Machine& machine, const Cupti* cupti, const std::vector<std::string>& words) {
  const std::string& part = words.at(0);
  const std::string& file = words.at(1);
  if (part == "write-hashes") {
    write_hashes(file);
    return 0;
  }
  if (part == "info") return describe_machine(machine, file) ? 0 : 1;
  if (part == "api") return run_tests("GpuApi.*", file);
  if (part == "spoiled") return run_tests("GpuSpoiled.*", file);
  if (part == "hashes") return compare_hashes(words.at(2), std::stoi(words.at(3)), file) ? 0 : 1;
  if (part == "grid") {
    const GridWanted wanted{words.at(2), std::stoi(words.at(3)), std::stod(words.at(4)), std::stoi(words.at(5))};
    return static_cast<int>(run_grid(machine, wanted, file));
  }
  if (part == "chunks") return run_chunks(machine.is_fake(), std::stoi(words.at(2)), std::stoi(words.at(3)), file) ? 0 : 1;
  if (part == "records") return run_records(*cupti, machine.is_fake(), std::stoi(words.at(2)), file) ? 0 : 1;
  throw std::invalid_argument("no part has this name");
}

}  // namespace

Machine& machine() { return *current; }

ulpfft_context* check_context() {
  static const ContextPtr context = make_context();
  return context.get();
}

bool describe_machine(const Machine& machine, const std::string& json_file) {
  const std::string device = take(ulpfft_backend_describe("cuda"));
  std::string cufft;
  try {
    cufft = "version " + Cufft().version();
  } catch (const std::runtime_error& error) {
    cufft = error.what();
  }
  std::printf("%s%scuFFT: %s\n", machine.is_fake() ? "FAKE DRIVER: a rehearsal without a device.\n" : "", device.c_str(), cufft.c_str());
  std::ofstream(json_file) << "{\"fake_driver\": " << (machine.is_fake() ? "true" : "false") << ", \"device\": " << quoted(device)
                           << ", \"cufft\": " << quoted(cufft) << "}\n";
  return device.find("device 0: ") != std::string::npos && device.find("no CUDA kernels") == std::string::npos;
}

}  // namespace ulpfft::test

int main(int argc, char** argv) {
  using namespace ulpfft::test;
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool asks_kind = words == std::vector<std::string>{"kind"};
  std::unique_ptr<Cupti> cupti;
  std::unique_ptr<Machine> made;
  try {
    if (!words.empty() && words[0] == "records") cupti = std::make_unique<Cupti>();
    made = make_machine();
  } catch (const std::exception& error) {
    if (asks_kind) return std::puts("no device") >= 0 ? 0 : 1;
    std::printf("SKIP %s\n", error.what());
    return kSkipped;
  }
  if (asks_kind) return std::puts(made->is_fake() ? "fake driver" : "device") >= 0 ? 0 : 1;
  current = made.get();
  try {
    return run_part(*made, cupti.get(), words);
  } catch (const std::logic_error& error) {
    std::fprintf(stderr, "%s: %s", error.what(), kUsage);
    return 2;
  } catch (const std::exception& error) {
    std::printf("FAIL %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The parts of a check. Each prints lines for people, writes JSON to a file, and returns whether it passed. A part that cannot be run
// throws std::runtime_error with a sentence.
#ifndef ULPFFT_TESTS_GPU_PARTS_H_
#define ULPFFT_TESTS_GPU_PARTS_H_

#include <cstdint>
#include <string>

#include "tests/gpu/cupti.h"
#include "tests/gpu/machine.h"
#include "tests/support/api.h"

namespace ulpfft::test {

// Which device, driver and cuFFT.
bool describe_machine(const Machine& machine, const std::string& json_file);

// Lines of problem, recipe and hash, separated by tabs. The driver without a device gives the hashes of the twins.
void write_hashes(const std::string& file);
// Compares every `step`-th line with what the device gives.
bool compare_hashes(const std::string& file, int step, const std::string& json_file);

struct GridWanted {
  std::string storage;
  int points_log2 = 26;   // of a batch, and the longest length
  double seconds = 50;    // lengths that are not begun by then are left out, each by a line
  int samples = 15;
};
// What a part ends with. A part that had not enough time for everything is incomplete: what it did passed.
enum class PartState : int { kPassed = 0, kFailed = 1, kIncomplete = 75 };
// A line of JSON for each length.
PartState run_grid(Machine& machine, const GridWanted& wanted, const std::string& json_file);

// What CUPTI records of the kernels of one execution, of lengths up to 2^points_log2.
bool run_records(const Cupti& cupti, bool is_fake, int points_log2, const std::string& json_file);

// Times long transforms with several sizes of the matrix between two sweeps. The driver is another one from then on.
bool run_chunks(bool is_fake, int points_log2, int samples, const std::string& json_file);

// Shared by the tests of the interface.
Machine& machine();
ulpfft_context* check_context();

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_PARTS_H_

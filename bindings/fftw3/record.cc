// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/record.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "bindings/fftw3/wishes.h"

namespace ulpfft::fftw3 {

namespace {

struct Records {
  std::mutex mutex;
  std::map<std::string, Record> by_problem;
};

// Never destroyed, so that functions called while a program ends find them.
Records& records() {
  static Records& all = *new Records;
  return all;
}

// 64-bit FNV-1a by numbers rather than bytes.
struct Digest {
  std::uint64_t value = 0xcbf29ce484222325u;

  void add(const void* array, std::int64_t real) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char*>(array) + real * kPrecision.real_bytes,
                static_cast<std::size_t>(kPrecision.real_bytes));
    value = (value ^ bits) * 0x100000001b3u;
    value ^= value >> 29;
  }
};

// The output numbers from dimension `at` on, loops before lengths.
void add_numbers(const Problem& problem, std::size_t at, const void* re, const void* im, std::int64_t offset, Digest& digest) {
  const std::size_t loops = problem.loops.size();
  if (at == loops + problem.dims.size()) {
    digest.add(re, offset);
    if (is_complex_out(problem.kind)) digest.add(im, offset);
    return;
  }
  const Dim& dim = at < loops ? problem.loops[at] : problem.dims[at - loops];
  const std::int64_t n = at < loops ? dim.n : stored_length(problem, at - loops, true);
  for (std::int64_t i = 0; i < n; ++i) add_numbers(problem, at + 1, re, im, offset + i * dim.out_stride, digest);
}

std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void describe(const Transform& transform, Record& record) {
  transform.each_plan([&](const ulpfft_plan* part) {
    char* const problem = ulpfft_plan_problem(part);
    char* const recipe = ulpfft_plan_recipe(part);
    if (problem != nullptr) record.problem_text += (record.problem_text.empty() ? "" : " and ") + std::string(problem);
    if (recipe != nullptr) record.recipe += (record.recipe.empty() ? "" : " and ") + std::string(recipe);
    ulpfft_string_free(problem);
    ulpfft_string_free(recipe);
  });
  if (record.problem_text.empty()) record.problem_text = "nothing to transform";
}

std::string name_of_process() {
  std::string name = program_invocation_short_name;
  for (char& c : name) c = static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return name;
}

[[gnu::destructor]] void write_records() {
  const std::string& folder = wishes().report;
  if (folder.empty()) return;
  Records& all = records();
  const std::lock_guard lock(all.mutex);
  std::FILE* file = nullptr;
  const std::string path = folder + "/" + std::to_string(getpid()) + "." + kPrecision.storage;
  for (const auto& [key, record] : all.by_problem) {
    if (record.plans == 0 && record.calls == 0) continue;
    if (file == nullptr) file = std::fopen(path.c_str(), "w");
    if (file == nullptr) return complain("The report cannot be written.");
    std::fprintf(file, "transform\t%d\t%s\t%s\t%s\t%llu\t%llu\t%.9f\t%s\t%016llx\n", getpid(), name_of_process().c_str(),
                 kPrecision.storage, record.problem_text.c_str(), static_cast<unsigned long long>(record.plans),
                 static_cast<unsigned long long>(record.calls), static_cast<double>(record.nanoseconds) * 1e-9,
                 record.recipe.c_str(), static_cast<unsigned long long>(record.digest));
    for (const what_if::Question& question : record.questions.all) question.write(file);
  }
  if (file != nullptr && std::fclose(file) != 0) complain("The report cannot be written.");
}

}  // namespace

Record* record_plan(const Problem& problem, const Transform& transform) {
  if (wishes().report.empty()) return nullptr;
  Record made;
  describe(transform, made);
  Records& all = records();
  const std::lock_guard lock(all.mutex);
  Record& record = all.by_problem[made.problem_text + made.recipe + bytes_of(problem)];
  if (record.problem_text.empty()) {
    record.problem = problem;
    record.problem_text = made.problem_text;
    record.recipe = made.recipe;
    ask(problem, made.problem_text, record.questions);
  }
  record.plans.fetch_add(1, std::memory_order_relaxed);
  return &record;
}

void Watch::begin(const Arrays& arrays, bool split) {
  re_ = arrays.out[0];
  im_ = split ? arrays.out[1] : static_cast<char*>(arrays.out[0]) + kPrecision.real_bytes;
  asked_ = Asked::before(record_->questions, arrays, split);
  began_ = now();
}

void Watch::end() {
  record_->nanoseconds.fetch_add(now() - began_, std::memory_order_relaxed);
  record_->calls.fetch_add(1, std::memory_order_relaxed);
  if (asked_ != nullptr) asked_->answer();
  if (!wishes().same_bits || re_ == nullptr) return;
  Digest digest;
  add_numbers(record_->problem, 0, re_, im_, 0, digest);
  record_->digest.fetch_add(digest.value, std::memory_order_relaxed);
}

void lock_records() { records().mutex.lock(); }
void unlock_records() { records().mutex.unlock(); }

void forget_counts() {
  for (auto& [key, record] : records().by_problem) {
    record.plans = record.calls = record.nanoseconds = record.digest = 0;
    record.questions.calls = 0;
    for (what_if::Question& question : record.questions.all) question.forget_counts();
  }
}

}  // namespace ulpfft::fftw3

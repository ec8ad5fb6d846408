// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Counts and times the transforms of a process, where the environment asks for a report, and writes them when the process exits.
//
// File     FOLDER/PID.STORAGE, a line for each problem and recipe: fields behind tabs, namely "transform", pid, name of the process,
//          storage, problem, plans, calls, seconds, recipe, digest. Lines of its questions follow (question.h). A child of fork() has
//          a file of its own, which begins there.
// Seconds  are those of the plain transforms.
// Digest   of the output numbers of all calls, in the order of the transform whatever their strides; a sum over the calls, so that their
//          order does not matter. Taken where deterministic plans are asked for; else 0.
// Threads  any number may plan and execute at once. Seconds of threads add up.
#ifndef ULPFFT_BINDINGS_FFTW3_RECORD_H_
#define ULPFFT_BINDINGS_FFTW3_RECORD_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "bindings/fftw3/problem.h"
#include "bindings/fftw3/transform.h"
#include "bindings/fftw3/asked.h"

namespace ulpfft::fftw3 {

struct Record {
  Problem problem;
  std::string problem_text, recipe;
  std::atomic<std::uint64_t> plans{0}, calls{0}, nanoseconds{0}, digest{0};
  Questions questions;
};

// That of the plan's problem, for the life of the process; null where no report is asked for.
Record* record_plan(const Problem& problem, const Transform& transform);

// Around one execution. Arrays of re and im each, as the call has them.
class Watch {
 public:
  Watch(Record* record, const Arrays& arrays, bool split) : record_(record) {
    if (record != nullptr) [[unlikely]]
      begin(arrays, split);
  }
  ~Watch() {
    if (record_ != nullptr) [[unlikely]]
      end();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void begin(const Arrays& arrays, bool split);
  void end();

  Record* const record_;
  Asked* asked_;
  void* re_;
  void* im_;
  std::uint64_t began_;
};

// For the handlers of fork(): a child counts anew.
void lock_records();
void unlock_records();
void forget_counts();

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_RECORD_H_

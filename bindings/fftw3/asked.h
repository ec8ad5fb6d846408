// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the environment asks of the transforms of a process: to be computed as if their arrays were kept in other formats.
//
// Compared  the first 32 executions of a problem and every 32nd one, with the plain transform, by every SPEC. The first SPEC answers all
//           others, too: its results are the program's. Where it has none, the plain ones are.
// Threads   any number may execute at once.
#ifndef ULPFFT_BINDINGS_FFTW3_ASKED_H_
#define ULPFFT_BINDINGS_FFTW3_ASKED_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "bindings/fftw3/problem.h"
#include "bindings/what_if/question.h"

namespace ulpfft::fftw3 {

// All SPECs that are asked of one problem, for the life of the process.
struct Questions {
  Problem problem;
  what_if::Subject subject;
  std::deque<what_if::Question> all;
  std::atomic<std::uint64_t> calls{0};
};

// Adds what is asked of the problem with this text. Throws std::bad_alloc.
void ask(const Problem& problem, const std::string& text, Questions& questions);

// One execution, around the plain one.
class Asked {
 public:
  // Keeps the input. Null where nothing is asked, or memory is short.
  static Asked* before(Questions& questions, const Arrays& arrays, bool split) noexcept;
  // Puts the first SPEC's result in the place of the plain one. Destroys this.
  void answer() noexcept;

 private:
  Asked(Questions& questions, const Arrays& arrays, bool split);

  Questions& questions_;
  Arrays arrays_;
  what_if::Form form_;
  what_if::Memory input_;
};

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_ASKED_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a subject's results would be by a SPEC: as if its arrays were kept in another format, or computed by another arithmetic.
//
// A SPEC is words of a problem text (ulpfft_plan_parse()), the storage as "storage=F" or "storage=F->G". The input is rounded to
// the format, a plan of ulpfft transforms it, and the result is rounded to the subject's type. Plans are made by estimate, in a
// context of their own, so that they leave no wisdom. They are kept for the life of the process. Threads   any number may compute
// and compare at once.
#ifndef ULPFFT_BINDINGS_WHAT_IF_QUESTION_H_
#define ULPFFT_BINDINGS_WHAT_IF_QUESTION_H_

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "bindings/what_if/subject.h"

namespace ulpfft::what_if {

struct Answer;

// Makes the context, while no other thread does.
void prepare();

// One SPEC, asked of one subject, which outlives this.
class Question {
 public:
  Question(const Subject& subject, const std::string& spec, bool deterministic)
      : subject_(subject), spec_(spec), deterministic_(deterministic) {}

  // The result for dense arrays of this form; false where there is none. Throws std::bad_alloc.
  bool compute(Form form, const void* input, void* result);
  // Adds the error of that result.
  void compare(const void* result, const void* plain);
  void count_failure() { failed_.fetch_add(1, std::memory_order_relaxed); }

  // A line: fields behind tabs, namely "what-if", SPEC; executions computed, compared, failed, without a finite error; root mean
  // square and largest of the relative errors (L2); saturated numbers; bytes of both arrays by the SPEC and as they are; problem,
  // recipe, and the sentence why there is no result.
  void write(std::FILE* file) const;
  void forget_counts();

 private:
  using Count = std::atomic<std::uint64_t>;

  Answer make_answer(Form form) const;
  const Answer& answer_for(Form form);
  std::string text_of(Form form) const;

  const Subject& subject_;
  const std::string spec_;
  const bool deterministic_;
  std::atomic<Answer*> answers_[3] = {};  // for each Form, when its arrays first come
  Count computed_{0}, compared_{0}, failed_{0}, not_finite_{0}, saturated_{0};
  std::atomic<double> squares_{0}, worst_{0};
};

}  // namespace ulpfft::what_if

#endif  // ULPFFT_BINDINGS_WHAT_IF_QUESTION_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/asked.h"

#include <fnmatch.h>

#include <memory>
#include <sstream>

#include "bindings/fftw3/copied.h"
#include "bindings/fftw3/transform.h"
#include "bindings/fftw3/wishes.h"

namespace ulpfft::fftw3 {

namespace {

static_assert(static_cast<int>(what_if::kForward) == kInterleaved && static_cast<int>(what_if::kBackward) == kExchanged &&
              static_cast<int>(what_if::kSplit) == kSplit);

what_if::Subject subject_of(const Problem& problem, const std::string& text) {
  what_if::Subject subject{problem.kind, {}, problem.kinds, loop_count(problem), kPrecision.real_bytes == 8, ""};
  for (const Dim& dim : problem.dims) subject.lengths.push_back(dim.n);
  std::istringstream words(text);
  for (std::string word; words >> word && subject.threads.empty();) {
    if (word.starts_with("threads=")) subject.threads = " " + word;
  }
  return subject;
}

}  // namespace

void ask(const Problem& problem, const std::string& text, Questions& questions) {
  const Wishes& asked = wishes();
  if (asked.what_if.empty() || is_empty(problem)) return;
  if (!asked.only.empty() && fnmatch(asked.only.c_str(), text.c_str(), 0) != 0) return;
  what_if::prepare();
  questions.problem = simplified(problem);
  questions.subject = subject_of(questions.problem, text);
  std::istringstream specs(asked.what_if);
  for (std::string spec; std::getline(specs, spec);) questions.all.emplace_back(questions.subject, spec, asked.same_bits);
}

Asked::Asked(Questions& questions, const Arrays& arrays, bool split)
    : questions_(questions), arrays_(arrays), input_(what_if::make_memory(dense_bytes(questions.problem, false))) {
  const Form form = (split ? occasion_of(questions.problem.kind, arrays) : occasion_of(questions.problem, nullptr, nullptr)).form;
  form_ = static_cast<what_if::Form>(form);
  if (!split) {
    arrays_.in[1] = static_cast<const char*>(arrays.in[0]) + kPrecision.real_bytes;
    arrays_.out[1] = static_cast<char*>(arrays.out[0]) + kPrecision.real_bytes;
  } else if (form == kExchanged) {  // the numbers begin at their re
    arrays_ = {{arrays.in[1], arrays.in[0]}, {arrays.out[1], arrays.out[0]}};
  }
  gather(questions.problem, false, form == kSplit, arrays_.in, input_.get());
}

Asked* Asked::before(Questions& questions, const Arrays& arrays, bool split) noexcept try {
  if (questions.all.empty() || arrays.in[0] == nullptr || arrays.out[0] == nullptr) return nullptr;
  return new Asked(questions, arrays, split);
} catch (...) {
  questions.all.front().count_failure();
  return nullptr;
}

void Asked::answer() noexcept {
  constexpr std::uint64_t kCompared = 32;
  const std::unique_ptr<Asked> destroyed(this);
  const std::uint64_t call = questions_.calls.fetch_add(1, std::memory_order_relaxed);
  const bool compared = call < kCompared || call % kCompared == 0;
  const bool split = form_ == what_if::kSplit;
  what_if::Memory plain;
  for (auto& question : questions_.all) {
    const bool first = &question == &questions_.all.front();
    if (!first && !compared) break;
    try {
      const std::int64_t bytes = dense_bytes(questions_.problem, true);
      if (compared && plain == nullptr) {
        plain = what_if::make_memory(bytes);
        gather(questions_.problem, true, split, arrays_.out, plain.get());
      }
      const what_if::Memory result = what_if::make_memory(bytes);
      if (!question.compute(form_, input_.get(), result.get())) continue;
      if (compared) question.compare(result.get(), plain.get());
      if (first) scatter(questions_.problem, split, result.get(), arrays_.out);
    } catch (...) {
      question.count_failure();
    }
  }
}

}  // namespace ulpfft::fftw3

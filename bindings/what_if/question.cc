// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/what_if/question.h"

#include <cmath>
#include <memory>
#include <sstream>

#include "bindings/what_if/kept.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::what_if {

// Arrays of one form by the SPEC. Without a plan the sentence says why.
struct Answer {
  ulpfft_plan* plan = nullptr;
  std::string problem, recipe, sentence;
  Kept in, out;
};

namespace {

std::string taken(char* text) {
  const std::string copy = text != nullptr ? text : "";
  ulpfft_string_free(text);
  return copy;
}

// Null, which is the context of the library, where no other can be made.
ulpfft_context* own_context() {
  static ulpfft_context* const made = [] {
    ulpfft_context* context = nullptr;
    return ulpfft_context_create(nullptr, &context) == ULPFFT_OK ? context : nullptr;
  }();
  return made;
}

// Storage of both sides, from a problem text as the library prints it: [KIND] LENGTHS IN[->OUT] ...
std::pair<std::string, std::string> storages_of(const std::string& problem, bool has_kind) {
  std::istringstream words(problem);
  std::string in;
  for (int word = has_kind ? 0 : 1; word < 3; ++word) words >> in;
  const std::size_t arrow = in.find("->");
  if (arrow == in.npos) return {in, in};
  return {in.substr(0, arrow), in.substr(arrow + 2)};
}

std::int64_t bytes_of(const Subject& subject, bool out) {
  std::int64_t bytes = width(subject, out) * (subject.is_double ? 8 : 4);
  for (const std::int64_t n : stored_lengths(subject, out)) bytes *= n;
  return bytes;
}

template <typename Real>
double relative_error(const void* result, const void* plain, std::int64_t bytes) {
  long double difference = 0, sum = 0;
  for (std::int64_t i = 0; i < bytes / static_cast<std::int64_t>(sizeof(Real)); ++i) {
    const long double exact = static_cast<const Real*>(plain)[i], far = static_cast<const Real*>(result)[i] - exact;
    difference += far * far;
    sum += exact * exact;
  }
  return difference == 0 ? 0 : static_cast<double>(std::sqrt(difference / sum));
}

void add(std::atomic<std::uint64_t>& counter, std::int64_t count = 1) {
  counter.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
}

}  // namespace

void prepare() { own_context(); }

std::string Question::text_of(Form form) const {
  static constexpr const char* kNames[] = {"", "r2c ", "c2r ", "r2r "};
  static constexpr const char* kKinds[] = {"r2hc", "hc2r", "dht", "dct1", "dct3", "dct2", "dct4", "dst1", "dst3", "dst2", "dst4"};
  std::string text = kNames[subject_.kind], kinds, storage = subject_.is_double ? "f64" : "f32", others;
  for (const std::int64_t& n : subject_.lengths) text += (&n == subject_.lengths.data() ? "" : "x") + std::to_string(n);
  for (const int kind : subject_.kinds) kinds += (kinds.empty() ? " kinds=" : ",") + std::string(kKinds[kind]);
  if (subject_.batch != 1) text += "*" + std::to_string(subject_.batch);
  std::istringstream words(spec_);
  for (std::string word; words >> word;) {
    if (word.starts_with("storage=")) {
      storage = word.substr(8);
    } else {
      others += " " + word;
    }
  }
  const char* const of_form = form == kBackward ? " inverse" : form == kSplit ? " split" : "";
  return text + " " + storage + kinds + of_form + others + subject_.threads;
}

Answer Question::make_answer(Form form) const {
  Answer answer;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_ESTIMATE;
  options.flags = deterministic_ ? ULPFFT_DETERMINISTIC : 0;
  answer.problem = text_of(form);
  if (ulpfft_plan_parse_options(own_context(), answer.problem.c_str(), &options, &answer.plan) == ULPFFT_OK) {
    answer.problem = taken(ulpfft_plan_problem(answer.plan));
    answer.recipe = taken(ulpfft_plan_recipe(answer.plan));
    const auto [in, out] = storages_of(answer.problem, subject_.kind != ULPFFT_C2C);
    if (answer.in.set(subject_, false, form == kSplit, in) && answer.out.set(subject_, true, form == kSplit, out)) return answer;
    ulpfft_plan_destroy(answer.plan);
    answer.plan = nullptr;
  }
  answer.sentence = ulpfft_last_error();
  for (char& c : answer.sentence) c = c == '\t' || c == '\n' ? ' ' : c;
  return answer;
}

// Threads that come at the same time make one each, and all use that of the first.
const Answer& Question::answer_for(Form form) {
  Answer* there = answers_[form].load(std::memory_order_acquire);
  if (there != nullptr) return *there;
  auto made = std::make_unique<Answer>(make_answer(form));
  if (answers_[form].compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) return *made.release();
  ulpfft_plan_destroy(made->plan);
  return *there;
}

bool Question::compute(Form form, const void* input, void* result) {
  const Answer& answer = answer_for(form);
  if (answer.plan == nullptr) return false;
  const KeptArray in(answer.in), out(answer.out);
  std::int64_t encoded = 0, saturated = 0;
  ulpfft_array to = out.array();
  const ulpfft_array from = in.array();
  to.saturated = &saturated;
  const bool done =
      in.encode(input, &encoded) && ulpfft_execute_arrays(answer.plan, &from, &to, nullptr) == ULPFFT_OK && out.decode(result);
  if (!done) {
    count_failure();
    return false;
  }
  add(computed_);
  add(saturated_, encoded + saturated);
  return true;
}

void Question::compare(const void* result, const void* plain) {
  const std::int64_t bytes = bytes_of(subject_, true);
  const double error =
      subject_.is_double ? relative_error<double>(result, plain, bytes) : relative_error<float>(result, plain, bytes);
  add(compared_);
  if (!std::isfinite(error)) return add(not_finite_);
  squares_.fetch_add(error * error, std::memory_order_relaxed);
  double worst = worst_.load(std::memory_order_relaxed);
  while (error > worst && !worst_.compare_exchange_weak(worst, error, std::memory_order_relaxed)) {
  }
}

void Question::write(std::FILE* file) const {
  std::string problem, recipe, sentence;
  std::int64_t bytes = 0;
  for (const auto& form : answers_) {
    const Answer* const answer = form.load();
    if (answer == nullptr) continue;
    if (problem.empty() || answer->plan != nullptr) problem = answer->problem;
    if (!answer->recipe.empty()) recipe = answer->recipe;
    if (!answer->sentence.empty()) sentence = answer->sentence;
    if (answer->plan != nullptr) bytes = answer->in.bytes() + answer->out.bytes();
  }
  const auto number = [](const Count& counter) { return static_cast<unsigned long long>(counter); };
  const double finite = static_cast<double>(compared_ - not_finite_);
  std::fprintf(file, "what-if\t%s\t%llu\t%llu\t%llu\t%llu\t%.17g\t%.17g\t%llu\t%lld\t%lld\t%s\t%s\t%s\n", spec_.c_str(),
               number(computed_), number(compared_), number(failed_), number(not_finite_),
               finite > 0 ? std::sqrt(squares_ / finite) : 0.0, worst_.load(), number(saturated_), static_cast<long long>(bytes),
               static_cast<long long>(bytes_of(subject_, false) + bytes_of(subject_, true)), problem.c_str(), recipe.c_str(),
               sentence.c_str());
}

void Question::forget_counts() {
  for (Count* const count : {&computed_, &compared_, &failed_, &not_finite_, &saturated_}) *count = 0;
  squares_ = worst_ = 0;
}

}  // namespace ulpfft::what_if

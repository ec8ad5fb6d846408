// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan by a few arguments and the caller's words for the rest: what the functions of c/short_forms.h have in common.
#ifndef ULPFFT_PLANNER_API_SHORT_FORM_H_
#define ULPFFT_PLANNER_API_SHORT_FORM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.h"
#include "wisdom/problem.h"

namespace ulpfft {

struct ShortForm {
  // A field of the problem that an argument holds. Errors name the argument; their sentences have `phrase` where they had the field.
  struct Renamed {
    std::string field, argument, phrase;
  };

  Kind kind = Kind::kC2C;
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 1;
  const char* storage = nullptr;  // the caller's words; null: "f32"
  int effort = 0;
  std::vector<Renamed> names;
  // Puts what other arguments say into the problem that the words have made; `text` is its text. May be empty. Throws PlanError.
  std::function<void(Problem& problem, std::string_view text)> settle;
};

// Refuses words that say what these arguments say.
void set_direction(Problem& problem, std::string_view text, int direction);
void set_kinds(Problem& problem, std::string_view text, const int* kinds);
// The words of a text that give a field of the problem its value say what an argument says.
[[noreturn]] void refuse_words(std::string_view text, std::string_view field, const std::string& sentence);

// Null where making the form or the plan throws: then the thread has a last error.
ulpfft_plan* plan_of(const std::function<ShortForm()>& make_form);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_SHORT_FORM_H_

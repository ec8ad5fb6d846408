// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/api.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ulpfft::test {

LastError last_error() {
  auto error = sized<ulpfft_error>();
  ulpfft_last_error_get(&error);
  return {error.status, error.message != nullptr ? error.message : "", error.field != nullptr ? error.field : "",
          error.text_begin, error.text_end};
}

std::string last_error_text() {
  const LastError error = last_error();
  return std::string(ulpfft_status_name(error.status)) + ": " + error.message + " [" + error.field + "]";
}

std::string take(char* text) {
  if (text == nullptr) return "";
  std::string copy(text);
  ulpfft_string_free(text);
  return copy;
}

ContextPtr make_context(const char* target) {
  auto options = sized<ulpfft_context_options>();
  options.target = target;
  ulpfft_context* context = nullptr;
  if (ulpfft_context_create(&options, &context) != ULPFFT_OK) {
    ADD_FAILURE() << "context for target " << (target != nullptr ? target : "(default)") << ": " << last_error_text();
  }
  return ContextPtr(context);
}

PlanPtr make_plan(ulpfft_context* context, const std::string& problem, int effort, double seconds) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = effort == ULPFFT_ESTIMATE ? 60 : seconds;  // an estimate ends by itself
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan) != ULPFFT_OK) {
    ADD_FAILURE() << "plan \"" << problem << "\": " << last_error_text();
  }
  return PlanPtr(plan);
}

PlanPtr make_plan(ulpfft_context* context, const std::string& problem, const std::string& recipe) {
  PlanPtr plan = try_plan(context, problem, recipe);
  if (plan == nullptr) ADD_FAILURE() << "plan \"" << problem << "\" by \"" << recipe << "\": " << last_error_text();
  return plan;
}

PlanPtr try_plan(ulpfft_context* context, const std::string& problem, const std::string& recipe) {
  ulpfft_plan* plan = nullptr;
  (void)ulpfft_plan_from_recipe(context, problem.c_str(), recipe.c_str(), &plan);
  return PlanPtr(plan);
}

std::string recipe_of(const ulpfft_plan* plan) { return take(ulpfft_plan_recipe(plan)); }

std::uint64_t hash_of(const ulpfft_plan* plan) {
  std::uint64_t hash = 0;
  if (ulpfft_plan_hash(plan, &hash) != ULPFFT_OK) ADD_FAILURE() << "hash: " << last_error_text();
  return hash;
}

std::vector<std::string> candidates_of(const ulpfft_plan* plan) {
  std::vector<std::string> recipes;
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    if (ulpfft_plan_candidate_get(plan, i, &candidate) != ULPFFT_OK) {
      ADD_FAILURE() << "candidate " << i << ": " << last_error_text();
      break;
    }
    recipes.emplace_back(candidate.recipe);
  }
  return recipes;
}

bool full_run() {
  const char* value = std::getenv("ULPFFT_TEST_FULL");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

std::uint64_t seed_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes with narrow storage between their passes.
#ifndef ULPFFT_PLANNER_PARETO_BETWEEN_H_
#define ULPFFT_PLANNER_PARETO_BETWEEN_H_

#include <string>

namespace ulpfft {

// A recipe with a format wherever its data lie between passes; "" where it is one pass.
std::string recipe_with_between(const std::string& recipe, const std::string& format);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PARETO_BETWEEN_H_

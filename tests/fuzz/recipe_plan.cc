// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a problem and a recipe with nodes inside nodes: refused with a sentence, or the exact transform, in a plan that keeps its size.
#include <complex>
#include <string>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/recipes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::int64_t kLongest = 600;
constexpr int kDepth = 6;
// Eight convolutions inside each other err by less than 2^8 of one; what is stored narrow between passes by a few percent.
constexpr double kFactor = 256;

void run(Bytes& bytes) {
  Case problem;
  problem.f64 = bytes.flag();
  problem.dims = {{random_length(bytes, kLongest), 1, 1}};
  if (bytes.below(4) == 0) problem.batch = {{1 + static_cast<std::int64_t>(bytes.below(3)), 1, 1}};
  problem.backward = bytes.flag();
  problem.centered = bytes.below(4) == 0;
  problem.in_place = bytes.below(4) == 0;
  problem.split = bytes.below(4) == 0;
  set_dense(problem);
  const std::string recipe = (problem.f64 ? "f64:" : "f32:") + random_node(bytes, problem.dims[0].length, kDepth);
  ulpfft_plan* made = nullptr;
  const ulpfft_status status = ulpfft_plan_from_recipe(nullptr, text_of(problem).c_str(), recipe.c_str(), &made);
  const PlanPtr plan(made);
  const std::string which = text_of(problem) + ", recipe " + recipe;
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, which + ": " + ulpfft_last_error());
  require((status == ULPFFT_OK) == (plan != nullptr), which + ": a plan and a failure, or neither");
  if (plan == nullptr) return require(is_one_line(ulpfft_last_error()), which + ": no sentence");
  auto memory = sized<ulpfft_memory>();
  require(ulpfft_plan_memory(plan.get(), &memory) == ULPFFT_OK, "memory");
  // Padded 64 times, and both lines of a convolution; tables in every level.
  const std::uint64_t points = static_cast<std::uint64_t>(std::max<std::int64_t>(64, problem.dims[0].length));
  require(memory.workspace_bytes + memory.table_bytes <= 64 * points * 16 * 16 + (1 << 16), which + ": " + std::to_string(memory.table_bytes) + " bytes of tables, " +
                                                                                               std::to_string(memory.workspace_bytes) + " of workspace");
  with_storage(problem, [&]<typename S, typename T>() {
    const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), bytes.byte());
    const auto result = run_case<S, T>(plan.get(), problem, data, {});
    require(result.trouble.empty(), which + ": " + result.trouble);
    const double error = relative_l2<T>(result.out, exact_result(problem, widen(data)));
    const bool narrow = recipe.find('|') != std::string::npos;
    require(error <= (narrow ? 0.5 : kFactor * result_bound(problem)), which + ": error " + std::to_string(error));
  });
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}

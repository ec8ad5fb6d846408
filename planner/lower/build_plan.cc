// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/build_plan.h"

#include <new>
#include <set>

#include "planner/backend/shared_bytes.h"
#include "planner/facts/format_digest.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {

namespace {

constexpr std::int64_t kBrief = std::int64_t{1} << 18;  // points that are transformed within a few milliseconds

void transform_in_f64(const Node& node, const CodeletTable& codelets, TableCache& cache, double* values, std::int64_t m) {
  Problem problem;
  problem.dims = {{m, 1, 1}};
  problem.storage_in = problem.storage_out = "f64";
  problem.placement = Placement::kInPlace;
  const std::unique_ptr<Executable> executable = build_plan(problem, {"f64", node}, codelets, cache);
  const Backend& backend = executable->backend;
  const Entries entry = backend.run(*executable, {});
  const SharedBytes line(backend.memory, values, 2 * sizeof(double) * static_cast<std::size_t>(m));
  line.send();
  void* const at = line.backend();
  const ArrayAddress array{{at, at}, {}, nullptr};
  const int status = entry.asking != nullptr && m > kBrief ? entry.asking(*executable, array, array, nullptr, cache.roots.poll)
                                                           : entry.call.run(entry.call, at, at, at, at, nullptr);
  if (status != ULPFFT_OK) throw std::bad_alloc();
  line.fetch();
}

}  // namespace

std::unique_ptr<Executable> build_plan(const Problem& problem, const Recipe& recipe, const Machine& machine, TableCache& cache) {
  const RoundToNearest nearest;  // tables, whatever mode the caller's thread is in
  const CodeletTable& codelets = machine.codelets;
  const auto transform = [&](const Node& node, double* values, std::int64_t m) { transform_in_f64(node, codelets, cache, values, m); };
  return backend_of(codelets).link(make_program(problem, recipe, machine, cache), codelets, cache, transform);
}

std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const PlanFacts& plan) {
  std::set<std::uint64_t> digests;
  if (const std::uint64_t formats = formats_digest(problem, recipe); formats != 0) digests.insert(formats);
  for (const PassUse& use : plan.passes) {
    digests.insert(use.codelet->body->digest);
    if (use.codelet->second != nullptr) digests.insert(use.codelet->second->digest);
  }
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t digest : digests) {
    for (int i = 0; i < 8; ++i) hash = (hash ^ ((digest >> (8 * i)) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace ulpfft

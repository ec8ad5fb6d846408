// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/problem_in_cpp.h"

#include <map>

#include "tests/planner/members_of.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using Change = void (*)(Problem&);
const std::map<std::string_view, Change> kChanges = {
    {"kinds", [](Problem& p) { p.kind = Kind::kR2R, p.kinds = {R2r::kDCT2}; }},
    {"inverse", [](Problem& p) { p.direction = Direction::kInverse; }},
    {"centered", [](Problem& p) { p.centered = true; }},
    {"scale", [](Problem& p) { p.scale = Scale::value(0.5); }},
    {"max_error", [](Problem& p) { p.max_error = 0.5; }},
    {"scheme", [](Problem& p) { p.scheme = "f64"; }},
    {"backend", [](Problem& p) { p.backend = "ref"; }},
    {"threads", [](Problem& p) { p.threads = 2; }},
    {"inplace", [](Problem& p) { p.placement = Placement::kInPlace; }},
    {"split", [](Problem& p) { p.layout = Layout::kSplit; }},
    {"destroy_input", [](Problem& p) { p.destroy_input = true; }},
    {"in_strides", [](Problem& p) { p.in_strides = {3}; }},
    {"out_strides", [](Problem& p) { p.out_strides = {3}; }},
    {"batch_strides", [](Problem& p) { p.batch = {2}, p.batch_in_strides = {9}, p.batch_out_strides = {10}; }},
    {"intermediate", [](Problem& p) { p.intermediate = "f16"; }},
    {"chain", [](Problem& p) { p.chain = "mul"; }},
    {"prescale", [](Problem& p) { p.prescale = Prescale::target(16); }},
    {"max_workspace", [](Problem& p) { p.max_workspace = kWorkspaceOne; }},
    {"output", [](Problem& p) { p.output = Output::kPower; }},
    {"start", [](Problem& p) { p.kind = Kind::kCzt, p.start = 0.25; }},
    {"step", [](Problem& p) { p.kind = Kind::kCzt, p.step = 0.125; }},
    {"window", [](Problem& p) { p.window = "hann"; }},
};

}  // namespace

bool use_problem_in_cpp(std::string_view word, const std::function<void(const ulpfft_problem&)>& use) {
  const auto change = kChanges.find(word);
  if (change == kChanges.end()) return false;
  Problem problem{.lengths = {8}};
  change->second(problem);
  detail::with_problem(problem, [&](const ulpfft_problem& given) { use(given); });
  return true;
}

std::size_t members_in_cpp() { return members_of<Problem>(); }

}  // namespace ulpfft::test

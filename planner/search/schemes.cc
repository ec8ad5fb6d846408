// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/schemes.h"

#include "codelets/registry.h"
#include "planner/lower/build_plan.h"
#include "planner/scheme/mx_scheme.h"
#include "planner/scheme/rounded_scheme.h"
#include "planner/scheme/scheme_of.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

const char* carrier_of_scheme(const std::string& scheme) { return working_storage(scheme) == "f64" ? "f64" : "f32"; }

std::vector<SchemeFacts> list_schemes() {
  std::vector<SchemeFacts> list{{"f32", "wide", "f32", "f32", false}, {"f64", "wide", "f64", "f64", false}};
  for (const FormatInfo& f : formats()) {
    if (!has_rounded_scheme(f)) continue;
    const std::string name = std::string("rounded:") + f.name;
    list.push_back({name, "rounded", f.name, carrier_of_scheme(name), true});
    // Sums in f32 are possible for formats whose values f32 holds.
    if (f.compute == std::string_view("f32")) list.push_back({name + "/f32", "rounded", f.name, carrier_of_scheme(name + "/f32"), true});
  }
  for (const BlockInfo& block : block_formats()) {
    try {
      for (const std::string& name : {std::string("mx:") + block.name, std::string("mx:") + block.name + ":fresh"}) {
        mx_scheme(name);
        list.push_back({name, "mx", block.name, carrier_of_scheme(name), true});
      }
    } catch (const PlanError&) {
      // Blocks that are no MX blocks have no scheme without a length and a rule of their own.
    }
  }
  return list;
}

}  // namespace

const std::vector<SchemeFacts>& all_schemes() {
  static const std::vector<SchemeFacts> list = list_schemes();
  return list;
}

}  // namespace ulpfft

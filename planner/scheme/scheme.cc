// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/scheme.h"

#include <algorithm>
#include <utility>

#include "planner/scheme/families.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

std::string spelling_of_all() {
  std::vector<std::string> names;
  for (const SchemeFamily* family : kFamilies) {
    if (family->spelling != nullptr) names.emplace_back(family->spelling);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 < names.size() ? ", " : ", and ") + names[i];
  return text;
}

std::vector<SchemeFacts> list_schemes() {
  std::vector<SchemeFacts> list;
  for (const SchemeFamily* family : kFamilies) {
    for (SchemeFamily::Listed& listed : family->list()) {
      const char* const carrier = scheme_named(listed.name).carrier == ComputeType::kF64 ? "f64" : "f32";
      list.push_back({std::move(listed.name), family->kind, listed.format, carrier, family->emulated});
    }
  }
  return list;
}

}  // namespace

Scheme scheme_named(const std::string& name) {
  for (const SchemeFamily* family : kFamilies) {
    if (const std::optional<Scheme> found = family->parse(name)) return *found;
  }
  throw PlanError(ULPFFT_UNKNOWN_NAME, "scheme", "There is no scheme '" + name + "'; this build has " + spelling_of_all() + ".");
}

const std::vector<SchemeFacts>& all_schemes() {
  static const std::vector<SchemeFacts> list = list_schemes();
  return list;
}

std::vector<std::string> every_spelling() {
  std::vector<std::string> names;
  for (const SchemeFamily* family : kFamilies) {
    if (family->spelling == nullptr) continue;
    for (SchemeFamily::Listed& listed : family->list()) names.push_back(std::move(listed.name));
    if (family->unlisted == nullptr) continue;
    for (std::string& name : family->unlisted()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace ulpfft

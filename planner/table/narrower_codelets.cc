// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/narrower_codelets.h"

#include "codelets/registry.h"

namespace ulpfft {

const CodeletTable* narrower_codelets(const CodeletTable& codelets) {
  bool passed = false;
  for (const RegisteredTarget& target : registered_targets()) {
    const CodeletTable& table = target.table;
    const bool same_bits = std::string_view(table.backend) == codelets.backend && table.has_fma == codelets.has_fma;
    if (passed && target.available && same_bits && table.lanes_f32 < codelets.lanes_f32) return &table;
    passed = passed || &table == &codelets;
  }
  return nullptr;
}

const CodeletTable* narrower_codelets(const CodeletTable& codelets, std::string_view target) {
  const CodeletTable* table = narrower_codelets(codelets);
  while (table != nullptr && table->target != target) table = narrower_codelets(*table);
  return table;
}

}  // namespace ulpfft

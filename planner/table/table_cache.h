// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the candidates of one planning share: tables, and codelets that were looked up.
#ifndef ULPFFT_PLANNER_TABLE_TABLE_CACHE_H_
#define ULPFFT_PLANNER_TABLE_TABLE_CACHE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>

#include "codelets/contract/codelet.h"
#include "planner/table/root_table.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

struct MxTables;  // planner/scheme/mx_scheme.h

// Tables by content, shared by the candidates of one planning.
struct TableCache {
  RootCache roots;
  using Key = std::tuple<ComputeType, const BodyFacts*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, int, bool, bool, int, const FormatInfo*>;
  std::map<Key, std::shared_ptr<const TwiddleTable>> twiddles;
  std::map<std::string, std::shared_ptr<const TwiddleTable>> lines;  // of passes without a body, by what they hold
  std::map<std::string, std::shared_ptr<const MxTables>> mx;
  std::map<std::string, double> block_errors;                       // see output_quantisation
  struct CodeletKey {
    const CodeletTable* table;
    std::uint64_t shape;  // kind, compute type, form, radices
    bool operator==(const CodeletKey&) const = default;
  };
  struct CodeletHash {
    std::size_t operator()(const CodeletKey& key) const { return std::hash<const void*>()(key.table) ^ (key.shape * 0x9e3779b97f4a7c15u); }
  };
  std::unordered_map<CodeletKey, const CodeletInfo*, CodeletHash> codelets;  // what find_codelet() found
  bool for_digests = false;  // which need neither predicted errors (those of block formats take milliseconds) nor a second way to execute
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_TABLE_CACHE_H_

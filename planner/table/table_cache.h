// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The tables, and the codelets looked up, that the candidates of one planning share.
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

struct MxTables;     // planner/scheme/mx.h
struct SplitTables;  // planner/scheme/split.h

struct TableCache {
  RootCache roots;
  using Key = std::tuple<ComputeType, const BodyFacts*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, int, bool, bool, int,
                         const FormatInfo*>;
  std::map<Key, std::shared_ptr<const TwiddleTable>> twiddles;
  std::map<std::string, std::shared_ptr<const TwiddleTable>> lines;  // tables of passes without a body, by a description of their contents
  std::map<std::string, std::shared_ptr<const MxTables>> mx;
  std::map<std::string, std::shared_ptr<const SplitTables>> splits;
  std::map<std::string, double> block_errors;                        // see output_quantisation
  struct CodeletKey {
    const CodeletTable* table;
    std::uint64_t shape;  // kind, compute type, form, radices
    bool operator==(const CodeletKey&) const = default;
  };
  struct CodeletHash {
    std::size_t operator()(const CodeletKey& key) const { return std::hash<const void*>()(key.table) ^ (key.shape * 0x9e3779b97f4a7c15u); }
  };
  std::unordered_map<CodeletKey, const CodeletInfo*, CodeletHash> codelets;  // answers of find_codelet()
  // Plans are built for their digests only. These need neither predicted errors, which take
  // milliseconds for block formats, nor a second way to execute.
  bool for_digests = false;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_TABLE_CACHE_H_

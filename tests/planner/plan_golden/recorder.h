// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets that write down what they are asked to do, and do nothing.
//
// A table of them is a copy of a target's: facts, lanes and lookups are the target's own, only the functions differ. So plans of
// any target are built and executed by the real builder and the real executor on any machine, and what is traced includes the
// calls that host steps make. A line of a trace names the codelet and what it reaches: arrays and offsets as they are after all
// repeats, slices and redirections, contents of tables. How the arguments came about is not in it.
#ifndef ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_RECORDER_H_
#define ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/backend/cpu/compiled_plan.h"
#include "planner/lower/build_plan.h"
#include "tests/planner/plan_golden/lines.h"
#include "tests/planner/plan_golden/places.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// Contents of tables, row lists and path lists by where they lie.
class KnownTables {
 public:
  struct Found {
    std::uint64_t digest;
    std::int64_t offset;  // bytes
  };

  void add(const void* data, std::size_t bytes);
  void add(const MxTables& tables);
  void add(const SplitPass& pass);
  void add(const CompiledPlan& plan);
  void add(const TableCache& cache);
  std::optional<Found> find(const void* address) const;

 private:
  struct Range {
    std::uintptr_t end;
    std::uint64_t digest;
  };
  void add(const TwiddleTable& table);
  std::map<std::uintptr_t, Range> ranges_;  // by their begin
};

// What is known of a function that passes call.
struct Leaf {
  std::string label;
  PassKind kind = PassKind::kWhole;
  bool is_host = false;  // a step function of the planner: units of its edges are its own
  bool (*reads)(const PassArgs& args) = nullptr;  // of such a function: whether it finds the context that it reads
  bool counts_units = false;  // its positions are units of its own, which move no edge: of mx and split schemes
  std::int64_t real = 1;     // bytes
  std::int64_t in_unit = 1;  // bytes of a real, or of a code, of the edge
  std::int64_t out_unit = 1;
};

class Recorder {
 public:
  explicit Recorder(const CodeletTable& real);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  const CodeletTable& table() const { return table_; }
  // What a plan took from elsewhere, replaced by what records it: passes of the reference where the target has none, copies of
  // wide numbers.
  void replace_others(CompiledPlan& plan) const;
  // Lines go to `trace` from now on, in the names of `places`; tables that nobody added are looked up in `cache`.
  void begin(Lines& trace, const Places& places, const TableCache& cache);
  void end() { trace_ = nullptr; }
  KnownTables& tables() { return tables_; }
  // Passes of the trace that fetch what need not stay in the caches: which do depends on who made the processor.
  std::int64_t brief() const { return brief_; }

  // One step, in the names of its slots.
  void print_step(const Step& step, Lines& lines);
  // The operation of a chain "user": writes down its tile.
  static void record_tile(void* user, const ulpfft_tile* tile);

 private:
  struct Functions;  // recorder.cc
  friend struct Functions;
  struct Conversion {
    std::string label;
    std::int64_t real;
  };

  void replace_in_closures(const CompiledPlan& plan) const;
  Leaf leaf_of(const CodeletInfo& codelet) const;
  PassFn add_leaf(Leaf leaf);
  void copy_codelets(std::span<const CodeletInfo> from, std::vector<CodeletInfo>& to);
  void add_conversions(std::span<const ConversionEntry> from);
  void add_wide(const FormatInfo& format, bool is_f64);
  void write_place(Lines& lines, const Places& places, std::string_view name, std::uintptr_t address) const;
  void write_edge(Lines& lines, const Places& places, std::string_view name, const Edge& edge, const Buffers& buffers,
                  std::int64_t offset, std::int64_t unit, const Leaf& leaf) const;
  void write_table(Lines& lines, const Places& places, std::string_view name, const void* table, std::int64_t beyond);
  void write_pass(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers,
                  std::int64_t first, std::int64_t count);
  void write_axes(Lines& lines, const Leaf& leaf, const PassArgs& args, std::int64_t first, std::int64_t count) const;
  void write_extras(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers);
  void write_ahead(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers,
                   std::int64_t first, std::int64_t count);
  void pass(std::size_t index, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
  void whole(std::size_t index, const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im,
             std::int64_t out_stride);
  void direct(std::size_t index, const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im);
  void convert(std::size_t index, const ConversionArgs& args, bool encodes);

  std::vector<Leaf> leaves_;
  std::vector<std::string> wholes_, directs_;
  std::vector<Conversion> conversions_;
  std::vector<CodeletInfo> codelets_, fused_;
  std::vector<ConversionEntry> entries_;
  std::unordered_map<PassFn, PassFn> of_reference_;
  std::unordered_map<DecodeFn, DecodeFn> wide_decoders_;
  std::unordered_map<EncodeFn, EncodeFn> wide_encoders_;
  std::unordered_map<PassFn, std::size_t> index_;  // of leaves_
  CodeletTable table_;
  KnownTables tables_;
  Lines* trace_ = nullptr;
  const Places* places_ = nullptr;
  const TableCache* cache_ = nullptr;
  std::int64_t brief_ = 0;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_RECORDER_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/plan_golden/recorder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "codelets/contract/twiddle_form.h"
#include "codelets/registry.h"
#include "planner/convert/storage_by_name.h"
#include "planner/backend/cpu/chain_step.h"
#include "planner/backend/cpu/if_exponents.h"
#include "planner/convert/staged.h"
#include "planner/convert/stored_rows.h"
#include "planner/convert/rounded_stage.h"

namespace ulpfft::test {
namespace {

constexpr std::size_t kMostLeaves = 3072, kMostWholes = 128, kMostDirects = 1024, kMostConversions = 192;

constexpr std::array kComputeNames = {"f32", "f64", "dd", "rounded_f32", "rounded_f64"};

// A step function of the planner itself, and whether it has the context that it reads.
struct HostStep {
  PassFn run;
  std::string_view name;
  bool (*reads)(const PassArgs& args);
};
constexpr HostStep kHostSteps[] = {
    {&decode_stored_rows, "decode_stored_rows", &has_context<StoredRows>},
    {&encode_stored_rows, "encode_stored_rows", &has_context<StoredRows>},
    {&apply_exponents, "apply_exponents", &has_context<StoredRows>}, {&choose_exponents, "choose_exponents", &has_context<StoredRows>},
    {&decode_first_pass, "decode_first_pass", &has_context<StagedLine>},
    {&find_prescale, "find_prescale", &has_context<StoredRows>},
    {&fit_kept, "fit_kept", &has_context<StoredRows>}, {&encode_kept, "encode_kept", &has_context<StoredRows>},
    {&decode_columns, "decode_columns", &has_context<StagedPanel>}, {&encode_columns, "encode_columns", &has_context<StagedPanel>},
    {&decode_staged_rows, "decode_coded_rows", &has_context<StagedPanel>},
    {&encode_staged_rows, "encode_coded_rows", &has_context<StagedPanel>},
    {&encode_twist, "encode_twist", &has_context<StagedPanel>},
    {&run_if_exponents, "look_ahead", &has_context<IfExponents>},
    {&round_between_passes, "round_stored_stage", &has_context<RoundedStage>},
    {&multiply_spectrum, "multiply_spectrum", &has_context<ChainStep>},
    {&apply_to_spectrum, "apply_to_spectrum", &has_context<ChainStep>}};

std::string label_of(const CodeletInfo& codelet) {
  std::string label = kComputeNames[static_cast<std::size_t>(codelet.compute)];
  (label += ' ') += row_of(codelet.kind).name;
  (label += ' ') += codelet.body->name;
  if (codelet.second != nullptr) (label += '+') += codelet.second->name;
  if (*codelet.in != '\0') (label += " from ") += codelet.in;
  if (*codelet.out != '\0') (label += " to ") += codelet.out;
  return label;
}

// Bytes of a code of a format that passes convert; of block formats, of an element.
std::int64_t code_unit(const char* format) {
  return find_storage_of(format, "format").element->bits / 8;
}

std::string name_of(const Storage& storage) {
  std::string name = storage.element->name;
  if (storage.scale != nullptr)
    name += "*" + std::string(storage.scale->name) + ":b" + std::to_string(storage.length) + ":" +
            kScaleRuleNames[static_cast<int>(storage.rule)];
  return name;
}

Recorder*& current() {
  static thread_local Recorder* recorder = nullptr;
  return recorder;
}

// Null: the context is of another type.
template <typename T>
T* known_as(const StepContext& context) {
  PassArgs args;
  args.context = &context;
  return has_context<T>(args) ? &const_cast<T&>(context_of<T>(args)) : nullptr;
}

std::uintptr_t address_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

// ---- tables

void KnownTables::add(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  Digest digest;
  digest.add(std::string_view(static_cast<const char*>(data), bytes));
  const auto begin = address_of(data);
  ranges_[begin] = {begin + bytes, digest.value()};
}

void KnownTables::add(const TwiddleTable& table) {
  add(table.values.data(), table.values.bytes());
  add(table.paths.data(), table.paths.size() * sizeof(std::uint32_t));
}

// The struct stands for its tables.
void KnownTables::add(const MxTables& tables) {
  const MxPass& pass = tables.pass;
  Digest digest;
  digest.add(name_of(pass.scheme.storage));
  for (const std::int64_t value : {static_cast<std::int64_t>(pass.scheme.product), pass.radix, pass.length, pass.butterflies,
                                   std::int64_t{pass.ones}, pass.row, pass.period}) {
    digest.add(static_cast<std::uint64_t>(value));
  }
  digest.add_values(std::span(tables.twiddles));
  digest.add_values(std::span(tables.exponents));
  digest.add_values(std::span(tables.points));
  const auto begin = address_of(&pass);
  ranges_[begin] = {begin + sizeof pass, digest.value()};
}

void KnownTables::add(const SplitPass& pass) {
  Digest digest;
  digest.add(pass.scheme.element->name);
  const bool slices = pass.scheme.slices();
  for (const std::int64_t value : {std::int64_t{pass.scheme.parts}, std::int64_t{pass.scheme.matrix_parts}, static_cast<std::int64_t>(pass.scheme.norm), pass.scheme.tile,
                                   std::int64_t{pass.scheme.arbitrary}, pass.radix, pass.length, pass.points, pass.next, std::int64_t{pass.product_count},
                                   pass.norms_read, pass.norms_written, std::int64_t{pass.finds_norms}}) {
    digest.add(static_cast<std::uint64_t>(value));
  }
  if (pass.matrix != nullptr) digest.add_values(std::span(pass.matrix, static_cast<std::size_t>(pass.scheme.matrix_parts * pass.matrix_stride)));
  const auto twiddles = static_cast<std::size_t>(2 * pass.length * pass.radix * pass.next);
  if (pass.twiddles_re != nullptr && slices) digest.add_values(std::span(static_cast<const double*>(pass.twiddles_re), twiddles));
  if (pass.twiddles_re != nullptr && !slices) digest.add_values(std::span(static_cast<const float*>(pass.twiddles_re), twiddles));
  const auto begin = address_of(&pass);
  ranges_[begin] = {begin + sizeof pass, digest.value()};
}

void KnownTables::add(const CompiledPlan& plan) {
  for (const auto& table : plan.tables) add(*table);
  for (const auto& rows : plan.rows) add(rows->data(), rows->size() * sizeof(std::uint32_t));
  for (const auto& tables : plan.mx) add(*tables);
  for (const auto& context : plan.contexts) {
    if (const auto* const pass = known_as<SplitPass>(*context)) add(*pass);
  }
  if (plan.with_exponents != nullptr) add(*plan.with_exponents);
}

void KnownTables::add(const TableCache& cache) {
  for (const auto& [key, table] : cache.twiddles) add(*table);
  for (const auto& [key, table] : cache.lines) add(*table);
  for (const auto& [key, tables] : cache.mx) add(*tables);
}

std::optional<KnownTables::Found> KnownTables::find(const void* address) const {
  const auto at = address_of(address);
  auto range = ranges_.upper_bound(at);
  if (range == ranges_.begin() || at >= (--range)->second.end) return std::nullopt;
  return Found{range->second.digest, static_cast<std::int64_t>(at - range->first)};
}

// ---- functions that record

// Plain functions, so that each knows its index; whose recorder it is tells a variable of the thread.
struct Recorder::Functions {
  template <std::size_t Index>
  static void pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    current()->pass(Index, args, buffers, first, count);
  }
  template <std::size_t Index>
  static void whole(const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride) {
    current()->whole(Index, re, im, stride, out_re, out_im, out_stride);
  }
  template <std::size_t Index>
  static int direct(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
    current()->direct(Index, call, in_re, in_im, out_re, out_im);
    return 0;
  }
  template <std::size_t Index>
  static void decode(const ConversionArgs& args) {
    current()->convert(Index, args, false);
  }
  template <std::size_t Index>
  static std::int64_t encode(const ConversionArgs& args) {
    current()->convert(Index, args, true);
    return 0;
  }

  // Lists of them, by index. make<Index>() returns one.
  template <std::size_t kMost, typename Make>
  static auto list(const Make& make) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return std::array<decltype(make.template operator()<0>()), kMost>{make.template operator()<Index>()...};
    }(std::make_index_sequence<kMost>());
  }
  static const auto& passes() {
    static const auto all = list<kMostLeaves>([]<std::size_t Index>() -> PassFn { return &pass<Index>; });
    return all;
  }
  static const auto& wholes() {
    static const auto all = list<kMostWholes>([]<std::size_t Index>() -> WholeFn { return &whole<Index>; });
    return all;
  }
  static const auto& directs() {
    static const auto all = list<kMostDirects>([]<std::size_t Index>() -> DirectCall::Run { return &direct<Index>; });
    return all;
  }
  static const auto& conversions() {
    static const auto all =
        list<kMostConversions>([]<std::size_t Index>() { return std::pair<DecodeFn, EncodeFn>(&decode<Index>, &encode<Index>); });
    return all;
  }
};

Leaf Recorder::leaf_of(const CodeletInfo& codelet) const {
  Leaf leaf;
  leaf.label = label_of(codelet);
  leaf.kind = codelet.kind;
  leaf.real = leaf.in_unit = leaf.out_unit = static_cast<std::int64_t>(real_bytes(codelet.compute));
  const std::int64_t other = leaf.real == 4 ? 8 : 4;
  if (codelet.kind == PassKind::kDecode) leaf.in_unit = other;
  if (codelet.kind == PassKind::kEncode) leaf.out_unit = other;
  if (*codelet.in != '\0') leaf.in_unit = code_unit(codelet.in);
  if (*codelet.out != '\0') leaf.out_unit = code_unit(codelet.out);
  return leaf;
}

PassFn Recorder::add_leaf(Leaf leaf) {
  if (leaves_.size() == kMostLeaves) throw std::logic_error("more codelets than recording functions");
  const PassFn run = Functions::passes()[leaves_.size()];
  index_[run] = leaves_.size();
  leaves_.push_back(std::move(leaf));
  return run;
}

void Recorder::copy_codelets(std::span<const CodeletInfo> from, std::vector<CodeletInfo>& to) {
  for (CodeletInfo codelet : from) {
    codelet.run = add_leaf(leaf_of(codelet));
    if (codelet.kind == PassKind::kWhole && codelet.whole != nullptr) {  // a plan may be nothing else
      codelet.whole = Functions::wholes().at(wholes_.size());
      wholes_.push_back(label_of(codelet));
    }
    if (codelet.direct != nullptr) {
      codelet.direct = Functions::directs().at(directs_.size());
      directs_.push_back(label_of(codelet));
    }
    to.push_back(codelet);
  }
}

void Recorder::add_conversions(std::span<const ConversionEntry> from) {
  for (ConversionEntry entry : from) {
    std::tie(entry.decode, entry.encode) = Functions::conversions().at(conversions_.size());
    conversions_.push_back({entry.format, entry.is_f64 ? 8 : 4});
    entries_.push_back(entry);
  }
}

void Recorder::add_wide(const FormatInfo& format, bool is_f64) {
  const Codec codec = wide_codec({.element = &format}, is_f64);
  std::tie(wide_decoders_[codec.decode], wide_encoders_[codec.encode]) =
      Functions::conversions().at(conversions_.size());
  conversions_.push_back({format.name, is_f64 ? 8 : 4});
}

Recorder::Recorder(const CodeletTable& real) : table_(real) {
  const CodeletTable& reference = registered_targets().back().table;
  copy_codelets(real.codelets, codelets_);
  copy_codelets(real.fused, fused_);
  add_conversions(real.conversions);
  // Builders look a conversion up here first, then among those of the reference.
  if (std::string_view(real.backend) != reference.backend) add_conversions(reference.conversions);
  for (const char* const name : {"f32", "f64"}) {
    for (const bool is_f64 : {false, true}) add_wide(*find_format(formats(), name), is_f64);
  }
  const auto mx = [&](PassFn run, const char* label) {
    return run == nullptr ? nullptr : add_leaf({.label = label, .counts_units = true, .real = 4, .in_unit = 4, .out_unit = 4});
  };
  const auto split = [&](PassFn run, const char* label, std::int64_t real_bytes) {
    return run == nullptr ? nullptr : add_leaf({.label = label, .counts_units = true, .real = real_bytes, .in_unit = real_bytes, .out_unit = real_bytes});
  };
  table_.split_pass = split(real.split_pass, "split_pass", 4);
  table_.slice_pass = split(real.slice_pass, "slice_pass", 8);
  table_.mx_butterfly = mx(real.mx_butterfly, "mx_butterfly");
  table_.mx_multiply = mx(real.mx_multiply, "mx_multiply");
  for (const CodeletInfo& codelet : reference.codelets) {
    Leaf leaf = leaf_of(codelet);
    leaf.label += " of ref";
    if (!of_reference_.contains(codelet.run)) of_reference_[codelet.run] = add_leaf(std::move(leaf));
  }
  for (const HostStep& step : kHostSteps) {
    index_[step.run] = leaves_.size();
    leaves_.push_back({.label = std::string(step.name), .is_host = true, .reads = step.reads});
  }
  table_.codelets = codelets_;
  table_.fused = fused_;
  table_.conversions = entries_;
  current() = this;
}

Recorder::~Recorder() {
  if (current() == this) current() = nullptr;
}

namespace {

template <typename Function>
void replace_by(const std::unordered_map<Function, Function>& known, Function& run) {
  if (const auto found = known.find(run); found != known.end()) run = found->second;
}

}  // namespace

// They were made by the plan, and not constant while they were.
void Recorder::replace_in_closures(const CompiledPlan& plan) const {
  for (const auto& context : plan.contexts) {
    if (auto* const panel = known_as<StagedPanel>(*context)) replace_by(of_reference_, panel->run);
    if (auto* const line = known_as<StagedLine>(*context)) replace_by(of_reference_, line->run);
    if (auto* const rows = known_as<StoredRows>(*context)) {
      replace_by(wide_decoders_, rows->decode);
      replace_by(wide_encoders_, rows->encode);
    }
  }
}

void Recorder::replace_others(CompiledPlan& plan) const {
  for (Step& step : plan.steps) replace_by(of_reference_, step.run);
  replace_in_closures(plan);
  // Its passes convert, which those of the reference never do: none of its steps is to be replaced.
  if (plan.with_exponents != nullptr) replace_in_closures(*plan.with_exponents);
}

void Recorder::begin(Lines& trace, const Places& places, const TableCache& cache) {
  current() = this;
  trace_ = &trace;
  places_ = &places;
  cache_ = &cache;
  brief_ = 0;
}

// ---- what they write

void Recorder::write_place(Lines& lines, const Places& places, std::string_view name, std::uintptr_t address) const {
  lines.word(name);
  const std::optional<Places::Found> found = places.find(address);
  if (!found) return lines.word("tile");
  lines.word(found->name);
  lines.number("+", found->offset);
}

// `offset`: of the first position, in units. What swap does is seen from where re and im are.
void Recorder::write_edge(Lines& lines, const Places& places, std::string_view name, const Edge& edge, const Buffers& buffers,
                          std::int64_t offset, std::int64_t unit, const Leaf& leaf) const {
  const SlotAddress& slot = buffers.slot[static_cast<int>(edge.slot)];
  const auto at = [&](const void* base, std::int64_t reals) {
    return address_of(base) + static_cast<std::uintptr_t>(reals * unit);
  };
  std::uintptr_t re = at(slot.re, edge.offset + offset);
  std::uintptr_t im =
      edge.layout == Layout::kSplit ? at(slot.im, edge.offset + offset) : at(slot.re, edge.offset + offset + edge.im_offset);
  if (edge.swap) std::swap(re, im);
  write_place(lines, places, name, re);
  if (edge.layout == Layout::kSplit) {
    write_place(lines, places, "im", im);
  } else {
    lines.unless(unit, "im+", static_cast<std::int64_t>(im - re));
  }
  lines.unless(0, "point", edge.point_stride);
  lines.unless(0, "lane", edge.lane_stride);
  if (edge.wrap != 0 && edge.wrap_point != INT32_MAX) {
    lines.number("wrap", edge.wrap);
    lines.number("at", edge.wrap_point);
  }
  lines.flag("planar", edge.planar);
  lines.flag("lane_order", edge.lane_order);
  lines.flag("non_temporal", edge.non_temporal);
  lines.flag("swap", edge.swap && leaf.is_host);
}

// `beyond`: bytes from where it begins to what is read.
void Recorder::write_table(Lines& lines, const Places& places, std::string_view name, const void* table, std::int64_t beyond) {
  if (table == nullptr) return;
  if (places.find(table)) return write_place(lines, places, name, address_of(table) + static_cast<std::uintptr_t>(beyond));
  std::optional<KnownTables::Found> found = tables_.find(table);
  if (!found && cache_ != nullptr) {
    tables_.add(*cache_);
    found = tables_.find(table);
  }
  lines.word(name);
  if (!found) return lines.word("its_own");
  lines.bits("", found->digest);
  lines.unless(0, "+", found->offset + beyond);
}

void Recorder::write_ahead(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers,
                           std::int64_t first, std::int64_t count) {
  const Ahead& ahead = args.ahead;
  if (!ahead.fetches) return;
  const void* const base = buffers.slot[static_cast<int>(ahead.slot)].re;
  write_place(lines, places, "fetches",
              address_of(base) + static_cast<std::uintptr_t>((ahead.offset + first * ahead.axis_stride) * leaf.real));
  lines.unless(0, "point", ahead.point_stride);
  if (count > 1) lines.unless(0, "axis", ahead.axis_stride);
  lines.unless(2, "lane", ahead.lane_stride);
  if (!ahead.brief) return;
  ++brief_;
  lines.remark("brief");
}

// Loops around the lanes, from position `first` on.
void Recorder::write_axes(Lines& lines, const Leaf& leaf, const PassArgs& args, std::int64_t first, std::int64_t count) const {
  const Axis &outer = args.axes[0], &inner = args.axes[1];
  // What does not follow from where the edges are.
  const bool counted = leaf.counts_units || leaf.is_host || (outer.in_stride == 0 && outer.out_stride == 0);
  if (counted) lines.unless(0, "first", first);
  lines.unless(1, "x", count);
  if (count > 1) {
    lines.unless(0, "in", outer.in_stride);
    lines.unless(0, "out", outer.out_stride);
    lines.unless(0, "table", outer.table_stride);
  } else {
    lines.unless(0, "table_at", first * outer.table_stride);
  }
  if (inner.count > 1) {
    lines.number("x", inner.count);
    lines.unless(0, "in", inner.in_stride);
    lines.unless(0, "out", inner.out_stride);
    lines.unless(0, "table", inner.table_stride);
    lines.unless(0, "paths", args.path_stride);
  }
  lines.unless(1, "lanes", args.lanes);
}

// What few kinds of passes have.
void Recorder::write_extras(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers) {
  lines.unless(0, "row", args.row);
  lines.unless(0, "pad", args.pad);
  if (leaf.kind == PassKind::kTwist || args.twist.rows != 0) {
    const Twist& t = args.twist;
    for (const std::int64_t value : {t.rows, t.block, t.block_stride, t.split, t.begin, std::min(t.end, t.rows)})
      lines.number("twist", value);
  }
  if (has_context<BlockRows>(args)) {
    const auto& blocks = context_of<BlockRows>(args);
    lines.word(name_of(blocks.storage));
    const void* const scales = buffers.slot[static_cast<int>(blocks.scales)].re;
    write_place(lines, places, "scales", address_of(scales) + static_cast<std::uintptr_t>(blocks.scale_offset));
    for (const std::int64_t value : {std::int64_t{blocks.shift}, blocks.row_bytes, blocks.row_scale_bytes, blocks.fetch}) {
      lines.number("block", value);
    }
  }
  if (args.scale != 1.0) lines.bits("scale", args.scale);
  const PassArgs& inner = has_context<StagedLine>(args) ? context_of<StagedLine>(args).args : args;
  if (!has_context<RoundedPass>(inner)) return;
  const auto& rounded = context_of<RoundedPass>(inner);
  lines.word(rounded.scheme.element->name);
  lines.flag("f32_sums", rounded.scheme.f32_sums);
  lines.flag("rounds_input", rounded.rounds_input);
  write_table(lines, places, "constants", rounded.constants, 0);
}

void Recorder::write_pass(Lines& lines, const Places& places, const Leaf& leaf, const PassArgs& args, const Buffers& buffers,
                          std::int64_t first, std::int64_t count) {
  lines.word(leaf.label);
  // Positions of columns with a row list are listed, too.
  const bool listed = leaf.kind == PassKind::kColumns && args.rows != nullptr;
  write_edge(lines, places, "in", args.in, buffers, first * args.axes[0].in_stride, leaf.in_unit, leaf);
  write_edge(lines, places, "out", args.out, buffers, listed ? 0 : first * args.axes[0].out_stride, leaf.out_unit, leaf);
  write_axes(lines, leaf, args, first, count);
  if (args.number_stride != 0 && &places == &slot_places()) lines.number("per_number", args.number_stride);
  const std::int64_t number = args.number_stride != 0 ? buffers.number * args.number_stride * leaf.real : 0;
  // Some passes have all that they read in their context.
  const bool has_all = has_context<MxPass>(args) || has_context<SplitPass>(args) || has_context<ImagePass>(args);
  if (!leaf.is_host) write_table(lines, places, "table", has_all ? args.context : args.table, number);
  write_table(lines, places, "paths", args.paths, 0);
  write_table(lines, places, "rows", args.rows, listed ? first * static_cast<std::int64_t>(sizeof *args.rows) : 0);
  if (args.rows != nullptr) lines.unless(0, "row_stride", args.row_stride);
  write_ahead(lines, places, leaf, args, buffers, first, count);
  write_extras(lines, places, leaf, args, buffers);
  lines.end();
}

void Recorder::pass(std::size_t index, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (trace_ != nullptr) write_pass(*trace_, *places_, leaves_[index], args, buffers, first, count);
}

void Recorder::whole(std::size_t index, const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im,
                     std::int64_t out_stride) {
  if (trace_ == nullptr) return;
  trace_->word("call");
  trace_->word(wholes_[index]);
  const std::array<std::pair<std::string_view, const void*>, 4> ends{{{"in", re}, {"im", im}, {"out", out_re}, {"im", out_im}}};
  for (const auto& [name, address] : ends) write_place(*trace_, *places_, name, address_of(address));
  trace_->number("point", stride);
  trace_->number("point", out_stride);
  trace_->end();
}

void Recorder::direct(std::size_t index, const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im) {
  if (trace_ == nullptr) return;
  trace_->word("call");
  trace_->word(directs_[index]);
  const std::array<std::pair<std::string_view, const void*>, 4> ends{
      {{"in", in_re}, {"im", in_im}, {"out", out_re}, {"im", out_im}}};
  for (const auto& [name, address] : ends) write_place(*trace_, *places_, name, address_of(address));
  write_table(*trace_, *places_, "table", call.table, 0);
  trace_->end();
}

namespace {

// Tiles begin uninitialised, and what converts them leaves zeros, so that whoever looks at them sees the same in every run.
void clear_reals(const ConversionArgs& args, std::int64_t real) {
  char* const reals = static_cast<char*>(args.reals);
  const Groups place{args.group, args.real_group_stride};
  for (std::int64_t r = 0; r < args.rows; ++r) {
    for (std::int64_t i = 0; i < args.count; ++i)
      std::memset(reals + (r * args.real_row_stride + place(i)) * real, 0, static_cast<std::size_t>(real));
  }
}

void clear_bytes(void* begin, std::int64_t rows, std::int64_t row_bytes, std::int64_t bytes) {
  for (std::int64_t r = 0; r < rows; ++r)
    std::memset(static_cast<char*>(begin) + r * row_bytes, 0, static_cast<std::size_t>(bytes));
}

}  // namespace

void Recorder::convert(std::size_t index, const ConversionArgs& args, bool encodes) {
  if (trace_ == nullptr) return;
  Lines& lines = *trace_;
  const Conversion& conversion = conversions_[index];
  lines.word(encodes ? "encode" : "decode");
  lines.word(conversion.label);
  lines.number("f", 8 * conversion.real);
  lines.word(name_of(*args.storage));
  write_place(lines, *places_, "codes", address_of(args.codes));
  if (args.storage->scale != nullptr) write_place(lines, *places_, "scales", address_of(args.scales));
  write_place(lines, *places_, "reals", address_of(args.reals));
  lines.number("count", args.count);
  if (args.rows != 1) {
    lines.number("rows", args.rows);
    lines.number("codes", args.code_row_bytes);
    if (args.storage->scale != nullptr) lines.number("scales", args.scale_row_bytes);
    lines.number("reals", args.real_row_stride);
  }
  if (args.group != 0) {
    for (const std::int64_t value : {args.group, args.code_group_stride, args.real_group_stride}) lines.number("group", value);
  }
  if (encodes) {
    lines.flag("non_temporal", args.non_temporal);
    lines.unless(static_cast<std::int64_t>(Rounding::kNearestSaturate), "rounding", static_cast<std::int64_t>(args.rounding));
  }
  lines.end();
  if (!encodes && !places_->find(args.reals)) clear_reals(args, conversion.real);
  const std::int64_t bytes = code_bytes(*args.storage, args.count);
  if (encodes && args.group == 0 && !places_->find(args.codes)) clear_bytes(args.codes, args.rows, args.code_row_bytes, bytes);
  if (encodes && args.storage->scale != nullptr && !places_->find(args.scales)) {
    clear_bytes(args.scales, args.rows, args.scale_row_bytes, scale_bytes(*args.storage, args.count));
  }
}

void Recorder::record_tile(void* user, const ulpfft_tile* tile) {
  Recorder& recorder = *static_cast<Recorder*>(user);
  Lines& lines = *recorder.trace_;
  lines.word("user");
  recorder.write_place(lines, *recorder.places_, "values", address_of(tile->values));
  for (const std::int64_t value : {tile->rows, tile->columns, tile->row_stride, tile->transform, tile->index, tile->row_step})
    lines.number("tile", value);
  lines.end();
}

void Recorder::print_step(const Step& step, Lines& lines) {
  const auto known = index_.find(step.run);
  if (step.run == nullptr) {
    lines.number("repeat", step.count);
    lines.number("of", step.body);
  }
  lines.flag("parallel", step.parallel);
  lines.flag("split", step.split);
  lines.flag("numbered", step.numbered);
  if (step.parallel) {
    lines.number("private_from", step.private_from);
    lines.number("private", step.private_bytes);
  }
  for (std::size_t s = 0; s < kSlots; ++s) {
    if (step.run != nullptr || step.increment[s] == 0) continue;
    lines.word(slot_places().find(slot_places().origin(2 * s))->name);
    lines.number("+=", step.increment[s]);
  }
  if (step.run == nullptr) return lines.end();
  if (known == index_.end()) throw std::logic_error("a step function that this test does not know: name it in kHostSteps");
  const Leaf& leaf = leaves_[known->second];
  if (leaf.is_host && !leaf.reads(step.args)) throw std::logic_error("a step whose context is none of its function: " + leaf.label);
  write_pass(lines, slot_places(), leaf, step.args, slot_buffers(), 0, step.count);
}

}  // namespace ulpfft::test

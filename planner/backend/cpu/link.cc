// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/link.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "codelets/registry.h"
#include "planner/backend/cpu/chain_step.h"
#include "planner/backend/cpu/entry_point.h"
#include "planner/backend/cpu/if_exponents.h"
#include "planner/convert/staged.h"
#include "planner/scheme/mx.h"
#include "planner/scheme/rounded.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/scheme/split.h"
#include "planner/table/line_table.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

// Names of tables in the cache: equal ones hold the same values.
std::string name_of(const TwistRequest& r) {
  return "twist " + std::to_string(r.n) + " " + std::to_string(r.rows) + " " + std::to_string(r.begin) + " " + std::to_string(r.end) + " " +
         std::to_string(r.panel) + " " + std::to_string(r.lanes);
}
std::string name_of(const LineTwiddles& table) {
  return "lines " + std::to_string(table.rows) + " " + std::to_string(table.columns) + " " + std::to_string(table.kept);
}
std::string name_of(const Chirp& table) { return "chirp " + std::to_string(table.n); }
std::string name_of(const Zoom& zoom) {
  return std::to_string(zoom.points) + " " + print_double(zoom.start) + " " + print_double(zoom.step);
}
std::string name_of(const ZoomChirp& table) {
  return std::string(table.output ? "zoom out " : "zoom in ") + std::to_string(table.inputs) + " " + name_of(table.zoom);
}
std::string rounded_to(const FormatInfo* element) { return element == nullptr ? "" : std::string(" ") + element->name; }
std::string name_of(const RealTwiddles& table) {
  return (table.halved ? "half real " : "real ") + std::to_string(table.n) + rounded_to(table.element);
}
std::string name_of(const FoldTwiddles& table) {
  return "fold " + std::string(name_of(table.kind)) + " " + std::to_string(table.n) + (table.halved ? " halved" : "") +
         (table.weighted ? " weighted" : "") + rounded_to(table.element);
}
std::string name_of(const WindowFactors& table) {
  std::string name = "window " + print_window(table.window);
  if (table.window.given != nullptr) {
    name += " " + std::to_string(reinterpret_cast<std::uintptr_t>(table.window.given->data() + table.window.begin));
  }
  for (const std::int64_t length : table.lengths) name += " " + std::to_string(length);
  return name;
}
std::string name_of(const PairTwiddles& table) { return "pairs " + std::to_string(table.n); }
std::string name_of(const PickFactors& table) {
  return "pick " + std::string(name_of(table.kind)) + (table.output ? " out" : " in") + (table.half ? " half" : "") +
         (table.weighted ? " weighted" : "") +
         rounded_to(table.element);
}
// A filter may owe its last bits to the node that transforms it.
std::string name_of(const FilterSpectrum& filter) {
  const bool zooms = filter.kind == FilterSpectrum::Kind::kZoom;
  const char* const kind = filter.kind == FilterSpectrum::Kind::kRader ? "rader" : zooms ? "zoom" : "bluestein";
  std::string name = std::string(kind) + " " + std::to_string(filter.n) + " " + std::to_string(filter.m);
  if (zooms) name += " " + name_of(filter.zoom);
  if (filter.child != nullptr) name += " " + print_recipe({"f64", *filter.child});
  return name;
}

constexpr char kAnyTable[1] = {};

class Linker {
 public:
  Linker(const Program& program, const CodeletTable& codelets, TableCache& cache, const NodeTransform& transform)
      : program_(program), codelets_(codelets), cache_(cache), transform_(transform), scheme_(program.scheme) {}

  CompiledPlan link() {
    static_cast<PlanFacts&>(plan_) = program_;
    plan_.contexts.assign(program_.block_rows.begin(), program_.block_rows.end());
    for (const TableOrder& order : program_.tables)
      plan_.tables.push_back(std::visit([&](const auto& table) { return filled(table); }, order));
    for (const RowOrder& order : program_.rows) {
      plan_.rows.push_back(std::make_shared<const std::vector<std::uint32_t>>(make_row_list(order, cache_.roots.poll)));
    }
    add_body(program_.body, plan_.steps);
    set_entry_point();
    if (!program_.mx_errors.squares.empty()) set_mx_error();
    if (program_.with_exponents != nullptr) {
      plan_.with_exponents = std::make_shared<const CompiledPlan>(ulpfft::link(*program_.with_exponents, codelets_, cache_, transform_));
    }
    return std::move(plan_);
  }

 private:
  // ---- tables

  std::shared_ptr<const TwiddleTable> filled(const TwiddleRequest& request) {
    const TableCache::Key key{program_.compute, request.body,  request.length,     request.begin,     request.end,
                              request.row,      request.lanes, request.lane_order, request.broadcast, request.packed, request.element};
    auto known = cache_.twiddles.find(key);
    if (known == cache_.twiddles.end()) {
      known =
          cache_.twiddles.emplace(key, std::make_shared<const TwiddleTable>(make_twiddle_table(request, program_.compute, cache_.roots)))
              .first;
    }
    return known->second;
  }

  template <typename Table>
  std::shared_ptr<const TwiddleTable> filled(const Table& table) {
    return named(name_of(table), [&] { return values_of(table); });
  }

  std::shared_ptr<const TwiddleTable> named(const std::string& name, const std::function<AlignedBuffer()>& make) {
    const std::string full = name + " " + scheme_of_compute(program_.compute);
    auto known = cache_.lines.find(full);
    if (known == cache_.lines.end()) {
      auto table = std::make_shared<TwiddleTable>();
      table->values = make();
      known = cache_.lines.emplace(full, std::move(table)).first;
    }
    return known->second;
  }

  AlignedBuffer values_of(const TwistRequest& request) { return make_twist_table(request, program_.compute, cache_.roots); }
  AlignedBuffer values_of(const LineTwiddles& table) {
    return make_line_twiddles(table.rows, table.columns, table.kept, program_.compute, cache_.roots);
  }
  AlignedBuffer values_of(const Chirp& table) { return make_chirp(table.n, program_.compute, cache_.roots); }
  AlignedBuffer values_of(const ZoomChirp& table) {
    return make_zoom_chirp({table.zoom, table.inputs}, table.output, table.count(), program_.compute, cache_.roots);
  }
  AlignedBuffer values_of(const RealTwiddles& table) {
    return make_real_twiddles(table.n, table.halved, scheme_.carrier, cache_.roots, table.element);
  }
  AlignedBuffer values_of(const FoldTwiddles& table) { return make_fold_twiddles(table, scheme_.carrier, cache_.roots); }
  AlignedBuffer values_of(const PairTwiddles& table) { return make_pair_twiddles(table, program_.compute, cache_.roots); }
  AlignedBuffer values_of(const PickFactors& table) { return make_pick_factors(table, scheme_.carrier, cache_.roots); }
  AlignedBuffer values_of(const WindowFactors& table) { return make_window_factors(table, program_.compute, cache_.roots); }
  AlignedBuffer values_of(const FilterSpectrum& filter) {
    const auto by_node = [&](double* values, std::int64_t m) { transform_(*filter.child, values, m); };
    if (filter.kind == FilterSpectrum::Kind::kZoom) {
      return make_zoom_filter({filter.zoom, filter.n}, filter.n, filter.outputs(), filter.m, program_.compute, cache_.roots, by_node);
    }
    return filter.kind == FilterSpectrum::Kind::kRader ? make_rader_filter(filter.n, filter.m, program_.compute, cache_.roots, by_node)
                                                       : make_chirp_filter(filter.n, filter.m, program_.compute, cache_.roots, by_node);
  }

  // The plan has it from now on.
  template <typename T>
  const T* keep(std::shared_ptr<T> context) {
    plan_.contexts.push_back(context);
    return context.get();
  }

  const RoundedPass* rounded_pass(const RoundedScheme& scheme, const Pass& pass) {
    for (const RoundedPass* known : rounded_) {
      if (known->body == pass.codelet->rounded && known->rounds_input == pass.rounds_input) return known;
    }
    auto rounded = std::make_shared<RoundedPass>();
    rounded->scheme = scheme;
    rounded->body = pass.codelet->rounded;
    rounded->rounds_input = pass.rounds_input;
    if (!scheme_.reference_bodies) {
      if (program_.compute == ComputeType::kRoundedF32) {
        rounded->f32 = rounding_constants<float>(*scheme.element);
      } else {
        rounded->f64 = rounding_constants<double>(*scheme.element);
      }
      plan_.tables.push_back(named("constants of " + program_.scheme_name, [&] { return rounded_constants(scheme); }));
      rounded->constants = plan_.tables.back()->values.data();
    }
    rounded_.push_back(keep(std::move(rounded)));
    return rounded_.back();
  }

  const MxTables& mx_tables(const MxProducts& products) {
    std::string name = program_.scheme_name + " " + std::to_string(products.radix) + " " + std::to_string(products.length) + " " +
                       std::to_string(products.butterflies) + (products.ones ? " ones" : "");
    for (const std::int64_t radix : products.digits) name += " " + std::to_string(radix);
    auto known = cache_.mx.find(name);
    if (known == cache_.mx.end()) {
      const auto& scheme = std::get<MxScheme>(scheme_.constants);
      const MxPass outline = mx_pass(scheme, products.radix, products.length, products.butterflies, products.ones);
      std::vector<std::uint32_t> points;
      if (!products.digits.empty()) points = columns_of_rows(products.digits, cache_.roots.poll);
      known = cache_.mx.emplace(name, make_mx_tables(outline, std::move(points), cache_.roots)).first;
    }
    plan_.mx.push_back(known->second);
    return *known->second;
  }

  void set_tables(SplitPass& pass) {
    const std::string name = program_.scheme_name + " " + std::to_string(pass.radix) + " " + std::to_string(pass.length) + " " + std::to_string(pass.next);
    auto known = cache_.splits.find(name);
    if (known == cache_.splits.end()) known = cache_.splits.emplace(name, make_split_tables(pass, cache_.roots)).first;
    use_tables(pass, *known->second);
    plan_.split_tables.push_back(known->second);
  }

  // ---- steps

  void add_body(const std::vector<Item>& body, std::vector<Step>& steps) {
    for (const Item& item : body) {
      if (const Pass* pass = item.pass()) {
        steps.push_back(step_of(*pass));
        continue;
      }
      if (item.loop() == nullptr) continue;
      const Loop& loop = *item.loop();
      if (loop.when == When::kIfExponents) {
        auto search = std::make_shared<IfExponents>();
        add_body(loop.body, search->steps);
        steps.push_back(search->steps.front());
        search->steps.erase(search->steps.begin());
        steps.back().args.context = keep(std::move(search));
        continue;
      }
      if (loop.images != nullptr) {
        steps.push_back(image_step(loop));
        continue;
      }
      const std::size_t index = steps.size();
      Step step;
      step.count = loop.count;
      step.parallel = loop.parallel;
      step.split = loop.split;
      step.numbered = loop.numbered;
      step.private_from = loop.private_from;
      step.private_bytes = loop.private_bytes;
      for (const auto& [array, bytes] : loop.moves) step.increment[static_cast<int>(placed(program_, array).slot)] += bytes;
      steps.push_back(step);
      add_body(loop.body, steps);
      steps[index].body = static_cast<std::int32_t>(steps.size() - index - 1);
    }
  }

  static bool is_split(const std::vector<Item>& body) {
    return std::any_of(body.begin(), body.end(), [](const Item& item) {
      if (item.loop() != nullptr) return item.loop()->split || is_split(item.loop()->body);
      return item.pass() != nullptr && item.pass()->split;
    });
  }

  Step image_step(const Loop& loop) {
    Step step;
    step.args = args_of(loop.images->args);
    step.count = step.args.axes[0].count;
    step.parallel = step.count > 1;
    step.split = step.parallel && is_split(loop.body);
    step.args.context = keep(std::shared_ptr<const ImagePass>(loop.images, &loop.images->pass));
    step.run = image_pass(codelets_, program_.compute);
    return step;
  }

  Edge edge_of(const View& view) const {
    const Array array = placed(program_, view.array);
    return {array.slot,
            view.layout,
            view.swap,
            view.planar,
            view.lane_order,
            view.half_complex,
            view.non_temporal,
            (array.narrow != nullptr ? 0 : array.offset) + view.offset,
            view.im_offset,
            view.point_stride,
            view.lane_stride,
            view.wrap,
            view.wrap_point};
  }

  PassArgs args_of(const Operands& operands) const {
    PassArgs args;
    args.in = edge_of(operands.in);
    args.out = edge_of(operands.out);
    std::copy(std::begin(operands.axes), std::end(operands.axes), args.axes);
    args.lanes = operands.lanes;
    args.path_stride = operands.path_stride;
    args.row_stride = operands.row_stride;
    args.row = operands.row;
    args.number_stride = operands.number_stride;
    args.pad = operands.pad;
    args.twist = operands.twist;
    const Fetch& ahead = operands.ahead;
    const Array array = placed(program_, ahead.array);
    args.ahead = {ahead.fetches,      ahead.brief,       array.slot,       array.offset + ahead.offset,
                  ahead.point_stride, ahead.axis_stride, ahead.lane_stride};
    args.scale = operands.scale;
    return args;
  }

  // The rows of a group where its work array, what undoes its prescale, and its window lie.
  const StoredRows* rows_at(const StoredRows* rows, ArrayId work, const void* window = nullptr) {
    if (const auto known = rows_.find(rows); known != rows_.end()) return known->second;
    const Array array = placed(program_, work);
    auto copy = std::make_shared<StoredRows>(*rows);
    copy->work = array.slot;
    copy->window = window;
    copy->work_offset += array.offset;
    copy->undo_offset += array.offset * copy->real_bytes();
    return rows_[rows] = keep(std::move(copy));
  }

  StagedPanel panel_at(const StagedEnd& end) const {
    const std::int64_t real = static_cast<std::int64_t>(real_bytes(program_.compute));
    const bool of_output = end.codes == ArrayId::kOut;
    const ArrayId scales_array = is_work(end.codes) ? end.codes : of_output ? ArrayId::kOutScales : ArrayId::kInScales;
    const Array codes = placed(program_, end.codes), scales = placed(program_, scales_array), tile = placed(program_, end.tile);
    StagedPanel panel = *end.panel;
    panel.codes = codes.slot;
    panel.scales = scales.slot;
    panel.origin = panel.origin + NarrowPlace{codes.offset * real, scales.offset * real};
    panel.tile_slot = tile.slot;
    panel.tile_offset += tile.offset;
    if (panel.codes_offset != 0) panel.codes_offset += tile.offset;
    return panel;
  }

  Step step_of(const Pass& pass) {
    Step step;
    step.args = args_of(pass.args);
    step.count = pass.extent;
    step.parallel = pass.parallel;
    step.split = pass.split;
    if (pass.table >= 0) {
      const TwiddleTable& table = *plan_.tables[static_cast<std::size_t>(pass.table)];
      step.args.table =
          static_cast<const std::byte*>(table.values.data()) + pass.table_begin * static_cast<std::int64_t>(real_bytes(program_.compute));
      if (!table.paths.empty()) step.args.paths = table.paths.data() + pass.paths_begin;
    }
    if (pass.rows >= 0) step.args.rows = plan_.rows[static_cast<std::size_t>(pass.rows)]->data() + pass.rows_begin;
    std::visit([&](const auto& constants) { set_arithmetic(constants, pass, step); }, scheme_.constants);
    std::visit([&](const auto& op) { set_run(op, pass, step); }, pass.op);
    return step;
  }

  // What passes of a scheme need besides their operands.
  void set_arithmetic(const auto&, const Pass&, Step&) {}
  void set_arithmetic(const RoundedScheme& scheme, const Pass& pass, Step& step) {
    const PassLoops loops = row_of(pass.codelet->kind).loops;
    if (loops != PassLoops::kPanel && loops != PassLoops::kLine) step.args.context = rounded_pass(scheme, pass);
  }

  void set_run(const Compute& op, const Pass& pass, Step& step) {
    step.run = op.fused != nullptr ? op.fused->run : pass.codelet->run;
    if (op.blocks != nullptr) step.args.context = op.blocks;
  }

  // The step runs `outer` over slices; the pass as it is so far runs inside.
  template <typename T>
  void stage(T staged, PassFn outer, Step& step) {
    auto kept = std::make_shared<T>(std::move(staged));
    kept->run = step.run;
    kept->args = step.args;
    step.run = outer;
    step.args.context = keep(std::move(kept));
  }

  void set_run(const StagedPass& op, const Pass& pass, Step& step) {
    const PassKind kind = pass.codelet->kind;
    if (is_conversion(kind)) {
      const bool encodes = op.out.panel != nullptr;
      PassArgs rows;
      rows.in.slot = step.args.in.slot;
      rows.out.slot = step.args.out.slot;
      rows.lanes = step.args.lanes;
      step.args = rows;  // the panel addresses both ends
      return stage(panel_at(encodes ? op.out : op.in), encodes ? &encode_staged_rows : &decode_staged_rows, step);
    }
    step.run = pass.codelet->run;
    if (op.out.panel != nullptr) stage(panel_at(op.out), kind == PassKind::kTwist ? &encode_twist : &encode_columns, step);
    if (op.in.panel != nullptr) stage(panel_at(op.in), &decode_columns, step);
    if (op.in.line == nullptr) return;
    StagedLine line = *op.in.line;
    line.rows = rows_at(line.rows, op.in.tile);
    stage(std::move(line), &decode_first_pass, step);
  }

  void set_run(const ConvertGroup& op, const Pass& pass, Step& step) {
    const void* const window = pass.table >= 0 ? step.args.table : nullptr;
    step.args.context = rows_at(op.rows, op.rows->output ? pass.args.in.array : pass.args.out.array, window);
    switch (op.work) {
      case ConvertGroup::Work::kDecode: step.run = &decode_stored_rows; break;
      case ConvertGroup::Work::kApplyExponents: step.run = &apply_exponents; break;
      case ConvertGroup::Work::kChooseExponents: step.run = &choose_exponents; break;
      case ConvertGroup::Work::kEncode: step.run = &encode_stored_rows; break;
      case ConvertGroup::Work::kFindPrescale: step.run = &find_prescale; break;
      case ConvertGroup::Work::kFitKept: step.run = &fit_kept; break;
      case ConvertGroup::Work::kEncodeKept: step.run = &encode_kept; break;
    }
  }

  void set_run(const RoundStage& op, const Pass&, Step& step) {
    auto stage = std::make_shared<RoundedStage>(*op.stage);
    stage->work = step.args.in;
    step.run = &round_between_passes;
    step.args.context = keep(std::move(stage));
  }

  void set_run(const Spectrum& op, const Pass& pass, Step& step) {
    auto chain = std::make_shared<ChainStep>();
    chain->multiply = pass.codelet->run;
    chain->complex_bytes = 2 * static_cast<std::int64_t>(real_bytes(program_.compute));
    chain->index = op.index;
    chain->row_step = op.row_step;
    chain->transform = op.transform;
    chain->rows_are_transforms = op.rows_are_transforms;
    step.run = op.multiplies ? &multiply_spectrum : &apply_to_spectrum;
    step.args.context = keep(std::move(chain));
  }

  void set_run(const FindExponent&, const Pass&, Step& step) { step.run = &run_if_exponents; }

  void set_run(const Launch&, const Pass&, Step&) { throw std::logic_error("The processor launches no kernels."); }

  void set_run(const MxProducts& op, const Pass& pass, Step& step) {
    const MxTables& tables = mx_tables(op);
    step.run = op.sums ? codelets_.mx_butterfly : codelets_.mx_multiply;
    step.args.context = &tables.pass;
    mx_square_ += mx_square(tables.pass, program_.passes[pass.use].share, program_.mx_errors.block, tables.twiddle_error);
  }

  void set_run(const SplitProducts& op, const Pass&, Step& step) {
    const auto& scheme = std::get<SplitScheme>(scheme_.constants);
    auto pass = std::make_shared<SplitPass>(split_pass(scheme, op.radix, op.length, op.points, op.next));
    if (op.norms != ArrayId::kNone) {
      const Array norms = placed(program_, op.norms);
      pass->norms = norms.slot;
      pass->norms_in = norms.offset + op.norms_in;
      pass->norms_out = norms.offset + op.norms_out;
      pass->norms_read = op.norms_read;
      pass->norms_written = op.norms_written;
    }
    pass->finds_norms = op.finds_norms;
    if (!op.finds_norms) set_tables(*pass);
    step.run = scheme.slices() ? codelets_.slice_pass : codelets_.split_pass;
    step.args.context = keep(std::move(pass));
  }

  // ---- the plan

  void set_entry_point() {
    plan_.work_may_be_out = program_.work_may_be_out;
    if (program_.entry_point == EntryPoint::kSteps) return;
    std::vector<const Pass*> passes;
    for (const Item& item : program_.body) {
      if (item.pass() != nullptr) passes.push_back(item.pass());
    }
    const auto rows_of = [&](const Pass& pass) -> const StoredRows* {
      const auto* const convert = std::get_if<ConvertGroup>(&pass.op);
      return convert == nullptr ? nullptr : rows_at(convert->rows, ArrayId::kNone);  // placed by now
    };
    if (program_.entry_point == EntryPoint::kPair) return set_pair(passes);
    if (program_.entry_point == EntryPoint::kTiled && program_.in.how == Converted::kNone && passes.size() == 3) {  // a pair, and powers
      plan_.tiled.out = rows_of(*passes.back());
      passes.pop_back();
      return set_pair(passes);
    }
    const std::size_t at = rows_of(*passes.front()) != nullptr ? 1 : 0;
    const Pass& pass = *passes[at];
    const CodeletInfo* const fused = std::get<Compute>(pass.op).fused;
    plan_.bare = program_.entry_point == EntryPoint::kBare;
    plan_.direct = program_.entry_point == EntryPoint::kDirect && fused == nullptr;
    if (program_.entry_point == EntryPoint::kDirect && fused != nullptr) plan_.direct_fused = fused->direct;
    if (plan_.direct && is_direct_of_sines(pass)) plan_.steps[at].args.table = kAnyTable;
    if (program_.entry_point != EntryPoint::kTiled) return;
    plan_.tiled = {pass.codelet->direct, plan_.steps[at].args.table, rows_of(*passes.front()), rows_of(*passes.back())};
  }

  void set_pair(const std::vector<const Pass*>& passes) {
    for (std::size_t i = 0; i < passes.size(); ++i) {
      const PassArgs& args = plan_.steps[i].args;
      plan_.pair[i].run = passes[i]->codelet->direct;
      if (passes[i]->codelet->kind == PassKind::kPacked) {
        plan_.pair[i].table = args.table;
      } else {
        auto direct = std::make_shared<DirectPass>();
        direct->args = &args;
        plan_.pair[i].context = keep(std::move(direct));
      }
    }
    const std::size_t packed = passes[0]->codelet->kind == PassKind::kPacked ? 0 : 1;
    const Operands& pairs = passes[1 - packed]->args;
    if (pairs.in.swap || pairs.out.swap || pairs.scale != 1.0) return;
    plan_.both = packed == 0 ? passes[packed]->codelet->untangled : passes[packed]->codelet->tangled;
    plan_.pair_tables.transform = plan_.steps[packed].args.table;
    plan_.pair_tables.pairs = plan_.steps[1 - packed].args.table;
  }

  void set_mx_error() {
    double square = mx_square_;
    for (const double other : program_.mx_errors.squares) square += other;
    plan_.predicted_error = std::sqrt(square);
  }

  const Program& program_;
  const CodeletTable& codelets_;
  TableCache& cache_;
  const NodeTransform& transform_;
  const Scheme scheme_;
  double mx_square_ = 0;  // of the products so far
  std::map<const StoredRows*, const StoredRows*> rows_;  // of the program, and placed
  std::vector<const RoundedPass*> rounded_;
  CompiledPlan plan_;
};

}  // namespace

CompiledPlan link(const Program& program, const CodeletTable& codelets, TableCache& cache, const NodeTransform& transform) {
  return Linker(program, codelets, cache, transform).link();
}

}  // namespace ulpfft

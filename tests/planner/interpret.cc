// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/interpret.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "codelets/contract/pass_definition.h"
#include "planner/convert/storage_by_name.h"
#include "planner/table/row_list.h"
#include "tests/planner/interpret_real.h"

namespace ulpfft::test {
namespace {

// Number `at` of a view, in reals from its offset.
Number number_of(const View& view, std::int64_t at) {
  const std::int64_t re = view.offset + at, im = view.layout == Layout::kSplit ? re : re + view.im_offset;
  return view.swap ? Number{im, re} : Number{re, im};
}

// Where the parts of a number change places; other ends have signs instead.
View exchanged(View view, const PassEnd& end) {
  view.swap = view.swap && end.swap == PassSwap::kExchanges;
  return view;
}

}  // namespace

Interpreter::Interpreter(const Program& program, const Problem& problem)
    : program_(program), real_(static_cast<std::int64_t>(real_bytes(program.compute))), tables_(program) {
  unit_[0] = static_cast<std::int64_t>(storage_real_bytes(problem.storage_in));
  unit_[1] = static_cast<std::int64_t>(storage_real_bytes(problem.storage_out));
  arrays_.resize(static_cast<std::size_t>(ArrayId::kFirstWork) + program.arrays.size() + 1);
  moved_.resize(arrays_.size());
}

// ---- numbers

double& Interpreter::part_of(const View& view, const Number& number, bool im) {
  const int part = view.layout == Layout::kSplit && im != view.swap ? 1 : 0;
  return same(view.array).reals[part].at((im ? number.im : number.re) + moved_reals(view.array));
}

// A real has no imaginary part: it reads as 0.
Complex Interpreter::load(const View& view, const Number& number) {
  return {part_of(view, number, false), number.im == kNoPart ? 0.0 : part_of(view, number, true)};
}

void Interpreter::store(const View& view, const Number& number, Complex value) {
  part_of(view, number, false) = value.real();
  if (number.im != kNoPart) part_of(view, number, true) = value.imag();
}

// ---- butterflies

// What point j of a butterfly is multiplied by.
Complex Interpreter::twiddle(const Pass& pass, const Butterfly& butterfly, std::int64_t j) const {
  const CodeletInfo& codelet = *pass.codelet;
  const Operands& args = pass.args;
  if (codelet.kind == PassKind::kTwist) {
    const auto& order = std::get<TwistRequest>(program_.tables.at(static_cast<std::size_t>(pass.table)));
    const std::int64_t panel = (pass.table_begin + number_ * args.number_stride) / twist_panel_values(order);
    return root((args.twist.begin + j) * (order.begin + panel * order.panel + butterfly.index), order.n);
  }
  if (codelet.kind != PassKind::kTwiddled && codelet.kind != PassKind::kColumnsTwiddled) return args.scale;
  const auto& order = std::get<TwiddleRequest>(program_.tables.at(static_cast<std::size_t>(pass.table)));
  std::int64_t k = butterfly.index;
  if (codelet.kind == PassKind::kColumnsTwiddled)
    k += order.begin + pass.table_begin / static_cast<std::int64_t>(codelet.body->table.size());
  return root(j * k, order.length * codelet.body->radix);
}

std::vector<Complex> Interpreter::outputs(const Pass& pass, const Butterfly& butterfly, std::vector<Complex> values) {
  const PassKind kind = pass.codelet->kind;
  if (kind == PassKind::kReal) return real_codelet_outputs(pass, std::move(values));
  if (row_of(kind).loops < PassLoops::kLine) {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] *= twiddle(pass, butterfly, static_cast<std::int64_t>(j));
    return has_body(kind) ? dft(values) : values;
  }
  const Operands& args = pass.args;
  const std::vector<double> table = tables_.of_line(pass, (pass.table_begin + number_ * args.number_stride + butterfly.index) / 2);
  const std::vector<std::uint32_t>* const rows = tables_.rows_of(pass);
  return LineDefinition<double>{.kind = kind, .lanes = args.lanes, .row = args.row, .pad = args.pad, .scale = args.scale,
                                .in_swap = args.in.swap, .out_swap = args.out.swap, .table = table.data(),
                                .rows = rows == nullptr ? nullptr : rows->data() + pass.rows_begin}(std::move(values));
}

void Interpreter::run_group(const Pass& pass, const Group& group) {
  std::vector<std::vector<Complex>> results;
  const bool decodes = converts(pass, false), encodes = converts(pass, true);
  const PassRow& row = row_of(pass.codelet->kind);
  const View in = exchanged(pass.args.in, row.in), out = exchanged(pass.args.out, row.out);
  for (const Butterfly& butterfly : group.butterflies) {
    std::vector<Complex> values;
    for (const Number& number : butterfly.in) {
      values.push_back(decodes ? Complex(load_code(pass, in, number.re), load_code(pass, in, number.im)) : load(in, number));
    }
    results.push_back(outputs(pass, butterfly, std::move(values)));
  }
  for (const Number& number : group.written_along) store(pass.args.out, number, {kNothing, kNothing});
  for (std::size_t b = 0; b < results.size(); ++b) {
    const Butterfly& butterfly = group.butterflies[b];
    for (std::size_t j = 0; j < butterfly.out.size(); ++j) {
      if (encodes) {
        store_code(out, butterfly.out[j].re, results[b][j].real());
        store_code(out, butterfly.out[j].im, results[b][j].imag());
      } else {
        store(out, butterfly.out[j], results[b][j]);
      }
    }
    for (const auto& [j, number] : butterfly.again) store(pass.args.out, number, results[b][static_cast<std::size_t>(j)]);
  }
}

void Interpreter::run_codelet(const Pass& pass, std::int64_t position) {
  visit_groups(program_, pass, tables_.rows_of(pass), position, [&](const Group& group) { run_group(pass, group); });
}

// ---- passes

void Interpreter::run_pass(const Compute&, const Pass& pass) {
  for (std::int64_t a = 0; a < pass.args.axes[0].count; ++a) run_codelet(pass, a);
}

void Interpreter::run_pass(const Launch&, const Pass&) { throw std::logic_error("Kernels of a device are not interpreted."); }

void Interpreter::run_pass(const Spectrum& op, const Pass& pass) {
  if (!op.multiplies) return;  // the caller's function, which leaves it as it is
  const View& view = pass.args.in;
  for (std::int64_t a = 0; a < pass.extent; ++a) {
    for (std::int64_t p = 0; p < pass.args.lanes; ++p) {
      const std::int64_t re = view.offset + a * pass.args.axes[0].in_stride + 2 * p;
      const std::int64_t at = moved_reals(ArrayId::kFactors) + 2 * (op.index + a * op.row_step + p);
      RealMemory& factors = array(ArrayId::kFactors).reals[0];
      store(view, {re, re + 1}, load(view, {re, re + 1}) * Complex(factors.at(at), factors.at(at + 1)));
    }
  }
}

// What is rounded is also multiplied by a power of two.
void Interpreter::run_pass(const RoundStage& op, const Pass& pass) {
  const RoundedStage& stage = *op.stage;
  const View& work = pass.args.in;
  for (const std::int64_t column : stage.columns) {
    for (std::int64_t row = 0; row * stage.row_points < stage.points; ++row) {
      for (const RoundedStage::Place& place : stage.places) {
        const std::int64_t re = work.offset + column + row * stage.row_stride + place.offset;
        store(work, {re, re + work.im_offset}, load(work, {re, re + work.im_offset}) * std::ldexp(1.0, stage.exponent));
      }
    }
  }
}

// Element q of butterfly b, as mx_pass.h lists them.
void Interpreter::run_pass(const MxProducts& op, const Pass& pass) {
  const View &in = pass.args.in, &out = pass.args.out;
  const auto place = [&](std::int64_t b, std::int64_t q) {
    return b / op.length * (op.radix * op.length) + q * op.length + b % op.length;
  };
  // Planar numbers may lie in vectors whose lanes have an order.
  const auto w = static_cast<int>(in.point_stride), block = std::min(w, 16 / static_cast<int>(real_));
  const auto source = [&](std::int64_t i) {
    if (!in.planar) return 2 * i;
    if (!in.lane_order) return i;
    std::int64_t lane = 0;
    while (index_of_lane(static_cast<int>(lane), w, block) != i % w) ++lane;
    return i / w * w + lane;
  };
  std::vector<std::uint32_t> points;
  Poll poll;
  if (!op.digits.empty()) points = columns_of_rows(op.digits, poll);
  std::vector<Complex> products;
  for (std::int64_t b = 0; b < op.butterflies; ++b) {
    for (std::int64_t q = 0; q < op.radix; ++q) {
      const std::int64_t at = points.empty() ? place(b, q) : points.at(static_cast<std::size_t>(b)) + q * op.butterflies;
      const Complex twiddle = op.ones ? 1.0 : root(q * (b % op.length), op.radix * op.length);
      products.push_back(load(in, number_of(in, source(at))) * pass.args.scale * twiddle);
    }
  }
  for (std::int64_t b = 0; b < op.butterflies; ++b) {
    const auto first = products.begin() + b * op.radix;
    std::vector<Complex> values(first, first + op.radix);
    if (op.sums) values = dft(values);
    for (std::int64_t q = 0; q < op.radix; ++q) store(out, number_of(out, 2 * place(b, q)), values[static_cast<std::size_t>(q)]);
  }
}

// Columns and outputs as split_pass.h numbers them.
void Interpreter::run_pass(const SplitProducts& op, const Pass& pass) {
  if (op.finds_norms) return;
  const Axis& lines = pass.args.axes[1];
  const auto number = [&](const View& view, std::int64_t step, std::int64_t line, std::int64_t point) {
    return number_of(view, line * step + point * view.point_stride + (point >= view.wrap_point ? view.wrap : 0));
  };
  const std::int64_t columns = op.points / op.radix;
  std::vector<Complex> results(static_cast<std::size_t>(lines.count * op.points));
  for (std::int64_t line = 0; line < lines.count; ++line) {
    for (std::int64_t f = 0; f < columns; ++f) {
      std::vector<Complex> values;
      for (std::int64_t j = 0; j < op.radix; ++j)
        values.push_back(load(pass.args.in, number(pass.args.in, lines.in_stride, line, f + j * columns)) * pass.args.scale);
      values = dft(values);
      for (std::int64_t q = 0; q < op.radix; ++q) {
        const std::int64_t p = f / op.length * op.length * op.radix + q * op.length + f % op.length;
        const std::int64_t all = op.length * op.radix;
        const Complex next = op.next == 0 ? 1.0 : root(p / (op.points / op.next) * (p % all), all * op.next);
        results[static_cast<std::size_t>(line * op.points + p)] = values[static_cast<std::size_t>(q)] * next;
      }
    }
  }
  for (std::int64_t i = 0; i < lines.count * op.points; ++i) {
    store(pass.args.out, number(pass.args.out, lines.out_stride, i / op.points, i % op.points), results[static_cast<std::size_t>(i)]);
  }
}

// ---- the body

void Interpreter::run_loop(const Loop& loop) {
  const std::vector<std::int64_t> before = moved_;
  const std::int64_t number = number_;
  for (std::int64_t i = 0; i < loop.count; ++i) {
    if (loop.numbered) number_ = i;
    run_body(loop.body);
    for (const auto& [id, bytes] : loop.moves) moved_[static_cast<std::size_t>(id)] += bytes;
  }
  moved_ = before;
  number_ = number;
}

void Interpreter::take(ArrayId id) {
  const Array& taken = program_.arrays.at(static_cast<std::size_t>(id) - static_cast<std::size_t>(ArrayId::kFirstWork));
  array(id) = {};
  if (taken.narrow == nullptr) set(id, 0, 0, std::vector<double>(static_cast<std::size_t>(taken.reals), kNothing));
  else array(id).bits[0] = BitMemory(taken.reals * real_);
  moved_[static_cast<std::size_t>(id)] = 0;
}

void Interpreter::run_body(const std::vector<Item>& body) {
  for (const Item& item : body) {
    if (const Pass* pass = item.pass()) std::visit([&](const auto& op) { run_pass(op, *pass); }, pass->op);
    if (const Loop* loop = item.loop(); loop != nullptr && (loop->when == When::kAlways || has_exponents(true))) run_loop(*loop);
    if (const Take* taken = std::get_if<Take>(&item)) take(taken->array);
  }
}

}  // namespace ulpfft::test

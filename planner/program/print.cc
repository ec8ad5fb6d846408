// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/print.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <type_traits>

#include "codelets/contract/pass_rows.h"
#include "planner/program/print_tables.h"
#include "planner/scheme/scheme_of.h"

namespace ulpfft {
namespace {

// Appends `word` behind a separator.
void add_word(std::string& line, const std::string& word, const char* separator = " ") {
  if (word.empty()) return;
  if (!line.empty()) line += separator;
  line += word;
}

// Likewise, to what a pass says besides its ends.
void add_remark(std::string& line, const std::string& remark) { add_word(line, remark, ", "); }

// ---- formats

std::string format_text(const Storage& storage) {
  std::string name = storage.element->name;
  if (storage.scale == nullptr) return name;
  return name + (storage.length == 0 ? " with a scale a row" : " in blocks of " + text(storage.length));
}

// ---- views

// A sum like "16 p + 2 l + 64".
class Sum {
 public:
  void add(std::int64_t factor, const std::string& variable) {
    if (factor != 0) add_term(factor, factor == 1 || factor == -1 ? variable : text(factor < 0 ? -factor : factor) + " " + variable);
  }
  void add(std::int64_t number) {
    if (number != 0) add_term(number, text(number < 0 ? -number : number));
  }
  std::string text_of() const { return sum_.empty() ? "0" : sum_; }

 private:
  void add_term(std::int64_t factor, const std::string& term) {
    if (sum_.empty()) sum_ = factor < 0 ? "-" : "";
    else sum_ += factor < 0 ? " - " : " + ";
    sum_ += term;
  }
  std::string sum_;
};

// Which variables a view of the pass has.
struct Extents {
  std::int64_t points = 1;
  std::int64_t lanes = 1;
  std::int64_t rows = 0;  // of a pass that takes them from a row list
  std::int64_t a = 1, b = 1;
};

// `swap`: what the pass does where View::swap is set.
std::string view_text(const View& view, const Sum& sum, const char* swap) {
  std::string line = name_of(view.array) + "[" + sum.text_of();
  std::string marks;
  if (view.layout == Layout::kSplit) add_remark(marks, "split");
  if (view.layout == Layout::kPaired && view.im_offset != 1) {
    add_remark(marks, (view.planar && view.lane_stride == 2 ? "blocks " : "im +") + text(view.im_offset));
  }
  if (view.lane_order) add_remark(marks, "lane order");
  if (view.swap) add_remark(marks, swap);
  if (view.wrap != 0 && view.wrap_point != INT32_MAX) add_remark(marks, text(view.wrap) + " from p=" + text(view.wrap_point));
  if (view.half_complex) add_remark(marks, "half-complex");
  if (view.non_temporal) add_remark(marks, "streams");
  if (!marks.empty()) line += " | " + marks;
  return line + "]";
}

Sum sum_of(const View& view, const Extents& extents) {
  Sum sum;
  if (extents.points > 1) sum.add(view.point_stride, "p");
  if (extents.lanes > 1) sum.add(view.lane_stride, "l");
  return sum;
}

// Both ends of a pass whose loops are those of its arguments.
struct EndTexts {
  std::string in, out;
};

EndTexts ends_text(const Pass& pass, const Extents& extents) {
  const Operands& args = pass.args;
  const PassKind kind = pass.codelet->kind;
  const PassRow& row = row_of(kind);
  Sum in = sum_of(args.in, extents), out;
  if (kind == PassKind::kFirst) {
    out.add(args.row_stride, "row");
    // Of rows in blocks, each vector lies in one.
    const std::int64_t vector = args.out.im_offset;
    if (args.out.lane_stride == 2 && vector > 1 && args.row_stride > args.out.point_stride) {
      out.add(args.out.point_stride, "(p/" + text(vector) + ")");
      out.add(1, "p%" + text(vector));
    } else {
      out.add(args.out.lane_stride == 2 && vector == 1 ? 2 : 1, "p");
    }
  } else if (row.loops == PassLoops::kPanel) {
    const Twist& twist = args.twist;
    if (twist.block < twist.rows) {
      out.add(twist.block_stride, "(p/" + text(twist.block) + ")");
      out.add(args.out.point_stride, "(p%" + text(twist.block) + ")");
    } else {
      out.add(args.out.point_stride, "p");
    }
    out.add(args.out.lane_stride, "l");
  } else if (row.loops == PassLoops::kLine && row.list != PassList::kNone) {
    in = out = Sum();
    const auto add = [&](Sum& sum, const View& view, bool by_rows) {
      if (by_rows || extents.points > 1) sum.add(view.point_stride, by_rows ? "row" : "p");
    };
    add(in, args.in, row.list == PassList::kIn && pass.rows >= 0);
    add(out, args.out, row.list == PassList::kOut && pass.rows >= 0);
  } else {
    out = sum_of(args.out, extents);
    if (extents.rows > 0) out.add(args.row_stride, "row");
  }
  if (extents.a > 1) {
    in.add(args.axes[0].in_stride, "a");
    if (extents.rows == 0) out.add(args.axes[0].out_stride, "a");
  }
  if (extents.b > 1) {
    in.add(args.axes[1].in_stride, "b");
    out.add(args.axes[1].out_stride, "b");
  }
  in.add(args.in.number_stride, "number");
  out.add(args.out.number_stride, "number");
  in.add(args.in.offset);
  out.add(args.out.offset);
  const char* const swap = is_of_real_transform(kind) ? "conjugated" : "swapped";
  return {view_text(args.in, in, swap), view_text(args.out, out, swap)};
}

Extents extents_of(const Pass& pass) {
  const CodeletInfo& codelet = *pass.codelet;
  const Operands& args = pass.args;
  Extents extents;
  extents.lanes = args.lanes;
  extents.a = args.axes[0].count;
  extents.b = args.axes[1].count;
  switch (row_of(codelet.kind).loops) {
    case PassLoops::kTransform: case PassLoops::kStage:
      extents.points = codelet.body->radix;
      if (codelet.kind == PassKind::kWholeTwo) extents.lanes = codelet.second->radix;
      else if (codelet.second != nullptr) extents.points *= codelet.second->radix;
      break;
    case PassLoops::kPanel: extents.points = args.twist.rows; break;
    default:
      extents.points = args.lanes;
      extents.lanes = 1;
      break;
  }
  if (codelet.kind == PassKind::kColumns && pass.rows >= 0) extents.rows = extents.a;
  return extents;
}

std::string extents_text(const Extents& extents) {
  std::string line;
  const auto add = [&](const char* name, std::int64_t count) {
    if (count > 1) add_word(line, std::string(name) + "<" + text(count));
  };
  add("p", extents.points);
  add("l", extents.lanes);
  add("a", extents.a);
  add("b", extents.b);
  return line;
}

// ---- passes

// What the columns of a line hold.
struct PassLine {
  std::string op, in, out, extents, rest;
};

std::string number_text(double number) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", number);
  return digits;
}

// Tables, lists, factor and marks.
std::string rest_of(const Pass& pass) {
  std::string line;
  const Operands& args = pass.args;
  if (pass.table >= 0) {
    std::string table = "table t" + text(pass.table);
    if (pass.table_begin != 0) table += " from " + text(pass.table_begin);
    if (args.number_stride != 0) table += " + " + text(args.number_stride) + " number";
    add_remark(line, table);
  }
  if (pass.rows >= 0) add_remark(line, "rows r" + text(pass.rows) + (pass.rows_begin != 0 ? " from " + text(pass.rows_begin) : ""));
  if (is_in_rows(pass.codelet->kind)) add_remark(line, "every " + text(args.row) + " points a row, rows " + text(args.row_stride) + " apart");
  else if (args.row != 0) add_remark(line, "lanes in rows of " + text(args.row));
  if (args.scale != 1.0) add_remark(line, "times " + number_text(args.scale));
  if (args.pad != 0) add_remark(line, "then " + text(args.pad) + " zeros");
  if (args.twist.rows != 0 && (args.twist.begin != 0 || args.twist.end < args.twist.rows)) {
    add_remark(line, "p from " + text(args.twist.begin) + " to " + text(std::min(args.twist.end, args.twist.rows) - 1));
  }
  if (args.ahead.fetches) {
    add_remark(line, std::string(args.ahead.brief ? "fetches briefly " : "fetches ") + name_of(args.ahead.array) + "[" +
                         text(args.ahead.offset) + " ..]");
  }
  if (pass.rounds_input && is_rounded(pass.codelet->compute)) add_remark(line, "rounds its input");
  if (pass.parallel) add_remark(line, "parallel");
  if (pass.split) add_remark(line, "split");
  return line;
}

PassLine line_of(const Compute& op, const Pass& pass) {
  const Extents extents = extents_of(pass);
  const EndTexts ends = ends_text(pass, extents);
  PassLine line{name_of(*pass.codelet), ends.in, ends.out, extents_text(extents), rest_of(pass)};
  if (op.fused != nullptr && *op.fused->in != '\0') add_remark(line.rest, std::string("decodes ") + op.fused->in + " in the pass");
  if (op.fused != nullptr && *op.fused->out != '\0') add_remark(line.rest, std::string("encodes ") + op.fused->out + " in the pass");
  return line;
}

// How one end is staged.
void stage(const StagedEnd& staged, bool output, std::string& end, std::string& rest) {
  if (staged.line != nullptr) {
    const StagedLine& line = *staged.line;
    end = name_of(staged.codes) + " staged";
    add_remark(rest, "decodes " + format_text(line.rows->storage) + ", " + text(line.tiles) + " tiles of " + text(line.chunk) + " columns");
  }
  if (staged.panel == nullptr) return;
  const StagedPanel& panel = *staged.panel;
  end = name_of(staged.codes) + " staged in " + name_of(staged.tile);
  add_remark(rest, std::string(output ? panel.looks ? "looks at " : "encodes " : "decodes ") + format_text(panel.array.storage) + ", " +
                       text(panel.chunk) + " at a time");
  if (panel.streams) add_remark(rest, "streams");
}

PassLine line_of(const StagedPass& op, const Pass& pass) {
  PassLine line = line_of(Compute{}, pass);
  if (is_conversion(pass.codelet->kind)) {
    const bool encodes = op.out.panel != nullptr;
    const StagedPanel& rows = *(encodes ? op.out : op.in).panel;
    line.op = encodes ? "encode rows" : "decode rows";
    add_remark(line.rest, format_text(rows.array.storage));
    return line;
  }
  stage(op.in, false, line.in, line.rest);
  stage(op.out, true, line.out, line.rest);
  return line;
}

PassLine line_of(const ConvertGroup& op, const Pass& pass) {
  static constexpr const char* kNames[] = {"decode apart",   "apply exponents", "choose exponents", "encode apart",
                                           "find prescale", "fit kept line",   "encode kept line"};
  const StoredRows& rows = *op.rows;
  PassLine line{kNames[static_cast<int>(op.work)], name_of(pass.args.in.array), name_of(pass.args.out.array), "", ""};
  line.extents = text(rows.transforms) + " of " + text(rows.transform_points) + (rows.element_reals == 1 ? " reals" : " points");
  line.rest = format_text(rows.storage);
  if (rows.power != nullptr) add_remark(line.rest, "|x|^2");
  if (rows.across) add_remark(line.rest, "across");
  if (rows.pieces > 1) add_remark(line.rest, "in " + text(rows.pieces) + " pieces a row");
  if (rows.prescale_target != 0) add_remark(line.rest, "prescaled");
  if (rows.streams) add_remark(line.rest, "streams");
  add_remark(line.rest, rest_of(pass));
  return line;
}

PassLine line_of(const RoundStage& op, const Pass& pass) {
  PassLine line{"round to " + format_text(op.stage->storage), name_of(pass.args.in.array), name_of(pass.args.out.array), "", ""};
  line.extents = text(op.stage->points) + " points";
  if (op.stage->columns.size() > 1) line.extents += " of " + text(static_cast<std::int64_t>(op.stage->columns.size())) + " lines";
  if (op.stage->exponent != 0) line.rest = "times 2^" + text(op.stage->exponent);
  return line;
}

PassLine line_of(const Spectrum& op, const Pass& pass) {
  const Extents extents{pass.args.lanes, 1, 0, pass.args.axes[0].count, 1};
  const EndTexts ends = ends_text(pass, extents);
  PassLine line{op.multiplies ? "spectrum times factors" : "spectrum to the user", ends.in, ends.out, extents_text(extents), ""};
  Sum index;
  index.add(1, "p");
  index.add(op.row_step, "a");
  index.add(op.index);
  line.rest = "index " + index.text_of();
  if (op.transform != 0) add_remark(line.rest, "of transform " + text(op.transform));
  if (op.rows_are_transforms) add_remark(line.rest, "rows are transforms");
  add_remark(line.rest, rest_of(pass));
  return line;
}

PassLine line_of(const FindExponent&, const Pass&) { return {"find the exponent", "", "", "", "by the passes behind"}; }

PassLine line_of(const MxProducts& op, const Pass& pass) {
  const Extents extents{op.radix * op.butterflies, 1, 0, 1, 1};
  const EndTexts ends = ends_text(pass, extents);
  PassLine line{op.sums ? "mx butterflies" : "mx products", ends.in, ends.out, extents_text(extents), ""};
  line.rest = "radix " + text(op.radix) + " after " + text(op.length);
  if (op.ones) add_remark(line.rest, "twiddles are 1");
  if (!op.digits.empty()) add_remark(line.rest, "points by digits(" + list_text(op.digits) + ")");
  add_remark(line.rest, rest_of(pass));
  return line;
}

PassLine line_of(const SplitProducts& op, const Pass& pass) {
  const bool finds = op.finds_norms;
  const Extents extents{op.points, 1, 0, finds ? pass.args.axes[0].count : 1, finds ? 1 : pass.args.axes[1].count};
  const EndTexts ends = ends_text(pass, extents);
  PassLine line{finds ? "norms" : "split", ends.in, finds ? name_of(op.norms) : ends.out, extents_text(extents), ""};
  if (!finds) line.rest = "radix " + text(op.radix) + " after " + text(op.length);
  if (op.next != 0) add_remark(line.rest, "twiddles of " + text(op.next));
  if (op.norms_read > 0) add_remark(line.rest, text(op.norms_read) + " norms at " + text(op.norms_in));
  if (op.norms_written > 0) add_remark(line.rest, "leaves " + text(op.norms_written) + " at " + text(op.norms_out));
  add_remark(line.rest, rest_of(pass));
  return line;
}

std::string end_text(const LaunchEnd& end, const std::vector<LaunchLoop>& loops, bool output) {
  Sum sum;
  sum.add(end.point_stride, "j");
  for (std::size_t i = 0; i < loops.size(); ++i) sum.add(output ? loops[i].out_stride : loops[i].in_stride, "i" + std::to_string(i));
  sum.add(end.offset);
  const std::string shift = end.shift == 0 ? "" : " shifted by " + text(end.shift);
  return name_of(end.array) + "[" + sum.text_of() + (end.swap ? " swapped" : "") + shift + "]";
}

PassLine line_of(const Launch& op, const Pass& pass) {
  PassLine line{std::string("launch ") + op.kernel, end_text(op.in, op.loops, false), end_text(op.out, op.loops, true), "", ""};
  for (std::size_t i = 0; i < op.loops.size(); ++i) {
    line.extents += (i == 0 ? "i" : " i") + std::to_string(i) + "<" + text(op.loops[i].count);
  }
  if (op.twist_columns != 0) line.rest = "twisted, " + text(op.twist_columns) + " columns";
  if (pass.args.scale != 1.0) add_remark(line.rest, "times " + number_text(pass.args.scale));
  return line;
}

PassLine line_of(const Pass& pass) {
  return std::visit([&](const auto& op) { return line_of(op, pass); }, pass.op);
}

// ---- the body

std::string loop_text(const Loop& loop) {
  if (loop.when == When::kIfExponents) return "where the output has exponents";
  std::string line = text(loop.count) + (loop.count == 1 ? " time" : " times");
  if (loop.images != nullptr) line += ", in one pass over images";
  if (loop.panels) line += " in panels";
  if (loop.numbered) line += " by number";
  std::string moves;
  for (const auto& [array, bytes] : loop.moves) {
    if (bytes != 0) moves += (moves.empty() ? "" : ", ") + name_of(array) + " " + (bytes < 0 ? "" : "+") + text(bytes);
  }
  if (!moves.empty()) line += ": " + moves + " bytes";
  if (loop.parallel) line += loop.split ? "  parallel split" : "  parallel";
  if (loop.private_bytes != 0) line += "  " + text(loop.private_bytes) + " private bytes";
  return line;
}

// Passes are aligned with each other, everything else is a line of its own.
class Body {
 public:
  std::string text_of(const std::vector<Item>& body) {
    add(body, 0);
    std::size_t ops = 0, both = 0;
    for (const Line& line : lines_) {
      ops = std::max(ops, line.indent.size() + line.pass.op.size() + kGap);
      both = std::max(both, ends(line.pass).size() + kGap);
    }
    std::string all;
    for (const Line& line : lines_) {
      std::string row = line.indent + line.whole;
      if (line.whole.empty()) {
        row += line.pass.op;
        pad(row, ops);
        row += ends(line.pass);
        pad(row, ops + both);
        row += line.pass.extents;
        pad(row, ops + both + kExtents);
        row += line.pass.rest;
      }
      row.erase(row.find_last_not_of(' ') + 1);
      all += row + "\n";
    }
    return all;
  }

 private:
  static constexpr std::size_t kGap = 2, kExtents = 16;  // most extents have fewer characters
  struct Line {
    std::string indent;
    std::string whole;  // empty: a pass
    PassLine pass;
  };
  static std::string ends(const PassLine& pass) {
    if (pass.in.empty()) return "";
    return pass.in == pass.out ? pass.in + " in place" : pass.in + " -> " + pass.out;
  }
  static void pad(std::string& row, std::size_t width) { row.resize(std::max(row.size() + 1, width), ' '); }

  void add(const std::vector<Item>& body, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (const Item& item : body) {
      if (const Pass* pass = item.pass()) {
        lines_.push_back({indent, "", line_of(*pass)});
      } else if (const Loop* loop = item.loop()) {
        lines_.push_back({indent, loop_text(*loop), {}});
        add(loop->body, depth + 1);
      } else if (const Take* take = std::get_if<Take>(&item)) {
        lines_.push_back({indent, "take " + name_of(take->array), {}});
      } else {
        lines_.push_back({indent, "release " + name_of(std::get<Release>(item).first), {}});
      }
    }
  }

  std::vector<Line> lines_;
};

std::string entry(const char* letter, std::size_t number, const std::string& meaning) {
  std::string line = letter + std::to_string(number);
  line.resize(std::max<std::size_t>(line.size() + 1, 5), ' ');
  return line + meaning + "\n";
}

std::string array_text(const Array& array, std::int64_t real, bool placed) {
  std::string line = text(array.reals) + " reals";
  if (array.narrow != nullptr)
    line += ", " + format_text(array.narrow->storage) + " in rows of " + text(array.narrow->row_reals);
  if (array.narrow != nullptr && array.narrow->storage.scale != nullptr) line += ", scales at " + text(array.scales_at);
  if (placed)
    line += ", at byte " + text(array.offset * real) + ", slot " +
            text(static_cast<int>(array.slot) - static_cast<int>(Slot::kWork0));
  return line;
}

std::string caller_text(const CallerArray& array) {
  static constexpr const char* kHow[] = {"as it is", "converted in the pass", "staged", "converted apart"};
  return array.storage + ", " + kHow[static_cast<int>(array.how)];
}

std::string entry_text(const Program& program) {
  std::string line;
  if (program.entry_point == EntryPoint::kBare) add_word(line, "one call of the body");
  if (program.entry_point == EntryPoint::kDirect) add_word(line, "one call of the codelet");
  if (program.entry_point == EntryPoint::kTiled) add_word(line, "one call over a tile on the stack");
  if (program.entry_point == EntryPoint::kPair) add_word(line, "one call of two codelets");
  if (program.work_may_be_out) add_word(line, "w0 may be the output");
  return line;
}

}  // namespace

std::string name_of(ArrayId id) {
  if (is_work(id)) return "w" + std::to_string(static_cast<int>(id) - static_cast<int>(ArrayId::kFirstWork));
  static constexpr const char* kNames[] = {"nothing", "in", "out", "in_scales", "out_scales", "exponents", "factors"};
  return kNames[static_cast<int>(id) + 1];
}

std::string name_of(const CodeletInfo& codelet) {
  std::string name = body_text(*codelet.body);
  if (codelet.second != nullptr) name += " " + body_text(*codelet.second);
  return name + row_of(codelet.kind).phrase;
}

std::string print_program(const Program& program) {
  std::string text_of = "scheme " + program.scheme_name + ", " + scheme_of_compute(program.compute) + " reals";
  // Offsets are 0 until arrays are placed.
  const bool placed = program.workspace_bytes != 0;
  if (placed) text_of += ", workspace " + std::to_string(program.workspace_bytes) + " bytes";
  if (program.threads > 1) text_of += ", " + text(program.threads) + " threads";
  text_of += "\n";
  if (const std::string how = entry_text(program); !how.empty()) text_of += "may run as: " + how + "\n";
  const auto real = static_cast<std::int64_t>(real_bytes(program.compute));
  const auto add_caller = [&](ArrayId id, const CallerArray& array) {
    if (array.how != Converted::kNone) text_of += name_of(id) + (id == ArrayId::kIn ? "   " : "  ") + caller_text(array) + "\n";
  };
  add_caller(ArrayId::kIn, program.in);
  add_caller(ArrayId::kOut, program.out);
  for (std::size_t i = 0; i < program.arrays.size(); ++i) text_of += entry("w", i, array_text(program.arrays[i], real, placed));
  for (std::size_t i = 0; i < program.tables.size(); ++i) {
    text_of += entry("t", i, table_text(program.tables[i]));
  }
  for (std::size_t i = 0; i < program.rows.size(); ++i) text_of += entry("r", i, rows_text(program.rows[i]));
  return text_of + Body().text_of(program.body);
}

}  // namespace ulpfft

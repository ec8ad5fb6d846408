// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/expand.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codelets/contract/through_f32.h"
#include "planner/backend/cuda/device.h"
#include "planner/backend/cuda/kernels.h"
#include "planner/convert/side.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/find_codelet.h"
#include "wisdom/error.h"

namespace ulpfft::cuda {
namespace {

[[noreturn]] void unsupported(const char* field, const std::string& sentence) { throw PlanError(ULPFFT_UNSUPPORTED, field, sentence); }

// An array that lines are read from or written to. Strides count complex numbers.
struct LineArray {
  ArrayId array = ArrayId::kIn;
  Storage storage = Storage::kF32;
  std::vector<std::int64_t> dims, batch;
};

LineArray array_of_caller(const Problem& problem, const Side& side) {
  LineArray array;
  array.array = side.output ? ArrayId::kOut : ArrayId::kIn;
  array.storage = *storage_named(side.format);
  for (const Dimension& d : problem.dims) array.dims.push_back(side.stride(d));
  for (const Dimension& d : problem.batch) array.batch.push_back(side.stride(d));
  return array;
}

// Lines of one dimension: all of them.
struct Lines {
  std::int64_t n = 1;
  LaunchEnd in, out;
  Storage stored_in = Storage::kF32, stored_out = Storage::kF32;
  std::vector<LaunchLoop> loops;
  bool backward = false;
  double scale = 1;
};

void merge(std::vector<LaunchLoop>& loops) {
  for (std::size_t l = 0; l + 1 < loops.size();) {
    const LaunchLoop inner = loops[l + 1];
    LaunchLoop& outer = loops[l];
    if (outer.in_stride == inner.count * inner.in_stride && outer.out_stride == inner.count * inner.out_stride) {
      outer = {outer.count * inner.count, inner.in_stride, inner.out_stride};
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(l) + 1);
    } else {
      ++l;
    }
  }
}

// Long loops first: those behind the third are launches of their own.
void sort_by_count(std::vector<LaunchLoop>& loops) {
  std::sort(loops.begin(), loops.end(), [](const LaunchLoop& a, const LaunchLoop& b) {
    return std::pair(-a.count, a.out_stride) < std::pair(-b.count, b.out_stride);
  });
}

// Neighbouring columns are what threads read together.
void nearest_first(std::vector<LaunchLoop>& loops) {
  const auto span = [](const LaunchLoop& loop) { return std::abs(loop.in_stride) + std::abs(loop.out_stride); };
  const auto is_nearer = [&](const LaunchLoop& a, const LaunchLoop& b) { return span(a) < span(b); };
  const auto nearest = std::min_element(loops.begin(), loops.end(), is_nearer);
  if (nearest != loops.end()) std::rotate(loops.begin(), nearest, nearest + 1);
}

// Args::count.
constexpr std::int64_t kMostLines = (std::int64_t{1} << 31) - 1;
// Of the table between two sweeps: indices of a kernel have 31 bits.
constexpr std::int64_t kMostFactors = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t kMostConverted = (std::int64_t{1} << 40) - 1;
// A pass of more launches would take longer to launch than to compute.
constexpr std::int64_t kMostLaunches = 1024;
constexpr std::int64_t kMostParts = kMostLaunches / 4;
// The matrix between two sweeps may take 12 parts of 25 of the second-level cache: 24 of 50 MiB. Arrays stream through it as well.
constexpr std::int64_t kCacheParts = 25, kPartsOfMatrix = 12;

std::int64_t count_of(const std::vector<LaunchLoop>& loops) {
  std::int64_t count = 1;
  for (const LaunchLoop& loop : loops) count *= loop.count;
  return count;
}

class Expansion {
 public:
  explicit Expansion(const Lowering& given)
      : problem_(given.problem), sides_(given.sides), recipe_(given.recipe), codelets_(given.machine.codelets), cache_(given.cache) {
    if (recipe_.scheme != "f32" && recipe_.scheme != "f64") refuse("CUDA computes in f32 and f64, not in " + recipe_.scheme);
    is_f64_ = recipe_.scheme == "f64";
    program_.scheme_name = recipe_.scheme;
    program_.scheme = given.scheme;
    program_.compute = is_f64_ ? ComputeType::kF64 : ComputeType::kF32;
    points_ = static_cast<double>(transform_points(problem_)) * static_cast<double>(batch_count(problem_));
  }

  ulpfft::Program expand() {
    const std::vector<const Node*> nodes = nodes_of_dimensions();
    std::vector<std::size_t> order;
    for (std::size_t d = problem_.dims.size(); d-- > 0;) {
      if (problem_.dims[d].length > 1) order.push_back(d);
    }
    if (order.empty()) refuse("CUDA has no transform of one point");
    const LineArray in = array_of_caller(problem_, sides_.in), out = array_of_caller(problem_, sides_.out);
    LineArray source = in, target = out;
    settle_storage(nodes, order, source, target);
    if (source.storage != in.storage) {
      source.array = take(dense_points(in, sides_.in));
      add_conversion(in, source, dense_points(in, sides_.in));
    }
    if (target.storage != out.storage) {
      const bool same = is_work(source.array) && in.dims == out.dims && in.batch == out.batch;
      target.array = same ? source.array : take(dense_points(out, sides_.out));
    }
    LineArray between = between_of(source, target);
    if (between.array == ArrayId::kNone && order.size() > 1) between.array = take(transform_points(problem_) * batch_count(problem_));
    const double scale = is_f64_ ? scale_factor(problem_) : through_f32(scale_factor(problem_));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool is_last = i + 1 == order.size();
      add_dimension(*nodes[order[i]], order[i], i == 0 ? source : between, is_last ? target : between, i == 0 ? scale : 1.0);
    }
    if (target.array != out.array) add_conversion(target, out, dense_points(out, sides_.out));
    return std::move(program_);
  }

 private:
  Storage working() const { return is_f64_ ? Storage::kF64 : Storage::kF32; }

  // What the first sweep reads and the last one writes: the arrays as they are stored, as far as there are kernels, else reals of the
  // arithmetic, which are converted apart.
  void settle_storage(const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, LineArray& source,
                      LineArray& target) const {
    const Storage in = source.storage, out = target.storage;
    const std::pair<Storage, Storage> choices[] = {{in, out}, {in, working()}, {working(), out}};
    for (const auto& [stored_in, stored_out] : choices) {
      source.storage = stored_in;
      target.storage = stored_out;
      const LineArray reals = between_of(source, target);
      const std::size_t first = order.front(), last = order.back();
      if (first == last ? has_kernel(*nodes[first], first, source, target)
                        : has_kernel(*nodes[first], first, source, reals) && has_kernel(*nodes[last], last, reals, target)) {
        return;
      }
    }
    source.storage = target.storage = working();
  }

  // Where numbers lie between dimensions: in an array that holds reals of the arithmetic anyhow, because the problem or a conversion apart
  // says so, else in one that is not taken yet, kNone, in the order of the lengths behind that of the batch.
  LineArray between_of(const LineArray& source, const LineArray& target) const {
    if (target.storage == working()) return target;
    if (source.storage != *storage_named(sides_.in.format)) return source;
    LineArray side;
    side.array = ArrayId::kNone;
    side.storage = working();
    std::int64_t step = 1;
    const auto strides_of = [&](const std::vector<Dimension>& dims) {
      std::vector<std::int64_t> strides(dims.size());
      for (std::size_t d = dims.size(); d-- > 0; step *= dims[d].length) strides[d] = step;
      return strides;
    };
    side.dims = strides_of(problem_.dims);
    side.batch = strides_of(problem_.batch);
    return side;
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", message + " (recipe " + print_recipe(recipe_) + ").");
  }

  std::vector<const Node*> nodes_of_dimensions() const {
    std::vector<const Node*> nodes;
    if (recipe_.root.kind == Node::Kind::kRank) {
      if (!recipe_.root.format.empty()) refuse("CUDA has no narrow storage between dimensions");
      for (const Node& child : recipe_.root.children) nodes.push_back(&child);
    } else {
      nodes.push_back(&recipe_.root);
    }
    const std::vector<Dimension>& dims = problem_.dims;
    if (nodes.size() != dims.size()) {
      refuse("The problem has " + std::to_string(dims.size()) + " lengths, the recipe transforms " + std::to_string(nodes.size()));
    }
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (node_length(*nodes[d]) == dims[d].length) continue;
      refuse("lengths[" + std::to_string(d) + "] is " + std::to_string(dims[d].length) + ", the recipe gives " +
             std::to_string(node_length(*nodes[d])));
    }
    return nodes;
  }

  // The passes of a node that is one launch.
  std::vector<PassSpec> passes_of(const Node& node) const {
    if (node.kind == Node::Kind::kCols) {
      if (node.children.size() != 1 || node.children[0].kind == Node::Kind::kCols) refuse("cols holds an n or a dit node");
      if (node.stream) refuse("CUDA has no 'stream'");
      return passes_of(node.children[0]);
    }
    if (node.kind == Node::Kind::kN) return {{node.n, TwiddleForm::kStandard, "", false}};
    if (node.kind != Node::Kind::kDit) refuse("CUDA computes n, dit, cols, four and rank nodes");
    if (node.stream || node.decode || node.encode) refuse("CUDA has no 'stream', 'decode' and 'encode': a kernel converts what it stores");
    for (const PassSpec& pass : node.passes) {
      if (pass.starts_group) refuse("CUDA has no groups of passes: a kernel holds the whole transform");
      if (!pass.format.empty()) refuse("CUDA has no narrow storage between passes");
    }
    return node.passes;
  }

  // Whether the launches of a dimension read and write the arrays as they are stored.
  bool has_kernel(const Node& node, std::size_t d, const LineArray& in, const LineArray& out) const {
    const auto exists = [&](KernelKind kind, const Node& of, Storage stored_in, Storage stored_out) {
      return kernel_that_fits({kind, stored_in, stored_out, is_f64_, false, passes_of(of)}) != nullptr;
    };
    if (node.kind == Node::Kind::kFour) {
      const Node* last = &node;
      while (last->kind == Node::Kind::kFour && last->children.size() == 2) last = &last->children[1];
      return last->kind != Node::Kind::kFour && exists(KernelKind::kTwisted, node.children[0], in.storage, working()) &&
             exists(KernelKind::kTurned, *last, working(), out.storage);
    }
    const bool dense = in.dims[d] == 1 && out.dims[d] == 1;
    // Columns read and write rows in sectors of which they use a part, so that conversions apart move fewer bytes.
    return exists(dense ? KernelKind::kRows : KernelKind::kColumns, node, in.storage, out.storage);
  }

  // Complex numbers of an array without gaps. Conversions read all of it.
  std::int64_t dense_points(const LineArray& array, const Side& side) const {
    const std::int64_t points = transform_points(problem_) * batch_count(problem_);
    if (side.codes.low != 0 || side.codes.high != points * side.outer_bytes) {
      refuse(std::string("CUDA converts ") + name_of(array.storage) + " arrays that have no gaps, and this " +
             (side.output ? "output" : "input") + " has some");
    }
    return points;
  }

  ArrayId take(std::int64_t points) {
    if (points > kMostWorkspace / 32) refuse("The workspace would exceed 2^62 bytes");
    const ArrayId array = work_array(program_.arrays.size());
    program_.arrays.push_back({2 * points});
    program_.body.emplace_back(Take{array});
    return array;
  }

  // ---- dimensions and nodes

  void add_dimension(const Node& node, std::size_t d, const LineArray& source, const LineArray& target, double scale) {
    Lines lines;
    lines.n = problem_.dims[d].length;
    const std::int64_t shift = problem_.centered ? lines.n / 2 : 0;
    lines.in = {source.array, 0, source.dims[d], false, shift};
    lines.out = {target.array, 0, target.dims[d], false, shift};
    lines.stored_in = source.storage;
    lines.stored_out = target.storage;
    lines.backward = problem_.direction == Direction::kBackward;
    lines.scale = scale;
    for (std::size_t b = 0; b < problem_.batch.size(); ++b) {
      if (problem_.batch[b].length > 1) lines.loops.push_back({problem_.batch[b].length, source.batch[b], target.batch[b]});
    }
    for (std::size_t other = 0; other < problem_.dims.size(); ++other) {
      if (other != d && problem_.dims[other].length > 1) {
        lines.loops.push_back({problem_.dims[other].length, source.dims[other], target.dims[other]});
      }
    }
    merge(lines.loops);
    sort_by_count(lines.loops);
    if (node.kind == Node::Kind::kFour) {
      add_four(node, lines);
    } else {
      add_transform(node, std::move(lines));
    }
  }

  void add_transform(const Node& node, Lines lines) {
    const std::vector<PassSpec> passes = passes_of(node);
    const KernelInfo* kernel = nullptr;
    if (lines.in.point_stride == 1 && lines.out.point_stride == 1) {
      kernel = kernel_that_fits({KernelKind::kRows, lines.stored_in, lines.stored_out, is_f64_, lines.backward, passes});
    }
    if (kernel == nullptr) {
      kernel = kernel_that_fits({KernelKind::kColumns, lines.stored_in, lines.stored_out, is_f64_, lines.backward, passes});
      nearest_first(lines.loops);
    }
    if (kernel == nullptr) refuse_kernel(lines);
    lines.in.swap = lines.out.swap = lines.backward;
    add_launch(*kernel, {kernel->name, lines.in, lines.out, std::move(lines.loops), 0}, lines.scale);
  }

  // Asked for by the first that needs it.
  const DeviceLimits& device() const {
    if (!device_) device_ = limits_of_device();
    return *device_;
  }

  // Remembers a kernel that there is and that the device has no room for, where no other fits.
  const KernelInfo* kernel_that_fits(const KernelWanted& wanted) const {
    const KernelInfo* kernel = find_kernel(wanted);
    for (const KernelInfo* large = kernel; kernel != nullptr; kernel = find_kernel(wanted, kernel)) {
      if (kernel->shared_bytes <= kSharedWithoutAsking || fits(*kernel, device())) return kernel;
      too_large_ = large;
    }
    return nullptr;
  }

  void refuse_too_large() const {
    if (too_large_ == nullptr) return;
    refuse(std::string("A block of the kernel ") + too_large_->name + " takes " + std::to_string(too_large_->shared_bytes) +
           " bytes of shared memory, and the device has " + std::to_string(device().shared_bytes));
  }

  [[noreturn]] void refuse_kernel(const Lines& lines) const {
    refuse_too_large();
    const bool rows = lines.in.point_stride == 1 && lines.out.point_stride == 1;
    std::string list;
    for (const KernelInfo& kernel : kernels()) {
      const bool columns = kernel.kind == KernelKind::kColumns || kernel.kind == KernelKind::kTwisted;
      const bool fits = columns || (rows && kernel.kind == KernelKind::kRows && !kernel.backward);
      const bool is_new = list.find(kernel.recipe) == std::string::npos;  // rows and columns have the same
      if (!fits || !is_new || kernel.n != lines.n || kernel.in != lines.stored_in || kernel.out != lines.stored_out) continue;
      list += (list.empty() ? "" : ", ") + std::string(kernel.recipe);
    }
    refuse(std::string("CUDA has no such kernel for ") + (rows ? "rows" : "columns") + " of " + name_of(lines.stored_in) + " and length " +
           std::to_string(lines.n) + (list.empty() ? "" : "; there are " + list));
  }

  // ---- four

  // A sweep of four: columns of n points, `apart` of them side by side in each of `rows` rows of the matrix.
  struct Sweep {
    const KernelInfo* kernel;
    std::int64_t n, apart, rows;
  };

  // A four in a four is one sweep more.
  std::vector<Sweep> sweeps_of(const Node& four, Storage in, Storage out) const {
    std::vector<Sweep> sweeps;
    std::int64_t rows = 1;
    const Node* node = &four;
    for (; node->kind == Node::Kind::kFour; node = &node->children[1]) {
      if (!node->format.empty() || node->stream) refuse("CUDA has neither 'stream' nor narrow storage between the sweeps of four");
      if (node->children.size() != 2 || node->n < 2 || node->m < 2) refuse("four has two factors and two children");
      if (node_length(node->children[0]) != node->n || node_length(node->children[1]) != node->m) {
        refuse("The children of four have other lengths than it says");
      }
      const Storage stored = node == &four ? in : working();
      sweeps.push_back({&kernel_of_sweep(KernelKind::kTwisted, node->children[0], stored, working()), node->n, node->m, rows});
      if (static_cast<std::int64_t>(twist_entries(node->n)) > kMostFactors / node->m) refuse("The factors between two sweeps are too many");
      rows *= node->n;
    }
    sweeps.push_back({&kernel_of_sweep(KernelKind::kTurned, *node, working(), out), node_length(*node), 1, rows});
    return sweeps;
  }

  const KernelInfo& kernel_of_sweep(KernelKind kind, const Node& child, Storage in, Storage out) const {
    const KernelInfo* const kernel = kernel_that_fits({kind, in, out, is_f64_, false, passes_of(child)});
    if (kernel == nullptr) {
      refuse_too_large();
      refuse("CUDA has no kernel for the " + std::string(kind == KernelKind::kTwisted ? "first" : "last") + " sweep of a four over " +
             name_of(kind == KernelKind::kTwisted ? in : out) + " with " + std::to_string(node_length(child)) + " points");
    }
    return *kernel;
  }

  // The matrix between the sweeps holds as many transforms of a batch as the cache of a device, so that the next sweep finds them there.
  void add_four(const Node& node, const Lines& lines) {
    const std::vector<Sweep> sweeps = sweeps_of(node, lines.stored_in, lines.stored_out);
    const std::int64_t batch = lines.loops.empty() ? 1 : lines.loops[0].count;
    const std::int64_t inner = count_of(lines.loops) / batch * lines.n;
    const std::int64_t cached = static_cast<std::int64_t>(device().cache_bytes) / kCacheParts * kPartsOfMatrix;
    const std::int64_t held = cached / (inner * 2 * real_bytes(working()));
    const std::int64_t part = std::clamp<std::int64_t>(std::max(held, (batch + kMostParts - 1) / kMostParts), 1, batch);
    const ArrayId matrix = take(inner * part);
    const std::size_t uses = program_.passes.size();
    Lines some = lines;
    const auto add_part = [&](std::int64_t count) {
      if (!some.loops.empty()) some.loops[0].count = count;
      add_sweeps(some, sweeps, matrix);
    };
    if (batch / part > 1) {
      const LaunchLoop& along = lines.loops[0];
      std::vector<Item> around = std::exchange(program_.body, {});
      parts_ = batch / part;
      add_part(part);
      parts_ = 1;
      Loop loop;
      loop.count = batch / part;
      loop.moves = {{lines.in.array, along.in_stride * part * 2 * real_bytes(lines.stored_in)}};
      if (lines.out.array != lines.in.array) {
        loop.moves.add(lines.out.array, along.out_stride * part * 2 * real_bytes(lines.stored_out));
      }
      loop.body = std::exchange(program_.body, std::move(around));
      program_.body.emplace_back(std::move(loop));
    } else {
      add_part(part);
    }
    if (const std::int64_t rest = batch % part; rest != 0) {
      some.in.offset += (batch - rest) * lines.loops[0].in_stride;
      some.out.offset += (batch - rest) * lines.loops[0].out_stride;
      rest_ = uses;
      add_part(rest);
      rest_ = SIZE_MAX;
    }
    program_.body.emplace_back(Release{matrix});
  }

  // All sweeps over lines whose matrix begins with the array: the first reads the line and writes the matrix, others work there in place,
  // the last writes the line. Row r of the matrix has the outputs r of the sweeps before, the first of them slowest.
  // Half of a line is half of the rows of a matrix: lengths of sweeps are even.
  void add_sweeps(const Lines& lines, const std::vector<Sweep>& sweeps, ArrayId matrix) {
    const std::int64_t batch = count_of(lines.loops);
    for (std::size_t i = 0; i + 1 < sweeps.size(); ++i) {
      const Sweep& sweep = sweeps[i];
      const bool first = i == 0;
      Launch columns{sweep.kernel->name, {matrix, 0, sweep.apart, false}, {matrix, 0, sweep.apart, false}, {}, sweep.apart};
      columns.loops.push_back({sweep.apart, first ? lines.in.point_stride : 1, 1});
      if (first) {
        columns.in = {lines.in.array, lines.in.offset, sweep.apart * lines.in.point_stride, lines.backward,
                      lines.in.shift / sweep.apart};
        std::int64_t step = lines.n;
        for (const LaunchLoop& loop : lines.loops) {
          columns.loops.push_back({loop.count, loop.in_stride, step});
          step *= loop.count;
        }
      } else {
        columns.loops.push_back({batch * sweep.rows, sweep.n * sweep.apart, sweep.n * sweep.apart});
      }
      add_launch(*sweep.kernel, std::move(columns), first ? lines.scale : 1.0);
      add_use(PassKind::kTwist, 1, TwiddleForm::kNone, parts_ * batch * lines.n);
    }
    const Sweep& last = sweeps.back();
    Launch rows{last.kernel->name, {matrix, 0, 1, false}, lines.out, {}, 0};
    rows.out.point_stride = last.rows * lines.out.point_stride;
    rows.out.swap = lines.backward;
    rows.out.shift = lines.out.shift / last.rows;
    std::int64_t apart = lines.out.point_stride;  // outputs of the first sweep lie side by side
    for (std::size_t i = 0; i + 1 < sweeps.size(); ++i) {
      rows.loops.push_back({sweeps[i].n, sweeps[i].apart, apart});
      apart *= sweeps[i].n;
    }
    std::int64_t step = lines.n;
    for (const LaunchLoop& loop : lines.loops) {
      rows.loops.push_back({loop.count, step, loop.out_stride});
      step *= loop.count;
    }
    add_launch(*last.kernel, std::move(rows), 1.0);
  }

  // ---- launches

  void add_conversion(const LineArray& from, const LineArray& to, std::int64_t points) {
    const KernelInfo* const kernel = find_conversion(from.storage, to.storage);
    if (points > kMostConverted) refuse("CUDA converts at most 2^40 - 1 complex numbers");
    if (kernel == nullptr) refuse(std::string("CUDA has no conversion of ") + name_of(from.storage) + " to " + name_of(to.storage));
    const bool decodes = from.array == ArrayId::kIn;
    const std::size_t use = add_use(decodes ? PassKind::kDecode : PassKind::kEncode, 1, TwiddleForm::kNone, points);
    add_pass({kernel->name, {from.array, 0, 1, false}, {to.array, 0, 1, false}, {{points, 1, 1}}, 0}, use, 1, 1.0);
  }

  void add_launch(const KernelInfo& kernel, Launch launch, double scale) {
    const std::size_t use = std::min(rest_, program_.passes.size());
    const std::int64_t points = parts_ * count_of(launch.loops) * kernel.n;
    const bool rows = kernel.kind == KernelKind::kRows;
    for (int pass = 0; pass < kernel.passes; ++pass) {
      const PassKind first = rows ? (kernel.passes == 1 ? PassKind::kWhole : PassKind::kFirst) : PassKind::kColumns;
      const PassKind later = rows ? PassKind::kTwiddled : PassKind::kColumnsTwiddled;
      add_use(pass == 0 ? first : later, kernel.radix[pass], kernel.form[pass], points / kernel.radix[pass]);
    }
    if (tables_.insert({&kernel, launch.twist_columns}).second) {
      program_.table_bytes += static_cast<double>(kernel.table_bytes);
      if (launch.twist_columns != 0) program_.table_bytes += static_cast<double>(twist_bytes(kernel, launch.twist_columns));
    }
    if (launch.loops.empty()) launch.loops.push_back({});
    if (launch.loops[0].count > kMostLines) refuse("CUDA transforms at most 2^31 - 1 lines along a stride");
    const bool moves = problem_.placement == Placement::kInPlace && launch.in.array == ArrayId::kIn && launch.out.array == ArrayId::kOut;
    if (!kernel.in_place && (moves || launch.in.array == launch.out.array)) {
      refuse(std::string("The kernel ") + kernel.name + " does not work in place");
    }
    add_pass(std::move(launch), use, kernel.n, scale);
  }

  std::size_t add_use(PassKind kind, std::int64_t radix, TwiddleForm form, std::int64_t butterflies) {
    const CodeletInfo& codelet = require_body(kind, radix, form);
    PassUse one;
    one.codelet = &codelet;
    const bool is_rest = rest_ < program_.passes.size();
    PassUse& use = is_rest ? program_.passes[rest_] : program_.passes.emplace_back(one);
    use.butterflies += butterflies;
    use.share = static_cast<double>(use.butterflies) * codelet.body->radix / points_;
    count(*codelet.body, static_cast<double>(butterflies));
    return is_rest ? rest_++ : program_.passes.size() - 1;
  }

  const CodeletInfo& require_body(PassKind kind, std::int64_t radix, TwiddleForm form) {
    const CodeletInfo* const codelet = find_codelet(cache_, codelets_, kind, program_.compute, radix, form);
    if (codelet == nullptr) refuse("This build has no body of radix " + std::to_string(radix) + " of a kernel");
    return *codelet;
  }

  void count(const BodyFacts& body, double butterflies) {
    program_.adds += body.ops.add * butterflies;
    program_.muls += body.ops.mul * butterflies;
    program_.fmas += body.ops.fma * butterflies;
  }

  void add_pass(Launch launch, std::size_t use, std::int64_t points, double scale) {
    if (launches_of(launch) * parts_ > kMostLaunches) {
      refuse("CUDA loops over at most three strides of a batch beside " + std::to_string(kMostLaunches) + " launches");
    }
    Pass pass;
    pass.codelet = program_.passes[use].codelet;
    pass.use = use;
    pass.extent = points;
    pass.args.in.array = launch.in.array;
    pass.args.out.array = launch.out.array;
    pass.args.scale = scale;
    pass.op = std::move(launch);
    program_.body.emplace_back(std::move(pass));
  }

  const Problem& problem_;
  const Sides& sides_;
  const Recipe& recipe_;
  const CodeletTable& codelets_;
  TableCache& cache_;
  ulpfft::Program program_;
  std::set<std::pair<const KernelInfo*, std::int64_t>> tables_;
  mutable std::optional<DeviceLimits> device_;
  mutable const KernelInfo* too_large_ = nullptr;
  bool is_f64_ = false;
  std::size_t rest_ = SIZE_MAX;  // the use of the next pass, which does the rest of what earlier passes do
  std::int64_t parts_ = 1;  // of a batch, that a loop around the launches goes through
  double points_ = 1;
};

}  // namespace

void check_problem(const Problem& problem) {
  const char* const wide = "CUDA transforms complex numbers in f64, f32, f16 and bf16";
  if (problem.output_kind != OutputKind::kSpectrum) unsupported("output", std::string(wide) + "; the power of spectra is not built.");
  if (problem.kind != Kind::kC2C) unsupported("kind", std::string(wide) + "; transforms of real numbers are not built.");
  for (const bool output : {false, true}) {
    const std::string& storage = problem.storage(output);
    if (!storage_named(storage)) unsupported(output ? "storage_out" : "storage_in", std::string(wide) + ", not in " + storage + ".");
  }
  if (!problem.scheme.empty() && problem.scheme != "f32" && problem.scheme != "f64") {
    unsupported("scheme", "CUDA computes in f32 and f64; " + problem.scheme + " is not built. The processor has it.");
  }
  if (problem.layout != ArrayLayout::kInterleaved) {
    unsupported("layout", "CUDA reads and writes interleaved arrays; split ones are not built.");
  }
  if (!problem.chain.empty()) unsupported("chain", "Chains are not built for CUDA.");
  if (!problem.intermediate.empty()) unsupported("intermediate", "Narrow storage between passes is not built for CUDA.");
  if (problem.window) unsupported("window", "Windows are not built for CUDA.");
  if (problem.prescale_kind != PrescaleKind::kNone) unsupported("prescale_kind", "A prescale is not built for CUDA.");
}

std::int64_t launches_of(const Launch& launch) {
  std::int64_t launches = 1;
  for (std::size_t i = 1; i < launch.loops.size(); ++i) {
    const std::int64_t count = launch.loops[i].count;
    launches *= i < 3 ? (count + kMostOuterBlocks - 1) / kMostOuterBlocks : count;
  }
  return launches;
}

ulpfft::Program expand(const Lowering& given) {
  check_problem(given.problem);
  return Expansion(given).expand();
}

}  // namespace ulpfft::cuda

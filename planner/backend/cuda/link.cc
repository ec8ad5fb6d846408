// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a program to launches: offsets, grids, tables, and what of them lies on a device.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "planner/backend/cuda/cuda.h"
#include "planner/backend/cuda/executable.h"
#include "planner/backend/cuda/expand.h"
#include "planner/backend/cuda/kernels.h"
#include "planner/system/round_to_nearest.h"
#include "wisdom/error.h"

namespace ulpfft::cuda {
namespace {

constexpr std::size_t kTableAlignment = 256;  // as memory of the device begins
constexpr std::size_t kCounterBytes = sizeof(unsigned long long);

std::size_t aligned(std::size_t bytes) { return (bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment; }

// Complex numbers of both ends, by the storage of the kernel.
struct Bytes {
  std::int64_t in, out;
};
Bytes bytes_of(const KernelInfo& kernel) { return {2 * real_bytes(kernel.in), 2 * real_bytes(kernel.out)}; }

std::int64_t work_offset(const ulpfft::Program& program, ArrayId array) {
  return is_work(array) ? placed(program, array).offset * static_cast<std::int64_t>(ulpfft::real_bytes(program.compute)) : 0;
}

// The launches of a pass: the first three loops are axes of a grid, cut where they are longer than it may be, the others are unrolled.
class PassLinker {
 public:
  PassLinker(const Launch& op, const LinkedLaunch& first, std::vector<LinkedLaunch>& launches)
      : op_(op), bytes_(bytes_of(*first.kernel)), launches_(launches) {
    unroll(first, op.loops.size());
  }

 private:
  void moved(LinkedLaunch launch, std::size_t loop, std::int64_t by, std::size_t left) {
    launch.in_offset += by * op_.loops[loop].in_stride * bytes_.in;
    launch.out_offset += by * op_.loops[loop].out_stride * bytes_.out;
    unroll(launch, left);
  }

  void unroll(const LinkedLaunch& launch, std::size_t left) {
    if (left <= 1) {
      launches_.push_back(launch);
      return;
    }
    const std::size_t loop = left - 1;
    const std::int64_t count = op_.loops[loop].count, step = loop < 3 ? kMostOuterBlocks : 1;
    for (std::int64_t at = 0; at < count; at += step) {
      LinkedLaunch part = launch;
      if (loop < 3) part.grid[loop] = static_cast<unsigned>(std::min(step, count - at));
      moved(std::move(part), loop, at, left - 1);
    }
  }

  const Launch& op_;
  const Bytes bytes_;
  std::vector<LinkedLaunch>& launches_;
};

// Where the tables of kernels begin.
class Tables {
 public:
  std::size_t table_of(const KernelInfo& kernel) { return kernel.table_bytes == 0 ? 0 : place({&kernel, 0}, kernel.table_bytes); }
  std::size_t twist_of(const KernelInfo& kernel, std::int64_t columns) {
    return columns == 0 ? 0 : place({&kernel, columns}, twist_bytes(kernel, columns));
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t place(std::pair<const KernelInfo*, std::int64_t> key, std::size_t bytes) {
    const auto [known, is_new] = begins_.try_emplace(key, bytes_);
    if (is_new) bytes_ += aligned(bytes);
    return known->second;
  }

  std::map<std::pair<const KernelInfo*, std::int64_t>, std::size_t> begins_;
  std::size_t bytes_ = 0;
};

// Of point 0, beside the offset of the line; the other points count from there.
std::int64_t turn(const LaunchEnd& from, std::int64_t points, End& end) {
  end.point_stride = from.point_stride;
  if (from.shift == 0) return 0;
  end.wrap = -points * from.point_stride;
  end.shift = static_cast<std::int32_t>(from.shift);
  return from.shift * from.point_stride;
}

LinkedLaunch link_pass(const ulpfft::Program& program, const Pass& pass, const Launch& op, Tables& tables) {
  LinkedLaunch linked;
  linked.kernel = find_kernel(op.kernel);
  const KernelInfo& kernel = *linked.kernel;
  const Bytes bytes = bytes_of(kernel);
  linked.in = op.in.array;
  linked.out = op.out.array;
  Args& args = linked.args;
  linked.in_offset = (op.in.offset + turn(op.in, pass.extent, args.in)) * bytes.in + work_offset(program, op.in.array);
  linked.out_offset = (op.out.offset + turn(op.out, pass.extent, args.out)) * bytes.out + work_offset(program, op.out.array);
  std::int64_t End::*const kStrides[] = {&End::x_stride, &End::y_stride, &End::z_stride};
  for (std::size_t i = 0; i < std::min<std::size_t>(3, op.loops.size()); ++i) {
    args.in.*kStrides[i] = op.loops[i].in_stride;
    args.out.*kStrides[i] = op.loops[i].out_stride;
  }
  args.count = op.loops[0].count * (kernel.kind == KernelKind::kConvert ? 2 : 1);
  args.twist_columns = op.twist_columns;
  args.scale = pass.args.scale;
  args.swap_in = op.in.swap ? 1 : 0;
  args.swap_out = op.out.swap ? 1 : 0;
  linked.grid[0] = static_cast<unsigned>((args.count + kernel.per_block - 1) / kernel.per_block);
  linked.table = tables.table_of(kernel);
  linked.twist = tables.twist_of(kernel, op.twist_columns);
  return linked;
}

// How far loops have moved arrays on.
using Shift = std::map<ArrayId, std::int64_t>;  // bytes

void link_body(const ulpfft::Program& program, const std::vector<Item>& body, const Shift& shift, Tables& tables,
               std::vector<LinkedLaunch>& launches) {
  for (const Item& item : body) {
    if (const Pass* pass = item.pass()) {
      const Launch& op = std::get<Launch>(pass->op);
      LinkedLaunch linked = link_pass(program, *pass, op, tables);
      const auto moved_by = [&](ArrayId array) { return shift.contains(array) ? shift.at(array) : 0; };
      linked.in_offset += moved_by(linked.in);
      linked.out_offset += moved_by(linked.out);
      PassLinker(op, linked, launches);
    } else if (const Loop* loop = item.loop()) {
      Shift here = shift;
      for (std::int64_t i = 0; i < loop->count; ++i) {
        link_body(program, loop->body, here, tables, launches);
        for (const auto& [array, bytes] : loop->moves) here[array] += bytes;
      }
    }
  }
}

}  // namespace

CudaExecutable::CudaExecutable(const Backend& of, const ulpfft::Program& program) : Executable(of), facts_(program) {
  Tables tables;
  link_body(program, program.body, {}, tables, launches_);
  table_bytes_ = tables.bytes();
  for (const LinkedLaunch& launch : launches_) {
    if (launch.in == ArrayId::kIn) in_alignment_ = static_cast<std::uintptr_t>(bytes_of(*launch.kernel).in);
    if (launch.out == ArrayId::kOut) out_alignment_ = static_cast<std::uintptr_t>(bytes_of(*launch.kernel).out);
  }
}

std::vector<std::byte> CudaExecutable::make_tables() const {
  const RoundToNearest nearest;
  std::vector<std::byte> tables(table_bytes_ + kCounterBytes);
  std::set<std::size_t> filled;
  for (const LinkedLaunch& launch : launches_) {
    if (launch.kernel->table_bytes != 0 && filled.insert(launch.table).second) fill_table(*launch.kernel, tables.data() + launch.table);
    if (launch.args.twist_columns != 0 && filled.insert(launch.twist).second) {
      fill_twist(*launch.kernel, launch.args.twist_columns, tables.data() + launch.twist);
    }
  }
  return tables;
}

void CudaExecutable::prepare() {
  absent_ = absence();
  if (!absent_.empty()) return;
  const CurrentContext current;
  auto made = std::make_unique<OnDevice>(current);
  made->prepare(make_tables(), facts_.workspace_bytes, launches_);
  on_device_ = std::move(made);
}

void OnDevice::prepare(const std::vector<std::byte>& table_values, std::size_t workspace_bytes, std::vector<LinkedLaunch>& launches) {
  for (LinkedLaunch& launch : launches) {
    launch.function = modules_.find(launch.kernel->name);
    if (launch.kernel->shared_bytes <= kSharedWithoutAsking) continue;
    const auto bytes = static_cast<int>(launch.kernel->shared_bytes);
    require_success(driver, driver.function_set_attribute(launch.function, kMaxDynamicSharedBytes, bytes), "asking for shared memory");
  }
  require_success(driver, driver.memory_allocate(&tables, table_values.size()), "allocating tables");
  require_success(driver, driver.copy_to_device(tables, table_values.data(), table_values.size()), "copying tables to the device");
  if (workspace_bytes != 0) require_success(driver, driver.memory_allocate(&workspace, workspace_bytes), "allocating the workspace");
  // The copy of tables may return before they have arrived, and only the default stream is ordered behind it. A plan may be executed on
  // any stream.
  require_success(driver, driver.stream_synchronize(nullptr), "waiting for tables");
}

ContextIdentity OnDevice::identity_of(const CurrentContext& current) {
  ContextIdentity identity;
  require_success(current.driver(), identify(current.driver(), current.context(), identity), "asking for the number of a context");
  return identity;
}

OnDevice::~OnDevice() {
  if (process_ != fork_generation()) return;  // a child has no devices of its parent, and its lock may be held for good
  // A context that was destroyed took all of it along. Another one may have its handle.
  const bool pushed = driver.context_push(context) == Result::kSuccess;
  ContextIdentity found;
  const bool is_destroyed = !pushed || identify(driver, context, found) != Result::kSuccess || found != identity;
  if (!is_destroyed && workspace != 0) driver.memory_free(workspace);
  if (!is_destroyed && tables != 0) driver.memory_free(tables);
  modules_.release(is_destroyed);
  ContextHandle popped = nullptr;
  if (pushed) driver.context_pop(&popped);
}

std::unique_ptr<Executable> link(const ulpfft::Program& program, const CodeletTable&, TableCache&, const NodeTransform&) {
  return std::make_unique<CudaExecutable>(cuda_backend(), program);
}

}  // namespace ulpfft::cuda

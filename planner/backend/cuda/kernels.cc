// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/kernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string_view>

#include "codelets/registry.h"

namespace ulpfft::cuda {
namespace {

constexpr std::array<const char*, 4> kStorages = {"f64", "f32", "f16", "bf16"};

bool has_passes(const KernelInfo& kernel, const std::vector<PassSpec>& passes) {
  if (kernel.passes != static_cast<int>(passes.size())) return false;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (kernel.radix[i] != passes[i].radix) return false;
    if (i > 0 && kernel.form[i] != passes[i].form) return false;
  }
  return true;
}

// Whether some kernel has the body in that place.
bool is_used(const CodeletInfo& codelet) {
  if (codelet.compute != ComputeType::kF32 && codelet.compute != ComputeType::kF64) return false;
  if (codelet.second != nullptr) return false;
  if (codelet.kind == PassKind::kTwist || codelet.kind == PassKind::kDecode || codelet.kind == PassKind::kEncode) return true;
  return std::any_of(kernels().begin(), kernels().end(), [&](const KernelInfo& kernel) {
    if (kernel.is_f64 != (codelet.compute == ComputeType::kF64) || kernel.kind == KernelKind::kConvert) return false;
    const bool columns = kernel.kind != KernelKind::kRows;
    switch (codelet.kind) {
      case PassKind::kWhole: return kernel.passes == 1 && kernel.radix[0] == codelet.body->radix;
      case PassKind::kFirst: return !columns && kernel.passes > 1 && kernel.radix[0] == codelet.body->radix;
      case PassKind::kColumns: return columns && kernel.radix[0] == codelet.body->radix;
      case PassKind::kTwiddled: case PassKind::kColumnsTwiddled:
        if (columns != (codelet.kind == PassKind::kColumnsTwiddled)) return false;
        for (int pass = 1; pass < kernel.passes; ++pass) {
          if (kernel.radix[pass] == codelet.body->radix && kernel.form[pass] == codelet.body->form) return true;
        }
        return false;
      default: return false;
    }
  });
}

struct Table {
  std::vector<CodeletInfo> codelets;
  CodeletTable table;

  Table() {
    const CodeletTable& ref = registered_targets().back().table;
    for (const CodeletInfo& codelet : ref.codelets) {
      if (!is_used(codelet)) continue;
      CodeletInfo body;
      body.kind = codelet.kind;
      body.compute = codelet.compute;
      body.body = codelet.body;
      codelets.push_back(body);
    }
    table.version = kCodeletTableVersion;
    table.backend = table.target = "cuda";
    table.has_fma = true;
    table.codelets = codelets;
  }
};

// Made on first use, without a lock, as in codelets/registry.cc.
struct TableHolder {
  std::atomic<const Table*> table{nullptr};
  ~TableHolder() { delete table.load(); }
};
constinit TableHolder table_holder;

}  // namespace

std::optional<Storage> storage_named(const std::string& name) {
  const auto found = std::find(kStorages.begin(), kStorages.end(), std::string_view(name));
  if (found == kStorages.end()) return std::nullopt;
  return static_cast<Storage>(found - kStorages.begin());
}

const char* name_of(Storage storage) { return kStorages[static_cast<std::size_t>(storage)]; }

std::int64_t real_bytes(Storage storage) { return storage == Storage::kF64 ? 8 : storage == Storage::kF32 ? 4 : 2; }

// Registers of a thread are limited so that blocks_per_sm blocks have room.
bool fits(const KernelInfo& kernel, const DeviceLimits& device) {
  constexpr int kMostOfAThread = 255, kRegistersOfKernels = 65536;
  const int registers = std::min(kMostOfAThread, kRegistersOfKernels / (kernel.threads * kernel.blocks_per_sm));
  return kernel.shared_bytes <= device.shared_bytes && registers * kernel.threads <= device.registers;
}

std::int64_t longest_sweep() {
  const DeviceLimits device = limits_of_device();
  const auto longest = [&](KernelKind kind, bool is_f64) {
    int points = 0;
    for (const KernelInfo& kernel : kernels()) {
      const bool is_wide = is_f64 ? kernel.in == Storage::kF64 && kernel.out == Storage::kF64
                                  : kernel.in == Storage::kF32 && kernel.out == Storage::kF32;
      if (kernel.kind == kind && kernel.is_f64 == is_f64 && is_wide && fits(kernel, device)) points = std::max(points, kernel.n);
    }
    return points;
  };
  return std::min(std::min(longest(KernelKind::kTwisted, false), longest(KernelKind::kTurned, false)),
                  std::min(longest(KernelKind::kTwisted, true), longest(KernelKind::kTurned, true)));
}

const KernelInfo* find_kernel(const KernelWanted& wanted, const KernelInfo* after) {
  const auto serves = [&](KernelKind kind) {
    return kind == wanted.kind || (kind == KernelKind::kTwisted && wanted.kind == KernelKind::kColumns);
  };
  const std::span<const KernelInfo> all = kernels();
  for (const KernelInfo& kernel : all.subspan(after == nullptr ? 0 : static_cast<std::size_t>(after - all.data()) + 1)) {
    if (!serves(kernel.kind) || kernel.in != wanted.in || kernel.out != wanted.out || kernel.is_f64 != wanted.is_f64) continue;
    if (kernel.fixed_direction && kernel.backward != wanted.backward) continue;
    if (has_passes(kernel, wanted.passes)) return &kernel;
  }
  return nullptr;
}

const KernelInfo* find_conversion(Storage in, Storage out) {
  for (const KernelInfo& kernel : kernels()) {
    if (kernel.kind == KernelKind::kConvert && kernel.in == in && kernel.out == out) return &kernel;
  }
  return nullptr;
}

const KernelInfo* find_kernel(const char* name) {
  for (const KernelInfo& kernel : kernels()) {
    if (std::string_view(kernel.name) == name) return &kernel;
  }
  return nullptr;
}

const CodeletTable& codelets_of_kernels() {
  const Table* table = table_holder.table.load(std::memory_order_acquire);
  if (table == nullptr) {
    auto made = std::make_unique<const Table>();
    if (table_holder.table.compare_exchange_strong(table, made.get(), std::memory_order_acq_rel)) table = made.release();
  }
  return table->table;
}

}  // namespace ulpfft::cuda

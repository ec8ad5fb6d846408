// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/registry.h"

#include <atomic>
#include <memory>
#include <vector>

#include "build_targets.h"
#include "codelets/contract/codelet_sink.h"
#if ULPFFT_WITH_HWY
#include "codelets/hwy/target_facts.h"
#include "hwy_groups.h"
#endif

namespace ulpfft {

#if ULPFFT_WITH_HWY
#define ULPFFT_DECLARE(type, group) void collect_hwy_##type##_##group(std::int64_t target, CodeletSink& sink);
ULPFFT_HWY_GROUPS(ULPFFT_DECLARE)
#undef ULPFFT_DECLARE
void collect_hwy_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_r2r_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_real_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_conversions(std::int64_t target, CodeletSink& sink);
void collect_hwy_rounded(std::int64_t target, CodeletSink& sink);
void collect_hwy_mx(std::int64_t target, CodeletSink& sink);
void collect_hwy_split(std::int64_t target, CodeletSink& sink);
PassFn hwy_image_pass(std::int64_t target, bool is_f32);
PowerFn hwy_powers(std::int64_t target, bool is_f32);
WindowFn hwy_window(std::int64_t target, bool is_f32);
#endif
namespace ref {
void collect(CodeletSink& sink);
void collect_lines(CodeletSink& sink);
void collect_r2r_lines(CodeletSink& sink);
void collect_real_lines(CodeletSink& sink);
void collect_conversions(CodeletSink& sink);
void collect_mx(CodeletSink& sink);
void collect_split(CodeletSink& sink);
}

namespace {

struct LeftOut {
  const char* name;
  const char* reason;
};

// Owns the entries its tables point to.
struct Registry {
  std::vector<CodeletSink> sinks;
  std::vector<RegisteredTarget> targets;

  void add(RegisteredTarget target, CodeletSink sink) {
    target.table.version = kCodeletTableVersion;
    sinks.push_back(std::move(sink));
    targets.push_back(std::move(target));
  }

  void add_hwy() {
#if ULPFFT_WITH_HWY
    for (const TargetFacts& facts : hwy_targets()) {
      CodeletSink sink;
#define ULPFFT_COLLECT(type, group) collect_hwy_##type##_##group(facts.bit, sink);
      ULPFFT_HWY_GROUPS(ULPFFT_COLLECT)
#undef ULPFFT_COLLECT
      collect_hwy_lines(facts.bit, sink);
      collect_hwy_r2r_lines(facts.bit, sink);
      collect_hwy_real_lines(facts.bit, sink);
      collect_hwy_conversions(facts.bit, sink);
      collect_hwy_rounded(facts.bit, sink);
      collect_hwy_mx(facts.bit, sink);
      collect_hwy_split(facts.bit, sink);
      RegisteredTarget target;
      target.table.backend = "hwy";
      target.table.target = facts.name;
      target.table.has_fma = facts.has_fma;
      target.table.lanes_f32 = facts.lanes_f32;
      target.table.lanes_f64 = facts.lanes_f64;
      target.available = facts.supported;
      if (!facts.supported) target.reason = "this processor or operating system does not support it";
      add(std::move(target), std::move(sink));
    }
#endif
  }

  void add_left_out() {
    constexpr LeftOut kLeftOut[] = {ULPFFT_TARGETS_LEFT_OUT{"", ""}};
    for (const LeftOut& left_out : kLeftOut) {
      if (*left_out.name == '\0') continue;
      RegisteredTarget target;
      target.table.backend = "hwy";
      target.table.target = left_out.name;
      target.reason = left_out.reason;
      add(std::move(target), CodeletSink());
    }
  }

  void add_ref() {
    CodeletSink sink;
    ref::collect(sink);
    ref::collect_lines(sink);
    ref::collect_r2r_lines(sink);
    ref::collect_real_lines(sink);
    ref::collect_conversions(sink);
    ref::collect_mx(sink);
    ref::collect_split(sink);
    RegisteredTarget target;
    target.table.backend = "ref";
    target.table.target = "ref";
    target.table.has_fma = true;
    target.available = true;
    add(std::move(target), std::move(sink));
  }

  Registry() {
    add_hwy();
    add_left_out();
    add_ref();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i].table.codelets = sinks[i].entries;
      targets[i].table.fused = sinks[i].fused;
      targets[i].table.conversions = sinks[i].conversions;
      targets[i].table.mx_butterfly = sinks[i].mx_butterfly;
      targets[i].table.mx_multiply = sinks[i].mx_multiply;
      targets[i].table.split_pass = sinks[i].split_pass;
      targets[i].table.slice_pass = sinks[i].slice_pass;
    }
  }
};

// Made on first use, without a lock: one that another thread held while it forks would stay held in the child. Of two threads that
// come first together the slower throws its own away.
struct Holder {
  std::atomic<const Registry*> registry{nullptr};
  ~Holder() { delete registry.load(); }
};
constinit Holder holder;

}  // namespace

std::span<const RegisteredTarget> registered_targets() {
  const Registry* registry = holder.registry.load(std::memory_order_acquire);
  if (registry == nullptr) {
    auto made = std::make_unique<const Registry>();
    if (holder.registry.compare_exchange_strong(registry, made.get(), std::memory_order_acq_rel)) registry = made.release();
  }
  return registry->targets;
}

#if ULPFFT_WITH_HWY
// What `find` has for the target of a table that is registered; null: nothing.
template <typename Function>
static Function found_in(const CodeletTable& table, bool is_f32, Function (*find)(std::int64_t target, bool is_f32)) {
  const std::vector<TargetFacts> facts = hwy_targets();
  const std::span<const RegisteredTarget> targets = registered_targets();
  for (std::size_t i = 0; i < facts.size(); ++i) {  // the first targets, in this order
    if (targets[i].table.codelets.data() == table.codelets.data()) return find(facts[i].bit, is_f32);
  }
  return nullptr;
}
#endif

PassFn image_pass([[maybe_unused]] const CodeletTable& table, ComputeType compute) {
  const bool is_f32 = compute == ComputeType::kF32;
  if (!is_f32 && compute != ComputeType::kF64) return nullptr;
#if ULPFFT_WITH_HWY
  return found_in(table, is_f32, &hwy_image_pass);
#else
  return nullptr;
#endif
}

PowerFn powers_of([[maybe_unused]] const CodeletTable& table, bool is_f32) {
#if ULPFFT_WITH_HWY
  if (const PowerFn found = found_in(table, is_f32, &hwy_powers)) return found;
#endif
  return is_f32 ? &powers_one_by_one<float> : &powers_one_by_one<double>;
}

WindowFn window_products_of([[maybe_unused]] const CodeletTable& table, bool is_f32) {
#if ULPFFT_WITH_HWY
  if (const WindowFn found = found_in(table, is_f32, &hwy_window)) return found;
#endif
  return is_f32 ? &window_one_by_one<float> : &window_one_by_one<double>;
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Devices through the C interface: arrays of the host by plans for them, and what there is.
#include <optional>
#include <string>

#include "planner/api/guard.h"
#include "planner/backend/shared_bytes.h"
#include "planner/plan/plan.h"
#include "planner/system/last_error.h"

using namespace ulpfft;

namespace {

void require_plain(const ulpfft_array& array, const char* field) {
  if (array.scales[0] == nullptr && array.scales[1] == nullptr && array.exponents == nullptr) return;
  throw PlanError(ULPFFT_UNSUPPORTED, field, "Plans for a device have neither scales nor exponents: leave them null.");
}

// An array of the host in memory of the backend. Addresses are those of element 0, which may lie inside the array.
class Moved {
 public:
  Moved(const Memory& memory, void* host, const Extent& extent)
      : low_(extent.low), bytes_(memory, static_cast<char*>(host) + extent.low, static_cast<std::size_t>(extent.high - extent.low)) {}
  void* address() const { return static_cast<char*>(bytes_.backend()) - low_; }
  void send() const { bytes_.send(); }
  void fetch() const { bytes_.fetch(); }

 private:
  std::int64_t low_;
  SharedBytes bytes_;
};

void execute_moved(const ulpfft_plan& plan, const ulpfft_array& in, const ulpfft_array& out) {
  const Memory& memory = plan.executable->backend.memory;
  const Moved from(memory, in.data[0], plan.in_extent);
  from.send();
  std::optional<Moved> to;
  if (!plan.in_place) to.emplace(memory, out.data[0], plan.out_extent).send();  // what lies between its elements stays
  const Moved& result = to ? *to : from;
  const ulpfft_array in_there{sizeof in_there, {from.address(), nullptr}, {}, nullptr, nullptr, nullptr};
  ulpfft_array out_there{sizeof out_there, {result.address(), nullptr}, {}, nullptr, nullptr, nullptr};
  if (out.size >= sizeof out) out_there.saturated = out.saturated, out_there.underflowed = out.underflowed;
  require_executed(ulpfft_execute_arrays(&plan, &in_there, &out_there, nullptr));
  result.fetch();
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_execute_on_host(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out) {
  if (plan == nullptr || in == nullptr || out == nullptr || plan->executable->backend.memory.is_host()) {
    return ulpfft_execute_arrays(plan, in, out, nullptr);
  }
  return guard([&] {
    require_size(*in, "in.size");
    require_size(*out, "out.size");
    require_pointer(in->data[0], "in.data[0]");
    require_pointer(out->data[0], "out.data[0]");
    require_plain(*in, "in");
    require_plain(*out, "out");
    if (plan->in_place && in->data[0] != out->data[0]) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "out.data[0]", "The plan is in place: input and output must be the same array.");
    }
    execute_moved(*plan, *in, *out);
  });
}

char* ulpfft_backend_describe(const char* name) {
  char* text = nullptr;
  guard([&] {
    require_pointer(name, "backend");
    for (const Backend* const backend : backends()) {
      if (backend->describe == nullptr || !serves(*backend, name)) continue;
      text = copy_text(backend->describe());
      if (text == nullptr) throw std::bad_alloc();
      return;
    }
    throw PlanError(ULPFFT_UNKNOWN_NAME, "backend", "There is no backend '" + std::string(name) + "' that needs a device; there is cuda.");
  });
  return text;
}

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rehearsals: a driver without a device. Its times are of the host and say nothing about one.
#include <cstring>

#include "tests/gpu/machine.h"
#include "tests/support/fake_driver.h"

namespace ulpfft::test {
namespace {

class RehearsalMachine final : public Machine {
 public:
  RehearsalMachine() {
    require(driver().init(0), "initialising the driver");
    fake_.set_current(fake_.primary(0));
  }
  ~RehearsalMachine() override { fake_.set_current(nullptr); }

  bool is_fake() const override { return true; }
  void* make_stream() override { return fake_.make_stream(); }
  void wait(void*) override {}
  void copy_on_device(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void capture_and_replay(void* stream, const std::function<void()>& work) override {
    fake_.begin_capture(stream);
    work();
    fake_.end_capture();
    fake_.replay();
  }
  // The twin would meet a guard page.
  void spoil_context(const std::function<void()>&) override { fake_.fail_at(1, static_cast<int>(cuda::Result::kIllegalAddress)); }

 private:
  FakeDriver fake_;
};

}  // namespace

std::unique_ptr<Machine> make_machine() { return std::make_unique<RehearsalMachine>(); }

}  // namespace ulpfft::test

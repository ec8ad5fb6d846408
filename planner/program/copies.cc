// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Copies that tests alone make, of programs that they change.
#include "planner/program/program.h"

namespace ulpfft {

Pass& Pass::operator=(const Pass&) = default;
Pass& Pass::operator=(Pass&&) noexcept = default;
Loop& Loop::operator=(const Loop&) = default;
Loop& Loop::operator=(Loop&&) noexcept = default;
Program::Program(const Program&) = default;
Program& Program::operator=(const Program&) = default;

}  // namespace ulpfft

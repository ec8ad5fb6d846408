// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets are not instrumented, so a container that crosses the border may look overrun when it is not.
extern "C" const char* __asan_default_options() { return "detect_container_overflow=0:allocator_may_return_null=1"; }
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The name of this machine in wisdom.
#ifndef ULPFFT_WISDOM_MACHINE_H_
#define ULPFFT_WISDOM_MACHINE_H_

#include <string>
#include <string_view>

namespace ulpfft {

// Processor and target, e.g. "x86.25.17.avx3" (CPUID family and model), "arm64.41.d0c.neon" (implementer and part, 0 when the
// system does not tell), "other.0.0.ref". Times are comparable where slugs are equal. Bytes of the target other than a-z, 0-9 and
// '_' become '_'; an upper-case name is lowered.
std::string machine_slug(std::string_view backend_target);

// A target as people call it: "avx3 (AVX-512)"; other names stay as they are.
std::string shown_target(std::string_view target);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_MACHINE_H_

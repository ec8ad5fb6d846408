// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every codelet table of this build, best target of the machine first, ref last. Targets that the build left out stand before ref,
// unavailable and without codelets, so that users learn the reason.
#ifndef ULPFFT_CODELETS_REGISTRY_H_
#define ULPFFT_CODELETS_REGISTRY_H_

#include <span>
#include <string>

#include "codelets/contract/body_constant.h"
#include "codelets/contract/codelet.h"
#include "codelets/contract/format_info.h"
#include "codelets/contract/power.h"
#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/window.h"

namespace ulpfft {

struct RegisteredTarget {
  CodeletTable table;
  bool available = false;
  std::string reason;  // why not; empty otherwise
};

// Made on first use and immutable from then on.
std::span<const RegisteredTarget> registered_targets();

// The pass over images of reals (real_images.h) of a table that is registered; null: their two dimensions are two passes.
PassFn image_pass(const CodeletTable& table, ComputeType compute);
// |x|^2 by the instruction set of a table, else one by one.
PowerFn powers_of(const CodeletTable& table, bool is_f32);
// The product with a window, likewise.
WindowFn window_products_of(const CodeletTable& table, bool is_f32);

// Formats of the descriptors this build was made with.
std::span<const FormatInfo> formats();
std::span<const BlockInfo> block_formats();

// Bodies of rounded schemes as the fast codelets have them, and what they number as constants, see RoundedPass.
std::span<const RoundedBodyEntry> rounded_bodies();
std::span<const BodyConstant> rounded_body_constants();

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_REGISTRY_H_

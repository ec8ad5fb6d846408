// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the planner knows of bodies and formats.
#ifndef ULPFFT_GENFFT_EMIT_FACTS_H_
#define ULPFFT_GENFFT_EMIT_FACTS_H_

#include <vector>

#include "genfft/emit/writer.h"
#include "genfft/format/format_spec.h"
#include "genfft/kernel.h"

namespace ulpfft::genfft {

// body_facts.h, body_facts.cc
std::vector<GeneratedFile> emit_body_facts(const std::vector<Kernel>& kernels);

// formats.h: every format as a type, and lists of them; formats.cc: the same facts as arrays
std::vector<GeneratedFile> emit_formats(const FormatSet& set);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_FACTS_H_

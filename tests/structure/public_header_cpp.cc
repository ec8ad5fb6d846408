// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Compiles when ulpfft.hpp needs no other header before it. The second file links against it: everything in it is inline.
#include "ulpfft/ulpfft.hpp"

#include "ulpfft/stream.hpp"

int other_translation_unit();
int other_translation_unit() { return ulpfft::version().empty() ? 1 : 0; }

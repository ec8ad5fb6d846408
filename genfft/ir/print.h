// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bodies and tables of counts as text for people.
#ifndef ULPFFT_GENFFT_IR_PRINT_H_
#define ULPFFT_GENFFT_IR_PRINT_H_

#include <string>
#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

// One statement a line, as scheduled; constants in decimal.
std::string print_kernel(const Kernel& kernel);

// The golden table: counts before and after fusing, live values. One body a line.
std::string print_stats(const std::vector<Kernel>& kernels);

// "scale'(3)/scale(1)*sqrt(1/2)"; a prime marks the scale of the real component.
std::string print_term(const TableTerm& term);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_IR_PRINT_H_

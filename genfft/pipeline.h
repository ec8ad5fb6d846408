// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From the list of bodies to scheduled kernels: the passes, in order.
#ifndef ULPFFT_GENFFT_PIPELINE_H_
#define ULPFFT_GENFFT_PIPELINE_H_

#include <memory>
#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

// Throws WrongBody where a body does not compute its transform.
Kernel make_kernel(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants);

// Of every body of body_list(), over one pool of constants.
std::vector<Kernel> make_all_kernels();

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PIPELINE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The other half of a spectrum of real numbers: X[-k] = conj X[k] along all transformed axes.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_HERMITIAN_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_HERMITIAN_H_

#include <cstdint>
#include <span>

namespace ulpfft_python {

enum class AxisRole : std::uint8_t { kBatch, kMirrored, kHalved };

// Computes what symmetry leaves out of a dense row-major array, which has the indices 0..n/2 of its one halved axis.
template <typename Real>
void fill_other_half(Real* spectrum, std::span<const std::int64_t> shape, std::span<const AxisRole> roles);

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_HERMITIAN_H_

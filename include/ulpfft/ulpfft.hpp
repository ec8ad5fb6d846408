// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft: fast Fourier transforms whose plan includes the number format. C++20 interface, header-only over ulpfft.h.
//
//   ulpfft::Context context;
//   ulpfft::Plan plan = context.plan({.lengths = {256, 256}, .batch = 8, .direction = ulpfft::Direction::kInverse});
//   plan.execute(in, out);                  // std::vector<std::complex<float>>, or any contiguous range
//
// Transform   X[k] = sum_j x[j] exp(-2 pi i j k / n), forward; inverse has exp(+2 pi i j k / n). A plan never scales unless
//             its problem says so (Problem::scale); one-call forms (fft, ifft, fft2, fftn, ...) follow NumPy: inverses divide by n.
// Arrays      row-major, the last length varies fastest; batch dimensions lie outside (before) the lengths. Interleaved
//             arrays are std::complex<float|double>; split arrays are two arrays of float|double; NarrowArray holds others.
// Units       lengths and strides count complex elements (interleaved) or real elements (split); `_bytes` are bytes.
// Errors      every failure throws ulpfft::Error, which names the argument or field at fault; Context::try_plan returns it.
// Threads     functions may be called from any thread; an object must not be moved or destroyed while another thread uses
//             it. A plan is immutable: any number of threads may execute it at once.
// Lifetime    contexts and plans are move-only owners; a plan outlives the context that made it.
#ifndef ULPFFT_ULPFFT_HPP_
#define ULPFFT_ULPFFT_HPP_

// Everything lives in ulpfft::v0, an inline namespace: programs built against different versions of these headers can be linked.
#include "ulpfft/cpp/array_files.hpp"
#include "ulpfft/cpp/capabilities.hpp"
#include "ulpfft/cpp/context.hpp"
#include "ulpfft/cpp/cosine_call.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/one_call.hpp"
#include "ulpfft/cpp/pareto.hpp"
#include "ulpfft/cpp/plan.hpp"
#include "ulpfft/cpp/problem.hpp"
#include "ulpfft/cpp/real_call.hpp"
#include "ulpfft/cpp/storage.hpp"

#endif  // ULPFFT_ULPFFT_HPP_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of mx schemes, block by block through the slow codec.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/contract/mx_pass.h"

namespace ulpfft {

void mx_multiply_slowly(const MxPass& pass, const float* v, const float* twiddles, const std::int32_t* exponents, std::int64_t count, float* out) {
  const std::int64_t length = pass.scheme.storage.length;
  for (std::int64_t begin = 0; begin < 2 * count; begin += length) {
    const std::int64_t reals = std::min(length, 2 * count - begin);
    const MxBlockProduct product = mx_multiply(pass.scheme, v + begin, twiddles + begin, exponents[begin / length], reals);
    for (std::int64_t i = 0; i < reals; ++i) out[begin + i] = mx_value(product, i);
  }
}

namespace ref {
namespace {

// Radix 2: u + w v and u - w v. Other radices: the rows 1 .. radix - 1 times their twiddles, and row 0 as it is.
template <bool kButterflies>
void mx_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const MxPass& pass = context_of<MxPass>(args);
  const MxSource source = mx_source(args, buffers, pass);
  float* const data = resolve<float>(args.out, buffers).re;
  float u[2 * kMxUnit], v[2 * kMxUnit];
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    for_each_row(pass, unit, [&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) {
      mx_load_row(pass, source, b, q, butterflies, v);
      const std::int64_t entry = mx_twiddle(pass, unit * kMxUnit + at);
      mx_multiply_slowly(pass, v, pass.twiddles + 2 * entry, pass.exponents + 2 * entry / pass.parameters.length, butterflies, v);
      if constexpr (kButterflies) {
        mx_load_row(pass, source, b, 0, butterflies, u);
        for (std::int64_t i = 0; i < 2 * butterflies; ++i) {
          const float sum = u[i] + v[i];
          v[i] = u[i] - v[i];
          u[i] = sum;
        }
        mx_store_row(pass, u, b, 0, butterflies, data);
      }
      mx_store_row(pass, v, b, q, butterflies, data);
    });
  }
  if (kButterflies || source.in_place) return;
  for_row_0(pass, first, count, [&](std::int64_t b, std::int64_t butterflies) {
    mx_load_row(pass, source, b, 0, butterflies, u);
    mx_store_row(pass, u, b, 0, butterflies, data);
  });
}

}  // namespace

void collect_mx(CodeletSink& sink) {
  sink.mx_butterfly = &mx_pass<true>;
  sink.mx_multiply = &mx_pass<false>;
}

}  // namespace ref
}  // namespace ulpfft

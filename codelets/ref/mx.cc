// The passes of mx schemes, block by block through the slow codec.
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/contract/mx_pass.h"

namespace ulpfft::ref {
namespace {

// Radix 2: u + w v and u - w v in place. Other radices: the rows 1 .. radix - 1 times their twiddles, in place.
template <bool kButterflies>
void mx_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const MxPass& pass = *static_cast<const MxPass*>(args.table);
  float* const data = resolve<float>(args.in, buffers).re;
  float u[2 * kMxUnit], v[2 * kMxUnit];
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    for_each_row(pass, unit, [&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) {
      mx_move_row<false>(pass, data, b, q, butterflies, v);
      const std::int64_t entry = mx_twiddle(pass, unit * kMxUnit + at);
      mx_multiply_slowly(pass, v, pass.twiddles + 2 * entry, pass.exponents + 2 * entry / pass.parameters.length, butterflies, v);
      if constexpr (kButterflies) {
        mx_move_row<false>(pass, data, b, 0, butterflies, u);
        for (std::int64_t i = 0; i < 2 * butterflies; ++i) {
          const float sum = u[i] + v[i];
          v[i] = u[i] - v[i];
          u[i] = sum;
        }
        mx_move_row<true>(pass, data, b, 0, butterflies, u);
      }
      mx_move_row<true>(pass, data, b, q, butterflies, v);
    });
  }
}

}  // namespace

void collect_mx(CodeletSink& sink) {
  sink.mx_butterfly = &mx_pass<true>;
  sink.mx_multiply = &mx_pass<false>;
}

}  // namespace ulpfft::ref

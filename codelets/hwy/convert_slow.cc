// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/hwy/convert_slow.h"

namespace ulpfft::conversion {
namespace {

Groups code_place(const ConversionArgs& args) {
  const bool adjacent = args.storage->scale != nullptr || is_packed(*args.storage->element);
  return {adjacent ? 0 : args.group, args.code_group_stride};
}

}  // namespace

template <typename T>
void decode_slowly(const ConversionArgs& args) {
  for (std::int64_t r = 0; r < args.rows; ++r) {
    decode_row(*args.storage, static_cast<const std::uint8_t*>(args.codes) + r * args.code_row_bytes, code_place(args),
               static_cast<const std::uint8_t*>(args.scales) + r * args.scale_row_bytes, args.count,
               static_cast<T*>(args.reals) + r * args.real_row_stride, {args.group, args.real_group_stride});
  }
}

template <typename T>
std::int64_t encode_slowly(const ConversionArgs& args) {
  std::int64_t saturated = 0;
  for (std::int64_t r = 0; r < args.rows; ++r) {
    const std::uint64_t number = static_cast<std::uint64_t>(r) * args.index_row_stride;
    saturated += encode_row(*args.storage, static_cast<const T*>(args.reals) + r * args.real_row_stride, {args.group, args.real_group_stride},
                            args.count, static_cast<std::uint8_t*>(args.codes) + r * args.code_row_bytes, code_place(args),
                            static_cast<std::uint8_t*>(args.scales) + r * args.scale_row_bytes, args.rounding,
                            {args.random == nullptr ? nullptr : args.random + number, args.seed, args.index + number});
  }
  return saturated;
}

template void decode_slowly<float>(const ConversionArgs&);
template void decode_slowly<double>(const ConversionArgs&);
template std::int64_t encode_slowly<float>(const ConversionArgs&);
template std::int64_t encode_slowly<double>(const ConversionArgs&);

}  // namespace ulpfft::conversion

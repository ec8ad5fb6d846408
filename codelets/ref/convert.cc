// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of the conversions: the slow codec, for every format of the build.
#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/conversion.h"
#include "formats.h"

namespace ulpfft::ref {
namespace {

Groups real_place(const ConversionArgs& args) { return {args.group, args.real_group_stride}; }
Groups code_place(const ConversionArgs& args) {
  const bool adjacent = args.storage->scale != nullptr || is_packed(*args.storage->element);
  return {adjacent ? 0 : args.group, args.code_group_stride};
}

template <typename T>
void decode_rows(const ConversionArgs& args) {
  for (std::int64_t r = 0; r < args.rows; ++r) {
    decode_row(*args.storage, static_cast<const std::uint8_t*>(args.codes) + r * args.code_row_bytes, code_place(args),
               static_cast<const std::uint8_t*>(args.scales) + r * args.scale_row_bytes, args.count,
               static_cast<T*>(args.reals) + r * args.real_row_stride, real_place(args));
  }
}

template <typename T>
std::int64_t encode_rows(const ConversionArgs& args) {
  std::int64_t saturated = 0;
  for (std::int64_t r = 0; r < args.rows; ++r) {
    const std::uint64_t number = static_cast<std::uint64_t>(r) * args.index_row_stride;
    const RandomSource random{args.random == nullptr ? nullptr : args.random + number, args.seed, args.index + number};
    saturated += encode_row(*args.storage, static_cast<const T*>(args.reals) + r * args.real_row_stride, real_place(args), args.count,
                            static_cast<std::uint8_t*>(args.codes) + r * args.code_row_bytes, code_place(args),
                            static_cast<std::uint8_t*>(args.scales) + r * args.scale_row_bytes, args.rounding, random);
  }
  return saturated;
}

}  // namespace

void collect_conversions(CodeletSink& sink) {
  const auto add = [&](const char* format) {
    sink.add_conversion(format, false, &decode_rows<float>, &encode_rows<float>);
    sink.add_conversion(format, true, &decode_rows<double>, &encode_rows<double>);
  };
  for (const FormatInfo& format : formats()) {
    if (format.kind != FormatKind::kWide) add(format.name);
  }
  for (const BlockInfo& block : block_formats()) add(block.name);
}

}  // namespace ulpfft::ref

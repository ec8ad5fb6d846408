// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of every element and block format, once per instruction set.
//
// What a format is, is a constant; loops that have it as one are compiled where that is faster (spans), everything else is shared.
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/conversion.h"
#include "codelets/hwy/convert_facts.h"
#include "formats.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/convert.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/convert_formats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {

#if ULPFFT_HWY_SIMD

template <typename S, typename F>
void add_element(CodeletSink& sink) {
  constexpr conversion::Lanes kLanes = conversion::lanes_for<S>(F::kInfo, nullptr);
  sink.add_conversion(F::kInfo.name, sizeof(S) == 8, &decode_with<kLanes, S, F, NoScale>, &encode_with<kLanes, S, F, NoScale>);
}
template <typename S, typename F>
void add_block(CodeletSink& sink) {
  using Element = typename F::Element;
  using Scale = typename F::Scale;
  constexpr conversion::Lanes kLanes = conversion::lanes_for<S>(Element::kInfo, &Scale::kInfo);
  sink.add_conversion(F::kInfo.name, sizeof(S) == 8, &decode_with<kLanes, S, Element, Scale>, &encode_with<kLanes, S, Element, Scale>);
}

void collect_conversions(CodeletSink& sink) {
#define ULPFFT_ADD_ELEMENT(format) add_element<float, format>(sink); add_element<double, format>(sink);
  ULPFFT_ELEMENT_FORMATS(ULPFFT_ADD_ELEMENT)
#undef ULPFFT_ADD_ELEMENT
#define ULPFFT_ADD_BLOCK(format) add_block<float, format>(sink); add_block<double, format>(sink);
  ULPFFT_BLOCK_FORMATS(ULPFFT_ADD_BLOCK)
#undef ULPFFT_ADD_BLOCK
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_conversions(std::int64_t target, CodeletSink& sink);
void collect_hwy_conversions(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_conversions(sink)) }

}  // namespace ulpfft
#endif

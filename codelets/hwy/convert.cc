// Conversions of every element and block format, once per instruction set.
//
// What a format is, is a constant; loops that have it as one are compiled where that is faster (spans), everything else is shared.
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/conversion.h"
#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/convert_slow.h"
#include "formats.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/convert.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/convert_rows-inl.h"

#ifndef ULPFFT_CODELETS_HWY_CONVERT_ONCE_
#define ULPFFT_CODELETS_HWY_CONVERT_ONCE_
namespace ulpfft::conversion {

// Shared by all targets.
template <typename F, typename T>
inline constexpr ElementFacts<T> kElementFacts = element_facts<T>(F::kInfo);
template <typename F>
using CodeOf = std::conditional_t<(F::kInfo.bits > 8), std::uint16_t, std::uint8_t>;

}  // namespace ulpfft::conversion
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {

#if ULPFFT_HWY_SIMD

// The loops of one format.
template <bool kScaled, typename F, typename C>
HWY_NOINLINE void decode_format(const conversion::ElementFacts<float>&, const Factors<float>& factors, const C* codes, float* reals,
                                std::int64_t count) {
  decode_span_of<kScaled>(conversion::kElementFacts<F, float>, factors, codes, reals, count);
}
template <bool kScaled, typename F, typename C>
HWY_NOINLINE std::int64_t encode_format(const conversion::ElementFacts<float>&, const Factors<float>& factors, const float* reals, C* codes,
                                        std::int64_t count, bool saturates) {
  if (!saturates) return encode_span<kScaled>(conversion::kElementFacts<F, float>, factors, reals, codes, count, false);
  return encode_span_of<false, kScaled>(conversion::kElementFacts<F, float>, factors, reals, nullptr, codes, count, true);
}

// L: lanes; kScaled: blocks; S: reals; F: element.
template <conversion::Lanes L, bool kScaled, typename S, typename F>
void decode_with(const ConversionArgs& args) {
  using C = conversion::CodeOf<F>;
  using conversion::kElementFacts;
  if constexpr (L == conversion::Lanes::kF32) decode_rows<S, float, C>(args, kElementFacts<F, float>, &decode_format<kScaled, F, C>);
  if constexpr (L == conversion::Lanes::kF64) decode_rows<S, double, C>(args, kElementFacts<F, double>, &decode_span<kScaled, double, C>);
  if constexpr (L == conversion::Lanes::kNone) conversion::decode_slowly<S>(args);
}
template <conversion::Lanes L, bool kScaled, typename S, typename F>
std::int64_t encode_with(const ConversionArgs& args) {
  using C = conversion::CodeOf<F>;
  using conversion::kElementFacts;
  if constexpr (L == conversion::Lanes::kF32) return encode_rows<S, float, C>(args, kElementFacts<F, float>, &encode_format<kScaled, F, C>);
  if constexpr (L == conversion::Lanes::kF64) return encode_rows<S, double, C>(args, kElementFacts<F, double>, &encode_span<kScaled, double, C>);
  if constexpr (L == conversion::Lanes::kNone) return conversion::encode_slowly<S>(args);
}

template <typename S, typename F>
void add_element(CodeletSink& sink) {
  constexpr conversion::Lanes kLanes = conversion::lanes_for<S>(F::kInfo, nullptr);
  sink.add_conversion(F::kInfo.name, sizeof(S) == 8, &decode_with<kLanes, false, S, F>, &encode_with<kLanes, false, S, F>);
}
template <typename S, typename F>
void add_block(CodeletSink& sink) {
  constexpr conversion::Lanes kLanes = conversion::lanes_for<S>(F::Element::kInfo, &F::Scale::kInfo);
  using Element = typename F::Element;
  sink.add_conversion(F::kInfo.name, sizeof(S) == 8, &decode_with<kLanes, true, S, Element>, &encode_with<kLanes, true, S, Element>);
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

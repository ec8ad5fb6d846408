// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Vector widths and FMA of every compiled target, and whether it runs here.
#include "codelets/hwy/target_facts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/target_facts.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"
#include "codelets/hwy/processor.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {

void describe_target(TargetFacts& facts) {
  namespace hn = hwy::HWY_NAMESPACE;
  facts.lanes_f32 = static_cast<int>(hn::MaxLanes(hn::ScalableTag<float>()));
  facts.lanes_f64 = static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  facts.has_fma = ULPFFT_HWY_FMA != 0;
#if HWY_ARCH_X86 && defined(HWY_TARGET_STR)
  static_assert(all_of_list(HWY_TARGET_STR, is_x86_extension), "Highway asks for an extension that is not in ULPFFT_X86_EXTENSIONS");
  facts.extensions = HWY_TARGET_STR;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

// Highway's NEON asks for AES, which no codelet uses and a Raspberry Pi lacks; the vectors themselves are part of AArch64.
static bool runs_here(const TargetFacts& facts) {
  if (facts.bit == HWY_NEON) return HWY_ARCH_ARM_A64 != 0;
  if (facts.bit == HWY_SVE_256) return has_sve(32);
  return all_of_list(facts.extensions, has_x86_extension);
}

std::vector<TargetFacts> hwy_targets() {
  struct Name {
    std::int64_t bit;
    const char* name;
  };
  // NEON before SVE: a Neoverse V1 has four pipes of the one or two of the other, and transposes in SVE go through memory.
  constexpr Name kNames[] = {{HWY_AVX3, "avx3"}, {HWY_AVX2, "avx2"}, {HWY_SSE4, "sse4"}, {HWY_NEON, "neon"}, {HWY_SVE_256, "sve_256"}};
  std::vector<TargetFacts> targets;
  for (const Name& name : kNames) {
    if ((HWY_TARGETS & name.bit) == 0) continue;
    TargetFacts facts;
    facts.bit = name.bit;
    facts.name = name.name;
    ULPFFT_HWY_SWITCH(name.bit, describe_target(facts))
    facts.supported = runs_here(facts);
    targets.push_back(facts);
  }
  return targets;
}

}  // namespace ulpfft
#endif

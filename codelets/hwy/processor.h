// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What this processor executes under this operating system.
//
// Highway has a function for that in a library whose static initialiser measures the resolution of the timer, which takes 3 ms in every
// process that loads it. So this library takes Highway's headers alone and asks the compiler's run time.
#ifndef ULPFFT_CODELETS_HWY_PROCESSOR_H_
#define ULPFFT_CODELETS_HWY_PROCESSOR_H_

#include <string_view>

namespace ulpfft {

// Extensions of x86 that Highway's targets consist of, as target attributes spell them, and what the processor is asked for. "evex512" is a
// word of some compilers for the full vectors of AVX-512.
#define ULPFFT_X86_EXTENSIONS(ROW)                                                                                               \
  ROW("sse2", "sse2") ROW("ssse3", "ssse3") ROW("sse4.1", "sse4.1") ROW("sse4.2", "sse4.2") ROW("pclmul", "pclmul")              \
  ROW("aes", "aes") ROW("avx", "avx") ROW("avx2", "avx2") ROW("bmi", "bmi") ROW("bmi2", "bmi2") ROW("fma", "fma")                \
  ROW("f16c", "f16c") ROW("avx512f", "avx512f") ROW("avx512cd", "avx512cd") ROW("avx512vl", "avx512vl")                          \
  ROW("avx512dq", "avx512dq") ROW("avx512bw", "avx512bw") ROW("evex512", "avx512f")

constexpr bool is_x86_extension(std::string_view name) {
#define ULPFFT_COMPARE(extension, asked) \
  if (name == extension) return true;
  ULPFFT_X86_EXTENSIONS(ULPFFT_COMPARE)
#undef ULPFFT_COMPARE
  return false;
}

// Whether `has` holds for every name of a list with commas, such as "sse4.2,avx2".
template <typename Has>
constexpr bool all_of_list(std::string_view list, Has has) {
  while (true) {
    const std::string_view name = list.substr(0, list.find(','));
    if (!has(name)) return false;
    if (name.size() == list.size()) return true;
    list.remove_prefix(name.size() + 1);
  }
}

// False where the processor is no x86, and for names that are not in the table.
bool has_x86_extension(std::string_view name);

// Whether there is SVE with vectors of `bytes` bytes.
bool has_sve(int bytes);

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_HWY_PROCESSOR_H_

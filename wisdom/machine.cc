// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/machine.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <fstream>
#endif

namespace ulpfft {
namespace {

#if defined(__x86_64__) || defined(__i386__)

std::string processor() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return "x86.0.0";
  // The extended fields count for family 15, the extended model also for family 6 (Intel SDM and AMD APM, CPUID function 1).
  unsigned family = (eax >> 8) & 15;
  unsigned model = (eax >> 4) & 15;
  if (family == 6 || family == 15) model += ((eax >> 16) & 15) << 4;
  if (family == 15) family += (eax >> 20) & 255;
  return "x86." + std::to_string(family) + "." + std::to_string(model);
}

#elif defined(__aarch64__)

// The digits of "CPU part\t: 0xd0c" without 0x, from the first processor listed; "0" when there is none.
std::string cpuinfo_hex(std::string_view name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t digits = line.find("0x");
    if (line.compare(0, name.size(), name) != 0 || digits == std::string::npos) continue;
    const std::size_t end = line.find_first_not_of("0123456789abcdef", digits + 2);
    const std::string hex = line.substr(digits + 2, end == std::string::npos ? end : end - digits - 2);
    if (!hex.empty() && hex.size() <= 8) return hex;
  }
  return "0";
}

std::string processor() { return "arm64." + cpuinfo_hex("CPU implementer") + "." + cpuinfo_hex("CPU part"); }

#else

std::string processor() { return "other.0.0"; }

#endif

}  // namespace

std::string machine_slug(std::string_view backend_target) {
  std::string slug = processor() + ".";
  for (const char c : backend_target.substr(0, 32)) {
    if (c >= 'A' && c <= 'Z') {
      slug += static_cast<char>(c - 'A' + 'a');
    } else {
      slug += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
    }
  }
  return slug;
}

std::string shown_target(std::string_view target) { return std::string(target) + (target == "avx3" ? " (AVX-512)" : ""); }

}  // namespace ulpfft

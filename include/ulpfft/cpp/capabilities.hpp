// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What this build and this machine have: version, targets, codelets, formats, schemes.
#ifndef ULPFFT_CPP_CAPABILITIES_HPP_
#define ULPFFT_CPP_CAPABILITIES_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

namespace detail {

// All entries of one of the library's lists: a C struct whose `size` is set, filled by index.
template <typename Entry, typename Get>
std::vector<Entry> list(std::size_t count, const Get& get) {
  std::vector<Entry> entries(count);
  for (std::size_t i = 0; i < count; ++i) {
    entries[i].size = sizeof(Entry);
    check(get(i, &entries[i]));
  }
  return entries;
}

}  // namespace detail

inline std::string version() { return ulpfft_version(); }

// Every instruction set this build has code for; see ulpfft.h for the members. Texts are static.
inline std::vector<ulpfft_target> targets() { return detail::list<ulpfft_target>(ulpfft_target_count(), ulpfft_target_get); }

// The codelets of one target, by its index in targets().
inline std::vector<ulpfft_codelet> codelets(std::size_t target_index) {
  ulpfft_target target{};
  target.size = sizeof target;
  detail::check(ulpfft_target_get(target_index, &target));
  return detail::list<ulpfft_codelet>(
      target.codelets, [&](std::size_t i, ulpfft_codelet* entry) { return ulpfft_codelet_get(target_index, i, entry); });
}

inline std::vector<ulpfft_format> formats() { return detail::list<ulpfft_format>(ulpfft_format_count(), ulpfft_format_get); }

// Every arithmetic a problem may name.
inline std::vector<ulpfft_scheme> schemes() { return detail::list<ulpfft_scheme>(ulpfft_scheme_count(), ulpfft_scheme_get); }

// Lines about a backend whose plans need a device ("cuda"): driver, devices, kernels, or why there are none.
inline std::string describe_backend(const std::string& backend) { return detail::take(ulpfft_backend_describe(backend.c_str())); }

// The value of a code of the format with this index in formats(); not of block formats.
inline double format_value(std::size_t index, std::uint64_t code) {
  double value = 0;
  detail::check(ulpfft_format_value(index, code, &value));
  return value;
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_CAPABILITIES_HPP_

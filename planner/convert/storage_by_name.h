// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storage as problems and recipes spell it. A side of a problem (side.h) has looked it up already.
#ifndef ULPFFT_PLANNER_CONVERT_STORAGE_BY_NAME_H_
#define ULPFFT_PLANNER_CONVERT_STORAGE_BY_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "codelets/contract/codelet.h"
#include "codelets/contract/storage.h"
#include "planner/convert/codec.h"

namespace ulpfft {

// Takes a name as a problem spells it; throws PlanError naming what exists. "dd" (double-double) is known inside the planner only.
Storage find_storage_of(const std::string& name, const char* field);

// The conversions of `table`, else those of the reference; none: null. `name`: the storage as a problem spells it.
Codec find_codec(const CodeletTable& table, const Storage& storage, std::string_view name, bool is_f64);

// Bytes of a real of a wide storage format; "dd" (double-double) is one inside the planner only.
std::size_t storage_real_bytes(const std::string& storage);

// Bits of a real, scales included.
double storage_bits(const Storage& storage);
double storage_bits(const std::string& name);
// f32, f64, dd: passes read and write it.
bool is_wide(const std::string& name);
// "There is no format 'x'. Did you mean 'y'? This build has ..."
std::string no_format(std::string_view name);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STORAGE_BY_NAME_H_

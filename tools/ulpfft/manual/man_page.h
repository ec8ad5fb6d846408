// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A manual page of section 1, in the macros of man(7).
#ifndef ULPFFT_TOOLS_ULPFFT_MANUAL_MAN_PAGE_H_
#define ULPFFT_TOOLS_ULPFFT_MANUAL_MAN_PAGE_H_

#include <string>

#include "tools/ulpfft/manual/description.h"

namespace ulpfft_tool {

// The page of `command`, one of `program` or that itself. Commands within it are listed, and have pages of their own if `has_pages`;
// otherwise their arguments are described here. `version` stands below every page; no date does, so that equal sources give equal pages.
std::string man_page(const Command& command, const Command& program, const std::string& version, bool has_pages);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MANUAL_MAN_PAGE_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The wisdom files that are read and written when nobody names one.
//
// user     $ULPFFT_WISDOM, else $XDG_CACHE_HOME/ulpfft/wisdom.json (absolute paths only, as its specification demands), else
//          $HOME/.cache/ulpfft/wisdom.json. An empty variable counts as not set; a set-user-id program reads none of them.
// system   /etc/ulpfft/wisdom.json
#ifndef ULPFFT_WISDOM_DEFAULT_FILES_H_
#define ULPFFT_WISDOM_DEFAULT_FILES_H_

#include <string>
#include <vector>

#include "wisdom/entry.h"
#include "wisdom/store.h"

namespace ulpfft {

// Empty without any of the variables.
std::string user_wisdom_path();
const char* system_wisdom_path();

// Imports files in this order, all or nothing; the report is the sum. Passed over: an empty path, a file that does not exist, an
// empty file. Throws PlanError as import_wisdom_file(), and (ULPFFT_IO, "path") for a file that anybody may write to or that belongs
// to another user than this process's or root: a system-wide place must not let one user slow down another.
ImportReport import_default_wisdom(Store& store, const std::vector<std::string>& paths, const ImportPolicy& policy);

// save_wisdom_file() after making the folders that are missing, which only their owner can enter (0700).
ImportReport save_default_wisdom(const Store& store, const std::string& path, const ImportPolicy& policy);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_DEFAULT_FILES_H_

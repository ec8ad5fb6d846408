// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom files.
//
// Reading is bounded. Saving merges with what the file holds and replaces it in one step, so that at any time, also after a
// crash, the file is complete: the old one or the new one. Writers of one file take turns by a lock on a file beside it. Errors
// are PlanError with field "path" and status ULPFFT_IO, except for a text that is not wisdom (ULPFFT_INVALID_TEXT, "wisdom").
#ifndef ULPFFT_WISDOM_FILE_H_
#define ULPFFT_WISDOM_FILE_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "wisdom/entry.h"
#include "wisdom/store.h"

namespace ulpfft {

// decode_wisdom() and Store::import(): all or nothing.
ImportReport import_wisdom(Store& store, std::string_view text, const ImportPolicy& policy);
ImportReport import_wisdom_file(Store& store, const std::string& path, const ImportPolicy& policy);

// The bytes of a file that nobody else can have written: it belongs to the user of this process or to root, and not everybody may
// write to it; others are refused. nullopt where there is no such file.
std::optional<std::string> read_trusted_wisdom_file(const std::string& path);

std::string export_wisdom(const Store& store);

// The file afterwards: what it held and this store would accept (stale and malformed entries go), and this store's entries, which
// count as the later ones. A file that exists but is not wisdom is left alone and named in the error, and no lock file appears beside it;
// an empty one is replaced. Returns what became of the entries the file held. A symbolic link is followed; permissions are kept; a new
// file gets 0644 & ~umask. A file that would exceed the process's limit on file sizes is an error; SIGXFSZ is not delivered.
ImportReport save_wisdom_file(const Store& store, const std::string& path, const ImportPolicy& policy,
                              std::chrono::milliseconds lock_timeout = std::chrono::seconds(10));

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_FILE_H_

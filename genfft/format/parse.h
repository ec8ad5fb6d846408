// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Reads format descriptors, strictly: nothing unknown, nothing of the wrong type, nothing out of range, nothing that
// contradicts itself. A refusal names the file and the JSON pointer of the value at fault.
#ifndef ULPFFT_GENFFT_FORMAT_PARSE_H_
#define ULPFFT_GENFFT_FORMAT_PARSE_H_

#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "genfft/format/format_spec.h"

namespace ulpfft::genfft {

struct DescriptorError : std::runtime_error {
  DescriptorError(const std::string& file, std::string pointer_, const std::string& message)
      : std::runtime_error(file + ": " + (pointer_.empty() ? "/" : pointer_) + ": " + message), pointer(std::move(pointer_)) {}
  std::string pointer;  // "/expect/largest"; empty for the document itself
};

using Descriptor = std::variant<FormatSpec, BlockSpec>;

// `file` is only named in errors.
Descriptor parse_descriptor(const std::string& file, std::string_view text);
Descriptor read_descriptor(const std::string& path);

// Adds a descriptor; its name must be new.
void add(FormatSet& set, const std::string& file, Descriptor descriptor);
// Finds what the block formats refer to, and checks that it suits them.
void resolve(FormatSet& set);

// All of these files, resolved; wide formats first.
FormatSet read_formats(const std::vector<std::string>& paths);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_FORMAT_PARSE_H_

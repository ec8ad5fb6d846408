// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What comes through a pipe: the standard input, a FIFO, a device.
#ifndef ULPFFT_TOOLS_ULPFFT_INPUT_STREAM_H_
#define ULPFFT_TOOLS_ULPFFT_INPUT_STREAM_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ulpfft_tool {

// Whether the file has no size to ask for, so that it must be read to its end: "-", which is the standard input, and whatever is neither a
// regular file nor a folder.
bool is_stream(const std::string& path);

// All that comes until the stream ends. Throws Failure.
std::vector<std::byte> read_stream(const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_INPUT_STREAM_H_

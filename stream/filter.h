// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kind ULPFFT_STREAM_FILTER.
#ifndef ULPFFT_STREAM_FILTER_H_
#define ULPFFT_STREAM_FILTER_H_

#include <memory>

#include "stream/stream.h"

namespace ulpfft {

std::unique_ptr<ulpfft_stream> make_filter(const StreamRequest& request);
// Facts of the filter that make_filter() would make; `size` is left to the caller.
ulpfft_stream_facts predict_filter(const StreamRequest& request);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_FILTER_H_

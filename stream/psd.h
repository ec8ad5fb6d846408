// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kind ULPFFT_STREAM_PSD.
#ifndef ULPFFT_STREAM_PSD_H_
#define ULPFFT_STREAM_PSD_H_

#include <memory>

#include "stream/stream.h"

namespace ulpfft {

std::unique_ptr<ulpfft_stream> make_psd(const StreamRequest& request);
// Facts of the stream that make_psd() would make; `size` is left to the caller.
ulpfft_stream_facts predict_psd(const StreamRequest& request);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_PSD_H_

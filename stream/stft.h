// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kind ULPFFT_STREAM_STFT.
#ifndef ULPFFT_STREAM_STFT_H_
#define ULPFFT_STREAM_STFT_H_

#include <memory>

#include "stream/stream.h"

namespace ulpfft {

// A stream whose rows are also read where they wait.
class RowStream : public ulpfft_stream {
 public:
  // Null where none waits; it stays until it is dropped.
  virtual const void* oldest() = 0;
  virtual void drop_oldest() = 0;
};

std::unique_ptr<RowStream> make_rows(const StreamRequest& request);
std::unique_ptr<ulpfft_stream> make_stft(const StreamRequest& request);
// Facts of the stream that make_stft() would make; `size` is left to the caller.
ulpfft_stream_facts predict_stft(const StreamRequest& request);

// Throws PlanError for options of rows that are not possible.
void check_stft(const StreamRequest& request);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_STFT_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The error value of every layer: a code for programs, a sentence for people.
//
// Thrown inside the library, turned into ulpfft_status and the thread's last error at the C boundary.
#ifndef ULPFFT_WISDOM_ERROR_H_
#define ULPFFT_WISDOM_ERROR_H_

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "ulpfft/ulpfft.h"

namespace ulpfft {

class PlanError : public std::exception {
 public:
  PlanError(ulpfft_status code, std::string at_fault, std::string sentence, std::size_t begin = 0, std::size_t end = 0)
      : status(code), field(std::move(at_fault)), message(std::move(sentence)), text_begin(begin), text_end(end) {}
  const char* what() const noexcept override { return message.c_str(); }

  ulpfft_status status;
  std::string field;        // the part of the request at fault, e.g. "lengths[1]"
  std::string message;      // complete sentence, no trailing newline
  std::size_t text_begin;   // byte range of the word at fault, when the request was a text
  std::size_t text_end;
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_ERROR_H_

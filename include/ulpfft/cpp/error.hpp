// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The failure of any call, and a value that may be one.
#ifndef ULPFFT_CPP_ERROR_HPP_
#define ULPFFT_CPP_ERROR_HPP_

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

enum class Status : int {
  kInvalidArgument = ULPFFT_INVALID_ARGUMENT,  // null, zero, out of range, overlapping: see field()
  kInvalidText = ULPFFT_INVALID_TEXT,          // a text that does not parse: see text_begin()
  kUnknownName = ULPFFT_UNKNOWN_NAME,          // a format, scheme, backend or target this build does not have
  kUnsupported = ULPFFT_UNSUPPORTED,           // a request this version has no strategy for
  kNoMemory = ULPFFT_NO_MEMORY,
  kIo = ULPFFT_IO,                             // a file could not be read or written; the old file is intact
  kUnavailable = ULPFFT_UNAVAILABLE,           // a device or instruction set that is not here
  kCancelled = ULPFFT_CANCELLED,               // the progress callback asked to stop
  kInternal = ULPFFT_INTERNAL,                 // a bug in ulpfft; the message says where
};

// A code for programs and a sentence for people. Visible across shared libraries, so that it can be caught there.
class ULPFFT_API Error : public std::runtime_error {
 public:
  Error(Status code, std::string at, const std::string& sentence, std::size_t begin = 0, std::size_t end = 0)
      : std::runtime_error(sentence), status_(code), field_(std::move(at)), text_begin_(begin), text_end_(end) {}

  Status status() const noexcept { return status_; }
  // The part of the request at fault, e.g. "lengths[1]" or "out"; empty if none.
  const std::string& field() const noexcept { return field_; }
  // A complete sentence; the same as what().
  std::string message() const { return what(); }
  // Byte range of the word at fault in a problem, recipe or wisdom text; begin == end when there is none.
  std::size_t text_begin() const noexcept { return text_begin_; }
  std::size_t text_end() const noexcept { return text_end_; }

 private:
  Status status_;
  std::string field_;
  std::size_t text_begin_;
  std::size_t text_end_;
};

// A value or the error that prevented it.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T result) : state_(std::move(result)) {}
  Result(Error failure) : state_(std::move(failure)) {}

  bool has_value() const noexcept { return std::holds_alternative<T>(state_); }
  explicit operator bool() const noexcept { return has_value(); }
  // Throws the error if there is no value.
  T& value() & { check(); return *std::get_if<T>(&state_); }
  const T& value() const& { check(); return *std::get_if<T>(&state_); }
  T&& value() && { check(); return std::move(*std::get_if<T>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // Only when has_value() is false; throws std::bad_variant_access otherwise.
  const Error& error() const { return std::get<Error>(state_); }

 private:
  void check() const {
    if (!has_value()) throw std::get<Error>(state_);
  }
  std::variant<T, Error> state_;
};

namespace detail {

[[noreturn]] inline void throw_last_error(ulpfft_status status) {
  ulpfft_error last{};
  last.size = sizeof last;
  ulpfft_last_error_get(&last);
  throw Error(static_cast<Status>(status == ULPFFT_OK ? last.status : status), last.field ? last.field : "",
              last.message ? last.message : "", last.text_begin, last.text_end);
}

inline void check(ulpfft_status status) {
  if (status != ULPFFT_OK) throw_last_error(status);
}

// Takes over a text of the C interface.
inline std::string take(char* text) {
  if (text == nullptr) throw_last_error(ULPFFT_OK);
  const std::unique_ptr<char, decltype(&ulpfft_string_free)> owner(text, &ulpfft_string_free);
  return text;
}

}  // namespace detail

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_ERROR_HPP_

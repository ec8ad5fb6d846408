// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Work in a process of its own, which may die of a damaged file without taking this one along. libhdf5 1.10 divides by zero on chunks without dimensions;
// it ended by a signal on 2 of 6000 files of which one byte of the head was changed.
//
// Shapes   numbers and texts go through a socket, in the order in which they were put; the helper answers in the order in which it was asked.
// Errors   what the helper throws is thrown here, as Failure, and so is its death, naming the file.
// Limits   kMostSeconds of processor time for an answer: a loop without end, in a library, ends.
// Threads  one at a time; a helper is best made before there are others.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_HELPER_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_HELPER_H_

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

namespace ulpfft_tool {

// One end of the socket. All are false where nobody is at the other end.
class Channel {
 public:
  explicit Channel(int socket) : socket_(socket) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  bool put(std::span<const std::byte> bytes);
  bool get(std::span<std::byte> bytes);
  template <typename T>
  bool put_value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return put(std::as_bytes(std::span(&value, 1)));
  }
  template <typename T>
  bool get_value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return get(std::as_writable_bytes(std::span(&value, 1)));
  }
  bool put_text(const std::string& text) { return put_value(text.size()) && put(std::as_bytes(std::span(text))); }
  bool get_text(std::string& text);

 private:
  int socket_;
};

// What the work in the helper sees.
class Asker {
 public:
  explicit Asker(Channel& channel) : channel_(channel) {}
  template <typename T>
  bool next(T& question) {  // false: there are no more
    return channel_.get_value(question);
  }
  Channel& answer();  // to put the parts of an answer to; an exception is an answer

 private:
  Channel& channel_;
};

class Helper {
 public:
  static constexpr unsigned kMostSeconds = 60;

  // `work` gives an answer before the first question, and one to each.
  Helper(std::string path, const std::function<void(Asker&)>& work);
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  template <typename T>
  void ask(const T& question) {
    if (!channel_.put_value(question)) fail();
  }
  void await();  // the answer, whose parts the three below take
  template <typename T>
  void get_value(T& value) {
    if (!channel_.get_value(value)) fail();
  }
  void get(std::span<std::byte> bytes) {
    if (!channel_.get(bytes)) fail();
  }
  void get_text(std::string& text) {
    if (!channel_.get_text(text)) fail();
  }
  std::size_t peak_memory_bytes() const { return peak_; }  // of the helper, when it last answered

 private:
  Helper(std::string path, const std::function<void(Asker&)>& work, std::array<int, 2> sockets);
  [[noreturn]] void fail();
  std::string path_;
  pid_t process_;
  Channel channel_;
  std::size_t peak_ = 0;
};

std::size_t peak_memory_bytes();  // of this process so far

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_HELPER_H_

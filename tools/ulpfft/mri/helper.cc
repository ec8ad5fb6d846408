// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/helper.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;

std::array<int, 2> make_sockets(const std::string& path) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    throw Failure(path + ": no process can be made to read it: " + std::strerror(errno) + ".");
  }
  return sockets;
}

void limit_processor_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + Helper::kMostSeconds);
  setrlimit(RLIMIT_CPU, &limit);
}

// Ends this process, which shares nothing with the other but the socket.
[[noreturn]] void help(int socket, const std::function<void(Asker&)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);  // of a terminal, meant for the process that asks: without it, this one ends
  for (const int other : {SIGTERM, SIGHUP}) std::signal(other, SIG_DFL);  // the files begun are not of this process
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_processor_time();
  {
    Channel channel(socket);
    Asker asker(channel);
    std::string failure;
    try {
      work(asker);
    } catch (const std::bad_alloc&) {
      failure = "There is not enough memory.";
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure.empty()) channel.put_value(false) && channel.put_text(failure);
  }
  _exit(0);
}

}  // namespace

Channel::~Channel() { close(socket_); }

bool Channel::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Channel::get(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool Channel::get_text(std::string& text) {
  std::size_t size = 0;
  if (!get_value(size) || size > kMostText) return false;
  text.resize(size);
  return get(std::as_writable_bytes(std::span(text)));
}

Channel& Asker::answer() {
  limit_processor_time();
  channel_.put_value(true) && channel_.put_value(ulpfft_tool::peak_memory_bytes());
  return channel_;
}

Helper::Helper(std::string path, const std::function<void(Asker&)>& work) : Helper(path, work, make_sockets(path)) {}

Helper::Helper(std::string path, const std::function<void(Asker&)>& work, std::array<int, 2> sockets)
    : path_(std::move(path)), process_(fork()), channel_(sockets[process_ == 0 ? 1 : 0]) {
  close(sockets[process_ == 0 ? 0 : 1]);
  if (process_ == 0) help(sockets[1], work);
  if (process_ < 0) throw Failure(path_ + ": no process can be made to read it: " + std::strerror(errno) + ".");
}

Helper::~Helper() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Helper::await() {
  bool succeeded = false;
  get_value(succeeded);
  if (succeeded) return get_value(peak_);
  std::string why;
  get_text(why);
  throw Failure(why);
}

void Helper::fail() {
  int status = 0;
  if (waitpid(process_, &status, 0) != process_) status = 0;
  process_ = -1;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    refuse(path_, "HDF5", "libhdf5 does not come to an end with it in " + std::to_string(kMostSeconds) + " s; the file is damaged.");
  }
  refuse(path_, "HDF5", std::string("libhdf5 breaks down on it") + (WIFSIGNALED(status) ? std::string(" (") + strsignal(WTERMSIG(status)) + ")" : "") +
                            "; the file is damaged.");
}

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// HDF5 files by libhdf5: handles that close themselves.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_HDF5_FILE_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_HDF5_FILE_H_

#include <hdf5.h>

#include <memory>
#include <string>
#include <utility>

#include "tools/ulpfft/mri/input.h"

namespace ulpfft_tool {

// Closed by what goes with what opened it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle open_hdf5_file(const std::string& path);
bool has(const Handle& file, const char* name);

// As those of input.h without `_here`, in this process, which libhdf5 may end by a signal.
Oversampled open_hdf5_here(const std::string& path);
Oversampled open_ismrmrd_here(const std::string& path);
std::unique_ptr<ImageReader> open_hdf5_images_here(const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_HDF5_FILE_H_

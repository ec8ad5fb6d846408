// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// HDF5 files where this was built without libhdf5.
#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/mri/libraries.h"

namespace ulpfft_tool {

std::string hdf5_version() { return ""; }
bool reads_ismrmrd() { return false; }

Oversampled open_hdf5(const std::string& path) {
  refuse(path, "name", "HDF5 files are not read by this build: libhdf5 was not found when it was made (Debian: libhdf5-dev). It reads .npy and .cfl.");
}

std::unique_ptr<ImageReader> open_hdf5_images(const std::string& path) {
  open_hdf5(path);
  return nullptr;
}

}  // namespace ulpfft_tool

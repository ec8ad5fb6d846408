// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ISMRMRD files where this was built without libismrmrd.
#include "tools/ulpfft/mri/hdf5_file.h"
#include "tools/ulpfft/mri/libraries.h"

namespace ulpfft_tool {

bool reads_ismrmrd() { return false; }

Oversampled open_ismrmrd_here(const std::string& path) {
  refuse(path, "dataset/data", "is ISMRMRD data, which this build does not read: libismrmrd was not found when it was made (Debian: libismrmrd-dev).");
}

}  // namespace ulpfft_tool

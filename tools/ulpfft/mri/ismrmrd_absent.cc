// ISMRMRD files where this was built without libismrmrd.
#include "tools/ulpfft/mri/hdf5_file.h"

namespace ulpfft_tool {

Oversampled open_ismrmrd_here(const std::string& path) {
  refuse(path, "dataset/data", "is ISMRMRD data, which this build does not read: libismrmrd was not found when it was made (Debian: libismrmrd-dev).");
}

}  // namespace ulpfft_tool

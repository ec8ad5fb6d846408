// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which libraries for files of k-space this build has.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_LIBRARIES_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_LIBRARIES_H_

#include <string>

namespace ulpfft_tool {

std::string hdf5_version();  // "1.10.8"; "" where the build has none
bool reads_ismrmrd();

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_LIBRARIES_H_

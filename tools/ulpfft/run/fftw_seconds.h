// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What FFTW takes for problems, measured in a process of its own; in another one after a problem at which FFTW ended it.
//
// FFTW is the system's library. A transform is planned within 2 seconds and timed in a loop on arrays of zeros, until a minute
// has passed for all of them.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_FFTW_SECONDS_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_FFTW_SECONDS_H_

#include <map>
#include <string>
#include <vector>

namespace ulpfft_tool {

struct FftwTimes {
  std::string library;                         // its version and the planner's effort; "" where there is none
  std::string remark;                          // a sentence: why there are no more times; "" if all were taken
  std::map<std::string, double> seconds;       // of one execution, by problem text
  std::map<std::string, std::string> refused;  // why there is no time: "it has ..."
};

// effort: "estimate", "measure", "patient".
FftwTimes measure_fftw(const std::vector<std::string>& problems, const std::string& effort);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_FFTW_SECONDS_H_

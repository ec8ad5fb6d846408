// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled: half of what a file of the planner takes to compile is the standard library. Files include what they use all the same;
// clang's build, without this header, finds what is missing.
#include <algorithm>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.h"

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled: a third of what a file of the tool takes to compile is the standard library and ulpfft.hpp. JSON and the command-line parser
// stay out: with them a file takes 2 to 3 s to read this. Files include what they use all the same; clang's build, without this header,
// finds what is missing.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulpfft/ulpfft.hpp"

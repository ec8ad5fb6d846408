// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled for the demonstration, which parses nothing and writes no JSON.
#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ulpfft/ulpfft.hpp"

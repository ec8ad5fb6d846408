// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled: as planner/pch/standard.h.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

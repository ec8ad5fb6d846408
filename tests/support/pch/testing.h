// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled for every test, as planner/pch/standard.h is for the planner.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Precompiled for the tool: half of what a file of it takes to compile is the parser, JSON and the standard library. Files include what they
// use all the same; clang's build, without this header, finds what is missing.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/pch/pages.h"

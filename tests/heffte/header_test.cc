// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The header in C++11, which heFFTe asks for.
#include "bindings/heffte/heffte_backend_ulpfft.h"

static_assert(__cplusplus < 201402L, "this file is to be compiled as C++11");
static_assert(heffte::backend::is_enabled<heffte::backend::ulpfft>::value &&
                  heffte::default_plan_options<heffte::backend::ulpfft>::use_reorder,
              "");

template std::unique_ptr<heffte::ulpfft_executor_r2c> heffte::make_executor_r2c<heffte::backend::ulpfft>(
    void*, heffte::box3d<long long> const, int);

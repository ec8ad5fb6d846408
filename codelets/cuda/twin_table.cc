// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/cuda/twins.h"

namespace ulpfft::cuda {
namespace {

template <int kGroup>
const Twin* find(std::string_view name) {
  if constexpr (kGroup == ULPFFT_CUDA_GROUPS) {
    return nullptr;
  } else {
    for (const Twin& twin : twins_of_group<kGroup>()) {
      if (twin.name == name) return &twin;
    }
    return find<kGroup + 1>(name);
  }
}

}  // namespace

const Twin* find_twin(std::string_view name) { return find<0>(name); }

}  // namespace ulpfft::cuda

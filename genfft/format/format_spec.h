// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Formats as their descriptors define them. What follows from a definition is computed by the codec of codelets/contract.
#ifndef ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_
#define ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_

#include <string>
#include <vector>

#include "codelets/contract/storage.h"

namespace ulpfft::genfft {

struct FormatSpec {
  std::string name;
  std::string source;
  std::string compute;  // "f32" or "f64"
  FormatInfo facts;     // without these three texts; derived facts filled in
};

struct BlockSpec {
  std::string file;     // for errors about what it refers to
  std::string name;
  std::string source;
  std::string element;
  std::string scale;
  int length = 0;
  ScaleRule rule = ScaleRule::kRceil;
  double bits_per_value = 0;  // as the descriptor states it
  double rms_error = 0;       // filled in by resolve()
};

// The formats of a build, in the order of their descriptors.
struct FormatSet {
  std::vector<FormatSpec> formats;
  std::vector<BlockSpec> blocks;
};

// Fills in the derived facts, all but rms_error exact.
void derive(FormatSpec& spec);

// Bits of a real with its share of the scale; of one scale per row, without it.
double bits_per_value(const BlockSpec& block, const FormatInfo& element, const FormatInfo& scale);

const FormatSpec* find(const FormatSet& set, const std::string& name);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_

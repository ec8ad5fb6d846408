// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The options of `ulpfft transform` and their words.
#ifndef ULPFFT_TOOLS_ULPFFT_TRANSFORM_OPTIONS_H_
#define ULPFFT_TOOLS_ULPFFT_TRANSFORM_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tools/ulpfft/narrow_file.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

struct TransformOptions {
  std::string input;
  std::string output;
  std::string axes;
  std::string scale = "none";
  std::string effort = "estimate";
  std::string target;
  std::string backend;
  std::string wisdom;
  std::string storage;
  std::string scheme;
  std::string precision;  // sets scheme
  std::string multiply;
  std::string prescale = "none";
  std::string window = "none";
  std::string raw;
  std::int64_t length = 0;
  bool drop_partial = false;
  bool exponents = false;
  bool inverse = false;
  bool real = false;
  bool power = false;
  int dct = 0;  // its type; 0: none
  int dst = 0;
  std::int64_t points = 0;  // 0: not given
  std::optional<double> start, step;
  bool centered = false;
  bool json = false;
  bool quiet = false;
};

// Whether both files hold real numbers.
inline bool is_r2r(const TransformOptions& options) { return options.dct != 0 || options.dst != 0; }

// Whether frequencies are chosen.
inline bool is_czt(const TransformOptions& options) { return options.points != 0 || options.start || options.step; }

// Whether that of the input, and that of the output, does.
inline bool reads_reals(const TransformOptions& options) { return is_r2r(options) || (options.real && !options.inverse); }
inline bool writes_reals(const TransformOptions& options) {
  return is_r2r(options) || options.power || (options.real && (options.inverse || !options.multiply.empty()));
}
// "--dct", "--dst" or "--real".
std::string name_of_reals(const TransformOptions& options);
// The kind that --dct, --dst and --inverse name.
ulpfft::R2r r2r_kind(const TransformOptions& options);
// These throw UsageError with the word that is wrong.
ulpfft::Scale read_scale(const std::string& text);
ulpfft::Prescale read_prescale(const std::string& text);
// The format of headerless samples, by --raw or by the end of the input's name; "": it has a header.
std::string raw_format(const TransformOptions& options);
// The formats named by --storage, "IN->OUT", IN:OUT or one for both; empty: not named.
std::pair<std::optional<StorageFacts>, std::optional<StorageFacts>> read_storage(const std::string& text);
// What --real, --dct and --dst do not go with, before a file is read.
void check_options(const TransformOptions& options);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_TRANSFORM_OPTIONS_H_

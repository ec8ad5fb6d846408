// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the page shows beyond errors of f32 and f64: each study measures, and returns figures with the sentences they support.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_STUDIES_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_STUDIES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/accuracy/golden.h"
#include "tools/ulpfft/accuracy/lab.h"

namespace ulpfft_tool {

inline constexpr std::int64_t kShortestStudy = 64;

struct StudyOptions {
  std::int64_t longest = 65536;  // a power of two, kShortestStudy or more
  bool quick = false;            // fewer formats of blocks
  std::function<void(double fraction, const std::string& what)> progress;
};

// Every format and scheme of the build, against n; values of `golden` beside them.
std::vector<Figure> study_formats(Lab& lab, const StudyOptions& options, const GoldenTable& golden);
// Errors of plans of every format and scheme over those that the library predicts.
std::vector<Figure> study_predictions(Lab& lab, const StudyOptions& options);
// Twiddle forms in f16 and bf16: error against n.
std::vector<Figure> study_forms(Lab& lab, const StudyOptions& options);
// Twiddle forms in f16 and bf16: overflows against the amplitude of the input.
std::vector<Figure> study_overflow(Lab& lab, const StudyOptions& options);
// Twiddle forms in f16 and bf16: errors beside worst-case bounds.
std::vector<Figure> study_bounds(Lab& lab, const StudyOptions& options);
// Formulas of the sine path of a dual-select butterfly.
std::vector<Figure> study_sine(Lab& lab, const StudyOptions& options);
// Blocks with a shared scale: their length and the rule of the scale.
std::vector<Figure> study_blocks(Lab& lab, const StudyOptions& options);
// There and back as a chain and by two plans.
std::vector<Figure> study_chain(Lab& lab, const StudyOptions& options);
// Split schemes: errors against length, range of data and shape of arrays; published variants.
std::vector<Figure> study_split(Lab& lab, const StudyOptions& options);
// There and back 1, 10 and 100 times, in every scheme.
std::vector<Figure> study_chains(Lab& lab, const StudyOptions& options);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_STUDIES_H_

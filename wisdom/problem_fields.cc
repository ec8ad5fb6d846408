// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem_fields.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/contract/storage.h"
#include "wisdom/dimension_words.h"
#include "wisdom/error.h"
#include "wisdom/kind_elsewhere.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::array<std::string_view, 5> kPrecisions = {"bf16", "ozaki", "ozaki_hq", "fp32", "double"};
constexpr std::array<std::string_view, 11> kR2rKinds = {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2",
                                                        "dst3", "dst4", "r2hc", "hc2r", "dht"};
constexpr const char* kTwoSchemes = "scheme and precision both name the arithmetic: leave one of them out.";

[[noreturn]] void refuse_field(std::string_view field, SentenceParts sentence) {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, std::string(field), joined(sentence));
}

void check_number(int value, int last, std::string_view field) {
  if (value > last) refuse_field(field, {field, " is ", print_integer(value), "; 0 to ", print_integer(last), " are known."});
}

template <typename Enum>
void check_enumerator(Enum value, Enum last, std::string_view field) {
  check_number(static_cast<int>(value), static_cast<int>(last), field);
}

int number_from_c(int value, int last, std::string_view field) {
  if (value < 0 || value > last)
    refuse_field(field, {field, " is ", print_integer(value), ", expected 0..", print_integer(last), "."});
  return value;
}

template <typename Enum>
Enum enumerator_from_c(int value, Enum last, std::string_view field) {
  return static_cast<Enum>(number_from_c(value, static_cast<int>(last), field));
}

std::string text_or(const char* text, std::string_view otherwise) { return std::string(text != nullptr ? text : otherwise); }

void check_name(const std::string& name, std::string_view field) {
  if (!is_format_name(name))
    refuse_field(field, {in_quotes(name), " is not a format name: lower-case letters, digits and '_', e.g. f32."});
}

void check_storage(const std::string& name, std::string_view field) {
  check_name(name, field);
  const StorageNameResult parsed = parse_storage_name(name);
  if (parsed.error != nullptr) refuse_field(field, {in_quotes(name), ": ", parsed.error});
}

// ---- Words with more than a line to read or print ---------------------------------------------------------------------------

void read_kinds(TextReader& reader, TextRange value, Problem& to) {
  for (const TextRange part : reader.split(value, ',')) {
    const std::string field = indexed("kinds", to.kinds.size());
    const std::string_view shown = reader.view(part);
    const std::optional<R2rKind> kind = r2r_kind_named(shown);
    if (!kind) {
      const std::string_view elsewhere = kind_elsewhere(shown);
      const std::string meant =
          r2r_kind_named(elsewhere) ? " Did you mean '" + std::string(elsewhere) + "'?" : did_you_mean(shown, kR2rKinds);
      reader.fail(field,
                  {in_quotes(shown), " is no kind of a transform between real numbers: ", one_of(kR2rKinds), " are.", meant},
                  part);
    }
    reader.note(field, part);
    to.kinds.push_back(*kind);
  }
}

void print_kinds(PrintedWords& to) {
  std::string word;
  for (const R2rKind kind : to.problem.kinds) (word += word.empty() ? "kinds=" : ",") += name_of(kind);
  if (!word.empty()) to.add(word);
}

void check_scale(const Problem& problem) {
  check_enumerator(problem.scale_kind, ScaleKind::kValue, "scale_kind");
  if (problem.scale_kind == ScaleKind::kValue && (!std::isfinite(problem.scale_value) || problem.scale_value == 0.0)) {
    refuse_field("scale_value", {"The scale is ", print_double(problem.scale_value), "; it must be finite and not zero."});
  }
}

void read_scale(TextReader& reader, TextRange value, Problem& to) {
  const std::string_view shown = reader.view(value);
  to.scale_kind = shown == "none"    ? ScaleKind::kNone
                  : shown == "ortho" ? ScaleKind::kOrtho
                  : shown == "1/n"   ? ScaleKind::kByN
                                     : ScaleKind::kValue;
  if (to.scale_kind == ScaleKind::kValue)
    to.scale_value = reader.read_real(value, "scale_value", "none, ortho, 1/n or a finite number");
  reader.require(value, [&] { check_scale(to); });
}

void print_scale(PrintedWords& to) {
  switch (to.problem.scale_kind) {
    case ScaleKind::kOrtho: return to.add("scale=ortho");
    case ScaleKind::kByN: return to.add("scale=1/n");
    case ScaleKind::kValue: return to.add("scale=" + print_double(to.problem.scale_value));
    case ScaleKind::kNone: break;
  }
}

void check_max_error(const Problem& problem) {
  if (std::isfinite(problem.max_error) && problem.max_error >= 0.0) return;
  refuse_field("max_error", {"max_error is ", print_double(problem.max_error),
                             "; an error limit is finite and not negative, e.g. 1e-6, and 0 for none."});
}

void read_scheme(TextReader& reader, TextRange value, Problem& to) {
  if (!is_scheme_name(reader.view(value))) reader.fail("scheme", {no_scheme_name(reader.view(value))}, value);
  if (!to.scheme.empty()) reader.fail("scheme", {kTwoSchemes}, value);
  to.scheme = canonical_scheme(reader.view(value));
}

void read_precision(TextReader& reader, TextRange value, Problem& to) {
  const std::string_view shown = reader.view(value);
  const char* const scheme = scheme_of_precision(shown);
  if (scheme == nullptr) {
    const std::string split = "split:" + std::string(shown);
    const bool has_parts = shown.find('x') != std::string_view::npos && is_scheme_name(split);
    reader.fail("scheme",
                {in_quotes(shown), " is no precision: ", one_of(kPrecisions), " are.",
                 (has_parts ? " Did you mean 'scheme=" + split + "'?" : did_you_mean(shown, kPrecisions))},
                value);
  }
  if (!to.scheme.empty()) reader.fail("scheme", {kTwoSchemes}, value);
  to.scheme = scheme;
}

void check_threads(std::int64_t threads, int least) {
  if (threads >= least && threads <= kMaxProblemThreads) return;
  refuse_field("threads",
               {"threads is ", print_integer(threads), "; 1 to ", print_integer(kMaxProblemThreads), " are possible."});
}

void read_threads(TextReader& reader, TextRange value, Problem& to) {
  const std::int64_t threads = reader.read_integer(value, "threads");
  reader.require(value, [&] { check_threads(threads, 0); });
  to.threads = threads == 0 ? 1 : static_cast<int>(threads);
}

void check_prescale(const Problem& problem) {
  check_enumerator(problem.prescale_kind, PrescaleKind::kTarget, "prescale_kind");
  if (problem.prescale_kind == PrescaleKind::kTarget &&
      !(std::isfinite(problem.prescale_target) && problem.prescale_target > 0)) {
    refuse_field("prescale_target", {"The target of the prescale is ", print_double(problem.prescale_target),
                                     "; the largest magnitude of a transform is to become a positive, finite number."});
  }
}

void read_prescale(TextReader& reader, TextRange value, Problem& to) {
  const std::string_view shown = reader.view(value);
  to.prescale_kind = shown == "none" ? PrescaleKind::kNone : shown == "amax" ? PrescaleKind::kAmax : PrescaleKind::kTarget;
  if (to.prescale_kind != PrescaleKind::kTarget) return;
  to.prescale_target =
      reader.read_real(value, "prescale_target", "none, amax or what the largest magnitude is to become, e.g. 16");
  reader.require(value, [&] { check_prescale(to); });
}

void print_prescale(PrintedWords& to) {
  if (to.problem.prescale_kind == PrescaleKind::kNone) return;
  to.add("prescale=" + (to.problem.prescale_kind == PrescaleKind::kAmax ? "amax" : print_double(to.problem.prescale_target)));
}

void read_max_workspace(TextReader& reader, TextRange value, Problem& to) {
  const std::string_view shown = reader.view(value);
  to.max_workspace = shown == "one" ? kOneTransform : reader.read_integer(value, "max_workspace", read_size);
  if (shown != "one" && to.max_workspace < 1) {
    reader.fail("max_workspace", {"max_workspace is ", std::string(shown), "; it is 'one', or bytes, at least 1."}, value);
  }
}

void print_max_workspace(PrintedWords& to) {
  const std::int64_t bytes = to.problem.max_workspace;
  if (bytes != 0) to.add("max_workspace=" + (bytes == kOneTransform ? "one" : print_integer(bytes)));
}

void check_max_workspace(const Problem& problem) {
  if (problem.max_workspace >= kOneTransform) return;
  refuse_field("max_workspace", {"max_workspace is ", print_integer(problem.max_workspace),
                                 "; it is a number of bytes, ULPFFT_WORKSPACE_ONE for one transform, or 0 for no limit."});
}

void check_chain_name(const Problem& problem) {
  if (problem.chain.empty() || problem.chain == "mul" || problem.chain == "user") return;
  refuse_field("chain", {"'", problem.chain,
                         "' is not an operation of a chain; mul (the product with an array) and user (a function) are."});
}

void read_output(TextReader& reader, TextRange value, Problem& to) {
  constexpr std::array<std::string_view, 2> kOutputs = {"spectrum", "power"};
  const std::string_view shown = reader.view(value);
  if (shown != kOutputs[0] && shown != kOutputs[1]) {
    reader.fail("output", {in_quotes(shown), " is no output of a transform: ", one_of(kOutputs), " are.", did_you_mean(shown, kOutputs)},
                value);
  }
  to.output_kind = shown == "power" ? OutputKind::kPower : OutputKind::kSpectrum;
}

void check_zoom_numbers(const Problem& problem) {
  const Zoom& zoom = problem.zoom;
  if (zoom.points < 0) {
    refuse_field("points", {"points is ", print_integer(zoom.points), "; there are 1 or more, and 0 stands for as many as inputs."});
  }
  const auto check_turns = [](double turns, std::string_view field) {
    if (std::isfinite(turns)) return;
    refuse_field(field, {field, " is ", print_double(turns), "; a frequency is a finite part of the sampling rate, e.g. 0.125."});
  };
  check_turns(zoom.start, "start");
  check_turns(zoom.step, "step");
}

void points_from_c(const ulpfft_problem& from, Problem& to) {
  to.zoom.points = to.kind == Kind::kCzt && from.points == to.dims.back().length ? 0 : from.points;
}

template <double Zoom::*kTurns>
void read_turns(TextReader& reader, TextRange value, Problem& to) {
  to.zoom.*kTurns = reader.read_real(value, kTurns == &Zoom::start ? "start" : "step", "a part of the sampling rate, e.g. 0.125");
  reader.require(value, [&] { check_zoom_numbers(to); });
}

template <double Zoom::*kTurns>
void print_turns(PrintedWords& to, std::string_view word) {
  if (to.problem.zoom.*kTurns != 0) to.add(std::string(word) + print_double(to.problem.zoom.*kTurns));
}

// ---- Names -----------------------------------------------------------------------------------------------------------

template <std::string Problem::*kText>
void print_name(PrintedWords& to, std::string_view word) {
  const std::string& text = to.problem.*kText;
  if (!text.empty()) to.add(std::string(word) + text);
}

// ---- The table -------------------------------------------------------------------------------------------------------

using From = const ulpfft_problem&;

constexpr auto kFields = std::to_array<ProblemField>({
    {.members = {"kind"},
     .from_c = [](From from, Problem& to) { to.kind = enumerator_from_c(from.kind, Kind::kCzt, "kind"); },
     .check = [](const Problem& problem) { check_enumerator(problem.kind, Kind::kCzt, "kind"); }},
    {.members = {"rank", "lengths"},
     .from_c = [](From from, Problem& to) { to.dims = dimensions_from_c(from.rank, 1, "rank", from.lengths, "lengths"); }},
    {.members = {"batch_rank", "batch_lengths"},
     .from_c =
         [](From from, Problem& to) {
           to.batch = dimensions_from_c(from.batch_rank, 0, "batch_rank", from.batch_lengths, "batch_lengths");
         }},
    {.members = {"storage_in"},
     .from_c = [](From from, Problem& to) { to.storage_in = text_or(from.storage_in, "f32"); },
     .check = [](const Problem& problem) { check_storage(problem.storage_in, "storage_in"); }},
    {.members = {"storage_out"},
     .from_c = [](From from, Problem& to) { to.storage_out = text_or(from.storage_out, to.storage_in); },
     .check = [](const Problem& problem) { check_storage(problem.storage_out, "storage_out"); }},
    {.word = "kinds",
     .members = {"kinds"},
     .has_value = true,
     .schema = 7,
     .from_c =
         [](From from, Problem& to) {
           for (std::size_t d = 0; from.kinds != nullptr && d < to.dims.size(); ++d)
             to.kinds.push_back(r2r_kind_from_c(from.kinds[d], d));
         },
     .read = read_kinds,
     .print = print_kinds,
     .check =
         [](const Problem& problem) {
           for (std::size_t d = 0; d < problem.kinds.size(); ++d)
             check_enumerator(problem.kinds[d], R2rKind::kDST4, indexed("kinds", d));
         }},
    {.word = "inverse",
     .members = {"direction"},
     .from_c = [](From from, Problem& to) { to.direction = direction_from_c(from.direction); },
     .read = [](TextReader&, TextRange, Problem& to) { to.direction = Direction::kBackward; },
     .print =
         [](PrintedWords& to) {
           if (to.problem.direction == Direction::kBackward) to.add("inverse");
         },
     .check = [](const Problem& problem) { check_enumerator(problem.direction, Direction::kBackward, "direction"); },
     .leave_out_of_key = [](Problem& key) { key.direction = Direction::kForward; }},
    {.word = "centered",
     .members = {"centered"},
     .from_c = [](From from, Problem& to) { to.centered = from.centered != 0; },
     .read = [](TextReader&, TextRange, Problem& to) { to.centered = true; },
     .print =
         [](PrintedWords& to) {
           if (to.problem.centered) to.add("centered");
         }},
    {.word = "scale",
     .members = {"scale_kind", "scale_value"},
     .has_value = true,
     .from_c =
         [](From from, Problem& to) {
           to.scale_kind = enumerator_from_c(from.scale_kind, ScaleKind::kValue, "scale_kind");
           if (to.scale_kind == ScaleKind::kValue) to.scale_value = from.scale_value;
         },
     .read = read_scale,
     .print = print_scale,
     .check = check_scale,
     .leave_out_of_key =
         [](Problem& key) {
           if (!has_weights(key)) key.scale_kind = ScaleKind::kNone;
           key.scale_value = 1.0;
         }},
    {.word = "max_error",
     .members = {"max_error"},
     .has_value = true,
     .schema = 2,
     .from_c = [](From from, Problem& to) { to.max_error = from.max_error; },
     .read =
         [](TextReader& reader, TextRange value, Problem& to) {
           to.max_error = reader.read_real(value, "max_error", "an error limit is a number such as 1e-6, 0 for none");
           reader.require(value, [&] { check_max_error(to); });
         },
     .print =
         [](PrintedWords& to) {
           if (to.problem.max_error != 0.0) to.add("max_error=" + print_double(to.problem.max_error));
         },
     .check = check_max_error},
    {.word = "scheme",
     .members = {"scheme"},
     .has_value = true,
     .from_c = [](From from, Problem& to) { to.scheme = text_or(from.scheme, ""); },
     .read = read_scheme,
     .print = [](PrintedWords& to) { print_name<&Problem::scheme>(to, "scheme="); },
     .check =
         [](const Problem& problem) {
           if (!problem.scheme.empty() && !is_scheme_name(problem.scheme))
             refuse_field("scheme", {no_scheme_name(problem.scheme)});
         }},
    {.word = "backend",
     .members = {"backend"},
     .has_value = true,
     .from_c = [](From from, Problem& to) { to.backend = text_or(from.backend, ""); },
     .read = [](TextReader& reader, TextRange value, Problem& to) { to.backend = reader.read_format(value, "backend"); },
     .print = [](PrintedWords& to) { print_name<&Problem::backend>(to, "backend="); },
     .check =
         [](const Problem& problem) {
           if (!problem.backend.empty()) check_name(problem.backend, "backend");
         }},
    {.word = "threads",
     .members = {"threads"},
     .has_value = true,
     .schema = 2,
     .from_c = [](From from, Problem& to) { to.threads = from.threads == 0 ? 1 : from.threads; },
     .read = read_threads,
     .print =
         [](PrintedWords& to) {
           if (to.problem.threads > 1) to.add("threads=" + print_integer(to.problem.threads));
         },
     .check = [](const Problem& problem) { check_threads(problem.threads, 1); }},
    {.word = "inplace",
     .members = {"placement"},
     .from_c = [](From from, Problem& to) { to.placement = enumerator_from_c(from.placement, Placement::kInPlace, "placement"); },
     .read = [](TextReader&, TextRange, Problem& to) { to.placement = Placement::kInPlace; },
     .print =
         [](PrintedWords& to) {
           if (to.problem.placement == Placement::kInPlace) to.add("inplace");
         },
     .check = [](const Problem& problem) { check_enumerator(problem.placement, Placement::kInPlace, "placement"); }},
    {.word = "split",
     .members = {"layout"},
     .from_c = [](From from, Problem& to) { to.layout = enumerator_from_c(from.layout, ArrayLayout::kSplit, "layout"); },
     .read = [](TextReader&, TextRange, Problem& to) { to.layout = ArrayLayout::kSplit; },
     .print =
         [](PrintedWords& to) {
           if (to.problem.layout == ArrayLayout::kSplit) to.add("split");
         },
     .check = [](const Problem& problem) { check_enumerator(problem.layout, ArrayLayout::kSplit, "layout"); }},
    {.word = "destroy_input",
     .members = {"destroy_input"},
     .schema = 6,
     .size_before = offsetof(ulpfft_problem, destroy_input),
     .from_c = [](From from, Problem& to) { to.destroy_input = from.destroy_input != 0; },
     .read = [](TextReader&, TextRange, Problem& to) { to.destroy_input = true; },
     .print =
         [](PrintedWords& to) {
           if (to.problem.destroy_input) to.add("destroy_input");
         },
     .leave_out_of_key = [](Problem& key) { key.destroy_input = works_in_input(key); }},
    {.word = "in_strides",
     .members = {"in_strides"},
     .has_value = true,
     .needs_others = true,
     .from_c = [](From from, Problem& to) { strides_from_c(from.in_strides, to.dims, &Dimension::in_stride); },
     .read = [](TextReader& r, TextRange value,
                Problem& to) { read_strides(r, value, to.dims, &Dimension::in_stride, "in_strides"); },
     .print = [](PrintedWords& to) { print_strides(to, "in_strides=", &Dimension::in_stride); }},
    {.word = "out_strides",
     .members = {"out_strides"},
     .has_value = true,
     .needs_others = true,
     .from_c = [](From from, Problem& to) { strides_from_c(from.out_strides, to.dims, &Dimension::out_stride); },
     .read = [](TextReader& r, TextRange value,
                Problem& to) { read_strides(r, value, to.dims, &Dimension::out_stride, "out_strides"); },
     .print = [](PrintedWords& to) { print_strides(to, "out_strides=", &Dimension::out_stride); }},
    {.word = "batch_strides",
     .members = {"batch_in_strides", "batch_out_strides"},
     .has_value = true,
     .needs_others = true,
     .from_c =
         [](From from, Problem& to) {
           strides_from_c(from.batch_in_strides, to.batch, &Dimension::in_stride);
           strides_from_c(from.batch_out_strides, to.batch, &Dimension::out_stride);
         },
     .read = read_batch_strides,
     .print = print_batch_strides},
    {.word = "intermediate",
     .members = {"intermediate"},
     .has_value = true,
     .schema = 3,
     .from_c = [](From from, Problem& to) { to.intermediate = text_or(from.intermediate, ""); },
     .read = [](TextReader& reader, TextRange value,
                Problem& to) { to.intermediate = reader.read_format(value, "intermediate"); },
     .print = [](PrintedWords& to) { print_name<&Problem::intermediate>(to, "intermediate="); },
     .check =
         [](const Problem& problem) {
           if (!problem.intermediate.empty()) check_storage(problem.intermediate, "intermediate");
         }},
    {.word = "chain",
     .members = {"chain"},
     .has_value = true,
     .schema = 4,
     .from_c = [](From from, Problem& to) { to.chain = text_or(from.chain, ""); },
     .read = [](TextReader& reader, TextRange value, Problem& to) { to.chain = reader.read_format(value, "chain"); },
     .print = [](PrintedWords& to) { print_name<&Problem::chain>(to, "chain="); },
     .check = check_chain_name},
    {.word = "prescale",
     .members = {"prescale_kind", "prescale_target"},
     .has_value = true,
     .schema = 5,
     .size_before = offsetof(ulpfft_problem, prescale_kind),
     .from_c =
         [](From from, Problem& to) {
           to.prescale_kind = enumerator_from_c(from.prescale_kind, PrescaleKind::kTarget, "prescale_kind");
           if (to.prescale_kind == PrescaleKind::kTarget) to.prescale_target = from.prescale_target;
         },
     .read = read_prescale,
     .print = print_prescale,
     .check = check_prescale},
    {.word = "max_workspace",
     .members = {"max_workspace"},
     .has_value = true,
     .schema = 7,
     .size_before = offsetof(ulpfft_problem, max_workspace),
     .from_c = [](From from, Problem& to) { to.max_workspace = from.max_workspace; },
     .read = read_max_workspace,
     .print = print_max_workspace,
     .check = check_max_workspace},
    {.word = "output",
     .members = {"output"},
     .has_value = true,
     .schema = 8,
     .size_before = offsetof(ulpfft_problem, output),
     .from_c = [](From from, Problem& to) { to.output_kind = enumerator_from_c(from.output, OutputKind::kPower, "output"); },
     .read = read_output,
     .print =
         [](PrintedWords& to) {
           if (to.problem.output_kind == OutputKind::kPower) to.add("output=power");
         },
     .check = [](const Problem& problem) { check_enumerator(problem.output_kind, OutputKind::kPower, "output"); }},
    {.word = "window",
     .members = {"window"},
     .has_value = true,
     .schema = 8,
     .from_c = [](From from, Problem& to) { to.window = window_named(text_or(from.window, "none")); },
     .read = [](TextReader& r, TextRange value, Problem& to) { r.require(value, [&] { to.window = window_named(r.view(value)); }); },
     .print =
         [](PrintedWords& to) {
           if (to.problem.window) to.add("window=" + print_window(to.problem.window));
         },
     .check = [](const Problem& problem) { check_window(problem.window); }},
    {.members = {"window_factors", "window_count"}, .from_c = [](From from, Problem& to) { to.window = window_given(from, to.window); }},
    {.members = {"points"}, .size_before = offsetof(ulpfft_problem, points), .from_c = points_from_c, .check = check_zoom_numbers},
    {.word = "start",
     .members = {"start"},
     .has_value = true,
     .schema = 9,
     .from_c = [](From from, Problem& to) { to.zoom.start = from.start; },
     .read = read_turns<&Zoom::start>,
     .print = [](PrintedWords& to) { print_turns<&Zoom::start>(to, "start="); },
     .leave_out_of_key = [](Problem& key) { key.zoom.start = 0; }},
    {.word = "step",
     .members = {"step"},
     .has_value = true,
     .schema = 9,
     .from_c = [](From from, Problem& to) { to.zoom.step = from.step; },
     .read = read_turns<&Zoom::step>,
     .print = [](PrintedWords& to) { print_turns<&Zoom::step>(to, "step="); },
     .leave_out_of_key = [](Problem& key) { key.zoom.step = 0; }},
    // Another word for a scheme, which is what is printed.
    {.word = "precision", .members = {"scheme"}, .has_value = true, .read = read_precision},
});

constexpr auto kEarlierSizes = [] {
  constexpr auto kCount =
      std::count_if(kFields.begin(), kFields.end(), [](const ProblemField& field) { return field.size_before > 0; });
  std::array<std::size_t, kCount> sizes{};
  std::size_t count = 0;
  for (const ProblemField& field : kFields) {
    if (field.size_before > 0) sizes[count++] = field.size_before;
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}();

}  // namespace

bool PrintedWords::has_strides(std::vector<Dimension> Problem::*dims, std::int64_t Dimension::*stride) {
  if (strides_ == Strides::kNotLookedAt) {
    strides_ = has_dense_strides(problem) ? Strides::kDense : Strides::kGiven;
    if (strides_ == Strides::kGiven) {
      dense_ = problem;
      try {
        set_dense_strides(dense_);
      } catch (const PlanError&) {
        strides_ = Strides::kBeyond64Bits;
      }
    }
  }
  if (strides_ == Strides::kDense) return false;
  const std::vector<Dimension>& given = problem.*dims;
  if (strides_ == Strides::kBeyond64Bits) return !given.empty();
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].*stride != (dense_.*dims)[i].*stride) return true;
  }
  return false;
}

std::span<const ProblemField> problem_fields() { return kFields; }

const ProblemField* find_field(std::string_view word) {
  for (const ProblemField& field : kFields) {
    if (field.word == word && !word.empty()) return &field;
  }
  return nullptr;
}

std::span<const std::size_t> earlier_problem_sizes() { return kEarlierSizes; }

Direction direction_from_c(int direction) {
  if (direction == ULPFFT_FORWARD) return Direction::kForward;
  if (direction == ULPFFT_BACKWARD) return Direction::kBackward;
  refuse_field("direction", {"direction is ", print_integer(direction),
                             ", expected ULPFFT_FORWARD (0; FFTW's -1) or ULPFFT_BACKWARD (1; FFTW's +1)."});
}

R2rKind r2r_kind_from_c(int kind, std::size_t d) {
  if (kind >= ULPFFT_R2HC && kind <= ULPFFT_RODFT11) return static_cast<R2rKind>(kind);
  const std::string field = indexed("kinds", d);
  std::string message = field + " is " + print_integer(kind) +
                        ", expected a kind of a transform between real numbers, ULPFFT_R2HC (0) to ULPFFT_RODFT11 (10):";
  for (int known = ULPFFT_R2HC; known <= ULPFFT_RODFT11; ++known) {
    message += (known == ULPFFT_R2HC ? " " : ", ") + std::string(name_of(static_cast<R2rKind>(known)));
  }
  refuse_field(field, {message, "."});
}

}  // namespace ulpfft

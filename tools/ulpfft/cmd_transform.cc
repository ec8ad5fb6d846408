// ulpfft transform: from one file of complex numbers to another.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

struct Options {
  std::string input;
  std::string output;
  std::string axes;
  std::string scale = "none";
  std::string effort = "estimate";
  std::string target;
  std::string wisdom;
  bool inverse = false;
  bool centered = false;
  bool quiet = false;
};

// One axis of the array, as a plan sees it.
struct Extent {
  std::int64_t length;
  std::int64_t in_stride;
  std::int64_t out_stride;
};

// "0,1" or "-1"; negative numbers count from the last axis of a .npy file.
std::vector<std::size_t> read_axes(const std::string& text, const Array& array) {
  const auto rank = static_cast<std::int64_t>(array.shape.size());
  const bool negative_allowed = array.kind == FileKind::kNpy;
  const std::int64_t lowest = negative_allowed ? -rank : 0;
  std::vector<std::size_t> axes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::int64_t axis = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, axis);
    if (failure != std::errc{} || stop != text.data() + end) {
      throw UsageError("--axes takes integers separated by commas, e.g. 0,1.", text, begin, end);
    }
    if (axis < lowest || axis >= rank) {
      throw UsageError("The file has " + std::to_string(rank) + " axes, " + std::to_string(lowest) + " to " +
                           std::to_string(rank - 1) + "; " + std::to_string(axis) + " is not one of them.",
                       text, begin, end);
    }
    const auto index = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (std::find(axes.begin(), axes.end(), index) != axes.end()) {
      throw UsageError("Axis " + std::to_string(axis) + " is named twice.", text, begin, end);
    }
    axes.push_back(index);
    begin = end + 1;
  }
  return axes;
}

// Without --axes: the only axis longer than 1, if there is just one.
std::vector<std::size_t> only_axis(const std::string& path, const Array& array) {
  std::vector<std::size_t> longer;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if (array.shape[i] > 1) longer.push_back(i);
  }
  if (longer.empty()) return {0};
  if (longer.size() == 1) return longer;
  throw Failure(path + " has the shape " + show_lengths(array.shape) + ": say with --axes which of the axes 0 to " +
                std::to_string(array.shape.size() - 1) + " to transform, e.g. --axes " + std::to_string(longer[0]) + "," +
                std::to_string(longer[1]) + ".");
}

ulpfft::Scale read_scale(const std::string& text) {
  if (text == "none") return ulpfft::Scale::kNone;
  if (text == "ortho") return ulpfft::Scale::kOrtho;
  if (text == "1/n") return ulpfft::Scale::kByN;
  double factor = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (failure != std::errc{} || stop != text.data() + text.size() || !std::isfinite(factor) || factor == 0.0) {
    throw UsageError("--scale takes none, ortho, 1/n or a finite number other than 0.", text, 0, text.size());
  }
  return ulpfft::Scale::value(factor);
}

// Slowest first, so that a dense array gives a dense problem; axes of length 1 change nothing and are left out.
void order(std::vector<Extent>& extents) {
  std::erase_if(extents, [](const Extent& extent) { return extent.length == 1; });
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.in_stride > b.in_stride; });
}

// Neighbours in memory, on both sides, are one dimension.
void join(std::vector<Extent>& extents) {
  std::vector<Extent> joined;
  for (const Extent& inner : extents) {
    if (!joined.empty() && joined.back().in_stride == inner.length * inner.in_stride &&
        joined.back().out_stride == inner.length * inner.out_stride) {
      joined.back() = {joined.back().length * inner.length, inner.in_stride, inner.out_stride};
    } else {
      joined.push_back(inner);
    }
  }
  extents = std::move(joined);
}

ulpfft::Problem make_problem(const Array& in, const Array& out, const std::vector<std::size_t>& axes) {
  const std::vector<std::int64_t> in_strides = in.strides();
  const std::vector<std::int64_t> out_strides = out.strides();
  std::vector<Extent> lengths;
  std::vector<Extent> batch;
  for (std::size_t i = 0; i < in.shape.size(); ++i) {
    const bool transformed = std::find(axes.begin(), axes.end(), i) != axes.end();
    const std::int64_t out_stride = i < out_strides.size() ? out_strides[i] : 1;  // an axis left out has length 1
    (transformed ? lengths : batch).push_back({in.shape[i], in_strides[i], out_stride});
  }
  order(lengths);
  if (lengths.empty()) lengths.push_back({1, 1, 1});
  order(batch);
  join(batch);
  ulpfft::Problem problem;
  for (const Extent& extent : lengths) {
    problem.lengths.push_back(extent.length);
    problem.in_strides.push_back(extent.in_stride);
    problem.out_strides.push_back(extent.out_stride);
  }
  for (const Extent& extent : batch) {
    problem.batch.push_back(extent.length);
    problem.batch_in_strides.push_back(extent.in_stride);
    problem.batch_out_strides.push_back(extent.out_stride);
  }
  problem.storage = in.is_double() ? "f64" : "f32";
  return problem;
}

// The array that will be written: the shape of the input, in the order of the output file.
Array prepare_output(const Array& in, FileKind kind) {
  Array out;
  out.kind = kind;
  out.shape = in.shape;
  out.first_axis_fastest = kind == FileKind::kCfl || in.first_axis_fastest;
  if (kind == FileKind::kNpy && in.kind == FileKind::kCfl) {
    while (out.shape.size() > 1 && out.shape.back() == 1) out.shape.pop_back();
  }
  if (kind == FileKind::kCfl && out.shape.size() > 16) throw Failure("A .cfl file has at most 16 axes; write a .npy file.");
  return out;
}

ulpfft::Plan make_plan(ulpfft::Context& context, const ulpfft::Problem& problem, const Options& options) {
  ProgressBar bar("planning");
  return context.plan(problem, {.effort = options.effort == "measure" ? ulpfft::Effort::kMeasure : ulpfft::Effort::kEstimate,
                                .progress = [&](double fraction, std::string_view what) {
                                  bar.show(fraction, what);
                                  return true;
                                }});
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(const Options& options) {
  const ulpfft::Scale scale = read_scale(options.scale);
  const FileKind out_kind = kind_of(options.output);
  const Array in = read_array(options.input);
  const std::vector<std::size_t> axes = options.axes.empty() ? only_axis(options.input, in) : read_axes(options.axes, in);
  Array out = prepare_output(in, out_kind);
  ulpfft::Problem problem = make_problem(in, out, axes);
  problem.direction = options.inverse ? ulpfft::Direction::kInverse : ulpfft::Direction::kForward;
  problem.centered = options.centered;
  problem.scale = scale;

  ulpfft::Context context = open_context(options.target);
  if (!options.wisdom.empty() && std::filesystem::exists(options.wisdom)) context.import_wisdom(options.wisdom);
  auto start = std::chrono::steady_clock::now();
  const ulpfft::Plan plan = make_plan(context, problem, options);
  const double planning = seconds_since(start);
  double executing = 0.0;
  std::visit(
      [&](const auto& from) {
        std::remove_cvref_t<decltype(from)> to(from.size());
        start = std::chrono::steady_clock::now();
        plan.execute(from, to);
        executing = seconds_since(start);
        out.data = std::move(to);
      },
      in.data);
  write_array(options.output, out);
  if (!options.wisdom.empty() && !plan.from_wisdom()) context.export_wisdom(options.wisdom);
  if (!options.quiet) {
    std::cout << options.output << ": " << show_lengths(out.shape) << "\n"
              << "  problem  " << plan.problem() << "\n"
              << "  recipe   " << plan.recipe() << "\n"
              << "  time     " << show_seconds(executing) << ", after " << show_seconds(planning) << " of planning\n"
              << "  error    " << show_error(plan.error()) << " predicted, relative\n";
  }
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* command = app.add_subcommand("transform", "Transform a .npy or BART .cfl file");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "NAME.npy (complex or real, f32 or f64), or NAME.cfl with NAME.hdr beside it")
      ->required();
  command->add_option("OUT", options->output, "File to write; replaced when complete. A .cfl file is rounded to f32")->required();
  command->add_option("--axes", options->axes,
                      "Axes to transform, as the file numbers them, e.g. 0,1. NumPy axes may be negative: -1 is the last");
  command->add_flag("--inverse", options->inverse, "exp(+2 pi i j k / n) instead of exp(-2 pi i j k / n)");
  command->add_flag("--centered", options->centered, "Index 0 of space and frequency lies at floor(n/2) of every axis");
  command->add_option("--scale", options->scale, "Factor of the result: none, ortho (1/sqrt n), 1/n, or a number")
      ->capture_default_str();
  command->add_option("--effort", options->effort, "estimate: plan by a cost model; measure: by timing")
      ->check(CLI::IsMember({"estimate", "measure"}))
      ->capture_default_str();
  command->add_option("--target", options->target, "Instruction set; see ulpfft info. Without it, the best of this machine");
  command->add_option("--wisdom", options->wisdom, "Read remembered plans from this file, and add the new one");
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
  command->footer(
      "Examples:\n"
      "  ulpfft transform in.npy out.npy --axes -1                     as numpy.fft.fft(x)\n"
      "  ulpfft transform in.npy out.npy --axes 1,2 --inverse --scale 1/n   as numpy.fft.ifft2 of a stack of images\n"
      "  ulpfft transform kspace.cfl image.cfl --axes 0,1 --inverse --centered --scale ortho   as bart fft -iu 3\n"
      "\n"
      "The other axes are transformed one by one. Real numbers are read as complex. IN and OUT may be the same file.\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

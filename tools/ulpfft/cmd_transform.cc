// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft transform: from one file of numbers to another.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/factors.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/narrow_file.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/precision.h"
#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/text.h"
#include "tools/ulpfft/transform_axes.h"
#include "tools/ulpfft/transform_options.h"
#include "tools/ulpfft/transform_report.h"

namespace ulpfft_tool {
namespace {
namespace transform_command {

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

ulpfft::Plan make_plan(ulpfft::Context& context, const ulpfft::Problem& problem, const TransformOptions& options) {
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

// An array at either end of a plan, or in a file.
using Stored = std::variant<Array, NarrowArray, RealArray>;

const std::vector<std::int64_t>& shape_of(const Stored& stored) {
  return std::visit([](const auto& array) -> const std::vector<std::int64_t>& { return array.shape; }, stored);
}

std::string storage_of(const Stored& stored) { return std::visit([](const auto& array) { return end_of(array).storage; }, stored); }

ulpfft_array pointers_to(Stored& stored) {
  ulpfft_array array{};
  array.size = sizeof array;
  if (auto* narrow = std::get_if<NarrowArray>(&stored)) {
    array.data[0] = narrow->codes.data();
    array.scales[0] = narrow->scales.empty() ? nullptr : narrow->scales.data();
  } else {
    const auto at_numbers = [&](auto& numbers) { array.data[0] = numbers.data(); };
    if (auto* reals = std::get_if<RealArray>(&stored)) {
      std::visit(at_numbers, reals->data);
    } else {
      std::visit(at_numbers, std::get<Array>(stored).data);
    }
  }
  return array;
}

// Calls visit(transform of the plan, its place among the exponents of `array`).
template <typename Visit>
void visit_exponents(const NarrowArray& array, const std::vector<std::size_t>& batch_axes, const Visit& visit) {
  const std::vector<std::int64_t> strides = array.exponent_strides();
  std::int64_t transforms = 1;
  for (const std::size_t axis : batch_axes) transforms *= array.shape[axis];
  for (std::int64_t t = 0; t < transforms; ++t) {
    std::int64_t rest = t, at = 0;
    for (std::size_t b = batch_axes.size(); b-- > 0;) {
      at += rest % array.shape[batch_axes[b]] * strides[batch_axes[b]];
      rest /= array.shape[batch_axes[b]];
    }
    visit(static_cast<std::size_t>(t), static_cast<std::size_t>(at));
  }
}

// The array in another format; narrow rows along `axis`. With `real` its numbers are real, without imaginary parts.
Stored in_storage(Stored stored, const StorageFacts& storage, std::size_t axis, bool real, std::int64_t& saturated) {
  if (storage_of(stored) == storage.name) return stored;
  if (const auto* narrow = std::get_if<NarrowArray>(&stored)) stored = decode(*narrow, !storage.wide || storage.format.bits == 64);
  if (const auto* reals = std::get_if<RealArray>(&stored); reals != nullptr && storage.wide) return in_type(*reals, storage.format.bits == 64);
  if (const auto* reals = std::get_if<RealArray>(&stored)) stored = with_imaginary_parts(*reals);
  if (real && storage.wide) return real_parts(in_type(std::get<Array>(stored), storage.format.bits == 64));
  if (storage.wide) return in_type(std::get<Array>(stored), storage.format.bits == 64);
  return encode(std::get<Array>(stored), storage, axis, Rounding{}, saturated);
}

constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);

// What is transformed and what it becomes, as it is found out step by step.
struct Job {
  Stored in, out;
  StorageFacts in_format, out_format;  // at the ends of the plan
  std::string file_format;             // what the input held
  std::vector<std::size_t> axes;
  std::size_t row_axis = kNoAxis;      // narrow rows run along it
  std::size_t halved_axis = kNoAxis;   // with --real: the spectrum has n/2 + 1 of its n numbers along it
  bool input_is_npy = true;            // or narrow, with axes as NumPy numbers them
  std::int64_t input_saturated = 0;
  std::int64_t dropped_bytes = 0;      // of a partial transform
};

void read_raw_input(const TransformOptions& options, Job& job) {
  const std::string name = raw_format(options);
  const StorageFacts storage = storage_facts(name, options.raw.empty() ? name : options.raw);
  if (storage.blocks) {
    throw UsageError("Samples of " + options.raw + " have scales beside them; --raw takes formats without, e.g. i16.", options.raw, 0, options.raw.size());
  }
  if (options.length == 0) {
    const std::string& word = options.raw.empty() ? options.input : options.raw;
    throw UsageError("Samples without a header need --length: how many of them a transform has, e.g. --length 4096.", word, 0, word.size());
  }
  if (!options.axes.empty()) throw UsageError("With --raw the transforms run along --length alone.", options.axes, 0, options.axes.size());
  RawSamples raw = read_raw(options.input, storage, options.length, options.drop_partial);
  job.dropped_bytes = raw.dropped;
  job.axes = {1};
  if (storage.wide) {
    job.in = std::move(raw.wide);
  } else {
    job.in = std::move(raw.array);
  }
}

std::string header_of_cfl(const std::string& path) { return path.substr(0, path.size() - std::string(".cfl").size()) + ".hdr"; }

std::vector<std::string> written_beside(const TransformOptions& options) {
  return options.output.ends_with(".cfl") ? std::vector{header_of_cfl(options.output)} : files_beside(options.output);
}

NarrowArray read_narrow_input(const TransformOptions& options) {
  NarrowArray narrow = read_narrow(options.input);
  if (options.input != options.output) refuse_to_replace(narrow.files, options.output, written_beside(options));
  return narrow;
}

void read_input(const TransformOptions& options, Job& job) {
  if (!raw_format(options).empty()) return read_raw_input(options, job);
  if (options.length != 0 && !(options.real && options.inverse)) {
    throw UsageError("--length belongs to --raw and to --real --inverse: this file says its own shape.", std::to_string(options.length),
                     0, 20);
  }
  if (options.drop_partial) throw UsageError("--drop-partial belongs to --raw.", "--drop-partial", 0, 14);
  if ((options.real || is_r2r(options)) && is_narrow_file(options.input)) {
    NarrowArray narrow = read_narrow_input(options);
    if (narrow.is_complex == reads_reals(options)) {
      throw Failure(options.input + ": numbers: they are " + (narrow.is_complex ? "complex" : "real") + ", but " + name_of_reals(options) +
                    (reads_reals(options) ? " reads real numbers." : " --inverse reads a spectrum."));
    }
    job.in = std::move(narrow);
  } else if (reads_reals(options)) {
    if (std::optional<NarrowArray> narrow = read_npy_narrow(options.input)) {
      job.in = std::move(*narrow);
    } else {
      job.in = read_real_npy(options.input);
    }
  } else if (is_narrow_file(options.input)) {
    NarrowArray narrow = read_narrow_input(options);
    if (narrow.is_complex) {
      job.in = std::move(narrow);
    } else {
      job.in = decode(narrow, std::string(narrow.storage.format.compute) == "f64");  // as any file of real numbers
    }
  } else {
    Array array = read_array(options.input);
    job.input_is_npy = array.kind == FileKind::kNpy;
    job.in = std::move(array);
  }
  job.axes = options.axes.empty() ? only_axis(options.input, shape_of(job.in)) : read_axes(options.axes, shape_of(job.in), job.input_is_npy);
  if (options.real) job.halved_axis = job.axes.back();
}

// The formats of the plan: those of --storage, else what the input holds.
void choose_formats(const TransformOptions& options, FileKind out_kind, Job& job) {
  const bool narrow_file = is_narrow_file(options.output);
  const auto wrong_output = [&](const std::string& message) { throw UsageError(message, options.output, 0, options.output.size()); };
  const auto [in_format, out_format] = read_storage(options.storage);
  if (in_format) {
    job.in_format = *in_format;
    job.out_format = *out_format;
  } else {
    const std::string found = storage_of(job.in);
    job.in_format = storage_facts(found, found);
    if (narrow_file && job.in_format.wide)
      wrong_output("Say with --storage in which format " + options.output + " is to be, e.g. --storage " + found + ":f16.");
    const std::string compute = job.in_format.format.compute;
    job.out_format = narrow_file || job.in_format.wide ? job.in_format : storage_facts(compute, compute);
  }
  if (narrow_file && job.out_format.wide) wrong_output("An array of " + job.out_format.name + " is a .npy file.");
  if (out_kind == FileKind::kCfl && !job.out_format.wide) {
    wrong_output("A result in " + job.out_format.name + " goes to a .json file as it is, or to a .npy file as numbers.");
  }
  if (options.exponents && job.out_format.wide) {
    throw UsageError("--exponents belongs to a result in narrow storage, see --storage; " + job.out_format.name + " has its own.", "--exponents", 0, 11);
  }
}

// Narrow rows run along a transformed axis: that of the input where it has them, else the last.
void choose_rows(const TransformOptions& options, Job& job) {
  if (job.in_format.wide && job.out_format.wide) return;
  job.row_axis = options.real ? job.halved_axis : *std::max_element(job.axes.begin(), job.axes.end());
  const auto* narrow = std::get_if<NarrowArray>(&job.in);
  if (narrow == nullptr || !narrow->storage.in_rows() || job.in_format.name != narrow->storage.name) return;
  const bool is_last = !options.real || narrow->axis == job.halved_axis;
  if (!is_last || std::find(job.axes.begin(), job.axes.end(), narrow->axis) == job.axes.end()) {
    throw Failure(options.input + ": axis: the rows of " + narrow->storage.name + " run along axis " + std::to_string(narrow->axis) +
                  ", which is not " + (is_last ? "transformed" : "the one that --axes names last") + ". Convert it first: ulpfft convert " + options.input + " OUT.json --to " +
                  narrow->storage.name + " --axis " + std::to_string(job.row_axis) + ".");
  }
  job.row_axis = narrow->axis;
}

// The input in the format of the plan. One exponent for each transform goes with it, whatever its codes become; others are part of the numbers.
void convert_input(const TransformOptions& options, Job& job) {
  std::vector<std::int32_t> exponents;
  std::vector<std::int64_t> exponent_shape;
  if (auto* narrow = std::get_if<NarrowArray>(&job.in); narrow != nullptr && !narrow->exponents.empty() && !job.in_format.wide) {
    const auto differs = std::find_if(job.axes.begin(), job.axes.end(), [&](std::size_t axis) { return narrow->exponent_shape[axis] != 1; });
    if (differs == job.axes.end()) {
      exponents = std::exchange(narrow->exponents, {});
      exponent_shape = std::exchange(narrow->exponent_shape, {});
    } else if (job.in_format.name == narrow->storage.name) {
      throw Failure(options.input + ": exponent_shape: the exponents differ along axis " + std::to_string(*differs) +
                    ", which is transformed. Convert it first, to a format with the range: ulpfft convert " + options.input + " OUT.npy --to f64.");
    }
  }
  if (auto* wide = std::get_if<Array>(&job.in); wide != nullptr && job.row_axis != kNoAxis && !options.real) {
    while (wide->shape.size() > job.row_axis + 1 && wide->shape.back() == 1) wide->shape.pop_back();
    wide->is_real = false;
  }
  const auto* const numbers = std::get_if<Array>(&job.in);
  job.file_format = numbers != nullptr && !numbers->type.empty() ? numbers->type : storage_of(job.in);
  job.in = in_storage(std::move(job.in), job.in_format, job.row_axis, reads_reals(options), job.input_saturated);
  if (exponents.empty()) return;
  std::get<NarrowArray>(job.in).exponents = std::move(exponents);
  std::get<NarrowArray>(job.in).exponent_shape = std::move(exponent_shape);
}

std::size_t product(const std::vector<std::int64_t>& lengths) {
  std::size_t count = 1;
  for (const std::int64_t length : lengths) count *= static_cast<std::size_t>(length);
  return count;
}

// An Array or a RealArray of zeros.
template <typename WideArray>
WideArray allocated(WideArray array, bool is_double) {
  if (is_double) {
    array.data.template emplace<1>(product(array.shape));
  } else {
    array.data.template emplace<0>(product(array.shape));
  }
  return array;
}

// The shape of the array that the plan writes.
std::vector<std::int64_t> output_shape(const TransformOptions& options, const Job& job) {
  std::vector<std::int64_t> shape = shape_of(job.in);
  if (options.points != 0) shape[job.axes[0]] = options.points;
  if (!options.real || !options.multiply.empty()) return shape;
  std::int64_t& length = shape[job.halved_axis];
  length = options.inverse ? real_length(length, options.length) : length / 2 + 1;
  return shape;
}

// Of a plan between real numbers and their spectrum, in f32 or f64.
Stored make_real_output(const TransformOptions& options, const Job& job) {
  const bool is_double = job.out_format.format.bits == 64;
  const auto* const reals = std::get_if<RealArray>(&job.in);
  const auto* const spectrum = std::get_if<Array>(&job.in);
  const bool first_axis_fastest = reals != nullptr ? reals->first_axis_fastest : spectrum != nullptr && spectrum->first_axis_fastest;
  const auto make = [&](auto array) {
    array.shape = output_shape(options, job);
    array.first_axis_fastest = first_axis_fastest;
    return allocated(std::move(array), is_double);
  };
  return writes_reals(options) ? Stored(make(RealArray())) : Stored(make(Array()));
}

// The array that the plan writes.
Stored make_output(const TransformOptions& options, FileKind out_kind, const Job& job) {
  if ((is_r2r(options) || options.real || options.power) && job.out_format.wide) return make_real_output(options, job);
  if (job.out_format.wide) {
    Array like;
    like.shape = output_shape(options, job);
    like.kind = job.input_is_npy ? FileKind::kNpy : FileKind::kCfl;
    if (const auto* wide = std::get_if<Array>(&job.in)) like.first_axis_fastest = wide->first_axis_fastest;
    return allocated(prepare_output(like, out_kind), job.out_format.format.bits == 64);
  }
  NarrowArray result;
  result.storage = job.out_format;
  result.is_complex = !writes_reals(options);
  result.shape = output_shape(options, job);
  result.axis = job.row_axis;
  result.allocate();
  if (options.exponents) {
    result.exponent_shape = result.shape;
    for (const std::size_t axis : job.axes) result.exponent_shape[axis] = 1;
    result.exponents.assign(product(result.exponent_shape), 0);
  }
  return result;
}

ulpfft::Problem problem_of(const TransformOptions& options, const Job& job, AxesOfProblem& of_problem) {
  const auto end = [](const Stored& stored) { return std::visit([](const auto& array) { return end_of(array); }, stored); };
  const bool is_c2r = options.real && options.inverse;
  const std::size_t last_axis = options.real ? job.halved_axis : is_czt(options) ? job.axes[0] : job.row_axis;
  ulpfft::Problem problem = make_problem(shape_of(is_c2r ? job.out : job.in), end(job.in), end(job.out), job.axes, last_axis, of_problem);
  if (is_r2r(options)) {
    problem.kind = ulpfft::Kind::kR2R;
    problem.kinds.assign(problem.lengths.size(), r2r_kind(options));
  } else if (options.real) {
    problem.kind = is_c2r ? ulpfft::Kind::kC2R : ulpfft::Kind::kR2C;  // forward of c2r is exp(+2 pi i j k / n)
  } else {
    if (is_czt(options)) {
      problem.kind = ulpfft::Kind::kCzt;
      problem.points = options.points;
      problem.start = options.start.value_or(0);
      problem.step = options.step.value_or(0);
    }
    problem.direction = options.inverse ? ulpfft::Direction::kInverse : ulpfft::Direction::kForward;
  }
  problem.centered = options.centered;
  problem.scale = read_scale(options.scale);
  problem.scheme = options.precision.empty() ? options.scheme : scheme_of_precision(options.precision);
  problem.backend = options.backend;
  problem.prescale = read_prescale(options.prescale);
  problem.window = options.window;
  if (!options.multiply.empty()) problem.chain = "mul";
  if (options.power) problem.output = ulpfft::Output::kPower;
  return problem;
}

void execute(const TransformOptions& options, const ulpfft::Plan& plan, const AxesOfProblem& of_problem, Job& job, TransformReport& report) {
  ulpfft_array from = pointers_to(job.in);
  ulpfft_array to = pointers_to(job.out);
  std::vector<std::int32_t> in_exponents(report.transforms);
  if (const auto* narrow = std::get_if<NarrowArray>(&job.in); narrow != nullptr && !narrow->exponents.empty()) {
    visit_exponents(*narrow, of_problem.batch, [&](std::size_t transform, std::size_t at) { in_exponents[transform] = narrow->exponents[at]; });
    from.exponents = in_exponents.data();
  }
  if (options.exponents) {
    report.exponents.resize(report.transforms);
    to.exponents = report.exponents.data();
  }
  to.saturated = &report.saturated;
  to.underflowed = &report.underflowed;
  Numbers factors;
  ulpfft_operation multiply{};
  multiply.size = sizeof multiply;
  if (!options.multiply.empty()) {
    std::vector<std::int64_t> shape = shape_of(job.in);
    if (options.real) shape[job.halved_axis] = shape[job.halved_axis] / 2 + 1;
    factors = read_factors(options.multiply, shape, job.axes, of_problem.lengths, plan.recipe().starts_with("f64:"));
    multiply.factors = std::visit([](const auto& numbers) -> const void* { return numbers.data(); }, factors);
  }
  const auto start = std::chrono::steady_clock::now();
  ulpfft::detail::check(options.multiply.empty() ? ulpfft_execute_on_host(plan.get(), &from, &to)
                                                 : ulpfft_execute_chain(plan.get(), &from, &to, &multiply, nullptr));
  report.seconds = seconds_since(start);
  if (!options.exponents) return;
  auto& narrow = std::get<NarrowArray>(job.out);
  visit_exponents(narrow, of_problem.batch, [&](std::size_t transform, std::size_t at) { narrow.exponents[at] = report.exponents[transform]; });
}

// The files written.
std::vector<std::string> write_output(const TransformOptions& options, Job& job) {
  if (is_narrow_file(options.output)) {
    const auto& narrow = std::get<NarrowArray>(job.out);
    write_narrow(options.output, narrow);
    return files_of(options.output, narrow);
  }
  if (const auto* narrow = std::get_if<NarrowArray>(&job.out)) {
    if (!narrow->is_complex && narrow->exponents.empty() && has_numpy_type(narrow->storage)) {
      write_npy(options.output, *narrow);
      return {options.output};
    }
    Array numbers = decode(*narrow, std::string(job.out_format.format.compute) == "f64");
    job.out = numbers.is_real ? Stored(real_parts(numbers)) : Stored(std::move(numbers));
  }
  if (const auto* reals = std::get_if<RealArray>(&job.out)) {
    write_npy(options.output, *reals);
  } else {
    write_array(options.output, std::get<Array>(job.out));
  }
  if (!options.output.ends_with(".cfl")) return {options.output};
  return {options.output, header_of_cfl(options.output)};
}

void print(const TransformReport& report, const TransformOptions& options) {
  if (options.quiet) std::cerr << transform_warnings(report);
  if (const std::string warning = precision_warning(options.precision); !warning.empty() && (options.quiet || options.json)) {
    std::cerr << "Warning: " << warning << "\n";
  }
  if (options.json) {
    std::cout << transform_json(report);
  } else if (!options.quiet) {
    std::cout << transform_text(report);
    if (!options.precision.empty()) std::cout << report.precision;
  }
}

void run(const TransformOptions& options) {
  read_scale(options.scale);  // words that are wrong are told before a file is read
  read_prescale(options.prescale);
  const FileKind out_kind = is_narrow_file(options.output) ? FileKind::kNpy : kind_of(options.output);
  require_folder_of(options.output);
  require_folder_of(options.wisdom);
  read_storage(options.storage);
  check_options(options);
  refuse_to_replace({options.input, options.multiply}, options.output, written_beside(options));
  Job job;
  read_input(options, job);
  choose_formats(options, out_kind, job);
  choose_rows(options, job);
  convert_input(options, job);
  job.out = make_output(options, out_kind, job);
  AxesOfProblem of_problem;
  const ulpfft::Problem problem = problem_of(options, job, of_problem);

  ulpfft::Context context = open_context(options.target);
  if (!options.wisdom.empty() && is_there(options.wisdom)) context.import_wisdom(options.wisdom);
  TransformReport report;
  const auto start = std::chrono::steady_clock::now();
  const ulpfft::Plan plan = make_plan(context, problem, options);
  report.planning_seconds = seconds_since(start);
  for (const std::int64_t length : problem.batch) report.transforms *= static_cast<std::size_t>(length);
  report.multiplied = !options.multiply.empty();
  execute(options, plan, of_problem, job, report);
  report.shape = shape_of(job.out);
  report.files = write_output(options, job);
  if (!options.wisdom.empty() && !plan.from_wisdom()) context.export_wisdom(options.wisdom);
  report.input = options.input;
  report.output = options.output;
  if (options.real) report.kind = options.inverse ? "c2r" : "r2c";
  if (is_r2r(options)) report.kind = "r2r";
  if (is_czt(options)) report.kind = "czt";
  report.problem = plan.problem();
  report.recipe = plan.recipe();
  report.error = plan.error();
  if (!options.precision.empty() && !options.quiet) report.precision = precision_text(options.precision, plan);
  report.file_format = job.file_format;
  report.in_format = job.in_format;
  report.out_format = job.out_format;
  report.input_saturated = job.input_saturated;
  report.dropped_bytes = job.dropped_bytes;
  print(report, options);
}

// The files, and how numbers are stored.
void add_data_options(CLI::App* command, const std::shared_ptr<TransformOptions>& options) {
  command
      ->add_option("IN", options->input,
                   "NAME.npy (complex or real, of any NumPy type of numbers), NAME.cfl with NAME.hdr beside it, NAME.json in narrow "
                   "storage (see ulpfft convert), or, with --raw, samples without a header, also from a FIFO or, as -, from the "
                   "standard input")
      ->required();
  command
      ->add_option(
          "OUT", options->output,
          "File to write; replaced when complete. A .cfl file is rounded to f32; a .json file is in narrow storage. Real numbers in f16, "
          "i8 or i16 become float16, int8 or int16 in a .npy file; other narrow numbers become f32 or f64 there")
      ->required();
  command->add_option("--storage", options->storage,
                      "What the plan reads and writes, IN:OUT or one format for both, e.g. i16:f16; a file in another format is converted. "
                      " Without it, what IN holds, and f32 or f64 where OUT is .npy")
      ->transform(with_own_format_names)
      ->type_name("FORMAT");
  command->add_option("--scheme", options->scheme, "Arithmetic between load and store: f32, f64, rounded:<element>, mx:<block>, ...; without it that of the storage")
      ->transform(with_own_format_names)
      ->type_name("SCHEME");
  command->add_option("--precision", options->precision,
                      "A mode of trnfft as the name of a scheme: bf16 split:bf16, ozaki split:bf16x2, ozaki_hq split:bf16x2x3, fp32 f32, double f64")
      ->excludes("--scheme");
  command->add_option("--prescale", options->prescale,
                      "Multiplies each transform by a power of two before the arithmetic and divides the result by it: amax, so that nothing overflows in the "
                      "--scheme, or a number that the largest magnitude comes nearest to")
      ->capture_default_str();
  command->add_option("--window", options->window,
                      "Multiplies the input along every transformed axis by a window: hann, hamming, blackman, blackmanharris, nuttall, flattop, kaiser:B, "
                      "gauss:S, periodic, or with ':symmetric' behind the name the one whose ends are equal; as scipy.signal has them")
      ->capture_default_str();
  command->add_option("--multiply", options->multiply,
                      "There and back: multiplies the spectrum by the numbers in this file (.npy or .cfl, the shape of the transformed axes; with --real "
                      "n/2 + 1 of them along the axis named last) and transforms back, in one plan that never stores the spectrum. --scale is that of both ways together: 1/n for a convolution");
  command->add_flag("--exponents", options->exponents,
                    "Each transform of a narrow result gets a power of two of its own, so that nothing saturates and little ones keep their digits: "
                    "beside OUT.json in OUT.exponents.npy; in a .npy file the numbers are multiplied by it");
  command->add_option(
      "--raw", options->raw,
      "Read headerless I/Q samples: i16 (cs16, sc16), u8 (cu8), f32 (cf32). Not needed where the name of IN ends so, e.g. in .cs16");
  command->add_option("--length", options->length,
                      "With --raw: samples of a transform, e.g. 4096 or 4k. With --real --inverse: real numbers of a transform; without it "
                      "the even one of the two lengths that have a spectrum like this")
      ->transform(read_length)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command->add_flag("--drop-partial", options->drop_partial, "With --raw: leave out samples at the end that fill no transform, instead of refusing");
}

// Which transform.
void add_transform_options(CLI::App* command, const std::shared_ptr<TransformOptions>& options) {
  command->add_option("--axes", options->axes,
                      "Axes to transform, as the file numbers them, e.g. 0,1. NumPy axes may be negative: -1 is the last");
  command->add_flag("--inverse", options->inverse, "exp(+2 pi i j k / n) instead of exp(-2 pi i j k / n)");
  command->add_flag("--real", options->real,
                    "From n real numbers to the n/2 + 1 numbers of their spectrum that are not conjugates of others, along the axis that "
                    "--axes names last. With --inverse from such a spectrum to real numbers. Either file is a .npy file or, in narrow storage, a .json file");
  command->add_flag("--power", options->power,
                    "The power re * re + im * im of each number of the spectrum in place of the number. OUT is a .npy file or, in narrow storage, "
                    "a .json file");
  command->add_option("--dct", options->dct,
                      "The discrete cosine transform of this type, 1 to 4, as scipy.fft.dctn computes it (unscaled; --scale 1/n divides by "
                      "2 n, of type 1 by 2 (n - 1), along every axis); with --inverse the type that inverts it. Both files hold real numbers, in .npy or, in narrow storage, in .json files")
      ->check(CLI::Range(1, 4));
  command->add_option("--dst", options->dst, "The discrete sine transform, likewise; of type 1 --scale 1/n divides by 2 (n + 1)")->check(CLI::Range(1, 4));
  command->add_option("--points", options->points,
                      "The spectrum at so many frequencies of one axis, those that --start and --step name, instead of as many as samples")
      ->transform(read_length)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30));
  command->add_option("--start", options->start,
                      "The first of these frequencies, a part of the sampling rate: 0.25 is a quarter of it; may be negative");
  command->add_option("--step", options->step, "From one of these frequencies to the next; without it 1 / points, once around");
  command->add_flag("--centered", options->centered, "Index 0 of space and frequency lies at floor(n/2) of every axis");
  command->add_option("--scale", options->scale, "Factor of the result: none, ortho (1/sqrt n), 1/n, or a number")
      ->capture_default_str();
}

// How it is planned and told.
void add_plan_options(CLI::App* command, const std::shared_ptr<TransformOptions>& options) {
  command->add_option("--effort", options->effort, "estimate: plan by a cost model; measure: by timing")
      ->check(one_of({"estimate", "measure"}), "{estimate,measure}")
      ->capture_default_str();
  command->add_option("--target", options->target, "Instruction set, e.g. avx3 (AVX-512); see ulpfft info. Without it, the best of this machine")->type_name("TARGET");
  command->add_option("--backend", options->backend, "hwy, ref or cuda: what computes. With cuda arrays are copied to the device and back");
  command->add_option("--wisdom", options->wisdom, "Read remembered plans from this file, and add the new one");
  command->add_flag("--json", options->json, "Print as JSON: files, shape, recipe, seconds, error, what saturated");
  command->add_flag("--quiet", options->quiet, "Print nothing when all is well");
}

}  // namespace transform_command
}  // namespace

void add_transform(CLI::App& app) {
  using namespace transform_command;
  CLI::App* command = app.add_subcommand("transform", "Transform a .npy or BART .cfl file");
  const auto options = std::make_shared<TransformOptions>();
  add_data_options(command, options);
  add_transform_options(command, options);
  add_plan_options(command, options);
  command->footer(
      "Examples:\n"
      "  ulpfft transform in.npy out.npy --axes -1                     as numpy.fft.fft(x)\n"
      "  ulpfft transform in.npy out.npy --axes 1,2 --inverse --scale 1/n   as numpy.fft.ifft2 of a stack of images\n"
      "  ulpfft transform image.npy spectrum.npy --axes 0,1 --real       as numpy.fft.rfft2(x)\n"
      "  ulpfft transform samples.npy power.npy --real --power   as numpy.abs(numpy.fft.rfft(x)) ** 2\n"
      "  ulpfft transform x.npy band.npy --points 500 --start 0.1 --step 1e-4   as scipy.signal.zoom_fft(x, [0.1, 0.15], 500, fs=1)\n"
      "  ulpfft transform spectrum.npy image.npy --axes 0,1 --real --inverse --scale 1/n   as numpy.fft.irfft2(x)\n"
      "  ulpfft transform image.npy coefficients.npy --axes 0,1 --dct 2 --scale ortho   as scipy.fft.dctn(x, norm='ortho')\n"
      "  ulpfft transform kspace.cfl image.cfl --axes 0,1 --inverse --centered --scale ortho   as bart fft -iu 3\n"
      "  ulpfft transform capture.cs16 spectrum.npy --raw cs16 --length 4096\n"
      "  ulpfft transform - spectrum.npy --raw cu8 --length 4096 --drop-partial < capture.cu8\n"
      "  ulpfft transform capture.cs16 spectrum.json --raw i16 --length 4096 --storage i16:f16 --scale 1/n\n"
      "  ulpfft transform in.npy out.json --axes -1 --storage e4m3 --exponents --json\n"
      "  ulpfft transform in.npy out.npy --axes -1 --scheme mx:mxfp8_e4m3   products by twiddles in MX arithmetic\n"
      "  ulpfft transform image.npy blurred.npy --axes 0,1 --multiply lowpass.npy --scale 1/n   a convolution, or filter\n"
      "\n"
      "Along the other axes lie transforms of their own. Without --real, real numbers are read as complex. IN and OUT may be the same file.\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

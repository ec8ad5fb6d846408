// ulpfft transform: from one file of complex numbers to another.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
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
#include "tools/ulpfft/narrow_file.h"
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
  std::string storage;
  std::string scheme;
  std::string multiply;
  std::string prescale = "none";
  std::string raw;
  std::int64_t length = 0;
  bool drop_partial = false;
  bool exponents = false;
  bool inverse = false;
  bool centered = false;
  bool quiet = false;
};

// One axis of the array, as a plan sees it.
struct Extent {
  std::int64_t length;
  std::int64_t in_stride;
  std::int64_t out_stride;
  bool is_row = false;  // narrow rows run along it: it comes last, whatever its length
  std::size_t axis = 0;  // of the file
};

// "0,1" or "-1"; negative numbers count from the last axis of a .npy file.
std::vector<std::size_t> read_axes(const std::string& text, const std::vector<std::int64_t>& shape, bool negative_allowed) {
  const auto rank = static_cast<std::int64_t>(shape.size());
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
std::vector<std::size_t> only_axis(const std::string& path, const std::vector<std::int64_t>& shape) {
  std::vector<std::size_t> longer;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1) longer.push_back(i);
  }
  if (longer.empty()) return {0};
  if (longer.size() == 1) return longer;
  throw Failure(path + " has the shape " + show_lengths(shape) + ": say with --axes which of the axes 0 to " +
                std::to_string(shape.size() - 1) + " to transform, e.g. --axes " + std::to_string(longer[0]) + "," +
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

ulpfft::Prescale read_prescale(const std::string& text) {
  if (text == "none") return ulpfft::Prescale::kNone;
  if (text == "amax") return ulpfft::Prescale::kAmax;
  double magnitude = 0.0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  if (failure != std::errc{} || stop != text.data() + text.size() || !std::isfinite(magnitude) || magnitude <= 0.0) {
    throw UsageError("--prescale takes none, amax or the finite number above 0 that the largest magnitude is to come nearest to.", text, 0, text.size());
  }
  return ulpfft::Prescale::target(magnitude);
}

// Slowest first, so that a dense array gives a dense problem; axes of length 1 change nothing and are left out.
void order(std::vector<Extent>& extents) {
  std::erase_if(extents, [](const Extent& extent) { return extent.length == 1 && !extent.is_row; });
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.is_row != b.is_row ? b.is_row : a.in_stride > b.in_stride; });
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

// One end of a transform: an array in memory, wide or narrow.
struct End {
  std::string storage;              // as the problem spells it
  std::vector<std::int64_t> strides;  // in elements, of every axis
  std::int64_t row_length = 1;      // elements that a stride of 1 stands for in any but the last length
};

End end_of(const Array& array) { return {array.is_double() ? "f64" : "f32", array.strides()}; }

End end_of(const NarrowArray& array) {
  return {array.storage.name, array.strides(), array.storage.in_rows() ? array.shape[array.axis] : 1};
}

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

// Of the array, in the order of the problem's lengths and batch.
struct AxesOfProblem {
  std::vector<std::size_t> lengths, batch;
};

// `row_axis`: along which narrow rows of either end run.
ulpfft::Problem make_problem(const std::vector<std::int64_t>& shape, const End& in, const End& out, const std::vector<std::size_t>& axes,
                             std::size_t row_axis, AxesOfProblem& of_problem) {
  std::vector<Extent> lengths;
  std::vector<Extent> batch;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool transformed = std::find(axes.begin(), axes.end(), i) != axes.end();
    const std::int64_t out_stride = i < out.strides.size() ? out.strides[i] : 1;  // an axis left out has length 1
    (transformed ? lengths : batch).push_back({shape[i], in.strides[i], out_stride, i == row_axis, i});
  }
  order(lengths);
  for (const Extent& extent : lengths) of_problem.lengths.push_back(extent.axis);
  if (lengths.empty()) lengths.push_back({1, 1, 1});
  order(batch);
  for (const Extent& extent : batch) of_problem.batch.push_back(extent.axis);
  join(batch);
  ulpfft::Problem problem;
  for (const Extent& extent : lengths) {
    const bool last = &extent == &lengths.back();
    problem.lengths.push_back(extent.length);
    problem.in_strides.push_back(last ? extent.in_stride : extent.in_stride / in.row_length);
    problem.out_strides.push_back(last ? extent.out_stride : extent.out_stride / out.row_length);
  }
  for (const Extent& extent : batch) {
    problem.batch.push_back(extent.length);
    problem.batch_in_strides.push_back(extent.in_stride / in.row_length);
    problem.batch_out_strides.push_back(extent.out_stride / out.row_length);
  }
  problem.storage = in.storage;
  problem.storage_out = out.storage;
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

// An array at either end of a plan, or in a file.
using Stored = std::variant<Array, NarrowArray>;

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
    std::visit([&](auto& numbers) { array.data[0] = numbers.data(); }, std::get<Array>(stored).data);
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

Array in_type(const Array& array, bool as_double) {
  if (array.is_double() == as_double) return array;
  Array result = array;
  std::visit(
      [&](const auto& numbers) {
        if (as_double) {
          result.data = std::vector<std::complex<double>>(numbers.begin(), numbers.end());
        } else {
          result.data = std::vector<std::complex<float>>(numbers.begin(), numbers.end());
        }
      },
      array.data);
  return result;
}

// The array in another format; narrow rows along `axis`.
Stored in_storage(Stored stored, const StorageFacts& storage, std::size_t axis, std::int64_t& saturated) {
  if (storage_of(stored) == storage.name) return stored;
  if (const auto* narrow = std::get_if<NarrowArray>(&stored)) stored = decode(*narrow, !storage.wide || storage.format.bits == 64);
  if (storage.wide) return in_type(std::get<Array>(stored), storage.format.bits == 64);
  return encode(std::get<Array>(stored), storage, axis, Rounding{}, saturated);
}

// The formats named by --storage, "IN->OUT" or one for both; empty: not named.
std::pair<std::optional<StorageFacts>, std::optional<StorageFacts>> read_storage(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t arrow = text.find("->");
  const StorageFacts in = storage_facts(text.substr(0, arrow), text);
  return {in, arrow == text.npos ? in : storage_facts(text.substr(arrow + 2), text, arrow + 2)};
}

struct Input {
  Stored stored;
  std::int64_t dropped = 0;  // bytes of a partial transform
};

Input read_input(const Options& options) {
  if (options.raw.empty()) {
    if (options.length != 0) throw UsageError("--length belongs to --raw: this file says its own shape.", std::to_string(options.length), 0, 20);
    if (options.drop_partial) throw UsageError("--drop-partial belongs to --raw.", "--drop-partial", 0, 14);
    if (!is_narrow_file(options.input)) return {read_array(options.input)};
    NarrowArray narrow = read_narrow(options.input);
    if (narrow.is_complex) return {std::move(narrow)};
    Array numbers = decode(narrow, std::string(narrow.storage.format.compute) == "f64");  // as any file of real numbers
    return {std::move(numbers)};
  }
  const StorageFacts storage = storage_facts(options.raw, options.raw);
  if (storage.blocks) {
    throw UsageError("Samples of " + options.raw + " have scales beside them; --raw takes formats without, e.g. i16.", options.raw, 0, options.raw.size());
  }
  if (options.length == 0) throw UsageError("--raw needs --length: how many samples a transform has.", options.raw, 0, options.raw.size());
  if (!options.axes.empty()) throw UsageError("With --raw the transforms run along --length alone.", options.axes, 0, options.axes.size());
  RawSamples raw = read_raw(options.input, storage, options.length, options.drop_partial);
  if (storage.wide) return {std::move(raw.wide), raw.dropped};
  return {std::move(raw.array), raw.dropped};
}

void run(const Options& options) {
  const ulpfft::Scale scale = read_scale(options.scale);
  const ulpfft::Prescale prescale = read_prescale(options.prescale);
  const bool narrow_file = is_narrow_file(options.output);
  const FileKind out_kind = narrow_file ? FileKind::kNpy : kind_of(options.output);
  auto [in_format, out_format] = read_storage(options.storage);
  auto [in, dropped] = read_input(options);
  const bool is_npy = !std::holds_alternative<Array>(in) || std::get<Array>(in).kind == FileKind::kNpy;
  const std::vector<std::size_t> axes = !options.raw.empty()  ? std::vector<std::size_t>{1}
                                        : options.axes.empty() ? only_axis(options.input, shape_of(in))
                                                               : read_axes(options.axes, shape_of(in), is_npy);
  if (!in_format) {
    const std::string found = storage_of(in);
    in_format = storage_facts(found, found);
    if (narrow_file && in_format->wide) {
      throw UsageError("Say with --storage in which format " + options.output + " is to be, e.g. --storage \"" + found + "->f16\".",
                       options.output, 0, options.output.size());
    }
    out_format = narrow_file || in_format->wide ? *in_format : storage_facts(in_format->format.compute, in_format->format.compute);
  }
  if (narrow_file && out_format->wide) {
    throw UsageError("An array of " + out_format->name + " is a .npy file.", options.output, 0, options.output.size());
  }
  if (out_kind == FileKind::kCfl && !out_format->wide) {
    throw UsageError("A result in " + out_format->name + " goes to a .json file as it is, or to a .npy file as numbers.", options.output, 0,
                     options.output.size());
  }

  if (options.exponents && out_format->wide) {
    throw UsageError("--exponents belongs to a result in narrow storage, see --storage; " + out_format->name + " has its own.", "--exponents", 0, 11);
  }

  // Narrow rows run along a transformed axis: that of the input where it has them, else the last.
  std::size_t row_axis = in_format->wide && out_format->wide ? kNoRow : *std::max_element(axes.begin(), axes.end());
  const auto* narrow_in = std::get_if<NarrowArray>(&in);
  if (narrow_in != nullptr && narrow_in->storage.in_rows() && in_format->name == narrow_in->storage.name) {
    if (std::find(axes.begin(), axes.end(), narrow_in->axis) == axes.end()) {
      throw Failure(options.input + ": axis: the rows of " + narrow_in->storage.name + " run along axis " + std::to_string(narrow_in->axis) +
                    ", which is not transformed. Convert it first: ulpfft convert " + options.input + " OUT.json --to " +
                    narrow_in->storage.name + " --axis " + std::to_string(row_axis) + ".");
    }
    row_axis = narrow_in->axis;
  }
  // One exponent for each transform goes with it, whatever its codes become; others are part of the numbers.
  std::vector<std::int32_t> exponents;
  std::vector<std::int64_t> exponent_shape;
  if (narrow_in != nullptr && !narrow_in->exponents.empty() && !in_format->wide) {
    const auto differs = std::find_if(axes.begin(), axes.end(), [&](std::size_t axis) { return narrow_in->exponent_shape[axis] != 1; });
    if (differs == axes.end()) {
      auto& narrow = std::get<NarrowArray>(in);
      exponents = std::exchange(narrow.exponents, {});
      exponent_shape = std::exchange(narrow.exponent_shape, {});
    } else if (in_format->name == narrow_in->storage.name) {
      throw Failure(options.input + ": exponent_shape: the exponents differ along axis " + std::to_string(*differs) +
                    ", which is transformed. Convert it first, to a format with the range: ulpfft convert " + options.input + " OUT.npy --to f64.");
    }
  }
  if (auto* wide = std::get_if<Array>(&in); wide != nullptr && row_axis != kNoRow) {
    while (wide->shape.size() > row_axis + 1 && wide->shape.back() == 1) wide->shape.pop_back();
    wide->is_real = false;
  }
  std::int64_t input_saturated = 0;
  const std::string file_format = storage_of(in);
  const bool was_cfl = !is_npy;
  in = in_storage(std::move(in), *in_format, row_axis, input_saturated);
  if (!exponents.empty()) {
    std::get<NarrowArray>(in).exponents = std::move(exponents);
    std::get<NarrowArray>(in).exponent_shape = std::move(exponent_shape);
  }

  Stored out;
  if (out_format->wide) {
    Array like;
    like.shape = shape_of(in);
    like.kind = was_cfl ? FileKind::kCfl : FileKind::kNpy;
    if (const auto* wide = std::get_if<Array>(&in)) like.first_axis_fastest = wide->first_axis_fastest;
    Array result = prepare_output(like, out_kind);
    std::size_t count = 1;
    for (const std::int64_t length : result.shape) count *= static_cast<std::size_t>(length);
    if (out_format->format.bits == 64) {
      result.data = std::vector<std::complex<double>>(count);
    } else {
      result.data = std::vector<std::complex<float>>(count);
    }
    out = std::move(result);
  } else {
    NarrowArray result;
    result.storage = *out_format;
    result.shape = shape_of(in);
    result.axis = row_axis;
    result.allocate();
    if (options.exponents) {
      result.exponent_shape = result.shape;
      for (const std::size_t axis : axes) result.exponent_shape[axis] = 1;
      std::size_t count = 1;
      for (const std::int64_t length : result.exponent_shape) count *= static_cast<std::size_t>(length);
      result.exponents.assign(count, 0);
    }
    out = std::move(result);
  }
  const auto end = [](const Stored& stored) { return std::visit([](const auto& array) { return end_of(array); }, stored); };
  AxesOfProblem of_problem;
  ulpfft::Problem problem = make_problem(shape_of(in), end(in), end(out), axes, row_axis, of_problem);
  problem.direction = options.inverse ? ulpfft::Direction::kInverse : ulpfft::Direction::kForward;
  problem.centered = options.centered;
  problem.scale = scale;
  problem.scheme = options.scheme;
  problem.prescale = prescale;
  if (!options.multiply.empty()) problem.chain = "mul";

  ulpfft::Context context = open_context(options.target);
  if (!options.wisdom.empty() && std::filesystem::exists(options.wisdom)) context.import_wisdom(options.wisdom);
  auto start = std::chrono::steady_clock::now();
  const ulpfft::Plan plan = make_plan(context, problem, options);
  const double planning = seconds_since(start);
  ulpfft_array from = pointers_to(in);
  ulpfft_array to = pointers_to(out);
  std::size_t transforms = 1;
  for (const std::int64_t length : problem.batch) transforms *= static_cast<std::size_t>(length);
  std::vector<std::int32_t> in_exponents(transforms), out_exponents(transforms);
  if (const auto* narrow = std::get_if<NarrowArray>(&in); narrow != nullptr && !narrow->exponents.empty()) {
    visit_exponents(*narrow, of_problem.batch, [&](std::size_t transform, std::size_t at) { in_exponents[transform] = narrow->exponents[at]; });
    from.exponents = in_exponents.data();
  }
  if (options.exponents) to.exponents = out_exponents.data();
  std::int64_t saturated = 0;
  to.saturated = &saturated;
  Numbers factors;
  ulpfft_operation product{};
  product.size = sizeof product;
  if (!options.multiply.empty()) {
    factors = read_factors(options.multiply, shape_of(in), axes, of_problem.lengths, plan.recipe().starts_with("f64:"));
    product.factors = std::visit([](const auto& numbers) -> const void* { return numbers.data(); }, factors);
  }
  start = std::chrono::steady_clock::now();
  ulpfft::detail::check(options.multiply.empty() ? ulpfft_execute_arrays(plan.get(), &from, &to, nullptr)
                                                 : ulpfft_execute_chain(plan.get(), &from, &to, &product, nullptr));
  const double executing = seconds_since(start);
  if (options.exponents) {
    auto& narrow = std::get<NarrowArray>(out);
    visit_exponents(narrow, of_problem.batch, [&](std::size_t transform, std::size_t at) { narrow.exponents[at] = out_exponents[transform]; });
  }

  const std::vector<std::int64_t> shape = shape_of(out);
  std::size_t numbers = 2;
  for (const std::int64_t length : shape) numbers *= static_cast<std::size_t>(length);
  if (narrow_file) {
    write_narrow(options.output, std::get<NarrowArray>(out));
  } else {
    if (const auto* narrow = std::get_if<NarrowArray>(&out)) out = decode(*narrow, std::string(out_format->format.compute) == "f64");
    write_array(options.output, std::get<Array>(out));
  }
  if (!options.wisdom.empty() && !plan.from_wisdom()) context.export_wisdom(options.wisdom);
  // Blocks may saturate by their scale rule; elements should not, and quiet is for when all is well.
  const bool in_range = input_saturated == 0 && (out_format->wide || saturated == 0);
  if (options.quiet && !in_range && !in_format->blocks && !out_format->blocks) {
    std::cerr << options.output << ": " << input_saturated << " real numbers of the input and " << (out_format->wide ? 0 : saturated)
              << " of the result saturated\n";
  }
  if (options.quiet) return;
  std::string beside;  // what the prediction leaves out
  if (!options.multiply.empty()) beside += ", with factors of magnitude 1";
  if (file_format != in_format->name && !in_format->wide) beside += ", of the input as converted";
  if (!in_range) beside += ", of what does not saturate";
  std::cout << options.output << ": " << show_lengths(shape) << "\n"
            << "  problem    " << plan.problem() << "\n"
            << "  recipe     " << plan.recipe() << "\n"
            << "  time       " << show_seconds(executing) << ", after " << show_seconds(planning) << " of planning\n"
            << "  error      " << show_error(plan.error()) << " predicted, relative" << beside << "\n";
  if (file_format != in_format->name) {
    std::cout << "  input      " << file_format << ", converted to " << in_format->name << "; " << input_saturated << " real numbers saturated\n";
  }
  if (plan.recipe().starts_with("rounded:")) {
    std::cout << "  overflow   " << saturated << " operations went beyond the largest value of the scheme\n";
  } else if (!out_format->wide) {
    std::cout << "  saturated  " << saturated << " of " << numbers << " real numbers of the result"
              << (saturated > 0 && !out_format->blocks && !options.exponents ? "; --scale 1/n or ortho makes it smaller, --exponents keeps its range\n" : "\n");
  }
  if (options.exponents) {
    const auto [least, most] = std::minmax_element(out_exponents.begin(), out_exponents.end());
    std::cout << "  exponents  " << *least << " to " << *most << ", one of each of " << transforms << (transforms == 1 ? " transform\n" : " transforms\n");
  }
  if (dropped != 0) std::cout << "  left out   " << dropped << " bytes of a partial transform at the end\n";
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* command = app.add_subcommand("transform", "Transform a .npy or BART .cfl file");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "NAME.npy (complex or real, f32 or f64), NAME.cfl with NAME.hdr beside it, NAME.json in narrow storage (see ulpfft convert), or, "
                      "with --raw, samples without a header")
      ->required();
  command->add_option("OUT", options->output, "File to write; replaced when complete. A .cfl file is rounded to f32; a .json file is in narrow storage")->required();
  command->add_option("--storage", options->storage,
                      "What the plan reads and writes, \"IN->OUT\" or one format for both, e.g. \"i16->f16\"; a file in another format is "
                      "converted. Without it, what IN holds, and f32 or f64 where OUT is .npy");
  command->add_option("--scheme", options->scheme, "Arithmetic between load and store: f32, f64, rounded:<element>, mx:<block>, ...; without it that of the storage");
  command->add_option("--prescale", options->prescale,
                      "Multiplies each transform by a power of two before the arithmetic and divides the result by it: amax, so that nothing overflows in the "
                      "--scheme, or a number that the largest magnitude comes nearest to")
      ->capture_default_str();
  command->add_option("--multiply", options->multiply,
                      "There and back: multiplies the spectrum by the numbers in this file (.npy or .cfl, the shape of the transformed axes) and transforms "
                      "back, in one plan that never stores the spectrum. --scale is that of both ways together: 1/n for a convolution");
  command->add_flag("--exponents", options->exponents,
                    "Each transform of a narrow result gets a power of two of its own, so that nothing saturates and little ones keep their digits: "
                    "beside OUT.json in OUT.exponents.npy; in a .npy file the numbers are multiplied by it");
  command->add_option("--raw", options->raw,
                      "IN is interleaved samples, re first, in this format and without a header: i16 (.cs16), u8 (.cu8), f32 (.cf32), ...");
  command->add_option("--length", options->length, "Samples of a transform, with --raw")->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command->add_flag("--drop-partial", options->drop_partial, "With --raw: leave out samples at the end that fill no transform, instead of refusing");
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
      "  ulpfft transform capture.cs16 spectrum.npy --raw i16 --length 4096\n"
      "  ulpfft transform capture.cs16 spectrum.json --raw i16 --length 4096 --storage \"i16->f16\" --scale 1/n\n"
      "  ulpfft transform in.npy out.json --axes -1 --storage e4m3 --exponents\n"
      "  ulpfft transform in.npy out.npy --axes -1 --scheme mx:mxfp8_e4m3   products by twiddles in MX arithmetic\n"
      "  ulpfft transform image.npy blurred.npy --axes 0,1 --multiply lowpass.npy --scale 1/n   a convolution, or filter\n"
      "\n"
      "The other axes are transformed one by one. Real numbers are read as complex. IN and OUT may be the same file.\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

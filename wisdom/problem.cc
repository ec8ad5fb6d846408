// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "wisdom/error.h"
#include "wisdom/problem_fields.h"
#include "wisdom/problem_text.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

// Bytes of the largest complex element; extents are checked for it, whatever the storage.
constexpr std::int64_t kLargestElementBytes = 16;
// Exact search for coinciding outputs is tried up to this many elements (8 MiB of offsets).
constexpr std::int64_t kExactElements = std::int64_t{1} << 20;

[[noreturn]] void refuse(std::string_view field, SentenceParts sentence) {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, std::string(field), joined(sentence));
}

[[noreturn]] void unsupported(std::string_view field, SentenceParts sentence) {
  throw PlanError(ULPFFT_UNSUPPORTED, std::string(field), joined(sentence));
}

std::int64_t product_of_lengths(const std::vector<Dimension>& dims, std::string_view name) {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (__builtin_mul_overflow(product, dims[i].length, &product)) {
      refuse(indexed(name, i),
             {"The product of the lengths exceeds 64 bits at ", indexed(name, i), " = ", print_integer(dims[i].length), "."});
    }
  }
  return product;
}

bool is_real_kind(const Problem& problem) { return problem.kind != Kind::kC2C && problem.kind != Kind::kCzt; }

// Reals of a row that holds either n real numbers or their spectrum, in place; false when they exceed 64 bits.
bool padded_row(std::int64_t n, std::int64_t& reals) { return !__builtin_mul_overflow(n / 2 + 1, 2, &reals); }

// Dense strides of one side, innermost last; false when they exceed 64 bits. Of packed and block storage, outer ones count rows.
bool dense_strides(const Problem& problem, bool output, std::vector<std::int64_t>& dims, std::vector<std::int64_t>& batch) {
  const bool rows = keeps_rows(output ? problem.storage_out : problem.storage_in);
  const bool padded = problem.placement == Placement::kInPlace && holds_reals(problem, output) && !holds_reals(problem, !output);
  std::int64_t stride = 1;
  std::int64_t points = 1;
  bool fits = true;
  bool innermost = true;
  const auto fill = [&](const std::vector<Dimension>& from, std::vector<std::int64_t>& to) {
    to.assign(from.size(), 0);
    for (std::size_t i = from.size(); i-- > 0;) {
      to[i] = stride;
      std::int64_t length = stored_length(problem, from[i], output);
      if (padded && innermost) fits = padded_row(from[i].length, length) && fits;
      fits = !__builtin_mul_overflow(points, length, &points) && fits;
      if (!(rows && innermost)) fits = !__builtin_mul_overflow(stride, length, &stride) && fits;
      innermost = false;
    }
  };
  fill(problem.dims, dims);
  fill(problem.batch, batch);
  return fits;
}

// One dimension of one side, for extents and coincidence. Dimensions of length 1 do not occur: they do not move.
struct Span {
  std::int64_t stride = 0;  // magnitude
  std::int64_t count = 0;
  const char* strides = "";  // their name
  std::size_t index = 0;
  std::string field() const { return indexed(strides, index); }
  std::int64_t reach() const { return stride * (count - 1); }  // fits: checked before
};

enum class Side : std::uint8_t { kIn, kOut };

// Refuses stride 0 and extents beyond 64 bits on the way.
std::vector<Span> spans_of(const Problem& problem, Side side) {
  std::vector<Span> spans;
  std::int64_t extent = 1;
  const std::string& storage = side == Side::kIn ? problem.storage_in : problem.storage_out;
  const bool rows = keeps_rows(storage);
  const Dimension& last = problem.dims.back();
  const std::int64_t row_length = stored_length(problem, last, side == Side::kOut);
  const auto collect = [&](const std::vector<Dimension>& dims, const char* strides) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::int64_t length = stored_length(problem, dims[i], side == Side::kOut);
      if (length == 1) continue;
      std::int64_t stride = side == Side::kIn ? dims[i].in_stride : dims[i].out_stride;
      const auto field = [&] { return indexed(strides, i); };
      const bool in_row = &dims[i] == &last;
      if (rows && in_row && stride != 1) {
        refuse(field(), {field(), " is ", print_integer(stride), ", but rows of ", storage,
                         " run along the last length: its numbers are adjacent, stride 1."});
      }
      if (stride == 0) {
        refuse(field(), {field(), " is 0, but this dimension has length ", print_integer(length),
                         ": its elements would coincide. Use a stride other than 0."});
      }
      std::int64_t bytes = 0;
      std::int64_t reach = 0;
      const bool counts_rows = rows && !in_row && row_length > 1;
      if (stride == std::numeric_limits<std::int64_t>::min() ||
          (counts_rows && (__builtin_mul_overflow(stride, row_length, &stride) || stride == std::numeric_limits<std::int64_t>::min())) ||
          __builtin_mul_overflow(std::abs(stride), length - 1, &reach) ||
          __builtin_add_overflow(extent, reach, &extent) || __builtin_mul_overflow(extent, kLargestElementBytes, &bytes)) {
        refuse(field(),
               {"The ", side == Side::kIn ? "input" : "output", " array would exceed 64 bits of bytes: ", field(), " is ",
                print_integer(stride), (counts_rows ? " (elements)" : ""), " and the length is ", print_integer(length), "."});
      }
      spans.push_back({std::abs(stride), length, strides, i});
    }
  };
  collect(problem.dims, side == Side::kIn ? "in_strides" : "out_strides");
  collect(problem.batch, side == Side::kIn ? "batch_in_strides" : "batch_out_strides");
  return spans;
}

std::int64_t total_reach(const std::vector<Span>& spans) {
  std::int64_t reach = 0;
  for (const Span& span : spans) reach += span.reach();
  return reach;
}

// Every offset, by brute force; the caller bounds the product of the counts.
bool offsets_coincide(const std::vector<Span>& spans) {
  std::vector<std::int64_t> offsets{0};
  for (const Span& span : spans) {
    const std::size_t before = offsets.size();
    offsets.reserve(before * static_cast<std::size_t>(span.count));
    for (std::int64_t i = 1; i < span.count; ++i) {
      for (std::size_t j = 0; j < before; ++j) offsets.push_back(offsets[j] + i * span.stride);
    }
  }
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

// Whether two indices share an output element is a knapsack question in general. Strides that nest (each beyond the reach of all
// smaller ones) answer it at once, as do two dimensions (gcd); what is left is searched up to kExactElements and refused above.
void refuse_coinciding(std::vector<Span> spans, const std::string& elements) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tuple(a.stride, std::string_view(a.strides), a.index) < std::tuple(b.stride, std::string_view(b.strides), b.index);
  });
  // A largest stride beyond the reach of the rest separates its indices, whatever the rest does.
  while (!spans.empty() && spans.back().stride > total_reach(spans) - spans.back().reach()) spans.pop_back();
  if (spans.empty()) return;

  std::int64_t reach = 0;
  std::size_t culprit = 0;
  while (spans[culprit].stride > reach) reach += spans[culprit++].reach();
  const std::string field = spans[culprit].field();
  const std::string sentence = field + " is " + print_integer(spans[culprit].stride) +
                               " in magnitude, but the dimensions with smaller strides already reach " + print_integer(reach) +
                               " elements";
  const auto refuse_overlap = [&] {
    refuse(field, {sentence, ", so ", elements, " would coincide. Use ", print_integer(reach + 1), " or more."});
  };

  if (spans.size() == 2) {
    const std::int64_t divisor = std::gcd(spans[0].stride, spans[1].stride);
    if (spans[1].stride / divisor < spans[0].count && spans[0].stride / divisor < spans[1].count) refuse_overlap();
    return;
  }
  std::int64_t count = 1;
  for (const Span& span : spans) {
    if (__builtin_mul_overflow(count, span.count, &count) || count > kExactElements) {
      refuse(field, {sentence, ", and with more than ", print_integer(kExactElements),
                     " elements interleaved like this it is not decided whether ", elements, " coincide. Use ",
                     print_integer(reach + 1), " or more."});
    }
  }
  if (offsets_coincide(spans)) refuse_overlap();
}

void check_dimensions(const Problem& problem) {
  if (problem.dims.empty() || problem.dims.size() > static_cast<std::size_t>(kMaxRank)) {
    refuse("rank",
           {"The rank is ", print_integer(problem.dims.size()), "; 1 to ", print_integer(kMaxRank), " dimensions are possible."});
  }
  if (problem.batch.size() > static_cast<std::size_t>(kMaxRank)) {
    refuse("batch_rank", {"The batch rank is ", print_integer(problem.batch.size()), "; 0 to ", print_integer(kMaxRank),
                          " batch dimensions are possible."});
  }
  const auto check_lengths = [](const std::vector<Dimension>& dims, std::string_view name) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].length < 1)
        refuse(indexed(name, i), {indexed(name, i), " is ", print_integer(dims[i].length), "; a length is 1 or more."});
    }
  };
  check_lengths(problem.dims, "lengths");
  check_lengths(problem.batch, "batch_lengths");

  const std::int64_t points = transform_points(problem);
  std::int64_t total = 0;
  if (__builtin_mul_overflow(points, batch_count(problem), &total) ||
      __builtin_mul_overflow(total, kLargestElementBytes, &total)) {
    refuse(problem.batch.empty() ? "lengths" : "batch_lengths", {"The arrays would exceed 64 bits of bytes."});
  }
}

// In place a spectrum lies where its real numbers lie: a row of either begins at the same address, and its numbers are adjacent.
void check_in_place_real(const Problem& problem) {
  if (keeps_rows(problem.storage_in)) {
    unsupported("placement",
                {"In place rows of real numbers and of their spectrum would begin at the same bytes, but in ", problem.storage_in,
                 " the rows of either side follow each other without gaps. Transform out of place."});
  }
  if (problem.layout == ArrayLayout::kSplit) {
    unsupported(
        "layout",
        {"In place the spectrum of real numbers lies in their array, so it is interleaved: leave out 'split' or 'inplace'."});
  }
  const bool real_in = problem.kind == Kind::kR2C;
  const auto check_strides = [&](const Dimension& d, const std::string& prefix, std::size_t i) {
    if (d.length == 1) return;
    const std::string in = indexed(prefix + "in_strides", i), out = indexed(prefix + "out_strides", i);
    if (&d == &problem.dims.back()) {
      if (d.in_stride == 1 && d.out_stride == 1) return;
      const bool in_at_fault = d.in_stride != 1;
      refuse(in_at_fault ? in : out,
             {"In place the numbers of the last length are adjacent in ", name_of(problem.kind), ", but ",
              (in_at_fault ? in : out), " is ", print_integer(in_at_fault ? d.in_stride : d.out_stride), ". Use 1."});
    }
    std::int64_t expected = 0;  // of the real side
    const bool fits = !__builtin_mul_overflow(real_in ? d.out_stride : d.in_stride, 2, &expected);
    if (fits && (real_in ? d.in_stride : d.out_stride) == expected) return;
    refuse(out, {"In place the stride of the real numbers is twice that of the spectrum, but ", in, " is ",
                 print_integer(d.in_stride), " and ", out, " is ", print_integer(d.out_stride), "."});
  };
  for (std::size_t i = 0; i < problem.dims.size(); ++i) check_strides(problem.dims[i], "", i);
  for (std::size_t i = 0; i < problem.batch.size(); ++i) check_strides(problem.batch[i], "batch_", i);
}

void check_in_place(const Problem& problem) {
  if (problem.placement != Placement::kInPlace) return;
  if (problem.storage_in != problem.storage_out) {
    refuse("storage_out", {"In place needs one storage format, but the input has ", problem.storage_in, " and the output ",
                           problem.storage_out, ". Transform out of place."});
  }
  if (is_real_kind(problem) && problem.kind != Kind::kR2R && problem.chain.empty()) return check_in_place_real(problem);
  const auto compare = [](const std::vector<Dimension>& dims, const std::string& prefix) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].length == 1 || dims[i].in_stride == dims[i].out_stride) continue;
      refuse(indexed(prefix + "out_strides", i),
             {"In place needs equal strides of input and output, but ", indexed(prefix + "in_strides", i), " is ",
              print_integer(dims[i].in_stride), " and ", indexed(prefix + "out_strides", i), " is ",
              print_integer(dims[i].out_stride), "."});
    }
  };
  compare(problem.dims, "");
  compare(problem.batch, "batch_");
}

void check_chain(const Problem& problem) {
  if (problem.chain.empty()) return;
  if (problem.kind == Kind::kCzt) {
    unsupported("chain", {"A chain goes to the spectrum and back, and from some frequencies (czt) there is no way back: leave out 'chain'."});
  }
  if (is_real_kind(problem) && problem.kind != Kind::kR2C) {
    unsupported("chain", {"A chain goes to the spectrum and back, and ", name_of(problem.kind),
                          " does not begin with numbers that have one: chains of real numbers are r2c."});
  }
  if (problem.prescale_kind != PrescaleKind::kNone) {
    unsupported("prescale_kind", {"A chain hands its spectrum out as it is: leave out either 'prescale' or 'chain'."});
  }
  if (!problem.intermediate.empty()) {
    unsupported("intermediate",
                {"A chain keeps its spectrum in the type of the arithmetic: leave out either 'intermediate' or 'chain'."});
  }
}

// One kind per dimension, and kinds of nothing but r2r.
void check_kinds(const Problem& problem) {
  const std::size_t rank = problem.dims.size();
  if (problem.kind != Kind::kR2R) {
    if (problem.kinds.empty()) return;
    refuse("kinds", {"Only transforms between real numbers (r2r) have a kind per length, not ", name_of(problem.kind),
                     ": leave 'kinds' out."});
  }
  if (problem.kinds.size() != rank) {
    const std::string kinds = problem.kinds.size() == 1 ? "is 1 kind" : "are " + print_integer(problem.kinds.size()) + " kinds";
    refuse("kinds", {"There ", kinds, ", but the problem has ", print_integer(rank), (rank == 1 ? " length" : " lengths"),
                     ": r2r needs one kind per length, e.g. kinds=dct2", (rank > 1 ? ",dct2." : ".")});
  }
  for (std::size_t d = 0; d < rank; ++d) {
    if (problem.kinds[d] == R2rKind::kDCT1 && problem.dims[d].length == 1) {
      const std::string field = indexed("lengths", d);
      refuse(field, {field, " is 1, but dct1 (REDFT00) has a length of 2 or more: its first and its last number are two."});
    }
  }
  scale_points(problem);  // refuses logical lengths whose product exceeds 64 bits
}

void check_r2r(const Problem& problem) {
  if (problem.direction == Direction::kBackward) {
    std::string kinds;
    for (const R2rKind kind : problem.kinds) kinds += (kinds.empty() ? "" : ",") + std::string(name_of(inverse_of(kind)));
    unsupported("direction",
                {"Transforms between real numbers (r2r) have no direction: name the kinds that invert, kinds=", kinds, "."});
  }
  if (problem.layout == ArrayLayout::kSplit) {
    unsupported("layout", {"Real numbers have no parts to split: leave out 'split' or transform complex numbers (c2c)."});
  }
  for (std::size_t d = 0; problem.scheme.starts_with("rounded:") && d < problem.kinds.size(); ++d) {
    if (problem.kinds[d] == R2rKind::kDCT2 || problem.kinds[d] == R2rKind::kDCT3) continue;
    unsupported("scheme", {"Of the kinds of r2r, rounded schemes compute dct2 and dct3, but ", indexed("kinds", d), " is ",
                           name_of(problem.kinds[d]), " and the scheme ", problem.scheme, "."});
  }
  if (problem.centered) unsupported("centered", {"Transforms between real numbers (r2r) are not centered."});
}

// What transforms of real numbers do not have.
void check_real(const Problem& problem) {
  if (!is_real_kind(problem)) return;
  const std::string kind(name_of(problem.kind));
  if (problem.kind == Kind::kR2R) check_r2r(problem);
  const std::string& scheme = problem.scheme;
  if (!scheme.empty() && scheme != "f32" && scheme != "f64" && !scheme.starts_with("rounded:")) {
    unsupported("scheme",
                {"The arithmetic of ", kind, " is f32, f64 or rounded:<element>, but the scheme is ", problem.scheme, "."});
  }
  if (!problem.intermediate.empty() && problem.kind == Kind::kR2R) {
    unsupported(
        "intermediate",
        {"The passes of r2r keep their numbers in the type of the arithmetic: leave out 'intermediate', or transform complex "
         "numbers (c2c)."});
  }
}

// What has no power, or none that is stored by itself.
void check_power(const Problem& problem) {
  if (problem.output_kind != OutputKind::kPower) return;
  if (problem.kind == Kind::kC2R || problem.kind == Kind::kR2R) {
    unsupported("output", {"The result of ", name_of(problem.kind),
                           " is real, and has no power of a spectrum: output=power is of c2c, r2c and czt. Leave it out."});
  }
  if (!problem.chain.empty())
    unsupported("output", {"A chain goes back from the spectrum, whose power it does not hand out: leave out 'chain' or 'output=power'."});
  if (problem.placement == Placement::kInPlace) {
    unsupported("output", {"In place powers would lie among numbers that are still to be read: transform out of place."});
  }
  if (problem.layout == ArrayLayout::kSplit && problem.kind == Kind::kR2C)
    unsupported("layout", {"Real numbers and the power of their spectrum have no parts to split: leave out 'split'."});
  if (problem.backend == "cuda") {
    unsupported("backend", {"The backend cuda hands spectra out as they are: leave out 'output=power', or transform on the CPU."});
  }
}

// What a window does not go with, and how many factors the caller gives.
void check_window_of(const Problem& problem) {
  if (!problem.window) return;
  if (problem.kind == Kind::kC2R || problem.kind == Kind::kR2R) {
    unsupported("window", {"The input of ", name_of(problem.kind), " has no window; that of c2c, r2c and czt may have one. Leave it out."});
  }
  if (!problem.chain.empty()) unsupported("window", {"The input of a chain has no window: leave out 'chain' or 'window'."});
  if (problem.backend == "cuda")
    unsupported("backend", {"The backend cuda reads inputs as they are: leave out 'window', or transform on the CPU."});
  if (problem.window.given == nullptr) return;
  std::int64_t factors = 0;
  for (const Dimension& d : problem.dims) factors += d.length;
  if (static_cast<std::int64_t>(problem.window.given->size()) == factors) return;
  const std::string count = print_integer(problem.window.given->size());
  refuse("window_count", {"window_count is ", count, ", but the window has ", print_integer(factors),
                          " factors, one for each index of every length."});
}

// What czt does not have, and what only czt has.
void check_zoom(const Problem& problem) {
  if (problem.kind != Kind::kCzt) {
    if (problem.zoom == Zoom{}) return;
    const std::string field = problem.zoom.points != 0 ? "points" : problem.zoom.start != 0 ? "start" : "step";
    refuse(field, {"Only a chirp transform (czt) chooses its frequencies by points, start and step, not ", name_of(problem.kind),
                   ": leave '", field, "' out."});
  }
  if (problem.dims.size() != 1) {
    unsupported("rank", {"A chirp transform (czt) has one length, but the problem has ", print_integer(problem.dims.size()),
                         ": transform the other dimensions apart, as a batch."});
  }
  if (problem.placement == Placement::kInPlace) {
    unsupported("placement", {"The outputs of czt are other in number than its inputs, or at other places: transform out of place."});
  }
  if (problem.centered)
    unsupported("centered", {"The frequencies of czt begin at 'start', which may be negative: leave out 'centered'."});
  if (!problem.scheme.empty() && problem.scheme != "f32" && problem.scheme != "f64")
    unsupported("scheme", {"The arithmetic of czt is f32 or f64, but the scheme is ", problem.scheme, "."});
  if (!problem.intermediate.empty())
    unsupported("intermediate", {"Between the passes of czt numbers stay in the type of the arithmetic: leave out 'intermediate'."});
  if (problem.backend == "cuda")
    unsupported("backend", {"The backend cuda has no chirp transform: leave out 'backend=cuda', so that czt is computed on the CPU."});
}

}  // namespace

std::int64_t index_length(const Problem& problem, const Dimension& d, bool output) {
  const bool chosen = output && problem.kind == Kind::kCzt && problem.zoom.points != 0 && &d == &problem.dims.back();
  return chosen ? problem.zoom.points : d.length;
}

std::int64_t stored_length(const Problem& problem, const Dimension& d, bool output) {
  const std::int64_t length = index_length(problem, d, output);
  return holds_half(problem, output) && &d == &problem.dims.back() ? length / 2 + 1 : length;
}

std::int64_t first_index(const Problem& problem, const Dimension& d, bool output) {
  const bool is_half = holds_half(problem, output) && &d == &problem.dims.back();
  return problem.centered && !is_half ? d.length / 2 : 0;
}

bool holds_reals(const Problem& problem, bool output) {
  if (output && problem.output_kind == OutputKind::kPower) return true;
  return problem.kind == Kind::kR2R || problem.kind == (output ? Kind::kC2R : Kind::kR2C) || is_real_chain(problem);
}

bool holds_half(const Problem& problem, bool output) {
  return problem.kind == (output ? Kind::kR2C : Kind::kC2R) && problem.chain.empty();
}

bool is_real_chain(const Problem& problem) { return is_real_kind(problem) && !problem.chain.empty(); }

std::int64_t transform_points(const Problem& problem) { return product_of_lengths(problem.dims, "lengths"); }

std::int64_t stored_points(const Problem& problem, bool output) {
  const Dimension& last = problem.dims.back();
  return transform_points(problem) / last.length * stored_length(problem, last, output);
}

std::int64_t spectrum_points(const Problem& problem) {
  const std::int64_t points = transform_points(problem), last = problem.dims.back().length;
  return is_real_kind(problem) ? points / last * (last / 2 + 1) : points;
}

Problem transform_of_chain(const Problem& problem) {
  Problem alone = problem;
  alone.chain.clear();
  if (!is_real_chain(problem)) return alone;
  alone.placement = Placement::kOutOfPlace;
  Problem dense = alone;
  set_dense_strides(dense);
  for (std::size_t i = 0; i < alone.dims.size(); ++i) alone.dims[i].out_stride = dense.dims[i].out_stride;
  for (std::size_t i = 0; i < alone.batch.size(); ++i) alone.batch[i].out_stride = dense.batch[i].out_stride;
  return alone;
}

std::int64_t batch_count(const Problem& problem) { return product_of_lengths(problem.batch, "batch_lengths"); }

std::int64_t scale_points(const Problem& problem) {
  std::vector<Dimension> logical = problem.dims;
  for (std::size_t d = 0; d < problem.kinds.size() && d < logical.size(); ++d) {
    if (logical[d].length > std::numeric_limits<std::int64_t>::max() / 4)
      refuse(indexed("lengths", d), {"The logical length exceeds 64 bits."});
    logical[d].length = logical_length(problem.kinds[d], logical[d].length);
  }
  return product_of_lengths(logical, "lengths");
}

double scale_factor(const Problem& problem) {
  switch (problem.scale_kind) {
    case ScaleKind::kOrtho: return 1.0 / std::sqrt(static_cast<double>(scale_points(problem)));
    case ScaleKind::kByN: return 1.0 / static_cast<double>(scale_points(problem));
    case ScaleKind::kValue: return problem.scale_value;
    case ScaleKind::kNone: break;
  }
  return 1.0;
}

bool has_weights(const Problem& problem) {
  return problem.scale_kind == ScaleKind::kOrtho && std::any_of(problem.kinds.begin(), problem.kinds.end(), has_weighted_ends);
}

bool works_in_input(const Problem& problem) {
  if (!problem.destroy_input || problem.kind != Kind::kC2R || problem.placement == Placement::kInPlace) return false;
  return std::any_of(problem.dims.begin(), problem.dims.end() - 1, [](const Dimension& d) { return d.length > 1; });
}

void set_dense_strides(Problem& problem) {
  for (const bool output : {false, true}) {
    std::vector<std::int64_t> dims;
    std::vector<std::int64_t> batch;
    if (!dense_strides(problem, output, dims, batch)) {
      Problem one = problem;
      one.batch.clear();
      const bool batch_at_fault = !problem.batch.empty() && dense_strides(one, output, dims, batch);
      refuse(batch_at_fault ? "batch_lengths" : "lengths", {"The product of all lengths exceeds 64 bits."});
    }
    const auto stride = output ? &Dimension::out_stride : &Dimension::in_stride;
    for (std::size_t i = 0; i < dims.size(); ++i) problem.dims[i].*stride = dims[i];
    for (std::size_t i = 0; i < batch.size(); ++i) problem.batch[i].*stride = batch[i];
  }
}

bool has_dense_strides(const Problem& problem) {
  for (const bool output : {false, true}) {
    std::vector<std::int64_t> dims;
    std::vector<std::int64_t> batch;
    if (!dense_strides(problem, output, dims, batch)) return false;
    const auto equal = [output](const std::vector<Dimension>& given, const std::vector<std::int64_t>& dense) {
      for (std::size_t i = 0; i < given.size(); ++i) {
        if ((output ? given[i].out_stride : given[i].in_stride) != dense[i]) return false;
      }
      return true;
    };
    if (!equal(problem.dims, dims) || !equal(problem.batch, batch)) return false;
  }
  return true;
}

void check_but_for_coincidence(const Problem& problem) {
  for (const ProblemField& field : problem_fields()) {
    if (field.check != nullptr) field.check(problem);
  }
  check_dimensions(problem);
  check_kinds(problem);
  check_chain(problem);
  check_real(problem);
  check_power(problem);
  check_window_of(problem);
  check_zoom(problem);
  spans_of(problem, Side::kIn);
  check_in_place(problem);
  spans_of(problem, Side::kOut);
  print_problem(problem);  // refuses a problem whose text would be too long to be a wisdom key
}

void check(const Problem& problem) {
  check_but_for_coincidence(problem);
  refuse_coinciding(spans_of(problem, Side::kOut), "output elements");
  // In place the strides of the sides agree, so that this follows from the outputs except for a spectrum, whose rows are longer than its
  // numbers'.
  if (problem.destroy_input || (problem.placement == Placement::kInPlace && problem.kind == Kind::kC2R)) {
    refuse_coinciding(spans_of(problem, Side::kIn), "input elements, which are overwritten,");
  }
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/input.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kMostSide = std::int64_t{1} << 15;

void require_sides(const std::string& path, const std::string& field, std::int64_t ny, std::int64_t nx) {
  if (ny >= 2 && nx >= 2 && ny <= kMostSide && nx <= kMostSide) return;
  refuse(path, field, "a slice is " + show_sides(ny, nx) + "; images have 2 to " + std::to_string(kMostSide) + " points a side.");
}

// .npy and .cfl: the samples of a slice lie side by side.
class PlainReader : public KspaceReader {
 public:
  PlainReader(const std::string& path, FileKind kind) : path_(path) {
    kind == FileKind::kNpy ? open_npy() : open_cfl();
    require_sides(path, kind == FileKind::kNpy ? "shape" : "# Dimensions", facts_.ny, facts_.nx);
  }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    shape_slice(into, facts_, bytes_ == 16);
    const auto index = static_cast<std::size_t>(slices_outside_ ? slice * facts_.repetitions + repetition : repetition * facts_.slices + slice);
    const std::size_t first = index * facts_.samples_of_slice();
    std::visit(
        [&](auto& numbers) {
          const auto bytes = std::as_writable_bytes(std::span(numbers));
          if (npy_) return npy_->read(first, bytes);
          cfl_->seek(first * bytes_);
          cfl_->read(bytes, "data");
        },
        into.data);
    require_finite(path_, into, repetition, slice);
  }

 private:
  void open_npy() {
    const NpyFile& npy = npy_.emplace(path_);
    facts_.kind = "npy";
    bytes_ = npy.type.bytes;
    if (!npy.type.is_complex()) refuse(path_, "descr", "'" + npy.type.descr + "' is real; k-space is complex: complex64 or complex128.");
    if (npy.first_axis_fastest) refuse(path_, "fortran_order", "is True; slices are read one by one, so save with numpy.ascontiguousarray.");
    const std::size_t rank = npy.shape.size();
    if (rank < 2 || rank > 5) {
      refuse(path_, "shape", "is " + show_list(npy.shape) + "; it must be (coils, ny, nx), (slices, coils, ny, nx) or (repetitions, slices, coils, ny, nx).");
    }
    const auto length = [&](std::size_t from_end) { return from_end <= rank ? npy.shape[rank - from_end] : 1; };
    facts_.nx = length(1);
    facts_.ny = length(2);
    facts_.coils = length(3);
    facts_.slices = length(4);
    facts_.repetitions = length(5);
  }

  void open_cfl() {
    const std::vector<std::int64_t> shape = read_cfl_shape(path_);
    cfl_.emplace(path_);
    facts_.kind = "BART";
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1 || i == 0 || i == 1 || i == 3 || i == 10 || i == 13) continue;
      refuse(path_, "# Dimensions", "dimension " + std::to_string(i) + " is " + std::to_string(shape[i]) +
                                        "; those of 2-D slices are 0 and 1 (k-space), 3 (coils), 10 (repetitions), 13 (slices), every other one is 1" +
                                        (i == 2 ? ". Of 3-D k-space make slices: bart fft -u -i 4, then bart transpose 2 13." : "."));
    }
    facts_.nx = shape[0];
    facts_.ny = shape[1];
    facts_.coils = shape[3];
    facts_.repetitions = shape[10];
    facts_.slices = shape[13];
    slices_outside_ = true;
  }

  static std::string show_list(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t length : shape) text += (text.empty() ? "(" : ", ") + std::to_string(length);
    return text + ")";
  }

  std::string path_;
  std::optional<NpyFile> npy_;    // one of the two
  std::optional<InputFile> cfl_;
  std::size_t bytes_ = sizeof(std::complex<float>);
  bool slices_outside_ = false;
};

class PlainImages : public ImageReader {
 public:
  PlainImages(const std::string& path, FileKind kind) : path_(path) {
    if (kind == FileKind::kNpy) {
      const NpyFile& npy = npy_.emplace(path);
      if (npy.first_axis_fastest) refuse(path, "fortran_order", "is True; save with numpy.ascontiguousarray.");
      const std::size_t rank = npy.shape.size();
      if (rank < 2) refuse(path, "shape", "has one axis; images are (..., ny, nx).");
      type_ = npy.type;
      nx_ = npy.shape[rank - 1];
      ny_ = npy.shape[rank - 2];
      for (std::size_t i = 0; i + 2 < rank; ++i) slices_ *= npy.shape[i];
    } else {
      const std::vector<std::int64_t> shape = read_cfl_shape(path);
      cfl_.emplace(path);
      for (std::size_t i = 2; i < shape.size(); ++i) {
        if (shape[i] != 1 && i != 13) refuse(path, "# Dimensions", "dimension " + std::to_string(i) + " is " + std::to_string(shape[i]) + "; images have 0, 1 and 13 alone.");
      }
      nx_ = shape[0];
      ny_ = shape[1];
      slices_ = shape[13];
    }
    require_sides(path, "shape", ny_, nx_);
  }

  void read(std::int64_t slice, std::vector<double>& into) override {
    const auto pixels = static_cast<std::size_t>(ny_ * nx_), width = static_cast<std::size_t>(nx_);
    std::vector<std::byte> row(width * type_.bytes);
    std::vector<double> parts(width * type_.parts());
    const std::size_t begin = static_cast<std::size_t>(slice) * pixels;
    if (cfl_) cfl_->seek(begin * type_.bytes);
    into.resize(pixels);
    for (std::size_t first = 0; first < pixels; first += width) {
      npy_ ? npy_->read(begin + first, row) : cfl_->read(row, "data");
      decode_npy<double>(path_, type_, row, begin + first, parts);
      for (std::size_t x = 0; x < width; ++x) into[first + x] = type_.is_complex() ? std::hypot(parts[2 * x], parts[2 * x + 1]) : parts[x];
    }
    for (std::size_t i = 0; i < pixels; ++i) {
      if (std::isfinite(into[i])) continue;
      refuse(path_, "data", "slice " + std::to_string(slice) + ", row " + std::to_string(i / static_cast<std::size_t>(nx_)) + ", column " +
                                std::to_string(i % static_cast<std::size_t>(nx_)) + " is not a finite number.");
    }
  }

 private:
  std::string path_;
  std::optional<NpyFile> npy_;    // one of the two
  std::optional<InputFile> cfl_;
  NpyType type_ = {"<c8", 'c', sizeof(std::complex<float>)};
};

// Cuts the image along the readout to its middle.
class WithoutOversampling : public KspaceReader {
 public:
  WithoutOversampling(Oversampled from, ulpfft::Context& context)
      : inner_(std::move(from.reader)), along_rows_(from.along_rows), before_(length_of(inner_->facts())), kept_(from.kept),
        to_image_(plan(context, before_, ulpfft::Direction::kInverse)), to_kspace_(plan(context, kept_, ulpfft::Direction::kForward)) {
    facts_ = inner_->facts();
    (along_rows_ ? facts_.nx : facts_.ny) = kept_;
    facts_.notes.push_back("readout oversampling removed: " + std::to_string(before_) + " points to " + std::to_string(kept_));
  }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    inner_->read(repetition, slice, into);
    std::vector<std::complex<double>> whole(into.pixels()), cut(static_cast<std::size_t>(facts_.ny * facts_.nx));
    const std::int64_t first = before_ / 2 - kept_ / 2;
    for (std::int64_t coil = 0; coil < into.coils; ++coil) {
      into.copy_coil(coil, whole);
      to_image_.execute(whole);
      for (std::int64_t y = 0; y < facts_.ny; ++y) {
        const std::int64_t from = along_rows_ ? y * before_ + first : (y + first) * facts_.nx;
        std::copy_n(whole.begin() + from, facts_.nx, cut.begin() + y * facts_.nx);
      }
      to_kspace_.execute(cut);
      // Coils move to the front of the array; those not read yet lie behind.
      std::visit(
          [&](auto& numbers) {
            using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
            std::transform(cut.begin(), cut.end(), numbers.begin() + coil * static_cast<std::int64_t>(cut.size()),
                           [](const std::complex<double>& value) { return Number(value); });
          },
          into.data);
    }
    into.ny = facts_.ny;
    into.nx = facts_.nx;
    std::visit([&](auto& numbers) { numbers.resize(facts_.samples_of_slice()); }, into.data);
  }

  std::size_t helper_memory_bytes() const override { return inner_->helper_memory_bytes(); }

 private:
  std::int64_t length_of(const SeriesFacts& facts) const { return along_rows_ ? facts.nx : facts.ny; }

  ulpfft::Plan plan(ulpfft::Context& context, std::int64_t length, ulpfft::Direction direction) const {
    const SeriesFacts& facts = inner_->facts();
    ulpfft::Problem problem{.lengths = {length},
                            .batch = {along_rows_ ? facts.ny : facts.nx},
                            .storage = "f64",
                            .direction = direction,
                            .scale = ulpfft::Scale::kOrtho,
                            .centered = true,
                            .placement = ulpfft::Placement::kInPlace};
    if (!along_rows_) {
      problem.in_strides = problem.out_strides = {facts.nx};
      problem.batch_in_strides = problem.batch_out_strides = {1};
    }
    return context.plan(problem, {.effort = ulpfft::Effort::kEstimate});
  }

  std::unique_ptr<KspaceReader> inner_;
  bool along_rows_;
  std::int64_t before_;
  std::int64_t kept_;
  ulpfft::Plan to_image_;
  ulpfft::Plan to_kspace_;
};

}  // namespace

void shape_slice(Slice& slice, const SeriesFacts& facts, bool as_double) {
  slice.coils = facts.coils;
  slice.ny = facts.ny;
  slice.nx = facts.nx;
  if (as_double) {
    if (!std::holds_alternative<std::vector<std::complex<double>>>(slice.data)) slice.data = std::vector<std::complex<double>>();
  } else {
    if (!std::holds_alternative<std::vector<std::complex<float>>>(slice.data)) slice.data = std::vector<std::complex<float>>();
  }
  std::visit([&](auto& numbers) { numbers.resize(facts.samples_of_slice()); }, slice.data);
}

std::string show_sides(std::int64_t ny, std::int64_t nx) { return std::to_string(ny) + " x " + std::to_string(nx); }

void Slice::copy_coil(std::int64_t coil, std::span<std::complex<double>> to) const {
  std::visit(
      [&](const auto& numbers) {
        const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(coil) * pixels());
        std::copy(from, from + static_cast<std::ptrdiff_t>(pixels()), to.begin());
      },
      data);
}

void require_finite(const std::string& path, const Slice& slice, std::int64_t repetition, std::int64_t index) {
  std::visit(
      [&](const auto& numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          if (std::isfinite(numbers[i].real()) && std::isfinite(numbers[i].imag())) continue;
          const auto nx = static_cast<std::size_t>(slice.nx);
          refuse(path, "samples", "repetition " + std::to_string(repetition) + ", slice " + std::to_string(index) + ", coil " +
                                      std::to_string(i / slice.pixels()) + ", row " + std::to_string(i % slice.pixels() / nx) + ", column " +
                                      std::to_string(i % nx) + " is not a finite number.");
        }
      },
      slice.data);
}

std::vector<double> crop_to(std::span<const double> image, std::int64_t ny, std::int64_t nx, std::int64_t to_ny, std::int64_t to_nx) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(to_ny * to_nx));
  const std::int64_t top = (ny - to_ny) / 2, left = (nx - to_nx) / 2;
  for (std::int64_t y = 0; y < to_ny; ++y) {
    const auto row = image.begin() + (top + y) * nx + left;
    result.insert(result.end(), row, row + to_nx);
  }
  return result;
}

bool is_hdf5_name(const std::string& path) { return path.ends_with(".h5") || path.ends_with(".hdf5") || path.ends_with(".mrd"); }

std::unique_ptr<KspaceReader> open_kspace(const std::string& path, const InputOptions& options, ulpfft::Context& context) {
  if (!is_hdf5_name(path)) return std::make_unique<PlainReader>(path, kind_of_kspace(path));
  Oversampled found = open_hdf5(path);
  require_sides(path, "matrix", found.reader->facts().ny, found.reader->facts().nx);
  if (found.kept == 0 || options.keep_oversampling) return std::move(found.reader);
  return std::make_unique<WithoutOversampling>(std::move(found), context);
}

std::unique_ptr<ImageReader> open_images(const std::string& path) {
  if (is_hdf5_name(path)) return open_hdf5_images(path);
  return std::make_unique<PlainImages>(path, kind_of_kspace(path));
}

FileKind kind_of_kspace(const std::string& path) {
  if (path.ends_with(".npy")) return FileKind::kNpy;
  if (path.ends_with(".cfl")) return FileKind::kCfl;
  refuse(path, "name", "must end in .npy, .cfl (BART), .h5, .hdf5 or .mrd (fastMRI, ISMRMRD).");
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// K-space of several coils from a file, one slice at a time.
//
//   .npy           complex64 or complex128, C order, (..., coils, ny, nx): before the coils nothing, slices, or repetitions and slices
//   .cfl + .hdr    BART's dimensions: 0 nx (readout), 1 ny, 3 coils, 10 repetitions, 13 slices; every other one is 1
//   .h5            fastMRI: the dataset kspace (slice, coil, ky, kx), or (slice, ky, kx) of one coil
//   .h5, .mrd      ISMRMRD: Cartesian, two-dimensional; lines measured more than once are averaged, those never measured are 0
//
// Shapes   a slice is (coils, ny, nx) in C order, index 0 of k-space in the middle, at floor(n/2) of both directions.
// Readout  its oversampling is removed where the file tells of it (ISMRMRD: the encoded and the reconstructed matrix; fastMRI: rows twice
//          those of reconstruction_rss), by transforms of f64, the middle of the image being kept.
// Memory   one slice; of HDF5 another one, in the process that reads it, and there of ISMRMRD 12 bytes for every line of the file.
// Errors   Failure, naming the file and the field at fault; a sample that is not finite is one.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_INPUT_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_INPUT_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

struct SeriesFacts {
  std::string kind;  // "npy", "BART", "fastMRI", "ISMRMRD"
  std::int64_t repetitions = 1;
  std::int64_t slices = 1;
  std::int64_t coils = 1;
  std::int64_t ny = 1;
  std::int64_t nx = 1;
  std::vector<std::string> notes;  // for people: what was done to the data of the file
  std::size_t samples_of_slice() const { return static_cast<std::size_t>(coils * ny * nx); }
};

// As exact as the file: f64 only where that is.
struct Slice {
  std::int64_t coils = 0;
  std::int64_t ny = 0;
  std::int64_t nx = 0;
  Numbers data;

  std::size_t pixels() const { return static_cast<std::size_t>(ny * nx); }
  void copy_coil(std::int64_t coil, std::span<std::complex<double>> to) const;
};

class KspaceReader {
 public:
  virtual ~KspaceReader() = default;
  const SeriesFacts& facts() const { return facts_; }
  // The memory of `into` is used again. Both indices from 0, below those of facts().
  virtual void read(std::int64_t repetition, std::int64_t slice, Slice& into) = 0;
  virtual std::size_t helper_memory_bytes() const { return 0; }  // at most so far, of a process that reads for this one

 protected:
  SeriesFacts facts_;
};

struct InputOptions {
  bool keep_oversampling = false;
};

// The context plans what removes oversampling.
std::unique_ptr<KspaceReader> open_kspace(const std::string& path, const InputOptions& options, ulpfft::Context& context);

// Images to compare with, one slice at a time: .npy (real, or complex, whose magnitude counts) of shape (..., ny, nx); .cfl with dimensions
// 0, 1 and 13; reconstruction_rss or reconstruction_esc of a fastMRI file. Smaller ones than the reconstruction
// are compared with its middle, see crop_to().
class ImageReader {
 public:
  virtual ~ImageReader() = default;
  std::int64_t slices() const { return slices_; }
  std::int64_t ny() const { return ny_; }
  std::int64_t nx() const { return nx_; }
  virtual void read(std::int64_t slice, std::vector<double>& into) = 0;

 protected:
  std::int64_t slices_ = 1;
  std::int64_t ny_ = 1;
  std::int64_t nx_ = 1;
};
std::unique_ptr<ImageReader> open_images(const std::string& path);

// The middle of an image, as fastMRI's centre crop has it.
std::vector<double> crop_to(std::span<const double> image, std::int64_t ny, std::int64_t nx, std::int64_t to_ny, std::int64_t to_nx);

// ---- For the kinds of file --------------------------------------------------------------------------------------------------

// What a reader found out about oversampling, for open_kspace() to remove.
struct Oversampled {
  std::unique_ptr<KspaceReader> reader;
  bool along_rows = true;    // the readout is nx; else ny
  std::int64_t kept = 0;     // points of the readout to keep; 0: all
};

FileKind kind_of_kspace(const std::string& path);  // of .npy and .cfl
void shape_slice(Slice& slice, const SeriesFacts& facts, bool as_double);
std::string show_sides(std::int64_t ny, std::int64_t nx);

// Refuses a number that is not finite, naming slice, coil, row and column.
void require_finite(const std::string& path, const Slice& slice, std::int64_t repetition, std::int64_t index);

// fastMRI, or ISMRMRD, by what the file holds. Without the library that reads it: Failure, saying which was not there when this was built.
bool is_hdf5_name(const std::string& path);
Oversampled open_hdf5(const std::string& path);
std::unique_ptr<ImageReader> open_hdf5_images(const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_INPUT_H_

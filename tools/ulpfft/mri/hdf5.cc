// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// fastMRI: HDF5 with the dataset kspace, and images made of it, reconstruction_rss (several coils) or reconstruction_esc (one).
#include "tools/ulpfft/mri/hdf5_file.h"
#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/mri/libraries.h"

namespace ulpfft_tool {

Handle open_hdf5_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what goes wrong is said here, not printed there
  { const InputFile exists(path); }
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) refuse(path, "HDF5", "the file is not HDF5, or is damaged or cut off.");
  return file;
}

bool has(const Handle& file, const char* name) { return H5Lexists(file.get(), name, H5P_DEFAULT) > 0; }

namespace {

// A dataset whose outermost dimension counts slices.
class Slices {
 public:
  Slices(const std::string& path, const Handle& file, const char* name, bool is_complex)
      : path_(path), name_(name), data_(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose) {
    if (!data_) refuse(path, name, "cannot be opened; it is no dataset, or the file is damaged, or of a newer libhdf5.");
    const Handle type(H5Dget_type(data_.get()), H5Tclose);
    require_type(type.get(), is_complex);
    const Handle space(H5Dget_space(data_.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank < 3 || rank > 4) refuse(path, name, "has " + std::to_string(rank) + " dimensions; " + wanted());
    dims_.resize(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.get(), dims_.data(), nullptr);
    std::vector<std::int64_t> shape;
    for (const hsize_t length : dims_) shape.push_back(length > hsize_t{1} << 48 ? -1 : static_cast<std::int64_t>(length));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] < 1) refuse(path, name, i == 0 ? "holds no slice." : "dimension " + std::to_string(i) + " has the length " + std::to_string(shape[i]) + ".");
    }
    const std::size_t numbers = count_elements(path, shape);
    // libhdf5 takes the shape of a dataset in one piece from one place and its size from another.
    const Handle creation(H5Dget_create_plist(data_.get()), H5Pclose);
    const std::uint64_t stored = H5Dget_storage_size(data_.get()), wanted_bytes = std::uint64_t{numbers} * H5Tget_size(type.get());
    if (creation && H5Pget_layout(creation.get()) == H5D_CONTIGUOUS && stored != wanted_bytes) {
      refuse(path, name, "its shape asks for " + std::to_string(wanted_bytes) + " bytes, but " + std::to_string(stored) + " are stored.");
    }
  }

  const std::vector<hsize_t>& dims() const { return dims_; }
  std::int64_t length(std::size_t dim) const { return static_cast<std::int64_t>(dims_[dim]); }
  bool is_double() const { return is_double_; }

  // Everything of one slice; `memory` says how it is to lie there.
  void read(std::int64_t slice, hid_t memory, void* to) const {
    const Handle space(H5Dget_space(data_.get()), H5Sclose);
    std::vector<hsize_t> start(dims_.size(), 0), count = dims_;
    start[0] = static_cast<hsize_t>(slice);
    count[0] = 1;
    const Handle flat(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(data_.get(), memory, flat.get(), space.get(), H5P_DEFAULT, to) < 0) {
      refuse(path_, name_, "slice " + std::to_string(slice) + " cannot be read; the file is damaged or cut off.");
    }
  }

 private:
  std::string wanted() const { return name_ == "kspace" ? "(slice, coil, ky, kx) or (slice, ky, kx) is wanted." : "(slice, y, x) is wanted."; }

  void require_type(hid_t type, bool is_complex) {
    const auto real_bytes = [](hid_t real) {
      for (const hid_t standard : {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE}) {
        if (H5Tequal(real, standard) > 0) return H5Tget_size(real);
      }
      return std::size_t{0};
    };
    if (!is_complex) {
      if (real_bytes(type) == 0) refuse(path_, name_, "does not hold real numbers, IEEE floats of 32 or 64 bits.");
      return;
    }
    const bool pair = H5Tget_class(type) == H5T_COMPOUND && H5Tget_member_index(type, "r") >= 0 && H5Tget_member_index(type, "i") >= 0;
    if (!pair) refuse(path_, name_, "does not hold complex numbers: a compound of the members r and i.");
    std::size_t bytes[2] = {};
    for (const bool imaginary : {false, true}) {
      const auto index = static_cast<unsigned>(H5Tget_member_index(type, imaginary ? "i" : "r"));
      const Handle member(H5Tget_member_type(type, index), H5Tclose);
      bytes[imaginary] = real_bytes(member.get());
      const std::size_t begin = H5Tget_member_offset(type, index), size = H5Tget_size(type);
      const bool inside = begin <= size && bytes[imaginary] <= size - begin;
      if (bytes[imaginary] == 0 || !inside) refuse(path_, name_, "has members that are not IEEE floats of 32 or 64 bits.");
    }
    if (bytes[0] != bytes[1]) refuse(path_, name_, "has real and imaginary parts of different types.");
    is_double_ = bytes[0] > 4;
  }

  std::string path_;
  std::string name_;
  Handle data_;
  std::vector<hsize_t> dims_;
  bool is_double_ = false;
};

Handle complex_type(bool as_double) {
  const std::size_t bytes = as_double ? 8 : 4;
  const hid_t real = as_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes), H5Tclose);
  H5Tinsert(type.get(), "r", 0, real);
  H5Tinsert(type.get(), "i", bytes, real);
  return type;
}

const char* images_name(const Handle& file) {
  for (const char* name : {"reconstruction_rss", "reconstruction_esc"}) {
    if (has(file, name)) return name;
  }
  return nullptr;
}

class FastMriReader : public KspaceReader {
 public:
  FastMriReader(const std::string& path, Handle file)
      : path_(path), file_(std::move(file)), kspace_(path, file_, "kspace", true), type_(complex_type(kspace_.is_double())) {
    const std::size_t rank = kspace_.dims().size();
    facts_.kind = "fastMRI";
    facts_.slices = kspace_.length(0);
    facts_.coils = rank == 4 ? kspace_.length(1) : 1;
    facts_.ny = kspace_.length(rank - 2);
    facts_.nx = kspace_.length(rank - 1);
  }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    shape_slice(into, facts_, kspace_.is_double());
    std::visit([&](auto& numbers) { kspace_.read(slice, type_.get(), numbers.data()); }, into.data);
    require_finite(path_, into, repetition, slice);
  }

  // The readout runs along ky of the file, twice as long as in the images.
  std::int64_t rows_kept() const {
    const char* name = images_name(file_);
    if (name == nullptr) return 0;
    const Slices images(path_, file_, name, false);
    return images.dims().size() == 3 && facts_.ny == 2 * images.length(1) ? images.length(1) : 0;
  }

 private:
  std::string path_;
  Handle file_;
  Slices kspace_;
  Handle type_;
};

class FastMriImages : public ImageReader {
 public:
  FastMriImages(const std::string& path, Handle file, const char* name) : file_(std::move(file)), images_(path, file_, name, false) {
    if (images_.dims().size() != 3) refuse(path, name, "has 4 dimensions; (slice, y, x) is wanted.");
    slices_ = images_.length(0);
    ny_ = images_.length(1);
    nx_ = images_.length(2);
  }
  void read(std::int64_t slice, std::vector<double>& into) override {
    into.resize(static_cast<std::size_t>(ny_ * nx_));
    images_.read(slice, H5T_NATIVE_DOUBLE, into.data());
  }

 private:
  Handle file_;
  Slices images_;
};

}  // namespace

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

Oversampled open_hdf5_here(const std::string& path) {
  Handle file = open_hdf5_file(path);
  if (has(file, "kspace")) {
    auto reader = std::make_unique<FastMriReader>(path, std::move(file));
    const std::int64_t kept = reader->rows_kept();
    return {std::move(reader), false, kept};
  }
  if (has(file, "dataset") && has(file, "dataset/xml")) return open_ismrmrd_here(path);
  refuse(path, "kspace", "is missing, and so is dataset/xml: the file is neither of fastMRI nor of ISMRMRD.");
}

std::unique_ptr<ImageReader> open_hdf5_images_here(const std::string& path) {
  Handle file = open_hdf5_file(path);
  const char* name = images_name(file);
  if (name == nullptr) refuse(path, "reconstruction_rss", "is missing, and so is reconstruction_esc.");
  return std::make_unique<FastMriImages>(path, std::move(file), name);
}

}  // namespace ulpfft_tool

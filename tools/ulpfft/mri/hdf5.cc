// fastMRI: HDF5 with the dataset kspace, and images made of it, reconstruction_rss (several coils) or reconstruction_esc (one).
#include <hdf5.h>

#include <array>
#include <utility>

#include "tools/ulpfft/mri/input.h"

namespace ulpfft_tool {
namespace {

// A handle of the library, closed by what opened it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // what goes wrong is said here, not printed there
  { const InputFile exists(path); }
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) refuse(path, "HDF5", "the file is not HDF5, or is cut off.");
  return file;
}

bool has(const Handle& file, const char* name) { return H5Lexists(file.get(), name, H5P_DEFAULT) > 0; }

// A dataset whose outermost dimension counts slices.
class Slices {
 public:
  Slices(const std::string& path, const Handle& file, const char* name, bool is_complex)
      : path_(path), name_(name), data_(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose) {
    if (!data_) refuse(path, name, "cannot be opened; it is no dataset, or the file is damaged.");
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
    count_elements(path, shape);
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
    const auto real_bytes = [](hid_t real) { return H5Tget_class(real) == H5T_FLOAT ? H5Tget_size(real) : 0; };
    if (!is_complex) {
      if (real_bytes(type) == 0) refuse(path_, name_, "does not hold real numbers of floating point.");
      return;
    }
    const bool pair = H5Tget_class(type) == H5T_COMPOUND && H5Tget_member_index(type, "r") >= 0 && H5Tget_member_index(type, "i") >= 0;
    if (!pair) refuse(path_, name_, "does not hold complex numbers: a compound of the members r and i.");
    const Handle member(H5Tget_member_type(type, static_cast<unsigned>(H5Tget_member_index(type, "r"))), H5Tclose);
    if (real_bytes(member.get()) == 0) refuse(path_, name_, "has members that are not of floating point.");
    is_double_ = real_bytes(member.get()) > 4;
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

// libismrmrd takes for granted that they are there.
void require_acquisitions(const std::string& path, const Handle& file) {
  constexpr const char* kName = "dataset/data";
  const Handle data(has(file, kName) ? H5Dopen2(file.get(), kName, H5P_DEFAULT) : -1, H5Dclose);
  if (!data) refuse(path, kName, "is missing, or cannot be opened.");
  const Handle space(H5Dget_space(data.get()), H5Sclose);
  const Handle type(H5Dget_type(data.get()), H5Tclose);
  hsize_t dims[H5S_MAX_RANK] = {};
  const bool is_list = space && H5Sget_simple_extent_dims(space.get(), dims, nullptr) >= 1 && dims[0] <= hsize_t{0xFFFFFFFF};
  const bool is_record = type && H5Tget_class(type.get()) == H5T_COMPOUND && H5Tget_member_index(type.get(), "head") >= 0 &&
                         H5Tget_member_index(type.get(), "data") >= 0;
  if (!is_list || !is_record) refuse(path, kName, "is no list of acquisitions, which are compounds of head, traj and data.");
  if (dims[0] == 0) refuse(path, kName, "holds no acquisition.");
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
    into.coils = facts_.coils;
    into.ny = facts_.ny;
    into.nx = facts_.nx;
    if (kspace_.is_double() != (into.data.index() == 1)) {
      if (kspace_.is_double()) {
        into.data = std::vector<std::complex<double>>();
      } else {
        into.data = std::vector<std::complex<float>>();
      }
    }
    std::visit(
        [&](auto& numbers) {
          numbers.resize(facts_.samples_of_slice());
          kspace_.read(slice, type_.get(), numbers.data());
        },
        into.data);
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

Oversampled open_hdf5(const std::string& path) {
  Handle file = open_file(path);
  if (has(file, "kspace")) {
    auto reader = std::make_unique<FastMriReader>(path, std::move(file));
    const std::int64_t kept = reader->rows_kept();
    return {std::move(reader), false, kept};
  }
  if (has(file, "dataset") && has(file, "dataset/xml")) {
    require_acquisitions(path, file);
    return open_ismrmrd(path);
  }
  refuse(path, "kspace", "is missing, and so is dataset/xml: the file is neither of fastMRI nor of ISMRMRD.");
}

std::unique_ptr<ImageReader> open_hdf5_images(const std::string& path) {
  Handle file = open_file(path);
  const char* name = images_name(file);
  if (name == nullptr) refuse(path, "reconstruction_rss", "is missing, and so is reconstruction_esc.");
  return std::make_unique<FastMriImages>(path, std::move(file), name);
}

}  // namespace ulpfft_tool

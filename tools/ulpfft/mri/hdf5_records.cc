// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/hdf5_records.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ulpfft_tool {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

constexpr std::size_t kMostRecord = std::size_t{1} << 24;      // bytes
constexpr std::size_t kMostChunk = std::size_t{1} << 28;       // bytes
constexpr std::size_t kMostCollection = std::size_t{1} << 32;  // bytes: a sequence of 2^30 floats
constexpr std::size_t kCollectionHeader = 16;
constexpr std::size_t kObjectHeader = 16;
constexpr std::size_t kReference = 16;  // in the file; libhdf5 tells sizes and offsets of memory,
static_assert(sizeof(hvl_t) == kReference, "which are those of the file if a list takes as much there");  // a string takes 8

template <typename T>
T number_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

Handle open_dataset(const std::string& path, const Handle& file, const std::string& name) {
  Handle data(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data) refuse(path, name, "is missing, or cannot be opened; it is no dataset, or the file is damaged.");
  return data;
}

// Addresses as they are read here: of 8 bytes, from the beginning of the file.
void require_plain_addresses(const std::string& path, const Handle& file) {
  const Handle creation(H5Fget_create_plist(file.get()), H5Pclose);
  hsize_t before = 0;
  std::size_t address_bytes = 0, size_bytes = 0;
  if (!creation || H5Pget_userblock(creation.get(), &before) < 0 || H5Pget_sizes(creation.get(), &address_bytes, &size_bytes) < 0) {
    refuse(path, "HDF5", "the head of the file cannot be read.");
  }
  if (before != 0) refuse(path, "HDF5", "the file begins with a user block of " + std::to_string(before) + " bytes; h5unjam takes it away.");
  if (address_bytes != 8 || size_bytes != 8) {
    refuse(path, "HDF5", "addresses have " + std::to_string(address_bytes) + " and sizes " + std::to_string(size_bytes) + " bytes; 8 are read.");
  }
}

}  // namespace

Records::Records(const std::string& path, const Handle& file, const std::string& name)
    : path_(path), name_(name), data_(open_dataset(path, file, name)), type_(H5Dget_type(data_.get()), H5Tclose), bytes_(path) {
  require_plain_addresses(path, file);
  if (!type_) refuse(path_, name_, "has no type that can be read.");
  record_bytes_ = H5Tis_variable_str(type_.get()) > 0 ? kReference : H5Tget_size(type_.get());
  if (record_bytes_ == 0 || record_bytes_ > kMostRecord) refuse(path_, name_, "has records of " + std::to_string(record_bytes_) + " bytes.");
  const Handle space(H5Dget_space(data_.get()), H5Sclose);
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank < 0 || rank > 4) refuse(path_, name_, "is no list of records.");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (rank > 0 && H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr) < 0) refuse(path_, name_, "has no lengths that can be read.");
  count_ = rank == 0 ? 1 : dims[0];
  if (std::any_of(dims.begin() + (rank > 0 ? 1 : 0), dims.end(), [](hsize_t length) { return length != 1; })) {
    refuse(path_, name_, "is no list of records: it has several dimensions.");
  }
  if (count_ > 0) find_layout();
}

std::size_t Records::find_integer(std::initializer_list<const char*> names, std::size_t bytes) const {
  std::size_t offset = 0;
  std::string path;
  Handle type(H5Tcopy(type_.get()), H5Tclose);
  for (const char* name : names) {
    path += (path.empty() ? "" : ".") + std::string(name);
    const int index = H5Tget_class(type.get()) == H5T_COMPOUND ? H5Tget_member_index(type.get(), name) : -1;
    if (index < 0) refuse(path_, name_, "has records without the member " + path + ".");
    offset += H5Tget_member_offset(type.get(), static_cast<unsigned>(index));
    type = Handle(H5Tget_member_type(type.get(), static_cast<unsigned>(index)), H5Tclose);
  }
  const bool fits = offset <= record_bytes_ && bytes <= record_bytes_ - offset;
  if (!fits || H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_size(type.get()) != bytes || H5Tget_order(type.get()) != H5T_ORDER_LE) {
    refuse(path_, name_, "has a member " + path + " that is no little-endian integer of " + std::to_string(8 * bytes) + " bits.");
  }
  return offset;
}

std::size_t Records::find_floats(const char* name) const {
  const int index = H5Tget_class(type_.get()) == H5T_COMPOUND ? H5Tget_member_index(type_.get(), name) : -1;
  if (index < 0) refuse(path_, name_, std::string("has records without the member ") + name + ".");
  const std::size_t offset = H5Tget_member_offset(type_.get(), static_cast<unsigned>(index));
  const Handle type(H5Tget_member_type(type_.get(), static_cast<unsigned>(index)), H5Tclose);
  const bool is_list = type && H5Tget_class(type.get()) == H5T_VLEN && offset <= record_bytes_ && kReference <= record_bytes_ - offset;
  const Handle element(is_list ? H5Tget_super(type.get()) : hid_t{-1}, H5Tclose);
  if (!element || H5Tequal(element.get(), H5T_IEEE_F32LE) <= 0) {
    refuse(path_, name_, std::string("has a member ") + name + " that is no list of little-endian f32 of variable length.");
  }
  return offset;
}

void Records::find_layout() {
  const Handle creation(H5Dget_create_plist(data_.get()), H5Pclose);
  const H5D_layout_t layout = creation ? H5Pget_layout(creation.get()) : H5D_LAYOUT_ERROR;
  if (layout == H5D_CONTIGUOUS) {
    const haddr_t begin = H5Dget_offset(data_.get());
    if (begin == HADDR_UNDEF || begin > bytes_.size() || count_ > (bytes_.size() - begin) / record_bytes_) {
      refuse(path_, name_, "has " + std::to_string(count_) + " records, for which the file is too short; it is damaged or cut off.");
    }
    begin_ = begin;
    return;
  }
  if (layout != H5D_CHUNKED) refuse(path_, name_, "is stored neither in chunks nor in one piece.");
  if (H5Pget_nfilters(creation.get()) != 0) refuse(path_, name_, "is compressed; h5repack -f NONE writes it as it is read here.");
  hsize_t lengths[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(creation.get(), H5S_MAX_RANK, lengths);
  if (rank < 1) refuse(path_, name_, "has chunks whose size cannot be read.");
  chunk_.assign(lengths, lengths + rank);
  std::size_t records = 1;
  for (const hsize_t length : chunk_) {
    if (length == 0 || length > kMostChunk / record_bytes_ / records) refuse(path_, name_, "has chunks of more than 256 MiB.");
    records *= length;
  }
}

void Records::refuse_record(std::uint64_t index, const std::string& why) const {
  refuse(path_, name_, (count_ == 1 ? "" : "record " + std::to_string(index) + " ") + why + "; the file is damaged or cut off.");
}

std::span<const std::byte> Records::record(std::uint64_t index) {
  if (chunk_.empty()) {
    records_.resize(record_bytes_);
    bytes_.seek(begin_ + index * record_bytes_);
    bytes_.read(records_, name_);
    return records_;
  }
  const std::uint64_t chunk = index / chunk_[0];
  std::size_t per_record = record_bytes_;  // the other dimensions are 1, but chunks may be longer
  for (std::size_t i = 1; i < chunk_.size(); ++i) per_record *= chunk_[i];
  if (loaded_ != chunk) {
    std::vector<hsize_t> first(chunk_.size(), 0);
    first[0] = chunk * chunk_[0];
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    const std::size_t wanted = per_record * chunk_[0];
    if (H5Dget_chunk_info_by_coord(data_.get(), first.data(), &filters, &address, &size) < 0 || address == HADDR_UNDEF) {
      refuse_record(index, "cannot be found");
    }
    if (size != wanted || address > bytes_.size() || wanted > bytes_.size() - address) refuse_record(index, "lies outside of the file");
    loaded_.reset();
    records_.resize(wanted);
    bytes_.seek(address);
    bytes_.read(records_, name_);
    loaded_ = chunk;
  }
  return std::span(records_).subspan(index % chunk_[0] * per_record, record_bytes_);
}

Records::Reference Records::reference(std::span<const std::byte> record, std::size_t offset) {
  return {number_at<std::uint32_t>(record, offset), number_at<std::uint64_t>(record, offset + 4), number_at<std::uint32_t>(record, offset + 12)};
}

void Records::load_collection(std::uint64_t address, std::uint64_t index) {
  if (collection_at_ == address) return;
  collection_at_.reset();
  std::byte head[kCollectionHeader] = {};
  if (address > bytes_.size() || bytes_.size() - address < sizeof head) refuse_record(index, "refers to a place outside of the file");
  bytes_.seek(address);
  bytes_.read(head, name_);
  const std::uint64_t size = number_at<std::uint64_t>(head, 8);
  if (std::memcmp(head, "GCOL\1", 5) != 0) refuse_record(index, "refers to a place without a heap");
  if (size < sizeof head || size > kMostCollection || size > bytes_.size() - address) refuse_record(index, "refers to a heap larger than the file");
  collection_.resize(size);
  bytes_.seek(address);
  bytes_.read(collection_, name_);
  collection_at_ = address;
}

std::span<const std::byte> Records::object(const Reference& reference, std::size_t bytes_of_one, std::uint64_t index) {
  if (reference.length == 0) return {};
  load_collection(reference.address, index);
  const std::span<const std::byte> all(collection_);
  std::size_t at = kCollectionHeader;
  while (all.size() - at >= kObjectHeader) {
    const auto number = number_at<std::uint16_t>(all, at);
    const auto size = number_at<std::uint64_t>(all, at + 8);
    if (number == 0) break;  // free space, up to the end
    if (size > all.size() - at - kObjectHeader) refuse_record(index, "refers to a heap whose objects are longer than it");
    if (number == reference.number) {
      if (size != std::uint64_t{reference.length} * bytes_of_one) {
        refuse_record(index, "has " + std::to_string(std::uint64_t{reference.length} * bytes_of_one) + " bytes of data, but refers to " + std::to_string(size));
      }
      return all.subspan(at + kObjectHeader, size);
    }
    const std::size_t padded = (size + 7) / 8 * 8;
    at += kObjectHeader + std::min(padded, all.size() - at - kObjectHeader);
  }
  refuse_record(index, "refers to an object that is not in the heap");
}

std::string read_text(const std::string& path, const Handle& file, const std::string& name) {
  Records records(path, file, name);
  if (H5Tget_class(records.type().get()) != H5T_STRING || records.count() != 1) refuse(path, name, "is not one text.");
  std::span<const std::byte> bytes = records.record(0);
  if (H5Tis_variable_str(records.type().get()) > 0) {
    bytes = records.object(Records::reference(bytes, 0), 1, 0);
  }
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Records of a dataset as they lie in the file, and the numbers and texts of variable length that they refer to.
//
// libhdf5 says where they lie; they are read here. It takes the length of such a member from the record, and then copies as many bytes as
// the heap has at the place that the record names, whether they fit or not (1.10: H5T_vlen_disk_read, H5HG_read): a byte changed in a file makes it
// write beyond its memory.
//
// Layout  a member of variable length is its length (4 bytes), the address of a heap collection (8), the number of an object there (4); a collection
//         is "GCOL", version 1, its size, and objects: number (2), references (2), zeros (4), size (8), bytes up to a multiple of 8.
// Source  HDF5 File Format Specification 3.0, III.E (global heap), IV.A.2.i (layout).
// Memory  a chunk of records, and a collection.
// Errors  Failure, naming file, dataset and record.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_HDF5_RECORDS_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_HDF5_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/mri/hdf5_file.h"

namespace ulpfft_tool {

class Records {
 public:
  Records(const std::string& path, const Handle& file, const std::string& name);

  std::uint64_t count() const { return count_; }
  const Handle& type() const { return type_; }

  // Where in a record a little-endian integer of so many bytes lies, a member of a member...; Failure if it is not there.
  std::size_t find_integer(std::initializer_list<const char*> names, std::size_t bytes) const;
  std::size_t find_floats(const char* name) const;  // likewise a list of f32 of variable length, see Reference

  std::span<const std::byte> record(std::uint64_t index);  // as the two below, until the next call

  // What a member of variable length at byte `offset` of a record refers to; its length counts elements of so many bytes.
  struct Reference {
    std::uint32_t length;
    std::uint64_t address;
    std::uint32_t number;
  };
  static Reference reference(std::span<const std::byte> record, std::size_t offset);
  std::span<const std::byte> object(const Reference& reference, std::size_t bytes_of_one, std::uint64_t index);

 private:
  [[noreturn]] void refuse_record(std::uint64_t index, const std::string& why) const;
  void find_layout();
  void load_collection(std::uint64_t address, std::uint64_t index);

  std::string path_;
  std::string name_;
  Handle data_;
  Handle type_;
  InputFile bytes_;
  std::size_t record_bytes_ = 0;
  std::uint64_t count_ = 0;
  std::vector<hsize_t> chunk_;           // lengths; empty: all records side by side
  std::uint64_t begin_ = 0;              // then of the first
  std::optional<std::uint64_t> loaded_;  // which chunk, or 0 where there are none
  std::vector<std::byte> records_;
  std::optional<std::uint64_t> collection_at_;
  std::vector<std::byte> collection_;
};

// The text of a dataset that is one string, of fixed or variable length.
std::string read_text(const std::string& path, const Handle& file, const std::string& name);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_HDF5_RECORDS_H_

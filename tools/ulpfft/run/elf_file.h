// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the loader reads in a program or library, without loading it. Damaged files have fewer facts, never wrong accesses.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_ELF_FILE_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_ELF_FILE_H_

#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

// A file in memory, read-only. Throws Failure where it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct ElfFacts {
  bool is_elf = false;
  bool is_native = false;           // for this kind of processor; what follows is known only then
  bool has_loader = false;          // names one: a program that is not static
  std::vector<std::string> needed;  // libraries, as they are named
  std::vector<std::string> rpath;   // folders searched first, also for libraries of libraries
  std::vector<std::string> runpath;
  std::vector<std::string> imports;  // names of the dynamic symbols that other files define
};

ElfFacts read_elf(std::string_view bytes);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_ELF_FILE_H_

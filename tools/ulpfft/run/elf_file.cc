// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

constexpr unsigned char kOwnClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

// The machine of this tool, which its own file tells.
std::uint16_t own_machine() {
  static const std::uint16_t machine = [] {
    ElfW(Ehdr) header{};
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const bool known = file >= 0 && read(file, &header, sizeof header) == static_cast<ssize_t>(sizeof header);
    if (file >= 0) close(file);
    return known ? header.e_machine : std::uint16_t{EM_NONE};
  }();
  return machine;
}

template <typename T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return "";
  const std::string_view rest = bytes.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

std::vector<std::string> split_folders(const std::string& text) {
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) folders.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

void add_imports(std::string_view bytes, const ElfW(Ehdr) & header, ElfFacts& facts) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = read_at<ElfW(Shdr)>(bytes, header.e_shoff + i * sizeof(ElfW(Shdr)));
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto strings = read_at<ElfW(Shdr)>(bytes, header.e_shoff + std::uint64_t{section->sh_link} * sizeof(ElfW(Shdr)));
    for (std::uint64_t at = 0; strings && at + sizeof(ElfW(Sym)) <= section->sh_size; at += sizeof(ElfW(Sym))) {
      const auto symbol = read_at<ElfW(Sym)>(bytes, section->sh_offset + at);
      if (!symbol) break;
      if (symbol->st_shndx == SHN_UNDEF && symbol->st_name != 0)
        facts.imports.push_back(text_at(bytes, strings->sh_offset + symbol->st_name));
    }
  }
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  const bool known = file >= 0 && fstat(file, &about) == 0;
  const auto size = static_cast<std::size_t>(known ? about.st_size : 0);
  void* const memory = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  const int why = errno;
  if (file >= 0) close(file);
  if (!known || memory == MAP_FAILED) throw Failure(path + ": " + std::strerror(why) + ".");
  bytes_ = {static_cast<const char*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

ElfFacts read_elf(std::string_view bytes) {
  ElfFacts facts;
  facts.is_elf = bytes.starts_with(ELFMAG);
  const auto header = read_at<ElfW(Ehdr)>(bytes, 0);
  facts.is_native = facts.is_elf && header && header->e_ident[EI_CLASS] == kOwnClass && header->e_machine == own_machine();
  if (!facts.is_native) return facts;
  std::vector<ElfW(Phdr)> parts;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    if (const auto part = read_at<ElfW(Phdr)>(bytes, header->e_phoff + i * sizeof(ElfW(Phdr)))) parts.push_back(*part);
  }
  const auto offset_of = [&](std::uint64_t address) -> std::uint64_t {
    for (const auto& part : parts) {
      if (part.p_type == PT_LOAD && address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
        return address - part.p_vaddr + part.p_offset;
    }
    return bytes.size();
  };
  std::uint64_t strings = bytes.size();
  std::vector<ElfW(Dyn)> entries;
  for (const auto& part : parts) {
    facts.has_loader = facts.has_loader || part.p_type == PT_INTERP;
    for (std::uint64_t at = 0; part.p_type == PT_DYNAMIC && at < part.p_filesz; at += sizeof(ElfW(Dyn))) {
      const auto entry = read_at<ElfW(Dyn)>(bytes, part.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      entries.push_back(*entry);
      if (entry->d_tag == DT_STRTAB) strings = offset_of(entry->d_un.d_ptr);
    }
  }
  for (const auto& entry : entries) {
    const auto text = [&] { return text_at(bytes, strings + entry.d_un.d_val); };
    if (entry.d_tag == DT_NEEDED) facts.needed.push_back(text());
    if (entry.d_tag == DT_RPATH) facts.rpath = split_folders(text());
    if (entry.d_tag == DT_RUNPATH) facts.runpath = split_folders(text());
  }
  add_imports(bytes, *header, facts);
  return facts;
}

}  // namespace ulpfft_tool

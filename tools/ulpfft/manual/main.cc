// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Writes manual pages and completions of the tool and of the generator: write_manual FOLDER GENFFT_USAGE, where GENFFT_USAGE is a file with
// the generator's help. A build runs it; it is not installed.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tools/ulpfft/manual/completion.h"
#include "tools/ulpfft/manual/description.h"
#include "tools/ulpfft/manual/man_page.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("Writing " + path.string() + " failed.");
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("Reading " + path.string() + " failed.");
  return {std::istreambuf_iterator<char>(file), {}};
}

// A page for every command of a program that is one of commands of its own.
void write_pages(const Command& command, const Command& program, const fs::path& folder) {
  write(folder / (command.name('-') + ".1"), man_page(command, program, ulpfft::version(), true));
  for (const Command& inner : command.commands) write_pages(inner, program, folder);
}

void write_completions(const Command& program, const WordsOfType& types, const fs::path& folder) {
  const std::string name = program.words.front();
  write(folder / name, bash_completion(program, types));
  write(folder / ("_" + name), zsh_completion(program, types));
  write(folder / (name + ".fish"), fish_completion(program, types));
}

void write_all(const fs::path& folder, const fs::path& usage) {
  WordsOfType types;
  for (const ulpfft_format& format : ulpfft::formats()) types["FORMAT"].emplace_back(format.name);
  for (const ulpfft_target& target : ulpfft::targets()) types["TARGET"].emplace_back(target.name);

  const fs::path pages = folder / "man1";
  fs::remove_all(pages);  // among them of commands that are no more
  fs::create_directories(pages);
  const Command tool = describe_tool();
  write_pages(tool, tool, pages);
  const char* const what = "Write the codelets and format tables of ulpfft, and check number formats";
  const Command genfft = read_usage("ulpfft-genfft", what, read(usage));
  write(pages / "ulpfft-genfft.1", man_page(genfft, genfft, ulpfft::version(), false));
  write_completions(tool, types, folder);
  write_completions(genfft, types, folder);
}

}  // namespace
}  // namespace ulpfft_tool

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: write_manual FOLDER GENFFT_USAGE\n", stderr);
    return 2;
  }
  try {
    ulpfft_tool::write_all(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_manual: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/program.h"

#include <glob.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/run/elf_file.h"

namespace ulpfft_tool {
namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.find_last_of('/')); }
std::string name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

bool is_file(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

std::vector<std::string> folders_in(const char* variable) {
  std::vector<std::string> folders;
  const char* const value = std::getenv(variable);
  std::istringstream text(value != nullptr ? value : "");
  for (std::string folder; std::getline(text, folder, ':');) folders.push_back(folder.empty() ? "." : folder);
  return folders;
}

// Lines of /etc/ld.so.conf and of the files it includes.
void add_configured(const std::string& path, int depth, std::vector<std::string>& folders) {
  std::ifstream file(path);
  for (std::string line; depth < 5 && std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first, pattern;
    words >> first;
    if (first != "include") {
      if (!first.empty()) folders.push_back(first);
      continue;
    }
    while (words >> pattern) {
      glob_t found{};
      if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; ++i) add_configured(found.gl_pathv[i], depth + 1, folders);
      }
      globfree(&found);
    }
  }
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + by.size())) text.replace(at, word.size(), by);
  return text;
}

struct Object {
  std::string path;
  std::vector<std::string> rpath;  // of those that need it, and its own
};

// The file of a library that `object` needs, in the order of the loader; "" where it is not found.
std::string find_library(const std::string& name, const Object& object, const ElfFacts& facts) {
  if (name.find('/') != name.npos) return is_file(name) ? name : "";
  static const std::vector<std::string> kSystem = [] {
    std::vector<std::string> folders;
    add_configured("/etc/ld.so.conf", 0, folders);
    for (const char* folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) folders.emplace_back(folder);
    return folders;
  }();
  const auto in = [&](const std::vector<std::string>& folders) -> std::string {
    for (const std::string& folder : folders) {
      const std::string origin = folder_of(object.path);
      const std::string path = replaced(replaced(folder, "${ORIGIN}", origin), "$ORIGIN", origin) + "/" + name;
      if (is_file(path)) return path;
    }
    return "";
  };
  if (std::string path = facts.runpath.empty() ? in(object.rpath) : ""; !path.empty()) return path;
  if (std::string path = in(folders_in("LD_LIBRARY_PATH")); !path.empty()) return path;
  if (std::string path = in(facts.runpath); !path.empty()) return path;
  return in(kSystem);
}

// What starts the program: itself, or of a script the interpreter, which may be a script, too.
std::string started_file(std::string path) {
  constexpr int kMostScripts = 5;  // as Linux
  for (int i = 0; i < kMostScripts; ++i) {
    const MappedFile file(path);
    if (!file.bytes().starts_with("#!")) return path;
    std::istringstream words(std::string(file.bytes().substr(2, file.bytes().find('\n') - 2)));
    std::string interpreter;
    words >> interpreter;
    if (name_of(interpreter) == "env") {
      while (words >> interpreter && (interpreter.starts_with('-') || interpreter.find('=') != interpreter.npos)) {
      }
    }
    if (interpreter.empty()) throw Failure(path + " is a script without the name of its interpreter.");
    path = find_program(interpreter);
  }
  return path;
}

// The text in every build of FFTW, shared or not, stripped or not, in double or float. It is put together here so that this tool
// does not have it.
bool has_fftw_inside(std::string_view bytes) {
  for (const char* name : {"fftw", "fftwf"}) {
    const std::string text = std::string(" ") + name + "_wisdom #" + "x%M";
    if (bytes.find(text) != bytes.npos) return true;
  }
  return false;
}

bool starts_with_any(const std::string& name, std::initializer_list<const char*> beginnings) {
  for (const char* beginning : beginnings) {
    if (name.starts_with(beginning)) return true;
  }
  return false;
}

void require_unprivileged(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return;
  const bool as_other = ((about.st_mode & S_ISUID) != 0 && about.st_uid != geteuid()) ||
                        ((about.st_mode & S_ISGID) != 0 && about.st_gid != getegid());
  if (as_other)
    throw Failure(path +
                  " runs with the rights of another user or group (setuid, setgid): the system lets nobody replace libraries of "
                  "such programs.");
  if (geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    throw Failure(path +
                  " has rights of its own (file capabilities): the system lets nobody replace libraries of such programs.");
}

// What the program and the libraries it needs tell about FFTW.
struct Findings {
  bool uses_fftw = false;       // functions in double or float, or a library of them
  std::string other_precision;  // a file that uses long double or quad
  std::string inside;           // a file with FFTW's code
  std::string mpi;              // the name of FFTW's library for MPI
};

void look_at(const Object& object, Findings& findings, std::deque<Object>& open) {
  const MappedFile file(object.path);
  const ElfFacts facts = read_elf(file.bytes());
  if (findings.inside.empty() && has_fftw_inside(file.bytes())) findings.inside = object.path;
  for (const std::string& name : facts.imports) {
    if (starts_with_any(name, {"fftw_", "fftwf_", "dfftw_", "sfftw_"})) findings.uses_fftw = true;
    if (starts_with_any(name, {"fftwl_", "fftwq_", "lfftw_"})) findings.other_precision = object.path;
  }
  std::vector<std::string> rpath = facts.rpath;
  rpath.insert(rpath.end(), object.rpath.begin(), object.rpath.end());
  for (const std::string& needed : facts.needed) {
    const std::string name = name_of(needed);
    if (starts_with_any(name, {"libfftw3_mpi", "libfftw3f_mpi"})) findings.mpi = name;
    if (starts_with_any(name, {"libfftw3.", "libfftw3-", "libfftw3_", "libfftw3f.", "libfftw3f-", "libfftw3f_"}))
      findings.uses_fftw = true;
    if (name.starts_with("libfftw3")) continue;
    const std::string path = find_library(needed, {object.path, rpath}, facts);
    if (!path.empty()) open.push_back({path, rpath});
  }
}

}  // namespace

std::string find_program(const std::string& word) {
  const auto is_program = [](const std::string& path) { return is_file(path) && access(path.c_str(), X_OK) == 0; };
  if (word.find('/') != word.npos) {
    if (is_program(word)) return word;
    throw Failure(is_file(word) ? word + " is a file that may not be executed." : "There is no program " + word + ".");
  }
  for (const std::string& folder : folders_in("PATH")) {
    if (const std::string path = folder + "/" + word; !word.empty() && is_program(path)) return path;
  }
  throw Failure("There is no program '" + word + "' in the folders of PATH.");
}

std::string require_replaceable(const std::string& given) {
  const std::string path = started_file(given);
  const std::string which = path == given ? path : path + ", which runs " + given + ",";
  require_unprivileged(path);
  const MappedFile file(path);
  const ElfFacts facts = read_elf(file.bytes());
  if (!facts.is_elf) throw Failure(which + " is no program of this system.");
  if (!facts.is_native)
    throw Failure(which + " is a program for another kind of processor, which ulpfft's libraries here are not for.");
  if (!facts.has_loader) throw Failure(which + " is a static program: it loads no libraries, so that none can be replaced.");
  Findings findings;
  std::deque<Object> open = {{path, {}}};
  std::set<std::string> seen;
  for (; !open.empty(); open.pop_front()) {
    if (seen.insert(open.front().path).second) look_at(Object(open.front()), findings, open);
  }
  if (!findings.mpi.empty()) {
    throw Failure(which + " needs " + findings.mpi +
                  ": FFTW's library for MPI calls internals of FFTW, which ulpfft does not have.");
  }
  if (!findings.inside.empty() && !findings.uses_fftw) {
    throw Failure(which + " has FFTW's code inside " + findings.inside +
                  ", not in a library of its own, so that it cannot be replaced.");
  }
  if (!findings.other_precision.empty() && !findings.uses_fftw) {
    throw Failure(which + " uses FFTW in long double or quad alone (" + findings.other_precision +
                  "), which ulpfft does not have.");
  }
  return findings.inside.empty() ? "" : findings.inside + " has FFTW's code inside; its transforms stay FFTW's.";
}

}  // namespace ulpfft_tool

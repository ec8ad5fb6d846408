// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/gpu/libraries.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace ulpfft::test {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The folders of packages of every Python below a prefix, newest first: /usr/lib/python3.12/site-packages.
void add_packages_below(const fs::path& prefix, std::vector<fs::path>& folders) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const char* lib : {"lib", "lib64"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix / lib, ignored)) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        if (fs::is_directory(entry.path() / packages, ignored)) found.push_back(entry.path() / packages);
      }
    }
  }
  std::sort(found.rbegin(), found.rend());
  folders.insert(folders.end(), found.begin(), found.end());
}

// Those of an environment that is active.
std::vector<fs::path> active_folders() {
  std::vector<fs::path> folders;
  for (std::string rest = variable("PYTHONPATH"); !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) folders.emplace_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string prefix = variable(name); !prefix.empty()) add_packages_below(prefix, folders);
  }
  return folders;
}

std::vector<fs::path> installed_folders() {
  std::vector<fs::path> folders;
  if (const std::string home = variable("HOME"); !home.empty()) add_packages_below(home + "/.local", folders);
  for (const char* prefix : {"/opt/venv", "/opt/conda", "/usr/local", "/usr"}) add_packages_below(prefix, folders);
  return folders;
}

void add_packages(const LibraryWanted& wanted, const std::vector<fs::path>& folders, std::vector<std::string>& places) {
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    for (const std::string& package : wanted.packages) {
      for (const std::string& name : wanted.names) {
        const fs::path file = folder / "nvidia" / package / "lib" / name;
        if (fs::exists(file, ignored)) places.push_back(file.string());
      }
    }
  }
}

}  // namespace

std::vector<std::string> places_of(const LibraryWanted& wanted) {
  if (const std::string given = variable(wanted.variable); !given.empty()) return {given};
  std::vector<std::string> places;
  add_packages(wanted, active_folders(), places);
  places.insert(places.end(), wanted.names.begin(), wanted.names.end());
  for (const std::string& folder : wanted.folders) {
    for (const std::string& name : wanted.names) places.push_back(folder + "/" + name);
  }
  add_packages(wanted, installed_folders(), places);
  return places;
}

void* load_library(const LibraryWanted& wanted) {
  const std::vector<std::string> places = places_of(wanted);
  std::string reason;
  for (const std::string& place : places) {
    if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
    // What is there and cannot be loaded says more than what is not there.
    std::error_code ignored;
    if (const char* const why = dlerror(); why != nullptr && (reason.empty() || fs::exists(place, ignored))) reason = why;
  }
  throw std::runtime_error(std::string(wanted.title) + " is not installed: none of " + std::to_string(places.size()) +
                           " places has it; " + wanted.variable + " may name it. " + reason + ".");
}

}  // namespace ulpfft::test

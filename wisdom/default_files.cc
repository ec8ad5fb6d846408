// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/default_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "wisdom/error.h"
#include "wisdom/file.h"

namespace ulpfft {
namespace {

constexpr const char* kName = "/ulpfft/wisdom.json";

// "" where it is not set.
std::string variable(const char* name) {
  const char* value = ::secure_getenv(name);
  return value != nullptr ? value : "";
}

// As "mkdir -p" for the folder of a path.
void make_folders_of(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) continue;
    const int error = errno;
    struct stat status = {};
    // A folder that exists may also be reported as one that must not be made (EROFS, EACCES).
    if (::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) continue;
    throw PlanError(ULPFFT_IO, "path", "Cannot make the folder '" + folder + "': " + std::generic_category().message(error) + ".");
  }
}

}  // namespace

std::string user_wisdom_path() {
  if (const std::string path = variable("ULPFFT_WISDOM"); !path.empty()) return path;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty() && cache.front() == '/') return cache + kName;
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache" + kName;
  return "";
}

const char* system_wisdom_path() { return "/etc/ulpfft/wisdom.json"; }

ImportReport import_default_wisdom(Store& store, const std::vector<std::string>& paths, const ImportPolicy& policy) {
  Store read;
  ImportReport sum;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::optional<std::string> text = read_trusted_wisdom_file(path);
    if (!text || text->empty()) continue;
    try {
      const ImportReport report = import_wisdom(read, *text, policy);
      sum.accepted += report.accepted;
      sum.stale += report.stale;
      sum.foreign += report.foreign;
      sum.malformed += report.malformed;
      for (const std::string& line : report.details) {
        if (sum.details.size() < ImportReport::kMaxDetails) sum.details.push_back(line);
      }
    } catch (const PlanError& error) {
      throw PlanError(error.status, error.field, "'" + path + "': " + error.message, error.text_begin, error.text_end);
    }
  }
  store.merge(read);
  return sum;
}

ImportReport save_default_wisdom(const Store& store, const std::string& path, const ImportPolicy& policy) {
  if (path.empty()) {
    throw PlanError(ULPFFT_IO, "path", "There is no place for wisdom: none of ULPFFT_WISDOM, XDG_CACHE_HOME and HOME is set.");
  }
  make_folders_of(path);
  return save_wisdom_file(store, path, policy);
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft info: what this build and this machine offer.
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/mri/libraries.h"
#include "tools/ulpfft/target_names.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace info_command {

using Json = nlohmann::ordered_json;

struct Options {
  bool json = false;
  bool codelets = false;
};

std::string hex(std::uint64_t bits) {
  char text[19];
  std::snprintf(text, sizeof text, "%016" PRIx64, bits);
  return text;
}

Json json_of(const ulpfft_codelet& codelet) {
  return {{"name", codelet.name}, {"kind", codelet.kind},   {"compute", codelet.compute},        {"radix", codelet.radix},
          {"adds", codelet.adds}, {"muls", codelet.muls},   {"fmas", codelet.fmas},
          {"live_values", codelet.live_values}, {"digest", hex(codelet.digest)}};
}

struct Machine {
  std::string processor = processor_name();
  unsigned threads = std::thread::hardware_concurrency();  // that this process may run on
  std::size_t memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t available = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
};

// What Linux can give to programs: unused memory, and caches that it would give up.
std::size_t available_memory(std::size_t unused) {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::size_t kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return unused;
}

// A library that the tool can use, and where it is; or what it would be for.
struct Library {
  std::string name;
  std::string found;  // "" where it is missing
  std::string use;
};

std::vector<Library> libraries() {
  const FftwLibrary fftw = FftwLibrary::system();
  const auto where = [](const FftwFunctions& functions) { return functions.plan == nullptr ? "" : functions.version + ", " + functions.file; };
  const std::string hdf5 = hdf5_version();
  return {{"HDF5", hdf5, "mri reads fastMRI files"},
          {"ISMRMRD", reads_ismrmrd() ? "part of this build" : "", "mri reads ISMRMRD files"},
          {"FFTW f32", where(fftw.narrow), "bench --vs fftw and accuracy compare with it"},
          {"FFTW f64", where(fftw.wide), "bench --vs fftw and accuracy compare with it"}};
}

// The files that programs read when they ask for remembered plans without naming a file.
struct WisdomFile {
  std::string whose;
  std::string path;
  std::string state;
};

// What the library says to reading both, which it does as a whole or not at all; "" if nothing.
std::string refusal_of_default_wisdom() {
  try {
    ulpfft::Context context;
    context.import_default_wisdom();
    return "";
  } catch (const ulpfft::Error& error) {
    return error.message();
  }
}

std::string count_plans(const std::string& path) {
  try {
    ulpfft::Context context;
    context.import_wisdom(path);
    const std::size_t plans = context.wisdom().size();
    return std::to_string(plans) + (plans == 1 ? " plan" : " plans");
  } catch (const ulpfft::Error& error) {
    return std::string("cannot be read: ") + error.what();
  }
}

std::vector<WisdomFile> wisdom_files() {
  std::vector<WisdomFile> files = {{"user", ulpfft_wisdom_user_path(), ""}, {"system", ulpfft_wisdom_system_path(), ""}};
  const std::string refusal = refusal_of_default_wisdom();
  for (WisdomFile& file : files) {
    std::error_code failure;
    if (file.path.empty()) {
      file.state = "no place: none of ULPFFT_WISDOM, XDG_CACHE_HOME and HOME is set";
    } else if (refusal.find("'" + file.path + "'") != refusal.npos) {
      file.state = "refused: " + refusal;
    } else if (!std::filesystem::exists(file.path, failure)) {
      file.state = failure ? "cannot be read: " + failure.message() : "not there";
    } else {
      file.state = count_plans(file.path) + (refusal.empty() ? "" : ", not read as long as the other file is refused");
    }
  }
  return files;
}

Json everything() {
  const Machine machine;
  Json info = {{"version", ulpfft::version()}, {"machine", ulpfft::Context::process_wide().machine()}, {"processor", machine.processor},
               {"threads", machine.threads}, {"memory_bytes", machine.memory}, {"available_bytes", available_memory(machine.available)}};
  for (const Library& library : libraries()) info["libraries"][library.name] = library.found.empty() ? Json(nullptr) : Json(library.found);
  for (const WisdomFile& file : wisdom_files()) info["wisdom"].push_back({{"whose", file.whose}, {"path", file.path}, {"state", file.state}});
  const std::vector<ulpfft_target> targets = ulpfft::targets();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ulpfft_target& target = targets[i];
    Json entry = {{"backend", target.backend},       {"name", target.name},
                  {"available", target.available != 0}, {"default", target.is_default != 0},
                  {"reason", target.reason},         {"fma", target.has_fma != 0},
                  {"lanes_f32", target.lanes_f32},   {"lanes_f64", target.lanes_f64}};
    entry["codelets"] = Json::array();
    for (const ulpfft_codelet& codelet : ulpfft::codelets(i)) entry["codelets"].push_back(json_of(codelet));
    info["targets"].push_back(std::move(entry));
  }
  info["cuda"] = ulpfft::describe_backend("cuda");
  for (const ulpfft_format& format : ulpfft::formats()) info["formats"].push_back(format.name);
  return info;
}

std::string codelet_table(const std::vector<ulpfft_codelet>& codelets) {
  Table table({"name", "kind", "type", ">radix", ">adds", ">muls", ">fmas", ">live", "digest"});
  for (const ulpfft_codelet& codelet : codelets) {
    table.add({codelet.name, codelet.kind, codelet.compute, std::to_string(codelet.radix), std::to_string(codelet.adds),
               std::to_string(codelet.muls), std::to_string(codelet.fmas), std::to_string(codelet.live_values),
               hex(codelet.digest)});
  }
  return table.text("  ");
}

std::string machine_lines() {
  const Machine machine;
  Table table({"", ""});
  table.add({"processor", machine.processor});
  table.add({"threads", std::to_string(machine.threads)});
  table.add({"memory", show_bytes(machine.memory) + ", " + show_bytes(available_memory(machine.available)) + " of it available"});
  table.add({"machine", show_target(ulpfft::Context::process_wide().machine()) + ", its name in wisdom files"});
  for (const Library& library : libraries()) table.add({library.name, library.found.empty() ? "not found; with it " + library.use : library.found});
  for (const WisdomFile& file : wisdom_files()) table.add({file.whose + " wisdom", file.path + (file.path.empty() ? "" : ": ") + file.state});
  const std::string text = table.text("  ");
  return text.substr(text.find('\n') + 1);  // the columns have no headings
}

std::string target_lines(const std::vector<ulpfft_target>& targets) {
  Table table({"backend", "name", "state", ">f32 lanes", ">f64 lanes", "FMA", ">codelets"});
  for (const ulpfft_target& target : targets) {
    table.add({target.backend, show_target(target.name),
               target.is_default  ? "default"
               : target.available ? "available"
                                  : "off: " + std::string(target.reason),
               std::to_string(target.lanes_f32), std::to_string(target.lanes_f64), target.has_fma ? "yes" : "no",
               std::to_string(target.codelets)});
  }
  return table.text("  ");
}

// A line for each kind: wide, element, integer, block.
std::string format_lines() {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const ulpfft_format& format : ulpfft::formats()) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == format.kind; });
    if (same == kinds.end()) {
      kinds.emplace_back(format.kind, format.name);
    } else {
      same->second += std::string(" ") + format.name;
    }
  }
  Table table({"kind", "names (ulpfft formats tells more)"});
  for (const auto& [kind, names] : kinds) table.add({kind, names});
  return table.text("  ");
}

// What there is for backend cuda, indented as tables are.
std::string cuda_lines() {
  std::string text = "  " + ulpfft::describe_backend("cuda");
  for (std::size_t end = text.find('\n'); end + 1 < text.size(); end = text.find('\n', end + 1)) text.insert(end + 1, "  ");
  return text;
}

void run(const Options& options) {
  if (options.json) {
    std::cout << everything().dump(2) << "\n";
    return;
  }
  const std::vector<ulpfft_target> targets = ulpfft::targets();
  std::cout << "ulpfft " << ulpfft::version() << "\n" << machine_lines() << "\nTargets\n" << target_lines(targets) << "\nCUDA\n" << cuda_lines() << "\nFormats\n" << format_lines();
  if (!options.codelets) return;
  const auto chosen = std::find_if(targets.begin(), targets.end(), [](const ulpfft_target& target) { return target.is_default != 0; });
  if (chosen == targets.end()) return;
  const auto codelets = ulpfft::codelets(static_cast<std::size_t>(chosen - targets.begin()));
  std::cout << "\nCodelets of " << show_target(chosen->name) << ", generated kernels of one radix each\n"
            << codelet_table(codelets);
}

}  // namespace info_command
}  // namespace

void add_info(CLI::App& app) {
  using namespace info_command;
  CLI::App* command = app.add_subcommand("info", "Show this machine, and the instruction sets, libraries and number formats of this build");
  const auto options = std::make_shared<Options>();
  command->add_flag("--json", options->json, "Print everything as JSON");
  command->add_flag("--codelets", options->codelets, "Show each codelet of the default target too, with its operation counts");
  command->footer("Examples:\n  ulpfft info\n  ulpfft info --codelets\n  ulpfft info --json\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

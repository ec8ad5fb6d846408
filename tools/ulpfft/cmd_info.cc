// ulpfft info: what this build and this machine offer.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

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

Json everything() {
  Json info = {{"version", ulpfft::version()}, {"machine", ulpfft::Context::process_wide().machine()}};
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
  for (const ulpfft_format& format : ulpfft::formats()) info["formats"].push_back(format.name);
  return info;
}

bool by_radix(const ulpfft_codelet& a, const ulpfft_codelet& b) {
  const std::string_view a_name = a.name, b_name = b.name;
  return std::tuple(a.radix, a_name.size(), a_name) < std::tuple(b.radix, b_name.size(), b_name);
}

// A line for each kind, with its names; kinds with equal names for several types share one.
std::string codelet_summary(std::vector<ulpfft_codelet> codelets) {
  std::sort(codelets.begin(), codelets.end(), by_radix);
  std::map<std::string, std::map<std::string, std::vector<std::string>>> names;  // by kind and type
  for (const ulpfft_codelet& codelet : codelets) {
    std::vector<std::string>& list = names[codelet.kind][codelet.compute];
    if (list.empty() || list.back() != codelet.name) list.emplace_back(codelet.name);
  }
  Table table({"kind", "types", "names"});
  for (const auto& [kind, by_type] : names) {
    std::map<std::vector<std::string>, std::string> types;
    for (const auto& [type, list] : by_type) types[list] += (types[list].empty() ? "" : " ") + type;
    for (const auto& [list, shared] : types) {
      std::string text;
      for (const std::string& name : list) text += (text.empty() ? "" : " ") + name;
      table.add({kind, shared, text});
    }
  }
  return table.text("  ");
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

void run(const Options& options) {
  if (options.json) {
    std::cout << everything().dump(2) << "\n";
    return;
  }
  std::cout << "ulpfft " << ulpfft::version() << "\nmachine " << ulpfft::Context::process_wide().machine() << "\n\nTargets\n";
  const std::vector<ulpfft_target> targets = ulpfft::targets();
  Table table({"backend", "name", "state", ">f32 lanes", ">f64 lanes", "FMA", ">codelets"});
  std::size_t chosen = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ulpfft_target& target = targets[i];
    if (target.is_default) chosen = i;
    table.add({target.backend, target.name,
               target.is_default   ? "default"
               : target.available ? "available"
                                  : "off: " + std::string(target.reason),
               std::to_string(target.lanes_f32), std::to_string(target.lanes_f64), target.has_fma ? "yes" : "no",
               std::to_string(target.codelets)});
  }
  std::cout << table.text("  ") << "\nFormats\n ";
  for (const ulpfft_format& format : ulpfft::formats()) std::cout << " " << format.name;
  std::cout << "   (ulpfft formats tells more)\n";
  if (chosen == targets.size()) return;
  const auto codelets = ulpfft::codelets(chosen);
  std::cout << "\nCodelets of " << targets[chosen].name << "\n"
            << (options.codelets ? codelet_table(codelets) : codelet_summary(codelets));
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Show version, instruction sets, number formats and codelets");
  const auto options = std::make_shared<Options>();
  command->add_flag("--json", options->json, "Print everything as JSON");
  command->add_flag("--codelets", options->codelets, "Show each codelet with its operation counts");
  command->footer("Example:\n  ulpfft info --json\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft wisdom: look at, check and join files of remembered plans, and measure what estimates go by.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/target_names.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace wisdom_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::string output;
  std::string target;
  double seconds = 0;
  bool json = false;
};

std::string counts(const ulpfft::ImportReport& report) {
  return std::to_string(report.accepted) + " accepted, " + std::to_string(report.stale) + " stale, " +
         std::to_string(report.foreign) + " foreign, " + std::to_string(report.malformed) + " malformed";
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) result += "  " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return result;
}

void show(const Options& options) {
  ulpfft::Context context;
  const ulpfft::ImportReport report = context.import_wisdom(options.files.at(0));
  const auto entries = context.wisdom();
  if (options.json) {
    Json list = Json::array();
    for (const ulpfft::WisdomEntry& entry : entries) {
      list.push_back({{"problem", entry.problem}, {"machine", entry.machine}, {"recipe", entry.recipe},
                      {"seconds", entry.seconds}, {"spread", entry.spread},   {"error", entry.error},
                      {"effort", entry.effort},   {"usable", entry.usable}});
    }
    std::cout << list.dump(2) << "\n";
    return;
  }
  Table table({"here", "problem", "recipe", ">seconds", ">spread", ">error", "effort", "machine"});
  for (const ulpfft::WisdomEntry& entry : entries) {
    table.add({entry.usable ? "yes" : "no", entry.problem, entry.recipe, show_seconds(entry.seconds),
               show_percent(entry.spread), show_error(entry.error), entry.effort, show_target(entry.machine)});
  }
  std::cout << table.text() << counts(report) << "\n" << indented(report.details);
}

void validate(const Options& options) {
  bool sound = true;
  for (const std::string& file : options.files) {
    ulpfft::Context context;
    try {
      const ulpfft::ImportReport report = context.import_wisdom(file);
      sound = sound && report.malformed == 0;
      std::cout << file << ": " << counts(report) << "\n" << indented(report.details);
    } catch (const ulpfft::Error& error) {
      sound = false;
      std::cout << file << ": refused: " << error.what() << "\n";
    }
  }
  if (!sound) throw Failure("Not every entry of every file is sound.");
}

void merge(const Options& options) {
  require_folder_of(options.output);
  const bool existed = is_there(options.output);
  ulpfft::Context context;
  for (const std::string& file : options.files) {
    std::cout << file << ": " << counts(context.import_wisdom(file)) << "\n";
  }
  context.export_wisdom(options.output);
  ulpfft::Context result;
  result.import_wisdom(options.output);
  std::cout << options.output << ": " << (existed ? "now" : "written,") << " " << result.wisdom().size() << " entries\n";
}

void calibrate(const Options& options) {
  require_folder_of(options.output);
  ulpfft::Context context = open_context(options.target);
  if (is_there(options.output)) context.import_wisdom(options.output);
  context.calibrate(options.seconds);
  context.export_wisdom(options.output);
  std::cout << options.output << ": holds the pass costs of " << show_target(context.machine()) << "\n";
}

}  // namespace wisdom_command
}  // namespace

void add_wisdom(CLI::App& app) {
  using namespace wisdom_command;
  CLI::App* command = app.add_subcommand("wisdom", "Look at, check and join files of remembered plans");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  ulpfft plan 1000 f32 --wisdom plans.json         plan, and remember\n"
      "  ulpfft wisdom show plans.json\n"
      "  ulpfft wisdom merge all.json plans.json other.json\n"
      "  ulpfft wisdom calibrate plans.json               measure every kernel: better estimates here\n");
  const auto options = std::make_shared<Options>();

  CLI::App* show_command = command->add_subcommand("show", "List the entries of a file");
  show_command->add_option("FILE", options->files, "Wisdom file")->required()->expected(1);
  show_command->add_flag("--json", options->json, "Print as JSON");
  show_command->footer("Examples:\n  ulpfft wisdom show plans.json\n  ulpfft wisdom show plans.json --json\n");
  show_command->callback([options] { show(*options); });

  CLI::App* validate_command = command->add_subcommand("validate", "Say of each entry whether it can be used here, and why not");
  validate_command->add_option("FILE", options->files, "Wisdom files")->required();
  validate_command->footer("Example:\n  ulpfft wisdom validate plans.json other.json\n");
  validate_command->callback([options] { validate(*options); });

  CLI::App* merge_command = command->add_subcommand("merge", "Add the entries of files to one file, which may exist already");
  merge_command->add_option("OUT", options->output, "File to add to; replaced as a whole, or not at all")->required();
  merge_command->add_option("IN", options->files, "Files to add")->required();
  merge_command->footer("Example:\n  ulpfft wisdom merge all.json plans.json other.json\n");
  merge_command->callback([options] { merge(*options); });

  CLI::App* calibrate_command = command->add_subcommand("calibrate", "Measure what every kernel costs on this machine, for --effort estimate");
  calibrate_command->add_option("FILE", options->output, "Wisdom file to keep it in; made if missing")->required();
  calibrate_command->add_option("--seconds", options->seconds, "For about so long; 2 unless said otherwise")->check(CLI::PositiveNumber);
  calibrate_command->add_option("--target", options->target, "Instruction set, e.g. avx3 (AVX-512); the best of this machine unless said otherwise")->type_name("TARGET");
  calibrate_command->footer("Examples:\n  ulpfft wisdom calibrate plans.json\n  ulpfft wisdom calibrate plans.json --seconds 10 --target avx2\n");
  calibrate_command->callback([options] { calibrate(*options); });
}

}  // namespace ulpfft_tool

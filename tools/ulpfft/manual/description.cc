// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/manual/description.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tools/ulpfft/application.h"

namespace ulpfft_tool {
namespace {

// "{a,b}" within the name of a type.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin);
  if (begin == type.npos || end == type.npos) return choices;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return choices;
}

// The name of a type without what a value must fulfil: "FLOAT" of "FLOAT:POSITIVE", "FILE" of "[FILE]".
std::string plain_type(const std::string& type) {
  const std::size_t begin = type.starts_with('[') ? 1 : 0;
  return type.substr(begin, type.find_first_of(":{] ") - begin);
}

Argument describe_option(const CLI::Option& option) {
  Argument argument;
  argument.text = option.get_description();
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (argument.names.empty()) argument.names.push_back(option.get_name(true));
  const bool is_flag = option.get_items_expected_max() == 0;
  if (!is_flag) argument.value = plain_type(option.get_type_name());
  if (!is_flag) argument.choices = choices_in(option.get_type_name());
  argument.preset = option.get_default_str();
  argument.may_lack_value = !is_flag && option.get_items_expected_min() == 0;
  argument.is_repeated = option.get_items_expected_max() > 1;
  argument.is_required = option.get_required();
  return argument;
}

Command describe(const CLI::App& app, std::vector<std::string> before) {
  Command command;
  before.push_back(app.get_name());
  command.words = before;
  command.text = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? command.positionals : command.options).push_back(describe_option(*option));
  }
  const auto every = [](const CLI::App*) { return true; };
  for (const CLI::App* inner : app.get_subcommands(every)) command.commands.push_back(describe(*inner, before));
  return command;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool is_upper_case(const std::string& word) { return !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0; }

// "emit --outdir DIR FORMAT.json...": an option takes the word in capitals behind it.
Command read_line(const std::string& program, std::string_view left, std::string text) {
  const std::vector<std::string> words = words_of(left);
  Command command{{program, words.at(0)}, std::move(text), {}, {}, {}, ""};
  for (std::size_t i = 1; i < words.size(); ++i) {
    Argument argument;
    argument.is_required = true;
    argument.names = {words[i]};
    const bool is_option = words[i].starts_with('-');
    if (is_option && i + 1 < words.size() && is_upper_case(words[i + 1])) argument.value = words[++i];
    if (!is_option) argument.value = "FILE";
    if (!is_option && words[i].ends_with("...")) {
      argument.names = {words[i].substr(0, words[i].size() - 3)};
      argument.is_repeated = true;
    }
    (is_option ? command.options : command.positionals).push_back(std::move(argument));
  }
  return command;
}

}  // namespace

std::string Command::name(char between) const {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? std::string() : std::string(1, between)) + word;
  return joined;
}

Command describe_tool() { return describe(*make_application({}), {}); }

Command read_usage(const std::string& program, const std::string& text, std::string_view usage) {
  Command command{{program}, text, {}, {{{"-h", "--help"}, "Print the commands and exit", "", "", {}, false, false, false}}, {}, ""};
  std::istringstream lines{std::string(usage)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const std::size_t gap = line.find("   ", 2);
    if (gap == line.npos) throw std::runtime_error("A command without a text: " + line);
    std::string right = line.substr(line.find_first_not_of(' ', gap));
    right.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(right.front())));
    command.commands.push_back(read_line(program, std::string_view(line).substr(2, gap - 2), std::move(right)));
  }
  if (command.commands.empty()) throw std::runtime_error("The usage text of " + program + " has no command");
  return command;
}

}  // namespace ulpfft_tool

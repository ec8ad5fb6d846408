// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/command_line.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/text.h"
#include "tools/ulpfft/words_elsewhere.h"

namespace ulpfft_tool {
namespace {

// Whether `message` has `word` between blanks or punctuation.
bool mentions(const std::string& message, const std::string& word) {
  const auto outside = [&](std::size_t at) { return at >= message.size() || std::strchr(" :,'\"()[]", message[at]) != nullptr; };
  for (std::size_t at = message.find(word); at != message.npos && !word.empty(); at = message.find(word, at + 1)) {
    if ((at == 0 || outside(at - 1)) && outside(at + word.size())) return true;
  }
  return false;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// The innermost command that the line names.
const CLI::App& command_meant(const CLI::App& app, const CommandLine& line) {
  const CLI::App* meant = &app;
  for (const CommandLine::Word& word : line.words) {
    const CLI::App* next = nullptr;
    for (const CLI::App* command : commands_of(*meant)) {
      if (command->get_name() == word.word) next = command;
    }
    if (next == nullptr) break;
    meant = next;
  }
  return *meant;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What stands behind a word that is an option with '=', or the next word where that is no option.
std::string value_behind(const CommandLine& line, const CommandLine::Word& word) {
  if (const std::size_t equals = word.word.find('='); equals != word.word.npos) return word.word.substr(equals + 1);
  const auto next =
      std::find_if(line.words.begin(), line.words.end(), [&](const CommandLine::Word& other) { return other.begin > word.begin; });
  return next == line.words.end() || next->word.starts_with('-') ? "..." : next->word;
}

// Explains an option that is a word of the problem, "--threads 2" for threads=2, where the command takes problems. "" otherwise.
std::string explain_word_of_problem(const CLI::App& command, const CommandLine& line, const CommandLine::Word& word,
                                    const std::string& option) {
  std::string name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  std::replace(name.begin(), name.end(), '-', '_');
  bool has_value = false;
  if (command.get_option_no_throw("PROBLEM") == nullptr || !is_word_of_problem(name, has_value)) return "";
  return "There is no option " + option + " of " + command.get_name() + ": it is a word of the problem. Write " + name +
         (has_value ? "=" + value_behind(line, word) : "") + ".";
}

// Explains a word that nothing takes: an option rather than what stands behind it.
std::string explain_unexpected(const CLI::App& command, const CommandLine& line, const CommandLine::Word& word) {
  const std::string whose = command.get_parent() == nullptr ? "" : " of " + command.get_name();
  if (!word.word.starts_with('-') && command.get_name() == "run") return "Write two dashes before the program: ulpfft run [OPTIONS] -- " + word.word + " ...";
  if (!word.word.starts_with('-')) return "'" + word.word + "' is not expected here: " + (whose.empty() ? "the tool" : command.get_name()) + " takes no such word.";
  const std::string option = word.word.substr(0, word.word.find('='));
  if (const std::string text = explain_word_of_problem(command, line, word, option); !text.empty()) return text;
  if (option == "--window") return "There is no option --window" + whose + ": transform has one, and a problem the word window=.";
  const std::string near = nearest(option, options_of(command));
  return "There is no option " + option + whose + "." + (near.empty() ? "" : " Did you mean " + near + "?");
}

}  // namespace

CommandLine::CommandLine(const std::vector<std::string>& given) : text("ulpfft") {
  for (const std::string& word : given) {
    const bool quoted = word.empty() || word.find(' ') != word.npos;
    text += quoted ? " \"" : " ";
    words.push_back({word, text.size()});
    text += quoted ? word + "\"" : word;
  }
}

void require_known_command(const CLI::App& app, const CommandLine& line) {
  const CLI::App* of = &app;
  for (std::size_t i = 0;; ++i) {
    std::vector<std::string> known;
    const CLI::App* next = nullptr;
    const bool is_word = i < line.words.size() && !line.words[i].word.starts_with('-');
    for (const CLI::App* command : commands_of(*of)) {
      if (is_word && command->get_name() == line.words[i].word) next = command;
      known.push_back(command->get_name());
    }
    if (known.empty() || (!is_word && (i == 0 || i < line.words.size()))) return;  // options: the parser knows better
    if (next != nullptr) {
      of = next;
      continue;
    }
    const std::string whose = i == 0 ? "" : " of " + of->get_name();
    const CommandLine::Word& word = line.words[is_word ? i : i - 1];
    const std::string message = is_word ? "'" + word.word + "' is not a command" + whose + "." + did_you_mean(word.word, known) + " There are " + listed(known) + "."
                                        : word.word + " needs a command: " + listed(known) + ".";
    throw UsageError(message, line.text, word.begin, word.begin + word.word.size());
  }
}

ExitStatus explain(const CLI::ParseError& error, const CLI::App& app, const CommandLine& line) {
  std::string message = error.what();
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const CommandLine::Word* at_fault = nullptr;
  for (const CommandLine::Word& word : line.words) {
    if (!mentions(message, word.word)) continue;
    at_fault = &word;
    if (unexpected && word.word.starts_with('-')) break;
  }
  constexpr const char* kTakes = ": takes ";  // between an option and what is wrong with its value
  if (const std::size_t at = message.find(kTakes); at != message.npos) message.erase(at, 1);
  const CLI::App& command = command_meant(app, line);
  if (unexpected && at_fault != nullptr) message = explain_unexpected(command, line, *at_fault);
  std::fprintf(stderr, "error: %s%s\n", message.c_str(), message.ends_with('.') || message.ends_with('?') ? "" : ".");
  if (at_fault != nullptr) std::fputs(underline(line.text, at_fault->begin, at_fault->begin + at_fault->word.size()).c_str(), stderr);
  std::string help = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent != nullptr; parent = parent->get_parent()) help = parent->get_name() + " " + help;
  std::fprintf(stderr, "Try '%s --help'.\n", help.c_str());
  return kUsage;
}

std::string list_of_commands(const CLI::App& app) {
  Table table({"", ""});
  for (const CLI::App* command : commands_of(app)) table.add({command->get_name(), command->get_description()});
  const std::string rows = table.text("  ");
  return "Which command?\n" + rows.substr(rows.find('\n') + 1) + "'ulpfft --help' shows examples, 'ulpfft COMMAND --help' the options.\n";
}

}  // namespace ulpfft_tool

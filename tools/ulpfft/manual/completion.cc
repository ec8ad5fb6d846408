// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/manual/completion.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ulpfft_tool {
namespace {

constexpr const char* kLicence = "# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0\n";

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// What a value may be: words, files, folders or anything.
struct Values {
  enum class Kind { kAny, kFiles, kFolders, kWords } kind;
  std::vector<std::string> words;
};
Values values_of(const Argument& argument, const WordsOfType& types) {
  if (!argument.choices.empty()) return {Values::Kind::kWords, argument.choices};
  if (const auto found = types.find(argument.value); found != types.end()) return {Values::Kind::kWords, found->second};
  if (argument.value == "TEXT" || argument.value.find("FILE") != std::string::npos) return {Values::Kind::kFiles, {}};
  if (argument.value == "FOLDER" || argument.value == "DIR") return {Values::Kind::kFolders, {}};
  return {Values::Kind::kAny, {}};
}

// "plan" or "mri recon": the words behind the program. "" of the program itself.
std::string path_of(const Command& command) { return joined({command.words.begin() + 1, command.words.end()}); }

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.words.back());
  return names;
}

template <typename Function>
void for_each_command(const Command& command, const Function& function) {
  function(command);
  for (const Command& inner : command.commands) for_each_command(inner, function);
}

std::string function_name(const Command& command) {
  std::string name = "_" + command.name('_');
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// ---- bash ------------------------------------------------------------------------------------------------------------------------

std::string bash_values(const Values& values) {
  switch (values.kind) {
    case Values::Kind::kWords: return "COMPREPLY=($(compgen -W '" + joined(values.words) + "' -- \"$word\"))";
    case Values::Kind::kFolders: return "compopt -o dirnames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$word\"))";
    case Values::Kind::kFiles: return "COMPREPLY=($(compgen -f -- \"$word\"))";
    case Values::Kind::kAny: return "COMPREPLY=()";
  }
  return "";
}

std::string bash_pattern(const std::string& path, const Argument& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back("'" + path + " " + name + "'");
  return joined(patterns, " | ");
}

// ---- zsh -------------------------------------------------------------------------------------------------------------------------

// Within quotation marks of a shell: letters that end a text there, or a part of a specification of zsh, stand behind a backslash.
std::string escaped(std::string_view text, std::string_view letters) {
  std::string result;
  for (const char letter : text) {
    if (letters.find(letter) != letters.npos) result += '\\';
    result += letter;
  }
  return result;
}

std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char letter : escaped(text, "\\[]:")) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result;
}

std::string zsh_values(const Argument& argument, const WordsOfType& types) {
  const Values values = values_of(argument, types);
  const std::string message = zsh_text(argument.value.empty() ? argument.names.back() : argument.value);
  switch (values.kind) {
    case Values::Kind::kWords: return ":" + message + ":(" + zsh_text(joined(values.words)) + ")";
    case Values::Kind::kFolders: return ":" + message + ":_files -/";
    case Values::Kind::kFiles: return ":" + message + ":_files";
    case Values::Kind::kAny: return ":" + message + ": ";
  }
  return "";
}

std::string zsh_option(const Argument& option, const WordsOfType& types) {
  std::string text;
  for (const std::string& name : option.names) {
    const std::string exclusive = option.is_repeated ? "*" : "(" + joined(option.names) + ")";
    const std::string value = option.value.empty() ? "" : (option.may_lack_value ? ":" : "") + zsh_values(option, types);
    const std::string equals = option.value.empty() || !name.starts_with("--") ? "" : "=";
    text += " \\\n    '" + exclusive + name + equals + "[" + zsh_text(option.text) + "]" + value + "'";
  }
  return text;
}

std::string zsh_function(const Command& command, const WordsOfType& types) {
  const bool has_commands = !command.commands.empty();
  std::string text = function_name(command) + "() {\n";
  if (has_commands) text += "  local curcontext=\"$curcontext\" state line\n  local -a commands\n";
  text += has_commands ? "  _arguments -C" : "  _arguments";
  for (const Argument& option : command.options) text += zsh_option(option, types);
  for (const Argument& argument : command.positionals) {
    const std::string place = argument.is_repeated ? "*" : argument.is_required ? ":" : "::";
    text += " \\\n    '" + place + (argument.is_repeated ? zsh_values(argument, types) : zsh_values(argument, types).substr(1)) + "'";
  }
  if (!has_commands) return text + "\n}\n";
  text += " \\\n    '1: :->command' '*:: :->words'\n  case $state in\n    command)\n      commands=(";
  for (const Command& inner : command.commands) text += "\n        '" + inner.words.back() + ":" + zsh_text(inner.text) + "'";
  text += ")\n      _describe command commands ;;\n    words)\n      case $line[1] in\n";
  for (const Command& inner : command.commands) text += "        " + inner.words.back() + ") " + function_name(inner) + " ;;\n";
  return text + "      esac ;;\n  esac\n}\n";
}

// ---- fish ------------------------------------------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) { return "'" + escaped(text, "\\'") + "'"; }

// Where `command` is the innermost one of the line.
std::string fish_condition(const Command& command) {
  const std::vector<std::string> words(command.words.begin() + 1, command.words.end());
  std::string condition;
  for (const std::string& word : words) condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  if (!command.commands.empty()) {
    condition += (condition.empty() ? "" : "; and ") + ("not __fish_seen_subcommand_from " + joined(names_of(command.commands)));
  }
  return " -n " + fish_text(condition);
}

std::string fish_values(const Argument& argument, const WordsOfType& types) {
  const Values values = values_of(argument, types);
  switch (values.kind) {
    case Values::Kind::kWords: return " -f -a " + fish_text(joined(values.words));
    case Values::Kind::kFolders: return " -f -a '(__fish_complete_directories)'";
    case Values::Kind::kFiles: return " -F";
    case Values::Kind::kAny: return " -f";
  }
  return "";
}

std::string fish_command(const Command& command, const WordsOfType& types) {
  const std::string begin = "complete -c " + command.words.front() + fish_condition(command);
  std::string text;
  for (const Command& inner : command.commands) text += begin + " -f -a " + inner.words.back() + " -d " + fish_text(inner.text) + "\n";
  for (const Argument& option : command.options) {
    text += begin;
    for (const std::string& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty() && !option.may_lack_value) text += " -r";
    if (!option.value.empty()) text += fish_values(option, types);
    text += " -d " + fish_text(option.text) + "\n";
  }
  for (const Argument& argument : command.positionals) {
    text += begin + fish_values(argument, types) + " -d " + fish_text(argument.text) + "\n";
  }
  return text;
}

}  // namespace

std::string bash_completion(const Command& program, const WordsOfType& types) {
  const std::string function = function_name(program);
  std::string paths, values, words;
  for_each_command(program, [&](const Command& command) {
    const std::string path = path_of(command);
    if (!path.empty()) {
      const std::string before = joined({command.words.begin() + 1, command.words.end() - 1});
      paths += "      '" + before + " " + command.words.back() + "') command='" + path + "' ;;\n";
    }
    std::vector<std::string> options;
    for (const Argument& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      // A value that may be missing does not hide the options.
      const std::string guard = option.may_lack_value ? "[[ $word == -* ]] || { " : "";
      values += "    " + bash_pattern(path, option) + ") " + guard + bash_values(values_of(option, types)) + "; return" +
                (guard.empty() ? "" : "; }") + " ;;\n";
    }
    std::string rest = bash_values({Values::Kind::kFiles, {}});  // a program that is run, and its words
    if (!command.positionals.empty()) rest = bash_values(values_of(command.positionals.front(), types));
    if (!command.commands.empty()) rest = bash_values({Values::Kind::kWords, names_of(command.commands)});
    words += "    '" + path + "') if [[ $word == -* ]]; then " + bash_values({Values::Kind::kWords, options});
    words += "; else " + rest + "; fi ;;\n";
  });
  return std::string("# Completion of ") + program.words.front() + " for bash.\n" + kLicence + function +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= i\n"
         "  # bash takes --option=value for three words.\n"
         "  if [[ $word == '=' ]]; then word= before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  elif [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n" +
         paths +
         "    esac\n"
         "  done\n"
         "  case \"$command $before\" in\n" +
         values +
         "  esac\n"
         "  case \"$command\" in\n" +
         words +
         "  esac\n"
         "}\n"
         "complete -o filenames -F " +
         function + " " + program.words.front() + "\n";
}

std::string zsh_completion(const Command& program, const WordsOfType& types) {
  std::string text = "#compdef " + program.words.front() + "\n" + kLicence;
  for_each_command(program, [&](const Command& command) { text += zsh_function(command, types); });
  // Where the file is sourced instead of loaded by the completion system, it names the function alone.
  return text + "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then " + function_name(program) + " \"$@\"; else compdef " +
         function_name(program) + " " + program.words.front() + "; fi\n";
}

std::string fish_completion(const Command& program, const WordsOfType& types) {
  std::string text = "# Completion of " + program.words.front() + " for fish.\n" + std::string(kLicence);
  for_each_command(program, [&](const Command& command) { text += fish_command(command, types); });
  return text;
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/manual/man_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "tools/ulpfft/wrapped_help.h"

namespace ulpfft_tool {
namespace {

constexpr std::size_t kExampleColumns = 72;  // what 80 leave beside the indentation of a page
constexpr std::string_view kExitStatus = "Exit status: ";

// Text in which nothing means anything to roff, and that is the letters of a command line, not those of a typesetter.
std::string plain(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '`': result += "\\(ga"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      case '"': result += "\\(dq"; break;
      default: result += letter;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string without_full_stop(const std::string& text) { return text.substr(0, text.find_last_not_of('.') + 1); }

std::string value_of(const Argument& argument) {
  std::string value;
  for (const std::string& choice : argument.choices) value += (value.empty() ? "" : "|\\:") + bold(choice);  // \: where a line may end
  if (value.empty()) value = italic(argument.value);
  return argument.may_lack_value ? "[" + value + "]" : value;
}

// "-o, --output TEXT", or the name alone of a positional argument.
std::string heading_of(const Argument& argument, bool is_positional) {
  std::string heading;
  for (const std::string& name : argument.names) heading += (heading.empty() ? "" : ", ") + (is_positional ? italic(name) : bold(name));
  if (is_positional) return heading;
  return argument.value.empty() ? heading : heading + " " + value_of(argument);
}

std::string entry(const std::string& heading, const std::string& text) { return ".TP\n" + heading + "\n" + text + "\n"; }

std::string entries(const std::vector<Argument>& arguments, bool are_positional) {
  std::string text;
  for (const Argument& argument : arguments) {
    const std::string preset = argument.preset.empty() || argument.preset == "{}" ? "" : " [" + plain(argument.preset) + "]";
    text += entry(heading_of(argument, are_positional), plain(argument.text) + preset);
  }
  return text;
}

std::string synopsis(const Command& command) {
  std::string line = ".B " + plain(command.name(' ')) + "\n";
  for (const Argument& option : command.options) {
    if (option.is_required) line += bold(option.names.back()) + " " + value_of(option) + "\n";
  }
  if (std::any_of(command.options.begin(), command.options.end(), [](const Argument& option) { return !option.is_required; })) {
    line += "[" + italic("OPTIONS") + "]\n";
  }
  for (const Argument& argument : command.positionals) {
    const std::string name = italic(argument.names.front()) + (argument.is_repeated ? " ..." : "");
    line += argument.is_required ? name + "\n" : "[" + name + "]\n";
  }
  if (!command.commands.empty()) line += italic("COMMAND") + " ...\n";
  return line;
}

// The text below a help in sections: what is indented stands as it is, lines of other paragraphs are joined.
struct Footer {
  explicit Footer(const std::string& text) {
    std::istringstream lines(text);
    std::string* section = &description;
    bool in_examples = false;
    for (std::string line; std::getline(lines, line);) {
      const bool is_example = line.starts_with("  ");
      if (in_examples != is_example && !line.empty()) *section += is_example ? ".PP\n.nf\n" : ".fi\n";
      if (!line.empty()) in_examples = is_example;
      if (line == "Examples:" || line == "Example:") {
        section = &examples;
      } else if (line.empty()) {
        if (!in_examples) *section += ".PP\n";
      } else if (is_example) {
        std::istringstream wrapped(wrapped_help(line, kExampleColumns));
        while (std::getline(wrapped, line)) *section += plain(line.substr(2)) + "\n";
      } else if (line.starts_with(kExitStatus)) {
        exit_status = plain(line.substr(kExitStatus.size())) + "\n";
      } else {
        if (section == &examples) section = &notes;
        *section += plain(line) + "\n";
      }
    }
    if (in_examples) *section += ".fi\n";
  }
  std::string description, examples, notes, exit_status;
};

std::string section(const std::string& title, std::string text) {
  // A paragraph that is empty, first or last of a section is one too many.
  constexpr std::string_view kParagraph = ".PP\n";
  while (text.starts_with(kParagraph)) text.erase(0, kParagraph.size());
  while (text.ends_with(kParagraph)) text.erase(text.size() - kParagraph.size());
  return text.empty() ? "" : ".SH " + title + "\n" + text;
}

std::string commands_section(const Command& command, bool has_pages) {
  std::string text;
  for (const Command& inner : command.commands) {
    if (has_pages) {
      text += entry(bold(inner.words.back()), plain(inner.text));
      continue;
    }
    std::string heading = bold(inner.words.back());
    for (const Argument& option : inner.options) heading += " " + heading_of(option, false);
    for (const Argument& argument : inner.positionals) heading += " " + heading_of(argument, true) + (argument.is_repeated ? "..." : "");
    text += entry(heading, plain(inner.text));
  }
  return text;
}

void append_pages(const Command& command, std::vector<std::string>& pages) {
  pages.push_back(command.name('-'));
  for (const Command& inner : command.commands) append_pages(inner, pages);
}

std::string see_also(const Command& command, const Command& program, bool has_pages) {
  std::vector<std::string> pages;
  if (has_pages) append_pages(program, pages);
  pages.emplace_back(program.words.front() == "ulpfft" ? "ulpfft-genfft" : "ulpfft");
  std::string text;
  for (const std::string& page : pages) {
    if (page != command.name('-')) text += (text.empty() ? "" : ",\n") + bold(page) + "(1)";
  }
  return text + "\n";
}

}  // namespace

std::string man_page(const Command& command, const Command& program, const std::string& version, bool has_pages) {
  const std::string name = command.name('-');
  Footer footer(command.footer);
  std::string page = ".TH " + plain(upper_case(name)) + " 1 \"\" \"ulpfft " + plain(version) + "\" \"ulpfft manual\"\n.nh\n.ad l\n";
  page += section("NAME", plain(name) + " \\- " + plain(without_full_stop(command.text)) + "\n");
  page += section("SYNOPSIS", synopsis(command));
  page += section("DESCRIPTION", plain(without_full_stop(command.text)) + ".\n.PP\n" + footer.description);
  page += section("ARGUMENTS", entries(command.positionals, true));
  page += section("COMMANDS", commands_section(command, has_pages));
  page += section("OPTIONS", entries(command.options, false));
  page += section("EXAMPLES", footer.examples);
  page += section("NOTES", footer.notes);
  page += section("EXIT STATUS", footer.exit_status);
  return page + section("SEE ALSO", see_also(command, program, has_pages));
}

}  // namespace ulpfft_tool

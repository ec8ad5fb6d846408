// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft: the command-line tool. One file per command, cmd_*.cc; here are its words and its exit status.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "tools/ulpfft/application.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/command_line.h"
#include "tools/ulpfft/run/what_if.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// "help plan" as "plan --help", "version" as "--version"; and --json of bench with no file behind it as one that goes to the standard
// output.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  if (words.front() == "version") words.front() = "--version";
  if (words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.front() == "bench") name_standard_output(words);
  return words;
}

// Takes the program of "run [OPTIONS] -- PROGRAM ARGS" away from the words: they are no words of the tool. Those of a SPEC become one.
std::vector<std::string> take_program(std::vector<std::string>& words) {
  const auto dashes = !words.empty() && words.front() == "run" ? std::find(words.begin(), words.end(), "--") : words.end();
  if (dashes == words.end()) return {};
  const std::vector<std::string> program(dashes + 1, words.end());
  words.erase(dashes, words.end());
  join_specs(words);
  return program;
}

int run(int argc, char** argv) {
  std::vector<std::string> words = words_of(argc, argv);
  const std::vector<std::string> program = take_program(words);
  const CommandLine line(words);
  const std::unique_ptr<CLI::App> made = make_application(program);
  CLI::App& app = *made;
  try {
    if (line.words.empty()) {
      std::fputs(list_of_commands(app).c_str(), stderr);
      return kUsage;
    }
    require_known_command(app, line);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Failure("Writing to the standard output failed.");
    return kSuccess;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return explain(error, app, line);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), underline(error.text(), error.begin(), error.end()).c_str());
    return error.status();
  } catch (const ulpfft::Error& error) {
    const std::string field = error.field().empty() ? "" : " [" + error.field() + "]";
    std::fprintf(stderr, "error: %s%s\n", error.what(), field.c_str());
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "error: %s: %s.\n", error.path1().c_str(), error.code().message().c_str());
    return kFailure;
  } catch (const std::bad_alloc&) {
    std::fputs("error: There is not enough memory.\n", stderr);
    return kFailure;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kFailure;
  }
}

}  // namespace
}  // namespace ulpfft_tool

int main(int argc, char** argv) {
  // Beyond the limit on file sizes a write fails, is told, and what was begun is removed; the default action would end the tool instead.
  std::signal(SIGXFSZ, SIG_IGN);
  return ulpfft_tool::run(argc, argv);
}

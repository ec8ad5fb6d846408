// ulpfft: the command-line tool. One file per command, cmd_*.cc; here are the application and its exit status.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kFooter = R"(Examples:
  ulpfft plan "1000 f32"                                choose and time a recipe for one transform of 1000 points
  ulpfft plan "256x256*8 f32 inverse centered"          eight two-dimensional inverse transforms, index 0 in the middle
  ulpfft transform in.npy out.npy --axes -1             transform the last axis of a NumPy file
  ulpfft transform kspace.cfl image.cfl --axes 0,1 --inverse --centered --scale ortho
  ulpfft convert in.npy in8.json --to mxfp8_e4m3        keep an array in a narrow format; transform reads it as it is
  ulpfft accuracy --html accuracy.html                  errors of lengths, formats, schemes, beside their gates
  ulpfft bench "1024 f32" --vs fftw                     speed and error beside another library
  ulpfft mri recon kspace.h5 --storage mxfp8_e4m3 -o DIR  what a format does to an image
  ulpfft info                                           what this build and this machine offer

A PROBLEM is LENGTHS[*BATCH] FORMAT [inverse] [centered] [scale=none|ortho|1/n|X] [inplace] [split] ...,
the same text that the library reads (ulpfft.h, ulpfft_plan_parse).

Exit status: 0 done; 1 the work failed; 2 a word of the command line is wrong.)";

// The command line as one text, and where in it each word lies.
struct CommandLine {
  CommandLine(int argc, char** argv) : text("ulpfft") {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      const bool quoted = word.empty() || word.find(' ') != word.npos;
      text += quoted ? " \"" : " ";
      words.push_back({word, text.size()});
      text += quoted ? word + "\"" : word;
    }
  }
  struct Word {
    std::string word;
    std::size_t begin;
  };
  std::string text;
  std::vector<Word> words;
};

// Whether `message` has `word` between blanks or punctuation.
bool mentions(const std::string& message, const std::string& word) {
  const auto outside = [&](std::size_t at) { return at >= message.size() || std::strchr(" :,'\"()[]", message[at]) != nullptr; };
  for (std::size_t at = message.find(word); at != message.npos && !word.empty(); at = message.find(word, at + 1)) {
    if ((at == 0 || outside(at - 1)) && outside(at + word.size())) return true;
  }
  return false;
}

// What the parser of the command line complains about, with the word of the command line that it names underlined: an unknown
// option before its value, else the last one, which is the value rather than its option.
ExitStatus explain(const CLI::ParseError& error, const CommandLine& line) {
  const std::string message = error.what();
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const CommandLine::Word* at_fault = nullptr;
  for (const CommandLine::Word& word : line.words) {
    if (!mentions(message, word.word)) continue;
    at_fault = &word;
    if (unexpected && word.word.starts_with('-')) break;
  }
  std::fprintf(stderr, "error: %s%s\n", message.c_str(), message.ends_with('.') ? "" : ".");
  if (at_fault) std::fputs(underline(line.text, at_fault->begin, at_fault->begin + at_fault->word.size()).c_str(), stderr);
  std::fputs("Try 'ulpfft --help', or 'ulpfft COMMAND --help'.\n", stderr);
  return kUsage;
}

// Commands may have commands.
void require_known_command(const CLI::App& app, const CommandLine& line) {
  const CLI::App* of = &app;
  for (std::size_t i = 0;; ++i) {
    std::string known;
    const CLI::App* next = nullptr;
    const bool is_word = i < line.words.size() && !line.words[i].word.starts_with('-');
    for (const CLI::App* command : of->get_subcommands([](const CLI::App*) { return true; })) {
      if (is_word && command->get_name() == line.words[i].word) next = command;
      known += (known.empty() ? "" : ", ") + command->get_name();
    }
    if (known.empty() || (!is_word && (i == 0 || i < line.words.size()))) return;  // options: the parser knows better
    if (next != nullptr) {
      of = next;
      continue;
    }
    const std::string whose = i == 0 ? "" : " of " + of->get_name();
    const CommandLine::Word& word = line.words[is_word ? i : i - 1];
    const std::string message =
        is_word ? "'" + word.word + "' is not a command" + whose + "; there are " + known + "." : word.word + " needs a command: " + known + ".";
    throw UsageError(message, line.text, word.begin, word.begin + word.word.size());
  }
}

int run(int argc, char** argv) {
  const CommandLine line(argc, argv);
  CLI::App app{"Fast Fourier transforms whose plan includes the number format.", "ulpfft"};
  app.set_version_flag("--version", "ulpfft " + ulpfft::version());
  app.require_subcommand(1);
  app.footer(kFooter);
  add_info(app);
  add_plan(app);
  add_transform(app);
  add_wisdom(app);
  add_formats(app);
  add_convert(app);
  add_accuracy(app);
  add_bench(app);
  add_mri(app);
  try {
    require_known_command(app, line);
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) throw Failure("Writing to the standard output failed.");
    return kSuccess;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return explain(error, line);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), underline(error.text(), error.begin(), error.end()).c_str());
    return kUsage;
  } catch (const ulpfft::Error& error) {
    const std::string field = error.field().empty() ? "" : " [" + error.field() + "]";
    std::fprintf(stderr, "error: %s%s\n", error.what(), field.c_str());
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

int main(int argc, char** argv) { return ulpfft_tool::run(argc, argv); }

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft run: starts a program that was made for FFTW, and has the loader give it ulpfft's libraries of the same names.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/run/fftw_folder.h"
#include "tools/ulpfft/run/fftw_seconds.h"
#include "tools/ulpfft/run/process.h"
#include "tools/ulpfft/run/program.h"
#include "tools/ulpfft/run/report.h"
#include "tools/ulpfft/run/what_if.h"
#include "tools/ulpfft/unfinished.h"

namespace ulpfft_tool {
namespace {
namespace run_command {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  int threads = 0;  // 0: as the program asks
  std::string wisdom;
  bool same_bits = false;
  bool report = false;
  std::string report_file;  // "": the error stream
  std::vector<std::string> specs;
  std::string only;
  bool compare_fftw = false;
  std::string fftw_effort = "measure";
  std::vector<std::string> program;
};

// A folder for the files of the processes, removed with this.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "ulpfft-run-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw Failure("No folder can be made in " + fs::temp_directory_path().string() + ".");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string absolute(const std::string& path) { return fs::absolute(path).string(); }

std::string with_pid(std::string name) {
  for (std::size_t at = name.find("%p"); at != name.npos; at = name.find("%p")) name.replace(at, 2, std::to_string(getpid()));
  return name;
}

// A file that is no wisdom is told now rather than by every process.
void use_wisdom(const std::string& file) {
  require_folder_of(file);
  if (is_there(file)) ulpfft::Context().import_wisdom(file);
  setenv("ULPFFT_FFTW_WISDOM", absolute(file).c_str(), 1);
}

// What the libraries read, see bindings/fftw3/wishes.h.
void ask_what_if(const std::vector<std::string>& specs, const std::string& only) {
  std::string lines;
  for (const std::string& spec : specs) lines += read_spec(spec) + "\n";
  setenv("ULPFFT_FFTW_WHAT_IF", lines.c_str(), 1);
  setenv("ULPFFT_FFTW_ONLY", only.c_str(), 1);
}

std::vector<std::string> problems_of(const std::vector<RunRow>& rows) {
  std::vector<std::string> problems;
  for (const RunRow& row : rows) problems.push_back(row.problem);
  return problems;
}

void write_report(const std::string& file, const std::string& text) {
  const std::string begun = unfinished_name(file);
  const int opened = open_unfinished(file);
  std::FILE* const stream = opened >= 0 ? fdopen(opened, "w") : nullptr;
  const bool written = stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (stream == nullptr || std::fclose(stream) != 0 || !written || std::rename(begun.c_str(), file.c_str()) != 0) {
    unlink(begun.c_str());
    std::fprintf(stderr, "error: The report %s could not be written.\n", file.c_str());
  }
}

[[noreturn]] void run_and_report(const Options& options, const std::string& path) {
  const std::string file = with_pid(options.report_file);
  require_folder_of(file);
  RunReport report;
  int how = 0;
  {
    const ScratchFolder scratch;
    setenv("ULPFFT_FFTW_REPORT", scratch.path().c_str(), 1);
    how = run_and_wait(path, options.program);
    report.rows = read_rows(scratch.path());
  }
  report.program = options.program;
  report.status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
  report.has_digests = options.same_bits;
  report.has_specs = !options.specs.empty();
  report.has_fftw = options.compare_fftw;
  if (options.compare_fftw) report.fftw = measure_fftw(problems_of(report.rows), options.fftw_effort);
  if (file.empty()) std::fputs(table_of(report).c_str(), stderr);
  if (!file.empty()) write_report(file, file.ends_with(".json") ? json_of(report) : page_of(report));
  end_like(how);
}

void run_program(const Options& options) {
  if (!options.only.empty() && options.specs.empty())
    throw UsageError("--only says which problems --what-if is about, but no --what-if is given.", "--only " + options.only, 0, 6);
  ask_what_if(options.specs, options.only);
  if (options.program.empty())
    throw UsageError("run needs two dashes and a program: ulpfft run [OPTIONS] -- PROGRAM ARGS.", "ulpfft run", 7, 10);
  const std::string folder = find_fftw_folder(options.folder);
  const std::string path = find_program(options.program.front());
  if (const std::string remark = require_replaceable(path); !remark.empty()) std::fprintf(stderr, "note: %s\n", remark.c_str());
  if (!options.wisdom.empty()) use_wisdom(options.wisdom);
  if (options.threads > 0) setenv("ULPFFT_FFTW_THREADS", std::to_string(options.threads).c_str(), 1);
  if (options.same_bits) setenv("ULPFFT_FFTW_SAME_BITS", "1", 1);
  switch_environment(folder);
  if (!options.report && options.specs.empty() && !options.compare_fftw) become(path, options.program);
  run_and_report(options, path);
}

std::string why_no_report(const std::string& file) {
  const bool known = file.ends_with(".json") || file.ends_with(".html");
  return known ? "" : "takes a file that ends in .json or .html, not '" + file + "'";
}

}  // namespace run_command
}  // namespace

void add_run(CLI::App& app, std::vector<std::string> program) {
  using namespace run_command;
  CLI::App* command = app.add_subcommand("run", "Run a program that was made for FFTW on ulpfft: run [OPTIONS] -- PROGRAM ARGS");
  command->footer(
      "The program is not changed. libfftw3 and libfftw3f are replaced in it and in what it starts, under whatever name it loads "
      "them. "
      "The exit status is the program's. Where FFTW cannot be replaced, a sentence says why, the program is not started, and the "
      "status is 1.\n\n"
      "Examples:\n"
      "  ulpfft run -- ./simulation input.dat\n"
      "  ulpfft run -- python3 script.py                  pyFFTW, of PyPI as well\n"
      "  ulpfft run --report -- ./simulation              which transforms it makes, and how long they take\n"
      "  ulpfft run --same-bits --threads 8 --report run.json -- ./simulation\n"
      "  ulpfft run --wisdom plans.json -- ./simulation   remember what FFTW_MEASURE finds\n"
      "  ulpfft run --what-if f16 -- ./simulation         what its results and errors would be if numbers were kept in f16\n"
      "  ulpfft run --what-if storage=mxfp8_e4m3 intermediate=f16 --what-if scheme=rounded:bf16 --only 'r2c *' -- ./simulation\n"
      "  ulpfft run --compare-fftw -- ./simulation        what FFTW takes for the same transforms\n");
  const auto options = std::make_shared<Options>();
  options->program = std::move(program);
  command->add_option("--threads", options->threads, "Threads of every plan, whatever the program asks for")
      ->check(CLI::Range(1, 256));
  CLI::Option* wisdom = command->add_option("--wisdom", options->wisdom,
                                            "File of remembered plans: read at the start where it exists, added to at exit");
  command
      ->add_option(
          "--report",
          [options](const CLI::results_t& words) {
            options->report = true;
            options->report_file = words.empty() || words.front() == "{}" ? "" : words.front();
            return true;
          },
          "At exit, a table on the error stream of the transforms that were made; or a FILE.json or FILE.html (%p in its name is "
          "the number of the process)")
      ->expected(0, 1)
      ->type_name("[FILE]")
      ->check([](const std::string& file) { return file.empty() || file == "{}" ? "" : why_no_report(file); });
  command
      ->add_flag("--same-bits", options->same_bits,
                 "Plans that give the same bits with any number of threads and on any machine with FMA; the report has a digest "
                 "of the results")
      ->excludes(wisdom);
  command
      ->add_option("--what-if", options->specs,
                   "Compute every transform as if its arrays were kept in this format, and report the error of that; words are storage=, "
                   "scheme=, precision=, intermediate=, prescale=, max_error=. Given several times: a row each, and the program has the "
                   "numbers of the first. A report is printed at exit unless --report says otherwise")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command
      ->add_option("--only", options->only,
                   "Of --what-if: only problems whose text, as the report prints it, matches this pattern of *, ? and [...]")
      ->type_name("GLOB");
  command
      ->add_option(
          "--compare-fftw",
          [options](const CLI::results_t& words) {
            options->compare_fftw = true;
            if (!words.empty() && !words.front().empty() && words.front() != "{}") options->fftw_effort = words.front();
            return true;
          },
          "In the report, what the FFTW of this system takes for the same transforms, planned by estimate, measure (unless said otherwise) "
          "or patient; up to a minute at exit, in a process of its own")
      ->expected(0, 1)
      ->type_name("[EFFORT]")
      ->check([](const std::string& effort) {
        return effort.empty() || effort == "{}" ? "" : one_of({"estimate", "measure", "patient"})(effort);
      }, "{estimate,measure,patient}");
  command->add_option("--folder", options->folder,
                      "The folder with ulpfft's libfftw3.so.3; unless said otherwise ULPFFT_FFTW3_FOLDER, else the one that was "
                      "installed or built with this tool")
      ->type_name("FOLDER");
  command->callback([options] { run_program(*options); });
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft mri: what a number format does to an image made of k-space.
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/mri/choose.h"
#include "tools/ulpfft/mri/evaluate.h"
#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/mri/recon.h"
#include "tools/ulpfft/mri/sweep.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace mri_command {

struct Options {
  std::string file;
  std::string storage = "f32";
  std::string scheme;
  int block = 0;
  std::string rule;
  std::string folder;
  std::string reference;
  std::string slices;
  std::int64_t repetition = 0;
  std::string target;
  bool round_trip = false;
  bool keep_oversampling = false;
  bool json = false;
  Demand demand;
  std::string page;
  std::string csv;
  bool quick = false;
};

std::string has_from_zero(const Options& options, std::int64_t count, const std::string& what) {
  return options.file + " has " + std::to_string(count) + " " + what + (count == 1 ? "" : "s") + ", from 0.";
}

// "3" or "3-8", both ends included; empty: all.
Selection read_selection(const Options& options, const SeriesFacts& facts) {
  Selection selection{options.repetition, 0, facts.slices};
  if (options.repetition >= facts.repetitions) {
    const std::string given = std::to_string(options.repetition);
    throw UsageError(has_from_zero(options, facts.repetitions, "repetition"), given, 0, given.size());
  }
  if (options.slices.empty()) return selection;
  const std::string& text = options.slices;
  const char* const end = text.data() + text.size();
  std::int64_t last = 0;
  auto [stop, failure] = std::from_chars(text.data(), end, selection.first);
  last = selection.first;
  if (failure == std::errc{} && stop != end && *stop == '-') {
    const auto second = std::from_chars(stop + 1, end, last);
    stop = second.ptr;
    failure = second.ec;
  }
  if (failure != std::errc{} || stop != end || selection.first < 0 || last < selection.first) {
    throw UsageError("--slice takes a number from 0, or two with a dash between, e.g. 3-8.", text, 0, text.size());
  }
  if (last >= facts.slices) throw UsageError(has_from_zero(options, facts.slices, "slice"), text, 0, text.size());
  selection.count = last - selection.first + 1;
  return selection;
}

// What is wrong with a scheme, or with a format it names, is shown in its word.
template <typename Work>
auto showing_words(const Words& words, const Work& work) {
  try {
    return work();
  } catch (const ulpfft::Error& error) {
    const bool of_scheme = error.field() == "scheme" && !words.scheme.empty();
    if (!of_scheme && !error.field().starts_with("storage") && error.field() != "scheme") throw;
    const std::string& word = of_scheme ? words.scheme : words.storage;
    throw UsageError(error.message(), word, 0, word.size());
  }
}

void recon(const Options& options) {
  const Words words = with_blocks({options.storage, options.scheme}, options.block, options.rule);
  require_folder_of(options.folder);
  const Arithmetic arithmetic{storage_for_mri(words.storage, words.storage), words.scheme, options.round_trip};
  ulpfft::Context context = open_context(options.target);
  const std::unique_ptr<KspaceReader> reader = open_kspace(options.file, {options.keep_oversampling}, context);
  const Selection selection = read_selection(options, reader->facts());
  const Evaluation evaluation = showing_words(words, [&] {
    ProgressBar bar("mri recon");
    return evaluate(context, options.file, *reader, selection, arithmetic, options.reference, options.folder,
                    [&](double fraction, std::string_view what) { bar.show(fraction, what); });
  });
  if (options.json) {
    std::cout << evaluation_json(evaluation, options.file);
  } else {
    std::cout << options.folder << ": reference.npy, result.npy, metrics.json and a panel_NNNN.png of each slice\n" << evaluation_text(evaluation);
  }
}

void choose_storage(const Options& options) {
  const Demand& demand = options.demand;
  if (!demand.most_nmse && !demand.least_psnr && !demand.least_ssim) {
    throw UsageError("Say how good the images must be: --nmse, --psnr or --ssim.", "mri choose", 0, 10);
  }
  ulpfft::Context context = open_context(options.target);
  const std::unique_ptr<KspaceReader> reader = open_kspace(options.file, {options.keep_oversampling}, context);
  const Selection selection = read_selection(options, reader->facts());
  const Choice choice = showing_words({"", options.scheme}, [&] {
    ProgressBar bar("mri choose");
    return choose(context, options.file, *reader, selection, options.scheme, options.round_trip, demand,
                  [&](double fraction, std::string_view what) { bar.show(fraction, what); });
  });
  std::cout << (options.json ? choice_json(choice, options.file) : choice_text(choice)) << std::flush;
  if (!choice.chosen) throw Failure(options.file + ": no storage meets what is asked, not even the widest; see the table.");
}

// The page comes last: where it is, all is.
void sweep_formats(const Options& options) {
  if (options.csv == options.page) throw UsageError("The page and its numbers are two files; -o and --csv name one.", options.csv, 0, options.csv.size());
  require_folder_of(options.page);
  require_folder_of(options.csv);
  ulpfft::Context context = open_context(options.target);
  const std::unique_ptr<KspaceReader> reader = open_kspace(options.file, {options.keep_oversampling}, context);
  const Selection selection = read_selection(options, reader->facts());
  const std::vector<std::int64_t> sizes = options.quick ? std::vector<std::int64_t>{64} : std::vector<std::int64_t>{64, 128, 256};
  // Before the work: a name that cannot be written costs no time.
  std::optional<OutputFile> csv, page;
  if (!options.csv.empty()) csv.emplace(options.csv);
  page.emplace(options.page);
  const Sweep result = [&] {
    ProgressBar bar("mri sweep");
    return sweep(context, options.file, *reader, selection, sizes, [&](double fraction, std::string_view what) { bar.show(fraction, what); });
  }();
  if (csv) {
    csv->write(sweep_csv(result));
    csv->finish();
  }
  page->write(sweep_page(result, options.file));
  page->finish();
  if (csv) csv->commit();
  page->commit();
  std::cout << (options.json ? sweep_json(result, options.file) : sweep_text(result) + "\nThe page is " + options.page + "\n");
}

void add_input(CLI::App& command, Options& options) {
  command
      .add_option("FILE", options.file,
                  "K-space: NAME.cfl with NAME.hdr (BART), NAME.npy of shape ([[repetitions,] slices,] coils, ny, nx), or HDF5 (.h5, .hdf5, .mrd) of "
                  "fastMRI or ISMRMRD")
      ->required();
  command.add_option("--slice", options.slices, "One slice, or FIRST-LAST, from 0; without it all");
  command.add_option("--repetition", options.repetition, "From 0")->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 31))->capture_default_str();
  command.add_flag("--keep-oversampling", options.keep_oversampling, "Leave the readout as it was measured");
  command.add_option("--target", options.target, "Instruction set, e.g. avx3 (AVX-512); see ulpfft info. Without it, the best of this machine")->type_name("TARGET");
  command.add_flag("--json", options.json, "Print as JSON");
}

void add_round_trip(CLI::App& command, Options& options) {
  command.add_flag("--round-trip", options.round_trip, "From the images of the coils to k-space and back, instead of from k-space alone");
}

void add_sweep(CLI::App& command) {
  CLI::App* swept = command.add_subcommand("sweep", "Every format, stored and computed in, at three sizes, block lengths and two scale rules, as one page");
  const auto options = std::make_shared<Options>();
  add_input(*swept, *options);
  swept->add_option("-o,--output", options->page, "The HTML page to write")->required();
  swept->add_option("--csv", options->csv, "Every number of it, too");
  swept->add_flag("--quick", options->quick, "Images of 64 x 64 alone, instead of 64, 128 and 256 a side");
  swept->footer(
      "Sizes are cut from the middle of k-space, or zeros are put around it. The reference is f64 at each size. Block lengths are 2, 8 and 32, scale rules "
      "floor and rceil. All threads of the machine work, a format each. Nothing is written before all is measured.\n"
      "\n"
      "Examples:\n"
      "  ulpfft mri sweep kspace.cfl -o sweep.html --csv sweep.csv\n"
      "  ulpfft mri sweep scan.h5 --slice 10-20 --quick -o sweep.html");
  swept->callback([options] { sweep_formats(*options); });
}

// CLI11's own checks print bounds as %f.
CLI::Validator at_least(double least, std::optional<double> most = {}) {
  const auto check = [least, most](const std::string& text) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (failure == std::errc{} && stop == end && std::isfinite(value) && value >= least && (!most || value <= *most)) return std::string();
    return "takes a number, " + show_number(least) + (most ? " to " + show_number(*most) : " or larger") + ", not '" + text + "'.";
  };
  return {check, ""};
}

void add_choose(CLI::App& command) {
  CLI::App* chosen = command.add_subcommand("choose", "Find the storage of fewest bytes, then least time, whose images are good enough");
  const auto options = std::make_shared<Options>();
  add_input(*chosen, *options);
  add_round_trip(*chosen, *options);
  chosen->add_option("--nmse", options->demand.most_nmse, "The normalised mean square error is at most this")->check(at_least(0.0));
  chosen->add_option("--psnr", options->demand.least_psnr, "The peak signal-to-noise ratio is at least this, in dB")->check(at_least(0.0));
  chosen->add_option("--ssim", options->demand.least_ssim, "The structural similarity is at least this")->check(at_least(-1.0, 1.0));
  chosen->add_option("--scheme", options->scheme, "Arithmetic of all of them, e.g. mx:mxint8; without it f32, or f64 where the storage needs it")
      ->transform(with_own_format_names)
      ->type_name("SCHEME");
  chosen->footer(
      "Where more than one is asked, all must hold; the reference is f64. The last lines are the problem to plan in one's own program, and its recipe.\n"
      "\n"
      "Example:\n"
      "  ulpfft mri choose kspace.cfl --psnr 50 --ssim 0.98");
  chosen->callback([options] { choose_storage(*options); });
}

}  // namespace mri_command
}  // namespace

void add_mri(CLI::App& app) {
  using namespace mri_command;
  CLI::App* command = app.add_subcommand(
      "mri", "Reconstruct MR images in a number format and measure the loss");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  ulpfft mri recon kspace.cfl --storage f16 -o f16        images, errors and panels in the folder f16\n"
      "  ulpfft mri choose kspace.cfl --psnr 50 --ssim 0.98      the smallest storage that is good enough\n"
      "  ulpfft mri sweep kspace.cfl -o sweep.html               all formats on a page\n"
      "\n"
      "'ulpfft mri COMMAND --help' shows the options of each.\n");

  CLI::App* made = command->add_subcommand("recon", "Reconstruct slices in a storage and scheme, and judge them");
  const auto options = std::make_shared<Options>();
  add_input(*made, *options);
  add_round_trip(*made, *options);
  made->add_option("--storage", options->storage, "Format of k-space and images, e.g. f16, e4m3, mxfp8_e4m3; see ulpfft formats")
      ->transform(with_own_format_names)
      ->type_name("FORMAT")
      ->capture_default_str();
  made->add_option("--scheme", options->scheme, "Arithmetic: f32, f64, rounded:<element>[/f32], mx:<block>; without it that of the storage")
      ->transform(with_own_format_names)
      ->type_name("SCHEME");
  made->add_option("--block", options->block, "Reals that share a scale, of a block format or mx scheme")->check(CLI::IsMember({2, 4, 8, 16, 32, 64}));
  made->add_option("--rule", options->rule, "How their scale is chosen")
      ->check(one_of({"floor", "ceil", "rceil", "even", "fit", "te", "torchao", "search"}),
              "{floor,ceil,rceil,even,fit,te,torchao,search}");
  made->add_option("-o,--output", options->folder, "Folder to write to; made if it is not there")->type_name("FOLDER")->required();
  made->add_option("--reference", options->reference,
                   "Images to compare with, instead of those of f64: .npy, .cfl, or a fastMRI file, whose reconstruction_rss is meant; smaller ones are "
                   "compared with the middle");
  made->footer(
      "NMSE, PSNR and SSIM are those of fastMRI's evaluation: of all slices as one volume, whose largest value is the range. The panels show reference, "
      "result and their difference, times the factor in its title. A folder holds one run: panels of other slices that an earlier one left are removed.\n"
      "\n"
      "Examples:\n"
      "  ulpfft mri recon kspace.cfl --storage f16 -o f16\n"
      "  ulpfft mri recon scan.h5 --storage mxfp8_e4m3 --block 8 --rule rceil --slice 10-20 -o e4m3\n"
      "  ulpfft mri recon scan.h5 --storage f32 --scheme mx:mxint8 --round-trip -o int8\n"
      "  ulpfft mri recon multicoil.h5 --storage e4m3 --scheme rounded:f16 --reference multicoil.h5 -o out");
  made->callback([options] { recon(*options); });
  add_choose(*command);
  add_sweep(*command);
}

}  // namespace ulpfft_tool

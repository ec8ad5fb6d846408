// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/evaluate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/mri/helper.h"
#include "tools/ulpfft/mri/metrics.h"
#include "tools/ulpfft/mri/panel.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

// What to compare with: images of a file, in the place of those made here by f64.
class Reference {
 public:
  Reference(const std::string& path, const SeriesFacts& facts, const Selection& selection) : path_(path) {
    if (path.empty()) return;
    images_ = open_images(path);
    if (images_->slices() != facts.slices && images_->slices() != selection.count) {
      refuse(path, "slices", "it has " + std::to_string(images_->slices()) + "; " +
                                 (facts.slices == selection.count ? "" : std::to_string(selection.count) + " are selected of ") + std::to_string(facts.slices) + " of k-space.");
    }
    if (images_->ny() > facts.ny || images_->nx() > facts.nx) {
      refuse(path, "shape", "its images are " + show_sides(images_->ny(), images_->nx()) + ", larger than those of k-space, " + show_sides(facts.ny, facts.nx) + ".");
    }
    offset_ = images_->slices() == facts.slices ? 0 : selection.first;
  }
  explicit operator bool() const { return images_ != nullptr; }
  std::int64_t ny() const { return images_->ny(); }
  std::int64_t nx() const { return images_->nx(); }
  void read(std::int64_t slice, std::vector<double>& into) { images_->read(slice - offset_, into); }

 private:
  std::string path_;
  std::unique_ptr<ImageReader> images_;
  std::int64_t offset_ = 0;
};

// A .npy file of images, written one by one.
class ImageFile {
 public:
  ImageFile(const std::string& path, std::int64_t slices, std::int64_t ny, std::int64_t nx) : file_(path) {
    write_npy_codes(file_, "<f8", {slices, ny, nx}, {});
  }
  void add(std::span<const double> image) { file_.write(std::as_bytes(image)); }
  void complete() {
    file_.finish();
    file_.commit();
  }

 private:
  OutputFile file_;
};

void make_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (std::error_code ignored; failure || !std::filesystem::is_directory(folder, ignored))
    throw Failure(folder + ": the folder cannot be made" + (failure ? ": " + failure.message() : "") + ".");
}

// The slice whose panel a file is; -1: of none.
std::int64_t slice_of_panel(const std::string& name) {
  constexpr std::string_view kBegin = "panel_", kEnd = ".png";
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return -1;
  const char* const from = name.data() + kBegin.size();
  const char* const to = name.data() + name.size() - kEnd.size();
  std::int64_t slice = -1;
  const auto [stop, failure] = std::from_chars(from, to, slice);
  return to - from >= 4 && *from != '-' && failure == std::errc{} && stop == to ? slice : -1;
}

// What earlier runs left would be taken for work of this one: metrics.json, panels of other slices, files begun and not completed. Returns how many panels.
std::int64_t remove_old(const std::string& folder, const Selection& selection) {
  const auto is_ours = [](const std::string& name) {
    return name == "reference.npy" || name == "result.npy" || name == "metrics.json" || slice_of_panel(name) >= 0;
  };
  remove_unfinished(folder, is_ours);
  std::int64_t panels = 0;
  std::vector<std::filesystem::path> old = {std::filesystem::path(folder) / "metrics.json"};
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    const std::int64_t slice = slice_of_panel(entry.path().filename().string());
    if (slice < 0 || (slice >= selection.first && slice < selection.first + selection.count)) continue;
    old.push_back(entry.path());
    ++panels;
  }
  for (const std::filesystem::path& path : old) {
    std::error_code failure;
    std::filesystem::remove(path, failure);
    if (failure) throw Failure(path.string() + ": of an earlier run, cannot be removed: " + failure.message() + ".");
  }
  return panels;
}

std::string panel_name(std::int64_t slice) {
  char text[32];
  std::snprintf(text, sizeof text, "panel_%04lld.png", static_cast<long long>(slice));
  return text;
}

double median(std::vector<double> list) {
  const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
  std::nth_element(list.begin(), middle, list.end());
  return *middle;
}

// "4" for 2; large and small powers of two as "2^40" and "2^-3".
std::string show_power(int exponent) { return exponent >= 0 && exponent <= 20 ? std::to_string(std::int64_t{1} << exponent) : "2^" + std::to_string(exponent); }


}  // namespace

std::string show_decibels(double value) { return std::isinf(value) ? "no error" : show_rounded("%.2f dB", value); }

Evaluation evaluate(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const Arithmetic& arithmetic,
                    const std::string& reference_path, const std::string& folder, const Progress& progress) {
  Evaluation result;
  result.facts = reader.facts();
  result.selection = selection;
  result.reference = reference_path.empty() ? "f64" : reference_path;
  Reference reference(reference_path, result.facts, selection);
  result.ny = reference ? reference.ny() : result.facts.ny;
  result.nx = reference ? reference.nx() : result.facts.nx;
  if (result.ny < kSimilarityWindow || result.nx < kSimilarityWindow) {
    refuse(path, "shape", "images are " + show_sides(result.ny, result.nx) + "; SSIM looks at windows of 7 x 7.");
  }
  const ExactTransform exact(context, result.facts);
  NarrowTransform narrow(context, result.facts, arithmetic);
  result.storage = arithmetic.storage.name;
  result.scheme = arithmetic.scheme;
  result.round_trip = arithmetic.round_trip;
  result.prescaled = narrow.prescaled();
  result.problem = narrow.problem();
  result.recipe = narrow.recipe();
  result.bytes_per_sample = narrow.bytes_per_sample();

  make_folder(folder);
  const std::string reference_file = folder + "/reference.npy", result_file = folder + "/result.npy";
  const auto total = static_cast<double>(selection.count);
  std::vector<double> of_reference, of_result;
  double signal = 0.0, error = 0.0;
  {
    ImageFile references(reference_file, selection.count, result.ny, result.nx), results(result_file, selection.count, result.ny, result.nx);
    Slice slice;
    for (std::int64_t i = 0; i < selection.count; ++i) {
      progress(0.9 * static_cast<double>(i) / total, "slice " + std::to_string(i + 1) + " of " + std::to_string(selection.count));
      reader.read(selection.repetition, selection.first + i, slice);
      const double peak = exact.reconstruct(slice, of_reference).peak;
      const NarrowTransform::Outcome outcome = narrow.run(slice, exact, peak, of_result);
      if (reference) {
        reference.read(selection.first + i, of_reference);
        of_result = crop_to(of_result, result.facts.ny, result.facts.nx, result.ny, result.nx);
      }
      result.range = std::max(result.range, *std::max_element(of_reference.begin(), of_reference.end()));
      references.add(of_reference);
      results.add(of_result);
      signal += outcome.signal;
      error += outcome.error;
      result.slices.push_back({selection.first + i, 0.0, 0.0, 0.0, decibels(outcome.signal, outcome.error), outcome.exponent, outcome.saturated, outcome.seconds});
    }
    if (!(result.range > 0.0)) refuse(reference ? reference_path : path, "samples", "there is no image: every number of the slices selected is 0.");
    result.panels_removed = remove_old(folder, selection);
    references.complete();
    results.complete();
  }

  VolumeMetrics volume(result.range);
  const auto reference_images = open_images(reference_file), result_images = open_images(result_file);
  for (std::int64_t i = 0; i < selection.count; ++i) {
    progress(0.9 + 0.1 * static_cast<double>(i) / total, "judging slice " + std::to_string(i + 1) + " of " + std::to_string(selection.count));
    reference_images->read(i, of_reference);
    result_images->read(i, of_result);
    SliceReport& report = result.slices[static_cast<std::size_t>(i)];
    VolumeMetrics alone(result.range);
    report.ssim = alone.add(of_reference, of_result, result.ny, result.nx);
    report.nmse = alone.nmse();
    report.psnr = alone.psnr();
    volume.add(alone);
    write_panel(folder + "/" + panel_name(report.slice), {.kind = result.facts.kind,
                                                          .reference = of_reference,
                                                          .result = of_result,
                                                          .ny = result.ny,
                                                          .nx = result.nx,
                                                          .white = result.range,
                                                          .reference_name = reference ? "of a file" : "f64",
                                                          .result_name = result.scheme.empty() ? result.storage : result.storage + ", " + result.scheme});
  }
  result.nmse = volume.nmse();
  result.psnr = volume.psnr();
  result.ssim = volume.ssim();
  result.kspace_snr = decibels(signal, error);
  std::vector<double> seconds;
  for (const SliceReport& report : result.slices) seconds.push_back(report.seconds);
  result.seconds_per_slice = median(std::move(seconds));
  result.peak_memory_bytes = peak_memory_bytes() + reader.helper_memory_bytes();

  OutputFile metrics(folder + "/metrics.json");
  metrics.write(evaluation_json(result, path));
  metrics.finish();
  metrics.commit();
  return result;
}

std::string evaluation_text(const Evaluation& one) {
  const SeriesFacts& facts = one.facts;
  const std::int64_t last = one.selection.first + one.selection.count - 1;
  std::int64_t saturated = 0;
  int least = one.slices[0].exponent, most = least;
  for (const SliceReport& slice : one.slices) {
    saturated += slice.saturated;
    least = std::min(least, slice.exponent);
    most = std::max(most, slice.exponent);
  }
  std::string text = "  input        " + facts.kind + ": " + std::to_string(facts.slices) + (facts.slices == 1 ? " slice" : " slices") + " of " +
                     std::to_string(facts.coils) + (facts.coils == 1 ? " coil" : " coils") + ", " + show_sides(facts.ny, facts.nx) + (one.selection.count == 1 ? "; here slice " : "; here slices ") +
                     std::to_string(one.selection.first) + (one.selection.count == 1 ? "" : " to " + std::to_string(last)) + " of repetition " +
                     std::to_string(one.selection.repetition) + " (of " + std::to_string(facts.repetitions) + ")\n";
  for (const std::string& note : facts.notes) text += "               " + note + "\n";
  text += "  problem      " + one.problem + (one.round_trip ? ", after the same forward" : "") + "\n";
  text += "  recipe       " + one.recipe + "\n";
  text += "  reference    " + one.reference + ", image maximum " + show_rounded("%.4g", one.range) + "\n";
  if (one.prescaled) {
    text += "  scaled       input scaled by " + show_power(least) + (least == most ? "" : " to " + show_power(most)) + " to fit " + one.storage +
            (one.scheme.empty() ? "" : " and " + one.scheme) + " (undone afterwards)\n";
  }
  text += "  saturated    " + std::to_string(saturated) + " real numbers\n";
  text += "  bytes        " + show_rounded("%.4g", one.bytes_per_sample) + " a sample; complex64 takes 8\n";
  text += "  time         " + show_seconds(one.seconds_per_slice) + " a slice, transforms alone" + (one.selection.count > 1 ? ", median" : "") + "\n";
  if (one.panels_removed > 0) text += "  removed      " + std::to_string(one.panels_removed) + " panels of an earlier run, of other slices\n";
  text += "  peak memory  " + show_bytes(one.peak_memory_bytes) + "\n\n";

  Table table({"slice", ">NMSE", ">PSNR", ">SSIM", ">k-space SNR"});
  if (one.slices.size() > 1) {
    for (const SliceReport& slice : one.slices) {
      table.add({std::to_string(slice.slice), std::isnan(slice.nmse) ? "-" : show_error(slice.nmse), show_decibels(slice.psnr), show_rounded("%.6f", slice.ssim),
                 std::isnan(slice.kspace_snr) ? "-" : show_decibels(slice.kspace_snr)});
    }
  }
  table.add({one.slices.size() > 1 ? "all" : std::to_string(one.slices[0].slice), show_error(one.nmse), show_decibels(one.psnr), show_rounded("%.6f", one.ssim),
             show_decibels(one.kspace_snr)});
  return text + table.text("  ");
}

std::string evaluation_json(const Evaluation& one, const std::string& path) {
  Json slices = Json::array();
  for (const SliceReport& slice : one.slices) {
    slices.push_back({{"slice", slice.slice}, {"nmse", slice.nmse}, {"psnr_db", slice.psnr}, {"ssim", slice.ssim}, {"kspace_snr_db", slice.kspace_snr}, {"exponent", slice.exponent},
                      {"saturated", slice.saturated}, {"seconds", slice.seconds}});
  }
  const Json whole = {
      {"file", path},
      {"kind", one.facts.kind},
      {"shape", {{"repetitions", one.facts.repetitions}, {"slices", one.facts.slices}, {"coils", one.facts.coils}, {"ny", one.facts.ny}, {"nx", one.facts.nx}}},
      {"notes", one.facts.notes},
      {"repetition", one.selection.repetition},
      {"image", {one.ny, one.nx}},
      {"storage", one.storage},
      {"scheme", one.scheme.empty() ? Json(nullptr) : Json(one.scheme)},
      {"round_trip", one.round_trip},
      {"problem", one.problem},
      {"recipe", one.recipe},
      {"reference", one.reference},
      {"range", one.range},
      {"prescaled", one.prescaled},
      {"nmse", one.nmse},
      {"psnr_db", one.psnr},  // null: no error
      {"ssim", one.ssim},
      {"kspace_snr_db", one.kspace_snr},
      {"bytes_per_sample", one.bytes_per_sample},
      {"seconds_per_slice", one.seconds_per_slice},
      {"peak_memory_bytes", one.peak_memory_bytes},
      {"panels_removed", one.panels_removed},
      {"slices", slices},
  };
  return whole.dump(2) + "\n";
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/choose.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "tools/ulpfft/mri/metrics.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Candidate {
  std::string storage;
  double bytes = 0.0;
};

// Fewest bytes first; those of equal size by name.
std::vector<Candidate> candidates(const SeriesFacts& facts) {
  std::vector<Candidate> list;
  const auto add = [&](const std::string& name) {
    const std::int64_t lengths[] = {facts.coils * facts.ny, 2 * facts.nx};
    const ulpfft_layout layout = ulpfft::format_layout(name, lengths);
    list.push_back({name, static_cast<double>(layout.data_bytes + layout.scale_bytes) / static_cast<double>(facts.samples_of_slice())});
  };
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    ulpfft_format format{};
    format.size = sizeof format;
    ulpfft::detail::check(ulpfft_format_get(i, &format));
    const std::string kind = format.kind, name = format.name;
    if (kind == "wide") {
      list.push_back({name, static_cast<double>(2 * format.bits) / 8.0});
    } else if (kind != "block") {
      if (format.lowest < 0.0) add(name);
    } else {
      add(name);
      for (const int block : {2, 8, 32}) {
        if (block != format.block_length) add(name + ":b" + std::to_string(block));
      }
    }
  }
  std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) { return std::tie(a.bytes, a.storage) < std::tie(b.bytes, b.storage); });
  return list;
}

bool meets(const Demand& demand, const Tried& one) {
  return (!demand.most_nmse || one.nmse <= *demand.most_nmse) && (!demand.least_psnr || one.psnr >= *demand.least_psnr) &&
         (!demand.least_ssim || one.ssim >= *demand.least_ssim);
}

// What a candidate that can be planned collects, slice by slice.
struct Running {
  std::size_t place;  // in Choice::tried
  Arithmetic arithmetic;
  VolumeMetrics metrics;
};

}  // namespace

Choice choose(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const std::string& scheme,
              bool round_trip, const Demand& demand, const Progress& progress) {
  const SeriesFacts& facts = reader.facts();
  if (facts.ny < kSimilarityWindow || facts.nx < kSimilarityWindow) {
    refuse(path, "shape", "images are " + show_sides(facts.ny, facts.nx) + "; SSIM looks at windows of 7 x 7.");
  }
  const ExactTransform exact(context, facts);
  Slice slice;
  std::vector<double> reference, image;
  std::vector<double> peaks;
  double range = 0.0;
  const auto show = [&](double fraction, std::int64_t i, const std::string& what) {
    progress(fraction, what + (selection.count == 1 ? "" : ", slice " + std::to_string(i + 1) + " of " + std::to_string(selection.count)));
  };
  for (std::int64_t i = 0; i < selection.count; ++i) {
    show(0.0, i, "range");
    reader.read(selection.repetition, selection.first + i, slice);
    peaks.push_back(exact.reconstruct(slice, reference).peak);
    range = std::max(range, *std::max_element(reference.begin(), reference.end()));
  }
  if (!(range > 0.0)) refuse(path, "samples", "there is no image: every number of the slices selected is 0.");

  Choice choice;
  const std::vector<Candidate> all = candidates(facts);
  for (std::size_t begin = 0, end = 0; begin < all.size() && !choice.chosen; begin = end) {
    while (end < all.size() && all[end].bytes == all[begin].bytes) ++end;
    std::vector<Running> running;
    for (std::size_t i = begin; i < end; ++i) {
      Tried tried;
      tried.storage = all[i].storage;
      tried.bytes_per_sample = all[i].bytes;
      Arithmetic arithmetic{storage_for_mri(all[i].storage, all[i].storage), scheme, round_trip};
      try {
        const NarrowTransform narrow(context, facts, arithmetic);
        tried.problem = narrow.problem();
        tried.recipe = narrow.recipe();
        tried.prescaled = narrow.prescaled();
        running.push_back({choice.tried.size(), std::move(arithmetic), VolumeMetrics(range)});
      } catch (const ulpfft::Error& error) {
        tried.refused = error.message();
      }
      choice.tried.push_back(std::move(tried));
    }
    for (std::int64_t i = 0; i < selection.count && !running.empty(); ++i) {
      reader.read(selection.repetition, selection.first + i, slice);
      exact.reconstruct(slice, reference);
      for (std::size_t k = 0; k < running.size(); ++k) {
        const double part = (static_cast<double>(i) + static_cast<double>(k) / static_cast<double>(running.size())) / static_cast<double>(selection.count);
        show((static_cast<double>(begin) + part * static_cast<double>(end - begin)) / static_cast<double>(all.size()), i, running[k].arithmetic.storage.name);
        // Planned again for each slice, as all at once would take the memory of as many slices.
        NarrowTransform(context, facts, running[k].arithmetic).run(slice, exact, peaks[static_cast<std::size_t>(i)], image);
        running[k].metrics.add(reference, image, facts.ny, facts.nx);
      }
    }
    for (Running& one : running) {
      Tried& tried = choice.tried[one.place];
      tried.nmse = one.metrics.nmse();
      tried.psnr = one.metrics.psnr();
      tried.ssim = one.metrics.ssim();
      tried.good = meets(demand, tried);
      if (!tried.good) continue;
      NarrowTransform narrow(context, facts, one.arithmetic);
      narrow.run(slice, exact, peaks.back(), image);
      tried.seconds = narrow.time();
      if (!choice.chosen || tried.seconds < choice.tried[*choice.chosen].seconds) choice.chosen = one.place;
    }
  }
  const bool none_planned = std::all_of(choice.tried.begin(), choice.tried.end(), [](const Tried& one) { return !one.refused.empty(); });
  if (none_planned) throw ulpfft::Error(ulpfft::Status::kInvalidArgument, "scheme", choice.tried.back().refused);
  return choice;
}

std::string choice_text(const Choice& choice) {
  Table table({"storage", ">bytes a sample", ">NMSE", ">PSNR", ">SSIM", ">time a slice", ""});
  for (std::size_t i = 0; i < choice.tried.size(); ++i) {
    const Tried& one = choice.tried[i];
    if (!one.refused.empty()) continue;
    table.add({one.storage, show_rounded("%.4g", one.bytes_per_sample), show_error(one.nmse), show_decibels(one.psnr),
               show_rounded("%.6f", one.ssim), show_seconds(one.seconds),
               choice.chosen == i ? "chosen"
               : one.good         ? "good"
                                  : ""});
  }
  std::string text = table.text("  ");
  for (const Tried& one : choice.tried) {
    if (!one.refused.empty()) text += "  " + one.storage + ": " + one.refused + "\n";
  }
  if (choice.chosen) {
    const Tried& one = choice.tried[*choice.chosen];
    text += "\n  problem  " + one.problem + "\n  recipe   " + one.recipe + "\n";
    if (one.prescaled) text += "  prescale by a power of two for each slice, as was done here: see ulpfft_prescale_apply in ulpfft.h\n";
  }
  return text;
}

std::string choice_json(const Choice& choice, const std::string& path) {
  Json tried = Json::array();
  for (const Tried& one : choice.tried) {
    if (!one.refused.empty()) {
      tried.push_back({{"storage", one.storage}, {"refused", one.refused}});
      continue;
    }
    tried.push_back({{"storage", one.storage}, {"bytes_per_sample", one.bytes_per_sample}, {"nmse", one.nmse}, {"psnr_db", one.psnr}, {"ssim", one.ssim},
                     {"good", one.good}, {"prescaled", one.prescaled}, {"seconds_per_slice", one.good ? Json(one.seconds) : Json(nullptr)}, {"problem", one.problem}, {"recipe", one.recipe}});
  }
  const Json whole = {{"file", path}, {"chosen", choice.chosen ? Json(choice.tried[*choice.chosen].storage) : Json(nullptr)}, {"tried", tried}};
  return whole.dump(2) + "\n";
}

}  // namespace ulpfft_tool

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// SigMF: NAME.sigmf-meta says what NAME.sigmf-data holds.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/signal/containers.h"

namespace ulpfft_tool::signals {
namespace {

using Metadata = nlohmann::json;
constexpr std::string_view kMeta = ".sigmf-meta", kData = ".sigmf-data";

[[noreturn]] void sigmf_fault(const std::string& path, const std::string& key, const std::string& why) {
  throw Failure(path + ": " + key + ": " + why);
}

Metadata read_metadata(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(path + ": cannot be opened. A .sigmf-data file has its description there.");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Metadata meta = Metadata::parse(text, nullptr, false);
  if (!meta.is_object() || !meta.contains("global") || !meta["global"].is_object()) {
    sigmf_fault(path, "global", "the file is no JSON object with this key.");
  }
  return meta;
}

std::optional<double> number_at(const std::string& path, const Metadata& object, const char* key) {
  if (!object.contains(key)) return {};
  if (!object[key].is_number()) sigmf_fault(path, key, "is no number.");
  return object[key].get<double>();
}

std::int64_t count_at(const std::string& path, const Metadata& object, const char* key, std::int64_t otherwise) {
  const std::optional<double> found = number_at(path, object, key);
  if (!found) return otherwise;
  if (!(*found >= 0 && *found < 1e15) || *found != std::floor(*found)) sigmf_fault(path, key, "is no whole number from 0.");
  return static_cast<std::int64_t>(*found);
}

// "2026-11-21T12:00:00.5Z" in seconds since 1970; nothing where it is written otherwise.
std::optional<double> read_time(const std::string& text) {
  std::tm time{};
  double seconds = 0;
  if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%lf", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour, &time.tm_min,
                  &seconds) != 6)
    return {};
  const bool is_date = time.tm_year >= 1 && time.tm_year <= 9999 && time.tm_mon >= 1 && time.tm_mon <= 12 && time.tm_mday >= 1 &&
                       time.tm_mday <= 31;
  const bool is_hour = time.tm_hour >= 0 && time.tm_hour <= 23 && time.tm_min >= 0 && time.tm_min <= 59;
  if (!is_date || !is_hour || !(seconds >= 0 && seconds < 61)) return {};
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return static_cast<double>(timegm(&time)) + seconds;
}

// What the segments say: one frequency, the time of the first, and no bytes between samples.
void read_captures(const std::string& path, const Metadata& meta, Description& found) {
  if (!meta.contains("captures") || !meta["captures"].is_array()) return;
  bool first = true;
  for (const Metadata& segment : meta["captures"]) {
    if (!segment.is_object()) sigmf_fault(path, "captures", "an element is no object.");
    const std::optional<double> center = number_at(path, segment, "core:frequency");
    const std::int64_t header = count_at(path, segment, "core:header_bytes", 0);
    if (first) {
      found.center = center;
      found.header_bytes = header;
      if (segment.contains("core:datetime") && segment["core:datetime"].is_string()) {
        found.begin = read_time(segment["core:datetime"].get<std::string>());
      }
    } else if (center && center != found.center) {
      sigmf_fault(path, "core:frequency",
                  "the captures have different centre frequencies, which one spectrum cannot show. Cut the file at them.");
    } else if (header != 0) {
      sigmf_fault(path, "core:header_bytes",
                  "there are bytes between the samples of two captures, which are not read. Cut the file there.");
    }
    first = false;
  }
}

}  // namespace

bool is_sigmf(const std::string& path) { return path.ends_with(kMeta) || path.ends_with(kData); }

Description read_sigmf(const std::string& path) {
  const std::string stem = path.substr(0, path.size() - kMeta.size());
  const std::string meta_path = stem + std::string(kMeta);
  const Metadata meta = read_metadata(meta_path);
  const Metadata& global = meta["global"];
  if (!global.contains("core:datatype") || !global["core:datatype"].is_string())
    sigmf_fault(meta_path, "core:datatype", "is not there, or no text.");
  const std::string name = global["core:datatype"].get<std::string>();
  const std::optional<SampleType> type = name.starts_with('c') || name.starts_with('r') ? find_sample_type(name) : std::nullopt;
  if (!type) {
    sigmf_fault(meta_path, "core:datatype",
                "'" + name +
                    "' is no type that is read. There are c or r (complex, real), with f32, f64, i32, i16, u32, u16 and _le or "
                    "_be, or i8 and u8, e.g. ci16_le.");
  }
  Description found;
  found.type = *type;
  found.channels = static_cast<int>(std::min<std::int64_t>(count_at(meta_path, global, "core:num_channels", 1), 1 << 16));
  if (found.channels < 1) sigmf_fault(meta_path, "core:num_channels", "is 0.");
  found.rate = number_at(meta_path, global, "core:sample_rate");
  if (found.rate && !(*found.rate > 0)) sigmf_fault(meta_path, "core:sample_rate", "is not above 0.");
  found.trailing_bytes = count_at(meta_path, global, "core:trailing_bytes", 0);
  read_captures(meta_path, meta, found);
  found.data_path = stem + std::string(kData);
  if (global.contains("core:dataset") && global["core:dataset"].is_string()) {
    const std::string dataset = global["core:dataset"].get<std::string>();
    if (dataset.find('/') != dataset.npos)
      sigmf_fault(meta_path, "core:dataset", "'" + dataset + "' is no file in the same folder.");
    found.data_path = meta_path.substr(0, meta_path.find_last_of('/') + 1) + dataset;
  }
  return found;
}

}  // namespace ulpfft_tool::signals

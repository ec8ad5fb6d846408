// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What remembering costs: reading 10,000 entries, and a plan from wisdom beside 10 and beside 10,000 of them.
//
// Short lengths are measured once; each stands in the text with many batch sizes, which the same recipe serves. Every entry is accepted.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

constexpr int kLengths = 500;       // 2, 3, 4, ... as far as there are strategies for them
constexpr std::size_t kEntries = 10000;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), ulpfft_last_error());
  std::exit(1);
}

ulpfft_context* make_context() {
  ulpfft_context* context = nullptr;
  if (ulpfft_context_create(nullptr, &context) != ULPFFT_OK) die("context");
  return context;
}

// Rows of the text a context exports.
std::vector<std::string> rows_of(ulpfft_context* context) {
  char* text = ulpfft_wisdom_export_string(context);
  if (text == nullptr) die("export");
  std::vector<std::string> rows;
  for (const char* line = std::strtok(text, "\n"); line != nullptr; line = std::strtok(nullptr, "\n")) {
    std::string row = line;
    if (row.rfind("{\"", 0) != 0) continue;
    if (row.back() == ',') row.pop_back();
    rows.push_back(row);
  }
  ulpfft_string_free(text);
  return rows;
}

std::string joined(const std::vector<std::string>& rows, std::size_t count) {
  std::string text = "{\"ulpfft_wisdom\": 1, \"plans\": [";
  for (std::size_t i = 0; i < std::min(count, rows.size()); ++i) text += (i > 0 ? ",\n" : "\n") + rows[i];
  return text + "]}";
}

// Seconds of imports into empty contexts.
std::vector<double> import_seconds(const std::string& text, std::size_t entries) {
  std::vector<double> seconds;
  for (int round = 0; round < 7; ++round) {
    ulpfft_context* context = make_context();
    ulpfft_import_report report{};
    report.size = sizeof report;
    const double start = thread_seconds();
    if (ulpfft_wisdom_import_string(context, text.data(), text.size(), &report) != ULPFFT_OK) die("import");
    seconds.push_back(thread_seconds() - start);
    if (report.accepted != entries) die("accepted " + std::to_string(report.accepted) + "\n" + report.details);
    ulpfft_string_free(report.details);
    ulpfft_context_destroy(context);
  }
  return seconds;
}

// Seconds of a plan found in the wisdom.
double plan_seconds(const std::string& text, const char* problem) {
  ulpfft_context* context = make_context();
  if (ulpfft_wisdom_import_string(context, text.data(), text.size(), nullptr) != ULPFFT_OK) die("import");
  const auto make = [&] {
    ulpfft_plan* plan = nullptr;
    if (ulpfft_plan_parse(context, problem, &plan) != ULPFFT_OK || ulpfft_plan_from_wisdom(plan) == 0) die(problem);
    ulpfft_plan_destroy(plan);
  };
  const std::int64_t repeats = calibrate(make, 0.02);
  std::vector<double> seconds;
  for (int round = 0; round < 15; ++round) seconds.push_back(seconds_of(make, repeats) / static_cast<double>(repeats));
  ulpfft_context_destroy(context);
  return median(seconds);
}

int run() {
  ulpfft_context* source = make_context();
  ulpfft_plan_options options{};
  options.size = sizeof options;
  options.effort = ULPFFT_MEASURE;
  options.time_limit_seconds = 0.002;
  for (int n = 2; n < 2 + kLengths; ++n) {
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_parse_options(source, (std::to_string(n) + "*2 f32").c_str(), &options, &plan);
    if (status != ULPFFT_OK && status != ULPFFT_UNSUPPORTED) die(std::to_string(n));
    ulpfft_plan_destroy(plan);
  }
  const std::vector<std::string> measured = rows_of(source);
  ulpfft_context_destroy(source);
  std::vector<std::string> rows;
  for (int batch = 2; rows.size() < kEntries; ++batch) {
    for (const std::string& row : measured) {
      std::string copy = row;
      copy.replace(copy.find("*2 f32"), 2, "*" + std::to_string(batch));
      rows.push_back(copy);
      if (rows.size() == kEntries) break;
    }
  }
  for (const std::size_t count : {std::size_t{1000}, rows.size()}) {
    const std::string text = joined(rows, count);
    const std::vector<double> seconds = import_seconds(text, count);
    std::printf("import of %zu entries (%zu recipes, %.1f MiB): %.4f s, spread %.1f %%\n", count, measured.size(),
                static_cast<double>(text.size()) / (1 << 20), median(seconds), 100 * spread(seconds));
  }
  const std::string found = rows[0].substr(rows[0].find(": \"") + 3, rows[0].find("\", ") - rows[0].find(": \"") - 3);
  for (const std::size_t count : {std::size_t{10}, rows.size()}) {
    std::printf("plan of '%s' from wisdom beside %zu entries: %.2f us\n", found.c_str(), count,
                1e6 * plan_seconds(joined(rows, count), found.c_str()));
  }
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main() { return ulpfft::bench::run(); }

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/report.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kNone =
    "No transform was planned through FFTW's functions. (Processes that are ended by a signal or by _exit() report none.)";

std::string command_of(const RunReport& report) {
  std::string command;
  for (const std::string& word : report.program) command += (command.empty() ? "" : " ") + word;
  return command;
}

// A sum of the digests of all rows, whose order does not matter.
std::string digest_of(const RunReport& report) {
  std::uint64_t sum = 0;
  for (const RunRow& row : report.rows) sum += std::strtoull(row.digest.c_str(), nullptr, 16);
  std::ostringstream text;
  text << std::hex << sum;
  return std::string(16 - text.str().size(), '0') + text.str();
}

}  // namespace

std::vector<RunRow> read_rows(const std::string& folder) {
  std::vector<RunRow> rows;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::vector<std::string> fields;
      std::istringstream text(line);
      for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
      if (fields.size() != 9) continue;
      rows.push_back({std::strtoll(fields[0].c_str(), nullptr, 10), fields[1], fields[2], fields[3],
                      std::strtoll(fields[4].c_str(), nullptr, 10), std::strtoll(fields[5].c_str(), nullptr, 10),
                      std::strtod(fields[6].c_str(), nullptr), fields[7], fields[8]});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
    return std::tuple(a.pid, -a.seconds, a.problem, a.recipe, a.digest) <
           std::tuple(b.pid, -b.seconds, b.problem, b.recipe, b.digest);
  });
  return rows;
}

std::string table_of(const RunReport& report) {
  if (report.rows.empty()) return std::string(kNone) + "\n";
  std::vector<std::string> headings = {">process", "problem", ">calls", ">seconds", ">plans", "recipe"};
  if (report.has_digests) headings.insert(headings.begin() + 5, "digest");
  Table table(headings);
  for (const RunRow& row : report.rows) {
    std::vector<std::string> cells = {std::to_string(row.pid),   row.problem,
                                      std::to_string(row.calls), show_seconds(row.seconds),
                                      std::to_string(row.plans), row.recipe};
    if (report.has_digests) cells.insert(cells.begin() + 5, row.digest);
    table.add(cells);
  }
  return table.text() + (report.has_digests ? "digest of all results: " + digest_of(report) + "\n" : "");
}

std::string json_of(const RunReport& report) {
  nlohmann::ordered_json processes = nlohmann::ordered_json::array();
  for (const RunRow& row : report.rows) {
    if (processes.empty() || processes.back()["pid"] != row.pid)
      processes.push_back({{"pid", row.pid}, {"name", row.process}, {"transforms", nlohmann::ordered_json::array()}});
    nlohmann::ordered_json transform = {{"problem", row.problem}, {"storage", row.storage}, {"calls", row.calls},
                                        {"seconds", row.seconds}, {"plans", row.plans},     {"recipe", row.recipe}};
    if (report.has_digests) transform["digest"] = row.digest;
    processes.back()["transforms"].push_back(transform);
  }
  nlohmann::ordered_json all = {{"program", report.program}, {"status", report.status}};
  if (report.has_digests) all["digest"] = digest_of(report);
  all["processes"] = processes;
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string page_of(const RunReport& report) {
  std::string page = html_begin("ulpfft run", "Transforms of " + command_of(report), kReportStyle);
  if (report.rows.empty()) return page + "<p>" + escape(kNone) + "</p>" + std::string(kHtmlEnd);
  page += "<p>Made through FFTW's functions on ulpfft. Seconds are those of all calls; of several threads they add up.</p>\n";
  if (report.has_digests) page += "<p>Digest of all results: <code>" + digest_of(report) + "</code></p>\n";
  page += "<table><thead><tr><th>process</th><th>problem</th><th>calls</th><th>seconds</th><th>plans</th>" +
          std::string(report.has_digests ? "<th>digest</th>" : "") + "<th>recipe</th></tr></thead><tbody>\n";
  for (const RunRow& row : report.rows) {
    page += "<tr>" + cell(escape(row.process) + " " + std::to_string(row.pid)) + cell(escape(row.problem)) +
            cell(std::to_string(row.calls)) + cell(html_time(row.seconds)) + cell(std::to_string(row.plans)) +
            (report.has_digests ? cell("<code>" + escape(row.digest) + "</code>") : "") + recipe_cell(row.recipe) + "</tr>\n";
  }
  return page + "</tbody></table>\n" + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

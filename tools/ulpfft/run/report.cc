// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/run/report.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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

// At least one. An empty field behind the last tab is one, too.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// Seconds that FFTW takes for the calls of a row; 0 where that is not known.
double fftw_seconds(const RunReport& report, const RunRow& row) {
  const auto found = report.fftw.seconds.find(row.problem);
  return found != report.fftw.seconds.end() ? found->second * static_cast<double>(row.calls) : 0;
}

// What a SPEC made of a row, in the order of kSpecHeadings.
constexpr const char* kSpecHeadings[] = {"what if", ">calls", ">compared", ">error", ">largest", ">saturated", ">bytes", ">of"};
std::vector<std::string> cells_of(const SpecRow& spec) {
  const bool known = spec.compared > spec.not_finite;
  return {spec.spec,
          std::to_string(spec.computed),
          std::to_string(spec.compared),
          known ? show_error(spec.error) : "-",
          known ? show_error(spec.worst) : "-",
          std::to_string(spec.saturated),
          spec.bytes > 0 ? show_bytes(static_cast<std::size_t>(spec.bytes)) : "-",
          show_bytes(static_cast<std::size_t>(spec.plain_bytes))};
}

std::string table_of_specs(const RunReport& report) {
  std::vector<std::string> headings = {">process", "problem"};
  headings.insert(headings.end(), std::begin(kSpecHeadings), std::end(kSpecHeadings));
  Table table(headings);
  for (const RunRow& row : report.rows) {
    for (const SpecRow& spec : row.specs) {
      std::vector<std::string> cells = cells_of(spec);
      cells.insert(cells.begin(), {std::to_string(row.pid), row.problem});
      table.add(cells);
    }
  }
  return table.text();
}

// Sentences about what the tables do not have.
std::vector<std::string> remarks_of(const RunReport& report) {
  std::vector<std::string> remarks;
  bool any_spec = false;
  for (const RunRow& row : report.rows) {
    for (const SpecRow& spec : row.specs) {
      any_spec = true;
      const std::string where = row.problem + ", " + spec.spec + ": ";
      const std::string plain = &spec == row.specs.data() ? " The program's numbers are the plain ones." : "";
      if (!spec.refusal.empty()) remarks.push_back(where + spec.refusal + plain);
      if (spec.failed > 0)
        remarks.push_back(where + std::to_string(spec.failed) + " calls were not computed, for want of memory." + plain);
      if (spec.not_finite > 0)
        remarks.push_back(
            where + std::to_string(spec.not_finite) +
            " calls have no error that is a number: a result is infinite or NaN, or the plain one is 0 throughout.");
    }
  }
  if (report.has_specs && !any_spec && !report.rows.empty())
    remarks.emplace_back("No problem matches --only: all transforms are plain.");
  std::vector<std::string> told;
  for (const RunRow& row : report.rows) {
    const auto found = report.fftw.refused.find(row.problem);
    if (found == report.fftw.refused.end() || std::find(told.begin(), told.end(), row.problem) != told.end()) continue;
    told.push_back(row.problem);
    remarks.push_back("FFTW was not timed for " + row.problem + ": " + found->second + ".");
  }
  if (!report.fftw.remark.empty()) remarks.push_back(report.fftw.remark);
  return remarks;
}

constexpr const char* kAboutSpecs =
    "Error is relative (L2) against the plain transform of the same input, its root mean square over the calls compared "
    "and the largest "
    "of a call.\nThe first 32 calls of a problem and every 32nd one are compared. The program has the results of the first SPEC.";

nlohmann::ordered_json json_of_spec(const SpecRow& spec) {
  nlohmann::ordered_json made = {{"spec", spec.spec},
                                 {"calls", spec.computed},
                                 {"compared", spec.compared},
                                 {"error", nullptr},
                                 {"largest_error", nullptr},
                                 {"saturated", spec.saturated},
                                 {"bytes", spec.bytes},
                                 {"plain_bytes", spec.plain_bytes},
                                 {"problem", spec.problem},
                                 {"recipe", spec.recipe},
                                 {"refusal", spec.refusal},
                                 {"calls_without_memory", spec.failed},
                                 {"calls_without_error", spec.not_finite}};
  if (spec.compared > spec.not_finite) {
    made["error"] = spec.error;
    made["largest_error"] = spec.worst;
  }
  return made;
}

std::string page_of_specs(const RunReport& report) {
  std::string page = "<h2>What if</h2>\n<p>" + escape(kAboutSpecs) +
                     "</p>\n<div class=\"scroll\"><table><thead><tr><th>process</th><th class=\"text\">problem</th>";
  for (const std::string heading : kSpecHeadings)
    page += heading.starts_with('>') ? "<th>" + heading.substr(1) + "</th>" : "<th class=\"text\">" + heading + "</th>";
  page += "<th class=\"text\">recipe</th></tr></thead><tbody>\n";
  for (const RunRow& row : report.rows) {
    for (const SpecRow& spec : row.specs) {
      page += "<tr>" + cell(escape(row.process) + " " + std::to_string(row.pid)) + cell(escape(row.problem), "text");
      const std::vector<std::string> cells = cells_of(spec);
      for (std::size_t i = 0; i < cells.size(); ++i) page += cell(escape(cells[i]), *kSpecHeadings[i] == '>' ? "" : "text");
      page += recipe_cell(spec.recipe) + "</tr>\n";
    }
  }
  return page + "</tbody></table></div>\n";
}

}  // namespace

std::vector<RunRow> read_rows(const std::string& folder) {
  std::vector<RunRow> rows;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::vector<std::string> fields = fields_of(line);
      const auto number = [&](std::size_t i) { return std::strtoll(fields[i].c_str(), nullptr, 10); };
      const auto real = [&](std::size_t i) { return std::strtod(fields[i].c_str(), nullptr); };
      if (fields[0] == "transform" && fields.size() == 10)
        rows.push_back({number(1), fields[2], fields[3], fields[4], number(5), number(6), real(7), fields[8], fields[9], {}});
      if (fields[0] == "what-if" && fields.size() == 14 && !rows.empty())
        rows.back().specs.push_back({fields[1], number(2), number(3), number(4), number(5), real(6), real(7), number(8),
                                     number(9), number(10), fields[11], fields[12], fields[13]});
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
  if (report.has_fftw) headings.insert(headings.begin() + 4, ">FFTW");
  Table table(headings);
  for (const RunRow& row : report.rows) {
    std::vector<std::string> cells = {std::to_string(row.pid),   row.problem,
                                      std::to_string(row.calls), show_seconds(row.seconds),
                                      std::to_string(row.plans), row.recipe};
    if (report.has_digests) cells.insert(cells.begin() + 5, row.digest);
    if (report.has_fftw) cells.insert(cells.begin() + 4, show_seconds(fftw_seconds(report, row)));
    table.add(cells);
  }
  std::string text = table.text();
  if (report.has_digests) text += "digest of all results: " + digest_of(report) + "\n";
  if (!report.fftw.library.empty())
    text += "FFTW: seconds of as many calls of " + report.fftw.library + ", in a loop in a process of its own\n";
  if (report.has_specs) text += "\n" + table_of_specs(report) + kAboutSpecs + "\n";
  for (const std::string& remark : remarks_of(report)) text += "note: " + remark + "\n";
  return text;
}

std::string json_of(const RunReport& report) {
  nlohmann::ordered_json processes = nlohmann::ordered_json::array();
  for (const RunRow& row : report.rows) {
    if (processes.empty() || processes.back()["pid"] != row.pid)
      processes.push_back({{"pid", row.pid}, {"name", row.process}, {"transforms", nlohmann::ordered_json::array()}});
    nlohmann::ordered_json transform = {{"problem", row.problem}, {"storage", row.storage}, {"calls", row.calls},
                                        {"seconds", row.seconds}, {"plans", row.plans},     {"recipe", row.recipe}};
    if (report.has_digests) transform["digest"] = row.digest;
    if (report.has_fftw) transform["fftw_seconds"] = nullptr;
    if (const double seconds = fftw_seconds(report, row); seconds > 0) transform["fftw_seconds"] = seconds;
    for (const SpecRow& spec : row.specs) transform["what_if"].push_back(json_of_spec(spec));
    processes.back()["transforms"].push_back(transform);
  }
  nlohmann::ordered_json all = {{"program", report.program}, {"status", report.status}};
  if (report.has_digests) all["digest"] = digest_of(report);
  if (report.has_fftw) all["fftw"] = report.fftw.library;
  if (report.has_fftw || report.has_specs) all["notes"] = remarks_of(report);
  all["processes"] = processes;
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string page_of(const RunReport& report) {
  std::string page = html_begin("ulpfft run", "Transforms of " + command_of(report), kReportStyle);
  if (report.rows.empty()) return page + "<p>" + escape(kNone) + "</p>" + std::string(kHtmlEnd);
  page += "<p>Made through FFTW's functions on ulpfft. Seconds are those of all calls; of several threads they add up.</p>\n";
  if (report.has_digests) page += "<p>Digest of all results: <code>" + digest_of(report) + "</code></p>\n";
  page += "<table><thead><tr><th>process</th><th>problem</th><th>calls</th><th>seconds</th>" +
          std::string(report.has_fftw ? "<th>FFTW</th>" : "") + "<th>plans</th>" +
          std::string(report.has_digests ? "<th>digest</th>" : "") + "<th>recipe</th></tr></thead><tbody>\n";
  for (const RunRow& row : report.rows) {
    page += "<tr>" + cell(escape(row.process) + " " + std::to_string(row.pid)) + cell(escape(row.problem)) +
            cell(std::to_string(row.calls)) + cell(html_time(row.seconds)) +
            (report.has_fftw ? cell(fftw_seconds(report, row) > 0 ? html_time(fftw_seconds(report, row)) : "-") : "") +
            cell(std::to_string(row.plans)) + (report.has_digests ? cell("<code>" + escape(row.digest) + "</code>") : "") +
            recipe_cell(row.recipe) + "</tr>\n";
  }
  page += "</tbody></table>\n";
  if (!report.fftw.library.empty())
    page += "<p class=\"note\">FFTW: seconds of as many calls of " + escape(report.fftw.library) +
            ", in a loop in a process of its own.</p>\n";
  if (report.has_specs) page += page_of_specs(report);
  for (const std::string& remark : remarks_of(report)) page += "<p class=\"note\">" + escape(remark) + "</p>\n";
  return page + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool

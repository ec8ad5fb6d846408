// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "tools/ulpfft/accuracy/fftw_error.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/fftw.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

bool is_smooth(std::int64_t n) {
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

double unit_roundoff(std::string_view format) { return format == "f32" ? 0x1p-24 : 0x1p-53; }

bool is_wide(std::string_view format) { return format == "f32" || format == "f64"; }

constexpr const char* kKinds[] = {"c2c",  "r2c",  "c2r",  "r2hc", "hc2r", "dht",  "dct1",
                                  "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};
bool is_r2r(std::string_view kind) { return kind != "c2c" && kind != "r2c" && kind != "c2r"; }
bool is_type_1(std::string_view kind) { return kind == "dct1" || kind == "dst1"; }

// Of cosine and sine transforms, whose outputs go through passes of their own: the gate over that of complex transforms.
double gate_factor(const std::vector<std::string>& kinds) {
  double factor = 1;
  for (const std::string& kind : kinds) {
    if (kind.starts_with("dct") || kind.starts_with("dst")) factor = std::max(factor, is_type_1(kind) ? 2.0 : 1.5);
  }
  return factor;
}

// What k and its gate need to know of a problem text: [KIND] LENGTHS[*BATCH] STORAGE[->STORAGE] words. The kind of r2r is that of its lengths.
struct ProblemFacts {
  std::string_view in, out;
  bool scaled = false;
  double factor = 1;  // of the gate
};

// "a,b".
std::vector<std::string> words_listed(std::string_view text) {
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    list.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

ProblemFacts read_problem(std::string_view text, AccuracyRow& row) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!words.empty() && words[0].front() > '9') {
    row.kind = std::string(words[0]);
    words.erase(words.begin());
  }
  if (words.size() < 2) throw Failure("'" + std::string(text) + "' is no problem.");
  std::vector<std::string> kinds;
  for (const std::string_view word : words) {
    if (!word.starts_with("kinds=")) continue;
    row.kind = std::string(word.substr(6));
    kinds = words_listed(row.kind);
  }
  std::string_view lengths = words[0].substr(0, words[0].find('*'));
  for (std::size_t d = 0; !lengths.empty(); ++d) {
    std::int64_t length = 1;
    const char* end = std::from_chars(lengths.data(), lengths.data() + lengths.size(), length).ptr;
    row.n *= length;
    // Types 1 are transforms of n - 1 or n + 1 numbers.
    const std::string kind = d < kinds.size() ? kinds[d] : "";
    row.smooth = row.smooth && is_smooth(kind == "dct1" ? length - 1 : kind == "dst1" ? length + 1 : length);
    lengths.remove_prefix(std::min(static_cast<std::size_t>(end - lengths.data()) + 1, lengths.size()));
  }
  const std::size_t arrow = words[1].find("->");
  const std::string_view in = words[1].substr(0, arrow);
  const bool scaled = std::any_of(words.begin(), words.end(), [](std::string_view word) { return word.starts_with("scale="); });
  return {in, arrow == words[1].npos ? in : words[1].substr(arrow + 2), scaled, gate_factor(kinds)};
}

// A recipe is SCHEME:NODE, where both may have colons: a node begins at the last one before its first parenthesis.
std::string scheme_of(const std::string& recipe) {
  const std::size_t colon = recipe.rfind(':', recipe.find('('));
  return recipe.substr(0, colon);
}

void set_wide_gate(const ProblemFacts& facts, std::string_view arithmetic, double gate, AccuracyRow& row) {
  const double u = unit_roundoff(arithmetic);
  row.format = std::string(unit_roundoff(facts.out) > u ? facts.out : arithmetic);
  row.gate = gate * facts.factor * (row.smooth ? 1.0 : 2.0);
  row.limit = row.gate * u * std::sqrt(std::log2(static_cast<double>(row.n)));
  // Rounded once at an end: at most u, and 0.41 u in the mean.
  if (unit_roundoff(facts.out) > u || unit_roundoff(facts.in) < u) row.limit += std::max(unit_roundoff(facts.out), u);
  // A factor is rounded, that of ortho twice: at most 1.5 u. Products with it err by 0.41 u in the mean.
  if (facts.scaled) row.limit += 2 * u;
}

class Meter {
 public:
  explicit Meter(const RowOptions& options) : options_(options), context_(open_context(options.target)) {
    if (options.with_fftw) fftw_ = FftwLibrary::system();
  }
  std::string machine() { return context_.machine(); }
  std::string peer() const { return fftw_.narrow.version.empty() ? fftw_.wide.version : fftw_.narrow.version; }

  AccuracyRow measure(const std::string& problem, bool chosen) {
    AccuracyRow row;
    row.problem = problem;
    try {
      measure_plan(problem, row);
    } catch (const ulpfft::Error& error) {
      if (!chosen) throw;
      row = {};
      row.problem = problem;
      const ProblemFacts facts = read_problem(problem, row);
      set_wide_gate(facts, facts.out, options_.gate, row);
      row.reason = error.message();
      return row;
    }
    const std::string line = std::to_string(row.n) + " " + row.format;
    const std::string plain = is_r2r(row.kind) ? "r2r " + line + " kinds=" + row.kind : row.kind == "c2c" ? line : row.kind + " " + line;
    if (problem == plain && row.n > 1) {
      row.peer_error =
          row.format == "f32" ? fftw_error<float>(fftw_.narrow, row.kind, row.n) : fftw_error<double>(fftw_.wide, row.kind, row.n);
    }
    return row;
  }

 private:
  void measure_plan(const std::string& problem, AccuracyRow& row) {
    ulpfft::PlanOptions plan_options;
    plan_options.effort = options_.measured_effort ? ulpfft::Effort::kMeasure : ulpfft::Effort::kEstimate;
    const ulpfft::Plan plan = with_text(problem, "problem", [&] { return context_.parse(problem, plan_options); });
    const std::string full_text = plan.problem();
    const ProblemFacts facts = read_problem(full_text, row);
    row.recipe = plan.recipe();
    const std::string scheme = scheme_of(row.recipe);
    const ulpfft::ErrorReport report = plan.measure_error(options_.full ? ulpfft::ErrorLevel::kFull : ulpfft::ErrorLevel::kSampled);
    row.error = report.relative_l2;
    row.largest = report.relative_largest;
    row.outputs = report.outputs;
    row.full = report.level == ulpfft::ErrorLevel::kFull;
    if (!is_wide(scheme) || !is_wide(facts.out) || row.recipe.find('|') != row.recipe.npos) {
      row.format = is_wide(scheme) ? std::string(facts.out) : scheme;
      row.predicted = plan.error();
      row.gate = kPredictedGate;
      row.k = row.error / row.predicted;
      row.least = kLeastOfPredicted * row.predicted;
      row.limit = kPredictedGate * row.predicted;
      return;
    }
    set_wide_gate(facts, scheme, options_.gate, row);
    if (row.n > 1) row.k = row.error / (unit_roundoff(row.format) * std::sqrt(std::log2(static_cast<double>(row.n))));
  }

  const RowOptions& options_;
  ulpfft::Context context_;
  FftwLibrary fftw_;
};

}  // namespace

MeasuredRows measure_rows(const std::vector<std::string>& problems, bool chosen, const RowOptions& options,
                          const std::function<void(double, const std::string&)>& progress) {
  Meter meter(options);
  MeasuredRows measured{meter.machine(), meter.peer(), {}};
  for (std::size_t i = 0; i < problems.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(problems.size()), problems[i]);
    measured.rows.push_back(meter.measure(problems[i], chosen));
  }
  return measured;
}

std::vector<PeerRatio> peer_ratios(const std::vector<AccuracyRow>& rows) {
  std::vector<PeerRatio> list;
  const auto add = [&](PeerRatio ratio) {
    double sum = 0;
    int count = 0;
    for (const AccuracyRow& row : rows) {
      const bool power = (row.n & (row.n - 1)) == 0;
      if (row.kind != ratio.kind || row.format != ratio.format || !power || !(row.peer_error > 0) || !(row.error > 0)) continue;
      const double r = row.error / row.peer_error;
      sum += std::log(r);
      ++count;
      if (r > ratio.largest) ratio.largest = r, ratio.at = row.n;
    }
    if (count == 0) return;
    ratio.mean = std::exp(sum / count);
    list.push_back(std::move(ratio));
  };
  for (const char* kind : kKinds) {
    for (const char* format : {"f32", "f64"}) add({kind, format});
  }
  return list;
}

namespace {

Figure row_figure(const MeasuredRows& measured, const std::string& kind, const std::string& format) {
  const bool complex = kind == "c2c";
  Figure figure{complex ? "lengths" : "reals",
                (complex ? "lengths-" : kind + "-") + format,
                (complex ? "" : kind + ", ") + format + ": u = " + (format == "f32" ? "2\u207b\u00b2\u2074" : "2\u207b\u2075\u00b3"),
                complex ? "n, points of a transform" : "n, real numbers of a transform",
                "relative L2 error / (u \u221a(log\u2082 n))",
                Scale::kPowers,
                Scale::kLinear,
                {},
                {},
                "",
                ""};
  Curve smooth{"ulpfft", 0, Stroke::kNone, 0, false, {}}, others{"ulpfft, a prime above 13", 2, Stroke::kNone, 2, false, {}},
      peer{"FFTW, estimate", 1, Stroke::kNone, 1, true, {}};
  double largest = 0, smooth_gate = 0, others_gate = 0;
  for (const AccuracyRow& row : measured.rows) {
    if (row.kind != kind || row.format != format || !row.reason.empty() || row.n == 1) continue;
    const double n = static_cast<double>(row.n);
    (row.smooth ? smooth : others).points.push_back({n, row.k, row.problem + ", " + show_error(row.error) + ", " + row.recipe});
    (row.smooth ? smooth_gate : others_gate) = row.gate;
    if (row.smooth) largest = std::max(largest, row.k);
    if (row.peer_error > 0) peer.points.push_back({n, row.k * row.peer_error / row.error, row.problem + ", " + show_error(row.peer_error)});
  }
  if (smooth_gate > 0) figure.levels.push_back({smooth_gate, "gate, smooth", 0});
  if (others_gate > 0) figure.levels.push_back({others_gate, "gate, a prime above 13", 2});
  for (Curve* curve : {&peer, &smooth, &others}) {
    if (!curve->points.empty()) figure.curves.push_back(std::move(*curve));
  }
  if (largest > 0) figure.sentence = "Lengths of primes up to 13 stay below " + number("%.2f", largest) + " u \u221a(log\u2082 n).";
  for (const PeerRatio& ratio : peer_ratios(measured.rows)) {
    if (ratio.kind != kind || ratio.format != format) continue;
    figure.sentence += " At powers of two the error is " + number("%.2f", ratio.mean) + " times FFTW's in the geometric mean, at most " +
                       number("%.2f", ratio.largest) + " times (n = " + std::to_string(ratio.at) + ").";
  }
  return figure;
}

}  // namespace

std::vector<Figure> row_figures(const MeasuredRows& measured) {
  std::vector<Figure> figures;
  for (const char* kind : kKinds) {
    for (const char* format : {"f32", "f64"}) {
      Figure figure = row_figure(measured, kind, format);
      if (!figure.curves.empty()) figures.push_back(std::move(figure));
    }
  }
  return figures;
}

}  // namespace ulpfft_tool

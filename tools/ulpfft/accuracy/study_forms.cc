// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Twiddle forms in rounded arithmetic: errors, overflows, and the bounds of arXiv:2604.00567 beside them.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "tools/ulpfft/accuracy/studies.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

struct Form {
  const char* name;
  int radix;
  const char* suffix;
  int color;
  const char* words = "";  // of the problem
};

constexpr Form kForms[] = {
    {"standard, radix 2", 2, "", 0},       {"Linzer-Feig, radix 2", 2, ":lf", 1}, {"cosine, radix 2", 2, ":cos", 3},
    {"dual-select, radix 2", 2, ":ds", 2}, {"standard, radix 4", 4, "", 5},       {"dual-select, radix 4", 4, ":ds", 4},
    {"standard, radix 8", 8, "", 6},       {"dual-select, radix 8", 8, ":ds", 7},
};
constexpr Form kPrescaled = {"dual-select, radix 2, prescale=amax", 2, ":ds", 2, "prescale=amax"};
constexpr const char* kFormats[] = {"f16", "bf16"};
constexpr std::int64_t kClaimed = 1024;  // the length of the paper's claim
constexpr double kLoudest = 512;         // amplitude

double unit_roundoff(const Lab& lab, const std::string& format) { return std::exp2(-(lab.format(format)->mantissa_bits + 1)); }

Outcome measure(Lab& lab, const std::string& format, const Form& form, std::int64_t n, double sigma) {
  Trial trial;
  trial.n = n;
  trial.scheme = "rounded:" + format;
  trial.node = radix_node(n, form.radix, form.suffix);
  trial.sigma = sigma;
  trial.words = form.words;
  return lab.run(trial);
}

Curve curve_of(const Form& form) {
  const bool solid = form.radix == 2 && *form.words == '\0';
  return {form.name, form.color, solid ? Stroke::kSolid : Stroke::kDashed, form.color % 4, !solid, {}};
}

std::string missing_scheme(const Lab& lab, const std::string& format) {
  return lab.format(format) == nullptr ? "This build has no " + format + "." : "";
}

std::string unit_name(const Lab& lab, const std::string& format) {
  std::string text = "relative L2 error / u, u = 2\u207b";
  for (const char digit : std::to_string(lab.format(format)->mantissa_bits + 1)) {
    constexpr const char* kRaised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    text += kRaised[digit - '0'];
  }
  return text;
}

// Errors of a form against n, in the unit roundoff or not.
void add_errors(Figure& figure, Lab& lab, const std::string& format, const Form& form, const StudyOptions& options, double unit) {
  Curve curve = curve_of(form);
  for (std::int64_t n = 16; n <= std::min<std::int64_t>(options.longest, 65536); n *= 2) {
    options.progress(0.5, format + ", " + form.name + ", n = " + std::to_string(n));
    const Outcome outcome = measure(lab, format, form, n, 1);
    if (!outcome.reason.empty()) {
      figure.missing = outcome.reason;
      return;
    }
    curve.points.push_back({static_cast<double>(n), outcome.error / unit, outcome.recipe});
  }
  figure.curves.push_back(std::move(curve));
}

double ratio_at(const Figure& figure, const char* over, const char* under, double n) {
  const double below = value_at(figure, under, n);
  return below > 0 ? value_at(figure, over, n) / below : 0;
}

// Largest n of a figure up to the one that the claim is about.
double claimed_length(const StudyOptions& options) { return static_cast<double>(std::min(options.longest, kClaimed)); }

// ---- bounds

// Largest |ratio| of a form that always takes one path, the singular angle left out: cot(2 pi / n), next to it. Linzer-Feig has it at
// k = 1, the cosine form at k = n/4 - 1.
double largest_ratio(std::int64_t n) { return 1 / std::tan(2 * std::numbers::pi / static_cast<double>(n)); }

// A radix-2 level multiplies what it is given by 1 + t u at most, t the largest of its constants; levels multiply.
double bound(const Form& form, std::int64_t n, double u) {
  const bool one_path = form.suffix == std::string_view(":lf") || form.suffix == std::string_view(":cos");
  const bool folded = form.suffix == std::string_view(":ds") && form.radix > 2;
  double product = 1;
  int levels_of_radix = static_cast<int>(std::log2(form.radix) + 0.5);
  int level = 0;
  for (std::int64_t m = n; m > 1; m /= 2, ++level) {
    // Folded scales: one level by ratios up to 1, the others by quotients of scales up to sqrt 2.
    const double t = one_path ? largest_ratio(n) : folded && level % levels_of_radix > 0 ? std::numbers::sqrt2 : 1.0;
    product *= 1 + t * u;
  }
  return product - 1;
}

}  // namespace

std::vector<Figure> study_forms(Lab& lab, const StudyOptions& options) {
  std::vector<Figure> figures;
  for (const std::string format : kFormats) {
    Figure figure{"forms",
                  "forms-" + format,
                  "Twiddle forms, every operation rounded to " + format,
                  "n, points of a transform",
                  "relative L2 error / u",
                  Scale::kPowers,
                  Scale::kLinear,
                  {},
                  {},
                  "",
                  missing_scheme(lab, format)};
    if (figure.missing.empty()) {
      const double u = unit_roundoff(lab, format);
      for (const Form& form : kForms) add_errors(figure, lab, format, form, options, u);
      const double n = claimed_length(options);
      if (figure.missing.empty()) {
        figure.y_name = unit_name(lab, format);
        const auto error = [&](const char* name) { return show_value(u * value_at(figure, name, n)); };
        figure.sentence =
            "At n = " + show_value(n) + ", radix 2: standard " + error("standard, radix 2") + ", Linzer-Feig " +
            error("Linzer-Feig, radix 2") + ", cosine " + error("cosine, radix 2") + ", dual-select " + error("dual-select, radix 2") +
            ". Dual-select errs " + number("%.2f", ratio_at(figure, "Linzer-Feig, radix 2", "dual-select, radix 2", n)) +
            " times less than Linzer-Feig and " + number("%.2f", ratio_at(figure, "standard, radix 2", "dual-select, radix 2", n)) +
            " times less than standard; in radix 4 " + number("%.2f", ratio_at(figure, "standard, radix 4", "dual-select, radix 4", n)) +
            ", in radix 8 " + number("%.2f", ratio_at(figure, "standard, radix 8", "dual-select, radix 8", n)) +
            " times less than standard.";
      }
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<Figure> study_overflow(Lab& lab, const StudyOptions& options) {
  std::vector<Figure> figures;
  const std::int64_t n = std::min(options.longest, kClaimed);
  for (const std::string format : kFormats) {
    const std::string at = ", n = " + std::to_string(n);
    Figure counts{"overflow",
                  "overflow-" + format,
                  format + at + ": operations that overflow",
                  "\u03c3, standard deviation of each part of the input",
                  "overflows of a transform",
                  Scale::kDoubling,
                  Scale::kCounts,
                  {},
                  {},
                  "",
                  missing_scheme(lab, format)};
    Figure errors{"overflow",
                  "overflow-error-" + format,
                  format + at + ": error",
                  counts.x_name,
                  "relative L2 error",
                  Scale::kDoubling,
                  Scale::kLinear,
                  {},
                  {},
                  "",
                  counts.missing};
    std::map<double, std::string> begins;  // forms by the amplitude from which on they overflow; 0: never
    if (counts.missing.empty()) {
      const double u = unit_roundoff(lab, format), largest = lab.format(format)->largest;
      errors.y_name = unit_name(lab, format);
      Curve exact{"exact result beyond the range", 6, Stroke::kDashed, kNoMark, false, {}};
      for (double sigma = 1; sigma <= kLoudest; sigma *= 2) exact.points.push_back({sigma, lab.beyond(n, sigma, largest), ""});
      std::vector<Form> forms(std::begin(kForms), std::end(kForms));
      forms.push_back(kPrescaled);
      for (const Form& form : forms) {
        Curve count = curve_of(form), error = count;
        double first = 0;
        for (double sigma = 1; sigma <= kLoudest; sigma *= 2) {
          options.progress(0.5, format + ", " + form.name + ", sigma " + number("%g", sigma));
          const Outcome outcome = measure(lab, format, form, n, sigma);
          if (!outcome.reason.empty()) {
            counts.missing = outcome.reason;
            break;
          }
          if (outcome.overflows > 0 && first == 0) first = sigma;
          const std::string share =
              outcome.not_finite > 0 ? number("%.2g", 100 * outcome.not_finite) + " % of the outputs are not finite" : "";
          count.points.push_back({sigma, outcome.overflows, share});
          error.points.push_back({sigma, outcome.error / u, share});
        }
        std::string& names = begins[first];
        names += (names.empty() ? "" : ", ") + std::string(form.name);
        counts.curves.push_back(std::move(count));
        errors.curves.push_back(std::move(error));
      }
      const auto beyond = std::find_if(exact.points.begin(), exact.points.end(), [](const Point& point) { return point.y > 0; });
      for (const auto& [sigma, names] : begins) {
        counts.sentence += sigma == 0 ? "Never: " + names + ". " : "From \u03c3 = " + number("%g", sigma) + " on: " + names + ". ";
      }
      counts.sentence += beyond == exact.points.end()
                             ? "No exact result leaves the range of " + format + "."
                             : "From \u03c3 = " + number("%g", beyond->x) + " on exact results leave the range of " + format +
                                   ", whose largest value is " + show_value(largest) + ": none could hold them as they are.";
      counts.curves.push_back(std::move(exact));
      const Curve *ds = nullptr, *prescaled = nullptr;
      for (const Curve& curve : errors.curves) {
        if (curve.name == std::string("dual-select, radix 2")) ds = &curve;
        if (curve.name == std::string(kPrescaled.name)) prescaled = &curve;
      }
      if (ds != nullptr) {
        double to = 0;
        bool same = true;
        for (const Point& point : ds->points) {
          if (!std::isfinite(point.y)) break;
          same = same && std::abs(point.y / ds->points.front().y - 1) < 0.005;
          to = point.x;
        }
        if (to > 0)
          errors.sentence = std::string(same ? "The amplitude changes nothing" : "The amplitude changes the error") +
                            " up to \u03c3 = " + number("%g", to) + " with dual-select: a form works or overflows.";
        const auto finite = [](const Point& point) { return std::isfinite(point.y); };
        if (prescaled != nullptr && to < kLoudest && std::all_of(prescaled->points.begin(), prescaled->points.end(), finite)) {
          errors.sentence += " With prescale=amax it works at all of them.";
        }
      }
    }
    figures.push_back(std::move(counts));
    figures.push_back(std::move(errors));
  }
  return figures;
}

std::vector<Figure> study_bounds(Lab& lab, const StudyOptions& options) {
  std::vector<Figure> figures;
  for (const std::string format : kFormats) {
    for (const bool radix_2 : {true, false}) {
      Figure figure{"bounds",
                    "bounds-" + format + (radix_2 ? "-radix2" : "-radix4-8"),
                    format + (radix_2 ? ", radix 2" : ", radix 4 and 8") + ": worst-case bounds and errors",
                    "n, points of a transform",
                    "relative error",
                    Scale::kPowers,
                    Scale::kLog,
                    {},
                    {},
                    "",
                    missing_scheme(lab, format)};
      figure.y_most = 10;  // a relative error of 1 says as much
      if (figure.missing.empty()) {
        const double u = unit_roundoff(lab, format);
        for (const Form& form : kForms) {
          const bool measured_twice = form.suffix == std::string_view(":cos");  // its bound is Linzer-Feig's
          if ((form.radix == 2) != radix_2) continue;
          add_errors(figure, lab, format, form, options, 1);
          if (!figure.curves.empty()) figure.curves.back().stroke = Stroke::kSolid;
          if (measured_twice) continue;
          Curve limit{std::string("bound, ") + (form.suffix == std::string_view(":lf") ? "Linzer-Feig and cosine" : form.name),
                      form.color,
                      Stroke::kDashed,
                      kNoMark,
                      false,
                      {}};
          for (std::int64_t n = 16; n <= std::min<std::int64_t>(options.longest, 65536); n *= 2)
            limit.points.push_back({static_cast<double>(n), bound(form, n, u), ""});
          figure.curves.push_back(std::move(limit));
        }
        const double n = claimed_length(options);
        const auto whole = static_cast<std::int64_t>(n);
        const auto ratio_of = [&](const char* over, const char* under) { return number("%.2f", ratio_at(figure, over, under, n)); };
        if (radix_2 && figure.missing.empty()) {
          const Form &lf = kForms[1], &ds = kForms[3];
          figure.sentence = "At n = " + show_value(n) + " the largest ratio is " + number("%.0f", largest_ratio(whole)) +
                            " against 1 and the bounds are " + show_value(bound(lf, whole, u)) + " and " + show_value(bound(ds, whole, u)) +
                            ": " + number("%.0f", bound(lf, whole, u) / bound(ds, whole, u)) + " times apart. The errors, " +
                            show_value(value_at(figure, lf.name, n)) + " and " + show_value(value_at(figure, ds.name, n)) + ", are " +
                            ratio_of(lf.name, ds.name) + " times apart. Standard has dual-select's bound, and errs " +
                            ratio_of("standard, radix 2", ds.name) + " times as much.";
        } else if (figure.missing.empty()) {
          figure.sentence = "At n = " + show_value(n) + " dual-select errs " + ratio_of("standard, radix 4", "dual-select, radix 4") +
                            " (radix 4) and " + ratio_of("standard, radix 8", "dual-select, radix 8") +
                            " (radix 8) times less than standard, although its bound is the larger one: ratios stay within 1, quotients of "
                            "folded scales within \u221a2.";
        }
      }
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

}  // namespace ulpfft_tool

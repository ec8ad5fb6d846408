// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

// Without kNone, by their number.
constexpr std::array<std::string_view, 9> kWindowNames = {"hann",    "hamming", "blackman", "blackmanharris", "nuttall",
                                                          "flattop", "kaiser",  "gauss",    "given"};
constexpr double kMostKaiser = 700;  // beyond, its Bessel function exceeds f64

std::string_view name_of_window(WindowKind kind) { return kWindowNames[(static_cast<std::size_t>(kind) - 1) % kWindowNames.size()]; }
bool has_parameter(WindowKind kind) { return kind == WindowKind::kKaiser || kind == WindowKind::kGauss; }

[[noreturn]] void refuse_window(SentenceParts sentence) { throw PlanError(ULPFFT_INVALID_ARGUMENT, "window", joined(sentence)); }

// Takes what is before the next ':' off the text.
std::string_view next_part(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find(':'));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

WindowKind kind_of_name(std::string_view name, std::string_view whole) {
  for (std::size_t i = 0; i + 1 < kWindowNames.size(); ++i) {
    if (name == kWindowNames[i]) return static_cast<WindowKind>(i + 1);
  }
  const std::span<const std::string_view> known = std::span(kWindowNames).first(kWindowNames.size() - 1);
  const std::string meant = name == "gaussian" ? " Did you mean 'gauss'?" : did_you_mean(name, known);
  if (name == "given")
    refuse_window({"'given' stands for factors of the caller, which a text does not have: pass them as window_factors."});
  refuse_window({in_quotes(whole), " is no window: ", one_of(known), " are, kaiser and gauss with a number behind ':', e.g. kaiser:8.6.",
                 meant});
}

}  // namespace

Window window_named(std::string_view name) {
  if (name == "none") return {};
  std::string_view rest = name;
  Window window;
  const std::string_view first = next_part(rest);
  window.kind = kind_of_name(first, name);
  if (has_parameter(window.kind)) {
    const std::string_view number = next_part(rest);
    if (read_double(number, window.parameter) != NumberState::kOk) {
      refuse_window({in_quotes(first), " needs a number behind ':', ",
                     window.kind == WindowKind::kKaiser ? "its beta, e.g. kaiser:8.6" : "its standard deviation in points, e.g. gauss:100",
                     "; found ", in_quotes(number), "."});
    }
  }
  if (!rest.empty() || name.ends_with(':')) {
    if (rest != "symmetric" && rest != "periodic")
      refuse_window({"Behind the window ", in_quotes(first), " may stand ':symmetric' or ':periodic', not ", in_quotes(rest), "."});
    window.symmetric = rest == "symmetric";
  }
  check_window(window);
  return window;
}

Window window_given(const ulpfft_problem& from, const Window& named) {
  const auto refuse = [](std::string_view field, SentenceParts sentence) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, std::string(field), joined(sentence));
  };
  const std::string count = "window_count is " + print_integer(from.window_count);
  if (from.window_factors == nullptr) {
    if (from.window_count != 0) refuse("window_factors", {count, ", but window_factors is null."});
    return named;
  }
  if (named) refuse("window_factors", {"window and window_factors both say what the input is multiplied by: leave one of them out."});
  if (from.window_count < 1) refuse("window_count", {count, ", expected the sum of the lengths."});
  Window window;
  window.kind = WindowKind::kGiven;
  window.given = std::make_shared<const std::vector<double>>(from.window_factors, from.window_factors + from.window_count);
  return window;
}

std::string print_window(const Window& window) {
  std::string text(name_of_window(window.kind));
  if (has_parameter(window.kind)) text += ":" + print_double(window.parameter);
  return text + (window.symmetric ? ":symmetric" : "");
}

void check_window(const Window& window) {
  if (window.kind == WindowKind::kKaiser && !(window.parameter >= 0 && window.parameter <= kMostKaiser)) {
    refuse_window({"The beta of the kaiser window is ", print_double(window.parameter), "; 0 to ", print_double(kMostKaiser),
                   " are possible."});
  }
  if (window.kind == WindowKind::kGauss && !(std::isfinite(window.parameter) && window.parameter > 0)) {
    refuse_window({"The standard deviation of the gauss window is ", print_double(window.parameter),
                   "; it is a positive number of points."});
  }
  if (window.given == nullptr) return;
  for (std::size_t i = 0; i < window.given->size(); ++i) {
    if (std::isfinite((*window.given)[i])) continue;
    const std::string field = indexed("window_factors", i);
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is not a finite number.");
  }
}

}  // namespace ulpfft

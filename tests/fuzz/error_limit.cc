// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a problem of any kind, scheme, prescale and batch with an error limit: the plan keeps the limit on every output that is
// measured, and a refusal names an error above it.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

// A limit is kept on samples with three standard errors to spare. All outputs of the same transforms may err by a little more.
constexpr double kAllOutputs = 1.05;
constexpr double kThreeDigits = 0.99;  // of a number in a message

std::string drawn_scheme(Bytes& bytes) {
  if (bytes.below(4) == 0) return "";
  auto scheme = sized<ulpfft_scheme>();
  const std::size_t index = (bytes.byte() * 256U + bytes.byte()) % ulpfft_scheme_count();
  require(ulpfft_scheme_get(index, &scheme) == ULPFFT_OK, "scheme " + std::to_string(index));
  return std::string(" scheme=") + scheme.name;
}

std::string drawn_storage(Bytes& bytes) {
  constexpr const char* kStorages[] = {"f32", "f64", "f16", "bf16", "f32->f16", "f64->f32", "mxfp8_e4m3", "i16->f32"};
  return kStorages[bytes.below(8)];
}

// A length with its batch; few points, because all outputs are compared.
std::string drawn_sizes(Bytes& bytes) {
  const auto n = static_cast<std::int64_t>(2 + bytes.byte() + (bytes.below(4) == 0 ? 256 : 0));
  const std::string first = bytes.below(4) == 0 ? std::to_string(1 + bytes.below(8)) + "x" : "";
  return first + std::to_string(n) + (bytes.flag() ? "*" + std::to_string(1 + bytes.below(20)) : "");
}

std::string drawn_problem(Bytes& bytes) {
  constexpr const char* kR2r[] = {"r2hc", "hc2r", "dht", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};
  constexpr const char* kScales[] = {"", " scale=ortho", " scale=1/n", " scale=0.3"};
  constexpr const char* kPrescales[] = {"", "", " prescale=amax", " prescale=16", " prescale=1e-40", " prescale=1e30"};
  const unsigned kind = bytes.below(16);
  const std::string sizes = drawn_sizes(bytes);
  std::string kinds;
  if (kind >= 5) {
    kinds = std::string(" kinds=") + kR2r[kind - 5];
    if (sizes.find('x') != std::string::npos) kinds += std::string(",") + kR2r[kind - 5];
  }
  const std::string word = kind < 2 ? "" : kind == 2 || kind == 3 ? "r2c " : kind == 4 ? "c2r " : "r2r ";
  std::string text = word + sizes + " " + drawn_storage(bytes) + kinds + kScales[bytes.below(4)];
  text += kPrescales[bytes.below(6)];
  return text + drawn_scheme(bytes);
}

// The least error that a refusal names, with what it may be above that; 0 where it names none.
double named_error(const std::string& message) {
  const auto number_behind = [&](const std::string& words) {
    const std::size_t at = message.find(words);
    return at == std::string::npos ? 0.0 : std::strtod(message.c_str() + at + words.size(), nullptr);
  };
  const double least = number_behind("the least error found is ");
  return least == 0 ? 0 : least + number_behind("(and up to ");
}

void run(Bytes& bytes) {
  const double limit = std::pow(10.0, -static_cast<double>(bytes.byte()) / 16);
  char number[32];
  std::snprintf(number, sizeof number, "%.6g", limit);
  const std::string problem = drawn_problem(bytes) + " max_error=" + number;
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* made = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(nullptr, problem.c_str(), &options, &made);
  const PlanPtr plan(made);
  const std::string which = "\"" + problem + "\"";
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, which + ": " + ulpfft_last_error());
  require((status == ULPFFT_OK) == (plan != nullptr), which + ": a plan and a failure, or neither");
  if (plan == nullptr) {
    const std::string message = ulpfft_last_error();
    require(is_one_line(message), which + ": no sentence");
    const double named = named_error(message);
    return require(named == 0 || named > kThreeDigits * limit, which + " is refused, but it could be kept: " + message);
  }
  auto report = sized<ulpfft_error_report>();
  require(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report) == ULPFFT_OK, which + ": " + ulpfft_last_error());
  require(report.relative_l2 <= kAllOutputs * limit,
          which + " by " + recipe_of(plan.get()) + " errs by " + std::to_string(report.relative_l2 / limit) + " times the limit");
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}

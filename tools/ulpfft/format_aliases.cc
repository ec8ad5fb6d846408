// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/format_aliases.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace ulpfft_tool {
namespace {

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"half", "f16"},    {"fp16", "f16"},      {"float16", "f16"},     {"bfloat16", "bf16"},
    {"float", "f32"},   {"fp32", "f32"},      {"float32", "f32"},     {"complex64", "f32"},
    {"double", "f64"},  {"fp64", "f64"},      {"float64", "f64"},     {"complex128", "f64"},
    {"cs16", "i16"},    {"ci16", "i16"},      {"cs8", "i8"},          {"ci8", "i8"},
    {"cu8", "u8"},      {"cf32", "f32"},      {"cf64", "f64"},        {"sc16", "i16"},
    {"sc8", "i8"},      {"fc32", "f32"},      {"fc64", "f64"},        {"int16", "i16"},
    {"int8", "i8"},     {"single", "f32"},
};

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::string with_own_format_names(std::string_view text) {
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_of_name);
    const std::string_view name = text.substr(static_cast<std::size_t>(at - text.begin()), static_cast<std::size_t>(end - at));
    const auto alias = std::find_if(std::begin(kAliases), std::end(kAliases), [&](const auto& pair) { return pair.first == name; });
    result += alias == std::end(kAliases) ? name : alias->second;
    at = end;
    if (at != text.end()) result += *at++;
  }
  return result;
}

}  // namespace ulpfft_tool

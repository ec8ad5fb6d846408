// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/storage_names.h"

#include <utility>

#include "codelets/contract/split_scheme.h"
#include "codelets/contract/storage.h"
#include "formats.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

// Facts of the headers alone: wisdom is used without codelets, too.
constexpr FormatInfo kElements[] = {
#define ULPFFT_INFO(format) format::kInfo,
    ULPFFT_ELEMENT_FORMATS(ULPFFT_INFO)};
constexpr BlockInfo kBlocks[] = {ULPFFT_BLOCK_FORMATS(ULPFFT_INFO)
#undef ULPFFT_INFO
};

// Imports of wisdom ask 14 times a row: most names differ in their first letter, which is compared before anything is called.
template <typename Info, std::size_t kCount>
const Info* find_info(const Info (&infos)[kCount], std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Info& info : infos) {
    if (name.front() == info.name[0] && name == info.name) return &info;
  }
  return nullptr;
}
const BlockInfo* find_block(std::string_view name) { return find_info(kBlocks, name); }
const FormatInfo* find_element(std::string_view name) { return find_info(kElements, name); }
// Wide, or an element alone: nothing but another storage can stand behind its ':'.
bool is_plain(std::string_view name) { return name == "f32" || name == "f64" || find_element(name) != nullptr; }

}  // namespace

bool keeps_rows(std::string_view storage) {
  const std::string_view name = storage.substr(0, storage.find(':'));
  if (find_block(name) != nullptr) return true;
  const FormatInfo* element = find_element(name);
  return element != nullptr && is_packed(*element);
}

std::string canonical_storage(std::string_view storage) {
  const StorageNameResult parsed = parse_storage_name(storage);
  const BlockInfo* block = parsed.error == nullptr ? find_block(parsed.name.format) : nullptr;
  if (block == nullptr) return std::string(storage);
  std::string text = block->name;
  if (parsed.name.length >= 0 && parsed.name.length != block->length) text += ":b" + std::to_string(parsed.name.length);
  if (parsed.name.rule >= 0 && parsed.name.rule != static_cast<int>(block->rule)) text += std::string(":") + kScaleRuleNames[parsed.name.rule];
  return text;
}

std::size_t second_storage(std::string_view pair) {
  for (std::size_t colon = pair.find(':'); colon != std::string_view::npos; colon = pair.find(':', colon + 1)) {
    const std::string_view word = pair.substr(colon + 1, pair.find(':', colon + 1) - colon - 1);
    if (parse_storage_name(pair.substr(0, colon)).error != nullptr) return std::string_view::npos;
    const bool is_suffix = parse_storage_name(pair.substr(0, colon + 1 + word.size())).error == nullptr;
    if (!is_suffix && (is_plain(pair.substr(0, colon)) || is_plain(word) || find_block(word) != nullptr)) return colon;
  }
  return std::string_view::npos;
}

std::string canonical_scheme(std::string_view scheme) {
  constexpr std::string_view kPrefix = "mx:", kCarry = ":carry", kFresh = ":fresh";
  if (constexpr std::string_view kSplit = "split:"; scheme.starts_with(kSplit)) {
    const SplitNameResult parsed = parse_split_name(scheme.substr(kSplit.size()));
    return parsed.error != nullptr ? std::string(scheme) : std::string(kSplit) + print_split_name(parsed.name);
  }
  if (!scheme.starts_with(kPrefix)) return std::string(scheme);
  std::string_view block = scheme.substr(kPrefix.size());
  const bool fresh = block.ends_with(kFresh);
  if (fresh || block.ends_with(kCarry)) block.remove_suffix(kFresh.size());
  const StorageNameResult parsed = parse_storage_name(block);
  if (parsed.error != nullptr || find_block(parsed.name.format) == nullptr) return std::string(scheme);
  return std::string(kPrefix) + canonical_storage(block) + (fresh ? std::string(kFresh) : "");
}

const char* scheme_of_precision(std::string_view mode) {
  constexpr std::pair<std::string_view, const char*> kModes[] = {
      {"bf16", "split:bf16"}, {"ozaki", "split:bf16x2"}, {"ozaki_hq", "split:bf16x2x3"}, {"fp32", "f32"}, {"double", "f64"}};
  for (const auto& [name, scheme] : kModes) {
    if (name == mode) return scheme;
  }
  return nullptr;
}

std::string no_scheme_name(std::string_view word) {
  return in_quotes(word) + " is not a scheme name; those are f32, f64, rounded:<element>, e.g. rounded:f16, mx:<block>, e.g. mx:mxfp8_e4m3, "
         "and split:<element>[xPARTS], e.g. split:bf16x3.";
}

}  // namespace ulpfft

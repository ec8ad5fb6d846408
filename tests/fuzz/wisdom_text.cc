// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Any bytes as wisdom, and as a row of a table: refused with the store as it was, or read and written again without loss.
#include <algorithm>
#include <optional>
#include <string_view>

#include "tests/fuzz/require.h"
#include "wisdom/codec.h"
#include "wisdom/error.h"
#include "wisdom/file.h"
#include "wisdom/recipe.h"
#include "wisdom/store.h"

namespace ulpfft::fuzz {
namespace {

constexpr const char* kHere = "x86.25.17.avx3";

const Store& small_store() {
  static const Store store = [] {
    Store made;
    Entry entry;
    entry.problem_key = "8 f32";
    entry.machine = kHere;
    entry.recipe = "f32:n8";
    entry.digest = 1;
    entry.effort = "patient";
    made.remember(entry);
    made.replace_table_rows("costs", kHere, {print_flat_row({{"machine", kHere}, {"seconds", 1e-9}})});
    return Store(made);
  }();
  return store;
}

ImportPolicy policy() {
  return {{kHere}, [](const Problem&, const Recipe& recipe, const std::string&) -> std::optional<std::uint64_t> {
            if (print_recipe(recipe).size() % 7 == 0) return std::nullopt;
            if (print_recipe(recipe).size() % 11 == 0) throw PlanError(ULPFFT_UNSUPPORTED, "recipe", "There is no such codelet.");
            return 1;
          }};
}

void read_as_wisdom(std::string_view text) {
  static const Document before = small_store().document();
  Store store(small_store());
  try {
    const ImportReport report = import_wisdom(store, text, policy());
    require(report.details.size() <= ImportReport::kMaxDetails, "too many details");
    for (const std::string& line : report.details) require(is_one_line(line), "a detail that is not a line of text");
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_INVALID_TEXT || error.status == ULPFFT_UNSUPPORTED, "status " + std::to_string(error.status));
    require(is_one_line(error.message), "a message that is not a line of text");
    require(error.text_begin <= error.text_end && error.text_end <= text.size(), "a range outside the text");
    require(store.document() == before, "a refused text changed the store");
    return;
  }
  const std::string exported = export_wisdom(store);
  Store again;
  const ImportReport report = import_wisdom(again, exported, ImportPolicy{{kHere}, {}});
  require(report.malformed == 0 && report.stale == 0, "what was exported is refused:\n" + exported);
  require(export_wisdom(again) == exported, "an import and an export changed the text:\n" + exported);
  // Merged into what it came from, nothing is doubled.
  const Document merged = store.document();
  store.merge(again);
  require(store.document() == merged, "a merge with itself changed the store:\n" + exported);
}

void read_as_row(std::string_view text) {
  try {
    const FlatRow row = parse_flat_row(text);
    require(parse_flat_row(print_flat_row(row)) == row, "a row reads back as another: " + print_flat_row(row));
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_INVALID_TEXT && is_one_line(error.message), "a row's error: " + error.message);
  }
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ulpfft::fuzz::read_as_wisdom(text);
  ulpfft::fuzz::read_as_row(text);
  return 0;
}

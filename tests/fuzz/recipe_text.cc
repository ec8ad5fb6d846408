// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Any bytes as a recipe: refused with the word at fault, or the one text of its value.
#include <string_view>

#include "tests/fuzz/require.h"
#include "wisdom/entry.h"
#include "wisdom/error.h"
#include "wisdom/recipe.h"

namespace ulpfft::fuzz {
namespace {

void run(std::string_view text) {
  Recipe recipe;
  try {
    recipe = parse_recipe(text);
  } catch (const PlanError& error) {
    require(error.status == ULPFFT_INVALID_TEXT, "status " + std::to_string(error.status) + ": " + error.message);
    require(is_one_line(error.message), "a message that is not a line of text");
    require(error.text_begin <= error.text_end && error.text_end <= text.size(), "a range outside the text: " + error.message);
    return;
  }
  require(print_recipe(recipe) == text, "prints as another text: " + print_recipe(recipe));
  try {
    require(node_length(recipe.root) >= 1, "a length below 1: " + std::string(text));
  } catch (const PlanError& error) {
    require(error.status != ULPFFT_INTERNAL && is_one_line(error.message), "length: " + error.message);
  }
  Entry entry;
  entry.recipe = text;
  const int schema = entry_schema(entry);
  require(schema >= 1 && schema <= newest_entry_schema(), "schema " + std::to_string(schema));
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

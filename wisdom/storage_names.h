// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What texts and strides need to know of storage formats: how a name is spelled, and whether rows of it are units.
#ifndef ULPFFT_WISDOM_STORAGE_NAMES_H_
#define ULPFFT_WISDOM_STORAGE_NAMES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace ulpfft {

// Block and packed formats: a row of the innermost dimension begins a byte and a block, so that strides of the other dimensions count
// rows. False for names this build does not know.
bool keeps_rows(std::string_view storage);

// The one spelling of a storage: overrides that repeat the descriptor are left out. Names this build does not know stay as they are.
std::string canonical_storage(std::string_view storage);

// Where in "i16:f32" or "mxfp8_e4m3:b8:floor:f16" the ':' stands behind which the second storage begins; npos where there is none. Block
// lengths and scale rules are no storages.
std::size_t second_storage(std::string_view pair);

// The one spelling of a scheme: of mx:<block>[:carry|:fresh] that of the block, and carrying exponents goes without saying. Of
// split:<element> one part goes without saying, fp16 is f16, and ozaki4 is i8x4. Others stay as they are.
std::string canonical_scheme(std::string_view scheme);

// The scheme of a precision mode of trnfft, "bf16", "ozaki", "ozaki_hq", "fp32" or "double"; null: there is no such mode.
const char* scheme_of_precision(std::string_view mode);

// What to say of a word that no scheme can have as its name.
std::string no_scheme_name(std::string_view word);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_STORAGE_NAMES_H_

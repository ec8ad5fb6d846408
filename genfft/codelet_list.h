// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What is generated: bodies, the loop shapes each appears in, and pairs. A new radix is a line here and an algorithm in dft.cc.
#ifndef ULPFFT_GENFFT_CODELET_LIST_H_
#define ULPFFT_GENFFT_CODELET_LIST_H_

#include <string>
#include <utility>
#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

// In a fixed order: n bodies by length, then t bodies by radix and form, then bodies of real transforms by kind and length.
std::vector<BodySpec> body_list();

// Suffixes of the add_<shape> functions of the backends. Of bodies that serve pairs in registers alone ref has what executes their recipes,
// and the others nothing.
std::vector<std::string> shapes_of(const BodySpec& spec);
std::vector<std::string> ref_shapes_of(const BodySpec& spec);

// Whether rounded schemes have a body, too: up to radix 16, dual-select where it folds its scales without more constants.
bool has_rounded(const BodySpec& spec);

// Whether the cuda backend has it: radices that a thread holds in its registers, dual-select and chained for those of large kernels.
bool has_cuda(const BodySpec& spec);

// kWholeTwo: name of the first body, name of the second.
std::vector<std::pair<std::string, std::string>> whole_two_list();

// kPacked: bodies alone, and what pairs are made of (register_pairs.h).
std::vector<std::string> packed_list();
bool is_one_body(int n);  // a length that needs no pair
bool begins_pairs(const BodySpec& spec);
bool ends_pairs(const BodySpec& spec);

// Bodies with narrow storage at the outer end of first passes, last passes, and at both ends of kPacked; formats with the port that
// decodes and encodes them (codelets/hwy/narrow_ports-inl.h).
std::vector<std::string> fused_first_list(const std::string& format);
std::vector<std::string> fused_last_list();
std::vector<std::pair<std::string, std::string>> fused_packed_list(const std::string& format);
struct FusedFormat {
  std::string format, port;  // of narrow_ports-inl.h
  bool encodes = false;
};
std::vector<FusedFormat> fused_format_list();
// Block formats that first passes decode, with the port of their elements (codelets/hwy/block_ports-inl.h).
std::vector<std::pair<std::string, std::string>> fused_block_list();
// Pairs in registers that decode them.
std::vector<std::pair<std::string, std::string>> fused_packed_block_list();

// "t8_ds" -> "T8Ds": the struct of a body.
std::string struct_name(const std::string& body);

// "kR2C": the enumerator.
std::string transform_name(RealTransform transform);

// Name of the standard form of a twiddled body.
std::string standard_body(const BodySpec& spec);
// Template arguments of a loop shape: the body, and for dual-select the standard body that straddling groups fall back to.
std::string body_arguments(const BodySpec& spec);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_CODELET_LIST_H_

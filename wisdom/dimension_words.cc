// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/dimension_words.h"

#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {

[[noreturn]] static void refuse_dimension(std::string_view field, SentenceParts sentence) {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, std::string(field), joined(sentence));
}

std::vector<Dimension> dimensions_from_c(int count, int least, std::string_view count_field, const std::int64_t* lengths,
                                         std::string_view field) {
  if (count < least || count > kMaxRank) {
    refuse_dimension(count_field, {count_field, " is ", print_integer(count), ", expected ", print_integer(least), "..",
                                   print_integer(kMaxRank), "."});
  }
  if (count > 0 && lengths == nullptr) refuse_dimension(field, {field, " is null."});
  std::vector<Dimension> dims(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    dims[i].length = lengths[i];
    if (lengths[i] < 1)
      refuse_dimension(indexed(field, i), {indexed(field, i), " is ", print_integer(lengths[i]), ", expected at least 1."});
  }
  return dims;
}

void strides_from_c(const std::int64_t* from, std::vector<Dimension>& to, std::int64_t Dimension::*stride) {
  for (std::size_t i = 0; from != nullptr && i < to.size(); ++i) to[i].*stride = from[i];
}

static void read_stride(TextReader& reader, TextRange part, std::string field, std::int64_t& stride) {
  stride = reader.read_integer(part, field);
  reader.note(std::move(field), part);
}

void read_strides(TextReader& reader, TextRange value, std::vector<Dimension>& dims, std::int64_t Dimension::*stride,
                  std::string_view word) {
  const std::vector<TextRange> parts = reader.split(value, ',');
  if (parts.size() != dims.size()) {
    reader.fail(word, {word, " has ", print_integer(parts.size()), " numbers, but needs ", print_integer(dims.size()), ": one per length."},
                value);
  }
  for (std::size_t i = 0; i < dims.size(); ++i) read_stride(reader, parts[i], indexed(word, i), dims[i].*stride);
}

void read_batch_strides(TextReader& reader, TextRange value, Problem& to) {
  const std::string_view word = "batch_strides";
  const std::size_t rank = to.batch.size();
  if (rank == 0) reader.fail(word, {"batch_strides needs batch dimensions, e.g. '256*8 f32 batch_strides=300,300'."}, value);
  const std::vector<TextRange> parts = reader.split(value, ',');
  if (parts.size() != 2 * rank) {
    reader.fail(word,
                {word, " has ", print_integer(parts.size()), " numbers, but needs ", print_integer(2 * rank),
                 ": the in strides of all batch dimensions, then their out strides."}, value);
  }
  for (std::size_t i = 0; i < rank; ++i) read_stride(reader, parts[i], indexed("batch_in_strides", i), to.batch[i].in_stride);
  for (std::size_t i = 0; i < rank; ++i)
    read_stride(reader, parts[rank + i], indexed("batch_out_strides", i), to.batch[i].out_stride);
}

static void add_strides(std::string& word, const std::vector<Dimension>& dims, std::int64_t Dimension::*stride) {
  for (const Dimension& dim : dims) {
    if (word.back() != '=') word += ',';
    word += print_integer(dim.*stride);
  }
}

void print_strides(PrintedWords& to, std::string word, std::int64_t Dimension::*stride) {
  if (!to.has_strides(&Problem::dims, stride)) return;
  add_strides(word, to.problem.dims, stride);
  to.add(word);
}

void print_batch_strides(PrintedWords& to) {
  if (!to.has_strides(&Problem::batch, &Dimension::in_stride) && !to.has_strides(&Problem::batch, &Dimension::out_stride)) return;
  std::string word = "batch_strides=";
  add_strides(word, to.problem.batch, &Dimension::in_stride);
  add_strides(word, to.problem.batch, &Dimension::out_stride);
  to.add(word);
}

}  // namespace ulpfft

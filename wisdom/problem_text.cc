// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/contract/storage.h"
#include "wisdom/error.h"
#include "wisdom/kind_elsewhere.h"
#include "wisdom/problem_fields.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"c2c", "r2c", "c2r", "r2r", "czt"};

std::optional<Kind> kind_named(std::string_view word) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), word);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<Kind>(found - kKinds.begin());
}

// " Did you mean 'scale'?" where a word of those with a value, or without, is near, else "".
std::string did_you_mean_option(std::string_view word, bool has_value) {
  std::vector<std::string_view> words;
  for (const ProblemField& field : problem_fields()) {
    if (!field.word.empty() && field.has_value == has_value) words.push_back(field.word);
  }
  return did_you_mean(word, words);
}

// "kinds=, inverse, ... or precision="
std::string every_option() {
  std::vector<std::string> shown;
  for (const ProblemField& field : problem_fields()) {
    if (!field.word.empty()) shown.push_back(std::string(field.word) + (field.has_value ? "=" : ""));
  }
  return one_of(std::vector<std::string_view>(shown.begin(), shown.end()));
}

bool is_option(std::string_view word, bool has_value) {
  const ProblemField* const field = find_field(word);
  return field != nullptr && field->has_value == has_value;
}

// Reads one text from left to right, and remembers which bytes set which field.
class ProblemParser {
 public:
  explicit ProblemParser(std::string_view text) : reader_(text), text_(text) {}

  Problem parse() {
    check_bytes();
    split_words();
    std::size_t next = 0;
    if (next < words_.size()) {
      if (const auto kind = kind_named(view(words_[next]))) {
        problem_.kind = *kind;
        reader_.note("kind", words_[next++]);
      }
    }
    if (next == words_.size()) fail_at_end("lengths", {"The lengths are missing, e.g. '1000 f32' or '256x256*8 f32'."});
    const TextRange lengths = words_[next++];
    parse_lengths(lengths);
    if (next == words_.size()) fail_at_end("storage_in", {"The storage format is missing after the lengths, e.g. '1000 f32'."});
    parse_storage(words_[next++]);
    for (; next < words_.size(); ++next) parse_option(words_[next]);
    // Which strides are the default may depend on any option.
    reader_.require(lengths, [&] { set_dense_strides(problem_); });
    for (const auto& [field, value] : late_) field->read(reader_, value, problem_);
    if (problem_.kind == Kind::kR2R && problem_.kinds.empty()) reader_.note("kinds", words_[0]);  // it asks for what is missing
    return problem_;
  }

  TextRange find(std::string_view field) const { return reader_.find(field); }

 private:
  std::string_view view(TextRange range) const { return reader_.view(range); }
  [[noreturn]] static void fail(std::string_view field, SentenceParts sentence, TextRange range) { TextReader::fail(field, sentence, range); }
  [[noreturn]] void fail_at_end(std::string_view field, SentenceParts sentence) const { fail(field, sentence, {text_.size(), text_.size()}); }

  void check_bytes() const {
    if (text_.size() > kMaxProblemText) {
      fail("problem",
           {"The problem text has ", print_integer(text_.size()), " bytes; at most ", print_integer(kMaxProblemText),
            " are possible."},
           {kMaxProblemText, text_.size()});
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (!is_printable(text_.substr(i, 1))) {
        fail("problem", {"Byte ", print_integer(i), " of the problem text is not printable ASCII."}, {i, i + 1});
      }
    }
  }

  void split_words() {
    std::size_t at = 0;
    while (true) {
      at = text_.find_first_not_of(' ', at);
      if (at == std::string_view::npos) return;
      const std::size_t end = std::min(text_.find(' ', at), text_.size());
      words_.push_back({at, end});
      at = end;
    }
  }

  void parse_lengths(TextRange word) {
    const std::string_view shown = view(word);
    if (shown.find_first_of("0123456789-") != 0) {
      const std::string_view elsewhere = kind_elsewhere(shown);
      const std::string_view kind = elsewhere.empty() ? shown : elsewhere;
      std::string meant = did_you_mean(shown, kKinds);
      if (r2r_kind_named(kind)) {
        meant = " Did you mean 'r2r 1000 f32 kinds=" + std::string(kind) + "'?";
      } else if (!elsewhere.empty()) {
        meant = " Did you mean '" + std::string(elsewhere) + "'?";
      }
      fail("lengths",
           {"Expected lengths such as 1000 or 256x256*8, found ", in_quotes(shown), "; before them only ", one_of(kKinds),
            " may stand.", meant},
           word);
    }
    if (shown.find(',') != std::string_view::npos)
      fail("lengths", {"Lengths are joined by 'x', e.g. 256x256, not by commas."}, word);
    const std::vector<TextRange> parts = reader_.split(word, '*');
    if (parts.size() > 2)
      fail("batch_lengths", {"A problem has one '*': batch dimensions are joined by 'x', e.g. 256*8x2."}, {parts[2].begin - 1, word.end});
    parse_dimensions(parse_points(parts[0]), problem_.dims, "lengths", "rank");
    if (problem_.zoom.points == problem_.dims.back().length) problem_.zoom.points = 0;
    if (parts.size() == 2) parse_dimensions(parts[1], problem_.batch, "batch_lengths", "batch_rank");
  }

  // Takes the points of "1000->500"; returns what stands before the arrow.
  TextRange parse_points(TextRange range) {
    const std::string_view shown = view(range);
    const std::size_t arrow = shown.find("->"), split = arrow == std::string_view::npos ? shown.find(':') : arrow;
    if (split == std::string_view::npos) return range;
    if (problem_.kind != Kind::kCzt) {
      fail("lengths", {"Only a chirp transform has as many outputs as are asked for: 'czt ", shown, " f32'. Other kinds have one length."},
           range);
    }
    const TextRange points{range.begin + split + (arrow == std::string_view::npos ? 1 : 2), range.end};
    problem_.zoom.points = reader_.read_integer(points, "points", read_size);
    reader_.note("points", points);
    if (problem_.zoom.points < 1) fail("points", {"points is ", print_integer(problem_.zoom.points), "; there are 1 or more."}, points);
    return {range.begin, range.begin + split};
  }

  void parse_dimensions(TextRange range, std::vector<Dimension>& dims, std::string_view name, const std::string& rank_field) {
    const std::vector<TextRange> parts = reader_.split(range, 'x');
    reader_.note(rank_field, range);
    reader_.note(std::string(name), range);
    if (parts.size() > static_cast<std::size_t>(kMaxRank)) {
      fail(rank_field,
           {print_integer(parts.size()), " dimensions are too many; at most ", print_integer(kMaxRank), " are possible."},
           {parts[static_cast<std::size_t>(kMaxRank)].begin, range.end});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string field = indexed(name, i);
      const std::int64_t length = reader_.read_integer(parts[i], field, read_size);
      if (length < 1) fail(field, {field, " is ", print_integer(length), "; a length is 1 or more."}, parts[i]);
      reader_.note(field, parts[i]);
      dims.push_back({length, 0, 0});
    }
  }

  std::string read_storage(TextRange range, const std::string& field) {
    const std::string text = reader_.read_format(range, field);
    reader_.note(field, range);
    const StorageNameResult parsed = parse_storage_name(text);
    if (parsed.error != nullptr) fail(field, {parsed.error}, {range.begin + parsed.at, range.end});
    return canonical_storage(text);
  }

  void parse_storage(TextRange word) {
    const std::string_view shown = view(word);
    if (is_option(shown, false) || shown.find('=') != std::string_view::npos) {
      fail("storage_in", {"The storage format is missing before ", in_quotes(shown), ", e.g. '1000 f32 inverse'."}, word);
    }
    if (shown.size() > 1 && shown.ends_with('-')) fail("storage_out", {cut_arrow(shown)}, word);
    const std::size_t arrow = shown.find("->");
    const std::size_t split = arrow == std::string_view::npos ? second_storage(shown) : arrow;
    if (split == std::string_view::npos) {
      problem_.storage_in = problem_.storage_out = read_storage(word, "storage_in");
      reader_.note("storage_out", word);
      return;
    }
    const std::size_t separator = arrow == std::string_view::npos ? 1 : 2;
    problem_.storage_in = read_storage({word.begin, word.begin + split}, "storage_in");
    problem_.storage_out = read_storage({word.begin + split + separator, word.end}, "storage_out");
  }

  // Of "i16-": a shell has taken the '>' of "i16->f32" as its own.
  static std::string cut_arrow(std::string_view shown) {
    const std::string in(shown.substr(0, shown.size() - 1));
    return in_quotes(shown) + " lacks '>' and the storage of the output. A shell takes '>' for itself: quote the problem, or write " + in +
           ":f32 for " + in + "->f32.";
  }

  void parse_option(TextRange word) {
    const std::string_view shown = view(word);
    const std::size_t equals = shown.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view key = shown.substr(0, equals);
    const ProblemField* const field = find_field(key);
    if (field == nullptr || field->has_value != has_value) fail("problem", {unknown_word(shown, key, has_value)}, word);
    if (std::find(seen_.begin(), seen_.end(), field) != seen_.end()) fail(key, {in_quotes(key), " is given twice."}, word);
    seen_.push_back(field);
    const TextRange value = has_value ? TextRange{word.begin + equals + 1, word.end} : word;
    for (const char* member : field->members) {
      if (member != nullptr) reader_.note(member, value);
    }
    if (field->needs_others) {
      late_.emplace_back(field, value);
    } else {
      field->read(reader_, value, problem_);
    }
  }

  static std::string unknown_word(std::string_view shown, std::string_view key, bool has_value) {
    if (!has_value && is_option(shown, true)) return in_quotes(shown) + " needs a value: " + std::string(shown) + "=...";
    if (has_value && is_option(key, false)) return in_quotes(key) + " takes no value.";
    if (kind_named(shown)) return in_quotes(shown) + " stands before the lengths: '" + std::string(shown) + " 1000 f32'.";
    std::string suggestion = did_you_mean_option(key, false);
    if (suggestion.empty() || has_value) suggestion = did_you_mean_option(key, true);
    if (const std::string_view meant = word_elsewhere(shown); !meant.empty()) suggestion = " Did you mean '" + std::string(meant) + "'?";
    return in_quotes(shown) + " is not a word of a problem." + suggestion + " Possible are " + every_option() + ".";
  }

  TextReader reader_;
  std::string_view text_;
  std::vector<TextRange> words_;
  std::vector<const ProblemField*> seen_;
  std::vector<std::pair<const ProblemField*, TextRange>> late_;  // words that need all others
  Problem problem_;
};

std::string joined_lengths(const std::vector<Dimension>& dims) {
  std::string text;
  for (const Dimension& dim : dims) text += (text.empty() ? "" : "x") + print_integer(dim.length);
  return text;
}

}  // namespace

std::string_view name_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind) % kKinds.size()]; }

Problem parse_problem(std::string_view text) { return ProblemParser(text).parse(); }

TextRange field_range(std::string_view text, std::string_view field) {
  ProblemParser parser(text);
  try {
    parser.parse();
  } catch (const PlanError&) {
    return {};
  }
  return parser.find(field);
}

std::string print_problem(const Problem& problem) {
  PrintedWords words(problem);
  std::string& text = words.text;
  if (problem.kind != Kind::kC2C) text += std::string(name_of(problem.kind)) + " ";
  text += joined_lengths(problem.dims);
  if (problem.zoom.points != 0) text += "->" + print_integer(problem.zoom.points);
  if (!problem.batch.empty()) text += "*" + joined_lengths(problem.batch);
  text += " " + problem.storage_in;
  if (problem.storage_out != problem.storage_in) text += "->" + problem.storage_out;
  for (const ProblemField& field : problem_fields()) {
    if (field.print != nullptr) field.print(words);
  }
  if (text.size() > kMaxProblemText) {
    throw PlanError(ULPFFT_UNSUPPORTED, "problem",
                    "The problem would have a text of " + print_integer(text.size()) + " bytes, but at most " +
                        print_integer(kMaxProblemText) + " are possible. Join batch dimensions, or use dense strides.");
  }
  return text;
}

std::string problem_key(const Problem& problem) {
  Problem key = problem;
  for (const ProblemField& field : problem_fields()) {
    if (field.leave_out_of_key != nullptr) field.leave_out_of_key(key);
  }
  return print_problem(key);
}

}  // namespace ulpfft

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codelets/contract/storage.h"
#include "wisdom/error.h"
#include "wisdom/kind_elsewhere.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"c2c", "r2c", "c2r", "r2r"};
constexpr std::array<std::string_view, 5> kFlags = {"inverse", "centered", "inplace", "split", "destroy_input"};
constexpr std::array<std::string_view, 14> kKeys = {"kinds",         "scale",       "max_error",     "scheme",       "backend",
                                                    "threads",       "in_strides",  "out_strides",   "batch_strides", "intermediate",
                                                    "chain",         "prescale",    "max_workspace", "precision"};
// Flags and keys in the order they are printed, as shown in a message. A precision is printed as its scheme.
constexpr std::array<std::string_view, 19> kOptions = {
    "kinds=", "inverse",        "centered",    "scale=",       "max_error=",     "scheme=",       "backend=", "threads=",  "inplace",
    "split",  "destroy_input",  "in_strides=", "out_strides=", "batch_strides=", "intermediate=", "chain=",   "prescale=", "max_workspace=",
    "precision="};
constexpr std::array<std::string_view, 5> kPrecisions = {"bf16", "ozaki", "ozaki_hq", "fp32", "double"};
constexpr std::array<std::string_view, 11> kR2rKinds = {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2",
                                                        "dst3", "dst4", "r2hc", "hc2r", "dht"};

std::optional<std::size_t> index_of(std::span<const std::string_view> words, std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
  }
  return std::nullopt;
}

// Reads one text from left to right, and remembers which bytes set which field.
class ProblemParser {
 public:
  explicit ProblemParser(std::string_view text) : text_(text) {}

  Problem parse() {
    check_bytes();
    split_words();
    std::size_t next = 0;
    if (next < words_.size()) {
      if (const auto kind = index_of(kKinds, view(words_[next]))) {
        problem_.kind = static_cast<Kind>(*kind);
        note("kind", words_[next++]);
      }
    }
    if (next == words_.size()) fail_at_end("lengths", "The lengths are missing, e.g. '1000 f32' or '256x256*8 f32'.");
    const TextRange lengths = words_[next++];
    parse_lengths(lengths);
    if (next == words_.size()) fail_at_end("storage_in", "The storage format is missing after the lengths, e.g. '1000 f32'.");
    parse_storage(words_[next++]);
    for (; next < words_.size(); ++next) parse_option(words_[next]);
    // Which strides are the default may depend on any option.
    set_default_strides(lengths);
    for (const auto& [key, value] : strides_) parse_strides(key, value);
    if (problem_.kind == Kind::kR2R && problem_.kinds.empty()) note("kinds", words_[0]);  // it asks for what is missing
    return problem_;
  }

  TextRange find(std::string_view field) const {
    for (const auto& [name, range] : fields_) {
      if (name == field) return range;
    }
    const std::size_t bracket = field.find('[');
    return bracket == std::string_view::npos ? TextRange{} : find(field.substr(0, bracket));
  }

 private:
  std::string_view view(TextRange range) const { return text_.substr(range.begin, range.end - range.begin); }
  void note(std::string field, TextRange range) { fields_.emplace_back(std::move(field), range); }

  [[noreturn]] static void fail(std::string field, std::string message, TextRange range) {
    throw PlanError(ULPFFT_INVALID_TEXT, std::move(field), std::move(message), range.begin, range.end);
  }
  [[noreturn]] void fail_at_end(std::string field, std::string message) const {
    fail(std::move(field), std::move(message), {text_.size(), text_.size()});
  }

  void check_bytes() const {
    if (text_.size() > kMaxProblemText) {
      fail("problem",
           "The problem text has " + std::to_string(text_.size()) + " bytes; at most " + std::to_string(kMaxProblemText) +
               " are possible.",
           {kMaxProblemText, text_.size()});
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (!is_printable(text_.substr(i, 1))) {
        fail("problem", "Byte " + std::to_string(i) + " of the problem text is not printable ASCII.", {i, i + 1});
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

  // Parts of a range between single separator characters; empty parts are kept, so that the number reader refuses them.
  std::vector<TextRange> split(TextRange range, char separator) const {
    std::vector<TextRange> parts;
    std::size_t begin = range.begin;
    for (std::size_t i = range.begin; i <= range.end; ++i) {
      if (i == range.end || text_[i] == separator) {
        parts.push_back({begin, i});
        begin = i + 1;
      }
    }
    return parts;
  }

  using ReadNumber = NumberState (*)(std::string_view, std::int64_t&);
  std::int64_t read_integer(TextRange range, const std::string& field, ReadNumber read = read_int64) const {
    std::int64_t value = 0;
    switch (read(view(range), value)) {
      case NumberState::kOk: return value;
      case NumberState::kOutOfRange: fail(field, in_quotes(view(range)) + " does not fit in 64 bits.", range);
      case NumberState::kNotANumber: break;
    }
    fail(field,
         (range.begin == range.end ? "A whole number is missing for " : in_quotes(view(range)) + " is not a whole number for ") +
             field + ".",
         range);
  }

  double read_real(TextRange range, const std::string& field, const std::string& possible) const {
    double value = 0;
    if (read_double(view(range), value) != NumberState::kOk) {
      fail(field, in_quotes(view(range)) + " is not possible for " + field + ": " + possible + ".", range);
    }
    return value;
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
           "Expected lengths such as 1000 or 256x256*8, found " + in_quotes(shown) + "; before them only " + one_of(kKinds) +
               " may stand." + meant,
           word);
    }
    if (shown.find(',') != std::string_view::npos) fail("lengths", "Lengths are joined by 'x', e.g. 256x256, not by commas.", word);
    const std::vector<TextRange> parts = split(word, '*');
    if (parts.size() > 2)
      fail("batch_lengths", "A problem has one '*': batch dimensions are joined by 'x', e.g. 256*8x2.",
           {parts[2].begin - 1, word.end});
    parse_dimensions(parts[0], problem_.dims, "lengths", "rank");
    if (parts.size() == 2) parse_dimensions(parts[1], problem_.batch, "batch_lengths", "batch_rank");
  }

  void parse_dimensions(TextRange range, std::vector<Dimension>& dims, std::string_view name, const std::string& rank_field) {
    const std::vector<TextRange> parts = split(range, 'x');
    note(rank_field, range);
    note(std::string(name), range);
    if (parts.size() > static_cast<std::size_t>(kMaxRank)) {
      fail(rank_field,
           std::to_string(parts.size()) + " dimensions are too many; at most " + std::to_string(kMaxRank) + " are possible.",
           {parts[static_cast<std::size_t>(kMaxRank)].begin, range.end});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string field = indexed(name, i);
      const std::int64_t length = read_integer(parts[i], field, read_size);
      if (length < 1) fail(field, field + " is " + std::to_string(length) + "; a length is 1 or more.", parts[i]);
      note(field, parts[i]);
      dims.push_back({length, 0, 0});
    }
  }

  std::string read_format(TextRange range, const std::string& field) {
    if (!is_format_name(view(range))) {
      fail(field,
           (range.begin == range.end ? "A format name is missing for " : in_quotes(view(range)) + " is not a format name for ") +
               field + ": lower-case letters, digits and '_', e.g. f32.",
           range);
    }
    note(field, range);
    return std::string(view(range));
  }

  std::string read_storage(TextRange range, const std::string& field) {
    const std::string text = read_format(range, field);
    const StorageNameResult parsed = parse_storage_name(text);
    if (parsed.error != nullptr) fail(field, parsed.error, {range.begin + parsed.at, range.end});
    return canonical_storage(text);
  }

  void parse_storage(TextRange word) {
    const std::string_view shown = view(word);
    if (index_of(kFlags, shown) || shown.find('=') != std::string_view::npos) {
      fail("storage_in", "The storage format is missing before " + in_quotes(shown) + ", e.g. '1000 f32 inverse'.", word);
    }
    if (shown.size() > 1 && shown.ends_with('-')) fail("storage_out", cut_arrow(shown), word);
    const std::size_t arrow = shown.find("->");
    const std::size_t split = arrow == std::string_view::npos ? second_storage(shown) : arrow;
    if (split == std::string_view::npos) {
      problem_.storage_in = problem_.storage_out = read_storage(word, "storage_in");
      note("storage_out", word);
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

  void set_default_strides(TextRange lengths) {
    try {
      set_dense_strides(problem_);
    } catch (const PlanError& error) {
      fail(error.field, error.message, lengths);
    }
  }

  void parse_option(TextRange word) {
    const std::string_view shown = view(word);
    const std::size_t equals = shown.find('=');
    const std::string_view key = shown.substr(0, equals);
    const bool known = equals == std::string_view::npos ? index_of(kFlags, shown).has_value() : index_of(kKeys, key).has_value();
    if (!known) fail("problem", unknown_word(shown, key, equals != std::string_view::npos), word);
    for (const std::string_view seen : seen_) {
      if (seen == key) fail(std::string(key), in_quotes(key) + " is given twice.", word);
    }
    seen_.push_back(key);
    if (equals == std::string_view::npos) {
      parse_flag(word);
    } else {
      parse_value(key, {word.begin + equals + 1, word.end});
    }
  }

  static std::string unknown_word(std::string_view shown, std::string_view key, bool has_value) {
    if (!has_value && index_of(kKeys, shown)) return in_quotes(shown) + " needs a value: " + std::string(shown) + "=...";
    if (has_value && index_of(kFlags, key)) return in_quotes(key) + " takes no value.";
    if (index_of(kKinds, shown)) return in_quotes(shown) + " stands before the lengths: '" + std::string(shown) + " 1000 f32'.";
    std::string suggestion = did_you_mean(key, kFlags);
    if (suggestion.empty() || has_value) suggestion = did_you_mean(key, kKeys);
    if (const std::string_view meant = word_elsewhere(shown); !meant.empty()) suggestion = " Did you mean '" + std::string(meant) + "'?";
    return in_quotes(shown) + " is not a word of a problem." + suggestion + " Possible are " + one_of(kOptions) + ".";
  }

  void parse_flag(TextRange word) {
    const std::string_view shown = view(word);
    if (shown == "inverse") {
      problem_.direction = Direction::kBackward;
      note("direction", word);
    } else if (shown == "centered") {
      problem_.centered = true;
      note("centered", word);
    } else if (shown == "inplace") {
      problem_.placement = Placement::kInPlace;
      note("placement", word);
    } else if (shown == "destroy_input") {
      problem_.destroy_input = true;
      note("destroy_input", word);
    } else {
      problem_.layout = ArrayLayout::kSplit;
      note("layout", word);
    }
  }

  void parse_value(std::string_view key, TextRange value) {
    if (key == "kinds") return parse_kinds(value);
    if (key == "scale") return parse_scale(value);
    if (key == "max_error") {
      problem_.max_error = read_real(value, "max_error", "an error limit is a number such as 1e-6, 0 for none");
      if (problem_.max_error < 0)
        fail("max_error", "max_error is " + std::string(view(value)) + "; an error limit is not negative.", value);
      return note("max_error", value);
    }
    if (key == "prescale") return parse_prescale(value);
    if (key == "max_workspace") return parse_workspace(value);
    if (key == "precision") return parse_precision(value);
    if (key == "scheme") {
      if (!is_scheme_name(view(value))) fail("scheme", no_scheme_name(view(value)), value);
      if (!problem_.scheme.empty()) fail("scheme", "scheme and precision both name the arithmetic: leave one of them out.", value);
      problem_.scheme = canonical_scheme(view(value));
      return note("scheme", value);
    }
    if (key == "threads") {
      const std::int64_t threads = read_integer(value, "threads");
      if (threads < 0 || threads > kMaxProblemThreads) {
        fail("threads", "threads is " + std::to_string(threads) + "; 1 to " + std::to_string(kMaxProblemThreads) + " are possible.", value);
      }
      problem_.threads = threads == 0 ? 1 : static_cast<int>(threads);
      return note("threads", value);
    }
    if (key == "backend") {
      problem_.backend = read_format(value, "backend");
    } else if (key == "intermediate") {
      problem_.intermediate = read_format(value, "intermediate");
    } else if (key == "chain") {
      problem_.chain = read_format(value, "chain");
    } else {
      strides_.emplace_back(key, value);
    }
  }

  void parse_kinds(TextRange value) {
    note("kinds", value);
    for (const TextRange part : split(value, ',')) {
      const std::string field = indexed("kinds", problem_.kinds.size());
      const std::optional<R2rKind> kind = r2r_kind_named(view(part));
      if (!kind) {
        const std::string_view elsewhere = kind_elsewhere(view(part));
        fail(field, in_quotes(view(part)) + " is no kind of a transform between real numbers: " + one_of(kR2rKinds) + " are." +
                        (r2r_kind_named(elsewhere) ? " Did you mean '" + std::string(elsewhere) + "'?" : did_you_mean(view(part), kR2rKinds)),
             part);
      }
      note(field, part);
      problem_.kinds.push_back(*kind);
    }
  }

  void parse_scale(TextRange value) {
    const std::string_view shown = view(value);
    note("scale_kind", value);
    note("scale_value", value);
    if (shown == "none") return;
    if (shown == "ortho") {
      problem_.scale_kind = ScaleKind::kOrtho;
    } else if (shown == "1/n") {
      problem_.scale_kind = ScaleKind::kByN;
    } else {
      problem_.scale_kind = ScaleKind::kValue;
      problem_.scale_value = read_real(value, "scale_value", "none, ortho, 1/n or a finite number");
      if (problem_.scale_value == 0.0) fail("scale_value", "The scale is zero; it must be finite and not zero.", value);
    }
  }

  void parse_precision(TextRange value) {
    const char* const scheme = scheme_of_precision(view(value));
    if (scheme == nullptr) {
      const std::string split = "split:" + std::string(view(value));
      const bool has_parts = view(value).find('x') != std::string_view::npos && is_scheme_name(split);
      fail("scheme", in_quotes(view(value)) + " is no precision: " + one_of(kPrecisions) + " are." +
                         (has_parts ? " Did you mean 'scheme=" + split + "'?" : did_you_mean(view(value), kPrecisions)),
           value);
    }
    if (!problem_.scheme.empty()) fail("scheme", "scheme and precision both name the arithmetic: leave one of them out.", value);
    problem_.scheme = scheme;
    note("scheme", value);
  }

  void parse_prescale(TextRange value) {
    note("prescale_kind", value);
    note("prescale_target", value);
    if (view(value) == "none") return;
    if (view(value) == "amax") {
      problem_.prescale_kind = PrescaleKind::kAmax;
      return;
    }
    problem_.prescale_kind = PrescaleKind::kTarget;
    problem_.prescale_target = read_real(value, "prescale_target", "none, amax or what the largest magnitude is to become, e.g. 16");
    if (problem_.prescale_target <= 0) fail("prescale_target", "The target of the prescale is " + std::string(view(value)) + "; a largest magnitude is positive.", value);
  }

  void parse_workspace(TextRange value) {
    note("max_workspace", value);
    if (view(value) == "one") {
      problem_.max_workspace = kOneTransform;
      return;
    }
    problem_.max_workspace = read_integer(value, "max_workspace", read_size);
    if (problem_.max_workspace < 1) {
      fail("max_workspace", "max_workspace is " + std::string(view(value)) + "; it is 'one', or bytes, at least 1.", value);
    }
  }

  void parse_strides(std::string_view key, TextRange value) {
    const std::vector<TextRange> parts = split(value, ',');
    const bool for_batch = key == "batch_strides";
    std::vector<Dimension>& dims = for_batch ? problem_.batch : problem_.dims;
    const std::size_t expected = for_batch ? 2 * dims.size() : dims.size();
    if (expected == 0)
      fail("batch_strides", "batch_strides needs batch dimensions, e.g. '256*8 f32 batch_strides=300,300'.", value);
    if (parts.size() != expected) {
      fail(std::string(key),
           std::string(key) + " has " + std::to_string(parts.size()) + " numbers, but needs " + std::to_string(expected) +
               (for_batch ? ": the in strides of all batch dimensions, then their out strides." : ": one per length."),
           value);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool out = for_batch ? i >= dims.size() : key == "out_strides";
      const std::size_t axis = for_batch ? i % dims.size() : i;
      const std::string field = indexed((for_batch ? "batch_" : std::string()) + (out ? "out_strides" : "in_strides"), axis);
      (out ? dims[axis].out_stride : dims[axis].in_stride) = read_integer(parts[i], field);
      note(field, parts[i]);
    }
  }

  std::string_view text_;
  std::vector<TextRange> words_;
  std::vector<std::string_view> seen_;
  std::vector<std::pair<std::string, TextRange>> fields_;
  std::vector<std::pair<std::string_view, TextRange>> strides_;  // words of strides, read after all others
  Problem problem_;
};

std::string joined_lengths(const std::vector<Dimension>& dims) {
  std::string text;
  for (const Dimension& dim : dims) text += (text.empty() ? "" : "x") + std::to_string(dim.length);
  return text;
}

void append_strides(std::string& text, const std::vector<Dimension>& dims, std::int64_t Dimension::*stride) {
  for (const Dimension& dim : dims) {
    if (!text.empty() && text.back() != '=') text += ',';
    text += std::to_string(dim.*stride);
  }
}

// in_strides, out_strides and batch_strides, each in full when any number in it is not the dense one.
std::string print_strides(const Problem& problem) {
  if (has_dense_strides(problem)) return "";
  Problem dense = problem;
  bool comparable = true;
  try {
    set_dense_strides(dense);
  } catch (const PlanError&) {
    comparable = false;
  }
  const auto differs = [&](const std::vector<Dimension>& given, const std::vector<Dimension>& from,
                           std::int64_t Dimension::*stride) {
    if (!comparable) return !given.empty();
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i].*stride != from[i].*stride) return true;
    }
    return false;
  };
  std::string text;
  const auto add = [&](std::string words) { text += " " + words; };
  if (differs(problem.dims, dense.dims, &Dimension::in_stride)) {
    std::string words = "in_strides=";
    append_strides(words, problem.dims, &Dimension::in_stride);
    add(words);
  }
  if (differs(problem.dims, dense.dims, &Dimension::out_stride)) {
    std::string words = "out_strides=";
    append_strides(words, problem.dims, &Dimension::out_stride);
    add(words);
  }
  if (differs(problem.batch, dense.batch, &Dimension::in_stride) || differs(problem.batch, dense.batch, &Dimension::out_stride)) {
    std::string words = "batch_strides=";
    append_strides(words, problem.batch, &Dimension::in_stride);
    append_strides(words, problem.batch, &Dimension::out_stride);
    add(words);
  }
  return text;
}

std::string print_scale(const Problem& problem) {
  switch (problem.scale_kind) {
    case ScaleKind::kOrtho: return " scale=ortho";
    case ScaleKind::kByN: return " scale=1/n";
    case ScaleKind::kValue: return " scale=" + print_double(problem.scale_value);
    case ScaleKind::kNone: break;
  }
  return "";
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
  std::string text;
  if (problem.kind != Kind::kC2C) text += std::string(name_of(problem.kind)) + " ";
  text += joined_lengths(problem.dims);
  if (!problem.batch.empty()) text += "*" + joined_lengths(problem.batch);
  text += " " + problem.storage_in;
  if (problem.storage_out != problem.storage_in) text += "->" + problem.storage_out;
  for (std::size_t d = 0; d < problem.kinds.size(); ++d) text += (d == 0 ? " kinds=" : ",") + std::string(name_of(problem.kinds[d]));
  if (problem.direction == Direction::kBackward) text += " inverse";
  if (problem.centered) text += " centered";
  text += print_scale(problem);
  if (problem.max_error != 0.0) text += " max_error=" + print_double(problem.max_error);
  if (!problem.scheme.empty()) text += " scheme=" + problem.scheme;
  if (!problem.backend.empty()) text += " backend=" + problem.backend;
  if (problem.threads > 1) text += " threads=" + std::to_string(problem.threads);
  if (problem.placement == Placement::kInPlace) text += " inplace";
  if (problem.layout == ArrayLayout::kSplit) text += " split";
  if (problem.destroy_input) text += " destroy_input";
  text += print_strides(problem);
  if (!problem.intermediate.empty()) text += " intermediate=" + problem.intermediate;
  if (!problem.chain.empty()) text += " chain=" + problem.chain;
  if (problem.prescale_kind != PrescaleKind::kNone) {
    text += " prescale=" + (problem.prescale_kind == PrescaleKind::kAmax ? "amax" : print_double(problem.prescale_target));
  }
  if (problem.max_workspace != 0) {
    text += " max_workspace=" + (problem.max_workspace == kOneTransform ? "one" : std::to_string(problem.max_workspace));
  }
  if (text.size() > kMaxProblemText) {
    throw PlanError(ULPFFT_UNSUPPORTED, "problem",
                    "The problem would have a text of " + std::to_string(text.size()) + " bytes, but at most " +
                        std::to_string(kMaxProblemText) + " are possible. Join batch dimensions, or use dense strides.");
  }
  return text;
}

std::string problem_key(const Problem& problem) {
  Problem key = problem;
  key.direction = Direction::kForward;
  if (!has_weights(problem)) key.scale_kind = ScaleKind::kNone;
  key.scale_value = 1.0;
  key.destroy_input = works_in_input(problem);
  return print_problem(key);
}

}  // namespace ulpfft

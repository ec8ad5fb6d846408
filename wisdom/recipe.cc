// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/recipe.h"

#include <algorithm>
#include <array>
#include <utility>

#include "wisdom/error.h"
#include "wisdom/storage_names.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

using NodeKind = Node::Kind;

struct KindName {
  std::string_view word;  // with its opening bracket
  NodeKind kind;
};

constexpr std::array<KindName, 9> kKindNames = {{{"dit(", NodeKind::kDit},
                                                  {"four(", NodeKind::kFour},
                                                  {"cols(", NodeKind::kCols},
                                                  {"rank(", NodeKind::kRank},
                                                  {"rader(", NodeKind::kRader},
                                                  {"bluestein(", NodeKind::kBluestein},
                                                  {"real(", NodeKind::kReal},
                                                  {"r2r(", NodeKind::kR2R},
                                                  {"chain(", NodeKind::kChain}}};
constexpr std::array<std::string_view, 10> kKindWords = {"n",     "dit",       "four", "cols", "rank",
                                                         "rader", "bluestein", "real", "r2r",  "chain"};
constexpr std::array<TwiddleForm, 4> kForms = {TwiddleForm::kDualSelect, TwiddleForm::kChained, TwiddleForm::kLinzerFeig,
                                               TwiddleForm::kCosine};
constexpr std::array<std::string_view, 4> kFormWords = {"ds", "ch", "lf", "cos"};
constexpr std::array<std::string_view, 2> kOps = {"mul", "user"};
constexpr std::size_t kReservedRanks = 8;  // a problem has no more lengths

bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_'; }

// Recursive descent, one character of look-ahead; every byte is accounted for, so text and value are a bijection.
class RecipeParser {
 public:
  explicit RecipeParser(std::string_view text) : text_(text) {}

  Recipe parse() {
    if (text_.size() > kMaxRecipeText) {
      fail("The recipe has " + std::to_string(text_.size()) + " bytes; at most " + std::to_string(kMaxRecipeText) +
               " are possible.",
           kMaxRecipeText, text_.size());
    }
    // A scheme may hold colons itself; the node behind the last one before a bracket does not, up to its first pass.
    const std::size_t bracket = std::min(text_.find('('), text_.size());
    const std::size_t colon = text_.substr(0, bracket).rfind(':');
    if (colon == std::string_view::npos) {
      fail("A recipe begins with its scheme and a colon, e.g. f32:dit(16 8 8).", 0, std::min(bracket, text_.size()));
    }
    Recipe recipe;
    recipe.scheme = text_.substr(0, colon);
    if (!is_scheme_name(recipe.scheme)) fail(no_scheme_name(recipe.scheme), 0, colon);
    recipe.scheme = canonical_scheme(recipe.scheme);
    at_ = colon + 1;
    recipe.root = parse_node(1);
    if (at_ < text_.size()) fail("Nothing may follow the recipe, found " + in_quotes(text_.substr(at_)) + ".", at_, text_.size());
    return recipe;
  }

 private:
  [[noreturn]] static void fail(std::string message, std::size_t begin, std::size_t end) {
    throw PlanError(ULPFFT_INVALID_TEXT, "recipe", std::move(message), begin, end);
  }

  // The word (or single character) at a position, for messages.
  std::size_t word_end(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return end == begin ? std::min(begin + 1, text_.size()) : end;
  }

  [[noreturn]] void fail_expected(std::string_view expected) const {
    const std::size_t end = word_end(at_);
    const std::string found = at_ == text_.size() ? "the end of the recipe" : in_quotes(text_.substr(at_, end - at_));
    fail("Expected " + std::string(expected) + ", found " + found + ".", at_, end);
  }

  // A node asks for every kind: most words differ in their first letter.
  bool accept(std::string_view token) {
    if (at_ < text_.size() && text_[at_] != token.front()) return false;
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token, std::string_view expected) {
    if (!accept(token)) fail_expected(expected);
  }
  void expect_separator() { expect("; ", "'; ' and the next part"); }
  void expect_close() { expect(")", "')'"); }

  std::int64_t parse_integer(std::string_view what, std::int64_t smallest = 1) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == begin) fail_expected(what);
    const std::string_view digits = text_.substr(begin, at_ - begin);
    std::int64_t value = 0;
    if (read_int64(digits, value) != NumberState::kOk) fail(in_quotes(digits) + " does not fit in 64 bits.", begin, at_);
    if (digits.size() > 1 && digits.front() == '0') fail(in_quotes(digits) + " has leading zeros.", begin, at_);
    if (value < smallest)
      fail(in_quotes(digits) + " is too small for " + std::string(what) + ": " + std::to_string(smallest) + " or more.", begin, at_);
    return value;
  }

  void parse_panel(Node& node) {
    expect("p", "a panel such as p64");
    node.panel = parse_integer("the columns of a panel");
    node.stream = accept(" stream");
  }

  std::string parse_format() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == ':')) ++at_;
    std::string format(text_.substr(begin, at_ - begin));
    if (!is_format_name(format)) {
      at_ = begin;
      fail_expected("a format name after '|'");
    }
    return format;
  }

  Node parse_node(int depth) {
    if (depth > kMaxRecipeDepth) {
      fail("The recipe nests deeper than " + std::to_string(kMaxRecipeDepth) + " nodes.", at_, word_end(at_));
    }
    Node node;
    for (const KindName& name : kKindNames) {
      if (!accept(name.word)) continue;
      node.kind = name.kind;
      parse_parts(node, depth);
      expect_close();
      return node;
    }
    if (at_ + 1 < text_.size() && text_[at_] == 'n' && is_digit(text_[at_ + 1])) {
      ++at_;
      node.n = parse_integer("the length of a codelet");
      return node;
    }
    fail_unknown_node();
  }

  [[noreturn]] void fail_unknown_node() const {
    const std::size_t end = word_end(at_);
    const std::string_view word = text_.substr(at_, end - at_);
    for (const KindName& name : kKindNames) {
      if (word == name.word.substr(0, name.word.size() - 1))
        fail(in_quotes(word) + " needs its parts in brackets: " + std::string(name.word) + "...).", at_, end);
    }
    const std::string found = word.empty() ? "the end of the recipe" : in_quotes(word);
    fail("Expected a node, found " + found +
             ". Possible are n8 (a length), dit(...), four(...), cols(...), rank(...), "
             "rader(...), bluestein(...), real(...), r2r(...) and chain(...)." +
             (word.empty() ? "" : did_you_mean(word, kKindWords)),
         at_, end);
  }

  void parse_parts(Node& node, int depth) {
    const auto child = [&] { node.children.push_back(parse_node(depth + 1)); };
    switch (node.kind) {
      case NodeKind::kN: break;
      case NodeKind::kDit: parse_passes(node); break;
      case NodeKind::kFour:
        node.n = parse_integer("the first factor");
        expect("x", "'x' and the second factor");
        node.m = parse_integer("the second factor");
        expect(" ", "a space and a panel such as p64");
        parse_panel(node);
        if (accept(" |")) node.format = parse_format();
        expect_separator();
        child();
        expect_separator();
        child();
        break;
      case NodeKind::kCols:
        parse_panel(node);
        expect_separator();
        child();
        break;
      case NodeKind::kRank:
        if (accept("|")) {
          node.format = parse_format();
          expect_separator();
        }
        node.children.reserve(kReservedRanks);
        child();
        while (accept("; ")) {
          if (node.children.size() == kMaxNodeParts)
            fail("A node has at most " + std::to_string(kMaxNodeParts) + " children.", at_, word_end(at_));
          child();
        }
        break;
      case NodeKind::kRader:
        node.n = parse_integer("a prime length");
        expect_separator();
        child();
        break;
      case NodeKind::kBluestein:
        node.n = parse_integer("a length");
        expect_separator();
        node.m = parse_integer("the padded length");
        expect_separator();
        child();
        break;
      case NodeKind::kReal:
        parse_count_of_reals(node);
        expect_separator();
        child();
        break;
      case NodeKind::kR2R:
        node.n = parse_integer("a count of reals");
        expect_separator();
        child();
        break;
      case NodeKind::kChain:
        child();
        expect_separator();
        parse_op(node);
        expect_separator();
        child();
        break;
    }
  }

  // 1125, or 9x125 in rows.
  void parse_count_of_reals(Node& node) {
    const std::size_t begin = at_;
    node.n = parse_integer("a count of reals");
    if (!accept("x")) return;
    node.m = parse_integer("the length of a row");
    if (__builtin_mul_overflow(node.n, node.m, &node.n)) fail("The count of reals does not fit in 64 bits.", begin, at_);
  }

  void parse_op(Node& node) {
    const std::size_t end = word_end(at_);
    const std::string_view word = text_.substr(at_, end - at_);
    if (std::find(kOps.begin(), kOps.end(), word) == kOps.end()) fail_expected("an operation, " + one_of(kOps));
    node.op = word;
    at_ = end;
  }

  void parse_passes(Node& node) {
    std::string format;
    node.passes.push_back(parse_pass(format));
    while (accept(" ")) {
      if (node.kind == NodeKind::kDit && parse_flags(node)) return;
      if (node.passes.size() == kMaxNodeParts)
        fail("A node has at most " + std::to_string(kMaxNodeParts) + " passes.", at_, word_end(at_));
      const bool starts_group = accept("/");
      if (starts_group) expect(" ", "a space and a radix after '/'");
      node.passes.push_back(parse_pass(format));
      node.passes.back().starts_group = starts_group;
    }
  }

  // Words behind the passes, in this order.
  bool parse_flags(Node& node) {
    bool any = false;
    for (const auto& [word, flag] : {std::pair{" stream", &node.stream}, std::pair{" decode", &node.decode}, std::pair{" encode", &node.encode}}) {
      if (!accept(any ? word : word + 1)) continue;
      any = *flag = true;
    }
    return any;
  }

  // `last`: the storage named before in this node.
  PassSpec parse_pass(std::string& last) {
    PassSpec pass;
    pass.radix = parse_integer("a radix", 2);
    if (accept(":")) {
      const std::size_t end = word_end(at_);
      const std::string_view word = text_.substr(at_, end - at_);
      const auto found = std::find(kFormWords.begin(), kFormWords.end(), word);
      if (found == kFormWords.end()) fail_expected("a twiddle form, " + one_of(kFormWords));
      pass.form = kForms[static_cast<std::size_t>(found - kFormWords.begin())];
      at_ = end;
    }
    if (accept("|")) {
      const std::size_t begin = at_;
      const bool same = !last.empty() && (at_ == text_.size() || !(is_word(text_[at_]) || text_[at_] == ':'));
      pass.format = same ? last : parse_format();
      if (!same && pass.format == last) fail("The storage is the one named before: a bare '|' says so.", begin, at_);
      last = pass.format;
    }
    return pass;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void append_node(std::string& text, const Node& node, int depth) {
  if (depth > kMaxRecipeDepth) throw PlanError(ULPFFT_INTERNAL, "recipe", "A recipe value nests deeper than its text may.");
  if (node.kind == NodeKind::kN) {
    text += "n" + std::to_string(node.n);
    return;
  }
  for (const KindName& name : kKindNames) {
    if (name.kind == node.kind) text += name.word;
  }
  bool first = true;
  const auto part = [&](const std::string& words) {
    if (!first) text += "; ";
    first = false;
    text += words;
  };
  const std::string stream = node.stream ? " stream" : "";
  const std::string stored = node.format.empty() ? "" : "|" + node.format;
  switch (node.kind) {
    case NodeKind::kFour:
      part(std::to_string(node.n) + "x" + std::to_string(node.m) + " p" + std::to_string(node.panel) + stream + (stored.empty() ? "" : " " + stored));
      break;
    case NodeKind::kRank:
      if (!stored.empty()) part(stored);
      break;
    case NodeKind::kReal:
      part(node.m == 0 ? std::to_string(node.n) : std::to_string(node.n / node.m) + "x" + std::to_string(node.m));
      break;
    case NodeKind::kR2R:
    case NodeKind::kRader: part(std::to_string(node.n)); break;
    case NodeKind::kCols: part("p" + std::to_string(node.panel) + stream); break;
    case NodeKind::kBluestein: part(std::to_string(node.n) + "; " + std::to_string(node.m)); break;
    default: break;
  }
  std::string_view last;
  for (const PassSpec& pass : node.passes) {
    if (!first) text += pass.starts_group ? " / " : " ";
    first = false;
    text += std::to_string(pass.radix);
    const std::string_view suffix = twiddle_suffix(pass.form);
    if (!suffix.empty()) text += ":" + std::string(suffix);
    if (pass.format.empty()) continue;
    text += "|";
    if (pass.format != last) text += pass.format;
    last = pass.format;
  }
  if (node.kind == NodeKind::kDit) text += stream + (node.decode ? " decode" : "") + (node.encode ? " encode" : "");
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i == 1 && node.kind == NodeKind::kChain) part(node.op);
    part("");
    append_node(text, node.children[i], depth + 1);
  }
  text += ")";
}

std::string text_of(const Recipe& recipe) {
  std::string text = recipe.scheme + ":";
  append_node(text, recipe.root, 1);
  return text;
}

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", "The length of the recipe exceeds 64 bits.");
  }
  return product;
}

}  // namespace

Recipe parse_recipe(std::string_view text) { return RecipeParser(text).parse(); }

std::size_t recipe_text_bytes(const Recipe& recipe) { return text_of(recipe).size(); }

std::string print_recipe(const Recipe& recipe) {
  const std::string text = text_of(recipe);
  if (text.size() > kMaxRecipeText) {
    throw PlanError(ULPFFT_UNSUPPORTED, "recipe",
                    "The recipe would have a text of " + std::to_string(text.size()) + " bytes, but at most " +
                        std::to_string(kMaxRecipeText) + " are possible.");
  }
  // Parsing back is a few microseconds and holds the promise above for every value a strategy may build, e.g. fields that
  // belong to another kind of node.
  bool same = false;
  try {
    same = parse_recipe(text) == recipe;
  } catch (const PlanError&) {
  }
  if (!same)
    throw PlanError(ULPFFT_INTERNAL, "recipe", "A recipe value has no text of its own; printed it is " + in_quotes(text) + ".");
  return text;
}

std::vector<std::string> intermediate_formats(const Node& node) {
  std::vector<std::string> formats;
  const auto add = [&](const std::string& format) {
    if (!format.empty() && std::find(formats.begin(), formats.end(), format) == formats.end()) formats.push_back(format);
  };
  const auto walk = [&](const auto& self, const Node& at) -> void {
    add(at.format);
    for (const PassSpec& pass : at.passes) add(pass.format);
    for (const Node& child : at.children) self(self, child);
  };
  walk(walk, node);
  return formats;
}

std::int64_t node_length(const Node& node) {
  std::int64_t length = 1;
  switch (node.kind) {
    case NodeKind::kN:
    case NodeKind::kReal:
    case NodeKind::kR2R:
    case NodeKind::kRader:
    case NodeKind::kBluestein: return node.n;
    case NodeKind::kDit:
      for (const PassSpec& pass : node.passes) length = multiply(length, pass.radix);
      return length;
    case NodeKind::kFour: return multiply(node.n, node.m);
    case NodeKind::kRank:
      for (const Node& child : node.children) length = multiply(length, node_length(child));
      return length;
    case NodeKind::kCols:
    case NodeKind::kChain: return node.children.empty() ? 1 : node_length(node.children.front());
  }
  return length;
}

}  // namespace ulpfft

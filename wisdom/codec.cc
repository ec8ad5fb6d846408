// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/codec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {
namespace {

constexpr int kSchema = 1;  // of the file
constexpr const char* kSchemaName = "ulpfft_wisdom";
constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxFields = 64;    // of a row
constexpr std::size_t kMaxName = 64;
// Of a row alone: every field at its limits, each byte of a string escaped.
constexpr std::size_t kMaxRowBytes = kMaxFields * (kMaxName + kMaxWisdomString + 1) * 6;

struct Scalar {
  enum class Kind : std::uint8_t { kNull, kBool, kInteger, kFloat, kString };
  Kind kind = Kind::kNull;
  std::int64_t integer = 0;  // kInteger, kBool
  double number = 0;         // kInteger, kFloat
  std::string text;          // kString; kFloat: exact digits of a whole number beyond int64, else empty
};

struct Field {
  std::string name;
  Scalar value;
};

std::string quote_json(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// JSON reads "-0" as the integer 0.
std::string print_number(double value) { return value == 0 && std::signbit(value) ? "-0.0" : print_double(value); }

std::string print_scalar(const Scalar& value) {
  switch (value.kind) {
    case Scalar::Kind::kNull: return "null";
    case Scalar::Kind::kBool: return value.integer != 0 ? "true" : "false";
    case Scalar::Kind::kInteger: return std::to_string(value.integer);
    case Scalar::Kind::kFloat: return value.text.empty() ? print_number(value.number) : value.text;
    case Scalar::Kind::kString: break;
  }
  return quote_json(value.text);
}

std::string print_row(const std::vector<UnknownField>& fields) {
  std::string row = "{";
  for (const auto& [name, value] : fields) row += (row.size() > 1 ? ", " : "") + quote_json(name) + ": " + value;
  return row + "}";
}

// ---- One row -> entry ------------------------------------------------------------------------------------------------

// Why a field does not fit, or empty.
using Reader = std::string (*)(Entry&, const Scalar&);

std::string read_text(const Scalar& value, std::string& to) {
  if (value.kind != Scalar::Kind::kString) return "is not a string.";
  to = value.text;
  return "";
}

std::string read_number(const Scalar& value, double& to) {
  if (value.kind != Scalar::Kind::kFloat && value.kind != Scalar::Kind::kInteger) return "is not a number.";
  if (!(value.number >= 0)) return "is negative.";
  to = value.number + 0.0;  // -0 becomes 0
  return "";
}

std::string read_digest(Entry& entry, const Scalar& value) {
  const std::string& text = value.text;
  const bool hex =
      value.kind == Scalar::Kind::kString && text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hex) return "is not a string of 16 digits 0-9 and a-f.";
  std::from_chars(text.data(), text.data() + text.size(), entry.digest, 16);
  return "";
}

std::string read_threads(Entry& entry, const Scalar& value) {
  if (value.kind != Scalar::Kind::kInteger) return "is not a whole number.";
  if (value.integer < 1 || value.integer > kMaxEntryThreads)
    return "is not within 1 to " + std::to_string(kMaxEntryThreads) + ".";
  entry.threads = static_cast<int>(value.integer);
  return "";
}

struct KnownField {
  std::string_view name;
  bool required;
  Reader read;
};

// In the order they are written.
constexpr std::array<KnownField, 12> kKnownFields = {{
    {"problem", true, [](Entry& e, const Scalar& v) { return read_text(v, e.problem_key); }},
    {"machine", true, [](Entry& e, const Scalar& v) { return read_text(v, e.machine); }},
    {"threads", false, read_threads},
    {"recipe", true, [](Entry& e, const Scalar& v) { return read_text(v, e.recipe); }},
    {"digest", true, read_digest},
    {"seconds", false, [](Entry& e, const Scalar& v) { return read_number(v, e.seconds); }},
    {"spread", false, [](Entry& e, const Scalar& v) { return read_number(v, e.spread); }},
    {"error", false, [](Entry& e, const Scalar& v) { return read_number(v, e.error); }},
    {"error_level", false, [](Entry& e, const Scalar& v) { return read_text(v, e.error_level); }},
    {"effort", true, [](Entry& e, const Scalar& v) { return read_text(v, e.effort); }},
    {"version", false, [](Entry& e, const Scalar& v) { return read_text(v, e.library_version); }},
    {"codelets", false, [](Entry& e, const Scalar& v) { return read_text(v, e.codelets); }},
}};

const Field* field_named(const std::vector<Field>& row, std::string_view name) {
  const auto found = std::find_if(row.begin(), row.end(), [&](const Field& field) { return field.name == name; });
  return found == row.end() ? nullptr : &*found;
}

// The reason it is malformed, or empty.
std::string read_entry(const std::vector<Field>& row, Entry& entry) {
  for (const KnownField& known : kKnownFields) {
    const Field* field = field_named(row, known.name);
    if (field == nullptr) {
      if (known.required) return std::string(known.name) + " is missing.";
      continue;
    }
    const std::string fault = known.read(entry, field->value);
    if (!fault.empty()) return std::string(known.name) + " " + fault;
  }
  for (const Field& field : row) {
    const bool known =
        std::any_of(kKnownFields.begin(), kKnownFields.end(), [&](const KnownField& k) { return k.name == field.name; });
    if (!known && field.name != "schema") entry.unknown.emplace_back(field.name, print_scalar(field.value));
  }
  std::sort(entry.unknown.begin(), entry.unknown.end());
  return entry_fault(entry);
}

std::vector<UnknownField> packed(const std::vector<Field>& row) {
  std::vector<UnknownField> fields;
  for (const Field& field : row) fields.emplace_back(field.name, print_scalar(field.value));
  return fields;
}

// ---- The text, event by event ------------------------------------------------------------------------------------------

// Tells how far the JSON reader has read, which its events do not.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *furthest_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_ = nullptr;
  const char** furthest_ = nullptr;
};

// All scalars as one event. An event returns false to stop; the reason is then in `fault`.
class ScalarEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string fault;
  std::size_t fault_at = 0;

  bool null() final { return scalar({}); }
  bool boolean(bool value) final { return scalar({Scalar::Kind::kBool, value ? 1 : 0, 0, {}}); }
  bool number_integer(std::int64_t value) final { return scalar({Scalar::Kind::kInteger, value, static_cast<double>(value), {}}); }
  bool number_unsigned(std::uint64_t value) final {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) return number_integer(static_cast<std::int64_t>(value));
    return scalar({Scalar::Kind::kFloat, 0, static_cast<double>(value), std::to_string(value)});
  }
  bool number_float(double value, const std::string& /*token: in the reader's locale*/) final {
    return scalar({Scalar::Kind::kFloat, 0, value, {}});
  }
  bool string(std::string& value) final { return scalar({Scalar::Kind::kString, 0, 0, std::move(value)}); }
  bool binary(nlohmann::json::binary_t& /*value*/) final {
    fault = "A binary value stands in it.";
    return false;
  }
  bool parse_error(std::size_t at, const std::string& /*token*/, const nlohmann::detail::exception& error) final {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..." may quote bytes of the text.
    std::string_view reason = error.what();
    reason.remove_prefix(std::min(reason.find("] ") + 2, reason.size()));
    std::string shown;
    for (const char c : reason.substr(0, 200)) shown += c >= 0x20 && c <= 0x7e ? c : '?';
    fault = "It is not valid JSON: " + shown + ".";
    fault_at = at > 0 ? at - 1 : 0;
    return false;
  }

 protected:
  virtual bool scalar(Scalar value) = 0;
};

bool is_sound_name(std::string_view name) { return !name.empty() && name.size() <= kMaxName && is_printable(name); }
bool is_sound_text(std::string_view text) { return text.size() <= kMaxWisdomString && is_printable(text); }

// The members of one flat object, in their order; after a fault the rest is passed over.
struct Row {
  std::vector<Field> fields;
  std::string fault;

  void add_name(std::string& name) {
    if (!fault.empty()) return;
    if (!is_sound_name(name)) {
      fault = "the name " + in_quotes(name) + " is not 1 to 64 bytes of printable ASCII.";
    } else if (field_named(fields, name) != nullptr) {
      fault = name + " stands twice.";
    } else if (fields.size() == kMaxFields) {
      fault = "there are more than " + std::to_string(kMaxFields) + " fields.";
    } else {
      fields.push_back({std::move(name), {}});
    }
  }
  void add_value(Scalar value) {
    if (!fault.empty()) return;
    if (value.kind == Scalar::Kind::kString && !is_sound_text(value.text)) {
      fault = fields.back().name + " is not up to 256 bytes of printable ASCII.";
    } else {
      fields.back().value = std::move(value);
    }
  }
};

// One row alone.
class RowHandler final : public ScalarEvents {
 public:
  Row row;

  bool start_object(std::size_t /*size*/) override { return ++depth_ == 1 || stop(); }
  bool start_array(std::size_t /*size*/) override { return stop(); }
  bool end_object() override { return true; }
  bool end_array() override { return true; }
  bool key(std::string& name) override {
    row.add_name(name);
    return true;
  }

 private:
  bool stop() {
    fault = "A row holds numbers and texts only.";
    return false;
  }
  bool scalar(Scalar value) override {
    if (depth_ != 1) return stop();
    row.add_value(std::move(value));
    return true;
  }
  int depth_ = 0;
};

// A whole text.
class Handler final : public ScalarEvents {
 public:
  Handler(std::string_view text, ImportReport& report) : read_(text.data()), text_(text), report_(report) {}

  const char* read_;  // end of what the JSON reader has consumed

  Document take() { return std::move(document_); }
  bool has_schema() const { return has_schema_; }

  bool start_object(std::size_t /*size*/) override {
    if (++depth_ > kMaxDepth) return fail_depth();
    if (depth_ == 1) return true;
    if (depth_ == 2) return fail(in_quotes(top_) + " is an object; only scalars and arrays of flat objects may stand there.");
    if (++rows_ > kMaxWisdomRows) return fail("There are more than " + std::to_string(kMaxWisdomRows) + " rows.");
    row_ = {};
    row_at_ = position() - 1;
    return true;
  }

  bool start_array(std::size_t /*size*/) override {
    if (++depth_ > kMaxDepth) return fail_depth();
    if (depth_ != 2) return fail("An array stands where wisdom has none.");
    if (top_ == kSchemaName) return fail_schema();
    table_rows_ = 0;
    if (top_ != "plans") document_.tables[top_];  // an empty table is kept, too
    return true;
  }

  bool key(std::string& name) override {
    if (depth_ != 1) {
      row_.add_name(name);
      return true;
    }
    if (!is_sound_name(name)) return fail("The name " + in_quotes(name) + " is not 1 to 64 bytes of printable ASCII.");
    if (!top_names_.insert(name).second) return fail("The name " + in_quotes(name) + " stands twice.");
    if (top_names_.size() > kMaxWisdomNames)
      return fail("There are more than " + std::to_string(kMaxWisdomNames) + " names at the top level.");
    top_ = name;
    return true;
  }

  bool end_object() override {
    if (depth_-- == kMaxDepth) end_row();
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

 private:
  std::size_t position() const { return static_cast<std::size_t>(read_ - text_.data()); }

  bool fail(std::string sentence) {
    fault = std::move(sentence);
    fault_at = position() > 0 ? position() - 1 : 0;
    return false;
  }
  bool fail_depth() { return fail("It nests deeper than " + std::to_string(kMaxDepth) + " levels."); }
  bool fail_schema() {
    return fail(std::string(kSchemaName) + " is not a schema number; this version reads " + std::to_string(kSchema) + ".");
  }

  bool scalar(Scalar value) override {
    if (depth_ == kMaxDepth) {
      row_.add_value(std::move(value));
      return true;
    }
    if (depth_ != 1) return fail("A plain value stands where wisdom has none.");
    if (top_ == kSchemaName) {
      if (value.kind != Scalar::Kind::kInteger || value.integer < 1) return fail_schema();
      if (value.integer > kSchema) {
        return fail("Its schema is " + std::to_string(value.integer) + ", but this version reads up to " +
                    std::to_string(kSchema) + ".");
      }
      has_schema_ = true;
      return true;
    }
    if (top_ == "plans") return fail("plans is not an array.");
    if (value.kind == Scalar::Kind::kString && !is_sound_text(value.text))
      return fail(in_quotes(top_) + " is not up to 256 bytes of printable ASCII.");
    document_.values[top_] = print_scalar(value);
    return true;
  }

  void end_row() {
    const std::string which = top_ + "[" + std::to_string(table_rows_++) + "] at byte " + std::to_string(row_at_);
    if (!row_.fault.empty()) return report_.add_malformed(which, row_.fault);
    if (top_ != "plans") {
      document_.tables[top_].push_back(print_row(packed(row_.fields)));
      return;
    }
    if (const Field* schema = field_named(row_.fields, "schema")) {
      if (schema->value.kind != Scalar::Kind::kInteger || schema->value.integer < 1)
        return report_.add_malformed(which, "schema is not a schema number.");
      if (schema->value.integer > newest_entry_schema()) {
        document_.newer_plans.push_back(print_row(packed(row_.fields)));
        return;
      }
    }
    Entry entry;
    const std::string fault_of_row = read_entry(row_.fields, entry);
    if (!fault_of_row.empty()) return report_.add_malformed(which, fault_of_row);
    document_.plans.push_back(std::move(entry));
  }

  std::string_view text_;
  ImportReport& report_;
  Document document_;
  bool has_schema_ = false;
  int depth_ = 0;
  std::string top_;  // name at the top level
  std::set<std::string> top_names_;
  std::size_t rows_ = 0;  // of all tables
  std::size_t table_rows_ = 0;
  Row row_;
  std::size_t row_at_ = 0;
};

[[noreturn]] void refuse(const std::string& sentence, std::size_t at, std::size_t size) {
  throw PlanError(ULPFFT_INVALID_TEXT, "wisdom",
                  "The text is not wisdom, at byte " + std::to_string(at) + " of " + std::to_string(size) + ": " + sentence,
                  std::min(at, size), std::min(at + 1, size));
}

std::string print_hex(std::uint64_t value) {
  char digits[17];
  for (int i = 15; i >= 0; --i, value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
  return {digits, 16};
}

std::string print_entry(const Entry& entry) {
  std::vector<UnknownField> fields = {{"problem", quote_json(entry.problem_key)},      {"machine", quote_json(entry.machine)},
                                      {"threads", std::to_string(entry.threads)},      {"recipe", quote_json(entry.recipe)},
                                      {"digest", quote_json(print_hex(entry.digest))}, {"seconds", print_double(entry.seconds)},
                                      {"spread", print_double(entry.spread)},          {"error", print_double(entry.error)},
                                      {"error_level", quote_json(entry.error_level)},  {"effort", quote_json(entry.effort)},
                                      {"version", quote_json(entry.library_version)}};
  if (const int schema = entry_schema(entry); schema > 1) fields.emplace(fields.begin(), "schema", std::to_string(schema));
  if (!entry.codelets.empty()) fields.emplace_back("codelets", quote_json(entry.codelets));
  fields.insert(fields.end(), entry.unknown.begin(), entry.unknown.end());
  return print_row(fields);
}

void append_table(std::string& text, const std::string& name, const std::vector<std::string>& rows) {
  text += ",\n" + quote_json(name) + ": [";
  for (std::size_t i = 0; i < rows.size(); ++i) text += (i > 0 ? ",\n" : "\n") + rows[i];
  text += rows.empty() ? "]" : "\n]";
}

}  // namespace

Document decode_wisdom(std::string_view text, ImportReport& report) {
  if (text.size() > kMaxWisdomBytes)
    refuse("It is larger than " + std::to_string(kMaxWisdomBytes) + " bytes.", kMaxWisdomBytes, text.size());
  // The JSON reader skips a byte order mark and takes a NUL byte for the end of the text.
  if (text.substr(0, 3) == "\xef\xbb\xbf") refuse("It begins with a byte order mark.", 0, text.size());
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) refuse("It holds a NUL byte.", nul, text.size());

  ImportReport rows = report;  // the caller's report changes only when the text is wisdom
  Handler handler(text, rows);
  bool complete = false;
  try {
    const CountingIterator begin(text.data(), &handler.read_);
    const CountingIterator end(text.data() + text.size(), &handler.read_);
    complete = nlohmann::json::sax_parse(begin, end, &handler);
  } catch (const nlohmann::json::exception& error) {
    refuse(std::string("It is not valid JSON: ") + in_quotes(error.what()) + ".", 0, text.size());
  }
  if (!complete) refuse(handler.fault, handler.fault_at, text.size());
  if (!handler.has_schema()) refuse(std::string(kSchemaName) + " is missing.", 0, text.size());
  report = std::move(rows);
  return handler.take();
}

std::string encode_wisdom(const Document& document) {
  std::vector<const Entry*> plans;
  for (const Entry& entry : document.plans) plans.push_back(&entry);
  std::sort(plans.begin(), plans.end(), [](const Entry* a, const Entry* b) {
    return std::tie(a->machine, a->problem_key, a->threads) < std::tie(b->machine, b->problem_key, b->threads);
  });
  std::vector<std::string> rows;
  for (const Entry* entry : plans) rows.push_back(print_entry(*entry));
  std::vector<std::string> newer = document.newer_plans;
  std::sort(newer.begin(), newer.end());
  rows.insert(rows.end(), newer.begin(), newer.end());

  std::size_t count = rows.size();
  std::string text = "{\n\"" + std::string(kSchemaName) + "\": " + std::to_string(kSchema);
  for (const auto& [name, value] : document.values) text += ",\n" + quote_json(name) + ": " + value;
  append_table(text, "plans", rows);
  for (const auto& [name, unsorted] : document.tables) {
    std::vector<std::string> table = unsorted;
    std::sort(table.begin(), table.end());
    append_table(text, name, table);
    count += table.size();
  }
  text += "\n}\n";
  if (count > kMaxWisdomRows || text.size() > kMaxWisdomBytes) {
    throw PlanError(ULPFFT_UNSUPPORTED, "wisdom",
                    "The wisdom has " + std::to_string(count) + " rows in " + std::to_string(text.size()) +
                        " bytes, more than could be read back. Forget some of it.");
  }
  return text;
}

bool is_table_name(std::string_view name) { return is_sound_name(name) && name != "plans" && name != kSchemaName; }

FlatRow parse_flat_row(std::string_view text) {
  const auto refuse_row = [&](const std::string& why) {
    throw PlanError(ULPFFT_INVALID_TEXT, "row", "The row " + in_quotes(text) + " is not a flat object: " + why);
  };
  if (text.size() > kMaxRowBytes) refuse_row("It is larger than " + std::to_string(kMaxRowBytes) + " bytes.");
  if (text.find('\0') != std::string_view::npos) refuse_row("It holds a NUL byte.");
  RowHandler handler;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &handler)) refuse_row(handler.fault);
  if (!handler.row.fault.empty()) refuse_row(handler.row.fault);
  FlatRow row;
  for (Field& field : handler.row.fields) {
    switch (field.value.kind) {
      case Scalar::Kind::kInteger:
      case Scalar::Kind::kFloat: row.emplace(std::move(field.name), field.value.number); break;
      case Scalar::Kind::kString: row.emplace(std::move(field.name), std::move(field.value.text)); break;
      case Scalar::Kind::kNull:
      case Scalar::Kind::kBool: break;
    }
  }
  return row;
}

std::string print_flat_row(const FlatRow& row) {
  const auto require = [](bool sound, const std::string& why) {
    if (!sound) throw PlanError(ULPFFT_INVALID_ARGUMENT, "row", "The row has no text: " + why);
  };
  require(row.size() <= kMaxFields, "there are more than " + std::to_string(kMaxFields) + " fields.");
  std::vector<UnknownField> fields;
  for (const auto& [name, value] : row) {
    require(is_sound_name(name), "the name " + in_quotes(name) + " is not 1 to 64 bytes of printable ASCII.");
    if (const double* number = std::get_if<double>(&value)) {
      require(std::isfinite(*number), name + " is not finite.");
      fields.emplace_back(name, print_number(*number));
    } else {
      const std::string& text = std::get<std::string>(value);
      require(is_sound_text(text), name + " is not up to 256 bytes of printable ASCII.");
      fields.emplace_back(name, quote_json(text));
    }
  }
  return print_row(fields);
}

}  // namespace ulpfft

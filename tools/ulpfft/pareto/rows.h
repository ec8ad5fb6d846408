// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What `ulpfft plan --pareto` compares: a problem in every scheme and every storage of the build, each timed and its error measured.
//
// Own rows     keep the storages the problem names: those its error limit may choose from. The others say what other arrays would give.
// Order        Own rows in the wide schemes, every storage in f32, in f64, then the rest. No row is begun that would end after the limit.
// Wide schemes are planned for every storage and timed alone, then by turns, all of them, on the same arrays, for as long as there is time.
//              Emulated ones, which an error limit never chooses, are planned once, and timed on fewer transforms, each alone.
// Between      of the problem's storages also every format between the passes, in both wide schemes, each alone where passes stay in the caches.
// Error        measured (sampled level) on at least 2^14 outputs, of complex normal data; of r2c and c2r the real numbers are normal. Where
//              there is an array to judge by, on that, and there are own rows alone.
// Families     of a problem with scheme=split there are the schemes of that family alone, in the problem's storages, with every recipe that
//              planning timed: other radices err differently.
#ifndef ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_
#define ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::pareto {

// A problem text in its parts.
struct ProblemParts {
  std::string kind = "c2c";
  std::string lengths;
  std::vector<std::int64_t> shape;  // of the lengths
  std::vector<std::int64_t> batch;
  std::string storage_in, storage_out;
  std::vector<std::string> words;  // the rest, without an error limit
  double max_error = 0;            // set by who took it out
  bool split = false;
  bool in_place = false;

  std::int64_t points() const;      // of one transform
  // Whether the numbers of a side are real, and its lengths: n/2 + 1 for the last one of a spectrum of n real numbers.
  bool is_real(bool output) const;
  bool is_r2r() const { return kind == "r2r"; }
  std::vector<std::int64_t> stored_shape(bool output) const;
  std::int64_t stored_points(bool output) const;
  std::int64_t transforms() const;
  // With these many transforms of the batch (or a few more, of several batch dimensions), at most all.
  std::vector<std::int64_t> fewer(std::int64_t transforms) const;
};
// `canonical`: as the library prints it.
ProblemParts read_parts(const std::string& canonical);
// UsageError, which shows the word at fault, where one of `given` begins with one of these names; also of words that say what is so anyway.
void refuse_words(const std::string& given, const std::vector<std::string>& names, const std::string& why);
std::string print_parts(const ProblemParts& parts, const std::string& in, const std::string& out, const std::string& scheme, const std::string& between,
                        const std::vector<std::int64_t>& batch);

struct Row {
  std::string scheme;
  std::string storage_in, storage_out;
  std::string between;            // storage between passes; "": that of the arithmetic
  bool own = false;
  bool emulated = false;
  std::string recipe;
  std::int64_t transforms = 0;    // timed
  double seconds = 0;             // of the whole problem
  double spread = 0;
  double bytes = 0;               // read and written of the arrays, per point, scales included
  double predicted = 0, error = 0;
  std::string reason;             // why there are no numbers; "" otherwise
  bool front = false;             // no other row is both as fast and as accurate
  bool own_front = false;         // no other own row is
  bool measured() const { return reason.empty(); }
  std::string storage() const { return storage_in == storage_out ? storage_in : storage_in + "->" + storage_out; }
};

// What max_error chooses.
struct Choice {
  double limit = 0;
  std::string recipe;       // "": refused
  double error = 0;
  std::string refusal;
  double over_fastest = 0;  // its time over that of the fastest own row that keeps the limit, by turns; 0: there is none
  std::string fastest;      // that row's recipe
};

struct Table {
  std::string problem;
  std::string machine;
  std::int64_t points = 0;      // of all transforms
  std::int64_t transforms = 0;  // the batch
  double max_error = 0;
  std::string family;       // that the rows are of; "": all
  double seconds = 0;       // that measuring took
  std::vector<Row> rows;    // by error, then time; refused ones last
  std::vector<Choice> choices;
};

struct Settings {
  std::vector<std::string> storages;  // empty: all
  std::string family;                 // kind of the schemes, "split"; empty: all
  double seconds = 55;                // rows that would not end by then are left out, and say so; the first one is always measured
  bool choices = false;
  const ulpfft_array* judge = nullptr;  // the input of the problem; null: random data
  std::function<void(double, std::string_view)> progress;
};

Table measure(ulpfft::Context& context, const ProblemParts& problem, const Settings& settings);

// Names of all storages of arrays that this build has.
std::vector<std::string> storage_names();

}  // namespace ulpfft_tool::pareto

#endif  // ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_

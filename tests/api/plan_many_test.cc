// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Batches by strides and distances: the same arguments give FFTW's results, and errors name the argument. Short forms of real transforms.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {


// ---- FFTW, which is loaded where it is installed

struct Fftw {
  using Dft = void* (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int sign, unsigned);
  using Real = void* (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, unsigned);
  using R2r = void* (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, const int*, unsigned);
  Dft dft = nullptr;
  Real r2c = nullptr, c2r = nullptr;
  R2r r2r = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;
};
constexpr unsigned kEstimate = 1U << 6;

template <typename F>
void find(void* library, const char* name, F& function) {
  void* const address = dlsym(library, name);
  std::memcpy(&function, &address, sizeof address);
}

const Fftw* fftw() {
  static const Fftw loaded = [] {
    Fftw found;
    if (void* const library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL)) {
      find(library, "fftw_plan_many_dft", found.dft);
      find(library, "fftw_plan_many_dft_r2c", found.r2c);
      find(library, "fftw_plan_many_dft_c2r", found.c2r);
      find(library, "fftw_plan_many_r2r", found.r2r);
      find(library, "fftw_execute", found.execute);
      find(library, "fftw_destroy_plan", found.destroy);
    }
    return found;
  }();
  return loaded.destroy != nullptr ? &loaded : nullptr;
}

// ---- random arguments

struct Side {
  std::vector<std::int64_t> embed;  // empty: NULL
  std::int64_t stride = 1, distance = 0;
  std::int64_t elements = 0;  // that the array reaches
  bool real = false;

  const std::int64_t* embed_or_null() const { return embed.empty() ? nullptr : embed.data(); }
  std::size_t doubles() const { return static_cast<std::size_t>(elements) * (real ? 1 : 2); }
};

struct Many {
  int kind = ULPFFT_C2C;
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 1;
  Side in, out;
  bool in_place = false;
  int direction = ULPFFT_FORWARD;
  std::vector<int> kinds;

  std::string text() const {
    std::string said = "kind " + std::to_string(kind) + (in_place ? " in place" : "") + " direction " + std::to_string(direction) + ", " +
                       std::to_string(batch) + " of";
    for (const std::int64_t n : lengths) said += " " + std::to_string(n);
    for (const int k : kinds) said += " r2r " + std::to_string(k);
    for (const Side* side : {&in, &out}) {
      said += side == &in ? "; in" : "; out";
      for (const std::int64_t n : side->embed) said += " " + std::to_string(n);
      said += " stride " + std::to_string(side->stride) + " distance " + std::to_string(side->distance);
    }
    return said;
  }
};

std::int64_t halved(const Many& many) { return many.lengths.back() / 2 + 1; }

// Lengths that a side stores, and in place of real ones those of their rows.
std::vector<std::int64_t> stored(const Many& many, bool real, bool with_padding) {
  std::vector<std::int64_t> lengths = many.lengths;
  const bool is_half = many.kind == ULPFFT_R2C || many.kind == ULPFFT_C2R;
  if (is_half && !real) lengths.back() = halved(many);
  if (is_half && real && many.in_place && with_padding) lengths.back() = 2 * halved(many);
  return lengths;
}

// Strides of the dimensions, as the header defines them.
std::vector<std::int64_t> strides_of(const Many& many, const Side& side) {
  const std::vector<std::int64_t> around = side.embed.empty() ? stored(many, side.real, true) : side.embed;
  std::vector<std::int64_t> strides(around.size(), side.stride);
  for (std::size_t i = around.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * around[i + 1];
  return strides;
}

std::int64_t reach_of(const Many& many, const Side& side) {
  const std::vector<std::int64_t> lengths = stored(many, side.real, false), strides = strides_of(many, side);
  std::int64_t reach = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) reach += (lengths[i] - 1) * strides[i];
  return reach;
}

void set_elements(const Many& many, Side& side) { side.elements = reach_of(many, side) + (many.batch - 1) * side.distance + 1; }

// Transforms one after the other with gaps, or number by number; a larger array around them, or none.
void draw_side(Random& random, const Many& many, Side& side) {
  if (random.chance(0.5)) {
    side.embed = stored(many, side.real, true);
    for (std::int64_t& n : side.embed) n += random.between(0, 3);
    if (random.chance(0.3)) side.embed.front() = 0;  // nobody reads it
  }
  const bool interleaved = random.chance(0.3);
  side.stride = interleaved ? many.batch + random.between(0, 2) : random.between(1, 3);
  side.distance = interleaved ? 1 : reach_of(many, side) + random.between(1, 5);
  set_elements(many, side);
}

// In place the real side has twice the lengths and distances of the spectrum.
void draw_half_in_place(Random& random, const Many& many, Side& reals, Side& spectrum) {
  if (random.chance(0.5)) {
    spectrum.embed = stored(many, false, false);
    for (std::int64_t& n : spectrum.embed) n += random.between(0, 3);
    reals.embed = spectrum.embed;
    reals.embed.back() *= 2;
  }
  spectrum.distance = reach_of(many, spectrum) + random.between(1, 5);
  reals.distance = 2 * spectrum.distance;
  set_elements(many, spectrum);
  reals.elements = 2 * spectrum.elements;  // one array holds both
}

Many draw(Random& random) {
  Many many;
  many.kind = static_cast<int>(random.below(4));
  const std::size_t rank = 1 + random.below(3);
  for (std::size_t i = 0; i < rank; ++i) many.lengths.push_back(random.between(1, rank == 1 ? 60 : rank == 2 ? 16 : 8));
  many.batch = random.between(1, 6);
  many.in_place = random.chance(0.4);
  many.in.real = many.kind == ULPFFT_R2C || many.kind == ULPFFT_R2R;
  many.out.real = many.kind == ULPFFT_C2R || many.kind == ULPFFT_R2R;
  if (many.kind == ULPFFT_C2C) many.direction = static_cast<int>(random.below(2));
  for (std::size_t i = 0; many.kind == ULPFFT_R2R && i < rank; ++i) {
    many.kinds.push_back(static_cast<int>(random.below(kR2rNames.size())));
    if (many.kinds.back() == ULPFFT_REDFT00) many.lengths[i] = std::max<std::int64_t>(2, many.lengths[i]);
  }
  if (many.in_place && many.in.real != many.out.real) {
    draw_half_in_place(random, many, many.in.real ? many.in : many.out, many.in.real ? many.out : many.in);
  } else {
    draw_side(random, many, many.in);
    if (many.in_place) many.out = many.in;
    else draw_side(random, many, many.out);
  }
  return many;
}

ulpfft_plan* make(const Many& m) {
  const int rank = static_cast<int>(m.lengths.size());
  const std::int64_t *const n = m.lengths.data(), *const in = m.in.embed_or_null(), *const out = m.out.embed_or_null();
  const char* const words = m.in_place ? "f64 inplace" : "f64";
  switch (m.kind) {
    case ULPFFT_R2C:
      return ulpfft_plan_many_r2c(rank, n, m.batch, in, m.in.stride, m.in.distance, out, m.out.stride, m.out.distance, words,
                                  ULPFFT_ESTIMATE);
    case ULPFFT_C2R:
      return ulpfft_plan_many_c2r(rank, n, m.batch, in, m.in.stride, m.in.distance, out, m.out.stride, m.out.distance, words,
                                  ULPFFT_ESTIMATE);
    case ULPFFT_R2R:
      return ulpfft_plan_many_r2r(rank, n, m.batch, in, m.in.stride, m.in.distance, out, m.out.stride, m.out.distance, words,
                                  m.kinds.data(), ULPFFT_ESTIMATE);
    default: break;
  }
  return ulpfft_plan_many(rank, n, m.batch, in, m.in.stride, m.in.distance, out, m.out.stride, m.out.distance, words, m.direction,
                          ULPFFT_ESTIMATE);
}

std::vector<int> ints(const std::vector<std::int64_t>& list) { return {list.begin(), list.end()}; }

void* make_by(const Fftw& by, const Many& m, double* in, double* out) {
  const std::vector<int> n = ints(m.lengths), around_in = ints(m.in.embed), around_out = ints(m.out.embed);
  const int rank = static_cast<int>(n.size()), batch = static_cast<int>(m.batch);
  const int *const in_embed = around_in.empty() ? nullptr : around_in.data(), *const out_embed = around_out.empty()
                                                                                                     ? nullptr
                                                                                                     : around_out.data();
  const int is = static_cast<int>(m.in.stride), id = static_cast<int>(m.in.distance);
  const int os = static_cast<int>(m.out.stride), od = static_cast<int>(m.out.distance);
  switch (m.kind) {
    case ULPFFT_R2C: return by.r2c(rank, n.data(), batch, in, in_embed, is, id, out, out_embed, os, od, kEstimate);
    case ULPFFT_C2R: return by.c2r(rank, n.data(), batch, in, in_embed, is, id, out, out_embed, os, od, kEstimate);
    case ULPFFT_R2R: return by.r2r(rank, n.data(), batch, in, in_embed, is, id, out, out_embed, os, od, m.kinds.data(), kEstimate);
    default: break;
  }
  return by.dft(rank, n.data(), batch, in, in_embed, is, id, out, out_embed, os, od, m.direction == ULPFFT_FORWARD ? -1 : 1, kEstimate);
}

// Of the input: normal numbers everywhere, and for c2r a spectrum, which is the transform of a real array.
void fill(Random& random, std::vector<double>& data) {
  for (double& value : data) value = random.normal();
}

// The offsets of the doubles that the output has, in order.
std::vector<std::size_t> written(const Many& many) {
  const Side& side = many.out;
  const std::vector<std::int64_t> lengths = stored(many, side.real, false), strides = strides_of(many, side);
  std::vector<std::int64_t> at;
  for (std::int64_t b = 0; b < many.batch; ++b) at.push_back(b * side.distance);
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : at) {
      for (std::int64_t i = 0; i < lengths[d]; ++i) next.push_back(base + i * strides[d]);
    }
    at = next;
  }
  std::vector<std::size_t> doubles;
  for (const std::int64_t offset : at) {
    if (side.real) doubles.push_back(static_cast<std::size_t>(offset));
    else for (std::size_t part = 0; part < 2; ++part) doubles.push_back(2 * static_cast<std::size_t>(offset) + part);
  }
  return doubles;
}

// c2r ignores what a real result cannot have; FFTW reads it in several dimensions. So the spectrum comes from real numbers.
bool make_spectrum(const Fftw& by, Random& random, const Many& many, std::vector<double>& spectrum) {
  Many back = many;
  back.kind = ULPFFT_R2C;
  back.in_place = false;
  back.out = many.in;
  back.in = {};
  back.in.real = true;
  back.in.distance = reach_of(back, back.in) + 1;
  set_elements(back, back.in);
  std::vector<double> reals(back.in.doubles());
  fill(random, reals);
  const std::vector<double> kept = reals;
  void* const plan = make_by(by, back, reals.data(), spectrum.data());
  if (plan == nullptr) return false;
  reals = kept;
  by.execute(plan);
  by.destroy(plan);
  return true;
}

void compare(const Fftw& by, const Many& many, std::uint64_t seed) {
  Random random(seed);
  const PlanPtr plan(make(many));
  ASSERT_NE(plan, nullptr) << last_error_text();
  std::vector<double> in(std::max(many.in.doubles(), many.in_place ? many.out.doubles() : 0)), out(many.out.doubles(), 7.0);
  fill(random, in);
  if (many.kind == ULPFFT_C2R) {
    ASSERT_TRUE(make_spectrum(by, random, many, in));
  }
  std::vector<double> theirs_in = in, theirs = out;
  double* const to = many.in_place ? theirs_in.data() : theirs.data();
  void* const judge = make_by(by, many, theirs_in.data(), to);  // an estimate leaves the arrays alone
  ASSERT_NE(judge, nullptr) << "FFTW makes no plan";
  by.execute(judge);
  by.destroy(judge);
  const std::vector<double> input = in;
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), many.in_place ? in.data() : out.data()), ULPFFT_OK) << last_error_text();
  if (!many.in_place) {
    EXPECT_EQ(in, input) << "the input is changed";
  }

  const std::vector<double>&ours = many.in_place ? in : out, &expected = many.in_place ? theirs_in : theirs;
  const std::vector<std::size_t> places = written(many);
  double error = 0, norm = 0;
  std::vector<bool> is_output(ours.size());
  for (const std::size_t at : places) {
    error += (ours[at] - expected[at]) * (ours[at] - expected[at]);
    norm += expected[at] * expected[at];
    is_output[at] = true;
  }
  // Both err by a few roundings of 1.1e-16. A number in another place would be wrong by its own size.
  EXPECT_LE(std::sqrt(error), 1e-13 * std::sqrt(norm) + 1e-300);
  for (std::size_t i = 0; i < ours.size() && !many.in_place; ++i) {
    ASSERT_TRUE(is_output[i] || ours[i] == 7.0) << "written between the outputs, at " << i;
  }
}

TEST(PlanMany, GivesFftwsResultsForTheSameArguments) {
  if (fftw() == nullptr) GTEST_SKIP() << "libfftw3.so.3 is not installed";
  Random random(3607);
  int in_place = 0, kinds[4] = {};
  for (int i = 0; i < (full_run() ? 20000 : 600); ++i) {
    const Many many = draw(random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + many.text());
    compare(*fftw(), many, static_cast<std::uint64_t>(i));
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    in_place += many.in_place;
    ++kinds[many.kind];
  }
  EXPECT_GT(in_place, 100);
  for (const int count : kinds) EXPECT_GT(count, 100);
}

// ---- without FFTW

std::string problem_of(ulpfft_plan* made) {
  const PlanPtr plan(made);
  return plan == nullptr ? last_error_text() : take(ulpfft_plan_problem(plan.get()));
}

TEST(ShortForms, OfRealTransformsSayTheProblemTheirTextSays) {
  const int e = ULPFFT_ESTIMATE;
  EXPECT_EQ(problem_of(ulpfft_plan_r2c_1d(1000, "f64", e)), "r2c 1000 f64");
  EXPECT_EQ(problem_of(ulpfft_plan_r2c_2d(12, 20, nullptr, e)), "r2c 12x20 f32");
  EXPECT_EQ(problem_of(ulpfft_plan_r2c_3d(4, 6, 8, "i16->f32 threads=2", e)), "r2c 4x6x8 i16->f32 threads=2");
  EXPECT_EQ(problem_of(ulpfft_plan_c2r_1d(16, "f32 inplace", e)), "c2r 16 f32 inplace");
  EXPECT_EQ(problem_of(ulpfft_plan_c2r_2d(12, 20, "f32 inverse scale=1/n", e)), "c2r 12x20 f32 inverse scale=1/n");
  EXPECT_EQ(problem_of(ulpfft_plan_c2r_3d(4, 6, 8, "f64 destroy_input", e)), "c2r 4x6x8 f64 destroy_input");
  EXPECT_EQ(problem_of(ulpfft_plan_r2r_1d(16, "f32", ULPFFT_REDFT10, e)), "r2r 16 f32 kinds=dct2");
  EXPECT_EQ(problem_of(ulpfft_plan_r2r_2d(12, 20, nullptr, ULPFFT_RODFT00, ULPFFT_DHT, e)), "r2r 12x20 f32 kinds=dst1,dht");
  EXPECT_EQ(problem_of(ulpfft_plan_r2r_3d(4, 6, 8, "f64 scale=ortho", ULPFFT_R2HC, ULPFFT_HC2R, ULPFFT_REDFT11, e)),
            "r2r 4x6x8 f64 kinds=r2hc,hc2r,dct4 scale=ortho");
}

constexpr std::int64_t kTwo[] = {6, 10};

// A c2c call with one argument changed at a time.
struct Arguments {
  int rank = 2;
  const std::int64_t* lengths = kTwo;
  std::int64_t batch = 3;
  const std::int64_t* in_embed = nullptr;
  std::int64_t in_stride = 1, in_distance = 60;
  const std::int64_t* out_embed = nullptr;
  std::int64_t out_stride = 1, out_distance = 60;
  const char* storage = "f32";
  int direction = ULPFFT_FORWARD, effort = ULPFFT_ESTIMATE;

  ulpfft_plan* plan() const {
    return ulpfft_plan_many(rank, lengths, batch, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, storage, direction,
                            effort);
  }
  ulpfft_plan* plan_r2c() const {
    return ulpfft_plan_many_r2c(rank, lengths, batch, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance,
                                storage, effort);
  }
};

TEST(PlanMany, SaysTheProblemItsTextSays) {
  constexpr std::int64_t kAround[] = {0, 16};
  EXPECT_EQ(problem_of(Arguments{}.plan()), "6x10*3 f32") << "dense";
  EXPECT_EQ(problem_of(Arguments{.batch = 1, .in_distance = 0, .out_distance = -5}.plan()), "6x10 f32") << "no batch";
  EXPECT_EQ(problem_of(Arguments{.in_stride = 3, .in_distance = 1, .direction = ULPFFT_BACKWARD}.plan()),
            "6x10*3 f32 inverse in_strides=30,3 batch_strides=1,60");
  EXPECT_EQ(problem_of(Arguments{.out_embed = kAround, .out_stride = 2, .out_distance = 200}.plan()),
            "6x10*3 f32 out_strides=32,2 batch_strides=60,200");
  EXPECT_EQ(problem_of(Arguments{.in_distance = 72, .out_distance = 36, .storage = "f32 inplace"}.plan_r2c()), "r2c 6x10*3 f32 inplace");
  EXPECT_EQ(problem_of(Arguments{.in_distance = 6, .out_distance = 8, .storage = "mxfp8_e4m3"}.plan()),
            "6x10*3 mxfp8_e4m3 batch_strides=6,8") << "rows";
}

TEST(PlanMany, NamesTheArgumentAtFault) {
  constexpr std::int64_t kMost = INT64_MAX, kNarrow[] = {6, 9}, kWide[] = {6, 16}, kZero[] = {6, 0}, kHuge[] = {6, kMost};
  const auto refused = [](ulpfft_plan* made, const std::string& field, const std::string& said = "") {
    const PlanPtr plan(made);
    EXPECT_EQ(plan, nullptr) << field;
    const LastError error = last_error();
    EXPECT_EQ(error.field, field) << error.message;
    EXPECT_NE(error.message.find(said.empty() ? field : said), std::string::npos) << error.message;
    for (const char* other : {"strides[", "batch_"}) EXPECT_EQ(error.message.find(other), std::string::npos) << error.message;
  };
  refused(Arguments{.rank = 0}.plan(), "rank");
  refused(Arguments{.rank = 9}.plan(), "rank");
  refused(Arguments{.lengths = nullptr}.plan(), "lengths");
  refused(Arguments{.lengths = kZero}.plan(), "lengths[1]");
  refused(Arguments{.batch = 0}.plan(), "batch");
  refused(Arguments{.batch = kMost}.plan(), "batch", "64 bits");
  refused(Arguments{.in_stride = 0}.plan(), "in_stride");
  refused(Arguments{.out_stride = 0}.plan(), "out_stride");
  refused(Arguments{.in_distance = 0}.plan(), "in_distance");
  refused(Arguments{.out_distance = 0}.plan(), "out_distance");
  refused(Arguments{.in_stride = kMost}.plan(), "in_stride", "64 bits");
  refused(Arguments{.out_distance = kMost}.plan(), "out_distance", "64 bits");
  refused(Arguments{.out_distance = 59}.plan(), "out_distance", "Use 60 or more");
  refused(Arguments{.out_stride = 2, .out_distance = 1}.plan(), "out_stride", "coincide");
  refused(Arguments{.out_embed = kWide, .out_distance = 10}.plan(), "out_embed", "The output's stride of lengths[0]");
  refused(Arguments{.in_embed = kNarrow}.plan(), "in_embed[1]", "Use 10 or more");
  refused(Arguments{.out_embed = kNarrow}.plan(), "out_embed[1]");
  refused(Arguments{.in_embed = kHuge, .in_stride = 2}.plan(), "in_embed[1]", "64 bits");
  refused(Arguments{.out_embed = kWide, .storage = "mxfp8_e4m3"}.plan(), "out_embed[1]", "without gaps");
  refused(Arguments{.out_stride = 2, .storage = "mxfp8_e4m3"}.plan(), "out_stride", "rows of mxfp8_e4m3");
  refused(Arguments{.out_distance = 61, .storage = "f32 inplace"}.plan(), "out_distance", "in_distance is 60");
  refused(Arguments{.in_distance = 72, .out_stride = 2, .out_distance = 36, .storage = "f32 inplace"}.plan_r2c(), "out_stride",
          "twice that of the spectrum");
  refused(Arguments{.rank = 1, .batch = 1, .out_stride = 2, .storage = "f32 inplace"}.plan_r2c(), "out_stride", "out_stride is 2. Use 1");
  refused(Arguments{.direction = -1}.plan(), "direction");
  refused(Arguments{.effort = 9}.plan(), "effort");
  refused(ulpfft_plan_many_r2r(2, kTwo, 1, nullptr, 1, 0, nullptr, 1, 0, "f32", nullptr, ULPFFT_ESTIMATE), "kinds");
  const int kinds[] = {ULPFFT_DHT, 99};
  refused(ulpfft_plan_many_r2r(2, kTwo, 1, nullptr, 1, 0, nullptr, 1, 0, "f32", kinds, ULPFFT_ESTIMATE), "kinds[1]");
  refused(ulpfft_plan_r2r_2d(8, 1, "f32", ULPFFT_DHT, ULPFFT_REDFT00, ULPFFT_ESTIMATE), "n1", "n1 is 1, but dct1");
  refused(ulpfft_plan_r2r_1d(8, "f32", -1, ULPFFT_ESTIMATE), "kind", "kind is -1");
  refused(ulpfft_plan_r2c_2d(8, 0, "f32", ULPFFT_ESTIMATE), "n1", "n1 is 0");
  refused(ulpfft_plan_c2r_1d(-3, "f32", ULPFFT_ESTIMATE), "n", "n is -3");
}

// What an argument says no word says; the word is underlined.
TEST(PlanMany, RefusesWordsThatSayWhatArgumentsSay) {
  const auto refused = [](ulpfft_plan* made, const std::string& words, const std::string& word) {
    const PlanPtr plan(made);
    EXPECT_EQ(plan, nullptr) << words;
    const LastError error = last_error();
    EXPECT_EQ(error.field, "storage") << error.message;
    ASSERT_LE(error.end, words.size());
    EXPECT_EQ(words.substr(error.begin, error.end - error.begin), word) << words << ": " << error.message;
  };
  for (const char* words : {"f32 in_strides=10,1", "f32 out_strides=10,1"}) refused(Arguments{.storage = words}.plan(), words, "10");
  refused(Arguments{.storage = "f32 batch_strides=60,60"}.plan(), "f32 batch_strides=60,60", "60");
  refused(Arguments{.storage = "f64 inverse"}.plan(), "f64 inverse", "inverse");
  refused(ulpfft_plan_r2r_1d(8, "f64 kinds=dct2", ULPFFT_REDFT10, ULPFFT_ESTIMATE), "f64 kinds=dct2", "dct2");
}

}  // namespace
}  // namespace ulpfft::test

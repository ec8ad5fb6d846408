// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Random problems of every kind through every planning function that can say them, in and out of place, interleaved and split,
// executed on the arrays of the plan and on others, against the oracle. 2,000 problems by a seed that is printed;
// ULPFFT_TEST_FULL=1: 20,000.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fftw3_api.h"
#include "tests/fftw3/run_case.h"
#include "tests/support/api.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); }
bool one_in(Random& random, std::int64_t n) { return below(random, n) == 0; }

constexpr std::int64_t kLengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 20, 24, 25, 31, 32};
constexpr std::int64_t kMostNumbers = 1500;

// Nested strides of one side in a random order, with gaps and now and then a negative one.
void lay_out(Random& random, Fftw3Case& problem, bool out, std::int64_t unit) {
  struct Entry {
    Fftw3Dim* dim;
    std::int64_t length;
  };
  std::vector<Entry> entries;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) entries.push_back({&problem.dims[d], problem.length(d, out)});
  for (Fftw3Dim& loop : problem.loops) entries.push_back({&loop, loop.n});
  if (!one_in(random, 2)) std::reverse(entries.begin(), entries.end());
  if (one_in(random, 3)) std::shuffle(entries.begin(), entries.end(), random);
  std::int64_t stride = unit * (one_in(random, 3) ? 1 + below(random, 3) : 1);
  for (const Entry& entry : entries) {
    (out ? entry.dim->os : entry.dim->is) = one_in(random, 12) ? -stride : stride;
    stride *= entry.length + (one_in(random, 4) ? below(random, 3) : 0);
  }
}

Fftw3Case random_case(Random& random) {
  Fftw3Case problem;
  problem.kind = static_cast<Fftw3Kind>(below(random, 4));
  problem.sign = one_in(random, 2) || problem.kind != Fftw3Kind::kC2C ? -1 : 1;
  const std::int64_t rank = one_in(random, 20) ? 0 : 1 + below(random, 4), loops = below(random, 3);
  std::int64_t numbers = 1;
  const auto length = [&] {
    std::int64_t n = kLengths[below(random, std::size(kLengths))];
    while (n * numbers > kMostNumbers) n = 1 + below(random, 3);
    numbers *= n;
    return n;
  };
  for (std::int64_t d = 0; d < rank; ++d) {
    problem.dims.push_back({length(), 0, 0});
    if (problem.kind == Fftw3Kind::kR2R) {
      problem.kinds.push_back(static_cast<int>(below(random, 11)));
      if (problem.kinds.back() == 3 && problem.dims.back().n == 1) problem.kinds.back() = 5;
    }
  }
  for (std::int64_t l = 0; l < loops; ++l) problem.loops.push_back({length(), 0, 0});
  return problem;
}

// How a case is said and done.
struct Way {
  enum Style { kBasic, kMany, kGuru, kGuru64, kSplit, kSplit64 } style = kGuru;
  bool in_place = false;
  bool planned_elsewhere = false;  // on other arrays, and executed by a new-array function
  bool planned_on_null = false;
  Lying in, out;
  unsigned flags = FFTW_ESTIMATE;
};

template <typename Real>
class Runner {
 public:
  using F = Fftw<Real>;
  using Complex = typename F::Complex;
  using Plan = typename F::Plan;

  // "" or what is wrong.
  std::string run(Random& random, Fftw3Case problem, const Way& way) {
    Fftw3Array<Real> in(problem, false, way.in);
    Fftw3Array<Real> apart(problem, true, way.out);
    Fftw3Array<Real>& out = way.in_place ? in : apart;
    in.fill(random);
    const std::vector<std::complex<long double>> want = transform(problem, in.read());
    const std::vector<Real> in_before = in.memory(), out_before = out.memory();
    Real* const ro = out.re();
    Real* const io = problem.complex_out() ? ro + (way.in_place ? way.in.im : way.out.im) : ro;

    Plan plan = nullptr;
    if (way.planned_on_null) {
      plan = make(problem, way, nullptr, nullptr, nullptr, nullptr);
    } else if (way.planned_elsewhere) {
      Fftw3Array<Real> other_in(problem, false, {way.in.im, 1}), other_out(problem, true, {way.out.im, 2});
      plan = make(problem, way, other_in.re(), other_in.im(), other_out.re(), other_out.im());
    } else {
      plan = make(problem, way, in.re(), in.im(), ro, io);
    }
    if (plan == nullptr) return std::string("no plan: ") + ulpfft_last_error();
    if (in.memory() != in_before || out.memory() != out_before) return "planning changed an array";
    if (way.planned_elsewhere || way.planned_on_null) {
      execute_on(problem, way, plan, in.re(), in.im(), ro, io);
    } else {
      F::execute(plan);
    }
    F::destroy_plan(plan);

    // Outputs are where the case has them, whatever side's memory they lie in.
    std::vector<std::complex<long double>> got;
    std::vector<char> written(out.memory().size(), 0);
    const std::int64_t first = ro - out.memory().data(), im = io - ro;
    for (const std::int64_t p : positions(problem, true)) {
      const auto at = static_cast<std::size_t>(first + p), at_im = static_cast<std::size_t>(first + p + im);
      written[at] = 1;
      if (problem.complex_out()) written[at_im] = 1;
      got.emplace_back(out.memory()[at], problem.complex_out() ? out.memory()[at_im] : 0);
    }
    const double error = relative_l2(got, want);
    if (!(error <= kBound<Real>)) return "relative error " + std::to_string(error);
    if (way.in_place) {
      const std::vector<char> read = in.owned();
      for (std::size_t i = 0; i < read.size(); ++i) written[i] = static_cast<char>(written[i] | read[i]);
    }
    // Padding of real rows in place is FFTW's to change.
    const bool padded = way.in_place && (problem.kind == Fftw3Kind::kR2C || problem.kind == Fftw3Kind::kC2R);
    if (!padded && changed_outside(out_before, out.memory(), written) >= 0) return "a number beside the output changed";
    const bool destroys = (way.flags & FFTW_PRESERVE_INPUT) == 0 && problem.kind == Fftw3Kind::kC2R;
    if (!way.in_place && !destroys && in.memory() != in_before) return "the input changed";
    if (!way.in_place && destroys && changed_outside(in_before, in.memory(), in.owned()) >= 0)
      return "a number beside the input changed";
    return "";
  }

 private:
  static Complex* complex(Real* array) { return reinterpret_cast<Complex*>(array); }

  template <typename Iodim>
  static std::vector<Iodim> sizes(const std::vector<Fftw3Dim>& dims, std::int64_t in_unit, std::int64_t out_unit) {
    std::vector<Iodim> out;
    for (const Fftw3Dim& dim : dims) {
      Iodim one;
      one.n = static_cast<decltype(one.n)>(dim.n);
      one.is = static_cast<decltype(one.n)>(dim.is / in_unit);
      one.os = static_cast<decltype(one.n)>(dim.os / out_unit);
      out.push_back(one);
    }
    return out;
  }

  static Plan make(const Fftw3Case& problem, const Way& way, Real* ri, Real* ii, Real* ro, Real* io) {
    switch (way.style) {
      case Way::kBasic: return basic(problem, way, ri, ro);
      case Way::kMany: return many(problem, way, ri, ro);
      case Way::kGuru64:
        return guru<typename F::Iodim64>(problem, way, ri, ro, F::plan_guru64_dft, F::plan_guru64_dft_r2c, F::plan_guru64_dft_c2r,
                                         F::plan_guru64_r2r);
      case Way::kSplit:
        return split<typename F::Iodim>(problem, way, ri, ii, ro, io, F::plan_guru_split_dft, F::plan_guru_split_dft_r2c,
                                        F::plan_guru_split_dft_c2r);
      case Way::kSplit64:
        return split<typename F::Iodim64>(problem, way, ri, ii, ro, io, F::plan_guru64_split_dft, F::plan_guru64_split_dft_r2c,
                                          F::plan_guru64_split_dft_c2r);
      default:
        return guru<typename F::Iodim>(problem, way, ri, ro, F::plan_guru_dft, F::plan_guru_dft_r2c, F::plan_guru_dft_c2r,
                                       F::plan_guru_r2r);
    }
  }

  static std::vector<int> lengths(const Fftw3Case& problem) {
    std::vector<int> n;
    for (const Fftw3Dim& dim : problem.dims) n.push_back(static_cast<int>(dim.n));
    return n;
  }
  static std::vector<typename F::Kind> kinds(const Fftw3Case& problem) {
    std::vector<typename F::Kind> out;
    for (const int kind : problem.kinds) out.push_back(static_cast<typename F::Kind>(kind));
    return out;
  }

  static Plan basic(const Fftw3Case& problem, const Way& way, Real* in, Real* out) {
    const std::vector<int> n = lengths(problem);
    const int rank = static_cast<int>(n.size());
    const auto kind = kinds(problem);
    switch (problem.kind) {
      case Fftw3Kind::kC2C: return F::plan_dft(rank, n.data(), complex(in), complex(out), problem.sign, way.flags);
      case Fftw3Kind::kR2C: return F::plan_dft_r2c(rank, n.data(), in, complex(out), way.flags);
      case Fftw3Kind::kC2R: return F::plan_dft_c2r(rank, n.data(), complex(in), out, way.flags);
      default: return F::plan_r2r(rank, n.data(), in, out, kind.data(), way.flags);
    }
  }

  // Of a case made by embed().
  static Plan many(const Fftw3Case& problem, const Way& way, Real* in, Real* out) {
    const std::vector<int> n = lengths(problem);
    const int rank = static_cast<int>(n.size());
    const auto kind = kinds(problem);
    const int in_unit = problem.complex_in() ? 2 : 1, out_unit = problem.complex_out() ? 2 : 1;
    std::vector<int> in_embed(n), out_embed(n);
    for (std::size_t d = 1; d < n.size(); ++d) {
      in_embed[d] = static_cast<int>(problem.dims[d - 1].is / problem.dims[d].is);
      out_embed[d] = static_cast<int>(problem.dims[d - 1].os / problem.dims[d].os);
    }
    const auto unit = [](std::int64_t stride, int by) { return static_cast<int>(stride / by); };
    const int loops = static_cast<int>(problem.loops[0].n);
    const int is = unit(problem.dims.back().is, in_unit), os = unit(problem.dims.back().os, out_unit);
    const int id = unit(problem.loops[0].is, in_unit), od = unit(problem.loops[0].os, out_unit);
    switch (problem.kind) {
      case Fftw3Kind::kC2C:
        return F::plan_many_dft(rank, n.data(), loops, complex(in), in_embed.data(), is, id, complex(out), out_embed.data(), os,
                                od, problem.sign, way.flags);
      case Fftw3Kind::kR2C:
        return F::plan_many_dft_r2c(rank, n.data(), loops, in, in_embed.data(), is, id, complex(out), out_embed.data(), os, od,
                                    way.flags);
      case Fftw3Kind::kC2R:
        return F::plan_many_dft_c2r(rank, n.data(), loops, complex(in), in_embed.data(), is, id, out, out_embed.data(), os, od,
                                    way.flags);
      default:
        return F::plan_many_r2r(rank, n.data(), loops, in, in_embed.data(), is, id, out, out_embed.data(), os, od, kind.data(),
                                way.flags);
    }
  }

  template <typename Iodim, typename C2C, typename R2C, typename C2R, typename R2R>
  static Plan guru(const Fftw3Case& problem, const Way& way, Real* in, Real* out, C2C c2c, R2C r2c, C2R c2r, R2R r2r) {
    const int in_unit = problem.complex_in() ? 2 : 1, out_unit = problem.complex_out() ? 2 : 1;
    const auto dims = sizes<Iodim>(problem.dims, in_unit, out_unit), loops = sizes<Iodim>(problem.loops, in_unit, out_unit);
    const int rank = static_cast<int>(dims.size()), loop_rank = static_cast<int>(loops.size());
    const auto kind = kinds(problem);
    switch (problem.kind) {
      case Fftw3Kind::kC2C:
        return c2c(rank, dims.data(), loop_rank, loops.data(), complex(in), complex(out), problem.sign, way.flags);
      case Fftw3Kind::kR2C: return r2c(rank, dims.data(), loop_rank, loops.data(), in, complex(out), way.flags);
      case Fftw3Kind::kC2R: return c2r(rank, dims.data(), loop_rank, loops.data(), complex(in), out, way.flags);
      default: return r2r(rank, dims.data(), loop_rank, loops.data(), in, out, kind.data(), way.flags);
    }
  }

  template <typename Iodim, typename C2C, typename R2C, typename C2R>
  static Plan split(const Fftw3Case& problem, const Way& way, Real* ri, Real* ii, Real* ro, Real* io, C2C c2c, R2C r2c, C2R c2r) {
    const auto dims = sizes<Iodim>(problem.dims, 1, 1), loops = sizes<Iodim>(problem.loops, 1, 1);
    const int rank = static_cast<int>(dims.size()), loop_rank = static_cast<int>(loops.size());
    switch (problem.kind) {
      case Fftw3Kind::kR2C: return r2c(rank, dims.data(), loop_rank, loops.data(), ri, ro, io, way.flags);
      case Fftw3Kind::kC2R: return c2r(rank, dims.data(), loop_rank, loops.data(), ri, ii, ro, way.flags);
      default:
        // The other direction is that of im and re.
        if (problem.sign > 0) return c2c(rank, dims.data(), loop_rank, loops.data(), ii, ri, io, ro, way.flags);
        return c2c(rank, dims.data(), loop_rank, loops.data(), ri, ii, ro, io, way.flags);
    }
  }

  static void execute_on(const Fftw3Case& problem, const Way& way, Plan plan, Real* ri, Real* ii, Real* ro, Real* io) {
    const bool split = way.style == Way::kSplit || way.style == Way::kSplit64;
    switch (problem.kind) {
      case Fftw3Kind::kC2C:
        if (!split) return F::execute_dft(plan, complex(ri), complex(ro));
        return problem.sign > 0 ? F::execute_split_dft(plan, ii, ri, io, ro) : F::execute_split_dft(plan, ri, ii, ro, io);
      case Fftw3Kind::kR2C: return split ? F::execute_split_dft_r2c(plan, ri, ro, io) : F::execute_dft_r2c(plan, ri, complex(ro));
      case Fftw3Kind::kC2R: return split ? F::execute_split_dft_c2r(plan, ri, ii, ro) : F::execute_dft_c2r(plan, complex(ri), ro);
      default: return F::execute_r2r(plan, ri, ro);
    }
  }
};

// Strides of arrays inside larger ones; dense: of the basic functions.
void embed(Random& random, Fftw3Case& problem, bool dense, bool in_place) {
  const bool halved = problem.kind == Fftw3Kind::kR2C || problem.kind == Fftw3Kind::kC2R;
  std::vector<std::int64_t> gaps;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) gaps.push_back(dense ? 0 : below(random, 3));
  const std::int64_t element = dense ? 1 : 1 + below(random, 2), between = dense ? 0 : below(random, 3);
  for (const bool out : {false, true}) {
    const bool complex_side = out ? problem.complex_out() : problem.complex_in();
    std::int64_t stride = element * (complex_side ? 2 : 1);
    for (std::size_t d = problem.dims.size(); d-- > 0;) {
      (out ? problem.dims[d].os : problem.dims[d].is) = stride;
      std::int64_t length = problem.length(d, out);
      // In place a row of real numbers is as long as its spectrum.
      if (halved && in_place && d + 1 == problem.dims.size() && !complex_side) length = 2 * (problem.dims[d].n / 2 + 1) + gaps[d];
      stride *= length + gaps[d];
    }
    if (!problem.loops.empty()) (out ? problem.loops[0].os : problem.loops[0].is) = stride + between * (complex_side ? 2 : 1) * 2;
  }
}

// Gaps between split parts: apart, between each other, or exchanged.
std::int64_t distance_to_im(Random& random, const Fftw3Case& problem, bool out, bool split) {
  if (!split) return 1;
  std::int64_t reach = 1;
  for (const std::int64_t p : positions(problem, out)) reach = std::max(reach, 2 * std::abs(p) + 2);
  return one_in(random, 3) ? -reach : reach;
}

template <typename Real>
void run_random_problems() {
  const std::uint64_t seed = sample_seed();
  const std::uint64_t problems = full_run() ? 10000 : 1000;
  Runner<Real> runner;
  int failures = 0;
  for (std::uint64_t i = 0; i < problems && failures < 5; ++i) {
    Random random(seed * 1000003 + i);
    Fftw3Case problem = random_case(random);
    Way way;
    way.style = static_cast<Way::Style>(below(random, 6));
    const bool split = way.style >= Way::kSplit && problem.kind != Fftw3Kind::kR2R;
    if (way.style >= Way::kSplit && !split) way.style = Way::kGuru;
    way.in_place = one_in(random, 3);
    if (way.style == Way::kBasic) problem.loops.clear();
    if (way.style == Way::kMany) {
      problem.loops.resize(1);
      if (problem.dims.empty()) way.style = Way::kGuru;
    }
    if (way.style <= Way::kMany) {
      embed(random, problem, way.style == Way::kBasic, way.in_place);
    } else {
      // Split arrays that are interleaved have strides of 2.
      const bool pairs = split && one_in(random, 4);
      lay_out(random, problem, false, !problem.complex_in() || (split && !pairs) ? 1 : 2);
      lay_out(random, problem, true, !problem.complex_out() || (split && !pairs) ? 1 : 2);
      if (way.in_place && one_in(random, 2) && (problem.kind == Fftw3Kind::kC2C || problem.kind == Fftw3Kind::kR2R)) {
        for (auto* dims : {&problem.dims, &problem.loops}) {
          for (Fftw3Dim& dim : *dims) dim.os = dim.is;
        }
      }
      if (!pairs) {
        way.in.im = distance_to_im(random, problem, false, split);
        way.out.im = way.in_place ? way.in.im : distance_to_im(random, problem, true, split);
        if (way.in_place && split)
          way.in.im = way.out.im =
              std::abs(distance_to_im(random, problem, false, true)) + std::abs(distance_to_im(random, problem, true, true));
      }
    }
    way.in.shift = below(random, 4);
    way.out.shift = below(random, 4);
    // Real rows of the basic functions have another length in place, and a plan keeps the layout that it was made for.
    const bool same_layout =
        way.style > Way::kBasic || problem.dims.size() < 2 || problem.kind == Fftw3Kind::kC2C || problem.kind == Fftw3Kind::kR2R;
    way.planned_on_null = same_layout && one_in(random, 6);
    way.planned_elsewhere = same_layout && one_in(random, 3);
    if (one_in(random, 3)) way.flags |= FFTW_PRESERVE_INPUT;
    if (one_in(random, 5)) way.flags |= FFTW_UNALIGNED | FFTW_NO_SIMD | FFTW_CONSERVE_MEMORY;
    const std::string wrong = runner.run(random, problem, way);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "ULPFFT_TEST_SEED=" << seed << ", problem " << i << ": " << wrong << "\n  " << describe(problem)
                  << (way.in_place ? ", in place" : "") << ", style " << way.style << ", im " << way.in.im << " " << way.out.im
                  << (way.planned_on_null ? ", planned on null" : "") << (way.planned_elsewhere ? ", planned elsewhere" : "")
                  << ", flags " << way.flags;
  }
  Fftw<Real>::cleanup();
}

TEST(Fftw3Problems, AgreeWithTheOracleInDouble) { run_random_problems<double>(); }
TEST(Fftw3Problems, AgreeWithTheOracleInFloat) { run_random_problems<float>(); }

}  // namespace
}  // namespace ulpfft::test

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every name of Fortran 77 of the table, with one underscore and with two, called as Fortran calls it: arguments by address, the
// length that varies fastest first. A name that no check calls fails.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fftw3_api.h"
#include "tests/fftw3/dense_case.h"
#include "tests/fftw3/run_case.h"

namespace ulpfft::test {
namespace {

template <typename Real, int kUnderscores>
class FortranNames {
 public:
  using G = Fortran<Real, kUnderscores>;
  using Complex = typename Fftw<Real>::Complex;
  using Plan = typename Fftw<Real>::Plan;
  using RealKind = typename Fftw<Real>::Kind;
  struct Arrays {
    Real *ri, *ii, *ro, *io;
    Complex* ci() const { return reinterpret_cast<Complex*>(ri); }
    Complex* co() const { return reinterpret_cast<Complex*>(ro); }
  };
  using Make = std::function<void(Plan*, const Arrays&)>;

  void transforms() {
    const int flags = FFTW_ESTIMATE, forward = -1, backward = 1;
    const RealKind kinds[] = {FFTW_DHT, FFTW_RODFT01, FFTW_REDFT10};  // of the lengths from the one that varies fastest
    const int n[] = {5, 3, 4};
    for (int rank = 1; rank <= 3; ++rank) {
      const std::vector<std::int64_t> lengths(std::reverse_iterator(n + rank), std::reverse_iterator(n));
      const std::vector<int> r2r_kinds(std::reverse_iterator(kinds + rank), std::reverse_iterator(kinds));
      const Fftw3Case c2c = dense_case(Fftw3Kind::kC2C, lengths, 0, 1, {}), r2c = dense_case(Fftw3Kind::kR2C, lengths, 0, -1, {});
      const Fftw3Case c2r = dense_case(Fftw3Kind::kC2R, lengths, 0, 1, {}),
                      r2r = dense_case(Fftw3Kind::kR2R, lengths, 0, -1, r2r_kinds);
      verify(c2c,
             [&](Plan* p, const Arrays& a) { call(G::plan_dft, "plan_dft")(p, &rank, n, a.ci(), a.co(), &backward, &flags); });
      verify(r2c, [&](Plan* p, const Arrays& a) { call(G::plan_dft_r2c, "plan_dft_r2c")(p, &rank, n, a.ri, a.co(), &flags); });
      verify(c2r, [&](Plan* p, const Arrays& a) { call(G::plan_dft_c2r, "plan_dft_c2r")(p, &rank, n, a.ci(), a.ro, &flags); });
      verify(r2r, [&](Plan* p, const Arrays& a) { call(G::plan_r2r, "plan_r2r")(p, &rank, n, a.ri, a.ro, kinds, &flags); });
      verify(c2c, [&](Plan* p, const Arrays& a) {
        if (rank == 1) call(G::plan_dft_1d, "plan_dft_1d")(p, n, a.ci(), a.co(), &backward, &flags);
        if (rank == 2) call(G::plan_dft_2d, "plan_dft_2d")(p, n, n + 1, a.ci(), a.co(), &backward, &flags);
        if (rank == 3) call(G::plan_dft_3d, "plan_dft_3d")(p, n, n + 1, n + 2, a.ci(), a.co(), &backward, &flags);
      });
      verify(r2c, [&](Plan* p, const Arrays& a) {
        if (rank == 1) call(G::plan_dft_r2c_1d, "plan_dft_r2c_1d")(p, n, a.ri, a.co(), &flags);
        if (rank == 2) call(G::plan_dft_r2c_2d, "plan_dft_r2c_2d")(p, n, n + 1, a.ri, a.co(), &flags);
        if (rank == 3) call(G::plan_dft_r2c_3d, "plan_dft_r2c_3d")(p, n, n + 1, n + 2, a.ri, a.co(), &flags);
      });
      verify(c2r, [&](Plan* p, const Arrays& a) {
        if (rank == 1) call(G::plan_dft_c2r_1d, "plan_dft_c2r_1d")(p, n, a.ci(), a.ro, &flags);
        if (rank == 2) call(G::plan_dft_c2r_2d, "plan_dft_c2r_2d")(p, n, n + 1, a.ci(), a.ro, &flags);
        if (rank == 3) call(G::plan_dft_c2r_3d, "plan_dft_c2r_3d")(p, n, n + 1, n + 2, a.ci(), a.ro, &flags);
      });
      verify(r2r, [&](Plan* p, const Arrays& a) {
        if (rank == 1) call(G::plan_r2r_1d, "plan_r2r_1d")(p, n, a.ri, a.ro, kinds, &flags);
        if (rank == 2) call(G::plan_r2r_2d, "plan_r2r_2d")(p, n, n + 1, a.ri, a.ro, kinds, kinds + 1, &flags);
        if (rank == 3) call(G::plan_r2r_3d, "plan_r2r_3d")(p, n, n + 1, n + 2, a.ri, a.ro, kinds, kinds + 1, kinds + 2, &flags);
      });
    }
    const int two = 2, one = 1, batch = 2, of_15 = 15, of_9 = 9;
    const int half[] = {3, 3};
    const RealKind pair[] = {FFTW_DHT, FFTW_RODFT01};
    verify(dense_case(Fftw3Kind::kC2C, {3, 5}, 2, -1, {}), [&](Plan* p, const Arrays& a) {
      call(G::plan_many_dft, "plan_many_dft")(p, &two, n, &batch, a.ci(), n, &one, &of_15, a.co(), n, &one, &of_15, &forward,
                                              &flags);
    });
    verify(dense_case(Fftw3Kind::kR2C, {3, 5}, 2, -1, {}), [&](Plan* p, const Arrays& a) {
      call(G::plan_many_dft_r2c, "plan_many_dft_r2c")(p, &two, n, &batch, a.ri, n, &one, &of_15, a.co(), half, &one, &of_9,
                                                      &flags);
    });
    verify(dense_case(Fftw3Kind::kC2R, {3, 5}, 2, 1, {}), [&](Plan* p, const Arrays& a) {
      call(G::plan_many_dft_c2r, "plan_many_dft_c2r")(p, &two, n, &batch, a.ci(), half, &one, &of_9, a.ro, n, &one, &of_15,
                                                      &flags);
    });
    verify(dense_case(Fftw3Kind::kR2R, {3, 5}, 2, -1, {FFTW_RODFT01, FFTW_DHT}), [&](Plan* p, const Arrays& a) {
      call(G::plan_many_r2r, "plan_many_r2r")(p, &two, n, &batch, a.ri, n, &one, &of_15, a.ro, n, &one, &of_15, pair, &flags);
    });
  }

  // Guru dimensions are in the order of C: the halved one is last. Their kinds are not.
  void guru() {
    const int flags = FFTW_ESTIMATE, backward = 1, two = 2, one = 1;
    const RealKind kinds[] = {FFTW_RODFT01, FFTW_DHT};
    const auto sizes = [](const std::vector<Fftw3Dim>& dims, bool split, bool in_pairs, bool out_pairs) {
      std::vector<std::vector<int>> out(3);
      for (const Fftw3Dim& dim : dims) {
        out[0].push_back(static_cast<int>(dim.n));
        out[1].push_back(static_cast<int>(dim.is / (!split && in_pairs ? 2 : 1)));
        out[2].push_back(static_cast<int>(dim.os / (!split && out_pairs ? 2 : 1)));
      }
      return out;
    };
    const auto planned = [&](const Fftw3Case& problem, bool split, const auto& make) {
      const auto d = sizes(problem.dims, split, problem.complex_in(), problem.complex_out());
      const auto l = sizes(problem.loops, split, problem.complex_in(), problem.complex_out());
      verify(
          problem,
          [&](Plan* p, const Arrays& a) {
            make(p, a, d[0].data(), d[1].data(), d[2].data(), l[0].data(), l[1].data(), l[2].data());
          },
          split);
    };
    const Fftw3Case r2c = dense_case(Fftw3Kind::kR2C, {3, 5}, 2, -1, {}), c2r = dense_case(Fftw3Kind::kC2R, {3, 5}, 2, 1, {});
    planned(
        dense_case(Fftw3Kind::kC2C, {3, 5}, 2, 1, {}), false,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_dft, "plan_guru_dft")(p, &two, n, is, os, &one, hn, his, hos, a.ci(), a.co(), &backward, &flags);
        });
    planned(
        r2c, false,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_dft_r2c, "plan_guru_dft_r2c")(p, &two, n, is, os, &one, hn, his, hos, a.ri, a.co(), &flags);
        });
    planned(
        c2r, false,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_dft_c2r, "plan_guru_dft_c2r")(p, &two, n, is, os, &one, hn, his, hos, a.ci(), a.ro, &flags);
        });
    planned(
        dense_case(Fftw3Kind::kR2R, {3, 5}, 2, -1, {kinds[1], kinds[0]}), false,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_r2r, "plan_guru_r2r")(p, &two, n, is, os, &one, hn, his, hos, a.ri, a.ro, kinds, &flags);
        });
    planned(
        apart(dense_case(Fftw3Kind::kC2C, {3, 5}, 2, -1, {})), true,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_split_dft, "plan_guru_split_dft")(p, &two, n, is, os, &one, hn, his, hos, a.ri, a.ii, a.ro, a.io,
                                                              &flags);
        });
    planned(
        apart(r2c), true,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_split_dft_r2c, "plan_guru_split_dft_r2c")(p, &two, n, is, os, &one, hn, his, hos, a.ri, a.ro, a.io,
                                                                      &flags);
        });
    planned(
        apart(c2r), true,
        [&](Plan* p, const Arrays& a, const int* n, const int* is, const int* os, const int* hn, const int* his, const int* hos) {
          call(G::plan_guru_split_dft_c2r, "plan_guru_split_dft_c2r")(p, &two, n, is, os, &one, hn, his, hos, a.ri, a.ii, a.ro,
                                                                      &flags);
        });
  }

  void others() {
    int result = -1;
    const int three = 3;
    call(G::init_threads, "init_threads")(&result);
    EXPECT_NE(result, 0);
    call(G::plan_with_nthreads, "plan_with_nthreads")(&three);
    call(G::planner_nthreads, "planner_nthreads")(&result);
    EXPECT_EQ(result, 3);
    call(G::cleanup_threads, "cleanup_threads")();
    const double seconds = 0.05;
    call(G::set_timelimit, "set_timelimit")(&seconds);

    Real numbers[64] = {};
    Plan plan = nullptr;
    const int n = 60, measure = FFTW_MEASURE, wisdom_only = FFTW_WISDOM_ONLY;
    const RealKind kind = FFTW_R2HC;
    call(G::forget_wisdom, "forget_wisdom")();
    G::plan_r2r_1d(&plan, &n, numbers, numbers, &kind, &wisdom_only);
    EXPECT_EQ(plan, nullptr);
    G::plan_r2r_1d(&plan, &n, numbers, numbers, &kind, &measure);
    ASSERT_NE(plan, nullptr);
    double add = 0, mul = 0, fma = 0, cost = 0;
    call(G::flops, "flops")(&plan, &add, &mul, &fma);
    call(G::estimate_cost, "estimate_cost")(&cost, &plan);
    EXPECT_EQ(cost, add + mul + 2 * fma);
    call(G::cost, "cost")(&cost, &plan);
    EXPECT_GT(cost, 0);
    ::testing::internal::CaptureStdout();
    call(G::print_plan, "print_plan")(&plan);
    EXPECT_NE(::testing::internal::GetCapturedStdout(), "");
    call(G::destroy_plan, "destroy_plan")(&plan);

    struct Stream {
      std::string text;
      std::size_t at = 0;
    } stream;
    call(G::export_wisdom, "export_wisdom")([](char* c, void* data) { static_cast<Stream*>(data)->text += *c; }, &stream);
    G::forget_wisdom();
    call(G::import_wisdom, "import_wisdom")(
        &result,
        [](int* c, void* data) {
          auto& from = *static_cast<Stream*>(data);
          *c = from.at < from.text.size() ? from.text[from.at++] : -1;
        },
        &stream);
    EXPECT_EQ(result, 1);
    G::plan_r2r_1d(&plan, &n, numbers, numbers, &kind, &wisdom_only);
    EXPECT_NE(plan, nullptr);
    G::destroy_plan(&plan);
    result = -1;
    call(G::import_system_wisdom, "import_system_wisdom")(&result);
    EXPECT_NE(result, -1);
    call(G::cleanup, "cleanup")();
    for (const char* name : kFortranNames) EXPECT_TRUE(used_.count(name) == 1) << name << " of the table is called by no check";
  }

 private:
  template <typename Function>
  Function call(Function function, const std::string& name) {
    used_.insert(name);
    return function;
  }

  void verify(const Fftw3Case& problem, const Make& make, bool split = false) {
    std::mt19937_64 random(11);
    const Lying lying{split ? 64 : 1, 0};
    Fftw3Array<Real> in(problem, false, lying), out(problem, true, lying), other(problem, true, {lying.im, 1});
    in.fill(random);
    const std::vector<std::complex<long double>> want = transform(problem, in.read());
    const std::vector<Real> kept = in.memory();
    Plan plan = nullptr;
    make(&plan, {in.re(), in.im(), out.re(), out.im()});
    ASSERT_NE(plan, nullptr) << describe(problem);
    call(G::execute, "execute")(&plan);
    EXPECT_LE(relative_l2(out.read(), want), kBound<Real>) << describe(problem);
    in.memory() = kept;
    execute_on(problem.kind, split, &plan, {in.re(), in.im(), other.re(), other.im()});
    EXPECT_LE(relative_l2(other.read(), want), kBound<Real>) << describe(problem);
    G::destroy_plan(&plan);
  }

  void execute_on(Fftw3Kind kind, bool split, const Plan* plan, const Arrays& a) {
    if (kind == Fftw3Kind::kR2R) return call(G::execute_r2r, "execute_r2r")(plan, a.ri, a.ro);
    if (kind == Fftw3Kind::kC2C && split) return call(G::execute_split_dft, "execute_split_dft")(plan, a.ri, a.ii, a.ro, a.io);
    if (kind == Fftw3Kind::kC2C) return call(G::execute_dft, "execute_dft")(plan, a.ci(), a.co());
    if (kind == Fftw3Kind::kR2C && split) return call(G::execute_split_dft_r2c, "execute_split_dft_r2c")(plan, a.ri, a.ro, a.io);
    if (kind == Fftw3Kind::kR2C) return call(G::execute_dft_r2c, "execute_dft_r2c")(plan, a.ri, a.co());
    if (split) return call(G::execute_split_dft_c2r, "execute_split_dft_c2r")(plan, a.ri, a.ii, a.ro);
    call(G::execute_dft_c2r, "execute_dft_c2r")(plan, a.ci(), a.ro);
  }

  std::set<std::string> used_;
};

template <typename Real, int kUnderscores>
void check_fortran() {
  FortranNames<Real, kUnderscores> names;
  names.transforms();
  names.guru();
  names.others();
}

TEST(Fftw3Fortran, NamesWithOneUnderscoreInDouble) { check_fortran<double, 1>(); }
TEST(Fftw3Fortran, NamesWithTwoUnderscoresInDouble) { check_fortran<double, 2>(); }
TEST(Fftw3Fortran, NamesWithOneUnderscoreInFloat) { check_fortran<float, 1>(); }
TEST(Fftw3Fortran, NamesWithTwoUnderscoresInFloat) { check_fortran<float, 2>(); }

}  // namespace
}  // namespace ulpfft::test

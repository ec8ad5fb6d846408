// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every name of the table is called, in both precisions and, where there is one, by both its names of Fortran 77, and does what
// the table says. A name that no check calls fails.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fftw3_api.h"
#include "tests/fftw3/dense_case.h"
#include "tests/fftw3/run_case.h"
#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

using Kind = Fftw3Kind;

template <typename Real>
class Names {
 public:
  using F = Fftw<Real>;
  using Complex = typename F::Complex;
  using Plan = typename F::Plan;
  using RealKind = typename F::Kind;
  struct Pointers {
    Real *ri, *ii, *ro, *io;
    Complex* ci() const { return reinterpret_cast<Complex*>(ri); }
    Complex* co() const { return reinterpret_cast<Complex*>(ro); }
  };
  static constexpr unsigned kFlags = FFTW_ESTIMATE;

  void transforms() {
    const RealKind kinds[] = {FFTW_REDFT10, FFTW_RODFT01, FFTW_DHT};
    const int n[] = {4, 3, 5};
    for (int rank = 1; rank <= 3; ++rank) {
      const std::vector<std::int64_t> lengths(n, n + rank);
      const std::vector<int> r2r_kinds(kinds, kinds + rank);
      const Fftw3Case c2c = dense_case(Kind::kC2C, lengths, 0, 1, {}), r2c = dense_case(Kind::kR2C, lengths, 0, -1, {});
      const Fftw3Case c2r = dense_case(Kind::kC2R, lengths, 0, 1, {}), r2r = dense_case(Kind::kR2R, lengths, 0, -1, r2r_kinds);
      verify(c2c,
             [&](const Pointers& p) { return call(F::plan_dft, "plan_dft")(rank, n, p.ci(), p.co(), FFTW_BACKWARD, kFlags); });
      verify(r2c, [&](const Pointers& p) { return call(F::plan_dft_r2c, "plan_dft_r2c")(rank, n, p.ri, p.co(), kFlags); });
      verify(c2r, [&](const Pointers& p) { return call(F::plan_dft_c2r, "plan_dft_c2r")(rank, n, p.ci(), p.ro, kFlags); });
      verify(r2r, [&](const Pointers& p) { return call(F::plan_r2r, "plan_r2r")(rank, n, p.ri, p.ro, kinds, kFlags); });
      verify(c2c, [&](const Pointers& p) { return by_rank(rank, p, n, FFTW_BACKWARD); });
      verify(r2c, [&](const Pointers& p) {
        if (rank == 1) return call(F::plan_dft_r2c_1d, "plan_dft_r2c_1d")(4, p.ri, p.co(), kFlags);
        if (rank == 2) return call(F::plan_dft_r2c_2d, "plan_dft_r2c_2d")(4, 3, p.ri, p.co(), kFlags);
        return call(F::plan_dft_r2c_3d, "plan_dft_r2c_3d")(4, 3, 5, p.ri, p.co(), kFlags);
      });
      verify(c2r, [&](const Pointers& p) {
        if (rank == 1) return call(F::plan_dft_c2r_1d, "plan_dft_c2r_1d")(4, p.ci(), p.ro, kFlags);
        if (rank == 2) return call(F::plan_dft_c2r_2d, "plan_dft_c2r_2d")(4, 3, p.ci(), p.ro, kFlags);
        return call(F::plan_dft_c2r_3d, "plan_dft_c2r_3d")(4, 3, 5, p.ci(), p.ro, kFlags);
      });
      verify(r2r, [&](const Pointers& p) {
        if (rank == 1) return call(F::plan_r2r_1d, "plan_r2r_1d")(4, p.ri, p.ro, kinds[0], kFlags);
        if (rank == 2) return call(F::plan_r2r_2d, "plan_r2r_2d")(4, 3, p.ri, p.ro, kinds[0], kinds[1], kFlags);
        return call(F::plan_r2r_3d, "plan_r2r_3d")(4, 3, 5, p.ri, p.ro, kinds[0], kinds[1], kinds[2], kFlags);
      });
    }
  }

  void batches() {
    const int n[] = {3, 4};
    const RealKind kinds[] = {FFTW_RODFT11, FFTW_R2HC};
    const Fftw3Case c2c = dense_case(Kind::kC2C, {3, 4}, 2, -1, {}), r2c = dense_case(Kind::kR2C, {3, 4}, 2, -1, {});
    const Fftw3Case c2r = dense_case(Kind::kC2R, {3, 4}, 2, 1, {}),
                    r2r = dense_case(Kind::kR2R, {3, 4}, 2, -1, {kinds[0], kinds[1]});
    verify(c2c, [&](const Pointers& p) {
      return call(F::plan_many_dft, "plan_many_dft")(2, n, 2, p.ci(), nullptr, 1, 12, p.co(), nullptr, 1, 12, FFTW_FORWARD,
                                                     kFlags);
    });
    verify(r2c, [&](const Pointers& p) {
      return call(F::plan_many_dft_r2c, "plan_many_dft_r2c")(2, n, 2, p.ri, nullptr, 1, 12, p.co(), nullptr, 1, 9, kFlags);
    });
    verify(c2r, [&](const Pointers& p) {
      return call(F::plan_many_dft_c2r, "plan_many_dft_c2r")(2, n, 2, p.ci(), nullptr, 1, 9, p.ro, nullptr, 1, 12, kFlags);
    });
    verify(r2r, [&](const Pointers& p) {
      return call(F::plan_many_r2r, "plan_many_r2r")(2, n, 2, p.ri, nullptr, 1, 12, p.ro, nullptr, 1, 12, kinds, kFlags);
    });
  }

  template <typename Iodim>
  void guru(const char* name, auto c2c, auto r2c, auto c2r, auto r2r, auto split_c2c, auto split_r2c, auto split_c2r) {
    const std::string stem = name;
    const RealKind kinds[] = {FFTW_REDFT00, FFTW_HC2R};
    const auto both = [&](const Fftw3Case& problem, bool split, const auto& make) {
      std::vector<Iodim> dims, loops;
      const int in_unit = !split && problem.complex_in() ? 2 : 1, out_unit = !split && problem.complex_out() ? 2 : 1;
      for (auto [from, to] : {std::pair{&problem.dims, &dims}, std::pair{&problem.loops, &loops}}) {
        for (const Fftw3Dim& dim : *from) {
          using Number = decltype(Iodim::n);
          to->push_back(
              {static_cast<Number>(dim.n), static_cast<Number>(dim.is / in_unit), static_cast<Number>(dim.os / out_unit)});
        }
      }
      verify(
          problem, [&](const Pointers& p) { return make(dims.data(), loops.data(), p); }, split);
    };
    const Fftw3Case of_c2c = dense_case(Kind::kC2C, {3, 4}, 2, 1, {}), of_r2c = dense_case(Kind::kR2C, {3, 4}, 2, -1, {});
    const Fftw3Case of_c2r = dense_case(Kind::kC2R, {3, 4}, 2, 1, {}),
                    of_r2r = dense_case(Kind::kR2R, {3, 4}, 2, -1, {kinds[0], kinds[1]});
    const Fftw3Case forward = apart(dense_case(Kind::kC2C, {3, 4}, 2, -1, {}));
    both(of_c2c, false, [&](auto* d, auto* l, const Pointers& p) {
      return call(c2c, "plan_" + stem + "_dft")(2, d, 1, l, p.ci(), p.co(), FFTW_BACKWARD, kFlags);
    });
    both(of_r2c, false, [&](auto* d, auto* l, const Pointers& p) {
      return call(r2c, "plan_" + stem + "_dft_r2c")(2, d, 1, l, p.ri, p.co(), kFlags);
    });
    both(of_c2r, false, [&](auto* d, auto* l, const Pointers& p) {
      return call(c2r, "plan_" + stem + "_dft_c2r")(2, d, 1, l, p.ci(), p.ro, kFlags);
    });
    both(of_r2r, false, [&](auto* d, auto* l, const Pointers& p) {
      return call(r2r, "plan_" + stem + "_r2r")(2, d, 1, l, p.ri, p.ro, kinds, kFlags);
    });
    both(forward, true, [&](auto* d, auto* l, const Pointers& p) {
      return call(split_c2c, "plan_" + stem + "_split_dft")(2, d, 1, l, p.ri, p.ii, p.ro, p.io, kFlags);
    });
    both(apart(of_r2c), true, [&](auto* d, auto* l, const Pointers& p) {
      return call(split_r2c, "plan_" + stem + "_split_dft_r2c")(2, d, 1, l, p.ri, p.ro, p.io, kFlags);
    });
    both(apart(of_c2r), true, [&](auto* d, auto* l, const Pointers& p) {
      return call(split_c2r, "plan_" + stem + "_split_dft_c2r")(2, d, 1, l, p.ri, p.ii, p.ro, kFlags);
    });
  }

  void memory() {
    void* const bytes = call(F::malloc, "malloc")(100);
    Real* const real = call(F::alloc_real, "alloc_real")(10);
    Complex* const complex = call(F::alloc_complex, "alloc_complex")(10);
    for (const void* p : {static_cast<const void*>(bytes), static_cast<const void*>(real), static_cast<const void*>(complex)}) {
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0U);
    }
    real[9] = 1;
    complex[9][1] = 1;
    call(F::free, "free")(bytes);
    F::free(nullptr);
    std::free(real);  // what FFTW calls undefined, and programs do
    F::free(complex);
    EXPECT_EQ(F::alloc_complex(SIZE_MAX / 2), nullptr);
    Real* const large = F::alloc_real(std::size_t{3} << 20);
    ASSERT_NE(large, nullptr);
    large[(std::size_t{3} << 20) - 1] = 1;
    std::free(large);
    void* const none = F::malloc(0);
    EXPECT_NE(none, nullptr);
    F::free(none);
    Real numbers[4];
    EXPECT_EQ(call(F::alignment_of, "alignment_of")(numbers), F::alignment_of(numbers + 1));
  }

  void plans() {
    Real in[16] = {}, out[16];
    Plan plan = F::plan_dft_1d(8, reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out), FFTW_FORWARD, kFlags);
    Plan copy = call(F::copy_plan, "copy_plan")(plan);
    call(F::destroy_plan, "destroy_plan")(plan);
    F::destroy_plan(nullptr);
    EXPECT_EQ(F::copy_plan(nullptr), nullptr);
    in[0] = 3;
    call(F::execute, "execute")(copy);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(out[2 * k], 3);
    double add = -1, mul = -1, fma = -1;
    call(F::flops, "flops")(copy, &add, &mul, &fma);
    EXPECT_GT(add + mul + fma, 20);
    EXPECT_EQ(call(F::estimate_cost, "estimate_cost")(copy), add + mul + 2 * fma);
    EXPECT_GT(call(F::cost, "cost")(copy), 0);
    char* const text = call(F::sprint_plan, "sprint_plan")(copy);
    EXPECT_EQ(std::string(text).rfind("(ulpfft \"8 f", 0), 0U) << text;
    EXPECT_EQ(printed([&](std::FILE* file) { call(F::fprint_plan, "fprint_plan")(copy, file); }), text);
    std::fflush(stdout);
    ::testing::internal::CaptureStdout();
    call(F::print_plan, "print_plan")(copy);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), text);
    std::free(text);
    call(F::cleanup, "cleanup")();
    in[0] = 5;
    F::execute(copy);  // plans outlive it
    EXPECT_EQ(out[14], 5);
    F::destroy_plan(copy);
    call(F::set_timelimit, "set_timelimit")(0.01);
    F::set_timelimit(FFTW_NO_TIMELIMIT);
    EXPECT_EQ(std::string(F::version), "fftw-3.3.10-ulpfft");
    EXPECT_NE(std::string(F::cc), "");
    EXPECT_EQ(std::string(F::codelet_optim), "");
    for (const char* name : {"version", "cc", "codelet_optim"}) used_.insert(name);
  }

  void wisdom() {
    Real in[64] = {}, out[64];
    call(F::forget_wisdom, "forget_wisdom")();
    const auto plan = [&](unsigned flags) { return F::plan_r2r_1d(50, in, out, FFTW_DHT, flags); };
    const auto knows = [&] {
      Plan known = plan(FFTW_WISDOM_ONLY);
      F::destroy_plan(known);
      return known != nullptr;
    };
    EXPECT_FALSE(knows());
    F::destroy_plan(plan(FFTW_MEASURE));
    EXPECT_TRUE(knows());
    char* const text = call(F::export_wisdom_to_string, "export_wisdom_to_string")();
    const std::string wisdom = text;
    std::free(text);
    EXPECT_EQ(printed([&](std::FILE* file) { call(F::export_wisdom_to_file, "export_wisdom_to_file")(file); }), wisdom);
    std::string by_characters;
    call(F::export_wisdom, "export_wisdom")([](char c, void* data) { *static_cast<std::string*>(data) += c; }, &by_characters);
    EXPECT_EQ(by_characters, wisdom);
    const std::string path = ::testing::TempDir() + "/fftw3_wisdom_" + std::to_string(getpid());
    EXPECT_EQ(call(F::export_wisdom_to_filename, "export_wisdom_to_filename")(path.c_str()), 1);
    EXPECT_EQ(F::export_wisdom_to_filename("/nonexistent/wisdom"), 0);

    const auto brings_it_back = [&](const char* how, const std::function<int()>& import) {
      F::forget_wisdom();
      EXPECT_FALSE(knows()) << how;
      EXPECT_EQ(import(), 1) << how;
      EXPECT_TRUE(knows()) << how;
    };
    brings_it_back("string", [&] { return call(F::import_wisdom_from_string, "import_wisdom_from_string")(wisdom.c_str()); });
    brings_it_back("filename", [&] { return call(F::import_wisdom_from_filename, "import_wisdom_from_filename")(path.c_str()); });
    brings_it_back("file", [&] {
      std::FILE* const file = std::fopen(path.c_str(), "r");
      const int taken = call(F::import_wisdom_from_file, "import_wisdom_from_file")(file);
      std::fclose(file);
      return taken;
    });
    // A part of a longer text, of which the rest is not read.
    std::pair<std::string, std::size_t> stream{wisdom + "rest", 0};
    brings_it_back("function", [&] {
      return call(F::import_wisdom, "import_wisdom")(
          [](void* data) {
            auto& from = *static_cast<std::pair<std::string, std::size_t>*>(data);
            return from.second < from.first.size() ? static_cast<int>(from.first[from.second++]) : EOF;
          },
          &stream);
    });
    EXPECT_EQ(stream.first.substr(stream.second).find_first_not_of("\nrest"), std::string::npos) << stream.second;
    for (const char* bad : {"", "garbage", "(fftw-3.3.10 fftw_wisdom #x458a31c8 #x92381c4c #x4f974889 #xcd46f97e\n)\n", "{", "{}",
                            "{\"a\":\"}", "[]"}) {
      EXPECT_EQ(F::import_wisdom_from_string(bad), 0) << bad;
    }
    EXPECT_EQ(F::import_wisdom_from_filename("/nonexistent/wisdom"), 0);
    std::FILE* const system = std::fopen(ulpfft_wisdom_system_path(), "r");
    const int taken = call(F::import_system_wisdom, "import_system_wisdom")();
    if (system == nullptr) {
      EXPECT_EQ(taken, 0);
    } else {
      std::fclose(system);
    }
    std::remove(path.c_str());
  }

  void threads() {
    EXPECT_NE(call(F::init_threads, "init_threads")(), 0);
    call(F::make_planner_thread_safe, "make_planner_thread_safe")();
    call(F::plan_with_nthreads, "plan_with_nthreads")(4);
    EXPECT_EQ(call(F::planner_nthreads, "planner_nthreads")(), 4);
    // A caller's loop runs what a large batch shares out.
    static int loops;
    loops = 0;
    const auto loop = [](void* (*work)(char*), char* jobs, std::size_t bytes, int count, void* data) {
      ++*static_cast<int*>(data);
      std::vector<std::thread> team;
      for (int i = 0; i < count; ++i) team.emplace_back([=] { work(jobs + bytes * static_cast<std::size_t>(i)); });
      for (std::thread& one : team) one.join();
    };
    call(F::threads_set_callback, "threads_set_callback")(loop, &loops);
    const int n = 1024, batch = 256;
    std::vector<Real> in(2 * n * batch, Real{1}), out(2 * n * batch);
    Plan plan = F::plan_many_dft(1, &n, batch, reinterpret_cast<Complex*>(in.data()), nullptr, 1, n,
                                 reinterpret_cast<Complex*>(out.data()), nullptr, 1, n, FFTW_FORWARD, kFlags);
    F::execute(plan);
    EXPECT_GT(loops, 0);
    EXPECT_EQ(out[2 * n], n);
    F::threads_set_callback(nullptr, nullptr);
    F::execute(plan);  // the loop was sampled when it was planned
    F::destroy_plan(plan);
    call(F::cleanup_threads, "cleanup_threads")();
    EXPECT_EQ(F::planner_nthreads(), 1);
  }

  // The new-array functions are called by verify().
  void expect_all_used() const {
    for (const char* name : kNames) EXPECT_TRUE(used_.count(name) == 1) << name << " of the table is called by no check";
  }

 private:
  template <typename Function>
  Function call(Function function, const std::string& name) {
    used_.insert(name);
    return function;
  }

  Plan by_rank(int rank, const Pointers& p, const int* n, int sign) {
    if (rank == 1) return call(F::plan_dft_1d, "plan_dft_1d")(n[0], p.ci(), p.co(), sign, kFlags);
    if (rank == 2) return call(F::plan_dft_2d, "plan_dft_2d")(n[0], n[1], p.ci(), p.co(), sign, kFlags);
    return call(F::plan_dft_3d, "plan_dft_3d")(n[0], n[1], n[2], p.ci(), p.co(), sign, kFlags);
  }

  // Executes the plan on its own arrays, and on others by the function for them.
  void verify(const Fftw3Case& problem, const std::function<Plan(const Pointers&)>& make, bool split = false) {
    std::mt19937_64 random(7);
    const Lying lying{split ? 64 : 1, 0};
    Fftw3Array<Real> in(problem, false, lying), out(problem, true, lying), other_in(problem, false, {lying.im, 1}),
        other_out(problem, true, {lying.im, 3});
    in.fill(random);
    std::vector<std::complex<long double>> want = transform(problem, in.read());
    Plan plan = make({in.re(), in.im(), out.re(), out.im()});
    ASSERT_NE(plan, nullptr) << describe(problem) << ": " << ulpfft_last_error();
    F::execute(plan);
    EXPECT_LE(relative_l2(out.read(), want), kBound<Real>) << describe(problem);
    other_in.fill(random);
    want = transform(problem, other_in.read());
    execute_on(problem.kind, split, plan, {other_in.re(), other_in.im(), other_out.re(), other_out.im()});
    EXPECT_LE(relative_l2(other_out.read(), want), kBound<Real>) << describe(problem);
    F::destroy_plan(plan);
  }

  void execute_on(Kind kind, bool split, Plan plan, const Pointers& p) {
    if (kind == Kind::kR2R) return call(F::execute_r2r, "execute_r2r")(plan, p.ri, p.ro);
    if (kind == Kind::kC2C && split) return call(F::execute_split_dft, "execute_split_dft")(plan, p.ri, p.ii, p.ro, p.io);
    if (kind == Kind::kC2C) return call(F::execute_dft, "execute_dft")(plan, p.ci(), p.co());
    if (kind == Kind::kR2C && split) return call(F::execute_split_dft_r2c, "execute_split_dft_r2c")(plan, p.ri, p.ro, p.io);
    if (kind == Kind::kR2C) return call(F::execute_dft_r2c, "execute_dft_r2c")(plan, p.ri, p.co());
    if (split) return call(F::execute_split_dft_c2r, "execute_split_dft_c2r")(plan, p.ri, p.ii, p.ro);
    call(F::execute_dft_c2r, "execute_dft_c2r")(plan, p.ci(), p.ro);
  }

  static std::string printed(const std::function<void(std::FILE*)>& print) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const file = open_memstream(&text, &size);
    print(file);
    std::fclose(file);
    const std::string out(text, size);
    std::free(text);
    return out;
  }

  std::set<std::string> used_;
};

template <typename Real>
void check_names() {
  using F = Fftw<Real>;
  Names<Real> names;
  names.transforms();
  names.batches();
  names.template guru<typename F::Iodim>("guru", F::plan_guru_dft, F::plan_guru_dft_r2c, F::plan_guru_dft_c2r, F::plan_guru_r2r,
                                         F::plan_guru_split_dft, F::plan_guru_split_dft_r2c, F::plan_guru_split_dft_c2r);
  names.template guru<typename F::Iodim64>("guru64", F::plan_guru64_dft, F::plan_guru64_dft_r2c, F::plan_guru64_dft_c2r,
                                           F::plan_guru64_r2r, F::plan_guru64_split_dft, F::plan_guru64_split_dft_r2c,
                                           F::plan_guru64_split_dft_c2r);
  names.memory();
  names.plans();
  names.wisdom();
  names.threads();
  names.expect_all_used();
}

TEST(Fftw3Names, EachOfTheTableDoesWhatItSaysInDouble) { check_names<double>(); }
TEST(Fftw3Names, EachOfTheTableDoesWhatItSaysInFloat) { check_names<float>(); }

}  // namespace
}  // namespace ulpfft::test

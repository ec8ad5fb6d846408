// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs as texts.
#include <gtest/gtest.h>

#include <string>

#include "planner/program/print.h"
#include "tests/planner/made_program.h"

namespace ulpfft::test {
namespace {

struct Printed {
  const char *problem, *recipe, *target, *text;  // after store
};
constexpr Printed kPrinted[] = {
    {"1000*3 f32 centered", "f32:dit(8 5 / 5 5)", "ref", R"(scheme f32, f32 reals
w0   2000 reals
t0   twiddles(40, 8)  t5, vectors of 1
t1   twiddles(200, 40)  t5, vectors of 1
t2   twiddles(1000, 200)  t5, k 0..99, vectors of 1
t3   twiddles(1000, 200)  t5, k 100..199, vectors of 1
r0   digits(8 5 5 5)  columns 0..124 in vectors of 1, else row 125
3 times: in +8000, out +8000 bytes  parallel
  take w0
  n8 first  in[250 p + 2 l + 1000 | -2000 from p=4] -> w0[16 row + 2 p]        p<8 l<125       rows r0
  t5 later  w0[16 p + 2 l + 80 a] in place                                     p<5 l<8 a<25    table t0
  t5 later  w0[80 p + 2 l + 400 a] in place                                    p<5 l<40 a<5    table t1
  t5 later  w0[400 p + 2 l] -> out[400 p + 2 l + 1000 | -2000 from p=3]        p<5 l<100       table t2
  t5 later  w0[400 p + 2 l + 200] -> out[400 p + 2 l + 1200 | -2000 from p=2]  p<5 l<100       table t3
release w0
)"},
    {"101 f64", "f64:rader(101; dit(10 5 2))", "ref", R"(scheme f64, f64 reals
w0   402 reals
t0   rader filter(101; 100)
t1   twiddles(50, 10)  t5, vectors of 1
t2   twiddles(100, 50)  t2, vectors of 1
t3   twiddles(50, 10)  t5, vectors of 1
t4   twiddles(100, 50)  t2, vectors of 1
r0   0..0
r1   powers mod 101
r2   digits(10 5 2)  columns 0..9 in vectors of 1, else row 10
r3   digits(10 5 2)  columns 0..9 in vectors of 1, else row 10
r4   row 200, inverse logarithms mod 101
take w0
gather     in[2 row] -> w0[2 p]                                p<100           rows r1
gather     in[2 row] -> w0[400]                                                rows r0
n10 first  w0[20 p + 2 l] -> w0[20 row + 2 p + 200]            p<10 l<10       rows r2
t5 later   w0[20 p + 2 l + 100 a + 200] in place               p<5 l<10 a<2    table t1
t2 later   w0[100 p + 2 l + 200] in place                      p<2 l<50        table t2
convolve   w0[2 p + 200] in place                              p<100           table t0
n10 first  w0[20 p + 2 l + 200 | swapped] -> w0[20 row + 2 p]  p<10 l<10       rows r3
t5 later   w0[20 p + 2 l + 100 a] in place                     p<5 l<10 a<2    table t3
t2 later   w0[100 p + 2 l] -> w0[100 p + 2 l | swapped]        p<2 l<50        table t4
gather     w0[2 row] -> out[2 p]                               p<101           rows r4
release w0
)"},
    {"100 f32", "f32:dit(10 5 2)", "avx2", R"(scheme f32, f32 reals
w0   320 reals
t0   twiddles(50, 10)  t5, rows of 10, vectors of 8 in lane order
t1   twiddles(100, 50)  t2, rows of 10, vectors of 8 in lane order
r0   digits(10 5 2)  columns 0..9 in vectors of 8 in lane order, else row 10
take w0
n10 first  in[20 p + 2 l] -> w0[32 row + 16 (p/8) + p%8 | blocks 8, lane order]  p<10 l<10       rows r0
t5 later   w0[32 p + 2 l + 160 a | blocks 8, lane order] in place                p<5 l<16 a<2    table t0
t2 later   w0[160 p + 2 l | blocks 8, lane order] -> out[100 p + 2 l]            p<2 l<80        table t1, lanes in rows of 10
release w0
)"},
    {"2048 mxfp8_e4m3", "f32:four(32x64 p16; dit(8 4); dit(8 8))", "avx2", R"(scheme f32, f32 reals
in   mxfp8_e4m3, staged
out  mxfp8_e4m3, staged
w0   4096 reals
w1   1024 reals
w2   2048 reals
w3   1152 reals
w4   2304 reals
w5   2304 reals
t0   twist(2048)  32 rows, columns 0..63, panels of 16, vectors of 8, split after 16
t1   twiddles(32, 8)  t4, a set for each k
t2   twiddles(64, 8)  t8, a set for each k
r0   digits(8 4)
r1   digits(8 8)
take w0
4 times by number: w0 +2048 bytes  parallel
  take w1
  take w3
  n8 columns         in staged in w3 -> w1[32 p + 2 l + 256 row | blocks 8]          p<8 l<16 a<4    rows r0, decodes e4m3 in blocks of 32, 4 at a time
  release w3
  t4 columns         w1[256 p + 2 l + 32 b | blocks 8] in place                      p<4 l<16 b<8    table t1
  twist              w1[32 p + 2 l | blocks 8] -> w0[2048 (p/16) + 2 (p%16) + 32 l]  p<32 l<16       table t0 + 576 number
  release w1
where the output has exponents
  find the exponent                                                                                  by the passes behind
  2 times in panels by number: w0 +8192 bytes  parallel
    take w2
    n8 columns       w0[256 p + 2 l + 32 a] -> w2[32 p + 2 l + 256 row | blocks 8]   p<8 l<16 a<8    rows r1
    take w4
    t8 columns       w2[256 p + 2 l + 32 b | blocks 8] -> out staged in w4           p<8 l<16 b<8    table t2, looks at e4m3 in blocks of 32, 8 at a time
    release w4
    release w2
2 times in panels by number: w0 +8192 bytes  parallel
  take w2
  n8 columns         w0[256 p + 2 l + 32 a] -> w2[32 p + 2 l + 256 row | blocks 8]   p<8 l<16 a<8    rows r1
  take w5
  t8 columns         w2[256 p + 2 l + 32 b | blocks 8] -> out staged in w5           p<8 l<16 b<8    table t2, encodes e4m3 in blocks of 32, 8 at a time
  release w5
  release w2
release w0
)"},
    {"16x32 f16", "f32:rank(|bf16; cols(p16 stream; n16); dit(8 4 stream))", "avx2", R"(scheme f32, f32 reals
in   f16, staged
out  f16, staged
w0   529 reals, bf16 in rows of 64
w1   1024 reals
w2   80 reals
w3   544 reals
w4   512 reals
w5   544 reals
w6   512 reals
t0   twiddles(32, 8)  t4, vectors of 8 in lane order
r0   digits(8 4)  columns 0..3 in vectors of 8 in lane order, else row 4
take w0
take w1
decode rows          in[2 p + 64 a] -> w1[2 p + 64 a]                         p<32 a<16       f16
16 times: w1 +256 bytes  parallel
  take w2
  n8 first           w1[8 p + 2 l] -> w2[16 row + p | blocks 8, lane order]   p<8 l<4         rows r0
  t4 later           w2[16 p + 2 l | blocks 8, lane order] -> w1[16 p + 2 l]  p<4 l<8         table t0
release w2
encode rows          w1[2 p + 64 a] -> w0[2 p + 64 a]                         p<32 a<16       bf16
release w1
where the output has exponents
  find the exponent                                                                           by the passes behind
  2 times by number  parallel
    take w3
    take w4
    n16 columns      w0 staged in w4 -> out staged in w3                      p<16 l<16       decodes bf16, 1 at a time, looks at f16, 1 at a time, streams
    release w3
2 times by number  parallel
  take w5
  take w6
  n16 columns        w0 staged in w6 -> out staged in w5                      p<16 l<16       decodes bf16, 1 at a time, encodes f16, 1 at a time, streams
  release w5
release w0
)"},
};

TEST(Text, IsThatOfTheseFive) {
  for (const Printed& printed : kPrinted) {
    if (find_table(printed.target) == nullptr) continue;  // of another processor
    EXPECT_EQ(print_program(made_after(asked(printed.problem, printed.recipe, printed.target), "store")), printed.text) << printed.recipe;
  }
}

TEST(Text, TellsPlacesAndSharedLoops) {
  const Asked one = asked("64*6 f32 threads=2", "f32:dit(4 4 4)", "ref");
  EXPECT_EQ(print_program(made_after(one, "place")).find("split"), std::string::npos);
  const std::string shared = print_program(made_after(one, "share"));
  EXPECT_NE(shared.find("2 threads"), std::string::npos) << shared;
  EXPECT_NE(shared.find("w0   128 reals, at byte 0, slot 0"), std::string::npos) << shared;
  EXPECT_NE(shared.find("parallel split"), std::string::npos) << shared;
}

}  // namespace
}  // namespace ulpfft::test

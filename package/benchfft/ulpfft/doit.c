/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* ulpfft for benchfft: complex and real transforms of any rank and length, in place and out of place. */
#include "bench-user.h"
#include <stdio.h>
#include <ulpfft/ulpfft.h>

BEGIN_BENCH_DOC
BENCH_DOC("name", "ulpfft")
BENCH_DOC("year", "2026")
BENCH_DOC("author", "The ulpfft authors")
BENCH_DOC("language", "C++")
BENCH_DOC("copyright", "BSD-3-Clause OR Apache-2.0")
BENCH_DOCF("version", ulpfft_version)
END_BENCH_DOC

static ulpfft_plan *plan;

/* The problem as ulpfft's text, e.g. "r2c 1000x16 f32 inplace". Strides are dense, or those of padded rows in place, as benchfft has them. */
static int make_plan(struct problem *p, int effort)
{
     ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
     const char *kind = p->kind == PROBLEM_COMPLEX ? "c2c" : p->sign < 0 ? "r2c" : "c2r";
     char text[256];
     int length = snprintf(text, sizeof text, "%s ", kind);
     unsigned int i;

     for (i = 0; i < p->rank; ++i)
          length += snprintf(text + length, sizeof text - (size_t)length, "%s%u", i > 0 ? "x" : "", (unsigned int)p->n[i]);
     snprintf(text + length, sizeof text - (size_t)length, " %s%s%s", SINGLE_PRECISION ? "f32" : "f64",
              p->kind == PROBLEM_COMPLEX && p->sign > 0 ? " inverse" : "", problem_in_place(p) ? " inplace" : " destroy_input");
     options.effort = effort;
     return ulpfft_plan_parse_options(NULL, text, &options, &plan) == ULPFFT_OK;
}

int can_do(struct problem *p)
{
     if ((!SINGLE_PRECISION && !DOUBLE_PRECISION) || p->split || p->vrank > 0) return 0;
     if (!make_plan(p, ULPFFT_ESTIMATE)) return 0;
     ulpfft_plan_destroy(plan);
     return 1;
}

void copy_h2c(struct problem *p, bench_complex *out) { copy_h2c_unpacked(p, out, -1.0); }
void copy_c2h(struct problem *p, bench_complex *in) { copy_c2h_unpacked(p, in, -1.0); }
void copy_r2c(struct problem *p, bench_complex *out)
{
     if (problem_in_place(p)) copy_r2c_unpacked(p, out);
     else copy_r2c_packed(p, out);
}
void copy_c2r(struct problem *p, bench_complex *in)
{
     if (problem_in_place(p)) copy_c2r_unpacked(p, in);
     else copy_c2r_packed(p, in);
}

void setup(struct problem *p)
{
     BENCH_ASSERT(make_plan(p, ULPFFT_PATIENT));
}

void doit(int iter, struct problem *p)
{
     int i;
     for (i = 0; i < iter; ++i) {
          ulpfft_status status = ulpfft_execute(plan, p->in, p->out);
          (void)status; /* the arrays are those that the plan was made for */
     }
}

void done(struct problem *p)
{
     UNUSED(p);
     ulpfft_plan_destroy(plan);
}

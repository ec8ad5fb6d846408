// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the entry points call, in both precisions: arguments as FFTW has them, arrays without their types. None throws.
#ifndef ULPFFT_BINDINGS_FFTW3_API_H_
#define ULPFFT_BINDINGS_FFTW3_API_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "bindings/fftw3/planner.h"
#include "bindings/fftw3/problem.h"

namespace ulpfft::fftw3 {

// One side of a batch.
struct Side {
  const void* array;
  const int* embed;  // null: the transform's own lengths
  int stride, distance;
};

// Planning: a plan, or null. Kinds are those of r2r, as many as lengths; else null.
void* plan_basic(Kind kind, int rank, const int* n, const void* in, const void* out, int sign, const void* kinds,
                 unsigned flags) noexcept;
void* plan_basic(Kind kind, std::initializer_list<int> n, const void* in, const void* out, int sign,
                 std::initializer_list<int> kinds, unsigned flags) noexcept;
void* plan_many(Kind kind, int rank, const int* n, int loops, const Side& in, const Side& out, int sign, const void* kinds,
                unsigned flags) noexcept;
// Sizes by their address, three numbers each, of `bytes` (4 or 8) bytes.
void* plan_sizes(Kind kind, int rank, const void* dims, int loop_rank, const void* loops, std::size_t bytes, const Arrays& arrays,
                 bool split, int sign, const void* kinds, unsigned flags) noexcept;

template <typename Iodim>
void* plan_guru(Kind kind, int rank, const Iodim* dims, int loop_rank, const Iodim* loops, const void* in, const void* out,
                int sign, const void* kinds, unsigned flags) noexcept {
  void* const to = const_cast<void*>(out);
  return plan_sizes(kind, rank, dims, loop_rank, loops, sizeof(Iodim) / 3, {{in, in}, {to, to}}, false, sign, kinds, flags);
}
template <typename Iodim>
void* plan_guru_split(Kind kind, int rank, const Iodim* dims, int loop_rank, const Iodim* loops, std::initializer_list<void*> in,
                      std::initializer_list<void*> out, unsigned flags) noexcept {
  const Arrays arrays{{in.begin()[0], in.begin()[1]}, {out.begin()[0], out.begin()[1]}};
  return plan_sizes(kind, rank, dims, loop_rank, loops, sizeof(Iodim) / 3, arrays, true, -1, nullptr, flags);
}

void execute(const void* plan) noexcept;
void execute_on(const void* plan, const void* in, void* out) noexcept;
void execute_split(const void* plan, std::initializer_list<void*> in, std::initializer_list<void*> out) noexcept;

void destroy_plan(void* plan) noexcept;
void* copy_plan(void* plan) noexcept;
void cleanup() noexcept;
void cleanup_threads() noexcept;
void set_timelimit(double seconds) noexcept;
void plan_with_nthreads(int threads) noexcept;
int planner_nthreads() noexcept;
void set_callback(ParallelLoop loop, void* data) noexcept;

void flops(const void* plan, double* add, double* mul, double* fma) noexcept;
double estimate_cost(const void* plan) noexcept;
double cost(const void* plan) noexcept;
void fprint_plan(const void* plan, std::FILE* file) noexcept;
char* sprint_plan(const void* plan) noexcept;
// count * bytes of memory that free() frees; null where there is not so much.
void* allocate(std::size_t count, std::size_t bytes) noexcept;

// 1, or 0 on failure.
int export_wisdom_to_filename(const char* filename) noexcept;
void export_wisdom_to_file(std::FILE* file) noexcept;
char* export_wisdom_to_string() noexcept;
void export_wisdom(void (*write_char)(char, void*), void* data) noexcept;
void export_wisdom_fortran(void (*write_char)(char*, void*), void* data) noexcept;
int import_system_wisdom() noexcept;
int import_wisdom_from_filename(const char* filename) noexcept;
int import_wisdom_from_file(std::FILE* file) noexcept;
int import_wisdom_from_string(const char* text) noexcept;
int import_wisdom(int (*read_char)(void*), void* data) noexcept;
int import_wisdom_fortran(void (*read_char)(int*, void*), void* data) noexcept;
void forget_wisdom() noexcept;

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_API_H_

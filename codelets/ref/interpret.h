// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Runs a body from its list of operations, on any number type that has ref arithmetic.
//
// The reference is the judge, not the runner: as compiled text its bodies took 377 KB for two number types, as lists 8 bytes an
// operation whatever the number of types.
//
// Values   numbered as they appear: re, then im of a load, or re alone; a table value; the result of an operation.
// Error    each operation rounds as the same statement of compiled text would, in the same order: equal bits.
#ifndef ULPFFT_CODELETS_REF_INTERPRET_H_
#define ULPFFT_CODELETS_REF_INTERPRET_H_

#include <cstdint>
#include <new>
#include <span>

#include "codelets/contract/body_constant.h"
#include "codelets/ref/arithmetic.h"

namespace ulpfft::ref {

// The last four take their coefficient a from the constants.
enum class BodyOp : std::uint8_t { kLoad, kTable, kStore, kLoadRe, kStoreRe, kAdd, kSub, kMul, kNeg, kFma, kFnma, kFms, kFnms, kMulC, kFmaC, kFnmaC, kFmsC, kFnmsC };

// kLoad: point a. kTable: value a of the table. kStore: point a from values b, c. kLoadRe, kStoreRe: re alone. Others: operands, by number.
struct BodyStep {
  BodyOp op;
  std::int16_t a;
  std::int16_t b = 0;
  std::int16_t c = 0;
};

struct Program {
  std::span<const BodyStep> steps;
  const BodyConstant* constants = nullptr;
  int table_values = 0;  // of a lane
};

// Of any body; the generator's output asserts it.
inline constexpr int kMostValues = 4096;

template <class T, class In, class Out>
void interpret(const Program& body, const In& in, const T* table, const Out& out) {
  // Room, not objects: a double-double would be set to zero first.
  alignas(T) unsigned char room[kMostValues * sizeof(T)];
  T* const v = reinterpret_cast<T*>(room);
  T* next = v;
  for (const BodyStep& s : body.steps) {
    const auto c = [&] { return constant<T>(body.constants[s.a]); };
    switch (s.op) {
      case BodyOp::kLoad: {
        T re, im;
        in.load(s.a, re, im);
        new (next++) T(re);
        new (next++) T(im);
        break;
      }
      case BodyOp::kLoadRe: {
        T re, im;
        in.load(s.a, re, im);
        new (next++) T(re);
        break;
      }
      case BodyOp::kStoreRe: out.store(s.a, v[s.b], T(0)); break;
      case BodyOp::kTable: new (next++) T(table[s.a]); break;
      case BodyOp::kStore: out.store(s.a, v[s.b], v[s.c]); break;
      case BodyOp::kAdd: new (next++) T(v[s.a] + v[s.b]); break;
      case BodyOp::kSub: new (next++) T(v[s.a] - v[s.b]); break;
      case BodyOp::kMul: new (next++) T(v[s.a] * v[s.b]); break;
      case BodyOp::kNeg: new (next++) T(-v[s.a]); break;
      case BodyOp::kFma: new (next++) T(ref::fma(v[s.a], v[s.b], v[s.c])); break;
      case BodyOp::kFnma: new (next++) T(ref::fnma(v[s.a], v[s.b], v[s.c])); break;
      case BodyOp::kFms: new (next++) T(ref::fms(v[s.a], v[s.b], v[s.c])); break;
      case BodyOp::kFnms: new (next++) T(ref::fnms(v[s.a], v[s.b], v[s.c])); break;
      case BodyOp::kMulC: new (next++) T(c() * v[s.b]); break;
      case BodyOp::kFmaC: new (next++) T(ref::fma(c(), v[s.b], v[s.c])); break;
      case BodyOp::kFnmaC: new (next++) T(ref::fnma(c(), v[s.b], v[s.c])); break;
      case BodyOp::kFmsC: new (next++) T(ref::fms(c(), v[s.b], v[s.c])); break;
      case BodyOp::kFnmsC: new (next++) T(ref::fnms(c(), v[s.b], v[s.c])); break;
    }
  }
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_INTERPRET_H_

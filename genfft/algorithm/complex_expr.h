// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Complex values of a body under construction, and the arithmetic that depends on the twiddle form.
//
// The algorithms of dft.h are written once in these operations. What a form changes is when a twiddle is multiplied:
//   none, standard   at the load: w x, four multiplies and two adds
//   chained          a point stays the unevaluated product w x until it meets a butterfly a +- w x, which then takes
//                    re: s = (a_re + w_re x_re) - w_im x_im     im: s = (a_im + w_re x_im) + w_im x_re     d = 2 a - s
//                    in this order of additions (two chained FMAs, one FMA); elsewhere it is multiplied as standard
//   dual-select      a component is an unevaluated product (scale symbol) * value. Adding two of them factors one scale
//                    out: the plain one stays, a quotient of two becomes a table value. Radices 2, 4, 8, 16; in others
//                    the scales are multiplied at the load (their constants leave nothing to fold into).
#ifndef ULPFFT_GENFFT_ALGORITHM_COMPLEX_EXPR_H_
#define ULPFFT_GENFFT_ALGORITHM_COMPLEX_EXPR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "codelets/contract/codelet.h"
#include "genfft/ir/dag.h"
#include "genfft/kernel.h"

namespace ulpfft::genfft {

// scale(j), primed or plain, times sqrt(1/2) or 1; j = 0 is the number 1.
struct ScaleSymbol {
  int j = 0;
  bool primed = false;
  bool sqrt_half = false;
  bool operator==(const ScaleSymbol&) const = default;
};

struct Scaled {
  NodeId node = kNoNode;
  ScaleSymbol scale;
};

struct Complex {
  Scaled re;
  Scaled im;
  int input = -1;  // >= 0: the untouched input of that index, twiddle (if any) not yet applied
};

class Arithmetic {
 public:
  Arithmetic(Body& body);

  static Complex input(int j) { return {.re = {}, .im = {}, .input = j}; }

  Complex add(const Complex& a, const Complex& b);
  Complex sub(const Complex& a, const Complex& b);
  // (a + b, a - b)
  std::pair<Complex, Complex> butterfly(const Complex& a, const Complex& b);
  Complex scale(DoubleDouble factor, const Complex& a);
  Complex times_i(const Complex& a);
  Complex times_minus_i(const Complex& a);
  // a * exp(-2 pi i k / n)
  Complex rotate(const Complex& a, std::int64_t k, std::int64_t n);
  void store(int point, const Complex& a);

 private:
  NodeId table(const TableTerm& term);
  NodeId table(TableTerm::Kind kind, int j);
  Complex loaded(const Complex& a);  // an input becomes a value, in the way of the form
  Complex plain(const Complex& a);   // and all scales are 1
  Complex standard_product(int j);
  Complex dual_select_product(int j);
  Scaled plain(const Scaled& a);
  Scaled add(const Scaled& a, const Scaled& b, bool subtract);
  NodeId scale_value(const ScaleSymbol& scale, const ScaleSymbol& over);
  Complex rotate_eighth(const Complex& a, bool clockwise);

  Body& body_;
  Dag& dag_;
  bool fold_scales_;
  std::vector<Complex> loaded_;  // of each input, once made
};

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_ALGORITHM_COMPLEX_EXPR_H_

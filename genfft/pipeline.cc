// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pipeline.h"

#include <climits>
#include <utility>

#include "genfft/algorithm/dft.h"
#include "genfft/algorithm/real.h"
#include "genfft/codelet_list.h"
#include "genfft/pass/factor_scales.h"
#include "genfft/pass/fuse_fma.h"
#include "genfft/pass/schedule.h"
#include "genfft/pass/simplify.h"
#include "genfft/pass/transpose.h"
#include "genfft/pass/verify.h"

namespace ulpfft::genfft {
namespace {

OpCounts counts(const Dag& dag) {
  const OpTotals totals = count_operations(dag);
  return {.add = totals.add, .mul = totals.mul, .fma = totals.fma};
}

// The chain order of `chained` and the folds of `dual_select` are what those forms are: they are not transposed.
bool transposable(TwiddleForm form) { return form == TwiddleForm::kNone || form == TwiddleForm::kStandard; }

Body simplified(Body body) {
  body.dag = simplify(body.dag);
  if (transposable(body.spec.form)) {
    Dag back = simplify(transpose(simplify(transpose(body.dag))));
    if (count_operations(back).total() < count_operations(body.dag).total()) body.dag = std::move(back);
  }
  return body;
}

// Of all ways to compute it the one with the fewest operations after fusing, then before.
Body shortest(const std::vector<Body>& ways) {
  Body best = ways.front();
  std::pair<int, int> least{INT_MAX, INT_MAX};
  for (const Body& way : ways) {
    Body body = simplified(way);
    const std::pair cost{count_operations(fuse_fma(factor_scales(body.dag))).total(), count_operations(body.dag).total()};
    if (cost >= least) continue;
    least = cost;
    best = std::move(body);
  }
  return best;
}

}  // namespace

Kernel make_kernel(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants) {
  const Body body =
      spec.transform == RealTransform::kNone ? simplified(make_body(spec, constants)) : shortest(make_real_bodies(spec, constants));
  Kernel kernel{.body = body, .unfused = counts(body.dag), .ops = {}, .statements = {}};
  // Loops over sums add products in one order; a factor taken out of some sums would be another one.
  kernel.body.dag = fuse_fma(spec.form == TwiddleForm::kNone && is_of_sums(spec.radix) ? body.dag : factor_scales(body.dag));
  kernel.ops = counts(kernel.body.dag);
  verify(kernel.body);
  kernel.statements = schedule(kernel.body.dag);
  verify_order(kernel.body, kernel.statements);
  kernel.live_values = live_values(kernel.body.dag, kernel.statements);
  kernel.digest = arithmetic_digest(kernel.body, kernel.statements);
  kernel.f32 = measure_errors(kernel.body, ComputeType::kF32);
  kernel.f64 = measure_errors(kernel.body, ComputeType::kF64);
  return kernel;
}

std::vector<Kernel> make_all_kernels() {
  const auto constants = std::make_shared<ConstantPool>();
  std::vector<Kernel> kernels;
  for (const BodySpec& spec : body_list()) kernels.push_back(make_kernel(spec, constants));
  return kernels;
}

}  // namespace ulpfft::genfft

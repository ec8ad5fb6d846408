// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/interpret_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/convert/side.h"
#include "planner/facts/prescale_target.h"
#include "tests/planner/interpret.h"

namespace ulpfft::test {
namespace {

// A real of an element: by its number in an array of reals, by its first bit in one of codes.
struct Place {
  int part = 0;
  std::int64_t at = 0;
  std::int64_t scale = kNoScale;  // byte
};

// One side of a problem in the arrays of the caller.
class EndOfProblem {
 public:
  EndOfProblem(const Program& program, const Problem& problem, bool output)
      : problem_(problem), output_(output), shape_(side_of(problem, output)) {
    const auto converts = [&](const std::shared_ptr<const StoredRows>& rows) { return rows->output == output; };
    is_coded_ = !shape_.wide || shape_.power || std::any_of(program.stored_rows.begin(), program.stored_rows.end(), converts);
  }

  // It lies there as codes, which the program converts: also a wide one that is not read and written as it is.
  bool is_coded() const { return is_coded_; }
  const Storage& storage() const { return shape_.storage; }
  ArrayId array() const { return output_ ? ArrayId::kOut : ArrayId::kIn; }
  ArrayId scales() const { return output_ ? ArrayId::kOutScales : ArrayId::kInScales; }

  // Calls visit(number of the transform, places of its re and im, or of its real).
  template <typename Visit>
  void each_element(const Visit& visit) const {
    std::vector<const Dimension*> dims;
    for (const Dimension& d : problem_.batch) dims.push_back(&d);
    for (const Dimension& d : problem_.dims) dims.push_back(&d);
    const auto walk = [&](const auto& self, std::size_t d, std::int64_t transform, std::int64_t at, std::int64_t inside) -> void {
      if (d == dims.size()) return visit(transform, places(at, inside));
      const std::int64_t stride = output_ ? dims[d]->out_stride : dims[d]->in_stride, length = stored_length(problem_, *dims[d], output_);
      const bool is_row = shape_.rows && d + 1 == dims.size();
      for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t next = d < problem_.batch.size() ? transform * length + i : transform;
        self(self, d + 1, next, is_row ? at : at + i * stride, is_row ? i : 0);
      }
    };
    walk(walk, 0, 0, 0, 0);
  }

  // The lowest and the highest real of a wide array.
  std::pair<std::int64_t, std::int64_t> range() const {
    std::pair<std::int64_t, std::int64_t> range{0, 0};
    each_element([&](std::int64_t, const std::vector<Place>& places) {
      for (const Place& place : places) range = {std::min(range.first, place.at), std::max(range.second, place.at)};
    });
    return range;
  }

 private:
  // The places of element `inside` of the row, or of the element, that is `at` strides behind the first.
  std::vector<Place> places(std::int64_t at, std::int64_t inside) const {
    const int reals = shape_.real ? 1 : 2;
    const std::int64_t of_part = shape_.element_reals();
    std::vector<Place> places;
    for (int r = 0; r < reals; ++r) {
      Place place;
      place.part = shape_.split ? r : 0;
      const std::int64_t real = inside * of_part + (shape_.split ? 0 : r);  // of the row
      place.at = is_coded_ ? 8 * at * shape_.outer_bytes + real * shape_.storage.element->bits : at * of_part + real;
      if (shape_.storage.scale != nullptr) {
        const std::int64_t block = shape_.storage.length == 0 ? 0 : real / shape_.storage.length;
        place.scale = at * shape_.scale_bytes + block * scale_bytes({shape_.storage.element, shape_.storage.scale, 0}, 1);
      }
      places.push_back(place);
    }
    return places;
  }

  const Problem& problem_;
  const bool output_;
  const Side shape_;
  bool is_coded_ = false;
};

using Factors = std::vector<double>;

class Ends {
 public:
  Ends(Interpreter& interpreter, const Program& program, const Problem& problem)
      : interpreter_(interpreter), problem_(problem), in_(program, problem, false), out_(program, problem, true) {}

  // Exponents: of the input; empty: none.
  void set(const std::vector<Complex>& in, const Factors& exponents) {
    const bool in_place = problem_.placement == Placement::kInPlace;
    if (in_place) interpreter_.set_output_to_input();
    if (in_.is_coded() || out_.is_coded()) add_places();
    for (const EndOfProblem* side : {&out_, &in_}) {
      if (side->is_coded() || (in_place && side == &out_)) continue;
      auto [low, high] = side->range();
      if (in_place) {
        low = std::min(low, out_.range().first);
        high = std::max(high, out_.range().second);
      }
      for (int part = 0; part < 2; ++part)
        interpreter_.set(side->array(), part, low, Factors(static_cast<std::size_t>(high - low) + 1, kNothing));
    }
    std::size_t next = 0;
    in_.each_element([&](std::int64_t transform, const std::vector<Place>& places) {
      const Complex value = in[next++];
      for (std::size_t r = 0; r < places.size(); ++r) {
        const double exponent = exponents.empty() ? 1 : exponents[static_cast<std::size_t>(transform)];
        put(places[r], (r == 0 ? value.real() : value.imag()) / exponent);
      }
    });
  }

  std::vector<Complex> results(bool has_exponents) {
    std::vector<Complex> out;
    Factors largest(static_cast<std::size_t>(batch_count(problem_)));
    std::vector<std::int64_t> transforms;
    out_.each_element([&](std::int64_t transform, const std::vector<Place>& places) {
      double value[2] = {0, 0};
      for (std::size_t r = 0; r < places.size(); ++r) {
        value[r] = get(places[r]);
        double& most = largest[static_cast<std::size_t>(transform)];
        most = std::max(most, std::abs(value[r]));
      }
      out.emplace_back(value[0], value[1]);
      transforms.push_back(transform);
    });
    if (!has_exponents) return out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double most = largest[static_cast<std::size_t>(transforms[i])];
      const bool fits = out_.storage().element->kind == FormatKind::kWide || std::abs(most - 1) < 1e-9;
      out[i] *= fits ? interpreter_.exponent_at(transforms[i]) : kNothing;
    }
    return out;
  }

 private:
  void add_places() {
    for (const EndOfProblem* side : {&out_, &in_}) {
      if (!side->is_coded()) continue;
      side->each_element([&](std::int64_t, const std::vector<Place>& places) {
        for (const Place& place : places) {
          interpreter_.bits(side->array(), place.part).add(place.at, side->storage().element->bits, kNothing);
          if (place.scale == kNoScale) continue;
          interpreter_.bits(side->scales(), place.part)
              .add(8 * place.scale, side->storage().scale->bits, side == &in_ ? factor_of(place) : kNothing);
        }
      });
    }
  }

  // The factor of a block of the input.
  double factor_of(const Place& place) {
    const auto [known, is_new] = scales_.try_emplace({place.part, place.scale}, 0.0);
    if (is_new) known->second = factors_.next();
    return known->second;
  }

  void put(const Place& place, double value) {
    if (!in_.is_coded()) {
      interpreter_.real_at(ArrayId::kIn, place.part, place.at) = value;
      return;
    }
    if (place.scale != kNoScale) value /= factor_of(place);
    interpreter_.bits(ArrayId::kIn, place.part).write(place.at, in_.storage().element->bits, value);
  }

  double get(const Place& place) {
    if (!out_.is_coded()) return interpreter_.real_at(ArrayId::kOut, place.part, place.at);
    const double code = interpreter_.bits(ArrayId::kOut, place.part).read(place.at, out_.storage().element->bits);
    if (place.scale == kNoScale) return code;
    return code * interpreter_.bits(ArrayId::kOutScales, place.part).read(8 * place.scale, out_.storage().scale->bits);
  }

  Interpreter& interpreter_;
  const Problem& problem_;
  const EndOfProblem in_, out_;
  std::map<std::pair<int, std::int64_t>, double> scales_;
  OtherFactors factors_;
};

}  // namespace

std::string reason_not_interpreted(const Program& program, const Problem& problem) {
  if (problem.placement == Placement::kInPlace && problem.storage_in != problem.storage_out)
    return "numbers of one storage lie where those of another do";
  std::string reason;
  std::vector<const Loop*> loops;
  visit_passes(program.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
    if (std::holds_alternative<Launch>(pass.op)) reason = "a device runs it";
  });
  return reason;
}

std::vector<Complex> interpreted(const Program& program, const Problem& problem, const std::vector<Complex>& in,
                                 const std::vector<Complex>& factors) {
  Interpreter interpreter(program, problem);
  const bool takes_exponents = !program.decodes && !program.encodes;
  const auto transforms = static_cast<std::size_t>(batch_count(problem));
  OtherFactors others;
  Factors exponents;
  const Sides sides(problem);
  for (std::size_t t = 0; t < transforms && takes_exponents && sides.in.by_groups; ++t) exponents.push_back(others.next());
  const bool finds = takes_exponents && sides.out.by_groups;
  Ends ends(interpreter, program, problem);
  ends.set(in, exponents);
  if (!exponents.empty()) interpreter.set_exponents(false, exponents);
  if (finds) interpreter.set_exponents(true, Factors(transforms, kNothing));
  std::vector<double> reals;
  for (const Complex& factor : factors) reals.insert(reals.end(), {factor.real(), factor.imag()});
  interpreter.set(ArrayId::kFactors, 0, 0, std::move(reals));
  interpreter.run();
  return ends.results(finds);
}

}  // namespace ulpfft::test

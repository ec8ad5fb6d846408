#include "tools/ulpfft/bench/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/ulpfft/command.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 22;
constexpr std::int64_t kLongestSums = 4096;

std::vector<long double> roots(std::int64_t n, bool inverse) {
  std::vector<long double> table;
  const long double turn = (inverse ? 2 : -2) * std::numbers::pi_v<long double> / static_cast<long double>(n);
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t least = 2 * k > n ? k - n : k;  // small angles keep their digits
    table.push_back(std::cos(turn * static_cast<long double>(least)));
    table.push_back(std::sin(turn * static_cast<long double>(least)));
  }
  return table;
}

// Of the transform at batch index 0.
std::vector<long double> direct_sums(const Facts& facts, const std::vector<long double>& root, const std::vector<double>& input) {
  const std::int64_t n = facts.lengths[0].n;
  const long double scale = static_cast<long double>(facts.scale_factor());
  const auto origin = static_cast<std::int64_t>(facts.in_extent().origin);
  std::vector<long double> sums;
  for (std::int64_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const auto turn = static_cast<std::size_t>(2 * (j * k % n));
      const auto at = static_cast<std::size_t>(2 * (origin + j * facts.lengths[0].in_stride));
      const long double a = static_cast<long double>(input[at]);
      const long double b = static_cast<long double>(input[at + 1]);
      re += a * root[turn] - b * root[turn + 1];
      im += a * root[turn + 1] + b * root[turn];
    }
    sums.push_back(scale * re);
    sums.push_back(scale * im);
  }
  return sums;
}

void add(double value, long double exact, ErrorSum& sum) {
  const long double off = static_cast<long double>(value) - exact;
  sum.difference += off * off;
  sum.norm += exact * exact;
}

}  // namespace

double ErrorSum::relative_l2() const { return difference == 0 ? 0 : static_cast<double>(std::sqrt(difference / norm)); }

void execute(const ulpfft::Plan& plan, const Facts& facts, const Arrays& arrays) {
  ulpfft_status status;
  if (facts.split) {
    ulpfft_array in{}, out{};
    in.size = out.size = sizeof in;
    for (int part = 0; part < 2; ++part) in.data[part] = arrays.in(part), out.data[part] = arrays.out(part);
    status = ulpfft_execute_arrays(plan.get(), &in, &out, nullptr);
  } else {
    status = ulpfft_execute(plan.get(), arrays.in(), arrays.out());
  }
  if (status != ULPFFT_OK) throw Failure("'" + facts.text + "' fails: " + ulpfft_last_error());
}

Reference::Reference(ulpfft::Context& context, const Facts& facts) : facts_(facts) {
  const std::size_t elements = std::max(facts.in_extent().elements, facts.out_extent().elements);
  if (facts.storage_in != facts.storage_out) return;
  if (facts.storage_in == "f32" && elements <= kMostElements) {
    wide_facts_ = read_facts(with_storage(facts, "f64"));
    try {
      wide_plan_ = context.parse(wide_facts_.text, {.effort = ulpfft::Effort::kEstimate});
    } catch (const ulpfft::Error&) {
      return;  // f64 cannot do this problem: the error stays unknown
    }
    wide_.emplace(wide_facts_);
    outputs_ = facts.points();
  } else if (facts.storage_in == "f64" && facts.lengths.size() == 1 && !facts.centered && facts.size() <= kLongestSums) {
    root_ = roots(facts.size(), facts.inverse);
    outputs_ = facts.size();
  }
}

void Reference::expect(std::uint64_t seed, const Arrays& arrays) {
  if (wide_) {
    wide_->fill(seed, 1.0, true);
    execute(*wide_plan_, wide_facts_, *wide_);
    expected_ = wide_->output();
  } else {
    first_ = direct_sums(facts_, root_, arrays.input());
  }
}

void Reference::compare(const std::vector<double>& output, ErrorSum& sum) const {
  for (std::size_t i = 0; i < expected_.size(); ++i) add(output[i], static_cast<long double>(expected_[i]), sum);
  const auto origin = static_cast<std::int64_t>(facts_.out_extent().origin);
  for (std::size_t k = 0; 2 * k < first_.size(); ++k) {
    const auto at = static_cast<std::size_t>(2 * (origin + static_cast<std::int64_t>(k) * facts_.lengths[0].out_stride));
    for (std::size_t part = 0; part < 2; ++part) add(output[at + part], first_[2 * k + part], sum);
  }
}

}  // namespace ulpfft_tool::bench

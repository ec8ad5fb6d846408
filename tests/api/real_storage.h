// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays of any storage at either side of r2c, c2r and r2r, between guard pages; and what a plan between them has to compute.
#ifndef ULPFFT_TESTS_API_REAL_STORAGE_H_
#define ULPFFT_TESTS_API_REAL_STORAGE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/real_case.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

inline bool is_wide(const std::string& storage) { return storage == "f32" || storage == "f64"; }
inline int bits_of(const std::string& storage) {
  const ulpfft_format format = format_of(storage);
  return std::string(format.kind) == "block" ? format_of(format.element).bits : format.bits;
}
// Whether strides between rows count rows.
inline bool keeps_rows(const std::string& storage) { return std::string(format_of(storage).kind) == "block" || bits_of(storage) % 8 != 0; }

inline int reals_of(const RealCase& problem, bool output) { return is_real_side(problem, output) ? 1 : 2; }
inline std::int64_t row_elements(const RealCase& problem, bool output) {
  const std::int64_t n = problem.dims.back().length;
  return is_real_side(problem, output) ? n : n / 2 + 1;
}

// A side without gaps.
inline Stored dense_side(const RealCase& problem, bool output, const std::string& storage) {
  const std::int64_t row = row_elements(problem, output);
  return {storage, stored_elements(problem, output) / row, row * reals_of(problem, output)};
}

template <typename T>
std::vector<T> decoded(const Stored& side) {
  if (!side.wide() || side.storage == (sizeof(T) == 8 ? "f64" : "f32")) return side.decode<T>();
  if constexpr (sizeof(T) == 8) {
    const std::vector<float> reals = side.decode<float>();
    return {reals.begin(), reals.end()};
  } else {
    const std::vector<double> reals = side.decode<double>();
    std::vector<T> rounded;
    for (const double real : reals) rounded.push_back(static_cast<T>(real));
    return rounded;
  }
}
template <typename T>
std::int64_t encode(Stored& side, const std::vector<T>& reals) {
  if (!side.wide() || side.storage == (sizeof(T) == 8 ? "f64" : "f32")) return side.encode(reals);
  if (side.storage == "f64") return side.encode(std::vector<double>(reals.begin(), reals.end()));
  std::vector<float> rounded;
  for (const T real : reals) rounded.push_back(static_cast<float>(real));
  return side.encode(rounded);
}

// An array between guard pages: elements where the strides of a problem say, or the rows of a dense one as they are.
class StoredArray {
 public:
  StoredArray(const RealCase& problem, std::vector<bool> outputs, const std::string& storage, Flush flush)
      : rows_(keeps_rows(storage)), split_(problem.split && !is_real_side(problem, outputs[0])), real_bytes_(bits_of(storage) / 8) {
    if (rows_) {
      const Stored dense = dense_side(problem, outputs[0], storage);
      data_[0] = std::make_unique<GuardedBuffer>(dense.codes.size(), flush);
      if (!dense.scales.empty()) scales_ = std::make_unique<GuardedBuffer>(dense.scales.size(), flush);
      return;
    }
    std::int64_t high = 0;
    const auto each_real = [&](const auto& visit) {
      for (const bool output : outputs) {
        const int reals = split_ ? 1 : reals_of(problem, output);
        for (const std::int64_t offset : stored_offsets(problem, output)) {
          for (int i = 0; i < reals; ++i) visit(offset * reals + i);
        }
      }
    };
    each_real([&](std::int64_t at) {
      low_ = std::min(low_, at);
      high = std::max(high, at + 1);
    });
    used_.assign(static_cast<std::size_t>(high - low_), 0);
    each_real([&](std::int64_t at) { used_[static_cast<std::size_t>(at - low_)] = 1; });
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      data_[part] = std::make_unique<GuardedBuffer>(used_.size() * static_cast<std::size_t>(real_bytes_), flush);
    }
  }

  ulpfft_array address() {
    auto value = sized<ulpfft_array>();
    for (int part = 0; part < (split_ ? 2 : 1); ++part) value.data[part] = data_[part]->data() - (rows_ ? 0 : low_ * real_bytes_);
    if (scales_ != nullptr) value.scales[0] = scales_->data();
    return value;
  }
  void put(const RealCase& problem, bool output, const Stored& dense) {
    if (rows_) {
      std::memcpy(data_[0]->data(), dense.codes.data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(scales_->data(), dense.scales.data(), dense.scales.size());
      return;
    }
    each_code(problem, output, [&](std::byte* here, std::size_t there) { std::memcpy(here, dense.codes.data() + there, bytes()); });
  }
  void get(const RealCase& problem, bool output, Stored& dense) {
    if (rows_) {
      std::memcpy(dense.codes.data(), data_[0]->data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(dense.scales.data(), scales_->data(), dense.scales.size());
      return;
    }
    each_code(problem, output, [&](const std::byte* here, std::size_t there) { std::memcpy(dense.codes.data() + there, here, bytes()); });
  }
  bool touched() const {
    return std::any_of(std::begin(data_), std::end(data_), [&](const auto& buffer) {
      return !rows_ && buffer != nullptr && buffer->first_touched_gap(used_, bytes()).has_value();
    });
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(real_bytes_); }
  template <typename Visit>
  void each_code(const RealCase& problem, bool output, const Visit& visit) {
    const int reals = reals_of(problem, output);
    std::size_t there = 0;
    for (const std::int64_t offset : stored_offsets(problem, output)) {
      for (int i = 0; i < reals; ++i, there += bytes()) {
        const std::int64_t at = split_ ? offset : offset * reals + i;
        visit(data_[split_ ? i : 0]->data() + (at - low_) * real_bytes_, there);
      }
    }
  }

  bool rows_, split_;
  std::int64_t real_bytes_;
  std::int64_t low_ = 0;
  std::vector<std::uint8_t> used_;
  std::unique_ptr<GuardedBuffer> data_[2], scales_;
};

// The problem between wide arrays without gaps.
template <typename T>
RealCase wide_case(RealCase problem) {
  problem.storages = sizeof(T) == 8 ? "f64" : "f32";
  problem.options.clear();
  problem.in_place = problem.split = false;
  problem.threads = 1;
  problem.dense = true;
  set_dense(problem);
  return problem;
}

// Executes, with the factors of a chain.
template <typename T>
ulpfft_status execute_case(const ulpfft_plan* plan, const RealCase& problem, const ulpfft_array& in, const ulpfft_array& out) {
  if (problem.chain.empty()) return ulpfft_execute_arrays(plan, &in, &out, nullptr);
  RealCase one = transform_of(problem);
  one.batch.clear();
  const auto factors = phases<T>(stored_elements(one, true), 1);
  Multiplier<T> multiplier(factors, all_points(problem) / transform_points(problem));
  auto operation = sized<ulpfft_operation>();
  if (problem.chain == "mul") {
    operation.factors = factors.data();
  } else {
    operation.apply = &Multiplier<T>::apply;
    operation.user = &multiplier;
  }
  const ulpfft_status status = ulpfft_execute_chain(plan, &in, &out, &operation, nullptr);
  if (problem.chain == "user") {
    EXPECT_TRUE(multiplier.saw_each_once());
  }
  return status;
}

template <typename T>
void expect_wide_plan_between(RealCase problem, const std::string& in_name, const std::string& out_name, const Target& target,
                              Flush flush, const std::string& given = "") {
  problem.storages = in_name == out_name ? in_name : in_name + "->" + out_name;
  const std::string text = text_of(problem);
  Stored in = dense_side(problem, false, in_name), expected = dense_side(problem, true, out_name);
  encode(in, normal<T>(static_cast<std::size_t>(in.rows * in.reals), fitting_rms(in_name), seed_of(text)));
  const PlanPtr plan = given.empty() ? make_plan(target.context, text) : make_plan(target.context, text, given);
  ASSERT_NE(plan, nullptr) << text;
  const std::string recipe = recipe_of(plan.get());
  ASSERT_EQ(recipe.substr(0, 3), sizeof(T) == 8 ? "f64" : "f32") << text;
  const std::string wide = text_of(wide_case<T>(problem));
  const PlanPtr between = make_plan(target.context, wide, recipe);
  ASSERT_NE(between, nullptr) << wide;
  const std::vector<T> from = decoded<T>(in);
  std::vector<T> to(static_cast<std::size_t>(expected.rows * expected.reals));
  auto wide_in = sized<ulpfft_array>(), wide_out = sized<ulpfft_array>();
  wide_in.data[0] = const_cast<T*>(from.data());
  wide_out.data[0] = to.data();
  ASSERT_EQ(execute_case<T>(between.get(), problem, wide_in, wide_out), ULPFFT_OK) << last_error_text();
  const std::int64_t saturated = encode(expected, to);

  Stored out = dense_side(problem, true, out_name), after = in;
  std::int64_t count = -1;
  const auto run = [&](StoredArray& source, StoredArray& result) {
    source.put(problem, false, in);
    ulpfft_array a = source.address(), b = result.address();
    b.saturated = &count;
    ASSERT_EQ(execute_case<T>(plan.get(), problem, a, b), ULPFFT_OK) << text << ": " << last_error_text();
    result.get(problem, true, out);
    EXPECT_FALSE(result.touched()) << text << " by " << recipe;
  };
  if (problem.in_place) {
    StoredArray both(problem, {false, true}, in_name, flush);
    run(both, both);
  } else {
    StoredArray source(problem, {false}, in_name, flush), result(problem, {true}, out_name, flush);
    run(source, result);
    source.get(problem, false, after);
    EXPECT_TRUE(!source.touched() && after.codes == in.codes && after.scales == in.scales) << text << " by " << recipe;
  }
  EXPECT_EQ(out.codes, expected.codes) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(out.scales, expected.scales) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(count, saturated) << target << ", " << text;
}

// What a plan of any two storages computes is the wide plan between a decode and an encode.
inline void check_storages(const RealCase& problem, const std::string& in, const std::string& out, const Target& target,
                           Flush flush = Flush::kEnd) {
  const bool narrow = !is_wide(in) || !is_wide(out);
  const bool f64 = in == "f64" || out == "f64" || (narrow && (needs_f64(in) || needs_f64(out)));
  if (problem.options == " scheme=f64" || (f64 && problem.options != " scheme=f32")) {
    expect_wide_plan_between<double>(problem, in, out, target, flush);
  } else {
    expect_wide_plan_between<float>(problem, in, out, target, flush);
  }
}

inline std::vector<std::string> every_format() {
  std::vector<std::string> names = narrow_formats();
  names.insert(names.end(), {"f32", "f64", "mxfp8_e4m3:b8:floor", "mxfp6_e3m2:b2", "mxint8:b0", "mxfp4_e2m1:b64:even"});
  return names;
}

inline std::string name_of_format(const testing::TestParamInfo<std::string>& format) {
  std::string name = format.param;
  for (char& c : name) c = c == ':' ? '_' : c;
  return name;
}

// Whether data of a format lie where the arithmetic loses digits.
inline bool is_near_the_ends(const std::string& format) {
  return std::abs(std::ilogb(fitting_rms(format))) > (needs_f64(format) ? 900 : 80);
}

// Predicted for the values the input encodes: only the output's rounding is an error. Within a half.
inline void expect_error_predicted(const std::string& lengths, const std::string& format, const std::string& options) {
  const PlanPtr plan = make_plan(default_target().context, lengths + " " + format + options);
  ASSERT_NE(plan, nullptr) << lengths << " " << format << options;
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
  EXPECT_LE(report.relative_l2, 1.5 * ulpfft_plan_error(plan.get())) << lengths << " " << format << options;
  // Unscaled transforms of integers have an input of few steps and an output that saturates now and then: few outputs may miss it.
  const bool rarely_saturates = std::string(format_of(format).kind) == "integer" && options.find("scale=") == std::string::npos;
  if (rarely_saturates) return;
  EXPECT_GE(report.relative_l2, ulpfft_plan_error(plan.get()) / 1.5) << lengths << " " << format << options;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_API_REAL_STORAGE_H_

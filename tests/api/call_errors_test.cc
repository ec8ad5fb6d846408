// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors of the one-call functions name an argument as their headers say: "in", "out", "shape", "axis", and "type" of those that take one.
// A table has every function in every form, so that a new one is tested by a row.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/signals.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using Numbers = std::vector<std::int64_t>;
enum class Form { kWhole, kAxis, kTwoAxes, kList };

struct Request {
  std::size_t in = 0, out = 0;  // elements
  bool overlapping = false;     // out begins at the second element of in
  Numbers shape, axes;          // of calls without a shape: none
  int type = 2;

  int axis(std::size_t i) const { return static_cast<int>(axes[i]); }
};

struct Function {
  std::string name;
  Form form;
  bool real_in, real_out, has_type;
  std::function<void(const Request&)> call;

  bool halves() const { return real_in != real_out; }
};

// Makes the ranges that a request asks for, and calls.
template <typename In, typename Out, typename Call>
Function row(std::string name, Form form, bool has_type, Call call) {
  const auto with_ranges = [call](const Request& request) {
    std::vector<In> in(request.in + request.out + 2);
    std::vector<Out> apart(request.out);
    // Out is In or, of real transforms, the other one of reals and pairs of them.
    Out* const overlapping = reinterpret_cast<Out*>(in.data() + 1);
    std::span<Out> out(request.overlapping ? overlapping : apart.data(), request.out);
    call(std::span<const In>(in.data(), request.in), out, request);
  };
  return {std::move(name), form, std::is_floating_point_v<In>, std::is_floating_point_v<Out>, has_type, with_ranges};
}

#define ULPFFT_ONE_AXIS(In, Out, name)                                                                                            \
  row<In, Out>(#name "()", Form::kWhole, false, [](auto in, auto out, const Request&) { name(in, out); }),                        \
      row<In, Out>(#name " along an axis", Form::kAxis, false,                                                                    \
                   [](auto in, auto out, const Request& r) { name(in, out, Shape(r.shape), r.axis(0)); })
#define ULPFFT_MORE_AXES(In, Out, name)                                                                                           \
  row<In, Out>(#name "2", Form::kTwoAxes, false,                                                                                  \
               [](auto in, auto out, const Request& r) { name##2(in, out, Shape(r.shape), r.axis(0), r.axis(1)); }),              \
      row<In, Out>(#name "n", Form::kList, false,                                                                                 \
                   [](auto in, auto out, const Request& r) { name##n(in, out, Shape(r.shape), Shape(r.axes)); })
#define ULPFFT_TYPES(T, name)                                                                                                     \
  row<T, T>(#name "()", Form::kWhole, true, [](auto in, auto out, const Request& r) { name(in, out, r.type); }),                  \
      row<T, T>(#name " along an axis", Form::kAxis, true,                                                                        \
                [](auto in, auto out, const Request& r) { name(in, out, Shape(r.shape), r.axis(0), r.type); }),                   \
      row<T, T>(#name "n", Form::kList, true,                                                                                     \
                [](auto in, auto out, const Request& r) { name##n(in, out, Shape(r.shape), Shape(r.axes), r.type); })

template <typename T>
std::vector<Function> functions() {
  using C = std::complex<T>;
  return {ULPFFT_ONE_AXIS(C, C, fft),  ULPFFT_MORE_AXES(C, C, fft),  ULPFFT_ONE_AXIS(C, C, ifft),  ULPFFT_MORE_AXES(C, C, ifft),
          ULPFFT_ONE_AXIS(T, C, rfft), ULPFFT_MORE_AXES(T, C, rfft), ULPFFT_ONE_AXIS(C, T, irfft), ULPFFT_MORE_AXES(C, T, irfft),
          ULPFFT_TYPES(T, dct),        ULPFFT_TYPES(T, idct),        ULPFFT_TYPES(T, dst),         ULPFFT_TYPES(T, idst)};
}

std::size_t product(const Numbers& lengths) {
  std::size_t count = 1;
  for (const std::int64_t length : lengths) count *= static_cast<std::size_t>(length);
  return count;
}

// Sets the sizes that a shape asks for; the last axis that is named is halved.
void set_sizes(const Function& function, Request& request) {
  Numbers spectrum = request.shape;
  if (function.halves()) {
    std::int64_t last = request.axes.empty() ? -1 : request.axes.back();
    if (last < 0) last += static_cast<std::int64_t>(spectrum.size());
    spectrum[static_cast<std::size_t>(last)] = spectrum[static_cast<std::size_t>(last)] / 2 + 1;
  }
  request.in = product(function.real_in ? request.shape : spectrum);
  request.out = product(function.real_out ? request.shape : spectrum);
}

Request request_of(const Function& function, Numbers shape, Numbers axes = {}) {
  Request request;
  request.shape = std::move(shape);
  request.axes = std::move(axes);
  set_sizes(function, request);
  return request;
}

// 24 numbers in a way that the form takes.
Request good(const Function& function) {
  switch (function.form) {
    case Form::kWhole: return request_of(function, {24});
    case Form::kAxis: return request_of(function, {2, 3, 4}, {-2});
    case Form::kTwoAxes: return request_of(function, {2, 3, 4}, {0, -1});
    case Form::kList: break;
  }
  return request_of(function, {2, 3, 4}, {1, 0});
}

// The field of what is thrown, "" where nothing is.
std::string field_of(const Function& function, const Request& request) {
  try {
    function.call(request);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::kInvalidArgument) << function.name << ": " << error.what();
    EXPECT_TRUE(error.message().ends_with('.')) << function.name << ": " << error.what();
    return error.field();
  }
  return "";
}

struct Fault {
  std::string what, field;
  Request request;
};

std::vector<Fault> faults_of(const Function& function) {
  const Request fine = good(function);
  std::vector<Fault> faults;
  const auto add = [&](const char* what, const char* field, const auto& change) {
    faults.push_back({what, field, fine});
    change(faults.back().request);
  };
  const bool out_says_size = function.form == Form::kWhole && function.halves() && function.real_out;  // irfft(): n is the size of out
  add("two elements more in out", out_says_size ? "in" : "out", [](Request& r) { r.out += 2; });
  add("an empty out", "out", [](Request& r) { r.out = 0; });
  add("out in the midst of in", "out", [](Request& r) { r.overlapping = true; });
  if (function.has_type) {
    for (const int type : {0, 5, -1}) add("an unknown type", "type", [type](Request& r) { r.type = type; });
    const bool cosine = function.name.find("dct") != std::string::npos;
    if (cosine) {
      add("type 1 of one number", "type", [&](Request& r) {
        const Numbers axes = r.axes;
        r = request_of(function, function.form == Form::kWhole ? Numbers{1} : Numbers{1, 1, 4}, axes);
        r.type = 1;
      });
    }
  }
  if (function.form == Form::kWhole) {
    add("empty ranges", out_says_size ? "out" : "in", [](Request& r) { r.in = r.out = 0; });
    return faults;
  }
  // Of real transforms the shape is that of the real side, with which both ranges are compared.
  const char* const size_field = function.halves() ? "in" : "shape";
  add("an empty in", size_field, [](Request& r) { r.in = 0; });
  add("another size of in", size_field, [](Request& r) { r.in += 1; });
  add("a shape of another size", size_field, [](Request& r) { r.shape[0] = 4; });
  add("no shape", "shape", [](Request& r) { r.shape.clear(); });
  add("a length of 0", "shape", [](Request& r) { r.shape[1] = 0; });
  add("a length of 0 and empty ranges", "shape", [](Request& r) { r.shape[1] = 0, r.in = r.out = 0; });
  add("a negative length", "shape", [](Request& r) { r.shape[2] = -4; });
  add("nine lengths", "shape", [](Request& r) { r.shape = {2, 3, 4, 1, 1, 1, 1, 1, 1}; });
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  add("a product beyond 64 bits", "shape", [](Request& r) { r.shape = {kMost, 3, 4}; });
  for (const std::int64_t axis : {3, -4}) {
    add("an axis that is not there", "axis", [axis](Request& r) { r.axes.back() = axis; });
    add("a first axis that is not there", "axis", [axis](Request& r) { r.axes.front() = axis; });
  }
  if (function.form != Form::kAxis) add("an axis twice", "axis", [](Request& r) { r.axes = {1, -2}; });
  return faults;
}

template <typename T>
class CallErrors : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(CallErrors, Precisions);

TYPED_TEST(CallErrors, NameTheArgumentAtFault) {
  for (const Function& function : functions<TypeParam>()) {
    EXPECT_EQ(field_of(function, good(function)), "") << function.name;
    for (const Fault& fault : faults_of(function)) {
      EXPECT_EQ(field_of(function, fault.request), fault.field) << function.name << ": " << fault.what;
    }
  }
}

// Whatever is wrong, and however much at once.
TYPED_TEST(CallErrors, NameNothingButArguments) {
  Random random(36);
  for (const Function& function : functions<TypeParam>()) {
    int refused = 0;
    for (int draw = 0; draw < 100; ++draw) {
      Request request = good(function);
      if (random.chance(0.5)) request.shape.assign(random.below(3) + (random.chance(0.1) ? 7 : 1), 1);
      for (std::int64_t& length : request.shape) length = random.between(random.chance(0.1) ? -1 : 1, 4);
      for (std::int64_t& axis : request.axes) axis = random.between(-3, 2);
      if (function.form == Form::kList && random.chance(0.2)) request.axes.clear();
      const bool is_shape = std::all_of(request.shape.begin(), request.shape.end(), [](std::int64_t n) { return n > 0; });
      const auto rank = static_cast<std::int64_t>(request.shape.size());
      const bool are_axes = std::all_of(request.axes.begin(), request.axes.end(), [&](std::int64_t a) { return a >= -rank && a < rank; });
      if (is_shape && are_axes && random.chance(0.7)) set_sizes(function, request);
      if (random.chance(0.2)) request.in = random.below(3);
      if (random.chance(0.2)) request.out = random.below(3);
      request.type = static_cast<int>(random.between(0, 5));
      const std::string field = field_of(function, request);
      refused += !field.empty();
      const bool named = field == "in" || field == "out" || field == "shape" || field == "axis" || (function.has_type && field == "type");
      EXPECT_TRUE(field.empty() || named) << function.name << ": " << field << ", draw " << draw;
    }
    EXPECT_GT(refused, 10) << function.name;
    EXPECT_LT(refused, 100) << function.name;
  }
}

}  // namespace
}  // namespace ulpfft::test

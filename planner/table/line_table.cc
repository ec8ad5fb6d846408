// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/line_table.h"

#include <algorithm>
#include <utility>

#include "codelets/contract/rounded.h"
#include "planner/table/table_transform.h"

namespace ulpfft {
namespace {

template <typename T>
AlignedBuffer complex_buffer(std::int64_t count, Poll& poll) {
  return AlignedBuffer(2 * static_cast<std::size_t>(count) * sizeof(T), &poll);
}

template <typename T>
void put(AlignedBuffer& buffer, std::int64_t at, const UnitRoot& w) {
  T* const p = static_cast<T*>(buffer.data()) + 2 * at;
  p[0] = round_to<T>(w.re);
  p[1] = round_to<T>(w.im);
}

// Calls fill(T{}), where T is the C++ type of a compute type.
template <typename Fill>
AlignedBuffer for_compute(ComputeType compute, const Fill& fill) {
  switch (compute) {
    case ComputeType::kF32: return fill(float{});
    case ComputeType::kF64: return fill(double{});
    case ComputeType::kDoubleDouble: return fill(DoubleDouble{});
    default: break;
  }
  return {};
}

// A filter is a function that calls set(j, value) for its elements that are not zero.
using Filter = std::function<void(const std::function<void(std::int64_t, const UnitRoot&)>&)>;

// The spectrum of a filter divided by its length. It is transformed in R and rounded to T.
template <typename R, typename T>
AlignedBuffer spectrum(const Filter& filter, std::int64_t m, RootCache& roots, const TransformF64& transform) {
  const AlignedBuffer memory = complex_buffer<R>(m, roots.poll);
  R* const values = static_cast<R*>(memory.data());
  filter([&](std::int64_t j, const UnitRoot& w) {
    roots.poll.count(1);
    values[2 * j] = round_to<R>(w.re);
    values[2 * j + 1] = round_to<R>(w.im);
  });
  if constexpr (sizeof(R) == sizeof(double)) {
    transform ? transform(values, m) : transform_for_table(values, m, roots);
  } else {
    transform_for_table(values, m, roots);
  }
  AlignedBuffer out = complex_buffer<T>(m, roots.poll);
  T* const p = static_cast<T*>(out.data());
  const R length(static_cast<double>(m));
  for (std::int64_t i = 0; i < 2 * m; ++i) {
    roots.poll.count(1);
    p[i] = round_to<T>(DoubleDouble(values[i] / length));
  }
  return out;
}

AlignedBuffer filter_spectrum(const Filter& filter, std::int64_t m, ComputeType compute, RootCache& roots, const TransformF64& transform) {
  switch (compute) {
    case ComputeType::kF32: return spectrum<double, float>(filter, m, roots, transform);
    case ComputeType::kF64:
      return filter_is_transformed_in_f64(m, compute) ? spectrum<double, double>(filter, m, roots, transform)
                                                      : spectrum<DoubleDouble, double>(filter, m, roots, transform);
    case ComputeType::kDoubleDouble: return spectrum<DoubleDouble, DoubleDouble>(filter, m, roots, transform);
    default: break;
  }
  return {};
}

// exp(-pi i j^2 / n) = exp(-2 pi i (j^2 mod 2n) / 2n).
UnitRoot chirp(const RootTable& roots, std::int64_t j) { return roots.get(multiply_mod(j, j, roots.n())); }

}  // namespace

bool filter_is_transformed_in_f64(std::int64_t m, ComputeType compute) {
  const bool is_short = m <= 1 << 12 || (m <= 1 << 14 && rough_part(m) == 1);
  return compute == ComputeType::kF32 || (compute == ComputeType::kF64 && !is_short);
}

std::int64_t twist_panel_values(const TwistRequest& request) {
  const std::int64_t pairs = request.split + (request.rows + request.split - 1) / request.split;
  return (request.panel + request.lanes - 1) / request.lanes * request.lanes * 2 * pairs;
}

std::int64_t twist_table_values(const TwistRequest& request) {
  const std::int64_t panels = (request.end - request.begin + request.panel - 1) / request.panel;
  return panels * twist_panel_values(request);
}

AlignedBuffer make_twist_table(const TwistRequest& request, ComputeType compute, RootCache& roots) {
  return for_compute(compute, [&]<typename T>(T) {
    const RootTable& table = roots.get(request.n);
    const std::int64_t w = request.lanes;
    const std::int64_t highs = (request.rows + request.split - 1) / request.split;
    AlignedBuffer out(static_cast<std::size_t>(twist_table_values(request)) * sizeof(T), &roots.poll);
    T* at = static_cast<T*>(out.data());
    for (std::int64_t c0 = request.begin; c0 < request.end; c0 += request.panel) {
      const std::int64_t panel_end = std::min(c0 + request.panel, request.end);
      for (std::int64_t v = 0; v < request.panel; v += w) {
        for (std::int64_t pair = 0; pair < request.split + highs; ++pair, at += 2 * w) {
          roots.poll.count(2 * w);
          const std::int64_t k = pair < request.split ? pair : (pair - request.split) * request.split;
          for (int lane = 0; lane < request.lanes; ++lane) {
            // Lanes past the end repeat the last column; their results are never stored.
            const int place = index_of_lane(lane, request.lanes, 16 / static_cast<int>(sizeof(T)));
            const std::int64_t column = std::min(c0 + v + place, panel_end - 1);
            const UnitRoot root = table.get(multiply_mod(k, column, request.n));
            at[lane] = round_to<T>(root.re);
            at[w + lane] = round_to<T>(root.im);
          }
        }
      }
    }
    return out;
  });
}

AlignedBuffer make_line_twiddles(std::int64_t rows, std::int64_t columns, std::int64_t kept, ComputeType compute, RootCache& roots) {
  return for_compute(compute, [&]<typename T>(T) {
    const RootTable& table = roots.get(rows * columns);
    AlignedBuffer out = complex_buffer<T>(rows * kept, roots.poll);
    for (std::int64_t c = 0; c < kept; ++c) {
      for (std::int64_t k = 0; k < rows; ++k) {
        roots.poll.count(2);
        put<T>(out, c * rows + k, table.get(k * c));
      }
    }
    return out;
  });
}

AlignedBuffer make_real_twiddles(std::int64_t n, bool halved, ComputeType compute, RootCache& roots, const FormatInfo* element) {
  return for_compute(compute, [&]<typename T>(T) {
    const RootTable& table = roots.get(n);
    const std::int64_t count = real_twiddle_count(n);
    AlignedBuffer out = complex_buffer<T>(count, roots.poll);
    T* const values = static_cast<T*>(out.data());
    for (std::int64_t k = 0; k < count; ++k) {
      roots.poll.count(2);
      const UnitRoot root = table.get(k);
      if (element != nullptr) {
        const DoubleDouble factor(halved ? 0.5 : 1.0);
        values[2 * k] = static_cast<T>(round_to_element(*element, factor * root.re));
        values[2 * k + 1] = static_cast<T>(round_to_element(*element, factor * root.im));
        continue;
      }
      put<T>(out, k, root);
      for (const std::int64_t part : {2 * k, 2 * k + 1}) {
        if (halved) values[part] = values[part] * T(0.5);
      }
    }
    return out;
  });
}

AlignedBuffer make_chirp(std::int64_t n, ComputeType compute, RootCache& roots) {
  return for_compute(compute, [&]<typename T>(T) {
    const RootTable& table = roots.get(2 * n);
    AlignedBuffer out = complex_buffer<T>(n, roots.poll);
    for (std::int64_t j = 0; j < n; ++j) {
      roots.poll.count(2);
      put<T>(out, j, chirp(table, j));
    }
    return out;
  });
}

AlignedBuffer make_chirp_filter(std::int64_t n, std::int64_t m, ComputeType compute, RootCache& roots, const TransformF64& transform) {
  const RootTable& table = roots.get(2 * n);
  const Filter filter = [&](const auto& set) {
    for (std::int64_t j = 0; j < n; ++j) {
      const UnitRoot w = chirp(table, j);
      const UnitRoot conjugate{w.re, -w.im};
      set(j, conjugate);
      if (j > 0) set(m - j, conjugate);
    }
  };
  return filter_spectrum(filter, m, compute, roots, transform);
}

AlignedBuffer make_zoom_chirp(const ZoomTurns& turns, bool output, std::int64_t count, ComputeType compute, RootCache& roots) {
  return for_compute(compute, [&]<typename T>(T) {
    AlignedBuffer out = complex_buffer<T>(count, roots.poll);
    for (std::int64_t j = 0; j < count; ++j) {
      roots.poll.count(4);
      put<T>(out, j, unit_root_of(output ? turns.chirp(j) : turns.of_input(j)));
    }
    return out;
  });
}

AlignedBuffer make_zoom_filter(const ZoomTurns& turns, std::int64_t inputs, std::int64_t outputs, std::int64_t m, ComputeType compute,
                               RootCache& roots, const TransformF64& transform) {
  const Filter filter = [&](const auto& set) {
    for (std::int64_t j = 0; j < std::max(inputs, outputs); ++j) {
      roots.poll.count(4);
      const UnitRoot value = unit_root_of(-turns.chirp(j));
      if (j < outputs) set(j, value);
      if (j > 0 && j < inputs) set(m - j, value);
    }
  };
  return filter_spectrum(filter, m, compute, roots, transform);
}

AlignedBuffer make_rader_filter(std::int64_t n, std::int64_t m, ComputeType compute, RootCache& roots, const TransformF64& transform) {
  const RootTable& table = roots.get(n);
  const std::int64_t inverse = power_mod(primitive_root(n), n - 2, n);
  const Filter filter = [&](const auto& set) {
    std::int64_t at = 1;
    for (std::int64_t q = 0; q < n - 1; ++q) {
      const UnitRoot w = table.get(at);
      set(q, w);
      if (m > n - 1 && q > 0) set(m - (n - 1) + q, w);
      at = multiply_mod(at, inverse, n);
    }
  };
  return filter_spectrum(filter, m, compute, roots, transform);
}

}  // namespace ulpfft

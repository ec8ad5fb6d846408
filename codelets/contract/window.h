// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rows of numbers times the factors of a window: each product is rounded once, so that every target gives the same bits.
#ifndef ULPFFT_CODELETS_CONTRACT_WINDOW_H_
#define ULPFFT_CODELETS_CONTRACT_WINDOW_H_

#include <cstdint>

namespace ulpfft {

// Results are rows of adjacent elements, `each` reals, and may lie where the numbers do. Row r is multiplied by factors[j] for element j,
// and where there are factors of rows, by row_factors[(first_row + r) % row_count] * factors[j], which is rounded first. Without `factors`
// those of rows stand alone, and elements are reals.
struct WindowArgs {
  const void* numbers = nullptr;  // adjacent elements; of planes re
  const void* im = nullptr;       // the other plane, whose rows lie as far apart; null: there are no planes
  void* to = nullptr;
  std::int64_t rows = 1;
  std::int64_t points = 0;        // elements of a row
  std::int64_t each = 2;          // reals of an element: 1 or 2; of planes 2
  std::int64_t row_bytes = 0;     // between rows of the numbers
  std::int64_t to_row_bytes = 0;  // between those of the results
  const void* factors = nullptr;      // `points` of them
  const void* row_factors = nullptr;  // null: there are none
  std::int64_t first_row = 0;
  std::int64_t row_count = 1;
};

using WindowFn = void (*)(const WindowArgs& args);

// Elements first..points-1 of a row; `im` and `of_row` may be null.
template <typename T>
void window_elements(const WindowArgs& args, std::int64_t first, const T* from, const T* im, const T* of_row, T* to) {
  const T* const factors = static_cast<const T*>(args.factors);
  const T row = of_row != nullptr ? *of_row : T(1);
  for (std::int64_t j = first; j < args.points; ++j) {
    const T factor = factors == nullptr ? row : row * factors[j];
    if (im != nullptr) {
      to[2 * j] = from[j] * factor;
      to[2 * j + 1] = im[j] * factor;
    } else if (args.each == 1) {
      to[j] = from[j] * factor;
    } else {
      to[2 * j] = from[2 * j] * factor;
      to[2 * j + 1] = from[2 * j + 1] * factor;
    }
  }
}

// Calls row(numbers, im, factor of the row or null, results) for every row.
template <typename T, typename Row>
void visit_window_rows(const WindowArgs& args, const Row& row) {
  const T* const row_factors = static_cast<const T*>(args.row_factors);
  std::int64_t at = args.first_row % args.row_count;
  for (std::int64_t r = 0; r < args.rows; ++r) {
    const T* const im = args.im == nullptr ? nullptr : reinterpret_cast<const T*>(static_cast<const char*>(args.im) + r * args.row_bytes);
    row(reinterpret_cast<const T*>(static_cast<const char*>(args.numbers) + r * args.row_bytes), im,
        row_factors == nullptr ? nullptr : row_factors + at, reinterpret_cast<T*>(static_cast<char*>(args.to) + r * args.to_row_bytes));
    at = at + 1 == args.row_count ? 0 : at + 1;
  }
}

template <typename T>
void window_one_by_one(const WindowArgs& args) {
  visit_window_rows<T>(args, [&](const T* from, const T* im, const T* of_row, T* to) {
    window_elements<T>(args, 0, from, im, of_row, to);
  });
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_WINDOW_H_

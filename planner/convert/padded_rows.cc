// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/padded_rows.h"

#include <algorithm>
#include <cstring>

namespace ulpfft {
namespace {

constexpr std::int64_t kTileReals = 2048;
constexpr std::int64_t kLongestRow = 512;  // 225 points of mxint8 0.97 of the time, 375 1.05

// Whether rows are worth the copy.
bool are_padded(const ConversionArgs& args) {
  const Storage& s = *args.storage;
  return args.rows > 1 && s.scale != nullptr && s.length != 0 && args.count % s.length != 0 && args.count <= kLongestRow &&
         args.group == 0 && args.rounding != Rounding::kStochastic;
}

// Codes, scales and reals of rows.
struct RowsAsBytes {
  ByteRows codes, scales, reals;
};

// Calls convert(rows of a part, the same rows in a tile in whole blocks, their number, the tile as one row) for all parts.
template <typename Convert>
void in_tiles(const Codec& codec, const ConversionArgs& args, const Convert& convert) {
  alignas(64) std::uint8_t reals[kTileReals * 8];
  alignas(64) std::uint8_t codes[kTileReals * 2];
  alignas(64) std::uint8_t scales[kTileReals * 2];
  const Storage& s = *args.storage;
  const std::int64_t real = codec.real_bytes(), aligned = run_alignment(s);
  const std::int64_t row = (args.count + aligned - 1) / aligned * aligned, most = kTileReals / row;
  const std::int64_t code_row = code_bytes(s, row), scale_row = scale_bytes(s, row);
  const RowsAsBytes tile{{codes, code_row, code_row}, {scales, scale_row, scale_row}, {reals, row * real, row * real}};
  RowsAsBytes part{codes_of(args, code_bytes(s, args.count)), scales_of(args, scale_bytes(s, args.count)),
                   {static_cast<std::uint8_t*>(args.reals), args.real_row_stride * real, args.count * real}};
  ConversionArgs one = args;
  one.codes = codes;
  one.scales = scales;
  one.reals = reals;
  one.rows = 1;
  one.non_temporal = false;
  for (std::int64_t left = args.rows; left > 0; left -= most) {
    const std::int64_t rows = std::min(most, left);
    one.count = rows * row;
    convert(part, tile, rows, one);
    for (ByteRows* bytes : {&part.codes, &part.scales, &part.reals}) bytes->begin += rows * bytes->step;
  }
}

}  // namespace

void decode_rows(const Codec& codec, const ConversionArgs& args) {
  if (!are_padded(args)) return codec.decode(args);
  in_tiles(codec, args, [&](const RowsAsBytes& part, const RowsAsBytes& tile, std::int64_t rows, const ConversionArgs& one) {
    copy_byte_rows(part.codes, tile.codes, rows);
    copy_byte_rows(part.scales, tile.scales, rows);
    codec.decode(one);
    copy_byte_rows(tile.reals, part.reals, rows);
  });
}

std::int64_t encode_rows(const Codec& codec, const ConversionArgs& args) {
  if (!are_padded(args)) return codec.encode(args);
  std::int64_t saturated = 0;
  in_tiles(codec, args, [&](const RowsAsBytes& part, const RowsAsBytes& tile, std::int64_t rows, const ConversionArgs& one) {
    copy_byte_rows(part.reals, tile.reals, rows);
    saturated += codec.encode(one);
    copy_byte_rows(tile.codes, part.codes, rows);
    copy_byte_rows(tile.scales, part.scales, rows);
  });
  return saturated;
}

}  // namespace ulpfft

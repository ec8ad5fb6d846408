// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/padded_rows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ulpfft {
namespace {

constexpr std::int64_t kTileReals = 2048;
constexpr std::int64_t kLongestRow = 512;  // 225 points of mxint8 0.97 of the time, 375 1.05

// A part of the rows in whole blocks.
class Tile {
 public:
  Tile(const ConversionArgs& args, std::size_t real_bytes) : args_(args), real_bytes_(static_cast<std::int64_t>(real_bytes)) {
    const Storage& s = *args.storage;
    reals_ = (args.count + run_alignment(s) - 1) / run_alignment(s) * run_alignment(s);
    row_bytes_ = code_bytes(s, args.count);
    row_scale_bytes_ = scale_bytes(s, args.count);
    tile_bytes_ = code_bytes(s, reals_);
    tile_scale_bytes_ = scale_bytes(s, reals_);
  }

  // Whether rows are worth it.
  static bool serves(const ConversionArgs& args) {
    const Storage& s = *args.storage;
    return args.rows > 1 && s.scale != nullptr && s.length != 0 && args.count % s.length != 0 && args.count <= kLongestRow &&
           args.group == 0 && args.rounding != Rounding::kStochastic;
  }

  // Calls convert(rows as one) for every tile; before and after are done for each of its rows.
  template <typename Before, typename Convert, typename After>
  void run(const Before& before, const Convert& convert, const After& after) {
    const std::int64_t most = kTileReals / reals_;
    for (first_ = 0; first_ < args_.rows; first_ += most) {
      const std::int64_t rows = std::min(most, args_.rows - first_);
      for (std::int64_t r = 0; r < rows; ++r) before(r);
      ConversionArgs one = args_;
      one.codes = code_tile_;
      one.scales = scale_tile_;
      one.reals = real_tile_;
      one.rows = 1;
      one.count = rows * reals_;
      one.non_temporal = false;
      convert(one);
      for (std::int64_t r = 0; r < rows; ++r) after(r);
    }
  }

  void read_codes(std::int64_t r) {
    fill(code_tile_ + r * tile_bytes_, tile_bytes_, codes(r), row_bytes_);
    fill(scale_tile_ + r * tile_scale_bytes_, tile_scale_bytes_, scales(r), row_scale_bytes_);
  }
  void write_codes(std::int64_t r) {
    std::memcpy(codes(r), code_tile_ + r * tile_bytes_, bytes(row_bytes_));
    std::memcpy(scales(r), scale_tile_ + r * tile_scale_bytes_, bytes(row_scale_bytes_));
  }
  void read_reals(std::int64_t r) {
    fill(real_tile_ + r * reals_ * real_bytes_, reals_ * real_bytes_, reals(r), args_.count * real_bytes_);
  }
  void write_reals(std::int64_t r) { std::memcpy(reals(r), real_tile_ + r * reals_ * real_bytes_, bytes(args_.count * real_bytes_)); }

 private:
  static std::size_t bytes(std::int64_t n) { return static_cast<std::size_t>(n); }
  // `size` bytes, of which `used` are copied and the others zeros.
  static void fill(std::uint8_t* to, std::int64_t size, const std::uint8_t* from, std::int64_t used) {
    std::memcpy(to, from, bytes(used));
    std::memset(to + used, 0, bytes(size - used));
  }
  std::uint8_t* codes(std::int64_t r) const { return static_cast<std::uint8_t*>(args_.codes) + (first_ + r) * args_.code_row_bytes; }
  std::uint8_t* scales(std::int64_t r) const { return static_cast<std::uint8_t*>(args_.scales) + (first_ + r) * args_.scale_row_bytes; }
  std::uint8_t* reals(std::int64_t r) const {
    return static_cast<std::uint8_t*>(args_.reals) + (first_ + r) * args_.real_row_stride * real_bytes_;
  }

  const ConversionArgs& args_;
  std::int64_t real_bytes_;
  std::int64_t first_ = 0;
  std::int64_t reals_;                                       // of a row in the tile
  std::int64_t row_bytes_, row_scale_bytes_, tile_bytes_, tile_scale_bytes_;
  alignas(64) std::uint8_t real_tile_[kTileReals * 8];
  alignas(64) std::uint8_t code_tile_[kTileReals * 2];
  alignas(64) std::uint8_t scale_tile_[kTileReals * 2];
};

}  // namespace

void decode_rows(DecodeFn decode, const ConversionArgs& args, std::size_t real_bytes) {
  if (!Tile::serves(args)) return decode(args);
  Tile tile(args, real_bytes);
  tile.run([&](std::int64_t r) { tile.read_codes(r); }, decode, [&](std::int64_t r) { tile.write_reals(r); });
}

std::int64_t encode_rows(EncodeFn encode, const ConversionArgs& args, std::size_t real_bytes) {
  if (!Tile::serves(args)) return encode(args);
  Tile tile(args, real_bytes);
  std::int64_t saturated = 0;
  tile.run([&](std::int64_t r) { tile.read_reals(r); }, [&](const ConversionArgs& one) { saturated += encode(one); },
           [&](std::int64_t r) { tile.write_codes(r); });
  return saturated;
}

}  // namespace ulpfft

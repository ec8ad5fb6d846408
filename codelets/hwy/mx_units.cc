// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Takes a pass of an mx scheme through its stages, unit by unit. Units whose numbers are adjacent go without a tile.
#include <bit>
#include <cstring>

#include "codelets/hwy/mx_stages.h"

namespace ulpfft {

void load_interleaved(const MxRows& rows, const float* from, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  const MxPass& pass = rows.pass;
  if (pass.points != nullptr) {
    const float* const row = from + 2 * q * pass.butterflies;
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(tile + 2 * i, row + 2 * static_cast<std::int64_t>(pass.points[b + i]), 2 * sizeof(float));
    return;
  }
  if (rows.flat) {
    std::copy_n(from + 2 * (q * pass.length + b), 2 * count, tile);
    return;
  }
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, pass.length - (b + i) % pass.length);
    std::copy_n(from + 2 * mx_place(pass, b + i, q), 2 * run, tile + 2 * i);
    i += run;
  }
}

void load_numbers(const MxRows& rows, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  const MxPass& pass = rows.pass;
  if (!rows.flat) return mx_load_row(pass, rows.source, b, q, count, tile);
  for (std::int64_t end = b + count; b < end; b = 0, end -= pass.length, ++q) {
    const std::int64_t run = std::min(end, pass.length) - b;
    mx_load_row(pass, rows.source, b, q, run, tile);
    tile += 2 * run;
  }
}

void store_numbers(const MxRows& rows, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count) {
  if (!rows.flat) return mx_store_row(rows.pass, tile, b, q, count, rows.data);
  std::copy_n(tile, 2 * count, rows.data + 2 * (q * rows.pass.length + b));
}

void run_mx_pass(const MxStages& stages, bool butterfly, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const MxPass& pass = context_of<MxPass>(args);
  const MxParameters& p = pass.parameters;
  const MxConstants c(p);
  MxRows rows{pass, mx_source(args, buffers, pass), resolve<float>(args.out, buffers).re, -1, false, args.in.planar && args.in.lane_order,
              !butterfly && pass.length == pass.butterflies && pass.row == pass.butterflies && pass.points == nullptr};
  if ((pass.length & (pass.length - 1)) == 0) rows.shift = std::countr_zero(static_cast<std::uint64_t>(pass.length));
  rows.interleaved = rows.source.stride == 2 && rows.source.from.im - rows.source.from.re == 1;
  const bool plain = p.negative_zero && p.lowest == -p.largest;
  const bool ones = pass.ones && p.keeps_products_with_one();
  const MxBlocks blocks{std::countr_zero(static_cast<std::uint32_t>(p.length)), kMxReals / p.length};
  const auto find = stages.find_largest[blocks.shift - 1];
  const auto multiply = stages.multiply[plain];
  const auto finish = stages.finish[plain][ones][butterfly];
  // Units whose butterflies are adjacent at both ends.
  const bool plainly = rows.interleaved && rows.source.scale == 1.0F;
  const bool adjacent = butterfly && rows.source.in_place && pass.length % kMxUnit == 0 && pass.row == pass.butterflies;
  const bool sorts = butterfly && rows.shift >= 0 && 2 * pass.length <= stages.points && pass.row == pass.butterflies;
  MxTile tile;
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    float* u = tile.u;
    float* v = tile.v;
    const std::int64_t begin = unit * kMxUnit;
    const std::int64_t entries = std::min(kMxUnit, (pass.radix - 1) * pass.row - begin);
    const std::int64_t q0 = begin / pass.row + 1, b0 = begin - (q0 - 1) * pass.row;
    const auto for_rows = [&](const auto& part) {
      if (rows.flat) {
        part(b0, q0, entries, std::int64_t{0});
      } else {
        for_each_row(pass, unit, part);
      }
    };
    // Where rows are neighbours, products of whole vectors go straight to their places.
    const bool stores = rows.flat && entries % stages.points == 0;
    const float* from = v;
    float* to = stores ? rows.data + 2 * (q0 * pass.length + b0) : v;
    const bool sorted = sorts && begin + kMxUnit <= pass.butterflies;
    if (rows.flat && plainly && entries == kMxUnit) {
      from = rows.source.from.re + 2 * (q0 * pass.length + b0);
    } else if (adjacent) {
      u = rows.data + 2 * mx_place(pass, b0, 0);
      from = to = rows.data + 2 * mx_place(pass, b0, q0);
    } else if (sorted && rows.source.in_place) {
      stages.load_halves(rows.data + 4 * begin, rows.shift, kMxUnit, u, v);
    } else {
      // Entries without a butterfly are 0.
      if (pass.row != pass.butterflies) {
        std::fill(v, v + kMxReals, 0.0F);
        std::fill(u, u + kMxReals, 0.0F);
      }
      if (entries < kMxUnit) std::fill(v + 2 * entries, v + kMxReals, 0.0F);
      if (entries < kMxUnit && butterfly) std::fill(u + 2 * entries, u + kMxReals, 0.0F);
      for_rows([&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) {
        if (butterfly) stages.load_row(rows, b, 0, butterflies, u + 2 * at);
        stages.load_row(rows, b, q, butterflies, v + 2 * at);
      });
    }
    const std::int64_t entry = mx_twiddle(pass, begin);
    const float* const twiddles = pass.twiddles + 2 * entry;
    const std::int32_t* const exponents = pass.exponents + 2 * entry / p.length;
    if (p.even_steps) {
      find(from, tile.largest);
      stages.scale_data(c, blocks, ones, tile);
      if (!ones) {
        multiply(c, blocks, from, twiddles, tile);
        find(tile.products, tile.largest);
        stages.scale_products(c, blocks, exponents, tile);
      }
      finish(c, blocks, ones ? from : tile.products, static_cast<int>(stores ? 2 * entries : kMxReals), tile, u, to);
    } else if (butterfly) {
      mx_multiply_slowly(pass, from, twiddles, exponents, kMxUnit, tile.products);
      stages.add_products(tile.products, u, to);
    } else {
      mx_multiply_slowly(pass, from, twiddles, exponents, stores ? entries : kMxUnit, to);
    }
    if (stores || adjacent) continue;
    if (sorted) {
      stages.store_halves(u, v, rows.shift, kMxUnit, rows.data + 4 * begin);
      continue;
    }
    for_rows([&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) {
      if (butterfly) stages.store_row(rows, u + 2 * at, b, 0, butterflies);
      stages.store_row(rows, v + 2 * at, b, q, butterflies);
    });
  }
  if (butterfly || rows.source.in_place) return;
  for_row_0(pass, first, count, [&](std::int64_t b, std::int64_t butterflies) {
    stages.load_row(rows, b, 0, butterflies, tile.u);
    stages.store_row(rows, tile.u, b, 0, butterflies);
  });
}

}  // namespace ulpfft

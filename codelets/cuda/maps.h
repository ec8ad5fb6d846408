// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where the points of a tile lie in shared memory between two passes.
//
// A pass of radix r behind sub-transforms of length l writes point p of butterfly b = group * l + k; the next pass reads element
// group * l * r + p * l + k of the tile. A map is linear in (transform, group, p, k), so that a thread computes one base and every other
// address of it is a constant: what a pass reads at a distance of n / r' points is a whole number of groups away.
//
// Padding   searched at compile time: fewest wavefronts for writers and readers, then least memory.
// Banks     32 of 4 bytes; complex numbers of f32 go out 16 lanes at a time, those of f64 8.
#ifndef ULPFFT_CODELETS_CUDA_MAPS_H_
#define ULPFFT_CODELETS_CUDA_MAPS_H_

#include "codelets/cuda/portable.h"

namespace ulpfft::cuda {

// What neighbouring threads hold: neighbouring butterflies of one transform, or the same butterfly of neighbouring transforms.
enum class Lanes : int { kButterflies, kTransforms };

// Threads of a block: `per` for each of `transforms`.
struct Threads {
  Lanes lanes;
  int per;
  int transforms;
  // Divided without a sign, which powers of two then do by one shift or mask.
  ULPFFT_BOTH int transform(int thread) const {
    return lanes == Lanes::kButterflies ? quotient(thread, per) : remainder(thread, transforms);
  }
  ULPFFT_BOTH int butterfly(int thread) const {
    return lanes == Lanes::kButterflies ? remainder(thread, per) : quotient(thread, transforms);
  }
  ULPFFT_BOTH static int quotient(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) / static_cast<unsigned>(b)); }
  ULPFFT_BOTH static int remainder(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) % static_cast<unsigned>(b)); }
};

// Between a pass of radix `radix` behind length `length` and the next one. Pitches in complex numbers.
struct Map {
  int length = 1;
  int radix = 1;
  int together = 1;   // groups that lie together
  int transform = 0;  // pitches
  int groups = 0;     // of those
  int group = 0;
  int row = 0;
  int point = 0;
  int size = 0;       // of the tile
  ULPFFT_BOTH int group_at(int q) const { return q / together * groups + q % together * group; }
  // The positions of butterfly b of the writer, and of element i of the tile.
  ULPFFT_BOTH int written(int b) const { return group_at(b / length) + b % length * point; }
  ULPFFT_BOTH int read(int i) const { return group_at(i / (length * radix)) + i % (length * radix) / length * row + i % length * point; }
};

// Wavefronts beyond the fewest possible, of the lanes of one warp whose positions are at(thread).
template <class At>
ULPFFT_BOTH int extra_wavefronts(const At& at, int threads, int warp, int group_lanes) {
  int extra = 0;
  for (int first = 32 * warp; first < 32 * warp + 32; first += group_lanes) {
    int in_bank[16] = {};
    int worst = 0;
    for (int lane = first; lane < first + group_lanes && lane < threads; ++lane) {
      const int count = ++in_bank[at(lane) % group_lanes];
      if (count > worst) worst = count;
    }
    if (worst > 1) extra += worst - 1;
  }
  return extra;
}

struct WrittenAt {
  Map map;
  Threads threads;
  ULPFFT_BOTH int operator()(int thread) const {
    return threads.transform(thread) * map.transform + map.written(threads.butterfly(thread));
  }
};
struct ReadAt {
  Map map;
  Threads threads;
  ULPFFT_BOTH int operator()(int thread) const {
    return threads.transform(thread) * map.transform + map.read(threads.butterfly(thread));
  }
};

// Looks at the first, second and last warp of writers and readers; the others are translations of them where lengths are powers of two.
ULPFFT_BOTH int extra_wavefronts(const Map& map, const Threads& writers, const Threads& readers, int group_lanes) {
  const int threads = writers.per * writers.transforms;
  const int warps = (threads + 31) / 32;
  const int looks[3] = {0, 1, warps - 1};
  int extra = 0;
  for (const int warp : looks) {
    if (warp >= warps) continue;
    extra += extra_wavefronts(WrittenAt{map, writers}, threads, warp, group_lanes);
    extra += extra_wavefronts(ReadAt{map, readers}, threads, warp, group_lanes);
  }
  return extra;
}

inline constexpr int kMostPadding = 16;

// What lies between two passes: n points, `radix` behind `length` on the one side, `next` on the other.
struct Exchange {
  int n, length, radix, next;
  Threads writers, readers;
};

ULPFFT_BOTH Map padded_map(const Exchange& x, int together, int group_padding, int transform_padding) {
  // Lanes that are transforms at both ends lie side by side; else a transform is one piece.
  const bool beside = x.writers.lanes == Lanes::kTransforms && x.readers.lanes == Lanes::kTransforms;
  Map map;
  map.length = x.length;
  map.radix = x.radix;
  map.together = together;
  map.point = beside ? x.writers.transforms : 1;
  map.row = x.length * map.point;
  map.group = x.radix * map.row;
  map.groups = together * map.group + group_padding;
  const int whole = x.n / (x.length * x.radix * together) * map.groups;
  map.transform = beside ? 1 : whole + transform_padding;
  map.size = beside ? whole : x.writers.transforms * map.transform;
  return map;
}

ULPFFT_BOTH Map find_map(const Exchange& x, int group_lanes) {
  Map best = padded_map(x, 1, 0, 0);
  int least = extra_wavefronts(best, x.writers, x.readers, group_lanes);
  const int transform_paddings = x.writers.transforms > 1 ? kMostPadding : 1;
  // A reader steps over n / next points, which must be whole bundles of groups.
  const int step = x.n / (x.next * x.length * x.radix);
  for (int together = 1; together <= 2 && step % together == 0; ++together) {
    for (int t = 0; t < transform_paddings; ++t) {
      for (int g = 0; g < kMostPadding && least > 0; ++g) {
        const Map map = padded_map(x, together, g, t);
        const int extra = extra_wavefronts(map, x.writers, x.readers, group_lanes);
        if (extra < least) {
          best = map;
          least = extra;
        }
      }
    }
  }
  return best;
}

// Rows pass through shared memory in the order of the array where too few neighbouring threads load neighbouring points of one row:
// `together` rows, then `padding`. A reader has butterfly b of a first pass, or of a last one.
struct Staging {
  int n = 0;
  int together = 1;
  int pitch = 0;  // of rows that lie together
  int size = 0;
  ULPFFT_BOTH int row(int transform) const { return transform / together * pitch + transform % together * n; }
};

struct StagedLinear {
  Staging staging;
  ULPFFT_BOTH int operator()(int thread) const { return staging.row(thread / staging.n) + thread % staging.n; }
};
struct StagedRows {
  Staging staging;
  Threads threads;
  ULPFFT_BOTH int operator()(int thread) const { return staging.row(threads.transform(thread)) + threads.butterfly(thread); }
};

ULPFFT_BOTH Staging find_staging(int n, const Threads& threads, int group_lanes) {
  Staging best;
  int least = 1 << 20;
  for (int padding = 0; padding < kMostPadding && least > 0; ++padding) {
    Staging staging;
    staging.n = n;
    staging.together = n < group_lanes && group_lanes % n == 0 ? group_lanes / n : 1;
    staging.pitch = staging.together * n + padding;
    staging.size = (threads.transforms + staging.together - 1) / staging.together * staging.pitch;
    const int count = threads.per * threads.transforms;
    int extra = 0;
    for (int warp = 0; warp < 2 && 32 * warp < count; ++warp) {
      extra += extra_wavefronts(StagedLinear{staging}, count, warp, group_lanes);
      extra += extra_wavefronts(StagedRows{staging, threads}, count, warp, group_lanes);
    }
    if (extra < least) {
      best = staging;
      least = extra;
    }
  }
  return best;
}

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_MAPS_H_

// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One sweep over the data: whole transforms of a block in shared memory, one pass after the other.
//
// A pass of radix r behind sub-transforms of length l has n / r butterflies, those of dit: butterfly b = group * l + k reads points
// b + j n / r of what the pass before left, multiplies them by w^(j k), and leaves its outputs at group * l * r + k + l p, so that the last
// pass leaves natural order. A thread holds butterflies b0, b0 + T, b0 + 2 T, ... of one transform, T threads for each.
//
// Ends      Rows are dense; columns have a point stride, and neighbouring threads hold neighbouring transforms.
// Bits      The bodies are those of every backend, the scale multiplies what is loaded, tables are rounded once: those of the recipe.
#ifndef ULPFFT_CODELETS_CUDA_TILE_H_
#define ULPFFT_CODELETS_CUDA_TILE_H_

#include <tuple>

#include "codelets/cuda/maps.h"
#include "codelets/cuda/steps.h"
#include "cuda_bodies.h"

namespace ulpfft::cuda {

// What a body reads and writes: registers.
template <class T>
struct Points {
  Complex<T>* points;
  ULPFFT_DEVICE void load(int j, T& re, T& im) const {
    re = points[j].re;
    im = points[j].im;
  }
  ULPFFT_DEVICE void store(int j, T re, T im) const { points[j] = {re, im}; }
};
// The factors of one butterfly, `stride` apart. Parts are loaded where the body asks for them, which keeps registers free; the compiler
// makes one access of both, and the observer sees one.
template <class T>
struct Factors {
  const Complex<T>* table;
  int stride;
  ULPFFT_DEVICE T get(int i) const {
    return i % 2 == 0 ? table_load(table + i / 2 * stride).re : load_both(table + i / 2 * stride).im;
  }
};
struct NoFactors {};

template <class... Bodies>
struct Passes {
  static constexpr int kCount = sizeof...(Bodies);
  template <int kPass>
  using Body = std::tuple_element_t<kPass, std::tuple<Bodies...>>;
  ULPFFT_BOTH static int radix(int pass) {
    constexpr int kRadices[] = {Bodies::kRadix...};
    return kRadices[pass];
  }
  // The length of the sub-transforms before a pass. Behind the last pass it is that of the transform.
  ULPFFT_BOTH static int length_before(int pass) {
    int length = 1;
    for (int i = 0; i < pass; ++i) length *= radix(i);
    return length;
  }
  ULPFFT_BOTH static int largest_radix() {
    int largest = 1;
    for (int i = 0; i < kCount; ++i) largest = radix(i) > largest ? radix(i) : largest;
    return largest;
  }
  // Complex numbers of the table before a pass: an odd value stands alone in the last one.
  ULPFFT_BOTH static int factors_before(int pass) {
    constexpr int kValues[] = {Bodies::kTableValues...};
    int count = 0;
    for (int i = 1; i < pass; ++i) count += (kValues[i] + 1) / 2 * length_before(i);
    return count;
  }
};

template <bool kValue>
struct Known {
  ULPFFT_DEVICE operator bool() const { return kValue; }
};

// The direction of a kernel: what its arguments say, or the one that is compiled into it.
enum class Direction : int { kGiven, kForward, kBackward };

// Shared memory that a block of columns may take: on devices that have most of it, and on those that have least, which narrow columns are
// for.
enum class Room : int { kLarge = 128 << 10, kSmall = 96 << 10 };

template <KernelKind kTheKind, class TheInput, class TheOutput, class ThePasses, Direction kTheDirection, Room kRoom = Room::kLarge>
struct Tile {
  using In = TheInput;  // storage
  using Out = TheOutput;
  using P = ThePasses;
  using Real = typename In::Real;
  static_assert(std::is_same<Real, typename Out::Real>::value, "both ends have the reals of the arithmetic");
  using Point = Complex<Real>;
  using InCode = CodePair<typename In::Code>;
  using OutCode = CodePair<typename Out::Code>;
  static constexpr int kCodeBytes = static_cast<int>(sizeof(InCode) < sizeof(OutCode) ? sizeof(InCode) : sizeof(OutCode));

  static constexpr KernelKind kKind = kTheKind;
  static constexpr Direction kDirection = kTheDirection;
  static constexpr int kN = P::length_before(P::kCount);
  static constexpr int kPasses = P::kCount;
  static constexpr int kSector = 32;  // bytes
  static constexpr int kGroupLanes = 128 / static_cast<int>(sizeof(Point));

  // Rows of odd radices where no padding frees butterflies side by side of conflicts: short ones, and those with 25 and without 16 in
  // their length. Shared memory takes the rows as they lie, and neighbouring threads hold neighbouring rows.
  static constexpr bool kPowerOfTwo = (kN & (kN - 1)) == 0;
  static constexpr bool kRowsAsLanes = kKind == KernelKind::kRows && !kPowerOfTwo && (kN <= 500 || (kN % 25 == 0 && kN % 16 != 0));
  static constexpr Lanes kInLanes =
      (kKind == KernelKind::kRows && !kRowsAsLanes) || kKind == KernelKind::kTurned ? Lanes::kButterflies : Lanes::kTransforms;
  static constexpr Lanes kOutLanes = kKind == KernelKind::kRows && !kRowsAsLanes ? Lanes::kButterflies : Lanes::kTransforms;
  static constexpr int kPerTransform = kN / P::largest_radix();
  // Rows: 128 threads where transforms are short. Columns: runs of 64 bytes, of 32 where a block would be too large. Narrow columns of 16
  // bits have runs of half a sector.
  static constexpr int kLeastThreads = 128;
  static constexpr int kMostThreads = kCodeBytes < 8 ? 512 : 1024;
  ULPFFT_BOTH static int per_block() {
    const int filling = (kLeastThreads + kPerTransform - 1) / kPerTransform;
    if (kRowsAsLanes && kPerTransform == 1) return kLeastThreads;
    if (kRowsAsLanes) return kPerTransform <= 8 ? 32 : kPerTransform <= 24 ? 16 : kPerTransform <= 48 ? 8 : 4;
    if (kKind == KernelKind::kRows) return kPerTransform * filling > 192 && filling > 1 ? filling - 1 : filling;
    int run = 64 / kCodeBytes;
    const int most = kMostThreads / kPerTransform, fits = static_cast<int>(kRoom) / (kN * static_cast<int>(sizeof(Point)));
    const int least = kRoom == Room::kSmall ? kSector / 2 : kSector;
    while (run * kCodeBytes > least && (run > most || run > fits)) run /= 2;
    while (kPerTransform * run < kLeastThreads && run < 32) run *= 2;
    return run;
  }
  static constexpr int kPerBlock = per_block();
  static constexpr int kThreads = kPerTransform * kPerBlock;
  static_assert(kThreads <= 1024, "columns of this length have runs of less than a sector");
  // Registers are limited to 64 a thread: 32 warps. Blocks of f64, and lengths that are no powers of two where threads hold many points,
  // may take 80 of them: 24 warps. Radix 16 in f64 has 128, and 16 warps.
  static constexpr int kWarps = (kThreads + 31) / 32;
  static constexpr bool kIsF64 = sizeof(Real) == 8;
  static constexpr bool kIsPowerOfTwo = (kN & (kN - 1)) == 0;
  static constexpr bool kTakesMore = kIsF64 ? kWarps <= 12 || !kIsPowerOfTwo : !kIsPowerOfTwo && P::largest_radix() > 10;
  static constexpr int kWarpsPerSm = kIsF64 && P::largest_radix() > 10 ? 16 : kTakesMore ? 24 : 32;
  static constexpr int kBlocksPerSm = kWarpsPerSm / kWarps;

  ULPFFT_BOTH static Threads threads_of(int pass) { return {pass + 1 == kPasses ? kOutLanes : kInLanes, kPerTransform, kPerBlock}; }
  // Butterflies of a thread, and whether every thread has that many.
  ULPFFT_BOTH static int butterflies(int pass) { return (kN / P::radix(pass) + kPerTransform - 1) / kPerTransform; }
  ULPFFT_BOTH static bool even(int pass) { return kN / P::radix(pass) % kPerTransform == 0; }
  ULPFFT_BOTH static int most_points() {
    int most = 0;
    for (int i = 0; i < kPasses; ++i) most = butterflies(i) * P::radix(i) > most ? butterflies(i) * P::radix(i) : most;
    return most;
  }
  // Whether positions of b0 + u T are those of b0 plus those of u T, and indices modulo `length` likewise.
  ULPFFT_BOTH static bool adds(int length) { return length % kPerTransform == 0 || kPerTransform % length == 0; }

  // Rows whose runs would be less than a sector.
  static constexpr bool kStaged =
      kRowsAsLanes || (kKind == KernelKind::kRows && kPerTransform * kCodeBytes < kSector);
  static constexpr Staging kStaging = find_staging(kN, threads_of(0), kGroupLanes);
  ULPFFT_BOTH static Map map_after(int pass) {
    return find_map({kN, P::length_before(pass), P::radix(pass), P::radix(pass + 1), threads_of(pass), threads_of(pass + 1)}, kGroupLanes);
  }
  template <int kPass>
  struct MapAfter {
    static constexpr Map kMap = map_after(kPass);
  };
  template <int kPass>
  ULPFFT_BOTH static int largest_map() {
    if constexpr (kPass + 1 >= kPasses) {
      return kStaged ? kStaging.size : 0;
    } else {
      const int rest = largest_map<kPass + 1>();
      return MapAfter<kPass>::kMap.size > rest ? MapAfter<kPass>::kMap.size : rest;
    }
  }
  static constexpr int kSharedBytes = largest_map<0>() * static_cast<int>(sizeof(Point));
  static constexpr int kTableBytes = P::factors_before(kPasses) * static_cast<int>(sizeof(Point));

  struct State {
    Point v[most_points()];
    unsigned saturated;
  };

  // ---- Addresses ----
  ULPFFT_DEVICE static std::uint32_t first_transform(Place at) { return at.x() * kPerBlock; }
  ULPFFT_DEVICE static bool is_live(int transform, const Args& args, Place at) {
    return kPerBlock == 1 || first_transform(at) + transform < static_cast<std::uint32_t>(args.count);
  }
  ULPFFT_DEVICE static std::int64_t origin(const End& end, std::uint32_t x, Place at) {
    return x * end.x_stride + at.y() * end.y_stride + at.z() * end.z_stride;
  }
  ULPFFT_DEVICE static Point turned(Point p, bool swap) {
    if (swap) return {p.im, p.re};
    return p;
  }
  ULPFFT_DEVICE static bool swaps(std::int32_t given) {
    return kDirection == Direction::kGiven ? given != 0 : kDirection == Direction::kBackward;
  }
  ULPFFT_DEVICE static bool swaps_in(const Args& args) { return swaps(args.swap_in); }
  ULPFFT_DEVICE static bool swaps_out(const Args& args) { return swaps(args.swap_out); }

  // Calls body(swap), as two texts where a thread has more than a few points: selects cost either direction two instructions a point.
  template <class Body>
  ULPFFT_DEVICE static void for_direction(bool swap, const Body& body) {
    if constexpr (most_points() <= 4) {
      body(swap);
    } else if (swap) {
      stays_a_branch();
      body(Known<true>());
    } else {
      body(Known<false>());
    }
  }

  // Whether point b + j n / r wraps, as End says: those of the second half of the butterfly do, and of an odd radix the point in the middle
  // may.
  template <int kRadix>
  ULPFFT_DEVICE static bool wraps(const End& end, int j, int b) {
    if (2 * j + 1 == kRadix) return b + j * (kN / kRadix) >= kN - end.shift;
    return 2 * j >= kRadix;
  }
  static constexpr bool kWrapsIn = kKind != KernelKind::kTurned;

  // Calls body(u, b0 + u T) for the butterflies of a thread.
  template <int kPass, class Body>
  ULPFFT_DEVICE static void for_butterflies(int b0, const Body& body) {
    ULPFFT_UNROLL
    for (int u = 0; u < butterflies(kPass); ++u) {
      if (even(kPass) || b0 + u * kPerTransform < kN / P::radix(kPass)) body(u, b0 + u * kPerTransform);
    }
  }

  // ---- Ends ----
  ULPFFT_DEVICE static void load(State& state, const Args& args, Place at) {
    constexpr int kRadix = P::radix(0);
    constexpr bool kDense = kKind == KernelKind::kRows || kKind == KernelKind::kTurned;
    constexpr Threads kWho = threads_of(0);
    const int b0 = kWho.butterfly(at.thread);
    // Beyond the last transform: the first of the block, which is not stored. A branch would have to leave zeros.
    const int transform = is_live(kWho.transform(at.thread), args, at) ? kWho.transform(at.thread) : 0;
    const std::int64_t stride = kDense ? 1 : args.in.point_stride;
    const InCode* const from =
        computed(static_cast<const InCode*>(args.in.data) + origin(args.in, first_transform(at) + transform, at) + b0 * stride);
    const std::int64_t wrap = kWrapsIn ? args.in.wrap : 0;
    const InCode* const wrapped = from + wrap;
    for_butterflies<0>(b0, [&](int u, int b) {
      ULPFFT_UNROLL
      for (int j = 0; j < kRadix; ++j) {
        const InCode* base = kWrapsIn && wraps<kRadix>(args.in, j, b) ? wrapped : from;
        if (2 * j + 1 == kRadix) base = computed(base);  // of one that is chosen the compiler forgets that it is global
        state.v[u * kRadix + j] = load_point<In>(base + (u * kPerTransform + j * (kN / kRadix)) * stride);
      }
    });
  }
  // Scale and direction at once: forward transforms without a scale jump over both. A factor of 1 is exact.
  ULPFFT_DEVICE static void turn_and_scale(State& state, const Args& args) {
    constexpr bool kGiven = kDirection == Direction::kGiven;
    const bool swap = kGiven && swaps_in(args);
    ULPFFT_UNROLL
    for (int i = 0; i < butterflies(0) * P::radix(0); ++i) state.v[i] = turned(state.v[i], !kGiven && swaps_in(args));
    if (args.scale == 1.0 && !swap) return;
    stays_a_branch();
    const Real factor = static_cast<Real>(args.scale);
    ULPFFT_UNROLL
    for (int i = 0; i < butterflies(0) * P::radix(0); ++i) {
      const Point p = turned(state.v[i], swap);
      state.v[i] = {mul(p.re, factor), mul(p.im, factor)};
    }
  }
  ULPFFT_DEVICE static void store(State& state, const Args& args, Place at) {
    constexpr int kLast = kPasses - 1, kRadix = P::radix(kLast), kLength = P::length_before(kLast);
    constexpr bool kDense = kKind == KernelKind::kRows;
    constexpr Threads kWho = threads_of(kLast);
    const int transform = kWho.transform(at.thread), b0 = kWho.butterfly(at.thread);
    if (!is_live(transform, args, at)) return;
    const std::int64_t stride = kDense ? 1 : args.out.point_stride;
    OutCode* const to =
        computed(static_cast<OutCode*>(args.out.data) + origin(args.out, first_transform(at) + transform, at) + b0 * stride);
    const std::int64_t step = kLength * stride;  // added from one output to the next: as products, addresses would wait in registers
    const std::int64_t wrap = args.out.wrap;
    OutCode* const wrapped = to + wrap;
    const auto store_each = [&](auto swap, const auto& put_point) {
      for_butterflies<kLast>(b0, [&](int u, int b) {
        OutCode* point = to + u * kPerTransform * stride;
        ULPFFT_UNROLL
        for (int p = 0; p < kRadix; ++p) {
          const bool far = wraps<kRadix>(args.out, p, b);
          if (kRadix % 2 == 0 && p == kRadix / 2) point += wrap;
          Point* const v = state.v + u * kRadix + p;
          if constexpr (kKind == KernelKind::kTwisted) {
            if (args.twist != nullptr && p % kFactorsAhead == 0) twist(v, p, args, first_transform(at) + transform, b);
          }
          if constexpr (kDense) {
            OutCode* base = far ? wrapped : to;
            if (2 * p + 1 == kRadix) base = computed(base);  // as in load()
            put_point(base + u * kPerTransform + p * kLength, turned(*v, swap));
          } else {
            put_point(point + (kRadix % 2 != 0 && far ? wrap : 0), turned(*v, swap));
          }
          point += step;
        }
      });
    };
    if constexpr (kIsWide<Out>) {
      for_direction(swaps_out(args), [&](auto swap) {
        store_each(swap, [](OutCode* point, Point value) { store_fitting<Out>(point, value); });
      });
    } else {
      static_assert(kKind != KernelKind::kTwisted, "factors may change what fits");
      Fitting<Out> fitting;
      ULPFFT_UNROLL
      for (int i = 0; i < butterflies(kLast) * kRadix; ++i) fitting.add(state.v[i]);
      if (fitting.all()) {
        for_direction(swaps_out(args), [&](auto swap) {
          store_each(swap, [](OutCode* point, Point value) { store_fitting<Out>(point, value); });
        });
      } else {  // rare
        store_each(swaps_out(args), [&](OutCode* point, Point value) { store_point<Out>(point, value, state.saturated); });
        count_saturated(args.saturated, state.saturated);
      }
    }
  }

  // Outputs k + p l, ... of column x times lo[(k + p l) % split] * hi[(k + p l) / split]. The factors of all outputs at once would take
  // more registers than there are: those of a few are loaded after the outputs before them are stored.
  static constexpr int kFactorsAhead = 2;
  ULPFFT_DEVICE static void twist(Point* v, int p, const Args& args, std::uint32_t x, int k) {
    constexpr int kRadix = P::radix(kPasses - 1), kLength = P::length_before(kPasses - 1);
    constexpr int kSplit = twist_split(kN);
    const Point* const table = static_cast<const Point*>(args.twist);
    // A table has less than 2^31 factors.
    const int columns = static_cast<int>(args.twist_columns), column = static_cast<int>(x);
    ULPFFT_UNROLL
    for (int i = 0; i < kFactorsAhead && p + i < kRadix; ++i) {
      const int row = k + (p + i) * kLength;
      const Point lo = table_load(table + (row % kSplit * columns + column));
      const Point hi = table_load(table + ((kSplit + row / kSplit) * columns + column));
      v[i] = times(v[i], times(lo, hi));
    }
  }
  ULPFFT_DEVICE static Point times(Point a, Point b) {
    return {fnma(a.im, b.im, mul(a.re, b.re)), fma(a.im, b.re, mul(a.re, b.im))};
  }

  // ---- Between the passes ----
  template <int kPass>
  ULPFFT_DEVICE static void scatter(const State& state, Point* tile, Place at) {
    constexpr Map kMap = MapAfter<kPass>::kMap;
    constexpr int kRadix = P::radix(kPass);
    constexpr Threads kWho = threads_of(kPass);
    const int b0 = kWho.butterfly(at.thread);
    Point* const base = tile + kWho.transform(at.thread) * kMap.transform;
    Point* const first = base + kMap.written(b0);
    for_butterflies<kPass>(b0, [&](int u, int b) {
      Point* const to = adds(kMap.length * kMap.together) ? first + kMap.written(u * kPerTransform) : base + kMap.written(b);
      ULPFFT_UNROLL
      for (int p = 0; p < kRadix; ++p) shared_store(to + p * kMap.row, state.v[u * kRadix + p]);
    });
  }
  template <int kPass>
  ULPFFT_DEVICE static void gather(State& state, const Point* tile, Place at) {
    constexpr Map kMap = MapAfter<kPass - 1>::kMap;
    constexpr int kRadix = P::radix(kPass);
    constexpr int kStep = kMap.group_at(kN / kRadix / (kMap.length * kMap.radix));
    constexpr Threads kWho = threads_of(kPass);
    const int b0 = kWho.butterfly(at.thread);
    const Point* const base = tile + kWho.transform(at.thread) * kMap.transform;
    const Point* const first = base + kMap.read(b0);
    for_butterflies<kPass>(b0, [&](int u, int b) {
      constexpr bool kAdds = adds(kMap.length) && adds(kMap.length * kMap.radix * kMap.together);
      const Point* const from = kAdds ? first + kMap.read(u * kPerTransform) : base + kMap.read(b);
      ULPFFT_UNROLL
      for (int j = 0; j < kRadix; ++j) state.v[u * kRadix + j] = shared_load(from + j * kStep);
    });
  }

  // Point by point through shared memory, in the order of the array: move(offset in the array, offset in the tile). Both ends take the
  // butterflies of the first and the last pass. Rows lie in the tile as in the array, where `wrap` is -n or 0.
  template <class Move>
  ULPFFT_DEVICE static void for_staged(const Args& args, Place at, std::int64_t x_stride, const Move& move) {
    constexpr Staging kLies = kStaging;
    // Where a block's threads are whole rows a thread keeps its point, and steps from row to row.
    constexpr int kRows = kThreads / kN, kMoves = kN / kPerTransform;
    constexpr bool kSteps = kThreads % kN == 0 && kRows % kLies.together == 0;
    constexpr bool kPadded = kLies.pitch != kLies.together * kN;
    const int first = Threads::quotient(at.thread, kN), first_point = Threads::remainder(at.thread, kN);
    const int first_place = kPadded ? kLies.row(first) + first_point : at.thread;
    const auto place = [&](int i) {
      const int index = at.thread + i * kThreads;
      if constexpr (kPadded && !kSteps) return kLies.row(Threads::quotient(index, kN)) + Threads::remainder(index, kN);
      return first_place + (kPadded ? kLies.row(i * kRows) : i * kThreads);
    };
    const int live = static_cast<int>(static_cast<std::uint32_t>(args.count) - first_transform(at));
    // A whole block of dense rows is one run: all offsets are constants.
    if (live >= kPerBlock && x_stride == kN) {
      stays_a_branch();
      ULPFFT_UNROLL
      for (int i = 0; i < kMoves; ++i) move(at.thread + i * kThreads, place(i));
      return;
    }
    const std::int64_t step = kRows * x_stride;
    std::int64_t offset = first * x_stride + first_point;
    ULPFFT_UNROLL_FEW
    for (int i = 0; i < kMoves; ++i) {
      if constexpr (kSteps) {
        if (first + i * kRows < live) move(offset, place(i));
        offset += step;
      } else {
        const int index = at.thread + i * kThreads, transform = Threads::quotient(index, kN);
        if (transform < live) move(transform * x_stride + Threads::remainder(index, kN), place(i));
      }
    }
  }
  ULPFFT_DEVICE static void copy_in(const Args& args, Point* tile, Place at) {
    const InCode* const from = static_cast<const InCode*>(args.in.data) + (origin(args.in, first_transform(at), at) - args.in.shift);
    for_staged(args, at, args.in.x_stride, [&](std::int64_t offset, int place) {
      shared_store(tile + place, load_point<In>(from + offset));
    });
  }
  ULPFFT_DEVICE static void copy_out(State& state, const Args& args, const Point* tile, Place at) {
    OutCode* const to = static_cast<OutCode*>(args.out.data) + (origin(args.out, first_transform(at), at) - args.out.shift);
    for_staged(args, at, args.out.x_stride, [&](std::int64_t offset, int place) {
      const Point value = shared_load(tile + place);
      if constexpr (!kIsWide<Out>) {
        if (!fits<Out>(value)) return store_point<Out>(to + offset, value, state.saturated);  // rare
      }
      store_fitting<Out>(to + offset, value);
    });
    count_saturated(args.saturated, state.saturated);
  }
  ULPFFT_DEVICE static void take(State& state, const Args& args, const Point* tile, Place at) {
    constexpr Staging kLies = kStaging;
    constexpr int kRadix = P::radix(0);
    constexpr Threads kWho = threads_of(0);
    const Point* const from = tile + kLies.row(kWho.transform(at.thread)) + kWho.butterfly(at.thread) + args.in.shift;
    const int wrap = static_cast<int>(args.in.wrap);
    for_butterflies<0>(kWho.butterfly(at.thread), [&](int u, int b) {
      ULPFFT_UNROLL
      for (int j = 0; j < kRadix; ++j) {
        const int far = wraps<kRadix>(args.in, j, b) ? wrap : 0;
        state.v[u * kRadix + j] = shared_load(from + (far + u * kPerTransform + j * (kN / kRadix)));
      }
    });
  }
  ULPFFT_DEVICE static void put(const State& state, const Args& args, Point* tile, Place at) {
    constexpr Staging kLies = kStaging;
    constexpr int kLast = kPasses - 1, kRadix = P::radix(kLast), kLength = P::length_before(kLast);
    constexpr Threads kWho = threads_of(kLast);
    Point* const to = tile + kLies.row(kWho.transform(at.thread)) + kWho.butterfly(at.thread) + args.out.shift;
    const int wrap = static_cast<int>(args.out.wrap);
    for_direction(swaps_out(args), [&](auto swap) {
      for_butterflies<kLast>(kWho.butterfly(at.thread), [&](int u, int b) {
        ULPFFT_UNROLL
        for (int p = 0; p < kRadix; ++p) {
          const int far = wraps<kRadix>(args.out, p, b) ? wrap : 0;
          shared_store(to + (far + u * kPerTransform + p * kLength), turned(state.v[u * kRadix + p], swap));
        }
      });
    });
  }

  // ---- Arithmetic ----
  template <int kPass>
  ULPFFT_DEVICE static void compute(State& state, const Args& args, Place at) {
    using Body = typename P::template Body<kPass>;
    constexpr int kRadix = P::radix(kPass), kLength = P::length_before(kPass);
    const int b0 = threads_of(kPass).butterfly(at.thread);
    const int k0 = kLength == kN / kRadix ? b0 : b0 % kLength;
    for_butterflies<kPass>(b0, [&](int u, int b) {
      Point result[kRadix];
      Points<Real> out{result};
      const Points<Real> in{state.v + u * kRadix};
      if constexpr (kPass == 0) {
        Body::template run<Real>(in, NoFactors(), out);
      } else {
        const int k = kLength == kN / kRadix ? b : adds(kLength) ? k0 + u * kPerTransform % kLength : b % kLength;
        const Point* const table = static_cast<const Point*>(args.table) + P::factors_before(kPass) + k;
        Body::template run<Real>(in, Factors<Real>{table, kLength}, out);
      }
      ULPFFT_UNROLL
      for (int j = 0; j < kRadix; ++j) state.v[u * kRadix + j] = result[j];
    });
  }

  // ---- Phases ----
  // 0: what the array holds goes to shared memory as it lies. 1 + 2 i: pass i takes its points. 2 + 2 i: it computes, and hands on.
  // kCopyOut: the reverse of 0. The first pass does both at once where nothing is staged, and so does the last one.
  static constexpr int kCopyIn = 0, kCopyOut = 2 * kPasses + 1;
  ULPFFT_BOTH static int take_of(int pass) { return 1 + 2 * pass; }
  ULPFFT_BOTH static int compute_of(int pass) { return 2 + 2 * pass; }
  ULPFFT_BOTH static int touches(int id) {
    if (id == kCopyIn) return kWritesShared;
    if (id == kCopyOut) return kReadsShared;
    if (id % 2 == 1) return id == take_of(0) && !kStaged ? kTouchesNone : kReadsShared;
    return id == compute_of(kPasses - 1) && !kStaged ? kTouchesNone : kWritesShared;
  }
  template <int kId>
  ULPFFT_DEVICE static void phase(State& state, unsigned char* shared, const Args& args, Place at) {
    Point* const tile = reinterpret_cast<Point*>(shared);
    constexpr int kPass = (kId - 1) / 2;
    if constexpr (kId == kCopyIn) {
      copy_in(args, tile, at);
    } else if constexpr (kId == kCopyOut) {
      copy_out(state, args, tile, at);
    } else if constexpr (kId == take_of(0)) {
      if constexpr (kStaged) {
        take(state, args, tile, at);
      } else {
        load(state, args, at);
      }
    } else if constexpr (kId % 2 == 1) {
      gather<kPass>(state, tile, at);
    } else {
      if constexpr (kPass == 0) turn_and_scale(state, args);
      compute<kPass>(state, args, at);
      if constexpr (kPass + 1 < kPasses) {
        scatter<kPass>(state, tile, at);
      } else if constexpr (kStaged) {
        put(state, args, tile, at);
      } else {
        store(state, args, at);
      }
    }
  }

};

// The program of a tile, from pass kPass on.
template <class K, int kPass>
struct FromPass {
  static constexpr bool kLast = kPass + 1 == K::kPasses;
  // A staged transform that one thread holds: it puts its points where it took them.
  using Fence = std::conditional_t<K::kPasses == 1, NoBarrier<OwnWords>, Barrier>;
  using Take = Phase<K, K::take_of(kPass)>;
  using Compute = Phase<K, K::compute_of(kPass)>;
  // Where both are not in shared memory nothing lies between them.
  using Taken = std::conditional_t<!K::kStaged && (kPass == 0 || kLast), Program<Take>, Program<Take, Fence>>;
  using Done = std::conditional_t<K::kStaged, Program<Compute, Barrier, Phase<K, K::kCopyOut>>, Program<Compute>>;
  ULPFFT_BOTH static auto type() {
    if constexpr (kLast) {
      return typename Join<Taken, Done>::Type();
    } else {
      return typename Join<Taken, Program<Compute, Barrier>, decltype(FromPass<K, kPass + 1>::type())>::Type();
    }
  }
};
template <class K>
struct StepsOf {
  using Begin = std::conditional_t<K::kStaged, Program<Phase<K, K::kCopyIn>, Barrier>, Program<>>;
  using Type = typename Join<Begin, decltype(FromPass<K, 0>::type())>::Type;
};

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_TILE_H_
